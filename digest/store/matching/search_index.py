"""Index of papers: it finds the papers, and their events, that have the terms of a query.

Each paper (the root of merged papers) has a document in the index, made of the merged paper. It is written
when the paper is stored and whenever the paper changes. Papers from an older database, or with terms of an
older version, are indexed in batches (``jobs/matching/indexing.py``); until then they are ``unindexed``, and
the evaluator reads them each time.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain
from typing import Any

from sqlalchemy import Date, Select, bindparam, delete, func, select, update

from digest.core.language.query import ByAuthor
from digest.core.matching.bitmaps import list_positions
from digest.core.matching.narrowing import Lookup
from digest.core.matching.paper_terms import VERSION, Column, FormTerms, extract_paper_terms
from digest.core.papers.document import ReadableText, Text, make_event_facts
from digest.model import EventKind, Paper
from digest.store.database.dialect import (
    fetch_raw_rows,
    get_day_reader,
    insert_bulk,
    insert_or_update_bulk,
    make_in_condition,
    split_into_chunks,
    to_in_param,
)
from digest.store.database.engine import Transaction
from digest.store.database.paper_tables import (
    events,
    index_counters,
    indexed_papers,
    indexed_texts,
    papers,
    term_forms,
)
from digest.store.matching import posting_lists
from digest.store.matching.posting_lists import IndexedDocument

_DOCUMENT_COUNTER, _VERSION_COUNTER = "document", "version"
"""Names of counters: the number of the last document, and the version of the terms."""


# --- indexing -------------------------------------------------------------------------------------


def index_papers(
    tx: Transaction, whole_papers: Mapping[int, Paper], *, replaced_ids: Collection[int] = ()
) -> None:
    """Add papers to the index. If the version of the terms has changed, the index is emptied first.

    Args:
        tx: a transaction of ``Store.begin_ingest``.
        whole_papers: merged papers by the number of their root.
        replaced_ids: numbers of papers whose earlier entries are removed.
    """
    if _read_counter(tx, _VERSION_COUNTER) != VERSION:
        clear_index(tx)
        _set_counter(tx, _VERSION_COUNTER, VERSION)
    _remove_papers(tx, {*replaced_ids})
    last_document = _read_counter(tx, _DOCUMENT_COUNTER)
    rows: list[tuple[Any, ...]] = []
    documents: list[IndexedDocument] = []
    form_groups: set[FormTerms] = set()
    for paper_id, paper in sorted(whole_papers.items()):
        terms = extract_paper_terms(paper)
        if terms is not None:
            last_document += 1
            documents.append(IndexedDocument(last_document, terms.title, terms.body))
            form_groups |= terms.form_groups
        rows.append((paper_id, last_document if terms is not None else None, paper.withdrawn))
    insert_bulk(tx, indexed_papers, ("paper_id", "document", "withdrawn"), rows)
    if documents:
        posting_lists.add_documents(tx, documents)
        texts = [(document.number, document.title.text, document.body.text) for document in documents]
        insert_bulk(tx, indexed_texts, ("document", "title", "body"), texts)
        _add_forms(tx, frozenset[tuple[str, str]]().union(*form_groups))
        _set_counter(tx, _DOCUMENT_COUNTER, last_document)


def _add_forms(tx: Transaction, forms: Iterable[tuple[str, str]]) -> None:
    insert_or_update_bulk(tx, term_forms, ("form", "term"), sorted(forms))


def _remove_papers(tx: Transaction, paper_ids: Collection[int]) -> None:
    for chunk in split_into_chunks(sorted(paper_ids)):
        is_removed = indexed_papers.c.paper_id.in_(chunk)
        rows = tx.execute(select(indexed_papers.c.document).where(is_removed)).scalars().all()
        if rows:
            document_ids = [number for number in rows if number is not None]
            posting_lists.remove_documents(tx, document_ids)
            tx.execute(delete(indexed_texts).where(indexed_texts.c.document.in_(document_ids)))
            tx.execute(delete(indexed_papers).where(is_removed))


def clear_index(tx: Transaction) -> None:
    """Empty the index; papers are indexed again in batches, or when they change."""
    posting_lists.clear_postings(tx)
    for table in (indexed_texts, term_forms, indexed_papers):
        tx.execute(delete(table))


def _read_counter(tx: Transaction, name: str) -> int:
    value: int = tx.execute(select(index_counters.c.value).where(index_counters.c.name == name)).scalar_one()
    return value


def _set_counter(tx: Transaction, name: str, value: int) -> None:
    tx.execute(update(index_counters).where(index_counters.c.name == name).values(value=value))


# --- papers that are not in the index -------------------------------------------------------------


def list_missing(tx: Transaction, limit: int, since: date | None = None) -> list[int]:
    """Return papers that are not in the index, newest first.

    Args:
        tx: a transaction.
        limit: maximum number of papers.
        since: only papers with an event on this day or later; None for all.

    Returns:
        The numbers of roots.
    """
    statement = _select_missing(tx, select(papers.c.id), since)
    return list(tx.execute(statement.order_by(papers.c.id.desc()).limit(limit)).scalars())


def count_missing(tx: Transaction, since: date | None = None) -> int:
    """Count the papers that are not in the index; ``since`` as in ``list_missing``."""
    count: int = tx.execute(_select_missing(tx, select(func.count(papers.c.id)), since)).scalar_one()
    return count


def _select_missing(tx: Transaction, columns: Select[Any], since: date | None) -> Select[Any]:
    statement = columns.where(papers.c.merged_into.is_(None))
    if _read_counter(tx, _VERSION_COUNTER) == VERSION:
        indexed = select(indexed_papers.c.paper_id).where(indexed_papers.c.paper_id == papers.c.id)
        statement = statement.where(~indexed.exists())
    if since is not None:
        member = papers.alias()
        announced_ids = select(func.coalesce(member.c.merged_into, member.c.id))
        announced_ids = announced_ids.join_from(events, member, member.c.id == events.c.paper_id).where(
            events.c.day >= since
        )
        statement = statement.where(papers.c.id.in_(announced_ids))
    return statement


_ROOT_ID = func.coalesce(papers.c.merged_into, papers.c.id)


# --- events ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedEvents:
    """Events without their papers, in order, as parallel sequences, because there may be tens of thousands.

    Attributes:
        papers: the number of the root of each event's paper.
        documents: the document of each event's paper in the index; None if it has none.
    """

    seqs: Sequence[int]
    kinds: Sequence[EventKind]
    days: Sequence[date]
    sources: Sequence[str]
    papers: Sequence[int]
    documents: Sequence[int | None]

    def __len__(self) -> int:
        return len(self.seqs)

    def find_position(self, seq: int) -> int:
        """Return the position of an event, which must be one of these."""
        return bisect_left(self.seqs, seq)


_SELECT_EVENTS = (
    select(
        *(events.c.seq, events.c.kind, events.c.day, events.c.source, _ROOT_ID.label("root")),
        *(indexed_papers.c.document, indexed_papers.c.withdrawn),
    )
    .join_from(events, papers, papers.c.id == events.c.paper_id)
    .outerjoin(indexed_papers, indexed_papers.c.paper_id == _ROOT_ID)
    .where(events.c.seq > bindparam("low"), events.c.day >= bindparam("since", type_=Date))
    .where(make_in_condition(events.c.kind, "kinds"))
    .order_by(events.c.seq)
)


def load_indexed_events(
    tx: Transaction,
    after: int,
    since: date,
    kinds: Collection[EventKind],
    *,
    unless_withdrawn: Collection[EventKind] = (),
) -> IndexedEvents:
    """Return events without their papers, in order.

    Args:
        tx: a transaction.
        after: only events with a higher seq.
        since: only events of this day or later.
        kinds: only events of these kinds.
        unless_withdrawn: omit events of these kinds if the index says that the paper is withdrawn.
    """
    values = {
        "low": after,
        "since": since.isoformat(),
        "kinds": to_in_param(tx, [kind.value for kind in kinds]),
    }
    excluded_kinds = {kind.value for kind in unless_withdrawn}
    rows = [
        row
        for row in fetch_raw_rows(tx, _SELECT_EVENTS, values)
        if not (row[-1] and row[1] in excluded_kinds)
    ]
    seqs, stored_kinds, stored_days, sources, roots, documents, _ = (
        zip(*rows, strict=True) if rows else [()] * 7
    )
    kinds_by_value, read_day = {kind.value: kind for kind in kinds}, get_day_reader(tx)
    days = {day: read_day(day) for day in set(stored_days)}
    return IndexedEvents(
        seqs=seqs,
        kinds=[kinds_by_value[kind] for kind in stored_kinds],
        days=[days[day] for day in stored_days],
        sources=sources,
        papers=roots,
        documents=documents if _read_counter(tx, _VERSION_COUNTER) == VERSION else [None] * len(rows),
    )


class EventIndex:
    """Index of papers for some events; implements ``digest.core.matching.narrowing.PaperIndex``.

    Args:
        tx: a transaction.
        indexed_events: the events; the position of each is its bit in all bitmaps.
        signed_by_id: returns the seqs of events whose papers may be by a person who can only be recognized by
            ids.
    """

    def __init__(
        self,
        tx: Transaction,
        indexed_events: IndexedEvents,
        signed_by_id: Callable[[ByAuthor], Collection[int]],
    ) -> None:
        self._tx = tx
        self._events = indexed_events
        self._signed_by_id = signed_by_id
        self._first_positions: dict[int, int] = {}
        """Position of the first event of the paper of each document."""
        self._other_positions: dict[int, list[int]] = {}
        """Positions of the other events of the paper of each document."""
        for position, number in enumerate(indexed_events.documents):
            if number is not None and self._first_positions.setdefault(number, position) != position:
                self._other_positions.setdefault(number, []).append(position)
        self._first_document = min(self._first_positions, default=0)
        self._terms: dict[frozenset[str], Collection[str]] = {}
        self.all_events = (1 << len(indexed_events)) - 1
        self.unindexed = self._make_bitmap(
            position for position, number in enumerate(indexed_events.documents) if number is None
        )

    def find(self, column: Column, lookup: Lookup) -> int:
        """Return the bitmap of the events whose papers match a lookup in a column."""
        if not self._first_positions:
            return 0
        matching_documents = self._first_positions.keys() & posting_lists.find_documents(
            self._tx, column, lookup, self._first_document
        )
        other_positions = chain.from_iterable(
            map(self._other_positions.__getitem__, self._other_positions.keys() & matching_documents)
        )
        return self._make_bitmap(
            chain(map(self._first_positions.__getitem__, matching_documents), other_positions)
        )

    def load_texts(self, bitmap: int) -> dict[int, Mapping[Column, Text]]:
        """Return the texts of the papers of some events by position, without papers that are not in the index."""
        requested = [
            (position, number)
            for position in list_positions(bitmap)
            if (number := self._events.documents[position]) is not None
        ]
        values = {"documents": to_in_param(self._tx, [number for _, number in requested])}
        texts_by_document: dict[int, Mapping[Column, Text]] = {
            number: {"title": _make_text(title), "body": _make_text(body)}
            for number, title, body in fetch_raw_rows(self._tx, _SELECT_TEXTS, values)
        }
        return {position: texts_by_document[number] for position, number in requested}

    def find_terms(self, forms: Iterable[str]) -> Collection[str]:
        """Return the terms of words that have one of these forms, except terms that are such a form themselves."""
        form_set = frozenset(forms)
        if form_set not in self._terms:
            rows = fetch_raw_rows(
                self._tx, _SELECT_TERMS_OF_FORMS, {"forms": to_in_param(self._tx, sorted(form_set))}
            )
            self._terms[form_set] = frozenset(term for (term,) in rows)
        return self._terms[form_set]

    def find_terms_by_prefix(self, prefix: str) -> Collection[str]:
        """Return the terms of words that have a form with this prefix, except terms that are such a form themselves."""
        values = {"first": prefix, "behind": prefix + _PREFIX_END}
        return {term for (term,) in fetch_raw_rows(self._tx, _SELECT_TERMS_BY_PREFIX, values)}

    def find_events(self, field: str, value: str) -> int:
        """Return the bitmap of the events with a fact: a kind or a source."""
        facts = enumerate(zip(self._events.kinds, self._events.sources, strict=True))
        return self._make_bitmap(
            position for position, (kind, source) in facts if (field, value) in make_event_facts(kind, source)
        )

    def find_signed_by_id(self, author: ByAuthor) -> int:
        """Return the bitmap of the events whose papers may be by a person who can only be recognized by ids."""
        seqs = self._signed_by_id(author)
        return self._make_bitmap(position for position, seq in enumerate(self._events.seqs) if seq in seqs)

    def _make_bitmap(self, positions: Iterable[int]) -> int:
        """Make a bitmap of positions; the byte array needs only one pass over tens of thousands of them."""
        bits = bytearray(len(self._events) // 8 + 1)
        for position in positions:
            bits[position >> 3] |= 1 << (position & 7)
        return int.from_bytes(bits, "little")


def _make_text(readable: str) -> ReadableText:
    return ReadableText(source_lines=(readable,) if readable else ())


_PREFIX_END = "\U0010ffff"
"""Highest character; a prefix followed by it sorts after all texts with that prefix."""
_SELECT_TEXTS = select(indexed_texts).where(make_in_condition(indexed_texts.c.document, "documents"))
_SELECT_TERMS_OF_FORMS = select(term_forms.c.term).where(make_in_condition(term_forms.c.form, "forms"))
_SELECT_TERMS_BY_PREFIX = select(term_forms.c.term).where(
    term_forms.c.form >= bindparam("first"), term_forms.c.form < bindparam("behind")
)
