"""Rows that were removed, and their size."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Row, Table, delete

from digest.store.database.engine import Transaction
from digest.store.database.sizes import build_row_size


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovedRows:
    """Rows that a step removed.

    Attributes:
        table: the name of the table.
        rows: the number of rows.
        size: their size in bytes; 0 on SQLite, which only counts free pages.
    """

    table: str
    rows: int
    size: int = 0


def delete_rows(
    tx: Transaction, table: Table, condition: ColumnElement[bool], *columns: ColumnElement[Any]
) -> tuple[RemovedRows, Sequence[Row[Any]]]:
    """Delete rows of a table.

    Args:
        tx: a writing transaction.
        table: the table.
        condition: selects the rows.
        columns: the columns of the deleted rows that are returned.

    Returns:
        Their number and size, and the columns of each.
    """
    statement = (
        delete(table).where(condition).returning(build_row_size(tx, table).label("row_size"), *columns)
    )
    rows = tx.execute(statement).all()
    return RemovedRows(table=table.name, rows=len(rows), size=sum(row.row_size for row in rows)), rows


def sum_removed(removed: Iterable[RemovedRows]) -> tuple[RemovedRows, ...]:
    """Sum removed rows by table."""
    rows: dict[str, int] = {}
    sizes: dict[str, int] = {}
    for step in removed:
        rows[step.table] = rows.get(step.table, 0) + step.rows
        sizes[step.table] = sizes.get(step.table, 0) + step.size
    return tuple(RemovedRows(table=table, rows=count, size=sizes[table]) for table, count in rows.items())
