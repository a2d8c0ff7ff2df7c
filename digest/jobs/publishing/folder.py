"""The output folder: its overview, the feeds of digests and those for everybody, as files."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

from digest.config import Settings
from digest.jobs.publishing.public import CATEGORY, Public, PublicFeed
from digest.jobs.publishing.publish import Shown
from digest.model import Edition
from digest.render.locale_bundle import Tongue
from digest.render.publishing.digest_feed import Feed, feed_files
from digest.render.publishing.folder_overview import Opening, Shelf, index_page, opening, shelf
from digest.render.publishing.public_feed import Opened, public_files
from digest.render.publishing.static_pages import edition_path
from digest.store.subscribers.digests import Digest


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """Makes the files of the output folder, but for the pages of editions and days.

    Attributes:
        settings: where it is, on this machine and perhaps on the web.
        tongue: what files of a language are made with.
        public: what everybody can read.
    """

    settings: Settings
    tongue: Callable[[str], Tongue]
    public: Public

    @property
    def _own(self) -> Tongue:
        """The site's language."""
        return self.tongue(self.settings.site.language)

    @property
    def _url(self) -> str:
        """Where the folder is on the web; "" where it is not, for we answer there ourselves."""
        return "" if self.settings.site.answers else self.settings.site.url

    def published(self, shown: Shown, fresh: Collection[str]) -> list[tuple[str, bytes]]:
        """The overview of the output folder, and the feeds of the digests named."""
        feeds = [
            file
            for digest, editions in shown
            if digest.feed and digest.name in fresh
            for file in self._feeds(
                digest.name,
                digest.title,
                editions,
                language=digest.language,
                by_edition=digest.feed_entries == "editions",
            )
        ]
        shelves = [self._shelf(digest, editions) for digest, editions in shown]
        page = index_page(self._own.environment, self._own.masthead, shelves, self._openings())
        return [*feeds, ("index.html", page)]

    def _openings(self) -> list[Opening]:
        """The feeds for everybody, as the overview of the output folder leads to them."""
        if not self.public.any:
            return []
        _ = self._own.masthead.locale.gettext
        found = [(one.title or _("Everything new"), one.sort, one.name) for one in self.public.standing()]
        first = [one for one in found if one[1] != CATEGORY]
        both = (("", first), (_("By category"), [one for one in found if one[1] == CATEGORY]))
        return [opening(title, some) for title, some in both if some]

    def _shelf(self, digest: Digest, editions: tuple[Edition, ...]) -> Shelf:
        """A digest in the overview, with links to the files that lie below the same folder."""
        out = self.settings.output
        folders = [Path(address) for _, channel, address in digest.destinations if channel == "files"]
        below = [folder.relative_to(out) for folder in folders if folder.is_relative_to(out)]
        folder = below[0].as_posix() if below else None
        return shelf(
            digest.name,
            digest.title,
            editions,
            feeds=digest.feed,
            folder=folder,
            locale=self._own.masthead.locale,
        )

    def _feeds(
        self,
        name: str,
        title: str,
        editions: tuple[Edition, ...],
        *,
        language: str,
        by_edition: bool = False,
    ) -> list[tuple[str, bytes]]:
        """A digest's feeds in their three forms, by path below the output folder."""
        tongue = self.tongue(language)
        url = self._url
        feed = Feed(
            masthead=tongue.masthead,
            digest=name,
            title=title,
            editions=editions,
            by_edition=by_edition,
            pages={one.id: f"{url}/{edition_path(one)}" for one in editions} if url else {},
            listens=False,
        )
        return feed_files(tongue.environment, feed, url)

    def public_files(self, feed: PublicFeed) -> list[tuple[str, bytes]]:
        """A feed for everybody in its three forms, by path below the output folder."""
        opened = Opened(
            masthead=self._own.masthead,
            sort=feed.sort,
            name=feed.name,
            title=feed.title,
            papers=self.public.items(feed),
        )
        return public_files(self._own.environment, opened, self._url)
