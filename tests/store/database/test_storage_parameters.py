"""How PostgreSQL stores the tables that change most."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from digest.store.database.engine import Store, Transaction
from digest.store.database.tables.digests import digests
from tests.store.factories import declare, make_digest

ON_POSTGRES = pytest.mark.parametrize("store_url", ["postgresql"], indirect=True)


def read_options(store: Store, table: str) -> dict[str, str]:
    with store.begin_read() as tx:
        options = tx.exec_driver_sql(
            "SELECT reloptions FROM pg_class WHERE relname = %s", (table,)
        ).scalar_one()
    return dict(option.split("=") for option in options)


@ON_POSTGRES
def test_deliveries_are_vacuumed_long_before_a_fifth_of_their_history_is_dead(store: Store) -> None:
    assert float(read_options(store, "deliveries")["autovacuum_vacuum_scale_factor"]) <= 0.02


@ON_POSTGRES
@pytest.mark.parametrize("table", ["digests", "leases", "buckets", "queue_cursors", "runs", "shards"])
def test_rows_that_change_often_have_room_for_their_new_versions(store: Store, table: str) -> None:
    assert int(read_options(store, table)["fillfactor"]) <= 80


@ON_POSTGRES
def test_the_position_of_a_digest_changes_without_touching_any_index(store: Store) -> None:
    declare(store, *(make_digest(f"d{number}") for number in range(300)))
    with store.begin_write() as tx:
        tx.exec_driver_sql("UPDATE digests SET from_seq = NULL")
    with store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("VACUUM FULL digests")
    with store.begin_write() as tx:
        before = count_updates(tx)
        all_ids = tx.execute(select(digests.c.id)).scalars().all()
        for digest_id in all_ids[::6]:
            tx.exec_driver_sql("UPDATE digests SET from_seq = 7 WHERE id = %s", (digest_id,))
        updated, hot = (now - then for now, then in zip(count_updates(tx), before, strict=True))

    assert updated == len(all_ids[::6])
    assert hot == updated


def count_updates(tx: Transaction) -> tuple[int, int]:
    """Count the updates of digests, and those of them that touched no index."""
    counts = "pg_stat_get_xact_tuples_updated(oid), pg_stat_get_xact_tuples_hot_updated(oid)"
    row = tx.exec_driver_sql(f"SELECT {counts} FROM pg_class WHERE relname = 'digests'").one()
    return row[0], row[1]
