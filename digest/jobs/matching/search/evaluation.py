"""Evaluation of candidates of a search: which papers a query matches, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from digest.core.language.query import Query, has_field, iter_authors
from digest.core.matching.evaluate import evaluate
from digest.core.matching.event_queries import EventSummary, has_event_facts, parse_event_summary
from digest.core.matching.percolator.engine import Engine, WantedAuthors
from digest.core.matching.search.query_document import QueryDocumentReader
from digest.core.matching.search.query_persons import QueryPersons
from digest.core.papers.document import NO_STANDINGS, BylineStanding, PaperDocument, build_document
from digest.jobs.people.statements import collect_sought_keys, load_standings_by_number
from digest.model import MatchResult, Paper
from digest.store.database.engine import Transaction
from digest.store.matching.indexed_papers import IndexedPaper
from digest.store.papers.papers import load_papers


class EvaluatedPaper(NamedTuple):
    """A paper that a query matches, and why."""

    paper: Paper
    match_result: MatchResult


class CandidateEvaluator:
    """Evaluates candidates of one query; each paper is evaluated once.

    Args:
        tx: a transaction.
        query: the query.
        persons: the persons of the query.
    """

    def __init__(self, tx: Transaction, query: Query, persons: QueryPersons) -> None:
        self._tx = tx
        self._query = query
        self._persons = persons
        self._reader = QueryDocumentReader(query)
        self._has_event_facts = has_event_facts(query)
        self._has_authors = any(iter_authors(query))
        self._has_institutions = has_field(query, "institution")
        self.results: dict[int, EvaluatedPaper | None] = {}
        """The evaluated papers by document; None for those that the query does not match."""

    def evaluate(self, candidates: Sequence[IndexedPaper]) -> None:
        """Evaluate papers, and add them to ``results``."""
        pending = [candidate for candidate in candidates if candidate.document not in self.results]
        numbers = {candidate.paper for candidate in pending}
        papers = load_papers(self._tx, numbers)
        standings = self._load_standings(numbers)
        for candidate in pending:
            paper = papers[candidate.paper]
            match_result = self._match(paper, candidate.events, standings.get(candidate.paper, NO_STANDINGS))
            self.results[candidate.document] = EvaluatedPaper(paper, match_result) if match_result else None

    def _match(
        self, paper: Paper, events: str, standings: Mapping[str, BylineStanding]
    ) -> MatchResult | None:
        """Return the surest match of any event of a paper."""
        if not self._has_institutions:  # which are printed with all authors
            paper = replace(paper, authors=self._persons.select(paper.authors))
        document = self._reader.read(build_document(paper, kind=None, standings=standings))
        matches = [
            match_result
            for event_document in self._iter_documents(document, events)
            if (match_result := evaluate(self._query, event_document))
        ]
        return max(matches, key=lambda match_result: match_result.confidence, default=None)

    def _iter_documents(self, document: PaperDocument, events: str) -> Iterator[PaperDocument]:
        """Yield the documents of a paper with each of its events, if the query depends on them."""
        if not self._has_event_facts:
            yield document
            return
        for event in map(parse_event_summary, events.split("\n")):
            yield _add_event(document, event)

    def _load_standings(self, numbers: set[int]) -> Mapping[int, Mapping[str, BylineStanding]]:
        if not (self._has_authors and numbers):
            return {}
        return load_standings_by_number(
            self._tx, numbers, self._wanted_authors, collect_sought_keys(self._query)
        )

    @cached_property
    def _wanted_authors(self) -> WantedAuthors:
        engine = Engine()
        engine.add(0, self._query)
        return engine.wanted_authors


def _add_event(document: PaperDocument, event: EventSummary) -> PaperDocument:
    return replace(document, facts=document.facts | event.facts)
