"""The hold of a restored database on both databases: what it covers, what it leaves alone, and how it ends."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import insert, select, text, update

from digest.jobs.backups.restored_backup import (
    check_restored,
    find_hold,
    prepare_restored,
    release_restored,
)
from digest.model import Sent
from digest.store.database import leases
from digest.store.database.engine import Store, open_store
from digest.store.database.tables.digests import deliveries, destinations, digests, runs, shards, slots
from digest.store.database.tables.papers import buckets
from digest.store.database.tables.processes import leases as lease_rows
from digest.store.database.tables.processes import workers
from digest.store.delivery import outbox, receipts
from digest.store.editions import alerts, held_runs
from digest.store.editions import runs as run_store
from digest.store.operations.audit import list_entries
from digest.store.workers.workers import Worker, read_database_time, save_worker
from tests.store.conftest import open_url
from tests.store.factories import NOW, SHELL, make_due_edition

LATER = NOW + timedelta(days=1)


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    for url in open_url(request, tmp_path):
        store = open_store(url, NOW)
        yield store
        store.close()


def claim(store: Store) -> int:
    with store.begin_write() as tx:
        return len(outbox.claim_deliveries(tx, "smtp", 7, LATER, 100))


def test_leases_and_processes_of_the_lost_installation_are_not_believed(store: Store) -> None:
    make_due_edition(store, 4)
    claim(store)
    with store.begin_write() as tx:
        now = read_database_time(tx)
        worker = Worker(
            token=7, holder="lost:1.2.ab", command="worker", release="1", started_at=now, heartbeat_at=now
        )
        save_worker(tx, worker)
        leases.claim(tx, "cycle", "lost:1.2.ab", NOW)
        tx.execute(insert(buckets).values(name="arxiv.org", next_at=NOW, busy_until=NOW, holder=7, pace=0.0))
        tx.execute(update(shards).values(state="leased", lease_until=LATER, lease_token=7))
        if tx.dialect.name == "postgresql":
            tx.execute(text("INSERT INTO procrastinate_jobs (queue_name, task_name) VALUES ('tick', 'tick')"))

    with store.begin_planning() as tx:
        prepare_restored(tx, SHELL, NOW)

    with store.begin_read() as tx:
        assert set(tx.execute(select(deliveries.c.state)).scalars()) == {"ready"}
        assert set(tx.execute(select(shards.c.state)).scalars()) == {"ready"}
        assert set(tx.execute(select(buckets.c.holder)).scalars()) == {0}
        assert tx.execute(select(workers)).first() is None
        assert tx.execute(select(lease_rows)).first() is None
        if tx.dialect.name == "postgresql":
            assert tx.execute(text("SELECT count(*) FROM procrastinate_jobs")).scalar_one() == 0


def test_everything_is_held_until_the_release_and_what_was_held_before_stays_held(store: Store) -> None:
    make_due_edition(store, 4)
    end_first_edition(store)
    fire_again(store)
    with store.begin_write() as tx:
        first, second = tx.execute(select(runs.c.id).order_by(runs.c.id)).scalars()
        held_runs.hold_run(tx, first, "an earlier reason")
        held_runs.release_run(tx, first)
        held_runs.hold_run(tx, second, "too much of it was refused")

    state = check_restored(store, SHELL, NOW, LATER)

    assert (state.held_runs, [channel.count for channel in state.repeats.channels]) == (1, [4])
    assert state.repeats.channels[0].first[0].address == "0000@example.org"
    assert claim(store) == 0
    fire_again(store, days=4)
    assert check_restored(store, SHELL, NOW, LATER).held_runs == 2, "a run that is made meanwhile is held"

    released = release_restored(store, SHELL, LATER)

    assert released is not None
    assert (released.runs, released.deliveries) == (2, 4)
    assert find_hold(store) is None
    assert claim(store) == 4
    with store.begin_read() as tx:
        assert [(run.id, run.reason) for run in held_runs.list_held_runs(tx)] == [
            (second, "too much of it was refused")
        ]
        actions = [(entry.action, entry.amount) for entry in list_entries(tx, 10)]
    assert actions == [("release-restored", 2), ("hold-restored", 1)]
    assert release_restored(store, SHELL, LATER) is None


def test_what_cannot_go_out_is_not_listed(store: Store) -> None:
    make_due_edition(store, 6)
    with store.begin_write() as tx:
        (first, *_) = outbox.claim_deliveries(tx, "smtp", 7, NOW, 1)
        receipts.record_receipts(tx, [(first, Sent(answer="250"))], NOW)
        numbers = list(tx.execute(select(deliveries.c.id).order_by(deliveries.c.id)).scalars())
        change = update(deliveries)
        tx.execute(change.where(deliveries.c.id == numbers[1]).values(due_at=LATER + timedelta(hours=1)))
        tx.execute(change.where(deliveries.c.id == numbers[2]).values(state="refused"))
        gone = select(deliveries.c.destination_id).where(deliveries.c.id == numbers[3]).scalar_subquery()
        tx.execute(update(destinations).where(destinations.c.id == gone).values(state="ended"))

    repeats = check_restored(store, SHELL, NOW, LATER).repeats

    assert [[entry.id for entry in channel.first] for channel in repeats.channels] == [numbers[4:]]
    assert repeats.later == 1


def test_a_run_that_is_due_is_listed_once_however_many_of_its_times_have_passed(store: Store) -> None:
    make_due_edition(store, 1)
    with store.begin_read() as tx:
        last = tx.execute(select(runs.c.period)).scalar_one()
    end_first_edition(store)

    repeats = check_restored(store, SHELL, NOW, NOW + timedelta(days=5)).repeats

    (run,) = repeats.runs
    assert run.digests == 1
    assert run.period > last


def test_the_backup_is_as_old_as_the_latest_entry_of_the_database(store: Store) -> None:
    make_due_edition(store, 1)

    state = check_restored(store, SHELL, NOW + timedelta(minutes=7), LATER)

    assert state.backed_up_at == NOW + timedelta(minutes=7)


def test_numbers_that_links_of_the_lost_installation_contain_are_not_given_again(store: Store) -> None:
    if store.engine.dialect.name == "sqlite":
        pytest.skip("SQLite numbers rows after the last one")
    make_due_edition(store, 3)

    check_restored(store, SHELL, NOW, LATER)
    make_due_edition(store, 3, name="another", to=["new@example.org"])

    with store.begin_read() as tx:
        for table in (digests, destinations, deliveries):
            numbers = sorted(tx.execute(select(table.c.id)).scalars())
            assert numbers[-1] > 100_000, table.name


def test_a_process_that_is_still_at_work_is_named(store: Store) -> None:
    with store.begin_write() as tx:
        now = read_database_time(tx)
        save_worker(
            tx,
            Worker(
                token=7,
                holder="elsewhere:1.2.ab",
                command="worker",
                release="1",
                started_at=now,
                heartbeat_at=now,
            ),
        )

    assert check_restored(store, SHELL, NOW, LATER).live_workers == ("elsewhere: worker",)


def end_first_edition(store: Store) -> None:
    """The first edition is over, and the next ones come by the schedule."""
    with store.begin_planning() as tx:
        regular = select(slots.c.id).where(slots.c.frequency == "daily").scalar_subquery()
        tx.execute(update(digests).values(slot_id=regular, next_slot_id=None))
        tx.execute(update(runs).values(state="composed"))
        run_store.wake_slots(tx, NOW)


def fire_again(store: Store, days: int = 3) -> None:
    with store.begin_planning() as tx:
        run_store.fire_slots(tx, NOW + timedelta(days=days))


def test_an_alert_that_is_made_meanwhile_is_held(store: Store) -> None:
    make_due_edition(store, 1)
    with store.begin_planning() as tx:
        prepare_restored(tx, SHELL, NOW)
        alert_slot = {"frequency": "alert", "zone": "UTC", "at": "", "days": "", "every": 0, "latest": ""}
        tx.execute(insert(slots).values(**alert_slot, catch_up="once", cursor_seq=0))
        slot = tx.execute(select(slots).where(slots.c.frequency == "alert")).one()
        alerts._make_run(tx, slot, 5, [1], NOW)
        (held,) = tx.execute(select(runs.c.held).where(runs.c.period == "alert-5")).scalars()

    assert held.startswith("the database was restored from a backup of 2026-06-12 05:30 UTC")
