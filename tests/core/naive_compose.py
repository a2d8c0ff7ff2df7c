"""The straightforward way to compose: pair by pair, with sets; an oracle for tests, and a peer for benchmarks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from digest.core.editions.compose import MAX_OVERFLOW
from digest.core.editions.composition import RankedEvents
from digest.model import Confidence, EditionPart, Event, EventKind, PaperKey

_OF_THE_PAPER = {EventKind.NEW, EventKind.GROWN, EventKind.PICKED}
_TURNS = ["new", "grown", "picked", "published", "trending", "version", "code"]


RankedItem = tuple[int, EditionPart, float]
"""An item: the place of the event told, its part, and the sum of the weights of the follows that it fits."""


def expand_ranked(ranked: Iterable[RankedEvents]) -> list[RankedItem]:
    """Events of equal rank, one by one."""
    return [(place, part, score) for events, part, score in ranked for place in events]


class Candidate(NamedTuple):
    """An event in the window and a follow that it fits.

    Attributes:
        follow: the follow's place among the digest's; ``query`` is the number of its query.
        only: of an exclusion, the query from whose follow alone it takes papers; 0: from all.
        named: the follow names the event's kind.
    """

    event: Event
    follow: int
    query: int
    weight: float
    exclude: bool
    only: int
    confidence: Confidence
    in_title: bool
    by_author: Confidence
    named: bool


class NaiveComposition(NamedTuple):
    """What an edition holds: seq, part and score of each."""

    items: list[tuple[int, EditionPart, float]]
    overflow: list[tuple[int, EditionPart, float]]
    dropped: int
    excluded: int


def compose_naively(
    candidates: Sequence[Candidate],
    *,
    kinds: Collection[EventKind],
    limit: int,
    entries: Collection[tuple[PaperKey, EventKind, int]] = (),
) -> NaiveComposition:
    """What a digest tells of the pairs of events and follows in its window."""
    papers_told = {key for key, _, _ in entries}
    named = {candidate.event.seq for candidate in candidates if candidate.named and not candidate.exclude}

    def fresh(event: Event) -> bool:
        if event.kind in _OF_THE_PAPER:
            return not event.paper.withdrawn and event.paper.key not in papers_told
        if event.kind is EventKind.TRENDING and event.paper.withdrawn:
            return False
        return (event.paper.key, event.kind, event.number) not in entries

    def asked(event: Event) -> bool:
        return event.kind in kinds or (event.kind is EventKind.GROWN and EventKind.NEW in kinds)

    out: dict[int, set[PaperKey]] = {0: set()}
    for candidate in candidates:
        tellable = asked(candidate.event) or candidate.event.seq in named
        if (
            candidate.exclude
            and candidate.confidence >= Confidence.LIKELY
            and fresh(candidate.event)
            and tellable
        ):
            out.setdefault(candidate.only, set()).add(candidate.event.paper.key)
    expected: dict[PaperKey, list[Candidate]] = {}
    remaining: dict[PaperKey, list[Candidate]] = {}
    for candidate in candidates:
        key = candidate.event.paper.key
        if candidate.exclude or not fresh(candidate.event) or not (asked(candidate.event) or candidate.named):
            continue
        expected.setdefault(key, []).append(candidate)
        if key not in out[0] and key not in out.get(candidate.query, ()):
            remaining.setdefault(key, []).append(candidate)
    results = sorted(map(_rank_paper, remaining.values()))
    items = [(seq, part, -score) for _, _, score, _, seq, part in results]
    return NaiveComposition(
        items=items[:limit],
        overflow=items[limit : limit + MAX_OVERFLOW],
        dropped=max(0, len(items) - limit - MAX_OVERFLOW),
        excluded=len(expected) - len(remaining),
    )


def _rank_paper(several: Iterable[Candidate]) -> tuple[int, int, float, bool, int, EditionPart]:
    """A paper by its rank."""
    fitting = list(several)
    event = min((candidate.event for candidate in fitting), key=_get_event_rank)
    weights = {
        candidate.follow: candidate.weight
        for candidate in sorted(fitting, key=lambda candidate: candidate.follow)
    }
    score = 0.0
    for weight in weights.values():
        score += weight
    by_author = max(candidate.by_author for candidate in fitting)
    part = _choose_part(event, max(candidate.confidence for candidate in fitting))
    return (
        list(EditionPart).index(part),
        -by_author if by_author >= Confidence.LIKELY else 0,
        -score,
        not any(candidate.in_title for candidate in fitting),
        event.seq,
        part,
    )


def _get_event_rank(event: Event) -> tuple[int, int, int]:
    return _TURNS.index(event.kind), -event.number, event.seq


def _choose_part(event: Event, band: Confidence) -> EditionPart:
    if event.kind not in _OF_THE_PAPER:
        return EditionPart.VERSIONS
    if band is Confidence.MAYBE:
        return EditionPart.MAYBE
    return EditionPart.PICKED if event.kind is EventKind.PICKED else EditionPart.SURELY
