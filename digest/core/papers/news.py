"""Events about a paper: those that a listing creates, and those that its growth creates."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from digest.core.papers.growth import find_growth
from digest.model import EventKind, ListingKind, Paper

GROWTH_PERIOD = timedelta(days=30)
"""Time after a paper was new during which its growth is reported, to digests that have not reported the paper."""

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
    """A stored event of a paper.

    Attributes:
        kind: what happened.
        number: the number of a version; a placeholder below 0 if it is unknown (``make_placeholder_number``).
        day: the announcement day.
    """

    kind: EventKind
    number: int
    day: date


def get_event_kind(kind: ListingKind) -> EventKind:
    """Return the kind of event that a kind of listing creates."""
    return _EVENT_KINDS[kind]


def create_listing_event(
    kind: ListingKind, version: int, day: date, paper: Paper, past_events: Iterable[PastEvent]
) -> PastEvent | None:
    """Return the event that a listing creates, or None.

    A paper is new once, picked once and published once. It has at most one new version a day, whatever number
    each route gives it. A withdrawn paper is never new.

    Args:
        kind: the kind of the listing.
        version: the version in the listing; 0 if it is not stated.
        day: the announcement day.
        paper: the merged paper, including this listing.
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
    """Return a placeholder for the unknown number of a version that was announced on a day.

    It is below 0 and differs from day to day, so it never equals a stated version.
    """
    return -day.toordinal()


def find_announced_number(
    kind: ListingKind, version: int, day: date, past_events: Iterable[PastEvent]
) -> int:
    """Return the number, stated by a listing, of a version that is stored with a placeholder; 0 if there is none.

    Args:
        kind: the kind of the listing.
        version: the version in the listing; 0 if it is not stated.
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
    """Return the events that a paper's growth creates; none if it was never new here.

    So a harvest of papers that were not announced floods nobody.

    Args:
        before: the merged paper before; None if it was unknown.
        after: the merged paper now.
        day: the day of the change.
        past_events: all events of the paper so far.
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
        # Papers that were merged and separated share the numbers, so the next one follows the highest.
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
