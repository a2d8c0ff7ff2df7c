"""What the readers of digests answered about persons, applied to what their follows fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from digest.core.editions.compose import FollowMatch
from digest.core.language.query import Query, extract_kind_part
from digest.core.matching.bitmaps import MatchBitmaps
from digest.core.matching.overrides import can_add_matches, evaluate_with_verdicts
from digest.core.matching.percolator.engine import Engine
from digest.core.papers.document import NO_STANDINGS, PaperDocument, build_document
from digest.jobs.people.statements import load_standings
from digest.model import Confidence, Event, MatchResult, PaperKey
from digest.store.database.engine import Transaction

ReaderVerdicts = Mapping[tuple[PaperKey, str], bool]
"""What one reader answered: of a paper and a folded name, whether that is the person who is followed."""
FollowKey = tuple[int, int]
"""A wish of a digest: its query, and the one from whose follow alone it takes papers out, or 0."""


def filter_verdicts(verdicts: ReaderVerdicts, key: PaperKey) -> dict[str, bool]:
    """What was answered about one paper, by folded name."""
    return {name: answer for (paper, name), answer in verdicts.items() if paper == key}


def apply_verdicts(
    tx: Transaction,
    follow_matches: Sequence[FollowMatch],
    queries: Mapping[int, Query],
    events: Mapping[int, Event],
    verdicts: ReaderVerdicts,
    *,
    possible_masks: Mapping[FollowKey, int],
) -> list[FollowMatch]:
    """A digest's wishes as its reader's answers let them fit.

    Args:
        tx: a transaction.
        follow_matches: the digest's.
        queries: what they ask for, by number.
        events: those that they fit, or may fit because of an answer, by place.
        verdicts: the reader's answers.
        possible_masks: the events that wishes may fit because of an answer: rows.
    """
    answers_by_position = {
        position: filter_verdicts(verdicts, event.paper.key) for position, event in events.items()
    }
    answers_by_position = {position: answers for position, answers in answers_by_position.items() if answers}
    engine = Engine()
    for follow_match in follow_matches:
        engine.add(follow_match.query, queries[follow_match.query])
    paper_standings = load_standings(
        tx, [events[position].paper for position in answers_by_position], engine.wanted_authors
    )
    documents = {
        position: build_document(
            (event := events[position]).paper,
            kind=event.kind,
            source=event.source,
            standings=paper_standings.get(event.paper.key, NO_STANDINGS),
        )
        for position in answers_by_position
    }
    updated = []
    for follow_match in follow_matches:
        query = queries[follow_match.query]
        possible_mask = possible_masks.get((follow_match.query, follow_match.only_query), 0)
        for position, answers in answers_by_position.items():
            if follow_match.hits.maybe >> position & 1 or (
                possible_mask >> position & 1 and can_add_matches(query, answers)
            ):
                follow_match = _reevaluate_follow(follow_match, query, position, documents[position], answers)  # noqa: PLW2901 - place by place
        updated.append(follow_match)
    return updated


def _reevaluate_follow(
    follow_match: FollowMatch,
    query: Query,
    position: int,
    document: PaperDocument,
    answers: Mapping[str, bool],
) -> FollowMatch:
    """A wish, with what its query says of one event as its reader said who signed."""
    match, kind_query = evaluate_with_verdicts(query, document, answers), extract_kind_part(query)
    is_kind_match = (
        kind_query is not None and evaluate_with_verdicts(kind_query, document, answers) is not None
    )
    named_mask = follow_match.explicit & ~(1 << position) | is_kind_match << position
    return follow_match._replace(hits=_set_match(follow_match.hits, position, match), explicit=named_mask)


def _set_match(hits: MatchBitmaps, position: int, match: MatchResult | None) -> MatchBitmaps:
    """Hits in which a query fits one place as it turned out to."""
    bit = 1 << position
    match = match or MatchResult(confidence=Confidence.NOT, evidence=())
    flags = (
        *(
            match.confidence >= confidence
            for confidence in (Confidence.MAYBE, Confidence.LIKELY, Confidence.SURELY)
        ),
        match.in_title,
        *(match.author_confidence >= confidence for confidence in (Confidence.LIKELY, Confidence.SURELY)),
    )
    return MatchBitmaps(
        *(mask | bit if is_set else mask & ~bit for mask, is_set in zip(hits, flags, strict=True))
    )
