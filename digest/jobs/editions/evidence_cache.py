"""Cache of a run: the events of its window, the queries that match them, and why. The shards of the run share it.

It has one window at a time (``RunWindow.load``), because it knows the follows of one shard only.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from digest.core.generation_cache import GenerationCache
from digest.core.language.query import Query, extract_kind_part, has_not_and_author, load_compiled
from digest.core.matching.evaluate import PositiveLeaf, evaluate, find_highlights, list_positive_leaves
from digest.core.matching.event_set import MatchedEvents
from digest.core.matching.percolator.engine import Engine, WantedAuthors
from digest.core.papers.document import NO_STANDINGS, BylineStanding, PaperDocument, build_document
from digest.jobs.people.statements import load_standings
from digest.model import Confidence, Event, Evidence, PaperKey, Reason
from digest.store.database.engine import Transaction
from digest.store.editions import shared_evidence
from digest.store.editions.runs import Shard
from digest.store.editions.shared_evidence import EvidenceTexts
from digest.store.matching import matches
from digest.store.papers.events import load_events_by_seq
from digest.store.subscribers.digests import Follow

_MAX_REASONS = 200_000
"""Number of pairs of query and event per generation of the cache of reasons (two generations are kept; about 150 bytes a
pair)."""
_MAX_EVIDENCE = 50_000
"""Number of different pieces of evidence that are kept to be shared by reasons (about 400 bytes each)."""
_MAX_MATCHES = 50_000
"""Number of queries whose matches are kept between shards: many readers follow the same ones."""
_MAX_QUERIES = 20_000
"""Number of parsed queries per generation of their caches (about two kilobytes a query): 200,000 readers follow
30,000 that match something in a day."""
_MAX_DOCUMENTS = 4_000
"""Number of documents per generation of their cache (about 40 kB each). In the window of a monthly digest, which has some 20,000
events, a paper may be read again for a reason: 0.7 ms instead of 0.1."""


@dataclass(slots=True)
class EvidenceCache:
    """The events of a run's window, the queries that match them, and the reasons.

    Attributes:
        events: by number.
        follows_by_query: a follow of each query of the shard that matches anything, by id of the query.
    """

    events: dict[int, Event] = field(default_factory=dict)
    follows_by_query: dict[int, Follow] = field(default_factory=dict)
    _standings: dict[PaperKey, dict[str, BylineStanding]] = field(default_factory=dict)
    _resolved_pairs: set[tuple[int, int]] = field(default_factory=set)
    _documents: GenerationCache[int, PaperDocument] = field(
        default_factory=lambda: GenerationCache(_MAX_DOCUMENTS)
    )
    _queries: GenerationCache[int, Query] = field(default_factory=lambda: GenerationCache(_MAX_QUERIES))
    _positive_leaves: GenerationCache[int, tuple[PositiveLeaf, ...]] = field(
        default_factory=lambda: GenerationCache(_MAX_QUERIES)
    )
    _reasons: GenerationCache[int, Reason] = field(default_factory=lambda: GenerationCache(_MAX_REASONS))
    _evidence: dict[tuple[tuple[str, tuple[str, ...]], ...], tuple[Evidence, ...]] = field(
        default_factory=dict
    )
    _shared: dict[int, EvidenceTexts] = field(default_factory=dict)  # as stored: most are never needed
    _known_shards: set[int] = field(default_factory=set)
    _newly_found: dict[int, tuple[Evidence, ...]] | None = None  # None: this process is alone
    _kind_named: GenerationCache[int, bool] = field(default_factory=lambda: GenerationCache(_MAX_REASONS))
    _window: tuple[int, int] = (0, 0)
    _matches: dict[int, MatchedEvents | None] = field(default_factory=dict)

    def load_shared(self, tx: Transaction, shard: Shard) -> None:
        """Load the evidence that other processes have found, if any of them compose the same run."""
        self._newly_found = None
        if not shared_evidence.has_other_workers(tx, shard):
            return
        self._newly_found = {}
        for number, found in shared_evidence.iter_evidence(tx, shard, tuple(self._known_shards)):
            self._known_shards.add(number)
            if len(self._shared) > _MAX_REASONS:
                self._shared.clear()
            self._shared.update(found)

    def save_shared(self, tx: Transaction, shard: Shard) -> None:
        """Store the evidence that was found in a shard, for other processes that compose the same run."""
        if self._newly_found:
            shared_evidence.save_evidence(tx, shard, self._newly_found)
            self._known_shards.add(shard.number)

    def load_matches(
        self, tx: Transaction, queries: Collection[int], window: tuple[int, int]
    ) -> dict[int, MatchedEvents]:
        """Return the events that queries match in a window, without queries that match nothing.

        The cache is emptied if the window is another one; most shards of a run have the same.
        """
        if window != self._window or len(self._matches) > _MAX_MATCHES:
            self._window = window
            self._matches.clear()
        cached = self._matches
        if missing := [query for query in queries if query not in cached]:
            loaded = matches.load_hits(tx, missing, *window)
            cached.update(
                {
                    query: MatchedEvents.from_bitmaps(loaded[query]) if query in loaded else None
                    for query in missing
                }
            )
        return {query: matched for query in queries if (matched := cached[query]) is not None}

    def load_events(self, tx: Transaction, seqs: Iterable[int]) -> None:
        """Load the events that are not in the cache."""
        self.events.update(load_events_by_seq(tx, [seq for seq in seqs if seq not in self.events]))

    def load_query(self, query_id: int) -> Query:
        """Return a query of a follow in its parsed form."""
        query = self._queries.get(query_id)
        if query is None:
            query = load_compiled(self.follows_by_query[query_id].compiled)
            self._queries.put(query_id, query)
        return query

    def build_document(self, seq: int) -> PaperDocument:
        """Return an event in the form in which queries are evaluated."""
        document = self._documents.get(seq)
        if document is None:
            event = self.events[seq]
            standings = self._standings.get(event.paper.key, NO_STANDINGS)
            document = build_document(event.paper, kind=event.kind, source=event.source, standings=standings)
            self._documents.put(seq, document)
        return document

    def resolve_authors(self, tx: Transaction, seqs_by_query: Mapping[int, Sequence[int]]) -> None:
        """Find out which persons signed events, for queries that match by that; each pair once, unless they are very many.

        Args:
            tx: a transaction.
            seqs_by_query: the numbers of the events that queries match, by id of the query. Queries that ask for persons
                only by name need not be included.
        """
        new_pairs = {
            (query, seq) for query, seqs in seqs_by_query.items() for seq in seqs
        } - self._resolved_pairs
        if not new_pairs:
            return
        if len(self._resolved_pairs) > _MAX_REASONS:
            self._resolved_pairs.clear()
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
            self._documents.remove(seq)

    def _collect_wanted_authors(self, queries: Iterable[int]) -> WantedAuthors:
        """Return the ids to look up, and the names whose ambiguity decides whether a query names a kind."""
        ids, names = Engine(), Engine()
        for query in set(queries):
            text = self.follows_by_query[query].compiled
            ids.add_compiled(query, text)
            if is_kind_name_dependent(text):
                names.add_compiled(query, text)
        return WantedAuthors(name_blocks=names.wanted_authors.name_blocks, ids=ids.wanted_authors.ids)

    def get_reasons(
        self, query: int, seqs: Sequence[int], follow: str, confidence: Confidence
    ) -> list[Reason]:
        """Return the reasons for events that a query matches.

        Args:
            query: the id of the query.
            seqs: the numbers of the events.
            follow: the query as the reader wrote it; nearly all readers write it alike and share the reasons.
            confidence: how certain the matches are.
        """
        # A number as key takes half the memory of a tuple.
        cached = self._reasons.get_all([query << 32 | seq for seq in seqs])
        return [
            reason
            if reason and reason.follow == follow and reason.confidence is confidence
            else self._make_reason(reason, query, seq, follow, confidence)
            for reason, seq in zip(cached, seqs, strict=True)
        ]

    def _make_reason(
        self, similar: Reason | None, query: int, seq: int, follow: str, confidence: Confidence
    ) -> Reason:
        if similar:
            return replace(similar, follow=follow, confidence=confidence)
        pair = query << 32 | seq
        shared = self._shared.get(pair)
        if shared is not None:
            evidence = self._build_evidence(tuple([(field, tuple(words)) for field, words in shared]))
        else:
            evidence = self._find_evidence(query, seq)
            if self._newly_found is not None:
                self._newly_found[pair] = evidence
        reason = Reason(follow=follow, confidence=confidence, evidence=evidence)
        self._reasons.put(pair, reason)
        return reason

    def _find_evidence(self, query: int, seq: int) -> tuple[Evidence, ...]:
        """Find the words of an event's paper that match a query."""
        leaves = self._positive_leaves.get(query)
        if leaves is None:
            leaves = list_positive_leaves(self.load_query(query))
            self._positive_leaves.put(query, leaves)
        words_by_field = find_highlights(leaves, self.build_document(seq))
        return self._build_evidence(tuple([(field, tuple(words)) for field, words in words_by_field]))

    def _build_evidence(self, key: tuple[tuple[str, tuple[str, ...]], ...]) -> tuple[Evidence, ...]:
        """Return evidence of fields and words; many papers have the same few, as one object."""
        evidence = self._evidence.get(key)
        if evidence is None:
            if len(self._evidence) > _MAX_EVIDENCE:
                self._evidence.clear()
            evidence = self._evidence[key] = tuple(
                [Evidence(field=field, words=words) for field, words in key]
            )
        return evidence

    def is_kind_named(self, query: int, seq: int) -> bool:
        """Whether a query names the kind of an event that it matches."""
        pair = query << 32 | seq
        is_named = self._kind_named.get(pair)
        if is_named is None:
            kind_query = extract_kind_part(self.load_query(query))
            is_named = kind_query is not None and evaluate(kind_query, self.build_document(seq)) is not None
            self._kind_named.put(pair, is_named)
        return is_named


def is_kind_name_dependent(compiled: str) -> bool:
    """Whether the ambiguity of an author's name decides if a compiled query names a kind."""
    return '"kind"' in compiled and has_not_and_author(compiled)
