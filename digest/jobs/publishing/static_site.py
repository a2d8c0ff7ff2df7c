"""The static site: decides which pages of editions and days are rendered, and which old ones need new links.

A hidden file beside the pages lists them. Finished pages stay, even if their digest has ended or the store no
longer has their edition.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date
from pathlib import Path
from typing import NamedTuple

from digest.model import Edition
from digest.render.editions.summary import get_local_time
from digest.render.locale_bundle import LocaleBundle
from digest.render.papers.links import Link
from digest.render.publishing.feeds import FEED_FORMATS, make_feed_path
from digest.render.publishing.static_pages import (
    ARCHIVE_PAGE,
    INDEX_PAGE,
    ArchiveDigest,
    DayEdition,
    PageNavigation,
    make_day_edition,
    make_day_path,
    make_edition_path,
    make_href,
    make_page_path,
    render_archive_page,
    render_day_page,
    render_static_edition,
    replace_navigation,
)
from digest.store.database.engine import Transaction
from digest.store.editions import editions
from digest.store.subscribers.digests import Digest

_REGISTER_FILE = ".site.json"
_CHUNK_SIZE = 30
"""Number of editions that are loaded at once."""

File = tuple[str, bytes]


class EditionPageEntry(NamedTuple):
    """An edition that has a page.

    Attributes:
        composed_at: when it was composed (ISO 8601, UTC), which determines the order.
        path: the path of its page.
        edition_id: the number of the edition in the store.
        digest: the name of the digest.
        title: the title of the digest.
        period_start: local day and time of its period (ISO 8601).
        language: the language of the page.
    """

    composed_at: str
    path: str
    edition_id: int
    digest: str
    title: str
    period_start: str
    language: str

    @property
    def day(self) -> date:
        """The day of the edition."""
        return date.fromisoformat(self.period_start[:10])


@dataclass(slots=True, kw_only=True)
class StaticSite:
    """The pages of one output folder.

    Attributes:
        folder: the output folder.
        get_locale_bundle: returns templates and branding in a language.
        language: the language of pages that do not belong to an edition.
        entries: the existing pages of editions, oldest first.
    """

    folder: Path
    get_locale_bundle: Callable[[str], LocaleBundle]
    language: str
    entries: list[EditionPageEntry] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Read the list of existing pages."""
        try:
            stored = json.loads((self.folder / _REGISTER_FILE).read_bytes())
            self.entries = [EditionPageEntry(*row) for row in stored["editions"]]
        except (OSError, ValueError, KeyError, TypeError):
            self.entries = []

    def list_files(
        self, tx: Transaction, changed: Sequence[Digest], active_names: Iterable[str], *, remake_last: bool
    ) -> Iterator[File]:
        """Yield the new pages, and the old ones that link to them.

        Args:
            tx: a transaction.
            changed: digests with new editions.
            active_names: the names of all digests that have not ended.
            remake_last: whether to render the last pages again, because the templates or the release changed.
        """
        made_paths = {entry.path for entry in self.entries}
        new_editions: dict[str, Edition] = {}
        feeds = {page_source.name: page_source.options.feed for page_source in changed}
        for digest in changed:
            stored_editions = editions.list_composed(tx, digest.id)
            missing_ids = [
                number
                for index, (number, path) in enumerate(_add_paths(digest, stored_editions))
                if path not in made_paths or (remake_last and index >= len(stored_editions) - _CHUNK_SIZE)
            ]
            for index in range(0, len(missing_ids), _CHUNK_SIZE):
                loaded_editions = editions.load_editions(tx, missing_ids[index : index + _CHUNK_SIZE])
                new_editions.update(
                    (make_edition_path(page_source), page_source) for page_source in loaded_editions.values()
                )
        if not new_editions and not remake_last:
            return
        self._add_entries(new_editions)
        yield from self._render_editions(new_editions, feeds)
        yield from self._render_days(
            tx, {_make_entry(page_source).day for page_source in new_editions.values()}
        )
        yield ARCHIVE_PAGE, self._render_archive(frozenset(active_names))
        register = {"editions": [list(entry) for entry in self.entries]}
        yield _REGISTER_FILE, json.dumps(register, ensure_ascii=False, indent=0).encode()

    def _add_entries(self, new_editions: Mapping[str, Edition]) -> None:
        entries_by_path = {entry.path: entry for entry in self.entries}
        entries_by_path.update((path, _make_entry(edition)) for path, edition in new_editions.items())
        self.entries = sorted(entries_by_path.values())

    # --- editions

    def _render_editions(
        self, new_editions: Mapping[str, Edition], feeds: Mapping[str, bool]
    ) -> Iterator[File]:
        by_digest: dict[str, list[EditionPageEntry]] = {}
        for entry in self.entries:
            by_digest.setdefault(entry.digest, []).append(entry)
        for digest_entries in by_digest.values():
            for index, entry in enumerate(digest_entries):
                has_new_nearby = [
                    neighbour.path in new_editions
                    for neighbour in digest_entries[max(index - 1, 0) : index + 2]
                ]
                if not any(has_new_nearby):
                    continue
                edition = new_editions.get(entry.path)
                locale_bundle = self.get_locale_bundle(entry.language)
                navigation = self._make_navigation(
                    locale_bundle, entry.path, digest_entries, index, make_day_path(entry.day)
                )
                if edition is None:
                    yield from self._update_navigation(locale_bundle, entry.path, navigation)
                    continue
                links = _make_feed_links(entry) if feeds[entry.digest] else ()
                yield (
                    entry.path,
                    render_static_edition(
                        locale_bundle.environment, edition, locale_bundle.branding, links, navigation
                    ),
                )

    def _make_navigation(
        self,
        locale_bundle: LocaleBundle,
        page: str,
        digest_entries: Sequence[EditionPageEntry],
        index: int,
        day_page_path: str,
    ) -> PageNavigation:
        """Make the links of an edition's page."""

        def make_link(entry: EditionPageEntry) -> Link:
            return Link(
                label=locale_bundle.branding.locale.short_day(entry.day), href=make_href(page, entry.path)
            )

        return PageNavigation(
            older=make_link(digest_entries[index - 1]) if index else None,
            newer=make_link(digest_entries[index + 1]) if index + 1 < len(digest_entries) else None,
            up=Link(
                label=locale_bundle.branding.locale.whole_day(digest_entries[index].day),
                href=make_href(page, day_page_path),
            ),
            home=_make_home_link(locale_bundle, page),
        )

    def _update_navigation(
        self, locale_bundle: LocaleBundle, path: str, navigation: PageNavigation
    ) -> Iterator[File]:
        """Yield a finished page with new links; nothing if it has been removed."""
        try:
            current_content = (self.folder / path).read_bytes()
        except OSError:
            return  # the page has been removed
        yield (
            path,
            replace_navigation(
                locale_bundle.environment, locale_bundle.branding, current_content, navigation
            ),
        )

    # --- days

    def _render_days(self, tx: Transaction, new_days: set[date]) -> Iterator[File]:
        """Render the pages of days with new editions, and update the links of their neighbours."""
        locale_bundle = self.get_locale_bundle(self.language)
        days = sorted({entry.day for entry in self.entries})
        day_entries = [entry for entry in self.entries if entry.day in new_days]
        loaded_editions = editions.load_editions(tx, [entry.edition_id for entry in day_entries])
        affected_days = {days[index] for day in new_days for index in _find_neighbours(days, day)}
        for day in sorted(affected_days):
            index, page = bisect_left(days, day), make_day_path(day)
            navigation = PageNavigation(
                older=_make_day_link(locale_bundle, page, days[index - 1]) if index else None,
                newer=_make_day_link(locale_bundle, page, days[index + 1]) if index + 1 < len(days) else None,
                up=Link(
                    label=locale_bundle.branding.locale.gettext("All days"),
                    href=make_href(page, ARCHIVE_PAGE),
                ),
                home=_make_home_link(locale_bundle, page),
            )
            if day not in new_days:
                yield from self._update_navigation(locale_bundle, page, navigation)
                continue
            day_editions = [
                _make_day_edition(entry, loaded_editions, locale_bundle, page)
                for entry in day_entries
                if entry.day == day
            ]
            yield (
                page,
                render_day_page(
                    locale_bundle.environment, locale_bundle.branding, day, day_editions, navigation
                ),
            )

    def _render_archive(self, active_names: frozenset[str]) -> bytes:
        locale_bundle = self.get_locale_bundle(self.language)
        days: dict[date, dict[str, None]] = {}
        by_digest: dict[str, list[EditionPageEntry]] = {}
        for entry in self.entries:
            days.setdefault(entry.day, {})[entry.title] = None
            by_digest.setdefault(entry.digest, []).append(entry)
        archive_digests = [
            ArchiveDigest(
                title=digest_entries[-1].title,
                editions=len(digest_entries),
                last=Link(
                    label=locale_bundle.branding.locale.whole_day(digest_entries[-1].day),
                    href=make_href(ARCHIVE_PAGE, digest_entries[-1].path),
                ),
                ended=name not in active_names,
            )
            for name, digest_entries in sorted(by_digest.items())
        ]
        titles_by_day = {day: list(titles) for day, titles in days.items()}
        return render_archive_page(
            locale_bundle.environment, locale_bundle.branding, titles_by_day, archive_digests
        )


def _make_entry(edition: Edition) -> EditionPageEntry:
    return EditionPageEntry(
        composed_at=edition.composed_at.astimezone(UTC).isoformat(timespec="seconds"),
        path=make_edition_path(edition),
        edition_id=edition.id,
        digest=edition.digest,
        title=edition.title,
        period_start=get_local_time(edition).isoformat(timespec="minutes"),
        language=edition.language,
    )


def _add_paths(digest: Digest, stored_editions: Iterable[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return the numbers of editions with the paths of their pages."""
    return [(edition_id, make_page_path(digest.name, period)) for edition_id, period in stored_editions]


def _make_day_edition(
    entry: EditionPageEntry, loaded_editions: Mapping[int, Edition], locale_bundle: LocaleBundle, page: str
) -> DayEdition:
    """Make an edition's part of the page of its day, without papers if the store no longer has the edition."""
    edition = loaded_editions.get(entry.edition_id)
    if edition is not None and make_edition_path(edition) == entry.path:
        return make_day_edition(edition, locale_bundle.branding, page)
    return DayEdition(title=entry.title, href=make_href(page, entry.path), time=entry.period_start[11:16])


def _make_feed_links(entry: EditionPageEntry) -> tuple[Link, ...]:
    """Make the links from an edition's page to the feeds of its digest."""
    return tuple(
        Link(
            label=form.label,
            href=make_href(entry.path, make_feed_path(entry.digest, extension)),
            type=form.media_type,
        )
        for extension, form in FEED_FORMATS.items()
    )


def _make_home_link(locale_bundle: LocaleBundle, page: str) -> Link:
    branding = locale_bundle.branding
    return Link(label=branding.title or branding.locale.gettext("Overview"), href=make_href(page, INDEX_PAGE))


def _make_day_link(locale_bundle: LocaleBundle, page: str, day: date) -> Link:
    return Link(label=locale_bundle.branding.locale.short_day(day), href=make_href(page, make_day_path(day)))


def _find_neighbours(days: Sequence[date], day: date) -> range:
    """Return the indices of a day and its neighbours in a sorted list of days."""
    index = bisect_left(days, day)
    return range(max(index - 1, 0), min(index + 2, len(days)))
