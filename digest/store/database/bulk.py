"""Inserts of many rows: by ``COPY`` on PostgreSQL, and everywhere without SQLAlchemy, which converts each value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, Table, func, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.expression import TableClause

_MIN_COPIED_ROWS = 300
"""Least number of rows for which a temporary table pays: it takes as long as inserting 250 rows one by one."""


def insert_bulk(
    connection: Connection, table: TableClause, columns: Sequence[str], rows: Sequence[tuple[Any, ...]]
) -> None:
    """Insert many rows of driver values, in at most half the time of an insert by SQLAlchemy.

    Args:
        connection: a connection to the database.
        table: a table that contains none of the rows.
        columns: the columns of the values in a row.
        rows: texts, numbers and None; JSON as text.
    """
    if not rows:
        return
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(_build_insert_sql(connection, table, columns), list(rows))
    else:
        _copy_rows(connection, f"{table.name} ({_list_names(columns)})", rows)


def insert_missing_bulk(
    connection: Connection, table: TableClause, columns: Sequence[str], rows: Sequence[tuple[Any, ...]]
) -> int:
    """Insert many rows of driver values, except those whose key exists already; any unique key counts.

    Args:
        connection: a connection to the database.
        table: the table.
        columns: the columns of the values in a row.
        rows: as in ``insert_bulk``; they are inserted in this order, so two transactions that order them alike never
            wait for each other.

    Returns:
        How many rows were inserted.
    """
    if not rows:
        return 0
    if connection.dialect.name == "sqlite" or len(rows) < _MIN_COPIED_ROWS:
        sql = f"{_build_insert_sql(connection, table, columns)} ON CONFLICT DO NOTHING"
        return connection.exec_driver_sql(sql, list(rows)).rowcount
    names, temporary = _list_names(columns), f"import_{table.name}"
    source = f"SELECT {names} FROM {table.name} WITH NO DATA"  # noqa: S608 - names of our own
    connection.exec_driver_sql(f"CREATE TEMPORARY TABLE {temporary} ON COMMIT DROP AS {source}")
    _copy_rows(connection, f"{temporary} ({names})", rows)
    sql = f"INSERT INTO {table.name} ({names}) SELECT {names} FROM {temporary} ON CONFLICT DO NOTHING"  # noqa: S608 - names of our own
    inserted = connection.exec_driver_sql(sql).rowcount
    connection.exec_driver_sql(f"DROP TABLE {temporary}")
    return inserted


def allocate_ids(connection: Connection, table: Table, count: int) -> Sequence[int]:
    """Return numbers for new rows of a table, ascending; nobody else gets them.

    Args:
        connection: a connection to the database that has begun to write.
        table: a table whose rows the database numbers, without ``UNIQUE_FOREVER``.
        count: the number of rows; on SQLite, insert them before asking again.
    """
    if connection.dialect.name == "sqlite":
        assert not table.dialect_options["sqlite"]["autoincrement"]
        # What SQLite does itself; the transaction is its only writer.
        highest: int = connection.execute(select(func.coalesce(func.max(table.c.id), 0))).scalar_one()
        return range(highest + 1, highest + 1 + count)
    sql = "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)"
    return [row[0] for row in connection.exec_driver_sql(sql, (table.name, count)).cursor.fetchall()]


def insert_or_update_bulk(
    connection: Connection,
    table: Table,
    columns: Sequence[str],
    rows: Sequence[tuple[Any, ...]],
    *,
    updated_columns: Sequence[str] = (),
    added_columns: Sequence[str] = (),
) -> None:
    """Insert many rows of driver values, and update or skip those whose key exists.

    Args:
        connection: a connection to the database.
        table: the table.
        columns: the columns of the values in a row.
        rows: as in ``insert_bulk``.
        updated_columns: the columns that are updated in an existing row.
        added_columns: the columns whose values are added to those of an existing row. A row that exists is
            skipped if there are no columns of either kind.
    """
    if rows:
        key = ", ".join(column.name for column in table.primary_key)
        assignments = [f"{name} = excluded.{name}" for name in updated_columns]
        assignments += [f"{name} = {table.name}.{name} + excluded.{name}" for name in added_columns]
        conflict_action = f"({key}) DO UPDATE SET {', '.join(assignments)}" if assignments else "DO NOTHING"
        sql = f"{_build_insert_sql(connection, table, columns)} ON CONFLICT {conflict_action}"
        connection.exec_driver_sql(sql, list(rows))


def _build_insert_sql(connection: Connection, table: TableClause, columns: Sequence[str]) -> str:
    placeholder = "?" if connection.dialect.name == "sqlite" else "%s"
    placeholders = ", ".join(placeholder for _ in columns)
    return f"INSERT INTO {table.name} ({_list_names(columns)}) VALUES ({placeholders})"  # noqa: S608 - names of our own


def _list_names(columns: Iterable[str]) -> str:
    """Return names of columns for a statement; ``limit`` is a keyword and has to be quoted."""
    return ", ".join(f'"{name}"' for name in columns)


def _copy_rows(connection: Connection, names: str, rows: Sequence[tuple[Any, ...]]) -> None:
    from psycopg import Error

    if not connection.in_transaction():
        connection.begin()  # SQLAlchemy does not see the COPY, and would commit nothing
    driver = connection.connection.driver_connection
    assert driver is not None
    sql = f"COPY {names} FROM STDIN"
    try:
        with driver.cursor().copy(sql) as copy:
            for row in rows:
                copy.write_row(row)
    except Error as error:  # raised as SQLAlchemy would raise it
        raise DBAPIError(sql, None, error) from error
