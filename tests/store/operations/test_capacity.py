"""What the last days took is counted in bounded statements, on both databases."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import insert, select, update

from digest.store.database.engine import Store
from digest.store.database.tables.digests import deliveries, destinations, editions, runs
from digest.store.operations import capacity
from digest.store.operations.capacity import RecentUse, load_recent_use
from tests.store.factories import (
    NOW,
    announce_many,
    make_due_edition,
    record_statements,
)


def load(store: Store, days: int = 7) -> RecentUse:
    with store.begin_read() as tx:
        return load_recent_use(tx, NOW, days)


def add_editions(store: Store, ages: list[float]) -> None:
    """Add an edition and a delivery of a new run for each age in days, oldest first."""
    with store.begin_write() as tx:
        run, edition, delivery = (
            tx.execute(select(table)).mappings().first() for table in (runs, editions, deliveries)
        )
        assert run
        assert edition
        assert delivery
        for number, age in enumerate(ages, start=2):
            at = NOW - timedelta(days=age)
            new_run = {"id": number, "period": f"{number}", "made_at": at, "deliveries": 1}
            tx.execute(insert(runs).values({**run, **new_run}))
            tx.execute(
                insert(editions).values({**edition, "id": number, "run_id": number, "composed_at": at})
            )
            tx.execute(insert(deliveries).values({**delivery, "id": number, "edition_id": number}))


def test_an_empty_store_has_taken_nothing(store: Store) -> None:
    use = load(store)

    assert use == RecentUse(days=1, subscribers=0, digests=0, follows=0, queries=0, tables=use.tables)
    assert {(table.rows, table.row_size) for table in use.tables} == {(0.0, 0.0)}


def test_editions_and_deliveries_are_counted_by_channel_and_domain(store: Store) -> None:
    announce_many(store, 3)
    make_due_edition(store, 5)
    with store.begin_write() as tx:
        other = destinations.c.address == "0004@example.org"
        tx.execute(update(destinations).where(other).values(domain="a.org"))

    use = load(store)

    assert (use.days, use.subscribers, use.digests, use.follows, use.queries) == (1, 1, 1, 1, 1)
    assert (use.editions, use.deliveries) == (1.0, {"smtp": 5.0})
    assert use.domains == {"example.org": 4.0, "a.org": 1.0}
    rows = {table.table: table.rows for table in use.tables}
    assert (rows["editions"], rows["deliveries"], rows["events"], rows["listings"]) == (1.0, 5.0, 3.0, 3.0)
    assert (use.papers, rows["statements"]) == (3.0, 3.0)
    sizes = {table.table: table.row_size for table in use.tables}
    assert 100 < sizes["deliveries"] < 1_000
    assert 50 < sizes["editions"] < 1_000


def test_what_is_older_than_the_days_does_not_count(store: Store) -> None:
    make_due_edition(store, 1)
    with store.begin_write() as tx:
        tx.execute(update(editions).values(composed_at=NOW - timedelta(days=30)))
    add_editions(store, [9.0, 8.0, 6.0, 3.0, 3.0, 1.0, 0.0])

    assert load(store).days == 7
    assert load(store).editions == pytest.approx(5 / 7)
    assert load(store).deliveries == {"smtp": pytest.approx(5 / 7)}
    assert load(store, days=2).editions == 1.0


def test_days_without_editions_count_where_there_were_some_before(store: Store) -> None:
    make_due_edition(store, 1)
    assert load(store).days == 1
    with store.begin_write() as tx:
        tx.execute(update(editions).values(composed_at=NOW - timedelta(days=30)))
    add_editions(store, [1.0])

    assert load(store).days == 7
    assert load(store).editions == pytest.approx(1 / 7)


def test_many_rows_are_counted_in_samples(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    make_due_edition(store, 1)
    with store.begin_write() as tx:
        tx.execute(update(editions).values(composed_at=NOW - timedelta(days=5)))
    add_editions(store, [4.0] * 200)
    exact = load(store)
    monkeypatch.setattr(capacity, "_MAX_EXACT_ROWS", 20)
    monkeypatch.setattr(capacity, "_SAMPLES", 4)
    monkeypatch.setattr(capacity, "_ROWS_PER_SAMPLE", 5)

    with record_statements(store) as statements:
        sampled = load(store)

    assert exact.editions == pytest.approx(201 / 6)
    assert sampled.editions == pytest.approx(201 / 6, rel=0.05)
    assert sampled.deliveries["smtp"] == pytest.approx(201 / 6, rel=0.1)
    assert len(statements) < 80


def test_statistics_of_the_database_serve_where_there_are_any(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_due_edition(store, 1)
    add_editions(store, [1.0] * 200)
    monkeypatch.setattr(capacity, "_ROWS_FOR_STATISTICS", 10)
    monkeypatch.setattr(capacity, "_MAX_EXACT_ROWS", 0)
    with store.begin_write() as tx:
        tx.exec_driver_sql("ANALYZE")

    use = load(store)

    assert (use.digests, use.follows, use.queries) == (1, 1, 1)
    sizes = {table.table: table.row_size for table in use.tables}
    assert 50 < sizes["editions"] < 1_000
    assert 100 < sizes["deliveries"] < 2_000


def test_the_speed_is_that_of_the_largest_run_from_its_first_mail_to_its_last(store: Store) -> None:
    make_due_edition(store, 5)
    assert load(store).speed is None
    with store.begin_write() as tx:
        tx.execute(update(runs).values(deliveries=5))
        numbers = tx.execute(select(deliveries.c.id).order_by(deliveries.c.id)).scalars().all()
        for place, number in enumerate(numbers[:4]):
            sent = {"state": "sent", "sent_at": NOW + timedelta(seconds=10 * place)}
            tx.execute(update(deliveries).where(deliveries.c.id == number).values(sent))

    speed = load(store).speed

    assert speed is not None
    assert (speed.deliveries, speed.seconds) == (4, 30.0)
