"""The items of an edition and its overflow, with the reasons for which papers are included."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import NamedTuple

from digest.core.editions.composition import RankedEvents
from digest.core.editions.reasons import MatchReason, ReasonGroup, find_match_reasons
from digest.core.matching.evaluate import collect_evidence
from digest.core.matching.event_set import EventSet
from digest.core.matching.overrides import remove_strangers
from digest.jobs.editions.selection import DigestSelection, RunWindow
from digest.jobs.people.name_overrides import filter_verdicts
from digest.model import Confidence, Reason
from digest.store.editions.encodings.items import ItemRank, NewItem
from digest.store.editions.encodings.overflow import Overflow, OverflowReason, Rank

_GetReasons = Callable[[int, Sequence[int], str, Confidence], Sequence[Reason]]
"""Type of ``EvidenceCache.get_reasons``: from query, events, follow and confidence to a reason for each event."""


class EditionContent(NamedTuple):
    """What an edition shows.

    Attributes:
        items: the papers within the limit of the digest.
        overflow: the papers shown as one line each.
        main_query: the id of the query that most of the items match; 0 if there are none.
    """

    items: Sequence[NewItem]
    overflow: Overflow
    main_query: int


def build_content(window: RunWindow, selection: DigestSelection) -> EditionContent:
    """Find the reasons for the papers of an edition; those in the overflow only have evidence from the title."""
    groups = find_match_reasons(selection.composition, window.events)
    shown = EventSet.union([ranked.events for ranked in selection.composition.items])
    return EditionContent(
        items=_build_items(window, selection, shown, groups),
        overflow=_build_overflow(window, selection.composition.overflow, groups),
        main_query=_find_main_query(shown, groups),
    )


def _build_items(
    window: RunWindow, selection: DigestSelection, shown: EventSet, groups: Sequence[ReasonGroup]
) -> list[NewItem]:
    get_reasons = _exclude_strangers(window, selection) if selection.verdicts else window.cache.get_reasons
    first_seq = window.get_seq(0)
    reasons: dict[int, Sequence[Reason]] = {}
    for events, match_reasons in groups:
        positions = list(events & shown)
        seqs = [first_seq + position for position in positions]
        reasons_by_match = [
            get_reasons(
                match.query, seqs if sibling is None else [first_seq + sibling], match.follow, confidence
            )
            for match, confidence, sibling in match_reasons
            if positions
        ]
        reasons.update(zip(positions, zip(*reasons_by_match, strict=True), strict=True))
    return [
        NewItem(first_seq + position, item_rank, reasons[position])
        for events, part, score in selection.composition.items
        for item_rank in (ItemRank(part, score, waited=not events.isdisjoint(selection.waited)),)
        for position in events
    ]


def _exclude_strangers(window: RunWindow, selection: DigestSelection) -> _GetReasons:
    """Make a function that finds no evidence in persons who are not meant, according to the reader's answers."""

    def get_reason(query: int, seq: int, follow: str, confidence: Confidence) -> Reason:
        verdicts = filter_verdicts(selection.verdicts, window.cache.events[seq].paper.key)
        if not verdicts:
            (reason,) = window.cache.get_reasons(query, [seq], follow, confidence)
            return reason
        document = remove_strangers(window.cache.build_document(seq), verdicts)
        evidence = collect_evidence(window.cache.load_query(query), document)
        return Reason(follow=follow, confidence=confidence, evidence=evidence)

    def get_reasons(query: int, seqs: Sequence[int], follow: str, confidence: Confidence) -> list[Reason]:
        return [get_reason(query, seq, follow, confidence) for seq in seqs]

    return get_reasons


def _build_overflow(
    window: RunWindow, ranked: Sequence[RankedEvents], groups: Sequence[ReasonGroup]
) -> Overflow:
    """Keep the reasons once for each group: an overflow has hundreds of papers with the same few reasons."""
    if not ranked:
        return Overflow()
    overflow = EventSet.union([group.events for group in ranked])
    own_groups = [
        ReasonGroup(own_events, reasons) for events, reasons in groups if (own_events := events & overflow)
    ]
    return Overflow(
        first_seq=window.get_seq(0),
        reason_groups=[
            [_build_overflow_reason(window, reason, events) for reason in reasons]
            for events, reasons in own_groups
        ],
        ranks=[
            Rank(
                part,
                score,
                [
                    (number, ranked_group)
                    for number, group in enumerate(own_groups)
                    if (ranked_group := events & group.events)
                ],
            )
            for events, part, score in ranked
        ],
    )


def _build_overflow_reason(window: RunWindow, reason: MatchReason, events: EventSet) -> OverflowReason:
    match, confidence, sibling = reason
    matched = events if sibling is None else EventSet.from_positions([sibling])
    has_evidence = not match.matched.title.isdisjoint(matched)
    query = window.cache.follows_by_query[match.query].canonical if has_evidence else ""
    return OverflowReason(match.follow, confidence, query)


def _find_main_query(shown: EventSet, groups: Sequence[ReasonGroup]) -> int:
    """Return the query that most of the shown events match; among equals the newest, which fewest digests follow."""
    counts: dict[int, int] = defaultdict(int)
    for events, reasons in groups:
        if count := len(events & shown):
            for reason in reasons:
                counts[reason.match.query] += count
    return max(counts, key=lambda query: (counts[query], query), default=0)
