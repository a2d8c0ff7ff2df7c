"""What monitoring can rely on, whichever process answers."""

from __future__ import annotations

from datetime import timedelta

from digest.jobs.operations.measurements import ChannelQueue, Measurements, load_measurements
from digest.model import BatchState
from digest.store.database.engine import Store
from digest.store.delivery import outbox, rates
from digest.store.editions import held_runs, runs
from digest.store.fetching import ledger, rate_limits
from digest.store.workers import hints, workers
from digest.store.workers.workers import Worker
from tests.store.factories import NOW, add_to_now, make_due_edition

LATER = add_to_now(minutes=5)


def measure(store: Store) -> Measurements:
    return load_measurements(store, {}, LATER)


def test_the_queue_of_a_channel_is_measured_until_it_is_empty(store: Store) -> None:
    assert measure(store).channels == {}
    make_due_edition(store, 5)
    with store.begin_write() as tx:
        outbox.claim_deliveries(tx, "smtp", 7, NOW, 2)
    assert measure(store).channels == {"smtp": ChannelQueue(due=3, leased=2, oldest_due=NOW)}
    assert measure(store).oldest_due == NOW

    with store.begin_write() as tx:
        outbox.claim_deliveries(tx, "smtp", 7, NOW, 10)
    assert measure(store).channels == {"smtp": ChannelQueue(due=0, leased=5, oldest_due=None)}


def test_a_held_run_counts_until_it_is_released(store: Store) -> None:
    make_due_edition(store, 1)
    with store.begin_write() as tx:
        held = held_runs.hold_run(tx, 1, "bounces")
    assert held is not None
    assert measure(store).held_runs == 1

    with store.begin_write() as tx:
        held_runs.release_run(tx, 1)
    assert measure(store).held_runs == 0


def test_hosts_servers_and_domains_that_pause_are_counted_apart(store: Store) -> None:
    with store.begin_write() as tx:
        rate_limits.pause_bucket(tx, "export.arxiv.org", add_to_now(hours=1), "503")
        rates.reduce_domain_rate(tx, "example.org", 1.0, LATER, "421 slow down", timedelta(hours=1))
        rates.reduce_domain_rate(tx, "example.net", 1.0, NOW, "421 slow down", timedelta(minutes=1))
        rates.pause_server(tx, "mail:25", LATER, "no route")

    pauses = measure(store).pauses
    assert (pauses.hosts, pauses.servers, pauses.domains, pauses.slow_domains) == (1, 1, 1, 2)


def test_workers_are_measured_with_what_waits_for_them(store: Store) -> None:
    with store.begin_write() as tx:
        now = workers.read_database_time(tx)
        worker = Worker(
            token=7,
            holder="one:1.2.3",
            command="worker",
            release="0",
            queues=("tick",),
            clock_offset=120.0,
            started_at=now,
            heartbeat_at=now,
        )
        workers.save_worker(tx, worker)
        hints.defer_hint(tx, hints.COMPOSE, 3)
        has_hints = hints.are_used(tx)

    measured = measure(store).workers
    assert measured.workers == (worker,)
    assert measured.now >= now
    assert measured.troubles >= 2  # its clock and its release
    assert measured.waiting_hints == ({"compose": 3} if has_hints else {})
    assert measured.hint_ages.keys() == measured.waiting_hints.keys()
    assert all(0 <= age < 60 for age in measured.hint_ages.values())
    assert measured.ready_shards == measured.leased_shards == {"edition": 0, "alert": 0}


def test_shards_are_measured_while_they_are_composed(store: Store) -> None:
    make_due_edition(store, 3)
    with store.begin_write() as tx:
        assert runs.claim_shard(tx, 7, NOW) is not None

    measured = measure(store).workers
    assert measured.ready_shards == {"edition": 0, "alert": 0}
    assert measured.leased_shards == {"edition": 1, "alert": 0}
    assert measured.oldest_closed == NOW


def test_a_source_has_all_states_of_days_so_that_the_first_failed_one_is_a_change(store: Store) -> None:
    with store.begin_write() as tx:
        ledger.declare_sections(tx, "arxiv", ("cs.DC",), NOW.date(), accounted=True, fills=False)
        ledger.make_batches(tx, "arxiv", "cs.DC", [(NOW.date(), NOW)])

    assert measure(store).batches == {
        ("arxiv", state.value): int(state is BatchState.WAITING) for state in BatchState
    }


def test_locks_and_replicas_are_measured_on_postgresql_only(store: Store) -> None:
    is_postgresql = store.engine.dialect.name == "postgresql"

    assert (measure(store).lock_waits is not None) == is_postgresql
    assert (measure(store).replication is not None) == is_postgresql
