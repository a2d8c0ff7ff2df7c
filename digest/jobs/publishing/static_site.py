"""The static site: which pages of editions and days are made, and which of the old ones lead elsewhere now.

Beside the pages lies what there is of them, in a hidden file: pages that are done stay, also of digests that are no more
and of editions that the store has forgotten.
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
from digest.render.editions.edition_view import moment_of
from digest.render.locale_bundle import Tongue
from digest.render.papers.links import Link
from digest.render.publishing.feeds import FORMS, feed_path
from digest.render.publishing.static_pages import (
    ARCHIVE,
    INDEX,
    Line,
    Part,
    Turn,
    archive_page,
    day_page,
    day_path,
    edition_page,
    edition_path,
    href,
    page_path,
    part,
    turned,
)
from digest.store.database.engine import Transaction
from digest.store.editions import editions
from digest.store.subscribers.digests import Digest

_REGISTER = ".site.json"
_AT_ONCE = 30
"""Editions loaded at once."""

File = tuple[str, bytes]


class Entry(NamedTuple):
    """An edition whose page is made.

    Attributes:
        at: when it was composed: their order.
        path: of its page.
        number: of the edition in the store.
        moment: day and time of its period.
        language: that the page is in.
    """

    at: str
    path: str
    number: int
    digest: str
    title: str
    moment: str
    language: str

    @property
    def day(self) -> date:
        """The day that it is from."""
        return date.fromisoformat(self.moment[:10])


@dataclass(slots=True, kw_only=True)
class Site:
    """The pages of one output folder.

    Attributes:
        folder: where they are.
        tongue: what pages of a language are made with.
        language: of the pages that are of no edition.
        entries: what there is, the oldest first.
    """

    folder: Path
    tongue: Callable[[str], Tongue]
    language: str
    entries: list[Entry] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Read what there is."""
        try:
            kept = json.loads((self.folder / _REGISTER).read_bytes())
            self.entries = [Entry(*one) for one in kept["editions"]]
        except (OSError, ValueError, KeyError, TypeError):
            self.entries = []

    def files(
        self, tx: Transaction, changed: Sequence[Digest], standing: Iterable[str], *, anew: bool
    ) -> Iterator[File]:
        """The pages that are new, and the old ones that lead to them.

        Args:
            tx: a transaction.
            changed: digests with new editions.
            standing: the names of all that have not ended.
            anew: make the last pages of these once more: they would be others now.
        """
        made = {entry.path for entry in self.entries}
        fresh: dict[str, Edition] = {}
        feeds = {one.name: one.feed for one in changed}
        for digest in changed:
            numbers = editions.made(tx, digest.id)
            wanted = [
                number
                for at, (number, path) in enumerate(_with_paths(digest, numbers))
                if path not in made or (anew and at >= len(numbers) - _AT_ONCE)
            ]
            for at in range(0, len(wanted), _AT_ONCE):
                found = editions.load(tx, wanted[at : at + _AT_ONCE])
                fresh.update((edition_path(one), one) for one in found.values())
        if not fresh and not anew:
            return
        self._enter(fresh)
        yield from self._editions(fresh, feeds)
        yield from self._days(tx, {_entry(one).day for one in fresh.values()})
        yield ARCHIVE, self._archive(frozenset(standing))
        kept = {"editions": [list(entry) for entry in self.entries]}
        yield _REGISTER, json.dumps(kept, ensure_ascii=False, indent=0).encode()

    def _enter(self, fresh: Mapping[str, Edition]) -> None:
        known = {entry.path: entry for entry in self.entries}
        known.update((path, _entry(edition)) for path, edition in fresh.items())
        self.entries = sorted(known.values())

    # --- editions

    def _editions(self, fresh: Mapping[str, Edition], feeds: Mapping[str, bool]) -> Iterator[File]:
        by_digest: dict[str, list[Entry]] = {}
        for entry in self.entries:
            by_digest.setdefault(entry.digest, []).append(entry)
        for mine in by_digest.values():
            for at, entry in enumerate(mine):
                near = [one.path in fresh for one in mine[max(at - 1, 0) : at + 2]]
                if not any(near):
                    continue
                edition = fresh.get(entry.path)
                tongue = self.tongue(entry.language)
                turn = self._turn(tongue, entry.path, mine, at, day_path(entry.day))
                if edition is None:
                    yield from self._turned(tongue, entry.path, turn)
                    continue
                links = _feeds(entry) if feeds[entry.digest] else ()
                yield (
                    entry.path,
                    edition_page(tongue.environment, edition, tongue.masthead, links, turn),
                )

    def _turn(self, tongue: Tongue, page: str, mine: Sequence[Entry], at: int, day: str) -> Turn:
        """Where an edition's page leads to."""

        def link(entry: Entry) -> Link:
            return Link(label=tongue.masthead.locale.short_day(entry.day), href=href(page, entry.path))

        return Turn(
            older=link(mine[at - 1]) if at else None,
            newer=link(mine[at + 1]) if at + 1 < len(mine) else None,
            up=Link(label=tongue.masthead.locale.whole_day(mine[at].day), href=href(page, day)),
            home=_home(tongue, page),
        )

    def _turned(self, tongue: Tongue, path: str, turn: Turn) -> Iterator[File]:
        """A page that is done leads elsewhere now."""
        try:
            before = (self.folder / path).read_bytes()
        except OSError:
            return  # somebody took it away
        yield path, turned(tongue.environment, tongue.masthead, before, turn)

    # --- days

    def _days(self, tx: Transaction, fresh: set[date]) -> Iterator[File]:
        """The pages of days with new editions, and their neighbours."""
        tongue = self.tongue(self.language)
        days = sorted({entry.day for entry in self.entries})
        told = [entry for entry in self.entries if entry.day in fresh]
        known = editions.load(tx, [entry.number for entry in told])
        near = {days[at] for day in fresh for at in _near(days, day)}
        for day in sorted(near):
            at, page = bisect_left(days, day), day_path(day)
            turn = Turn(
                older=_day_link(tongue, page, days[at - 1]) if at else None,
                newer=_day_link(tongue, page, days[at + 1]) if at + 1 < len(days) else None,
                up=Link(label=tongue.masthead.locale.gettext("All days"), href=href(page, ARCHIVE)),
                home=_home(tongue, page),
            )
            if day not in fresh:
                yield from self._turned(tongue, page, turn)
                continue
            parts = [_part(entry, known, tongue, page) for entry in told if entry.day == day]
            yield page, day_page(tongue.environment, tongue.masthead, day, parts, turn)

    def _archive(self, standing: frozenset[str]) -> bytes:
        tongue = self.tongue(self.language)
        days: dict[date, dict[str, None]] = {}
        by_digest: dict[str, list[Entry]] = {}
        for entry in self.entries:
            days.setdefault(entry.day, {})[entry.title] = None
            by_digest.setdefault(entry.digest, []).append(entry)
        lines = [
            Line(
                title=mine[-1].title,
                editions=len(mine),
                last=Link(
                    label=tongue.masthead.locale.whole_day(mine[-1].day),
                    href=href(ARCHIVE, mine[-1].path),
                ),
                ended=name not in standing,
            )
            for name, mine in sorted(by_digest.items())
        ]
        shown = {day: list(titles) for day, titles in days.items()}
        return archive_page(tongue.environment, tongue.masthead, shown, lines)


def _entry(edition: Edition) -> Entry:
    return Entry(
        at=edition.composed_at.astimezone(UTC).isoformat(timespec="seconds"),
        path=edition_path(edition),
        number=edition.id,
        digest=edition.digest,
        title=edition.title,
        moment=moment_of(edition).isoformat(timespec="minutes"),
        language=edition.language,
    )


def _with_paths(digest: Digest, made: Iterable[tuple[int, str]]) -> list[tuple[int, str]]:
    """Editions and the paths of their pages."""
    return [(number, page_path(digest.name, period)) for number, period in made]


def _part(entry: Entry, known: Mapping[int, Edition], tongue: Tongue, page: str) -> Part:
    """An edition on the page of its day; without its papers where the store has forgotten it."""
    edition = known.get(entry.number)
    if edition is not None and edition_path(edition) == entry.path:
        return part(edition, tongue.masthead, page)
    return Part(title=entry.title, href=href(page, entry.path), time=entry.moment[11:16])


def _feeds(entry: Entry) -> tuple[Link, ...]:
    """Where the digest's feeds are, as written in the page of one of its editions."""
    return tuple(
        Link(label=form.label, href=href(entry.path, feed_path(entry.digest, ending)), type=form.media_type)
        for ending, form in FORMS.items()
    )


def _home(tongue: Tongue, page: str) -> Link:
    masthead = tongue.masthead
    return Link(label=masthead.title or masthead.locale.gettext("Overview"), href=href(page, INDEX))


def _day_link(tongue: Tongue, page: str, day: date) -> Link:
    return Link(label=tongue.masthead.locale.short_day(day), href=href(page, day_path(day)))


def _near(days: Sequence[date], day: date) -> range:
    """Where a day and its neighbours are among days in order."""
    at = bisect_left(days, day)
    return range(max(at - 1, 0), min(at + 2, len(days)))
