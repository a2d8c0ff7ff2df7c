"""What there is to tell about a paper: which events a listing makes, and which ones its growth."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from digest.core.papers.growth import growth
from digest.model import EventKind, ListingKind, Paper

GROWS_FOR = timedelta(days=30)
"""For so long after it was new a paper's growth is told, to those who had not been told of it."""

_KINDS = {
    ListingKind.NEW: EventKind.NEW,
    ListingKind.CROSS: EventKind.NEW,
    ListingKind.REPLACE: EventKind.VERSION,
    ListingKind.REPLACE_CROSS: EventKind.VERSION,
    ListingKind.PICKED: EventKind.PICKED,
    ListingKind.PUBLISHED: EventKind.PUBLISHED,
}


@dataclass(frozen=True, slots=True)
class Past:
    """An event of a paper that is there already; of a version that nobody told the number is below 0 (``untold``)."""

    kind: EventKind
    number: int
    day: date


def event_kind(kind: ListingKind) -> EventKind:
    """What a listing of a kind tells of its paper."""
    return _KINDS[kind]


def of_listing(kind: ListingKind, version: int, day: date, paper: Paper, past: Iterable[Past]) -> Past | None:
    """The event that a listing makes, or None.

    A paper is new once; it has one new version a day at most, whatever number each route gives it; it is
    picked once and published once. A withdrawn paper is never new.

    Args:
        kind: of the listing.
        version: the paper's, as listed; 0 if that is not told.
        day: the announcement day.
        paper: the whole, with this listing.
        past: all events of the paper so far.
    """
    made = Past(_KINDS[kind], (version or untold(day)) if _KINDS[kind] is EventKind.VERSION else 0, day)
    if made.kind is EventKind.NEW and paper.withdrawn:
        return None
    for one in past:
        again = made.kind is not EventKind.VERSION or one.number == made.number or one.day == day
        if one.kind is made.kind and again:
            return None
    return made


def untold(day: date) -> int:
    """The number of a new version that was announced on a day and of which nobody told the number.

    Below 0 and another one each day, so that it is taken for no version that somebody tells.
    """
    return -day.toordinal()


def number_told(kind: ListingKind, version: int, day: date, past: Iterable[Past]) -> int:
    """The number, told by a listing, of a new version that is there already without one; 0 if there is none.

    Args:
        kind: of the listing.
        version: the paper's, as listed; 0 if that is not told.
        day: the announcement day.
        past: all events of the paper so far.
    """
    numbers = {one.number for one in past if one.kind is EventKind.VERSION}
    is_news = _KINDS[kind] is EventKind.VERSION and version not in numbers and untold(day) in numbers
    return version if is_news else 0


def of_growth(
    before: Paper | None, after: Paper, day: date, past: Iterable[Past], cited: Collection[str] = ()
) -> tuple[Past, ...]:
    """The events that a paper's growth makes; none for one that was never new here.

    So a harvest of papers that nobody was told of floods nobody.

    Args:
        before: the whole as it was known; None if it was not.
        after: the whole as it is known now.
        day: on which that came.
        past: all events of the paper before.
        cited: as for ``growth``.
    """
    past = tuple(past)
    new_on = min((one.day for one in past if one.kind is EventKind.NEW), default=None)
    if before is None or new_on is None or after.withdrawn:
        return ()
    kinds = growth(before, after, cited)
    made = []
    if EventKind.GROWN in kinds and day <= new_on + GROWS_FOR:
        # After the greatest: of papers that were one, and were parted, some numbers are the other's.
        last = max((one.number for one in past if one.kind is EventKind.GROWN), default=0)
        made.append(Past(EventKind.GROWN, last + 1, day))
    made += [
        Past(kind, 0, day)
        for kind in (EventKind.PUBLISHED, EventKind.CODE)
        if kind in kinds and all(one.kind is not kind for one in past)
    ]
    return tuple(made)
