"""Overrides by reader: apply a reader's answers about persons to the matches of a digest's follows."""

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
"""The answers of one reader: for a paper and a folded name, whether this is the followed person."""
FollowKey = tuple[int, int]
"""The key of a digest's follow: its query, and the query to whose follow its exclusion is limited, or 0."""


def filter_verdicts(verdicts: ReaderVerdicts, key: PaperKey) -> dict[str, bool]:
    """Return the answers about one paper, by folded name."""
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
    """Return the matches of a digest's follows, as its reader's answers change them.

    Args:
        tx: a transaction.
        follow_matches: the matches of the digest's follows.
        queries: the queries of the follows, by number.
        events: the events that match, or may match because of an answer, by position.
        verdicts: the reader's answers.
        possible_masks: masks of the events that may match because of an answer, by follow.
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
                follow_match = _reevaluate_follow(follow_match, query, position, documents[position], answers)  # noqa: PLW2901 - one position after another
        updated.append(follow_match)
    return updated


def _reevaluate_follow(
    follow_match: FollowMatch,
    query: Query,
    position: int,
    document: PaperDocument,
    answers: Mapping[str, bool],
) -> FollowMatch:
    """Return a follow's matches, with one event evaluated again under the reader's answers."""
    match, kind_query = evaluate_with_verdicts(query, document, answers), extract_kind_part(query)
    is_kind_match = (
        kind_query is not None and evaluate_with_verdicts(kind_query, document, answers) is not None
    )
    named_mask = follow_match.explicit & ~(1 << position) | is_kind_match << position
    return follow_match._replace(hits=_set_match(follow_match.hits, position, match), explicit=named_mask)


def _set_match(hits: MatchBitmaps, position: int, match: MatchResult | None) -> MatchBitmaps:
    """Return bitmaps in which the bits of one position are set according to a match result."""
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
