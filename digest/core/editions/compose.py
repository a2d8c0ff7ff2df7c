"""Which papers an edition tells of, in which order: pure, for one digest at a time.

What a follow fits is a row of bits, a place for each event of the window in the order listed. So what a digest
wants, leaves out and prefers is worked out for all papers together, by a few operations on long numbers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import itemgetter, or_
from typing import NamedTuple

from digest.core.matching.bitmaps import MatchBitmaps, list_positions, take_lowest_positions
from digest.model import Confidence, EditionPart, Event, EventKind, PaperKey

MAX_OVERFLOW = 500
"""How many items an edition keeps beyond its limit."""

PAPER_KINDS = frozenset((EventKind.NEW, EventKind.GROWN, EventKind.PICKED))
"""Events that tell of a paper as such: once, and not if it was withdrawn. The others are news about it."""
_KIND_PRIORITY = (
    EventKind.NEW,
    EventKind.GROWN,
    EventKind.PICKED,
    EventKind.PUBLISHED,
    EventKind.VERSION,
    EventKind.CODE,
)
"""Which of several events of a paper is told: that it is there comes before news about it, then what is
rarer. A publication comes once in its life, versions come often, and code stands on its card anyway."""

EventKey = tuple[PaperKey, EventKind, int]
"""What an event tells: of which paper, its kind and number."""
SentEvents = frozenset[EventKey]
"""What a digest has told."""


# --- what there is to tell ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class EventMasks:
    """What is known of the events of a window without a look at the papers: rows of bits.

    Attributes:
        kinds: the events of each kind.
        paper_mask: those that tell of a paper as such; the others are news about it.
        withdrawn: of these, those whose papers were withdrawn.
        repeats: those that may have been told before, in a window that no other has told of.
        siblings: of each event whose paper has several here, the places of all these, the one to tell first.
        sibling_mask: all of these.
    """

    kinds: Mapping[EventKind, int]
    paper_mask: int
    withdrawn: int
    repeats: int
    siblings: Mapping[int, tuple[int, ...]]
    sibling_mask: int

    def select_eligible(self, kinds: Collection[EventKind]) -> int:
        """The events that a digest which asks for some kinds can tell of.

        What grew is told wherever what is new is: to readers who had not been told of the paper. A withdrawn
        paper is told of no more, but news about it are.
        """
        requested = {*kinds, EventKind.GROWN} if EventKind.NEW in kinds else kinds
        return _combine_masks(self.kinds.get(kind, 0) for kind in requested) & ~self.withdrawn

    def include_siblings(self, mask: int) -> int:
        """A row with all events of the papers of which it has one."""
        for position in list_positions(mask & self.sibling_mask):
            mask |= _combine_masks(1 << sibling for sibling in self.siblings[position])
        return mask


def make_event_masks(events: Iterable[tuple[int, Event]]) -> EventMasks:
    """What is known of events, each with its place."""
    kinds: dict[EventKind, int] = defaultdict(int)
    events_by_paper: dict[PaperKey, list[tuple[int, Event]]] = defaultdict(list)
    withdrawn = repeats = 0
    for position, event in events:
        bit = 1 << position
        kinds[event.kind] |= bit
        events_by_paper[event.paper.key].append((position, event))
        withdrawn |= bit if event.kind in PAPER_KINDS and event.paper.withdrawn else 0
        repeats |= 0 if event.first else bit
    groups = [sorted(group, key=_get_priority) for group in events_by_paper.values() if len(group) > 1]
    siblings = {position: tuple(other for other, _ in group) for group in groups for position, _ in group}
    return EventMasks(
        kinds=dict(kinds),
        paper_mask=_combine_masks(mask for kind, mask in kinds.items() if kind in PAPER_KINDS),
        withdrawn=withdrawn,
        repeats=repeats,
        siblings=siblings,
        sibling_mask=_combine_masks(1 << position for position in siblings),
    )


def _get_priority(positioned_event: tuple[int, Event]) -> tuple[int, int, int]:
    """By kind; of several versions the newest one."""
    event = positioned_event[1]
    return _KIND_PRIORITY.index(event.kind), -event.number, event.seq


def is_eligible(event: Event, kinds: Collection[EventKind]) -> bool:
    """Whether a digest that asks for some kinds can tell of an event."""
    return bool(make_event_masks([(0, event)]).select_eligible(kinds))


def make_sent_mask(sent: SentEvents, event_keys: Mapping[int, EventKey]) -> int:
    """The events that a digest has told before.

    Args:
        sent: what it told in the last 90 days: any telling of a paper counts for its ``new``, ``grown`` and
            ``picked``; for a ``version``, ``published`` and ``code`` that very event does.
        event_keys: what each of the events tells, by its place.
    """
    paper_keys = {paper_key for paper_key, _, _ in sent}
    return _combine_masks(
        1 << position
        for position, (paper_key, kind, number) in event_keys.items()
        if (paper_key in paper_keys if kind in PAPER_KINDS else (paper_key, kind, number) in sent)
    )


# --- what one digest tells ------------------------------------------------------------------------


class FollowMatch(NamedTuple):
    """A follow and what it fits.

    Attributes:
        query: the number of its query.
        follow: as written.
        exclude: it takes papers out instead, where it fits them surely or likely.
        only_query: the query from whose follow alone it takes them; 0: from all.
        hits: the events of the digest's part of the window that it fits.
        explicit: of these, those whose kind it names by itself.
    """

    query: int
    follow: str
    weight: float
    exclude: bool
    only_query: int
    hits: MatchBitmaps
    explicit: int = 0


class Selected(NamedTuple):
    """The events that are told because of a wish, nothing that is excluded among them."""

    match: FollowMatch
    mask: int


class RankedEvents(NamedTuple):
    """Events of equal rank: a row, their part, and the sum of the weights of the follows that each fits."""

    mask: int
    part: EditionPart
    score: float


class Composition(NamedTuple):
    """What an edition holds; a run makes a million.

    Attributes:
        items: shown in full, in their order: those that waited, the longest first, then part by part.
        overflow: what the edition keeps beyond them, in its order.
        waiting: the events that have no room: they come first in the next edition.
        excluded: how many papers were wanted, and taken out by the exclusions.
        selected: why they are there.
    """

    items: Sequence[RankedEvents]
    overflow: Sequence[RankedEvents]
    waiting: int
    excluded: int
    selected: Sequence[Selected]

    @property
    def dropped(self) -> int:
        """How many papers have no room."""
        return self.waiting.bit_count()

    @property
    def paper_count(self) -> int:
        """How many papers there are in all."""
        return sum(ranked.mask.bit_count() for ranked in (*self.items, *self.overflow)) + self.dropped


_EMPTY = Composition(items=(), overflow=(), waiting=0, excluded=0, selected=())


def compose(
    matches: Sequence[FollowMatch],
    event_masks: EventMasks,
    *,
    requested: int,
    sent: int,
    limit: int,
    waiting_masks: Sequence[int] = (),
) -> Composition:
    """Leave out what was told and what is excluded, order the others, and cut.

    Args:
        matches: the digest's, with what they fit.
        event_masks: what is known of the events.
        requested: the events of the kinds that the digest asks for.
        sent: the events that it has told of before.
        limit: how many items it shows in full.
        waiting_masks: the events that each edition before could have told, the first edition's first: what is still to be
            told of them comes first, in that order.
    """
    selected, matched = _select_matches(matches, event_masks, requested, sent)
    if not matched:
        return _EMPTY
    included = _combine_masks(mask for _, mask in selected)
    excluded = (
        _count_papers(matched & ~event_masks.include_siblings(included), event_masks)
        if matched != included
        else 0
    )
    ranked = list(
        _rank_matches(
            selected, event_masks, _find_replacements(included & event_masks.sibling_mask, event_masks)
        )
    )
    items, remainder = _split_at_limit(
        _order_by_waiting(ranked, waiting_masks) if waiting_masks else ranked, limit
    )
    overflow, waiting_items = _split_at_limit(remainder, MAX_OVERFLOW)
    waiting = _combine_masks(item.mask for item in waiting_items)
    return Composition(items=items, overflow=overflow, waiting=waiting, excluded=excluded, selected=selected)


def keep_first(composition: Composition, limit: int) -> Composition:
    """Keep so many papers of an edition, the first ones; the others wait for the next edition."""
    if sum([ranked.mask.bit_count() for ranked in (*composition.items, *composition.overflow)]) <= limit:
        return composition
    items, excess_items = _split_at_limit(composition.items, limit)
    remaining = limit - sum([ranked.mask.bit_count() for ranked in items])
    overflow, excess_overflow = _split_at_limit(composition.overflow, remaining)
    waiting = composition.waiting | _combine_masks(
        ranked.mask for ranked in (*excess_items, *excess_overflow)
    )
    return composition._replace(items=items, overflow=overflow, waiting=waiting)


def _order_by_waiting(ranked: Sequence[RankedEvents], waiting_masks: Iterable[int]) -> list[RankedEvents]:
    """Let the events of some rows come before all others, row by row; each comes with the first row that has it."""
    ordered = []
    remaining = list(ranked)
    for mask in waiting_masks:
        ordered += [item._replace(mask=bits) for item in remaining if (bits := item.mask & mask)]
        remaining = [item._replace(mask=bits) for item in remaining if (bits := item.mask & ~mask)]
    return [*ordered, *remaining]


def _split_at_limit(
    ranked: Sequence[RankedEvents], limit: int
) -> tuple[Sequence[RankedEvents], Sequence[RankedEvents]]:
    """The first papers, so many at most, and the others."""
    remaining = limit
    for index, (mask, part, score) in enumerate(ranked):
        count = mask.bit_count()
        if count > remaining:
            first_mask = take_lowest_positions(mask, remaining)
            partial = [RankedEvents(first_mask, part, score)] if first_mask else []
            return [*ranked[:index], *partial], [
                RankedEvents(mask ^ first_mask, part, score),
                *ranked[index + 1 :],
            ]
        remaining -= count
    return ranked, ()


def _select_matches(
    matches: Sequence[FollowMatch], event_masks: EventMasks, requested: int, sent: int
) -> tuple[list[Selected], int]:
    """What each wish brings, and all that was wanted before anything was excluded."""
    exclusions = [match for match in matches if match.exclude]
    named_mask = (
        _combine_masks(match.explicit for match in matches if not match.exclude) & ~event_masks.withdrawn
    )
    eligible = (requested | named_mask) & ~sent
    excluded = _compute_excluded(
        (match for match in exclusions if not match.only_query), eligible, event_masks
    )
    matched = 0
    selected = []
    for match in matches:
        if match.exclude:
            continue
        mask = match.hits.maybe & eligible
        if named_mask:
            mask &= requested | match.explicit
        matched |= mask
        if exclusions:
            mask &= ~(
                excluded
                | _compute_excluded(
                    (exclusion for exclusion in exclusions if exclusion.only_query == match.query),
                    eligible,
                    event_masks,
                )
            )
        if mask:
            selected.append(Selected(match, mask))
    return selected, matched


def _compute_excluded(exclusions: Iterable[FollowMatch], eligible: int, event_masks: EventMasks) -> int:
    """What exclusions take out: all events of the papers that one of them fits surely or likely."""
    mask = _combine_masks(exclusion.hits.likely for exclusion in exclusions) & eligible
    return event_masks.include_siblings(mask) if mask else 0


def _count_papers(mask: int, event_masks: EventMasks) -> int:
    """How many papers a row has events of."""
    sibling_mask = mask & event_masks.sibling_mask
    return (mask ^ sibling_mask).bit_count() + len(
        {event_masks.siblings[position] for position in list_positions(sibling_mask)}
    )


# several events of one paper are one item

_Replacements = Sequence[tuple[int, int]]
"""Rows of events, and the one of the same paper that is told instead."""


def _find_replacements(mask: int, event_masks: EventMasks) -> _Replacements:
    replacements = {}
    for position in list_positions(mask):
        first, *others = (sibling for sibling in event_masks.siblings[position] if mask >> sibling & 1)
        if others:
            replacements[1 << first] = _combine_masks(1 << other for other in others)
    return [(others, first) for first, others in replacements.items()]


def _apply_replacements(mask: int, replacements: _Replacements) -> int:
    for replaced, replacement in replacements:
        if mask & replaced:
            mask = mask & ~replaced | replacement
    return mask


# their order


def _rank_matches(
    selected: Sequence[Selected], event_masks: EventMasks, replacements: _Replacements
) -> Iterator[RankedEvents]:
    """Part by part: authors followed, surely before likely, weights, title before abstract, listing order."""
    likely = title = author_likely = author_surely = 0
    scores: dict[float, int] = {}
    for match, mask in selected:
        likely |= match.hits.likely & mask
        title |= match.hits.title & mask
        author_likely |= match.hits.author_likely & mask
        author_surely |= match.hits.author_surely & mask
        scores = _add_scores(scores, match.weight, _apply_replacements(mask, replacements))
    likely, title, author_likely, author_surely = (
        _apply_replacements(mask, replacements) for mask in (likely, title, author_likely, author_surely)
    )
    masks_by_score = sorted(scores.items(), key=itemgetter(0), reverse=True)
    for part, part_mask in _split_by_part(_combine_masks(scores.values()), likely, event_masks):
        for group_mask in (
            part_mask & author_surely,
            part_mask & author_likely & ~author_surely,
            part_mask & ~author_likely,
        ):
            for score, score_mask in masks_by_score if group_mask else ():
                if mask := group_mask & score_mask & title:
                    yield RankedEvents(mask, part, score)
                if mask := group_mask & score_mask & ~title:
                    yield RankedEvents(mask, part, score)


def _add_scores(scores: Mapping[float, int], weight: float, mask: int) -> dict[float, int]:
    """Events by their score, after one more wish."""
    totals: dict[float, int] = defaultdict(int)
    for score, score_mask in scores.items():
        if overlap := score_mask & mask:
            totals[score + weight] |= overlap
            mask ^= overlap
            score_mask ^= overlap  # noqa: PLW2901 - what is left of it
        if score_mask:
            totals[score] |= score_mask
    if mask:
        totals[weight] |= mask
    return totals


def _split_by_part(mask: int, likely: int, event_masks: EventMasks) -> Iterator[tuple[EditionPart, int]]:
    """A pick of somebody who may be a namesake is a maybe: that others liked it makes nothing surer."""
    paper_mask = mask & event_masks.paper_mask
    sure_mask = paper_mask & likely
    picked_mask = sure_mask & event_masks.kinds.get(EventKind.PICKED, 0)
    yield EditionPart.SURELY, sure_mask ^ picked_mask
    yield EditionPart.MAYBE, paper_mask ^ sure_mask
    yield EditionPart.PICKED, picked_mask
    yield EditionPart.VERSIONS, mask ^ paper_mask


def _combine_masks(masks: Iterable[int]) -> int:
    return reduce(or_, masks, 0)


# --- why it tells it ------------------------------------------------------------------------------


class MatchReason(NamedTuple):
    """Why a paper is told.

    Attributes:
        sibling: the place of the event of that paper that the wish fits, where it is not the one told.
    """

    match: FollowMatch
    confidence: Confidence
    sibling: int | None = None


def find_match_reasons(
    composition: Composition, event_masks: EventMasks
) -> list[tuple[int, tuple[MatchReason, ...]]]:
    """Why papers of an edition are in it: the surest first, then the weightiest.

    Args:
        composition: what the edition holds.
        event_masks: what is known of the events.

    Returns:
        Rows of events told that are there for the same reasons, and these.
    """
    included = _combine_masks([ranked.mask for ranked in (*composition.items, *composition.overflow)])
    by_weight = sorted(
        composition.selected, key=lambda selection: (-selection.match.weight, selection.match.follow)
    )
    matches = [
        (match, confidence, match_mask)
        for confidence in (Confidence.SURELY, Confidence.LIKELY, Confidence.MAYBE)
        for match, selected_mask in by_weight
        if (match_mask := _get_confidence_mask(match.hits, confidence) & selected_mask)
    ]
    sibling_mask = included & event_masks.sibling_mask
    reasons = _group_by_reasons(matches, included ^ sibling_mask)
    return reasons + _find_sibling_reasons(matches, sibling_mask, event_masks) if sibling_mask else reasons


_ConfidenceMatches = Sequence[tuple[FollowMatch, Confidence, int]]
"""Wishes in the order in which they are named, and the events that each fits in a band."""


def _group_by_reasons(matches: _ConfidenceMatches, mask: int) -> list[tuple[int, tuple[MatchReason, ...]]]:
    """The events of a row, parted by what fits them."""
    groups: list[tuple[int, tuple[MatchReason, ...]]] = [(mask, ())] if mask else []
    for match, confidence, match_mask in matches:
        if not match_mask & mask:
            continue
        reason = MatchReason(match, confidence)
        split_groups = []
        for group, reasons in groups:
            if inside := group & match_mask:
                split_groups.append((inside, (*reasons, reason)))
            if outside := group & ~match_mask:
                split_groups.append((outside, reasons))
        groups = split_groups
    return groups


def _find_sibling_reasons(
    matches: _ConfidenceMatches, sibling_mask: int, event_masks: EventMasks
) -> list[tuple[int, tuple[MatchReason, ...]]]:
    """Why papers of several events are told: for each wish the event that it fits best."""
    main_positions = {
        sibling: position
        for position in list_positions(sibling_mask)
        for sibling in event_masks.siblings[position]
    }
    reasons: dict[int, list[MatchReason]] = {position: [] for position in list_positions(sibling_mask)}
    for match, confidence, match_mask in matches:
        for position in list_positions(match_mask & event_masks.include_siblings(sibling_mask)):
            event_reasons = reasons[main_positions[position]]
            if all(reason.match is not match for reason in event_reasons):
                event_reasons.append(
                    MatchReason(match, confidence, None if main_positions[position] == position else position)
                )
    return [(1 << position, tuple(event_reasons)) for position, event_reasons in reasons.items()]


def _get_confidence_mask(hits: MatchBitmaps, confidence: Confidence) -> int:
    return (hits.maybe ^ hits.likely, hits.likely ^ hits.surely, hits.surely)[confidence - 1]
