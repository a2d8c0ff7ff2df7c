"""What the index knows about papers besides their terms: what candidates are counted and ranked by, texts and vectors."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import func, select

from digest.core.matching.paper_terms import Column
from digest.core.matching.search.term_vectors import TermVector
from digest.core.papers.document import ReadableText, Text
from digest.store.database.dialect import fetch_raw_rows, make_in_condition, to_in_param
from digest.store.database.engine import Transaction
from digest.store.database.tables.papers import indexed_papers, indexed_texts, term_vectors


class IndexedPaper(NamedTuple):
    """A paper in the index.

    Attributes:
        document: its document.
        paper: the number of its root.
        is_complete: whether the index has all its terms.
        events: its event summaries (``core/matching/event_queries.py``), one a line.
        categories: its categories as printed, one a line.
        has_code: whether the address of its code is known.
        length: its weighted length (``core/matching/search/bm25.py``).
        frequencies: how often its terms occur (``core/matching/search/term_frequencies.py``).
    """

    document: int
    paper: int
    is_complete: bool
    events: str
    categories: str
    has_code: bool
    length: int
    frequencies: bytes


def load_indexed_papers(tx: Transaction, documents: Collection[int]) -> list[IndexedPaper]:
    """Load papers by their documents, the highest document first; documents without a paper are left out."""
    rows: Sequence[tuple[int, int, bool, str, str, bool, int, bytes]] = fetch_raw_rows(
        tx, _SELECT_PAPERS, {"documents": to_in_param(tx, documents)}
    )
    return [*map(IndexedPaper._make, rows)]


def count_indexed_papers(tx: Transaction, documents: Collection[int]) -> int:
    """Count the papers of documents."""
    [(count,)] = fetch_raw_rows(tx, _COUNT_PAPERS, {"documents": to_in_param(tx, documents)})
    return int(count)


def find_document(tx: Transaction, paper_id: int) -> int | None:
    """Return the document of a paper, by the number of its root; None if it is not in the index."""
    statement = select(indexed_papers.c.document).where(indexed_papers.c.paper_id == paper_id)
    document: int | None = tx.execute(statement).scalar()
    return document


def load_vectors(tx: Transaction, documents: Iterable[int]) -> dict[int, TermVector]:
    """Load the vectors of documents; documents without a paper are left out."""
    values = {"documents": to_in_param(tx, documents)}
    return {
        number: TermVector(norm, entries)
        for number, norm, entries in fetch_raw_rows(tx, _SELECT_VECTORS, values)
    }


def load_texts(tx: Transaction, documents: Iterable[int]) -> dict[int, Mapping[Column, Text]]:
    """Load the titles and abstracts of documents."""
    values = {"documents": to_in_param(tx, documents)}
    return {
        number: {"title": _make_text(title), "body": _make_text(body)}
        for number, title, body in fetch_raw_rows(tx, _SELECT_TEXTS, values)
    }


def _make_text(readable: str) -> ReadableText:
    return ReadableText(source_lines=(readable,) if readable else ())


_SELECT_TEXTS = select(indexed_texts).where(make_in_condition(indexed_texts.c.document, "documents"))
_SELECT_VECTORS = select(term_vectors).where(make_in_condition(term_vectors.c.document, "documents"))
_SELECT_PAPERS = select(
    *(indexed_papers.c.document, indexed_papers.c.paper_id, indexed_papers.c.is_complete),
    *(indexed_papers.c.events, indexed_papers.c.categories, indexed_papers.c.has_code),
    *(indexed_papers.c.length, indexed_papers.c.frequencies),
)
_SELECT_PAPERS = _SELECT_PAPERS.where(make_in_condition(indexed_papers.c.document, "documents"))
_SELECT_PAPERS = _SELECT_PAPERS.order_by(indexed_papers.c.document.desc())
_COUNT_PAPERS = select(func.count(indexed_papers.c.document)).where(
    make_in_condition(indexed_papers.c.document, "documents")
)
