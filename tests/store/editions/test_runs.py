from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select, update

from digest.model import Run, RunState
from digest.store.database.engine import Store, get_highest_seq
from digest.store.database.tables.digests import digests as digests_table
from digest.store.database.tables.digests import runs as runs_table
from digest.store.database.tables.digests import shards, slots
from digest.store.editions import runs
from digest.store.editions.runs import LEASE_DURATION, SHARD_SIZE, Shard
from digest.store.editions.upcoming import find_upcoming
from digest.store.fetching import ledger
from digest.store.matching import matches
from digest.store.subscribers import digests
from tests.store.database_marks import postgres_if_long
from tests.store.factories import (
    BEFORE,
    announce,
    declare,
    declare_all,
    load_active_digests,
    make_digest,
    make_new_listing,
    run_concurrently,
)

FRIDAY = datetime(2026, 6, 12, 5, 30, tzinfo=UTC)
"""07:30 in Berlin."""
MONDAY = FRIDAY + timedelta(days=3)


def fire(store: Store, now: datetime) -> int:
    with store.begin_write() as tx:
        digests.move_digests(tx)
        runs.wake_slots(tx, now)
        return len(runs.fire_slots(tx, now))


def all_runs(store: Store) -> list[Run]:
    """All of them, in the order of their firing."""
    with store.begin_read() as tx:
        return [run for run, _ in reversed(runs.list_recent_runs(tx, 1000))]


def periods(store: Store) -> list[tuple[str, str]]:
    return [(run.period, run.state.value) for run in all_runs(store)]


def close_all(store: Store, now: datetime) -> None:
    """Match everything, close what is open, and compose it."""
    with store.begin_write() as tx:
        matches.begin_pass(tx)
        matches.finish_pass(tx, (), get_highest_seq(tx), matches.read_revision(tx))
        for run in runs.list_open_runs(tx):
            runs.note_ready(tx, run.id)
            assert runs.close_run(tx, run, matches.read_matched_to(tx), now)
    compose(store, now)


def compose(store: Store, now: datetime) -> None:
    """Compose what is closed, and let digests go over to their next slots."""
    while shard := claim(store, now):
        with store.begin_write() as tx:
            assert runs.finish_shard(tx, shard, FRIDAY)
            mine = load_active_digests(
                tx, slot=shard.run.slot, first_id=shard.first_id, last_id=shard.last_id
            )
            digests.record_sent(tx, [entry.id for entry in mine], shard.run, frozenset(), {})
    with store.begin_write() as tx:
        runs.finish_runs(tx, FRIDAY)
        digests.move_digests(tx)
        runs.wake_slots(tx, now)


def claim(store: Store, now: datetime, token: int = 1) -> Shard | None:
    with store.begin_write() as tx:
        return runs.claim_shard(tx, token, now)


def begun(store: Store, **options: Any) -> None:
    """A digest whose first edition has been, on Friday at 07:30."""
    declare(store, make_digest(**options), now=FRIDAY)
    fire(store, FRIDAY)
    close_all(store, FRIDAY)


# --- firing ---------------------------------------------------------------------------------------


def test_a_slot_fires_once_a_period(store: Store) -> None:
    begun(store)
    assert periods(store) == [("2026-06-12T07:30", "composed")]

    assert fire(store, MONDAY - timedelta(microseconds=1)) == 0
    assert fire(store, MONDAY) == 1
    assert fire(store, MONDAY) == 0
    assert fire(store, MONDAY + timedelta(hours=5)) == 0
    assert periods(store)[1:] == [("2026-06-15T07:30", "open")]


def test_racing_tickers_fire_each_slot_once(store: Store) -> None:
    declare(
        store,
        *(
            make_digest(f"d{number}", schedule=f"daily {7 + number % 3:02}:30", latest="10:00")
            for number in range(9)
        ),
        now=FRIDAY,
    )
    for now in (FRIDAY, FRIDAY + timedelta(minutes=1), MONDAY + timedelta(hours=3)):
        fired = run_concurrently(
            *(partial(fire, store, now + timedelta(milliseconds=number)) for number in range(4))
        )
        assert sum(fired) == (1 if now == FRIDAY else 0 if now < MONDAY else 3)
        close_all(store, now)

    assert len(periods(store)) == len(set(all_runs(store))) == 4


def test_after_downtime_the_last_missed_firing_makes_one_run(store: Store) -> None:
    begun(store)

    assert fire(store, MONDAY + timedelta(days=3, hours=2)) == 1
    assert periods(store)[1:] == [("2026-06-18T07:30", "open")]


def test_an_older_run_that_still_waits_is_merged_into_the_next(store: Store) -> None:
    begun(store)
    fire(store, MONDAY)
    fire(store, MONDAY + timedelta(days=1))

    assert periods(store)[1:] == [("2026-06-15T07:30", "merged"), ("2026-06-16T07:30", "open")]


@pytest.mark.parametrize(("late", "count"), [(timedelta(minutes=59), 1), (timedelta(minutes=61), 0)])
def test_who_wants_no_catching_up_gets_no_edition_for_a_firing_that_was_missed(
    store: Store, late: timedelta, count: int
) -> None:
    begun(store, catch_up="skip")
    announce(store, make_new_listing(1))

    assert fire(store, MONDAY + late) == count
    assert fire(store, MONDAY + timedelta(days=1)) == 1
    close_all(store, MONDAY + timedelta(days=1))
    last = all_runs(store)[-1]
    assert (last.period, last.from_seq, last.to_seq) == ("2026-06-16T07:30", 0, 1)  # nothing is lost by it


def test_a_slot_without_digests_does_not_fire_and_goes_on_with_the_next_period(store: Store) -> None:
    begun(store)
    declare(store, now=MONDAY)
    assert fire(store, MONDAY + timedelta(hours=1)) == 0
    with store.begin_read() as tx:
        assert find_upcoming(tx) == ()

    declare(store, make_digest(), now=MONDAY)
    assert fire(store, MONDAY + timedelta(hours=2)) == 0
    with store.begin_read() as tx:
        (coming,) = find_upcoming(tx)
    assert (coming.at, coming.digest, coming.zone) == (MONDAY + timedelta(days=1), "systems", "Europe/Berlin")


def test_a_clock_that_was_set_back_opens_no_period_before_the_last_one(store: Store) -> None:
    begun(store)
    assert fire(store, MONDAY) == 1
    declare(store, now=MONDAY)
    fire(store, MONDAY)
    declare(store, make_digest(), now=FRIDAY - timedelta(days=1))

    assert fire(store, FRIDAY - timedelta(hours=1)) == 0
    with store.begin_read() as tx:
        assert [edition.at for edition in find_upcoming(tx)] == [FRIDAY]
    assert fire(store, FRIDAY) == 0
    assert fire(store, MONDAY) == 0
    assert fire(store, MONDAY + timedelta(days=1)) == 1


def test_wall_clocks_are_kept_when_clocks_change(store: Store) -> None:
    before = datetime(2026, 10, 23, 5, 30, tzinfo=UTC)
    declare(store, make_digest(schedule="daily 02:30"), now=before)
    fire(store, before)
    close_all(store, before)

    fired = []
    hours = (24 * night - early for night in range(1, 5) for early in range(7, 0, -1))
    for hour in hours:  # from 22:30 to 04:30 UTC: what fired later would be seen in the next night
        now = before + timedelta(hours=hour)
        if fire(store, now):
            fired.append(now)
        close_all(store, now)

    # Berlin's 02:30 comes twice on the 25th: the first one counts.
    assert fired == [
        datetime(2026, 10, 24, 0, 30, tzinfo=UTC),
        datetime(2026, 10, 25, 0, 30, tzinfo=UTC),
        datetime(2026, 10, 26, 1, 30, tzinfo=UTC),
        datetime(2026, 10, 27, 1, 30, tzinfo=UTC),
    ]


# --- what a run waits for -------------------------------------------------------------------------


def account(store: Store, *days: date, section: str = "cs.LG") -> None:
    with store.begin_write() as tx:
        ledger.declare_sections(tx, "arxiv", [section], BEFORE)
        due = [(day, datetime(day.year, day.month, day.day, 4, tzinfo=UTC)) for day in days]
        ledger.make_batches(tx, "arxiv", section, due)


def waited(store: Store, run: Run) -> list[tuple[str, int]]:
    with store.begin_read() as tx:
        return [(batch.section, batch.day.day) for batch in ledger.load_batches_of_run(tx, run.id)]


def test_a_first_run_waits_for_the_last_day_of_each_section(store: Store) -> None:
    account(store, date(2026, 6, 11), date(2026, 6, 12))
    account(store, date(2026, 6, 11), section="cs.DC")
    account(store, date(2026, 6, 15))
    declare(store, make_digest(), now=FRIDAY)
    fire(store, FRIDAY)

    assert waited(store, all_runs(store)[-1]) == [("cs.DC", 11), ("cs.LG", 12)]


def test_a_run_waits_for_what_was_due_since_the_last_one_that_closed(store: Store) -> None:
    days = [date(2026, 6, day) for day in (11, 12, 15, 16, 17)]
    account(store, *days)
    begun(store)
    fire(store, MONDAY)
    close_all(store, MONDAY)
    fire(store, MONDAY + timedelta(days=1))  # merged: does not count
    fire(store, MONDAY + timedelta(days=2))

    assert waited(store, all_runs(store)[1]) == [("cs.LG", 15)]
    assert waited(store, all_runs(store)[-1]) == [("cs.LG", 16), ("cs.LG", 17)]


def test_what_a_run_waits_for_is_fixed_when_it_is_made(store: Store) -> None:
    account(store, date(2026, 6, 12), date(2026, 6, 15))
    begun(store)
    fire(store, MONDAY)
    account(store, date(2026, 6, 14))
    account(store, date(2026, 6, 15), section="cs.DC")

    assert waited(store, all_runs(store)[-1]) == [("cs.LG", 15)]


# --- windows --------------------------------------------------------------------------------------


def test_a_run_closes_once_whoever_closes_it(store: Store) -> None:
    declare(store, make_digest(), now=FRIDAY)
    fire(store, FRIDAY)
    announce(store, make_new_listing(1), make_new_listing(2))

    def close(upto: int) -> bool:
        with store.begin_write() as tx:
            ((run, _),) = runs.list_recent_runs(tx, 1)
            return runs.close_run(tx, run, upto, FRIDAY)

    assert sorted(run_concurrently(*(partial(close, 2) for _ in range(4)))) == [False, False, False, True]
    with store.begin_read() as tx:
        assert len(tx.execute(select(shards)).all()) == 1
        assert runs.list_open_runs(tx) == ()


def test_the_seq_at_which_a_run_became_ready_stays(store: Store) -> None:
    declare(store, make_digest(), now=FRIDAY)
    fire(store, FRIDAY)
    announce(store, make_new_listing(1))
    (run,) = all_runs(store)
    with store.begin_write() as tx:
        assert runs.note_ready(tx, run.id) == 1
    announce(store, make_new_listing(2))
    with store.begin_write() as tx:
        assert runs.note_ready(tx, run.id) == 1


def test_a_new_digest_gets_no_second_edition_of_the_period_that_its_schedule_is_just_at(store: Store) -> None:
    begun(store, name="old", latest="10:00")
    fire(store, MONDAY)
    just_then = MONDAY + timedelta(seconds=20)
    declare(store, make_digest("old", latest="10:00"), make_digest("new", latest="10:00"), now=just_then)
    fire(store, just_then)
    with store.begin_write() as tx:
        waiting, first = runs.list_open_runs(tx)
        assert waiting.period == first.period == "2026-06-15T07:30"
        runs.close_run(tx, first, 0, just_then)
    compose(store, just_then)
    assert in_slot(store, waiting.slot) == ["old"]

    with store.begin_write() as tx:
        runs.close_run(tx, waiting, 0, just_then)
        digests.move_digests(tx)
    assert in_slot(store, waiting.slot) == ["old"]
    compose(store, just_then)

    assert in_slot(store, waiting.slot) == ["new", "old"]


def in_slot(store: Store, slot: int) -> list[str]:
    with store.begin_read() as tx:
        return sorted(active_digest.name for active_digest in load_active_digests(tx, slot=slot))


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("announce"), st.integers(1, 3)),
        st.tuples(st.just("wait"), st.sampled_from([1, 7, 24, 60])),
        st.tuples(st.just("close"), st.just(0)),
        st.tuples(st.just("match"), st.just(0)),
        st.tuples(st.just("compose"), st.integers(0, 3)),
        st.tuples(st.just("file"), st.integers(0, 5)),
    ),
    min_size=5,
    max_size=30,
)
FILES = (
    [make_digest("x"), make_digest("y", schedule="daily 18:00")],
    [make_digest("x", schedule="daily 18:00"), make_digest("y", schedule="daily 18:00")],
    [make_digest("x"), make_digest("y")],
    [make_digest("x", schedule="every 3 hours"), make_digest("y"), make_digest("z")],
    [make_digest("z", schedule="weekly mon 9:00"), make_digest("x")],
    [make_digest("x", latest="10:00"), make_digest("y", schedule="daily 18:00"), make_digest("z")],
)


class Simulation:
    """Ticks, closings, composings and changes of the file, in any order, over simulated time.

    Attributes:
        sent_runs: how far each digest has been told, as its reader would say.
        editions: which periods each digest had an edition of.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.now = FRIDAY
        self.papers = 0
        self.sent_runs: dict[str, int] = {}
        self.editions: set[tuple[str, str]] = set()

    def announce(self, count: int) -> None:
        announce(self.store, *(make_new_listing(self.papers + number) for number in range(1, count + 1)))
        self.papers += count

    def wait(self, hours: int) -> None:
        self.now += timedelta(hours=hours)
        fire(self.store, self.now)

    def match(self, _: int = 0) -> None:
        with self.store.begin_write() as tx:
            matches.begin_pass(tx)
            matches.finish_pass(tx, (), get_highest_seq(tx), matches.read_revision(tx))

    def close(self, _: int = 0) -> None:
        with self.store.begin_write() as tx:
            for run in runs.list_open_runs(tx):
                if runs.note_ready(tx, run.id) <= (upto := matches.read_matched_to(tx)):
                    assert runs.close_run(tx, run, upto, self.now)

    def compose(self, holding_back: int = 0) -> None:
        """Compose all that is closed; digests whose number is a multiple of something are held back."""
        while shard := claim(self.store, self.now):
            with self.store.begin_write() as tx:
                assert runs.finish_shard(tx, shard, FRIDAY)
                run = shard.run
                mine = load_active_digests(tx, slot=run.slot, first_id=shard.first_id, last_id=shard.last_id)
                held = frozenset(entry.id for entry in mine if holding_back and entry.id % holding_back == 0)
                for entry in mine:
                    self._tell(entry, run, held=entry.id in held)
                digests.record_sent(tx, [entry.id for entry in mine], run, held, {})
        with self.store.begin_write() as tx:
            runs.finish_runs(tx, FRIDAY)
            digests.move_digests(tx)
            runs.wake_slots(tx, self.now)

    def _tell(self, entry: digests.Digest, run: Run, *, held: bool) -> None:
        assert run.to_seq is not None
        assert entry.get_window_start(run) == self.sent_runs[entry.name]
        if not held:
            assert (entry.name, run.period) not in self.editions, "file names and Message-IDs are made of it"
            self.editions.add((entry.name, run.period))
            self.sent_runs[entry.name] = max(run.to_seq, self.sent_runs[entry.name])

    def file(self, which: int) -> None:
        top = self.papers
        with self.store.begin_write() as tx:
            before = {active_digest.name for active_digest in load_active_digests(tx)}
            declare_all(tx, FILES[which], self.now, top)
            digests.move_digests(tx)
            runs.wake_slots(tx, self.now)
            here = {active_digest.name for active_digest in load_active_digests(tx)}
        for name in here - before:
            self.sent_runs[name] = top  # new, or back and going on from now


@postgres_if_long
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_windows_tile_and_each_digest_is_told_everything_once_and_never_twice_for_a_period(
    store: Store, steps: list[tuple[str, int]]
) -> None:
    with store.begin_dry_run() as trial:
        workspace = Simulation(trial)
        workspace.file(0)
        for verb, much in steps:
            getattr(workspace, verb)(much)
        # In the end, with nothing held back and all slots fired, everybody has been told everything.
        workspace.compose()
        for _ in range(3):
            workspace.wait(24 * 8)
            workspace.match()
            workspace.close()
            workspace.compose()

        with trial.begin_read() as tx:
            windows = defaultdict(list)
            for row in tx.execute(select(runs_table).where(runs_table.c.from_seq.is_not(None))):
                windows[row.slot_id].append((row.from_seq, row.to_seq))
            cursors = {row.id: row.cursor_seq for row in tx.execute(select(slots))}
            everyone = load_active_digests(tx)
        for slot, tiles in windows.items():
            tiles.sort()
            assert all(first[1] == second[0] for first, second in pairwise(tiles))
            assert tiles[-1][1] == cursors[slot]
        assert {entry.name: workspace.sent_runs[entry.name] for entry in everyone} == dict.fromkeys(
            (entry.name for entry in everyone), workspace.papers
        )


# --- shards ---------------------------------------------------------------------------------------


def shard_numbers(store: Store, count: int) -> None:
    """Make a closed run with that many shards of a digest each."""
    declare(store, *(make_digest(f"d{number}") for number in range(count)), now=FRIDAY)
    fire(store, FRIDAY)
    with store.begin_write() as tx:
        (run,) = runs.list_open_runs(tx)
        runs.close_run(tx, run, 0, FRIDAY)
        numbers = tx.execute(select(digests_table.c.id).order_by(digests_table.c.id)).scalars().all()
        (row,) = tx.execute(select(shards)).all()
        assert (row.low_id, row.high_id) == (numbers[0], numbers[-1])
        tx.execute(shards.delete())
        tx.execute(
            shards.insert(),
            [
                {"run_id": run.id, "number": at, "low_id": entry, "high_id": entry, "state": "ready"}
                for at, entry in enumerate(numbers)
            ],
        )


def test_a_shard_is_one_workers_at_a_time(store: Store) -> None:
    shard_numbers(store, 12)

    def work(worker: int) -> list[int]:
        mine = []
        while shard := claim(store, FRIDAY + timedelta(milliseconds=worker), worker):
            mine.append(shard.number)
        return mine

    accepted = [
        number
        for values in run_concurrently(*(partial(work, worker) for worker in range(1, 5)))
        for number in values
    ]

    assert sorted(accepted) == list(range(12))


def test_who_was_silent_too_long_finds_its_shard_taken_over(store: Store) -> None:
    shard_numbers(store, 1)
    slow = claim(store, FRIDAY, token=1)
    assert slow is not None
    assert claim(store, FRIDAY + LEASE_DURATION - timedelta(seconds=1), token=2) is None

    quick = claim(store, FRIDAY + LEASE_DURATION, token=2)

    assert quick == replace(slow, token=2)
    with store.begin_write() as tx:
        assert not runs.finish_shard(tx, slow, FRIDAY)
        assert runs.finish_shard(tx, quick, FRIDAY)
        assert not runs.finish_shard(tx, quick, FRIDAY)
        runs.finish_runs(tx, FRIDAY)
    assert claim(store, FRIDAY + 2 * LEASE_DURATION, token=3) is None
    assert all_runs(store)[0].state is RunState.COMPOSED


def test_a_run_is_composed_when_its_last_shard_is(store: Store) -> None:
    shard_numbers(store, 2)
    for state in (RunState.CLOSED, RunState.COMPOSED):
        shard = claim(store, FRIDAY)
        assert shard is not None
        with store.begin_write() as tx:
            runs.finish_shard(tx, shard, FRIDAY)
            runs.finish_runs(tx, FRIDAY)
        assert all_runs(store)[0].state is state


@pytest.mark.parametrize(("ahead", "over"), [(timedelta(days=30), True), (timedelta(minutes=1), False)])
def test_a_lease_that_a_wrong_clock_made_is_over(store: Store, ahead: timedelta, *, over: bool) -> None:
    shard_numbers(store, 1)
    claim(store, FRIDAY + ahead, token=1)

    assert (claim(store, FRIDAY, token=2) is not None) is over


def test_a_worker_that_stops_gives_its_shard_back(store: Store) -> None:
    shard_numbers(store, 1)
    first = claim(store, FRIDAY, token=1)
    assert first is not None
    with store.begin_write() as tx:
        runs.return_shard(tx, first)
    second = claim(store, FRIDAY, token=2)
    assert second is not None
    with store.begin_write() as tx:
        runs.return_shard(tx, first)  # it is not its own any more
    assert claim(store, FRIDAY, token=3) is None


def test_a_slots_digests_are_shared_out_in_ranges_each_in_one(store: Store) -> None:
    declare(store, make_digest(queries=["a"]), now=FRIDAY)
    fire(store, FRIDAY)
    with store.begin_write() as tx:
        (row,) = tx.execute(select(digests_table)).mappings().all()
        like = [{**row, "id": row["id"] + at, "name": f"d{at}"} for at in range(1, 2 * SHARD_SIZE + 1)]
        tx.execute(digests_table.insert(), like)
        (run,) = runs.list_open_runs(tx)
        runs.close_run(tx, run, 0, FRIDAY)
        rows = tx.execute(select(shards).order_by(shards.c.number)).all()
        in_shards = [
            digest.id
            for shard in rows
            for digest in load_active_digests(tx, slot=run.slot, first_id=shard.low_id, last_id=shard.high_id)
        ]

    assert [shard.number for shard in rows] == [0, 1, 2]
    assert in_shards == [row["id"], *(row["id"] for row in like)]


def test_a_run_that_no_digest_is_left_in_is_composed_with_nothing(store: Store) -> None:
    declare(store, make_digest(), now=FRIDAY)
    fire(store, FRIDAY)
    with store.begin_write() as tx:
        tx.execute(update(digests_table).values(slot_id=digests_table.c.next_slot_id, next_slot_id=None))

    close_all(store, FRIDAY)

    assert [run.state for run in all_runs(store)] == [RunState.COMPOSED]
