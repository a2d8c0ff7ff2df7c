"""The order of the papers of an edition, and where it is cut."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter

from digest.core.editions.composition import RankedEvents, SelectedMatch
from digest.core.editions.window_events import WindowEvents
from digest.core.matching.event_set import NO_EVENTS, EventSet
from digest.model import EditionPart, EventKind


def rank(selected: Sequence[SelectedMatch], included: EventSet, window: WindowEvents) -> list[RankedEvents]:
    """Return the papers of an edition in their order, each as one event.

    The order is: by part; followed authors first, and among them the surely right ones; by score; matches in the
    title first; by announcement.
    """
    likely = EventSet.union([match.matched.likely & events for match, events in selected])
    title = EventSet.union([match.matched.title & events for match, events in selected])
    by_author = EventSet.union([match.matched.author_likely & events for match, events in selected])
    by_sure_author = (
        EventSet.union([match.matched.author_surely & events for match, events in selected])
        if by_author
        else NO_EVENTS
    )
    weighted = [(match.weight, events) for match, events in selected]
    if replaced := _find_replaced(included, window):
        included, likely, title, by_author, by_sure_author = (
            _replace(events, replaced) for events in (included, likely, title, by_author, by_sure_author)
        )
        weighted = [(weight, _replace(events, replaced)) for weight, events in weighted]
    by_score = _sort_by_score(weighted)
    ranked = []
    for part, part_events in _split_by_part(included, likely, window):
        for group in (
            _split_by_author(part_events, by_author, by_sure_author) if by_author else (part_events,)
        ):
            for score, score_events in by_score:
                if events := group & score_events:
                    if in_title := events & title:
                        ranked.append(RankedEvents(in_title, part, score))
                    if others := events - title:
                        ranked.append(RankedEvents(others, part, score))
    return ranked


def _split_by_part(
    events: EventSet, likely: EventSet, window: WindowEvents
) -> Iterator[tuple[EditionPart, EventSet]]:
    """Yield the parts that are not empty.

    A picked paper that matches with confidence *maybe* stays in that part: its author may be a namesake, and that
    others liked it changes nothing about that.
    """
    about_papers = events & window.about_papers
    sure = about_papers & likely
    picked = sure & window.by_kind.get(EventKind.PICKED, NO_EVENTS)
    if announced := sure - picked:
        yield EditionPart.SURELY, announced
    if unsure := about_papers - sure:
        yield EditionPart.MAYBE, unsure
    if picked:
        yield EditionPart.PICKED, picked
    if news := events - about_papers:
        yield EditionPart.VERSIONS, news


def _split_by_author(events: EventSet, by_author: EventSet, by_sure_author: EventSet) -> Iterator[EventSet]:
    """Yield papers of surely the right author, of likely the right author, and the others."""
    if sure := events & by_sure_author:
        yield sure
    if likely := (events & by_author) - by_sure_author:
        yield likely
    if others := events - by_author:
        yield others


def _sort_by_score(weighted: Iterable[tuple[float, EventSet]]) -> list[tuple[float, EventSet]]:
    """Add up the weights for each event; return the events of each sum, the highest first."""
    by_score: Mapping[float, EventSet] = {}
    for weight, events in weighted:
        by_score = _add_weight(by_score, weight, events)
    return sorted(by_score.items(), key=itemgetter(0), reverse=True)


def _add_weight(
    by_score: Mapping[float, EventSet], weight: float, events: EventSet
) -> Mapping[float, EventSet]:
    """Add a weight to the scores of some events."""
    if not by_score:
        return {weight: events}
    scores: dict[float, EventSet] = defaultdict(EventSet)
    for score, score_events in by_score.items():
        if raised := score_events & events:
            scores[score + weight] |= raised
        if unchanged := score_events - raised:
            scores[score] |= unchanged
        events = events - raised
    if events:
        scores[weight] |= events
    return scores


# --- several events of one paper are one item -----------------------------------------------------

_Replaced = Sequence[tuple[EventSet, EventSet]]
"""Events of a paper that are not shown, and the one that is shown for them."""


def _find_replaced(included: EventSet, window: WindowEvents) -> _Replaced:
    others_by_first = {}
    for position in included & window.with_siblings:
        first, *others = (sibling for sibling in window.siblings[position] if sibling in included)
        if others:
            others_by_first[first] = others
    return [
        (EventSet.from_positions(others), EventSet.from_positions([first]))
        for first, others in others_by_first.items()
    ]


def _replace(events: EventSet, replaced: _Replaced) -> EventSet:
    for others, first in replaced:
        if not events.isdisjoint(others):
            events = (events - others) | first
    return events


# --- cutting --------------------------------------------------------------------------------------


def put_waiting_first(ranked: Iterable[RankedEvents], waiting: Iterable[EventSet]) -> list[RankedEvents]:
    """Move events to the front that earlier editions had no room for.

    Args:
        ranked: the papers in their order.
        waiting: the sets of events to move, the one to come first first. An event that is in several counts for the
            first of them.
    """
    ordered = []
    remaining = list(ranked)
    for first in waiting:
        ordered += [group._replace(events=events) for group in remaining if (events := group.events & first)]
        remaining = [group._replace(events=events) for group in remaining if (events := group.events - first)]
    return [*ordered, *remaining]


def split_at(
    ranked: Sequence[RankedEvents], limit: int
) -> tuple[Sequence[RankedEvents], Sequence[RankedEvents]]:
    """Return the first papers, at most ``limit`` of them, and the others."""
    room = limit
    for index, (events, part, score) in enumerate(ranked):
        count = len(events)
        if count > room:
            fitting = events.first(room)
            head = [RankedEvents(fitting, part, score)] if fitting else []
            return [*ranked[:index], *head], [
                RankedEvents(events - fitting, part, score),
                *ranked[index + 1 :],
            ]
        room -= count
    return ranked, ()
