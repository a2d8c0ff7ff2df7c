"""What queries fit in the window of a run, and why, read once for all of its shards."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from sys import intern

from digest.core.generation_cache import GenerationCache
from digest.core.language.query import Query, extract_kind_part, has_not_and_author, load_compiled
from digest.core.matching.bitmaps import MatchBitmaps
from digest.core.matching.evaluate import PositiveLeaf, evaluate, find_highlights, list_positive_leaves
from digest.core.matching.percolator.engine import Engine, WantedAuthors
from digest.core.papers.document import NO_STANDINGS, BylineStanding, PaperDocument, build_document
from digest.jobs.people.statements import load_standings
from digest.model import Event, PaperKey
from digest.store.database.engine import Transaction
from digest.store.editions import items
from digest.store.matching import matches
from digest.store.subscribers.digests import Follow

_MAX_EVIDENCE = 200_000
"""Of so many pairs of query and event it is remembered why they fit, and of as many more: each takes some 100 bytes."""
_MAX_HITS = 50_000
"""Of so many queries it is remembered what they fit: many readers follow the same ones."""


@dataclass(slots=True)
class EvidenceCache:
    """The events of a run's window, the queries that fit them, and why: the same for all its shards.

    Attributes:
        events: by seq.
        follows_by_query: follows by the numbers of their queries.
    """

    events: dict[int, Event] = field(default_factory=dict)
    follows_by_query: dict[int, Follow] = field(default_factory=dict)
    _standings: dict[PaperKey, dict[str, BylineStanding]] = field(default_factory=dict)
    _resolved_pairs: set[tuple[int, int]] = field(default_factory=set)
    _documents: dict[int, PaperDocument] = field(default_factory=dict)
    _queries: dict[int, Query] = field(default_factory=dict)
    _query_terms: dict[int, tuple[PositiveLeaf, ...]] = field(default_factory=dict)
    _evidence: GenerationCache[int, str] = field(default_factory=lambda: GenerationCache(_MAX_EVIDENCE))
    _kind_named: dict[tuple[int, int], bool] = field(default_factory=dict)
    _hits_window: tuple[int, int] = (0, 0)
    _hits: dict[int, MatchBitmaps | None] = field(default_factory=dict)

    def load_hits(
        self, tx: Transaction, queries: Collection[int], window: tuple[int, int]
    ) -> dict[int, MatchBitmaps]:
        """What queries fit in a window, those that fit nothing left out; of a run it is always the same one, mostly."""
        if window != self._hits_window or len(self._hits) > _MAX_HITS:
            self._hits_window = window
            self._hits.clear()
        cached = self._hits
        if missing := [query for query in queries if query not in cached]:
            loaded = matches.load_hits(tx, missing, *window)
            cached.update({query: loaded.get(query) for query in missing})
        return {query: hits for query in queries if (hits := cached[query]) is not None}

    def load_query(self, query_id: int) -> Query:
        """What is asked for."""
        if query_id not in self._queries:
            self._queries[query_id] = load_compiled(self.follows_by_query[query_id].compiled)
        return self._queries[query_id]

    def build_document(self, seq: int) -> PaperDocument:
        """An event as queries see it."""
        if seq not in self._documents:
            event = self.events[seq]
            standings = self._standings.get(event.paper.key, NO_STANDINGS)
            self._documents[seq] = build_document(
                event.paper, kind=event.kind, source=event.source, standings=standings
            )
        return self._documents[seq]

    def resolve_authors(self, tx: Transaction, seqs_by_query: Mapping[int, Sequence[int]]) -> None:
        """Work out who signed events, where a query was known to fit by that, once for each.

        Args:
            tx: a transaction.
            seqs_by_query: the seqs that queries fit, by number; those that ask for persons by names alone are left out.
        """
        new_pairs = {
            (query, seq) for query, seqs in seqs_by_query.items() for seq in seqs
        } - self._resolved_pairs
        if not new_pairs:
            return
        self._resolved_pairs |= new_pairs
        seqs = {seq for _, seq in new_pairs}
        loaded_standings = load_standings(
            tx,
            [self.events[seq].paper for seq in seqs],
            self._collect_wanted_authors(query for query, _ in new_pairs),
        )
        for key, paper_standings in loaded_standings.items():
            self._standings[key] = {**self._standings.get(key, {}), **paper_standings}
        for seq in seqs:
            self._documents.pop(seq, None)

    def _collect_wanted_authors(self, queries: Iterable[int]) -> WantedAuthors:
        """Whose ids have to be known; and of whom whether they have namesakes, where that decides about a kind."""
        ids, names = Engine(), Engine()
        for query in set(queries):
            text = self.follows_by_query[query].compiled
            ids.add_compiled(query, text)
            if is_kind_name_dependent(text):
                names.add_compiled(query, text)
        return WantedAuthors(name_blocks=names.wanted_authors.name_blocks, ids=ids.wanted_authors.ids)

    def get_evidence(self, query: int, seq: int) -> str:
        """What in an event's paper a query asks for, which is known to fit it, as it is kept."""
        pair = query << 32 | seq  # half as large as a tuple
        evidence = self._evidence.get(pair)
        if evidence is None:
            terms = self._query_terms.get(query)
            if terms is None:
                terms = self._query_terms[query] = list_positive_leaves(self.load_query(query))
            evidence = intern(
                items.encode_evidence(find_highlights(terms, self.build_document(seq)))
            )  # many have the same few words
            self._evidence.put(pair, evidence)
        return evidence

    def is_kind_named(self, query: int, seq: int) -> bool:
        """Whether a query, which is known to fit an event, names its kind by itself."""
        pair = query, seq
        if pair not in self._kind_named:
            kind_query = extract_kind_part(self.load_query(query))
            self._kind_named[pair] = (
                kind_query is not None and evaluate(kind_query, self.build_document(seq)) is not None
            )
        return self._kind_named[pair]


def is_kind_name_dependent(compiled: str) -> bool:
    """Whether it decides about a kind that a query names whether an author has namesakes."""
    return '"kind"' in compiled and has_not_and_author(compiled)
