"""Papers by month, for sitemaps: a month is a range of document numbers of the index."""

from __future__ import annotations

from datetime import date

from sqlalchemy import func, select

from digest.core.matching.search.document_numbers import find_day, get_first_document
from digest.model import PaperKey
from digest.store.database.engine import Transaction
from digest.store.database.tables.papers import indexed_papers, papers


def read_day_span(tx: Transaction) -> tuple[date, date] | None:
    """Return the days of the first and the last paper whose day is known; None if there is none."""
    numbers = indexed_papers.c.document
    # Two queries, because SQLite finds only a single minimum or maximum in an index.
    first = tx.execute(select(func.min(numbers)).where(numbers >= get_first_document(date.min))).scalar()
    last = tx.execute(select(func.max(numbers))).scalar()
    first_day, last_day = find_day(first or 0), find_day(last or 0)
    return None if first_day is None or last_day is None else (first_day, last_day)


def list_keys(tx: Transaction, first_day: date, behind: date, limit: int) -> list[PaperKey]:
    """Return the keys of the papers between two days, the second one excluded, in the order of their days."""
    numbers = indexed_papers.c.document
    statement = select(papers.c.key).join(indexed_papers, indexed_papers.c.paper_id == papers.c.id)
    statement = statement.where(
        numbers >= get_first_document(first_day), numbers < get_first_document(behind)
    )
    return [PaperKey(key) for key in tx.execute(statement.order_by(numbers).limit(limit)).scalars()]
