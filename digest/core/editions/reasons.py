"""Why the papers of an edition are in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from digest.core.editions.composition import Composition, FollowMatch
from digest.core.editions.window_events import WindowEvents
from digest.core.matching.event_set import EventSet, MatchedEvents
from digest.model import Confidence


class MatchReason(NamedTuple):
    """A follow for which a paper is in an edition.

    Attributes:
        sibling: the position of the event that the follow matches, if that is another event of the paper than the one
            shown; None if it is the one shown.
    """

    match: FollowMatch
    confidence: Confidence
    sibling: int | None = None


class ReasonGroup(NamedTuple):
    """Events that are in an edition for the same reasons."""

    events: EventSet
    reasons: tuple[MatchReason, ...]


class _ConfidenceMatch(NamedTuple):
    """The events that a follow matches with one confidence."""

    match: FollowMatch
    confidence: Confidence
    events: EventSet


def find_match_reasons(composition: Composition, window: WindowEvents) -> list[ReasonGroup]:
    """Return the reasons for the papers of an edition, the surest first, then those with the highest weight."""
    by_weight = sorted(
        composition.selected, key=lambda selected: (-selected.match.weight, selected.match.follow)
    )
    matches = [
        _ConfidenceMatch(match, confidence, events)
        for match, selected in by_weight
        for confidence, events in _split_by_confidence(match.matched, selected)
    ]
    matches.sort(key=lambda match: match.confidence, reverse=True)
    included = EventSet.union([group.events for group in composition.ranked])
    several = included & window.with_siblings
    groups = _group_by_reasons(matches, included - several)
    return groups + _find_sibling_reasons(matches, several, window) if several else groups


def _split_by_confidence(matched: MatchedEvents, selected: EventSet) -> Iterator[tuple[Confidence, EventSet]]:
    """Yield those of the selected events that a query matches with each confidence."""
    if surely := selected & matched.surely:
        yield Confidence.SURELY, surely
    if less_sure := selected - surely:
        if likely := less_sure & matched.likely:
            yield Confidence.LIKELY, likely
        if maybe := less_sure - likely:
            yield Confidence.MAYBE, maybe


def _group_by_reasons(matches: Sequence[_ConfidenceMatch], included: EventSet) -> list[ReasonGroup]:
    """Group the included events that have the same matches."""
    groups = [ReasonGroup(included, ())] if included else []
    for match, confidence, matched in matches:
        if matched.isdisjoint(included):
            continue
        reason = MatchReason(match, confidence)
        split_groups = []
        for events, reasons in groups:
            if inside := events & matched:
                split_groups.append(ReasonGroup(inside, (*reasons, reason)))
            if outside := events - matched:
                split_groups.append(ReasonGroup(outside, reasons))
        groups = split_groups
    return groups


def _find_sibling_reasons(
    matches: Sequence[_ConfidenceMatch], shown: EventSet, window: WindowEvents
) -> list[ReasonGroup]:
    """Find the reasons for papers with several events: for each follow, the event that it matches best."""
    shown_by_sibling = {sibling: position for position in shown for sibling in window.siblings[position]}
    siblings = window.add_siblings(shown)
    reasons: dict[int, list[MatchReason]] = {position: [] for position in shown}
    for match, confidence, matched in matches:
        for position in matched & siblings:
            shown_position = shown_by_sibling[position]
            paper_reasons = reasons[shown_position]
            if all(reason.match is not match for reason in paper_reasons):
                sibling = None if position == shown_position else position
                paper_reasons.append(MatchReason(match, confidence, sibling))
    return [
        ReasonGroup(EventSet.from_positions([position]), tuple(paper_reasons))
        for position, paper_reasons in reasons.items()
    ]
