"""Whether an answer about a day shows an earlier day again."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from digest.model import ListingKind, PaperKey

_FIRST_LISTINGS = frozenset({ListingKind.NEW, ListingKind.CROSS})


class Shown(NamedTuple):
    """A listing as an answer shows it; version 0 where it does not tell."""

    key: PaperKey
    kind: ListingKind
    version: int


def is_stale(now: AbstractSet[Shown], before: AbstractSet[Shown]) -> bool:
    """Whether an answer is the one of an earlier day under a new date.

    A section has a paper as new or cross-listed once, so half of them again cannot be; where there is
    none, all replacements again, in the same versions as far as they are told.
    https://github.com/ZJU-REAL/Polaris/issues/414 has such a day.
    """
    new = {one for one in now if one.kind in _FIRST_LISTINGS}
    again = repeated(now, before)
    return 2 * len(new & again) >= len(new) if new else bool(now) and len(again) == len(now)


def is_older_day(now: AbstractSet[Shown], before: AbstractSet[Shown]) -> bool:
    """Whether an answer is that of a day further back than the last one with papers.

    Half of the new papers prove it. Some cross-lists and replacements come again after days: only all of them, with a
    cross-list among them, are an older day.
    """
    again = repeated(now, before)
    new = {one for one in now if one.kind is ListingKind.NEW}
    if new:
        return 2 * len(new & again) >= len(new)
    return len(again) == len(now) and any(one.kind in _FIRST_LISTINGS for one in now)


def repeated(now: AbstractSet[Shown], before: AbstractSet[Shown]) -> frozenset[Shown]:
    """Find the listings of a day that an earlier day has, too.

    A paper is new once, and cross-listed in a section once; an archive can have it first as new, and later as
    cross-listed in another of its categories. A replacement comes again only in the same version, where that is given.
    """
    new = {listing.key for listing in before if listing.kind in _FIRST_LISTINGS}
    versions = {(listing.key, listing.kind): listing.version for listing in before}

    def is_repeated(listing: Shown) -> bool:
        if listing.kind is ListingKind.NEW:
            return listing.key in new
        version = versions.get((listing.key, listing.kind))
        if listing.kind is ListingKind.CROSS:
            return version is not None
        return version is not None and (version == listing.version or 0 in {version, listing.version})

    return frozenset(filter(is_repeated, now))


def by_kind(shown: Iterable[Shown]) -> dict[ListingKind, set[PaperKey]]:
    """The papers of listings, by kind."""
    found: dict[ListingKind, set[PaperKey]] = {}
    for one in shown:
        found.setdefault(one.kind, set()).add(one.key)
    return found
