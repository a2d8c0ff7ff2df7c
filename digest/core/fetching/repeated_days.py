"""Detection of answers that repeat an earlier day."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from digest.model import ListingKind, PaperKey

_FIRST_LISTINGS = frozenset({ListingKind.NEW, ListingKind.CROSS})


class ShownListing(NamedTuple):
    """A listing as an answer shows it; version 0 if it is not stated."""

    key: PaperKey
    kind: ListingKind
    version: int


def is_stale(current: AbstractSet[ShownListing], earlier: AbstractSet[ShownListing]) -> bool:
    """Return True if an answer is that of an earlier day under a new date.

    A section has a paper as new or cross-listed only once, so half of them cannot occur again. If there are
    none, all replacements must be repeated, in the same versions if these are stated.
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
    """Return True if an answer is that of a day before the last one with papers.

    Half of the new papers prove it. Some cross-lists and replacements occur again after days, so these only
    prove it if all are repeated, and a cross-list is among them.
    """
    repeats = find_repeated(current, earlier)
    new_listings = {listing for listing in current if listing.kind is ListingKind.NEW}
    if new_listings:
        return 2 * len(new_listings & repeats) >= len(new_listings)
    return len(repeats) == len(current) and any(listing.kind in _FIRST_LISTINGS for listing in current)


def find_repeated(
    current: AbstractSet[ShownListing], earlier: AbstractSet[ShownListing]
) -> frozenset[ShownListing]:
    """Return the listings of a day that an earlier day also has.

    A paper is new once, and cross-listed in a section once; an archive can have it as new, and later as
    cross-listed in another of its categories. A replacement is only repeated in the same version, if that is
    stated.
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
    """Return the papers of listings by kind."""
    groups: dict[ListingKind, set[PaperKey]] = {}
    for listing in listings:
        groups.setdefault(listing.kind, set()).add(listing.key)
    return groups
