"""Index of papers: writing the documents of papers, and which papers have none.

Each paper (the root of merged papers) has a document in the index, made of the merged paper and a summary of its
events. It is written when the paper is stored and whenever the paper or its events change. Papers from an older
database, or with terms of an older version, are indexed in batches (``jobs/matching/indexing.py``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import date
from itertools import chain
from typing import Any, NamedTuple

from sqlalchemy import Select, delete, func, select, update

from digest.core.matching.paper_terms import VERSION, FormTerms, PaperTerms, extract_paper_terms
from digest.core.matching.search.bm25 import compute_idf, measure_length
from digest.core.matching.search.document_numbers import (
    find_day,
    get_document,
    get_first_after,
    get_first_document,
    get_next_revision,
    get_position,
)
from digest.core.matching.search.paper_day import estimate_day
from digest.core.matching.search.term_frequencies import encode_frequencies
from digest.core.matching.search.term_vectors import count_terms, make_vector
from digest.model import Paper
from digest.store.database.bulk import insert_bulk, insert_or_update_bulk
from digest.store.database.content_version import note_content_change
from digest.store.database.dialect import (
    fetch_raw_rows,
    make_in_condition,
    split_into_chunks,
    to_in_param,
)
from digest.store.database.engine import Transaction
from digest.store.database.tables.papers import (
    events,
    index_counters,
    indexed_papers,
    indexed_texts,
    papers,
    term_counts,
    term_forms,
    term_vectors,
)
from digest.store.matching import posting_lists
from digest.store.matching.announcements import Announcement, load_announcements
from digest.store.matching.posting_lists import IndexedDocument
from digest.store.matching.term_dictionary import StoredTerms

_VERSION, _PAPERS, _LENGTH, _IS_PARTIAL = "version", "papers", "length", "partial"
"""Names of counters: the version of the terms, the number of documents, the sum of their lengths, and 1 while papers
may be missing in the index."""


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
    if not (whole_papers or replaced_ids):
        return
    if not load_state(tx).is_current:
        clear_index(tx)
        _set_counter(tx, _VERSION, VERSION)
        _set_counter(tx, _IS_PARTIAL, int(_count_roots(tx) > len(whole_papers)))
    removed_documents = _remove_papers(tx, {*replaced_ids})
    announcements = load_announcements(tx, whole_papers)
    numbers = _DocumentNumbers(tx, removed_documents)
    entries = [
        _make_entry(numbers, paper_id, paper, announcements[paper_id])
        for paper_id, paper in whole_papers.items()
    ]
    entries.sort(key=lambda entry: entry.document)  # FTS5 would write a piece of the index for each step back
    _insert_entries(tx, entries)


class _Entry(NamedTuple):
    """What is written about a paper.

    Attributes:
        document: its number.
        terms: its terms.
        frequencies: the frequency of each term of its title and abstract (``count_terms``).
        row: its row in ``indexed_papers``.
    """

    document: int
    terms: PaperTerms
    frequencies: Mapping[str, int]
    row: tuple[Any, ...]


_ROW_COLUMNS = (
    *("paper_id", "document", "is_complete", "withdrawn", "events", "categories", "has_code"),
    *("length", "frequencies"),
)
_LENGTH_INDEX = _ROW_COLUMNS.index("length")


def _make_entry(numbers: _DocumentNumbers, paper_id: int, paper: Paper, announcement: Announcement) -> _Entry:
    terms = extract_paper_terms(paper, announcement.events)
    document = numbers.take(paper_id, estimate_day(paper, announcement.day))
    title_words, abstract_words = terms.title.words, terms.body.words
    row = (
        *(paper_id, document, terms.is_complete, paper.withdrawn),
        *("\n".join(map(str, announcement.events)), "\n".join(paper.categories), bool(paper.code_urls)),
        measure_length(len(title_words), len(abstract_words)),
        encode_frequencies(title_words, abstract_words),
    )
    return _Entry(document, terms, count_terms(title_words, abstract_words), row)


def _insert_entries(tx: Transaction, entries: Collection[_Entry]) -> None:
    insert_bulk(tx, indexed_papers, _ROW_COLUMNS, [entry.row for entry in entries])
    posting_lists.add_documents(
        tx, [IndexedDocument(entry.document, entry.terms.title, entry.terms.body) for entry in entries]
    )
    texts = [(entry.document, entry.terms.title.text, entry.terms.body.text) for entry in entries]
    insert_bulk(tx, indexed_texts, ("document", "title", "body"), texts)
    form_groups = set[FormTerms]().union(*(entry.terms.form_groups for entry in entries))
    forms = frozenset[tuple[str, str]]().union(*form_groups)
    insert_or_update_bulk(tx, term_forms, ("form", "term"), sorted(forms))
    counts = Counter(chain.from_iterable(entry.frequencies for entry in entries))
    insert_or_update_bulk(
        tx, term_counts, ("term", "papers"), sorted(counts.items()), added_columns=["papers"]
    )
    note_content_change(tx)
    _add_to_counter(tx, _PAPERS, len(entries))
    _add_to_counter(tx, _LENGTH, sum(entry.row[_LENGTH_INDEX] for entry in entries))
    _insert_vectors(tx, entries)


def _insert_vectors(tx: Transaction, entries: Collection[_Entry]) -> None:
    """Insert the vectors of papers, after their terms have been counted."""
    counts = StoredTerms(tx).load_counts(set().union(*(entry.frequencies for entry in entries)))
    papers_in_index = load_state(tx).papers
    idfs = {term: compute_idf(papers_in_index, count) for term, count in counts.items()}
    rows = [(entry.document, *make_vector(entry.frequencies, idfs)) for entry in entries]
    insert_bulk(tx, term_vectors, ("document", "norm", "entries"), rows)


@dataclass(slots=True)
class _DocumentNumbers:
    """Numbers for new documents.

    Attributes:
        removed: the former documents of papers that are indexed again, by paper.
        next_positions: by day, the position after the last one in use.
    """

    tx: Transaction
    removed: Mapping[int, int]
    next_positions: dict[date | None, int] = field(default_factory=dict)

    def take(self, paper_id: int, day: date | None) -> int:
        """Return the number for a paper: the next revision of its former document if it has the same day."""
        former = self.removed.get(paper_id)
        if former is not None and find_day(former) == day and (revision := get_next_revision(former)):
            return revision
        if day not in self.next_positions:
            self.next_positions[day] = self._find_free_position(day)
        position = self.next_positions[day]
        self.next_positions[day] += 1
        return get_document(position)

    def _find_free_position(self, day: date | None) -> int:
        """Return the position after the last one of a day, also if its document has just been removed.

        Its paper keeps that position if its day has not changed. Two papers at one position would have one place in
        the order of results, and the second would be missing where a page ends between them.
        """
        end = get_first_after(day)
        removed = (document for document in self.removed.values() if document < end)
        last = max([posting_lists.find_last_document(self.tx, end), *removed])
        return max(get_position(get_first_document(day)), get_position(last) + 1)


def _remove_papers(tx: Transaction, paper_ids: Collection[int]) -> dict[int, int]:
    """Remove papers from the index, and return their documents."""
    rows: list[Any] = []
    for chunk in split_into_chunks(sorted(paper_ids)):
        is_removed = indexed_papers.c.paper_id.in_(chunk)
        columns = select(indexed_papers.c.paper_id, indexed_papers.c.document, indexed_papers.c.length)
        removed = tx.execute(columns.where(is_removed)).all()
        if removed:
            documents = [row.document for row in removed]
            posting_lists.remove_documents(tx, documents)
            for table in (indexed_texts, term_vectors):
                tx.execute(delete(table).where(table.c.document.in_(documents)))
            tx.execute(delete(indexed_papers).where(is_removed))
            rows += removed
    if rows:
        note_content_change(tx)
        _add_to_counter(tx, _PAPERS, -len(rows))
        _add_to_counter(tx, _LENGTH, -sum(row.length for row in rows))
    return {row.paper_id: row.document for row in rows}


def clear_index(tx: Transaction) -> None:
    """Empty the index; papers are indexed again in batches, or when they change."""
    posting_lists.clear_postings(tx)
    for table in (indexed_texts, term_vectors, term_forms, term_counts, indexed_papers):
        tx.execute(delete(table))
    for name, value in ((_PAPERS, 0), (_LENGTH, 0), (_IS_PARTIAL, 1)):
        _set_counter(tx, name, value)


# --- counters -------------------------------------------------------------------------------------


class IndexState(NamedTuple):
    """The state of the index.

    Attributes:
        is_current: whether its terms are those of this release.
        is_partial: whether papers may be missing.
        papers: the number of papers in it.
        mean_length: their mean length (``bm25.measure_length``).
    """

    is_current: bool
    is_partial: bool
    papers: int
    mean_length: int


def load_state(tx: Transaction) -> IndexState:
    """Return the state of the index."""
    counters = dict(fetch_raw_rows(tx, _SELECT_COUNTERS, {}))
    return IndexState(
        is_current=counters[_VERSION] == VERSION,
        is_partial=bool(counters[_IS_PARTIAL]),
        papers=counters[_PAPERS],
        mean_length=counters[_LENGTH] // max(counters[_PAPERS], 1),
    )


_SELECT_COUNTERS = select(index_counters.c.name, index_counters.c.value)


def _set_counter(tx: Transaction, name: str, value: int) -> None:
    tx.execute(update(index_counters).where(index_counters.c.name == name).values(value=value))


def _add_to_counter(tx: Transaction, name: str, difference: int) -> None:
    value = index_counters.c.value + difference
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


def list_indexed(tx: Transaction, paper_ids: Collection[int]) -> set[int]:
    """Return which of some papers are in the index."""
    if not load_state(tx).is_current:
        return set()
    return {
        paper_id
        for paper_id, *_ in fetch_raw_rows(tx, _SELECT_EVENTS, {"papers": to_in_param(tx, paper_ids)})
    }


def count_missing(tx: Transaction, since: date | None = None) -> int:
    """Count the papers that are not in the index; ``since`` as in ``list_missing``."""
    state = load_state(tx)
    if state.is_current and not state.is_partial:
        return 0
    count: int = tx.execute(_select_missing(tx, select(func.count(papers.c.id)), since)).scalar_one()
    return count


def mark_complete(tx: Transaction) -> None:
    """Record that no paper is missing in the index; from then on, papers are indexed when they are stored."""
    _set_counter(tx, _IS_PARTIAL, 0)
    note_content_change(tx)


def _count_roots(tx: Transaction) -> int:
    statement = select(func.count(papers.c.id)).where(papers.c.merged_into.is_(None))
    count: int = tx.execute(statement).scalar_one()
    return count


def _select_missing(tx: Transaction, columns: Select[Any], since: date | None) -> Select[Any]:
    statement = columns.where(papers.c.merged_into.is_(None))
    if load_state(tx).is_current:
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


# --- changed events -------------------------------------------------------------------------------


def list_outdated(tx: Transaction, whole_papers: Mapping[int, Paper]) -> set[int]:
    """Return papers whose events or days are no longer those in the index.

    Args:
        tx: a transaction.
        whole_papers: merged papers by the number of their root.
    """
    announcements = load_announcements(tx, whole_papers)
    rows = fetch_raw_rows(tx, _SELECT_EVENTS, {"papers": to_in_param(tx, whole_papers)})
    indexed = {paper_id: (find_day(document), stored_events) for paper_id, document, stored_events in rows}
    return {
        paper_id
        for paper_id, paper in whole_papers.items()
        if indexed.get(paper_id)
        != (
            estimate_day(paper, announcements[paper_id].day),
            "\n".join(map(str, announcements[paper_id].events)),
        )
    }


_SELECT_EVENTS = select(indexed_papers.c.paper_id, indexed_papers.c.document, indexed_papers.c.events).where(
    make_in_condition(indexed_papers.c.paper_id, "papers")
)
