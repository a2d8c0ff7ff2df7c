"""Sizes of rows, tables and free space, as far as each database tells them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Connection, Integer, LargeBinary, Table, func, literal_column


def build_row_size(connection: Connection, table: Table) -> ColumnElement[int]:
    """Build the size of a row in bytes; 0 on SQLite, which only counts whole pages (``count_free_bytes``)."""
    if connection.dialect.name == "sqlite":
        return literal_column("0", Integer)
    return func.pg_column_size(literal_column(table.name), type_=Integer)


def build_size(connection: Connection, value: ColumnElement[Any]) -> ColumnElement[int]:
    """Build the size of a value in bytes; 0 for NULL."""
    if connection.dialect.name == "sqlite":
        return func.coalesce(func.length(value.cast(LargeBinary)), 0)
    return func.coalesce(func.pg_column_size(value), 0)


def read_relation_statistics(connection: Connection, name: str) -> tuple[int, int] | None:
    """Return the estimated rows of a table or an index, and its size with its indexes in bytes.

    Returns:
        None where there are no statistics: on SQLite, and before PostgreSQL has analysed the table.
    """
    if connection.dialect.name == "sqlite":
        return None
    statement = (
        "SELECT reltuples::bigint, pg_total_relation_size(oid) FROM pg_class WHERE oid = to_regclass(%s)"
    )
    row = connection.exec_driver_sql(statement, (name,)).first()
    return (int(row[0]), int(row[1])) if row is not None and row[0] > 0 else None


def count_free_bytes(connection: Connection) -> int:
    """Return the size of the free pages in a SQLite file, in bytes; 0 on PostgreSQL."""
    if connection.dialect.name != "sqlite":
        return 0
    pages, size = (
        connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in ("freelist_count", "page_size")
    )
    return int(pages * size)
