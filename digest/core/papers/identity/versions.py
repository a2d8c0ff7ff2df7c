"""The version of a paper that a listing announces, if its page does not state it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class PriorListing:
    """A stored listing of a paper.

    Attributes:
        day: the announcement day.
        is_replaced: whether it announces a new version.
        version: as announced; 0 if the route does not state it.
    """

    day: date
    is_replaced: bool
    version: int


def infer_version(
    day: date, *, is_replaced: bool, newest: int, prior_listings: Iterable[PriorListing]
) -> int:
    """Infer a version number that orders the texts of a paper, if no route states the version.

    It is correct if no version was missed, and is never displayed. A paper has at most one new version a day.
    The version of a replacement is one more than the number of versions listed before it, or the newest one
    if records contained it before it was listed. A day that is fetched after later days shows the newest
    texts under an old date, so it makes no new version.

    Args:
        day: the announcement day.
        is_replaced: whether the listing announces a new version; otherwise it is of the known one.
        newest: the highest version stored for the paper; 0 if there is none.
        prior_listings: the earlier listings of the paper by the same source.

    Returns:
        The version, from 1.
    """
    if not is_replaced:
        return max(newest, 1)
    replacements = [listing for listing in prior_listings if listing.is_replaced]
    same_day = [listing.version for listing in replacements if listing.day == day]
    if any(same_day):
        return max(same_day)
    if same_day or any(listing.day > day for listing in replacements):
        return max(newest, 2)
    numbered_listings = [listing for listing in replacements if listing.version]
    last_numbered = max(numbered_listings, key=lambda listing: listing.version, default=None)
    days_since = {
        listing.day for listing in replacements if last_numbered is None or listing.day > last_numbered.day
    }
    return max(newest, (last_numbered.version if last_numbered else 1) + len(days_since) + 1)
