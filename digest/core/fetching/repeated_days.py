"""Whether an answer about a day shows an earlier day again."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from digest.model import ListingKind, PaperKey

_FIRST_LISTINGS = frozenset({ListingKind.NEW, ListingKind.CROSS})


class ShownListing(NamedTuple):
    """A listing as an answer shows it; version 0 where it does not tell."""

    key: PaperKey
    kind: ListingKind
    version: int


def is_stale(current: AbstractSet[ShownListing], earlier: AbstractSet[ShownListing]) -> bool:
    """Whether an answer is the one of an earlier day under a new date.

    A section has a paper as new or cross-listed once, so half of them again cannot be; where there is
    none, all replacements again, in the same versions as far as they are told.
    https://github.com/ZJU-REAL/Polaris/issues/414 has such a day.
    """
    new_listings = {listing for listing in current if listing.kind in _FIRST_LISTINGS}
    repeats = find_repeated(current, earlier)
    return (
        2 * len(new_listings & repeats) >= len(new_listings)
        if new_listings
        else bool(current) and len(repeats) == len(current)
    )


def is_older_day(current: AbstractSet[ShownListing], earlier: AbstractSet[ShownListing]) -> bool:
    """Whether an answer is that of a day further back than the last one with papers.

    Half of the new papers prove it. Some cross-lists and replacements come again after days: only all of them, with a
    cross-list among them, are an older day.
    """
    repeats = find_repeated(current, earlier)
    new_listings = {listing for listing in current if listing.kind is ListingKind.NEW}
    if new_listings:
        return 2 * len(new_listings & repeats) >= len(new_listings)
    return len(repeats) == len(current) and any(listing.kind in _FIRST_LISTINGS for listing in current)


def find_repeated(
    current: AbstractSet[ShownListing], earlier: AbstractSet[ShownListing]
) -> frozenset[ShownListing]:
    """Find the listings of a day that an earlier day has, too.

    A paper is new once, and cross-listed in a section once; an archive can have it first as new, and later as
    cross-listed in another of its categories. A replacement comes again only in the same version, where that is given.
    """
    new_keys = {listing.key for listing in earlier if listing.kind in _FIRST_LISTINGS}
    versions = {(listing.key, listing.kind): listing.version for listing in earlier}

    def is_repeated(listing: ShownListing) -> bool:
        if listing.kind is ListingKind.NEW:
            return listing.key in new_keys
        version = versions.get((listing.key, listing.kind))
        if listing.kind is ListingKind.CROSS:
            return version is not None
        return version is not None and (version == listing.version or 0 in {version, listing.version})

    return frozenset(filter(is_repeated, current))


def group_by_kind(listings: Iterable[ShownListing]) -> dict[ListingKind, set[PaperKey]]:
    """The papers of listings, by kind."""
    groups: dict[ListingKind, set[PaperKey]] = {}
    for listing in listings:
        groups.setdefault(listing.kind, set()).add(listing.key)
    return groups
