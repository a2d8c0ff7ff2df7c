"""Rows that are inserted in bulk, on both databases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from sqlalchemy import insert, select

from digest.errors import StoreError
from digest.store.database.bulk import allocate_ids, insert_bulk, insert_missing_bulk
from digest.store.database.engine import Store
from digest.store.database.tables.column_types import list_defaults
from digest.store.database.tables.digests import digests, queries, subscribers
from tests.store.factories import declare, make_digest, run_concurrently

COLUMNS = ("text", "compiled", "revision")


def make_rows(first: int, size: int) -> list[tuple[Any, ...]]:
    return [(f"a \\t \\N\t{number}", "new", number) for number in range(first, first + size)]


def load_rows(store: Store) -> Sequence[Any]:
    with store.begin_read() as tx:
        return tx.execute(select(*(queries.c[name] for name in COLUMNS)).order_by(queries.c.revision)).all()


@pytest.mark.parametrize("size", [1, 20, 700])
def test_missing_rows_are_inserted_and_counted_and_others_stay(store: Store, size: int) -> None:
    with store.begin_write() as tx:
        tx.execute(insert(queries), [dict(zip(COLUMNS, row, strict=True)) for row in make_rows(0, 5)])
        tx.execute(queries.update().values(compiled="old"))
        assert insert_missing_bulk(tx, queries, COLUMNS, make_rows(5, size)) == size
        assert insert_missing_bulk(tx, queries, COLUMNS, make_rows(3, size)) == max(0, 3 + size - (5 + size))
        assert insert_missing_bulk(tx, queries, COLUMNS, []) == 0

    rows = load_rows(store)
    assert [(row.text, row.revision) for row in rows] == [(row[0], row[2]) for row in make_rows(0, 5 + size)]
    assert [row.compiled for row in rows] == ["old"] * 5 + ["new"] * size


def test_of_rows_with_one_key_the_first_is_inserted(store: Store) -> None:
    rows = make_rows(0, 400)
    with store.begin_write() as tx:
        assert insert_missing_bulk(tx, queries, COLUMNS, [*rows, *make_rows(0, 400)]) == 400

    assert [tuple(row) for row in load_rows(store)] == rows


def test_a_row_that_exists_is_an_error_of_a_plain_insert_and_nothing_of_it_stays(store: Store) -> None:
    with store.begin_write() as tx:
        insert_bulk(tx, queries, COLUMNS, make_rows(0, 1))
    with pytest.raises(StoreError), store.begin_write() as tx:
        insert_bulk(tx, queries, COLUMNS, [*make_rows(1, 400), *make_rows(0, 1)])

    assert len(load_rows(store)) == 1


def test_numbers_are_given_once_and_are_those_that_the_database_would_give(store: Store) -> None:
    declare(store, make_digest())

    def add(first: int) -> list[int]:
        with store.begin_write() as tx:
            ids = allocate_ids(tx, subscribers, 300)
            insert_bulk(tx, subscribers, ("id", "address"), [(each, f"{first}-{each}") for each in ids])
            return list(ids)

    given = run_concurrently(*(lambda first=first: add(first) for first in range(3)))

    numbers = [number for ids in given for number in ids]
    assert all(ids == sorted(ids) for ids in given)
    assert sorted(numbers) == list(range(2, 902))  # the owner of the file has the first one
    with store.begin_write() as tx:
        tx.execute(insert(subscribers), [{"address": "last"}])
        assert tx.execute(select(subscribers.c.id).where(subscribers.c.address == "last")).scalar_one() == 902
        assert list(allocate_ids(tx, subscribers, 0)) == []


def test_what_only_we_give_by_default_is_given(store: Store) -> None:
    declare(store, make_digest())
    with store.begin_read() as tx:
        row = tx.execute(select(digests)).mappings().one()

    names, values = list_defaults(digests, ("id", "limit", "feed_entries"))

    assert {"resume_from", "feed_version", "public_digest", "is_customized"} <= set(names)
    assert {"id", "limit", "feed_entries"}.isdisjoint(names)
    unset = {
        "resume_from",
        "feed_version",
        "pruned_editions",
        "public_digest",
        "public_hash",
        "is_customized",
    }
    assert {name: row[name] for name in unset} == {
        name: value for name, value in zip(names, values, strict=True) if name in unset
    }
