"""The rules of an edition: which events a digest includes, and how many of them.

Each rule is applied to all events of the window at once, by operations on sets of events.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from digest.core.editions.composition import Composition, FollowMatch, SelectedMatch
from digest.core.editions.ranking import put_waiting_first, rank, split_at
from digest.core.editions.window_events import WindowEvents
from digest.core.matching.event_set import NO_EVENTS, EventSet

MAX_OVERFLOW = 500
"""Maximum number of papers that an edition includes beyond the limit of its digest."""

_EMPTY = Composition(items=(), overflow=(), waiting=NO_EVENTS, excluded=0, selected=())


def compose(
    matches: Sequence[FollowMatch],
    window: WindowEvents,
    *,
    requested: EventSet,
    sent: EventSet,
    limit: int,
    waiting: Sequence[EventSet] = (),
) -> Composition:
    """Compose an edition: remove what was sent and what is excluded, rank the rest, and cut it.

    Args:
        matches: the follows of the digest and what they match.
        window: the events of the window.
        requested: the events of the kinds that the digest asks for.
        sent: the events that it has included before.
        limit: the maximum number of papers shown in full.
        waiting: for each earlier edition that had no room for all of its papers, the events of its window, the oldest
            edition first. Those that are included come first, in this order.
    """
    follows = [match for match in matches if not match.exclude]
    if not follows:
        return _EMPTY
    selected, eligible = _select_eligible(follows, window, requested, sent)
    matched = included = EventSet.union([events for _, events in selected])
    if not matched:
        return _EMPTY
    excluded = 0
    if len(follows) < len(matches):
        exclusions = [match for match in matches if match.exclude]
        selected = _remove_excluded(selected, exclusions, eligible, window)
        included = EventSet.union([events for _, events in selected])
        excluded = window.count_papers(matched - window.add_siblings(included))
    ranked = rank(selected, included, window)
    if waiting:
        ranked = put_waiting_first(ranked, waiting)
    items, others = split_at(ranked, limit)
    overflow, without_room = split_at(others, MAX_OVERFLOW)
    return Composition(
        items=items,
        overflow=overflow,
        waiting=EventSet.union([group.events for group in without_room]),
        excluded=excluded,
        selected=selected,
    )


def keep_first(composition: Composition, limit: int) -> Composition:
    """Limit an edition to its first papers; the others wait for the next edition."""
    if sum([len(group.events) for group in composition.ranked]) <= limit:
        return composition
    items, excess_items = split_at(composition.items, limit)
    room = limit - sum([len(group.events) for group in items])
    overflow, excess_overflow = split_at(composition.overflow, room)
    excess = EventSet.union([group.events for group in (*excess_items, *excess_overflow)])
    return composition._replace(items=items, overflow=overflow, waiting=composition.waiting | excess)


def _select_eligible(
    follows: Sequence[FollowMatch], window: WindowEvents, requested: EventSet, sent: EventSet
) -> tuple[list[SelectedMatch], EventSet]:
    """Return the eligible events that each follow matches, and all eligible events.

    An event is eligible if it was not sent before, and if the digest asks for its kind or a follow names its kind; in
    the second case it is only eligible for that follow.
    """
    explicit = EventSet.union([match.explicit for match in follows])
    eligible = requested - sent
    if explicit:
        eligible |= explicit - window.withdrawn - sent
    selected = []
    for match in follows:
        events = match.matched.maybe & eligible
        if explicit:
            events &= requested | match.explicit
        if events:
            selected.append(SelectedMatch(match, events))
    return selected, eligible


def _remove_excluded(
    selected: Sequence[SelectedMatch],
    exclusions: Sequence[FollowMatch],
    eligible: EventSet,
    window: WindowEvents,
) -> list[SelectedMatch]:
    """Remove the papers that are excluded from all follows, and from each follow those that are excluded from it."""
    from_all = _find_excluded([match for match in exclusions if not match.only_query], eligible, window)
    remaining = []
    for match, events in selected:
        own = [exclusion for exclusion in exclusions if exclusion.only_query == match.query]
        if left := events - from_all - _find_excluded(own, eligible, window):
            remaining.append(SelectedMatch(match, left))
    return remaining


def _find_excluded(exclusions: Iterable[FollowMatch], eligible: EventSet, window: WindowEvents) -> EventSet:
    """Return all events of the papers that an exclusion matches with confidence *likely* or *surely*."""
    excluded = EventSet.union([exclusion.matched.likely for exclusion in exclusions]) & eligible
    return window.add_siblings(excluded)
