"""What a clock that was ahead has left in the tables, and what becomes of it."""

from __future__ import annotations

from datetime import date, timedelta

from sqlalchemy import Date, insert, select, update

from digest.model import Frequency
from digest.store import clock, clock_repair, ledger
from digest.store.clock_repair import FACTS, PAUSES, repair
from digest.store.columns import Instant, metadata
from digest.store.digest_tables import deliveries, digests, notices, runs, slots, suppressions
from digest.store.engine import Store
from digest.store.paper_tables import batches, day_answers, enrichers, events, sections, signals, source_state
from tests.store.given import DAY, NOW, later

F = later(days=365)
"""What the clock said that was ahead."""
REPAIRED = {
    slots.c.next_fire_at: "computed anew",
    runs.c.fire_at: "tells, beside `made_at`, that a run was made before its time",
    digests.c.paused_until: "a pause that the wrong clock ended begins again",
    deliveries.c.due_at: "of those on their way",
    deliveries.c.expires_at: "with it",
    suppressions.c.since: "with its end",
    suppressions.c.until: "as long as it was to be",
    sections.c.since: "begins anew",
    batches.c.day: "of feeds: by the last days",
    batches.c.due_at: "removed",
    batches.c.asked_at: "not asked, or when it was due",
    batches.c.answered_at: "the same",
    day_answers.c.at: "the same",
    events.c.day: "today",
    signals.c.day: "the last free day",
    enrichers.c.day: "today",
}
"""What ``repair`` has a function of its own for."""
ROBUST = {
    "runs.latest_at": "follows from `fire_at`",
    "shards.lease_until": "over, where it is read",
    "deliveries.lease_until": "over, where it is read",
    "leases.expires_at": "over, where it is read",
    "buckets.next_at": "no turn is so far ahead, where it is read",
    "buckets.busy_until": "nobody asks for so long, where it is read",
}
"""What needs nothing, and why."""


def test_every_time_in_the_schema_is_repaired_or_is_known_to_need_nothing() -> None:
    times = {
        str(column)
        for table in metadata.tables.values()
        for column in table.columns
        if isinstance(column.type, Instant | Date)
    }
    groups = [
        [str(one) for one in FACTS],
        [str(one) for one in PAUSES],
        [str(one) for one in REPAIRED],
        ROBUST,
    ]
    told = [name for group in groups for name in group]

    assert sorted(told) == sorted(times)


def test_one_machines_clock_is_judged_by_the_hour_and_two_machines_by_the_day(store: Store) -> None:
    with store.writing() as tx:
        clock.see(tx, later(hours=14), "one")

        assert clock.was_set_back(tx, NOW, "one")
        assert not clock.was_set_back(tx, NOW, "two")
        assert not clock.was_set_back(tx, later(hours=13), "one")
        assert clock.was_set_back(tx, later(hours=-11), "two")

        clock.reset(tx, NOW, "two")
        assert clock.latest_seen(tx) == NOW


def test_facts_of_the_future_are_of_now_and_pauses_are_over(store: Store) -> None:
    state = {
        "source": "arxiv",
        "route": "rss",
        "section": "cs.DC",
        "asked_at": F,
        "answered_at": F,
        "next_at": F,
    }
    with store.planning() as tx:
        tx.execute(insert(source_state).values(state | {"cursor": f"{DAY} {F.date()} 0"}))
        tx.execute(insert(source_state).values(state | {"route": "oai", "cursor": f"{DAY}"}))
        tx.execute(insert(notices).values(name="store", text="It is.", noted_at=F, due_at=F, told=[]))
        repair(tx, NOW, {})

        rows = tx.execute(select(source_state).order_by(source_state.c.route)).all()
        assert [(row.asked_at, row.answered_at, row.next_at) for row in rows] == [(NOW, NOW, NOW)] * 2
        assert [row.cursor for row in rows] == [str(DAY), ""]
        notice = tx.execute(select(notices)).one()
        assert (notice.noted_at, notice.due_at) == (NOW, NOW)


def test_days_to_come_are_removed_and_those_of_feeds_dated_by_the_last_free_days(store: Store) -> None:
    with store.planning() as tx:
        ledger.declare_sections(tx, "arxiv", ["cs.DC"], DAY)
        ledger.declare_sections(tx, "feed", ["blog"], DAY, accounted=False)
        ledger.make_batches(tx, "arxiv", "cs.DC", [(DAY, NOW), (F.date(), F)])
        ledger.make_batches(tx, "feed", "blog", [(DAY, NOW), (F.date(), F)])
        tx.execute(update(batches).where(batches.c.source == "arxiv").values(asked_at=F, state="failed"))
        tx.execute(update(batches).where(batches.c.source == "feed").values(state="complete", received=1))
        told = repair(tx, NOW, {})

        rows = tx.execute(select(batches).where(batches.c.source == "arxiv")).all()
        assert [(row.day, row.state, row.asked_at) for row in rows] == [(DAY, "waiting", None)]
        assert told.days == 2  # nothing is listed in either


def test_numbers_of_days_to_come_are_dated_by_free_days_and_none_is_lost(store: Store) -> None:
    def row(day: date, value: float) -> dict[str, object]:
        return {"subject": "arxiv:1", "kind": "votes", "source": "hf_daily", "day": day, "value": value}

    with store.planning() as tx:
        days = [DAY, DAY - timedelta(days=1), F.date(), F.date() + timedelta(days=1)]
        tx.execute(insert(signals), [row(day, place) for place, day in enumerate(days)])
        repair(tx, NOW, {})

        rows = tx.execute(select(signals).order_by(signals.c.day)).all()
        assert [row.day for row in rows] == [DAY - timedelta(days=back) for back in (3, 2, 1, 0)]
        assert {row.value for row in rows} == {0, 1, 2, 3}


def test_a_first_edition_that_waits_for_the_wrong_clocks_time_is_due(store: Store) -> None:
    slot = {"zone": "UTC", "days": "", "every": 0, "latest": "", "catch_up": "send", "cursor_seq": 0}
    with store.planning() as tx:
        for hours in (0, 1):
            at = F + timedelta(hours=hours)
            tx.execute(
                insert(slots).values(
                    slot | {"frequency": Frequency.ONCE.value, "at": at.isoformat(), "next_fire_at": at}
                )
            )
        repair(tx, NOW, {})

        assert all(row.next_fire_at < NOW for row in tx.execute(select(slots)))
        assert clock_repair.repair(tx, NOW, {}).schedules == 0
