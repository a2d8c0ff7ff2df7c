"""What a clock that was ahead has left in the tables, and what becomes of it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from sqlalchemy import Date, insert, select, update

from digest.core.times.schedule import find_last_firing
from digest.model import Frequency, SubjectKind
from digest.store.database import clock
from digest.store.database.engine import Store
from digest.store.database.tables.column_types import UtcDateTime, metadata
from digest.store.database.tables.digests import deliveries, notices, slots
from digest.store.database.tables.papers import batches, buckets, enrichments, sections, source_state
from digest.store.database.tables.readers import reports, suppressions
from digest.store.delivery.suppressions import suppress_address
from digest.store.fetching import ledger
from digest.store.operations.clock_repair import is_behind, reset_after_clock_error
from digest.store.subscribers.digests import read_schedule
from tests.store.factories import DAY, NOW, add_to_now, make_due_edition

AHEAD = add_to_now(days=365)
"""What the clock said."""
TAKEN_BACK = {
    "slots.next_fire_at",
    "sections.since",
    "batches.day",
    "batches.due_at",
    "batches.asked_at",
    "batches.answered_at",
    "day_answers.at",
    "source_state.asked_at",
    "source_state.answered_at",
    "source_state.next_at",
    "enrichments.asked_at",
    "enrichments.next_at",
    "enrichers.day",
    "deliveries.due_at",
    "deliveries.expires_at",
    "buckets.paused_until",
    "notices.due_at",
    "suppressions.since",
    "suppressions.until",
}
OVER_WHERE_READ = {
    "opened_subjects.opened_at",
    "link_mails.last_at",
    "used_links.expires_at",
    "suppressed_hashes.since",
    "audit_entries.at",
    "api_tokens.created_at",
    "api_tokens.used_at",
    "api_tokens.expires_at",
    "sessions.created_at",
    "sessions.seen_at",
    "sessions.expires_at",
    "shards.lease_until",
    "deliveries.lease_until",
    "leases.expires_at",
    "workers.started_at",
    "workers.heartbeat_at",
    "queue_cursors.noted_at",
    "queue_cursors.front_due_at",
    "queue_cursors.front_at",
    "queue_cursors.due_at",
    "buckets.next_at",
    "buckets.busy_until",
    "buckets.taken_at",
    "deliveries.failed_at",  # at the next failure at the latest
}
"""What is further ahead than it can be counts as over, or as not told."""
HISTORY = {
    "slots.woken_at",
    "digests.paused_until",
    "follows.ended_at",
    "feedback.at",
    "opinions.at",
    "runs.fire_at",
    "runs.made_at",
    "runs.latest_at",
    "runs.closed_at",
    "runs.composed_at",
    "shards.claimed_at",
    "shards.composed_at",
    "editions.composed_at",
    "deliveries.sent_at",
    "reports.at",
    "notices.noted_at",
    "sections.left_at",
    "moves.first_at",
    "moves.last_at",
    "events.day",
    "person_ids.said_at",
    "person_ids.withdrawn_at",
    "same_person.said_at",
    "same_person.withdrawn_at",
    "enrichers.answered_at",
    "enrichers.error_at",
    "signals.day",
    "paper_imports.since",
    "paper_imports.first_day",
    "paper_imports.last_day",
    "paper_imports.started_at",
    "paper_imports.finished_at",
}
"""What happened; nothing that is sent waits for it."""
REPORT = {
    "delivery": 1,
    "mailbox": "gone@example.org",
    "kind": "bounce",
    "finding": "full",
    "status": "4.2.2",
    "answer": "",
    "road": "smtp",
    "at": AHEAD,
}


def test_every_time_in_the_schema_is_taken_back_or_holds_up_nothing() -> None:
    times = {
        str(column)
        for table in metadata.tables.values()
        for column in table.columns
        if isinstance(column.type, UtcDateTime | Date)
    }

    assert times == TAKEN_BACK | OVER_WHERE_READ | HISTORY


def test_sources_and_services_rest_as_long_as_they_were_to_and_hosts_not_for_a_year(store: Store) -> None:
    rested = AHEAD + timedelta(hours=2)
    state = {
        "source": "arxiv",
        "section": "cs.DC",
        "asked_at": AHEAD,
        "answered_at": AHEAD,
        "next_at": rested,
    }
    subject = {
        "enricher": "openalex",
        "kind": SubjectKind.PAPER.value,
        "subject": "arxiv:2606.00001",
        "found": True,
    }
    with store.begin_planning() as tx:
        tx.execute(insert(source_state).values(state | {"route": "oai", "cursor": f"{DAY} {AHEAD.date()} 0"}))
        tx.execute(insert(source_state).values(state | {"route": "rss", "cursor": f"{DAY}"}))
        tx.execute(insert(enrichments).values(subject | {"asked_at": AHEAD, "next_at": rested}))
        tx.execute(insert(buckets).values(name="arxiv.org", next_at=NOW, paused_until=AHEAD))
        tx.execute(insert(notices).values(name="store", text="It is.", noted_at=AHEAD, due_at=AHEAD, told=[]))

        reset_after_clock_error(tx, NOW, {})

        rows = tx.execute(select(source_state).order_by(source_state.c.route)).all()
        assert [(row.asked_at, row.answered_at, row.next_at) for row in rows] == [
            (NOW, NOW, add_to_now(hours=2))
        ] * 2
        assert [row.cursor for row in rows] == [f"{DAY} {NOW.date()} 0", str(DAY)]
        assert tx.execute(select(enrichments.c.next_at)).scalar_one() == add_to_now(hours=2)
        assert tx.execute(select(buckets.c.paused_until)).scalar_one() is None
        assert tx.execute(select(notices.c.due_at)).scalar_one() == NOW


def test_mails_that_were_put_off_are_tried_and_addresses_rest_as_long_as_they_were_to(store: Store) -> None:
    make_due_edition(store, 2)
    with store.begin_planning() as tx:
        tx.execute(update(deliveries).where(deliveries.c.id == 1).values(due_at=AHEAD, expires_at=AHEAD))
        tx.execute(
            update(deliveries)
            .where(deliveries.c.id == 2)
            .values(due_at=add_to_now(hours=4), expires_at=add_to_now(days=4))
        )
        report = tx.execute(insert(reports).values(REPORT).returning(reports.c.id)).scalar_one()
        suppress_address(tx, "gone@example.org", AHEAD, until=AHEAD + timedelta(days=7), report=report)

        reset_after_clock_error(tx, NOW, {})

        rows = tx.execute(
            select(deliveries.c.due_at, deliveries.c.expires_at).order_by(deliveries.c.id)
        ).all()
        assert [tuple(row) for row in rows] == [(NOW, None), (add_to_now(hours=4), add_to_now(days=4))]
        (row,) = tx.execute(select(suppressions.c.since, suppressions.c.until)).all()
        assert tuple(row) == (NOW, add_to_now(days=7))


def test_days_that_have_not_come_go_and_those_that_a_later_day_is_told_of_stay(store: Store) -> None:
    next_week = DAY + timedelta(days=7)
    with store.begin_planning() as tx:
        for source in ("arxiv", "hf_daily"):
            ledger.declare_sections(tx, source, ["cs.DC"], DAY)
            ledger.make_batches(
                tx, source, "cs.DC", [(DAY, NOW), (next_week, add_to_now(days=7)), (AHEAD.date(), AHEAD)]
            )
        tx.execute(update(batches).values(asked_at=AHEAD, answered_at=AHEAD, state="empty"))
        last = (batches.c.source == "hf_daily") & (batches.c.day == AHEAD.date())
        tx.execute(update(batches).where(last).values(received=1, state="complete"))
        tx.execute(update(sections).values(since=AHEAD.date()))

        reset_after_clock_error(tx, NOW, {"arxiv": DAY})

        rows = tx.execute(select(batches).order_by(batches.c.source, batches.c.day)).all()
        assert [(row.source, row.day, row.state) for row in rows] == [
            ("arxiv", DAY, "waiting"),
            ("hf_daily", DAY, "waiting"),
            ("hf_daily", next_week, "empty"),
            ("hf_daily", AHEAD.date(), "complete"),
        ]
        assert [row.asked_at for row in rows[:2]] == [None, None]
        assert list(tx.execute(select(sections.c.since).order_by(sections.c.source)).scalars()) == [
            DAY,
            AHEAD.date(),
        ]


def test_summaries_and_tidying_go_on(store: Store) -> None:
    with store.begin_planning() as tx:
        clock.set_note(tx, "summary_since", AHEAD.isoformat())
        clock.set_note(tx, "tidied_before", add_to_now(days=-1).isoformat())
        clock.set_note(tx, "signals_pruned_on", AHEAD.date().isoformat())
        clock.set_note(tx, "trending_found_on", AHEAD.date().isoformat())

        reset_after_clock_error(tx, NOW, {})

        assert clock.read_note(tx, "summary_since") == NOW.astimezone(UTC).isoformat()
        assert clock.read_note(tx, "tidied_before") == add_to_now(days=-1).isoformat()
        assert clock.read_note(tx, "signals_pruned_on") == NOW.date().isoformat()
        assert clock.read_note(tx, "trending_found_on") == NOW.date().isoformat()


def test_a_clock_is_behind_where_two_later_days_are_announced_and_not_by_the_mistake_of_one(
    store: Store,
) -> None:
    with store.begin_planning() as tx:
        ledger.declare_sections(tx, "arxiv", ["cs.DC"], DAY)
        days = [DAY + timedelta(days=ahead) for ahead in (0, 1, 2, 3)]
        ledger.make_batches(tx, "arxiv", "cs.DC", [(day, NOW) for day in days])
        tx.execute(update(batches).where(batches.c.day < days[3]).values(received=1))

        assert not is_behind(tx, NOW), "tomorrow's day may be out, and one day may be wrong"
        tx.execute(update(batches).where(batches.c.day == days[3]).values(received=1))
        assert is_behind(tx, NOW)
        assert not is_behind(tx, add_to_now(days=1))
        tx.execute(update(sections).values(accounted=False))
        assert not is_behind(tx, NOW), "the days of feeds are counted by our own clock"
        assert is_behind(tx, datetime(1970, 1, 1, tzinfo=UTC))


def test_an_edition_that_is_to_go_out_once_does_not_wait_for_the_wrong_time(store: Store) -> None:
    slot = {"zone": "UTC", "days": "", "every": 0, "latest": "", "catch_up": "send", "cursor_seq": 0}
    with store.begin_planning() as tx:
        for hours in (0, 1):
            at = AHEAD + timedelta(hours=hours)
            one = slot | {"frequency": Frequency.ONCE.value, "at": at.isoformat(), "next_fire_at": at}
            tx.execute(insert(slots).values(one))

        reset_after_clock_error(tx, NOW, {})

        rows = tx.execute(select(slots)).all()
        assert all(row.next_fire_at < NOW for row in rows)
        firings = [find_last_firing(read_schedule(row), NOW) for row in rows]
        assert [firing and firing.at for firing in firings] == [row.next_fire_at for row in rows]
