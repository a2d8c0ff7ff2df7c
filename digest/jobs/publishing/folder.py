"""The files of the output folder: its overview, the feeds of digests, and the public feeds."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

from digest.config import Settings
from digest.jobs.publishing.public import CATEGORY, PublicFeed, PublicFeedLoader
from digest.jobs.publishing.publish import MAX_FULL_DIGESTS, DigestEditions, list_file_folders
from digest.model import Edition
from digest.render.locale_bundle import LocaleBundle
from digest.render.publishing.digest_feed import DigestFeed, render_feed_files
from digest.render.publishing.folder_overview import (
    DigestOverview,
    PublicFeedGroup,
    make_digest_overview,
    make_public_feed_group,
    render_index_page,
)
from digest.render.publishing.public_feed import PublicFeedContent, render_public_files
from digest.render.publishing.static_pages import make_edition_path
from digest.store.subscribers.digests import Digest


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputFolder:
    """Renders the files of the output folder, except the pages of editions and days.

    Attributes:
        settings: the configuration, with the path of the folder and perhaps its address.
        get_locale_bundle: returns templates and branding in a language.
        public_feeds: loads the public feeds.
    """

    settings: Settings
    get_locale_bundle: Callable[[str], LocaleBundle]
    public_feeds: PublicFeedLoader

    @property
    def _site_locale_bundle(self) -> LocaleBundle:
        """Templates and branding in the site's language."""
        return self.get_locale_bundle(self.settings.site.language)

    @property
    def _base_url(self) -> str:
        """The address of the folder; "" if it has none, or if the address is that of our own web server."""
        return "" if self.settings.site.is_served else self.settings.site.url

    def render_files(
        self, digest_editions: DigestEditions, changed_names: Collection[str]
    ) -> list[tuple[str, bytes]]:
        """Render the overview of the folder, and the feeds of the changed digests."""
        feeds = [
            file
            for digest, editions in digest_editions
            if digest.options.feed and digest.name in changed_names
            for file in self._render_feeds(
                digest.name,
                digest.title,
                editions,
                language=digest.options.language,
                by_edition=digest.options.feed_entries == "editions",
            )
        ]
        has_pages = len(digest_editions) <= MAX_FULL_DIGESTS
        overviews = [
            self._make_overview(digest, editions, has_pages=has_pages) for digest, editions in digest_editions
        ]
        page = render_index_page(
            self._site_locale_bundle.environment,
            self._site_locale_bundle.branding,
            overviews,
            self._list_public_links(),
        )
        return [*feeds, ("index.html", page)]

    def _list_public_links(self) -> list[PublicFeedGroup]:
        """List the public feeds in the groups in which the overview shows them."""
        if not self.public_feeds.has_feeds:
            return []
        _ = self._site_locale_bundle.branding.locale.gettext
        links = [
            (entry.title or _("Everything new"), entry.sort, entry.name)
            for entry in self.public_feeds.list_feeds()
        ]
        general = [entry for entry in links if entry[1] != CATEGORY]
        groups = (("", general), (_("By category"), [entry for entry in links if entry[1] == CATEGORY]))
        return [make_public_feed_group(title, group_links) for title, group_links in groups if group_links]

    def _make_overview(
        self, digest: Digest, editions: tuple[Edition, ...], *, has_pages: bool
    ) -> DigestOverview:
        """Make a digest's part of the overview, with links to its files if they are below the output folder."""
        output_folder = self.settings.output
        folders = [Path(folder) for folder in list_file_folders(digest)]
        relative_folders = [
            folder.relative_to(output_folder) for folder in folders if folder.is_relative_to(output_folder)
        ]
        folder = relative_folders[0].as_posix() if relative_folders else None
        return make_digest_overview(
            digest.name,
            digest.title,
            editions,
            feeds=digest.options.feed,
            folder=folder,
            locale=self._site_locale_bundle.branding.locale,
            has_pages=has_pages,
        )

    def _render_feeds(
        self,
        name: str,
        title: str,
        editions: tuple[Edition, ...],
        *,
        language: str,
        by_edition: bool = False,
    ) -> list[tuple[str, bytes]]:
        """Render a digest's feeds in their three formats, by path below the output folder."""
        locale_bundle = self.get_locale_bundle(language)
        url = self._base_url
        feed = DigestFeed(
            branding=locale_bundle.branding,
            digest=name,
            title=title,
            editions=editions,
            by_edition=by_edition,
            pages={edition.id: f"{url}/{make_edition_path(edition)}" for edition in editions} if url else {},
            accepts_feedback=False,
        )
        return render_feed_files(locale_bundle.environment, feed, url)

    def render_public_files(self, feed: PublicFeed) -> list[tuple[str, bytes]]:
        """Render a public feed in its three formats, by path below the output folder."""
        opened_feed = PublicFeedContent(
            branding=self._site_locale_bundle.branding,
            sort=feed.sort,
            name=feed.name,
            title=feed.title,
            papers=self.public_feeds.load_items(feed),
        )
        return render_public_files(self._site_locale_bundle.environment, opened_feed, self._base_url)
