"""What there is to tell about a paper: which events a listing makes, and which ones its growth."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from digest.core.papers.growth import find_growth
from digest.model import EventKind, ListingKind, Paper

GROWTH_PERIOD = timedelta(days=30)
"""For so long after it was new a paper's growth is told, to those who had not been told of it."""

_EVENT_KINDS = {
    ListingKind.NEW: EventKind.NEW,
    ListingKind.CROSS: EventKind.NEW,
    ListingKind.REPLACE: EventKind.VERSION,
    ListingKind.REPLACE_CROSS: EventKind.VERSION,
    ListingKind.PICKED: EventKind.PICKED,
    ListingKind.PUBLISHED: EventKind.PUBLISHED,
}


@dataclass(frozen=True, slots=True)
class PastEvent:
    """An event of a paper that is there already; of a version that nobody told the number is below 0 (``untold``)."""

    kind: EventKind
    number: int
    day: date


def get_event_kind(kind: ListingKind) -> EventKind:
    """What a listing of a kind tells of its paper."""
    return _EVENT_KINDS[kind]


def create_listing_event(
    kind: ListingKind, version: int, day: date, paper: Paper, past_events: Iterable[PastEvent]
) -> PastEvent | None:
    """The event that a listing makes, or None.

    A paper is new once; it has one new version a day at most, whatever number each route gives it; it is
    picked once and published once. A withdrawn paper is never new.

    Args:
        kind: of the listing.
        version: the paper's, as listed; 0 if that is not told.
        day: the announcement day.
        paper: the whole, with this listing.
        past_events: all events of the paper so far.
    """
    event = PastEvent(
        _EVENT_KINDS[kind],
        (version or make_placeholder_number(day)) if _EVENT_KINDS[kind] is EventKind.VERSION else 0,
        day,
    )
    if event.kind is EventKind.NEW and paper.withdrawn:
        return None
    for past_event in past_events:
        is_repeated = (
            event.kind is not EventKind.VERSION or past_event.number == event.number or past_event.day == day
        )
        if past_event.kind is event.kind and is_repeated:
            return None
    return event


def make_placeholder_number(day: date) -> int:
    """The number of a new version that was announced on a day and of which nobody told the number.

    Below 0 and another one each day, so that it is taken for no version that somebody tells.
    """
    return -day.toordinal()


def find_announced_number(
    kind: ListingKind, version: int, day: date, past_events: Iterable[PastEvent]
) -> int:
    """The number, told by a listing, of a new version that is there already without one; 0 if there is none.

    Args:
        kind: of the listing.
        version: the paper's, as listed; 0 if that is not told.
        day: the announcement day.
        past_events: all events of the paper so far.
    """
    numbers = {past_event.number for past_event in past_events if past_event.kind is EventKind.VERSION}
    is_announced = (
        _EVENT_KINDS[kind] is EventKind.VERSION
        and version not in numbers
        and make_placeholder_number(day) in numbers
    )
    return version if is_announced else 0


def create_growth_events(
    before: Paper | None,
    after: Paper,
    day: date,
    past_events: Iterable[PastEvent],
    followed_keys: Collection[str] = (),
) -> tuple[PastEvent, ...]:
    """The events that a paper's growth makes; none for one that was never new here.

    So a harvest of papers that nobody was told of floods nobody.

    Args:
        before: the whole as it was known; None if it was not.
        after: the whole as it is known now.
        day: on which that came.
        past_events: all events of the paper before.
        followed_keys: as for ``find_growth``.
    """
    past_events = tuple(past_events)
    new_day = min(
        (past_event.day for past_event in past_events if past_event.kind is EventKind.NEW), default=None
    )
    if before is None or new_day is None or after.withdrawn:
        return ()
    kinds = find_growth(before, after, followed_keys)
    events = []
    if EventKind.GROWN in kinds and day <= new_day + GROWTH_PERIOD:
        # After the greatest: of papers that were one, and were parted, some numbers are the other's.
        last_number = max(
            (past_event.number for past_event in past_events if past_event.kind is EventKind.GROWN), default=0
        )
        events.append(PastEvent(EventKind.GROWN, last_number + 1, day))
    events += [
        PastEvent(kind, 0, day)
        for kind in (EventKind.PUBLISHED, EventKind.CODE)
        if kind in kinds and all(past_event.kind is not kind for past_event in past_events)
    ]
    return tuple(events)
