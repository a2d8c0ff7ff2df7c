"""What the readers of digests answered about persons, applied to what their follows fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from digest.core.editions.composition import FollowMatch
from digest.core.language.query import Query, extract_kind_part
from digest.core.matching.event_set import NO_EVENTS, EventSet, MatchedEvents
from digest.core.matching.overrides import can_add_matches, evaluate_with_verdicts
from digest.core.matching.percolator.engine import Engine
from digest.core.papers.document import NO_STANDINGS, PaperDocument, build_document
from digest.jobs.people.statements import load_standings
from digest.model import Confidence, Event, MatchResult, PaperKey
from digest.store.database.engine import Transaction

ReaderVerdicts = Mapping[tuple[PaperKey, str], bool]
"""What one reader answered: of a paper and a folded name, whether that is the person who is followed."""
FollowKey = tuple[int, int]
"""A follow of a digest: its query, and for an exclusion from one follow only the query of that follow, otherwise 0."""


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
    deniable: Mapping[FollowKey, EventSet],
) -> list[FollowMatch]:
    """Return the matches of a digest's follows, corrected by its reader's answers.

    Args:
        tx: a transaction.
        follow_matches: the follows of the digest and what they match.
        queries: the queries of the follows, by id.
        events: the events that follows match, or may match because of an answer, by position.
        verdicts: the reader's answers.
        deniable: the events that follows may match because the person behind their NOT is somebody else.
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
        possible = deniable.get((follow_match.query, follow_match.only_query), NO_EVENTS)
        for position, answers in answers_by_position.items():
            if position in follow_match.matched.maybe or (
                position in possible and can_add_matches(query, answers)
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
    """Evaluate the query of a follow again for one event, with the answers of its reader."""
    match, kind_query = evaluate_with_verdicts(query, document, answers), extract_kind_part(query)
    is_kind_match = (
        kind_query is not None and evaluate_with_verdicts(kind_query, document, answers) is not None
    )
    event = EventSet.from_positions([position])
    return follow_match._replace(
        matched=_set_match(follow_match.matched, event, match),
        explicit=follow_match.explicit | event if is_kind_match else follow_match.explicit - event,
    )


def _set_match(matched: MatchedEvents, event: EventSet, match: MatchResult | None) -> MatchedEvents:
    """Return the matches of a query with another result for one event."""
    match = match or MatchResult(confidence=Confidence.NOT, evidence=())
    is_member = (
        *(
            match.confidence >= confidence
            for confidence in (Confidence.MAYBE, Confidence.LIKELY, Confidence.SURELY)
        ),
        match.in_title,
        *(match.author_confidence >= confidence for confidence in (Confidence.LIKELY, Confidence.SURELY)),
    )
    return MatchedEvents(
        *(
            events | event if is_set else events - event
            for events, is_set in zip(matched, is_member, strict=True)
        )
    )
