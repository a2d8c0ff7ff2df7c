from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest
from sqlalchemy import event, select, update

from digest.core.delivery.retries import RetryMode, RetryPolicy
from digest.model import Deferred, Delivery, Fault, Receipt, Refused, Sent, Unknown
from digest.store.database.engine import Store, Transaction
from digest.store.database.tables.digests import deliveries as table
from digest.store.database.tables.digests import destinations
from digest.store.database.tables.digests import digests as digest_table
from digest.store.delivery import outbox, receipts
from digest.store.delivery.outbox import LEASE_DURATION, AdmissionPolicy
from digest.store.delivery.queue_positions import ClaimScope, QueuePosition, make_group_end
from digest.store.delivery.receipts import record_receipts as keep_receipts
from digest.store.subscribers import digests
from tests.store.factories import (
    NOW,
    add_to_now,
    declare,
    limit_statement_size,
    make_due_edition,
    run_concurrently,
)


def claim(
    store: Store,
    token: int = 1,
    now: datetime = NOW,
    most: int = 10,
    turns: AdmissionPolicy = outbox.admit_all,
) -> tuple[Delivery, ...]:
    with store.begin_write() as tx:
        return outbox.claim_deliveries(tx, "smtp", token, now, most, admit=turns)


def mark(store: Store, receipts: Sequence[tuple[Delivery, Receipt]], now: datetime = NOW) -> None:
    with store.begin_write() as tx:
        keep_receipts(tx, receipts, now)


def states(store: Store) -> dict[str, int]:
    with store.begin_read() as tx:
        return outbox.count_by_state(tx)


def recent(store: Store) -> tuple[Delivery, ...]:
    with store.begin_read() as tx:
        return tuple(outbox.list_recent(tx, limit=10))


def the(store: Store) -> Delivery:
    with store.begin_read() as tx:
        (delivery,) = outbox.list_recent(tx, limit=2)
    return delivery


# --- claiming -------------------------------------------------------------------------------------


def test_a_claimed_delivery_has_all_that_is_needed_to_send_it(store: Store) -> None:
    make_due_edition(store, 1)

    (delivery,) = claim(store, token=77)

    assert (delivery.digest, delivery.period, delivery.channel, delivery.address) == (
        "systems",
        "2026-06-12T07:30",
        "smtp",
        "0000@example.org",
    )
    assert (delivery.token, delivery.state, delivery.attempts, delivery.message_id) == (
        77,
        "leased",
        1,
        "<0000@example.org>",
    )


def test_many_workers_never_get_one_delivery_twice(store: Store) -> None:
    make_due_edition(store, 200)

    def work(worker: int) -> list[int]:
        mine: list[int] = []
        # Their clocks differ a little, as clocks do.
        while pack := claim(store, worker, NOW + timedelta(milliseconds=worker), most=7):
            mine += [delivery.id for delivery in pack]
        return mine

    accepted = run_concurrently(*(partial(work, worker) for worker in range(1, 9)))

    assert set(Counter(number for values in accepted for number in values).values()) == {1}
    assert sum(map(len, accepted)) == 200


def test_the_oldest_are_claimed_first_and_only_what_is_due(store: Store) -> None:
    make_due_edition(store, 6)
    with store.begin_write() as tx:
        numbers = tx.execute(select(table.c.id).order_by(table.c.id)).scalars().all()
        for number, minutes in zip(numbers, (5, -5, 0, 1, -1, -9), strict=True):
            tx.execute(update(table).where(table.c.id == number).values(due_at=add_to_now(minutes=minutes)))
    first, second = claim(store, 1, most=2), claim(store, 2, most=5)

    assert [numbers.index(delivery.id) for delivery in first] == [5, 1]
    assert [numbers.index(delivery.id) for delivery in second] == [4, 2]


def about(store: Store, numbers_of_queries: Sequence[int]) -> None:
    """Let what is due be mostly about these queries."""
    with store.begin_write() as tx:
        numbers = tx.execute(select(table.c.id).order_by(table.c.id)).scalars().all()
        for number, query in zip(numbers, numbers_of_queries, strict=True):
            tx.execute(update(table).where(table.c.id == number).values(main_query=query))


def test_of_the_same_age_those_that_have_most_in_common_are_claimed_together(store: Store) -> None:
    make_due_edition(store, 6)
    about(store, (7, 3, 7, 0, 3, 7))

    assert [delivery.main_query for delivery in claim(store, most=6)] == [0, 3, 3, 7, 7, 7]


def test_a_worker_goes_on_from_where_it_was_and_then_from_the_front(store: Store) -> None:
    make_due_edition(store, 6)
    about(store, (1, 2, 3, 4, 5, 6))
    with store.begin_write() as tx:
        first = outbox.claim_deliveries(tx, "smtp", 1, NOW, 1, after=QueuePosition(NOW, 4, 0))
        then = outbox.claim_deliveries(tx, "smtp", 1, NOW, 3, after=QueuePosition.from_delivery(first[0]))
        last = outbox.claim_deliveries(tx, "smtp", 1, NOW, 9, after=QueuePosition.from_delivery(then[-1]))

    assert [delivery.main_query for delivery in first] == [4]
    assert [delivery.main_query for delivery in then] == [5, 6, 1]
    assert [delivery.main_query for delivery in last] == [2, 3]


def test_a_claim_in_a_part_of_the_queue_ends_where_the_part_ends(store: Store) -> None:
    make_due_edition(store, 6)
    about(store, (1, 2, 3, 3, 4, 5))
    with store.begin_write() as tx:
        third, fourth = (each for each in recent_positions(tx) if each.main_query == 3)
        between = outbox.claim_deliveries(
            tx, "smtp", 1, NOW, 9, after=QueuePosition(NOW, 2, 0), before=fourth
        )
        tx.execute(update(table).where(table.c.main_query == 5).values(due_at=add_to_now(hours=-1)))
        rest = outbox.claim_deliveries(tx, "smtp", 1, NOW, 9, after=third, before=make_group_end(NOW))

    assert [delivery.main_query for delivery in between] == [2, 3]
    assert [delivery.main_query for delivery in rest] == [3, 4], "what has another due time is no part of it"


def recent_positions(tx: Transaction) -> list[QueuePosition]:
    return sorted(map(QueuePosition.from_delivery, outbox.list_recent(tx, limit=10)))


def test_those_at_the_front_that_cannot_go_are_put_off_once_and_hold_up_nobody(store: Store) -> None:
    make_due_edition(store, 1200)
    limit_statement_size(store)
    looked_at: list[int] = []

    def turns(deliveries: Sequence[Delivery], most: int) -> tuple[Sequence[Delivery], dict[int, datetime]]:
        looked_at.extend(delivery.id for delivery in deliveries)
        later_on = {
            delivery.id: add_to_now(hours=1, seconds=delivery.id)
            for delivery in deliveries
            if delivery.address < "0900"
        }
        return [delivery for delivery in deliveries if delivery.id not in later_on][:most], later_on

    assert [delivery.address for delivery in claim(store, turns=turns)] == [
        f"{n:04}@example.org" for n in range(900, 910)
    ]
    assert len(claim(store, turns=turns, most=400)) == 290
    assert len(looked_at) < 1200 + 500, "each is looked at about once"
    assert claim(store, now=add_to_now(minutes=59)) == ()
    assert [delivery.paced for delivery in claim(store, now=add_to_now(hours=3), most=3)] == [True] * 3


@pytest.mark.parametrize("to", [timedelta(hours=2), -timedelta(hours=2)], ids=["later", "earlier"])
def test_the_time_until_a_later_turn_does_not_count_against_a_delivery(store: Store, to: timedelta) -> None:
    make_due_edition(store, 2)
    first, _ = claim(store)
    mark(store, [(first, Deferred(answer="451 later", fault=Fault.ADDRESS))])  # from now on it can expire
    before = {delivery.id: delivery for delivery in recent(store)}
    turn = add_to_now(days=1) + to

    def put_off(deliveries: Sequence[Delivery], _most: int) -> tuple[Sequence[Delivery], dict[int, datetime]]:
        return (), {delivery.id: turn for delivery in deliveries}

    with store.begin_write() as tx:
        tx.execute(update(table).values(due_at=add_to_now(days=1), state="ready"))
    assert claim(store, now=add_to_now(days=1), turns=put_off) == ()

    after = {delivery.id: delivery for delivery in recent(store)}
    expires_at = before[first.id].expires_at
    assert expires_at is not None
    assert after[first.id].expires_at == expires_at + max(to, timedelta(0))
    assert [delivery.due_at for delivery in after.values()] == [turn] * 2
    assert [delivery.expires_at for delivery in after.values() if delivery.id != first.id] == [None]


@pytest.mark.parametrize("state", [digests.ENDED, digests.STOPPED])
def test_what_goes_to_a_destination_that_is_no_more_is_dropped_with_the_reason(
    store: Store, state: str
) -> None:
    make_due_edition(store, 2)
    with store.begin_write() as tx:
        stopped = destinations.c.address == "0000@example.org"
        tx.execute(update(destinations).where(stopped).values(state=state))

    assert [delivery.address for delivery in claim(store)] == ["0001@example.org"]
    gone, _ = the_all(store)
    assert gone.state == "dropped"
    assert "is no longer in the configuration, or its reader unsubscribed" in gone.answer


def test_what_a_digest_that_left_the_file_still_had_to_send_is_dropped(store: Store) -> None:
    make_due_edition(store, 1)

    declare(store)

    assert claim(store) == ()
    assert the(store).state == "dropped"
    assert the(store).answer


def test_what_a_digest_that_rests_still_has_to_send_goes_out(store: Store) -> None:
    make_due_edition(store, 1)
    with store.begin_write() as tx:
        tx.execute(update(digest_table).values(state="paused"))

    assert len(claim(store)) == 1


def test_each_channel_claims_its_own(store: Store) -> None:
    make_due_edition(store, 2)
    with store.begin_write() as tx:
        tx.execute(update(table).where(table.c.id == the_all(store)[0].id).values(channel="files"))
    with store.begin_read() as tx:
        assert outbox.list_waiting_channels(tx) == {"files", "smtp"}

    assert [delivery.address for delivery in claim(store)] == ["0001@example.org"]
    with store.begin_read() as tx:
        assert outbox.list_waiting_channels(tx) == {"files"}


def test_when_something_is_due_next_is_known(store: Store) -> None:
    def next_due(channel: str = "smtp") -> tuple[datetime | None, datetime | None]:
        with store.begin_read() as tx:
            return outbox.find_next_due(tx, channel, NOW)

    assert next_due() == (None, None)
    make_due_edition(store, 3)
    assert next_due() == (NOW, NOW)
    assert next_due("files") == (None, None)
    delivery, other, _ = claim(store)
    mark(store, [(delivery, Deferred(answer="450 later"))])
    assert next_due() == (add_to_now(minutes=1), None)
    with store.begin_write() as tx:
        outbox.return_untried(tx, [other])
        tx.execute(update(table).where(table.c.id == other.id).values(due_at=add_to_now(hours=1)))
    assert next_due() == (add_to_now(minutes=1), add_to_now(hours=1)), (
        "what was tried is left to later passes"
    )


# --- by index -------------------------------------------------------------------------------------


def plans(store: Store, act: Callable[[Transaction], object]) -> list[str]:
    """What the database says that it does in each statement about deliveries of an action."""
    messages: list[str] = []
    with store.begin_write() as tx:

        @event.listens_for(tx, "before_cursor_execute")
        def _explain(
            connection: Any,
            _cursor: object,
            statement: str,
            parameters: Any,
            _context: object,
            many: bool,  # noqa: FBT001
        ) -> None:
            if "deliveries" not in statement or statement.startswith("EXPLAIN"):
                return
            how = "EXPLAIN QUERY PLAN " if connection.dialect.name == "sqlite" else "EXPLAIN "
            arguments = parameters[0] if many else parameters
            with (
                connection.connection.cursor()
                if connection.dialect.name != "sqlite"
                else closing(connection.connection.cursor()) as cursor
            ):
                cursor.execute(how + statement, arguments)
                messages.append("\n".join(str(row[-1]) for row in cursor.fetchall()))

        act(tx)
    return messages


@pytest.fixture
def backlog(store: Store) -> Store:
    """Many deliveries long sent, some due, and what the database knows of that."""
    make_due_edition(store, 3000)
    with store.begin_write() as tx:
        ids = list(tx.execute(select(table.c.id).order_by(table.c.id)).scalars())
        tx.execute(update(table).where(table.c.id <= ids[-31]).values(state="sent"))
    is_sqlite = store.engine.dialect.name == "sqlite"
    with store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        # What other tests left of the table and its indexes would be in the plans of PostgreSQL, too.
        connection.exec_driver_sql("ANALYZE" if is_sqlite else "VACUUM FULL ANALYZE deliveries")
    return store


def test_a_claim_finds_what_is_due_by_the_index(backlog: Store) -> None:
    front, *_ = plans(backlog, lambda tx: outbox.claim_deliveries(tx, "smtp", 1, NOW, 10))

    assert "ix_deliveries_ready" in front
    assert "SCAN deliveries" not in front
    assert "Seq Scan on deliveries" not in front


def test_when_something_is_due_is_found_by_the_index(backlog: Store) -> None:
    for message in plans(backlog, lambda tx: outbox.find_next_due(tx, "smtp", NOW - timedelta(days=1))):
        assert "ix_deliveries_ready" in message


def test_how_many_are_due_is_counted_by_the_index(backlog: Store) -> None:
    claim(backlog, most=20)
    with backlog.begin_read() as tx:
        assert outbox.count_due(tx, NOW) == 10
        assert outbox.count_due(tx, NOW - timedelta(days=1)) == 0
        assert outbox.count_due(tx, NOW, 7) == 7
    (message,) = plans(backlog, lambda tx: outbox.count_due(tx, NOW))
    assert "ix_deliveries_ready" in message


def test_due_and_leased_deliveries_are_counted_by_channel_and_index(backlog: Store) -> None:
    claim(backlog, most=20)
    with backlog.begin_write() as tx:
        (first,) = tx.execute(select(table.c.id).where(table.c.state == "ready").limit(1)).scalars()
        tx.execute(update(table).where(table.c.id == first).values(channel="files"))

    with backlog.begin_read() as tx:
        assert outbox.count_due(tx, NOW, channel="smtp") == 9
        assert outbox.count_due(tx, NOW, 7, channel="smtp") == 7
        assert outbox.count_due(tx, NOW, channel="files") == 1
        assert outbox.count_due(tx, NOW, channel="none") == 0
        assert outbox.count_leased_by_channel(tx, 1000) == {"smtp": 20}
        assert outbox.count_leased_by_channel(tx, 15) == {"smtp": 15}
    (due_plan,) = plans(backlog, lambda tx: outbox.count_due(tx, NOW, 7, channel="smtp"))
    (leased_plan,) = plans(backlog, lambda tx: outbox.count_leased_by_channel(tx, 1000))
    assert "ix_deliveries_ready" in due_plan
    assert "ix_deliveries_leased" in leased_plan


def test_the_oldest_due_delivery_of_each_channel_is_found_by_the_index(backlog: Store) -> None:
    with backlog.begin_write() as tx:
        ids = list(tx.execute(select(table.c.id).where(table.c.state == "ready").limit(2)).scalars())
        later = {"channel": "chat", "due_at": add_to_now(days=1)}
        tx.execute(update(table).where(table.c.id == ids[0]).values(later))
        earlier = {"channel": "files", "due_at": add_to_now(days=-1)}
        tx.execute(update(table).where(table.c.id == ids[1]).values(earlier))

    with backlog.begin_read() as tx:
        expected = {"files": add_to_now(days=-1), "smtp": NOW}
        assert outbox.find_oldest_due_by_channel(tx, NOW) == expected
        assert outbox.find_oldest_due(tx, NOW) == add_to_now(days=-1)
    for plan in plans(backlog, lambda tx: outbox.find_oldest_due_by_channel(tx, NOW)):
        assert "ix_deliveries_ready" in plan


def test_when_something_is_due_is_found_without_sorting_all_that_waits(backlog: Store) -> None:
    for message in plans(backlog, lambda tx: outbox.find_next_due(tx, "smtp", NOW)):
        assert "Sort" not in message
        assert "TEMP B-TREE" not in message


@pytest.mark.parametrize("scope", [ClaimScope.SUSPECT, ClaimScope.UNPROVEN])
def test_suspects_are_found_without_reading_all_that_waits(backlog: Store, scope: ClaimScope) -> None:
    first, *_ = plans(backlog, lambda tx: outbox.claim_deliveries(tx, "smtp", 1, NOW, 10, scope=scope))

    assert "ix_deliveries_suspect" in first


def test_channels_without_a_connection_are_found_apart_from_those_with_one(store: Store) -> None:
    make_due_edition(store, 4)
    with store.begin_write() as tx:
        for number, channel in enumerate(("chat", "files", "smtp", "webhook")):
            ids = [each.id for each in outbox.list_recent(tx, limit=4)]
            tx.execute(update(table).where(table.c.id == ids[number]).values(channel=channel))

        assert outbox.list_waiting_channels(tx) == {"chat", "files", "smtp", "webhook"}
        assert outbox.list_waiting_channels(tx, ["smtp", "files", "none"]) == {"chat", "webhook"}


def test_leases_that_are_over_are_found_by_the_index(backlog: Store) -> None:
    claim(backlog, most=20)

    for act in (lambda tx: outbox.release_expired(tx, NOW), lambda tx: outbox.release_worker(tx, 7)):
        (message,) = plans(backlog, act)
        assert "ix_deliveries_leased" in message


# --- leases ---------------------------------------------------------------------------------------


def held(store: Store, claimed: Sequence[Delivery], now: datetime) -> int:
    with store.begin_write() as tx:
        return len(outbox.renew_leases(tx, claimed, now))


def reclaim(store: Store, now: datetime) -> None:
    with store.begin_write() as tx:
        outbox.release_expired(tx, now)


def test_what_nobody_marked_is_claimed_again_when_its_lease_is_over_and_the_old_hand_is_cut_off(
    store: Store,
) -> None:
    make_due_edition(store, 1)
    old = claim(store, token=1)
    reclaim(store, NOW + LEASE_DURATION - timedelta(seconds=1))
    assert claim(store, 2, NOW + LEASE_DURATION - timedelta(seconds=1)) == ()

    reclaim(store, NOW + LEASE_DURATION)
    new = claim(store, 2, NOW + LEASE_DURATION)

    assert [delivery.attempts for delivery in new] == [2]
    assert held(store, old, NOW + LEASE_DURATION) == 0
    mark(store, [(old[0], Refused(answer="no"))])
    with store.begin_write() as tx:
        outbox.return_untried(tx, old)
    assert states(store) == {"leased": 1}
    mark(store, [(new[0], Sent(answer="yes"))])
    mark(store, [(new[0], Refused(answer="no"))])
    assert (the(store).state, the(store).answer) == ("sent", "yes")


def test_a_receipt_that_could_not_be_kept_in_time_counts_if_nobody_took_the_delivery_over(
    store: Store,
) -> None:
    make_due_edition(store, 1)
    old = claim(store, token=1)
    reclaim(store, NOW + LEASE_DURATION)

    mark(store, [(old[0], Sent(answer="yes"))], NOW + LEASE_DURATION)

    assert states(store) == {"sent": 1}
    assert claim(store, 2, add_to_now(days=1)) == ()


def test_a_lease_is_prolonged_by_who_has_it(store: Store) -> None:
    make_due_edition(store, 3)
    mine = claim(store, token=1)
    assert held(store, mine, NOW + timedelta(minutes=14)) == 3
    assert held(store, [], NOW) == 0

    reclaim(store, NOW + timedelta(minutes=28))
    assert claim(store, 2, NOW + timedelta(minutes=28)) == ()
    reclaim(store, NOW + timedelta(minutes=29))
    assert len(claim(store, 2, NOW + timedelta(minutes=29))) == 3


@pytest.mark.parametrize(("ahead", "over"), [(timedelta(days=30), True), (timedelta(seconds=1), False)])
def test_a_lease_that_a_wrong_clock_made_is_over(store: Store, ahead: timedelta, *, over: bool) -> None:
    make_due_edition(store, 1)
    claim(store, 1, NOW + ahead)

    reclaim(store, NOW)

    assert bool(claim(store, 2)) is over


def test_what_was_not_tried_is_due_as_before_and_no_attempt_is_counted(store: Store) -> None:
    make_due_edition(store, 2)
    before = the_all(store)
    claimed = claim(store)
    with store.begin_write() as tx:
        outbox.return_untried(tx, claimed)
        outbox.return_untried(tx, [])

    assert the_all(store) == before
    assert len(claim(store, 2)) == 2


def test_what_a_worker_left_behind_is_due_at_once_but_for_what_it_may_still_be_at(store: Store) -> None:
    make_due_edition(store, 5)
    mine, others = claim(store, 1, most=3), claim(store, 2)
    with store.begin_write() as tx:
        outbox.release_worker(tx, 1, excluded=mine[:1])

    assert {delivery.id for delivery in claim(store, 3)} == {delivery.id for delivery in mine[1:]}
    with store.begin_write() as tx:
        outbox.release_worker(tx, 2)
    assert len(claim(store, 4)) == len(others)


def the_all(store: Store) -> list[Delivery]:
    with store.begin_read() as tx:
        return sorted(outbox.list_recent(tx, limit=99), key=lambda delivery: delivery.id)


# --- receipts -------------------------------------------------------------------------------------


def tried(store: Store, make: Callable[[], Receipt], times: int) -> list[tuple[str, int, timedelta]]:
    """State, count of unknown, and the pause, after each try as soon as it is due."""
    results = []
    now = NOW
    for attempt in range(times):
        (delivery,) = claim(store, attempt + 1, now)
        mark(store, [(delivery, make())], now)
        after = the(store)
        results.append((after.state, after.unknown, after.due_at - now))
        now = max(now, after.due_at)
    return results


def test_what_was_sent_or_refused_is_never_tried_again(store: Store) -> None:
    make_due_edition(store, 2)
    delivery, other = claim(store)
    mark(
        store,
        [(delivery, Sent(answer="250 yes")), (other, Refused(answer="550 no", fault=Fault.OURS))],
        add_to_now(seconds=3),
    )

    assert states(store) == {"sent": 1, "refused": 1}
    assert [delivery.blame for delivery in the_all(store)] == ["", "ours"]
    assert claim(store, 2, add_to_now(days=99)) == ()
    sent, refused = the_all(store)
    assert (sent.sent_at, sent.answer, sent.token) == (add_to_now(seconds=3), "250 yes", 0)
    assert (refused.sent_at, refused.answer) == (None, "550 no")


def test_what_is_put_off_is_tried_with_growing_pauses_until_it_expires_with_the_last_answer(
    store: Store,
) -> None:
    make_due_edition(store, 1)

    results = tried(store, lambda: Deferred(answer="450 later"), 15)

    assert [state for state, *_ in results] == ["ready"] * 14 + ["expired"]
    minutes = [pause.total_seconds() / 60 for *_, pause in results]
    assert minutes[:9] == [1, 2, 5, 15, 60, 180, 360, 360, 360]
    assert sum(minutes[:14]) == 48 * 60, "the last attempt is made when it expires"
    assert (the(store).answer, the(store).blame) == ("450 later", "address")
    assert claim(store, 99, add_to_now(days=99)) == ()


def test_chance_makes_pauses_longer(store: Store) -> None:
    make_due_edition(store, 1)
    (delivery,) = claim(store)
    with store.begin_write() as tx:
        receipts.record_receipts(
            tx, [(delivery, Deferred(answer="450"))], NOW, RetryPolicy(jitter=lambda: 0.5)
        )

    assert the(store).due_at == add_to_now(seconds=67.5)


def test_time_in_which_we_could_not_send_expires_nothing(store: Store) -> None:
    make_due_edition(store, 1)
    tried(store, lambda: Deferred(answer="450 later"), 5)
    before = the(store)
    assert before.expires_at == add_to_now(days=2)

    # Nobody tried for a week; then the server is in trouble for some time more.
    now = add_to_now(days=7)
    for _ in range(3):
        (delivery,) = claim(store, 9, now)
        mark(store, [(delivery, Deferred(answer="421 we are in trouble", fault=Fault.OURS))], now)
        now = max(now, the(store).due_at)
    assert the(store).attempts == before.attempts
    (delivery,) = claim(store, 9, now)
    mark(store, [(delivery, Deferred(answer="450 later"))], now)

    assert the(store).state == "ready"
    assert the(store).expires_at == before.expires_at + (now - before.due_at)


BROKEN = Deferred(answer="it hung up", fault=Fault.OURS)
TURNED_AWAY = Deferred(answer="450 4.7.1 so many a day", fault=Fault.OURS)


@pytest.mark.parametrize("receipt", [BROKEN, TURNED_AWAY])
def test_our_own_trouble_counts_no_attempt(store: Store, receipt: Deferred) -> None:
    make_due_edition(store, 1)
    for now, again in ((NOW, add_to_now(minutes=1)), (add_to_now(minutes=1), add_to_now(minutes=31))):
        (delivery,) = claim(store, 2, now)
        mark(store, [(delivery, receipt)], now)
        assert (the(store).state, the(store).attempts, the(store).due_at) == ("ready", 0, again)
        assert the(store).is_suspect


def test_what_all_or_another_server_is_to_take_is_due_at_once_behind_the_others(store: Store) -> None:
    make_due_edition(store, 2)
    first, second = claim(store)
    with store.begin_write() as tx:
        values, immediate = [(first, BROKEN), (second, TURNED_AWAY)], RetryMode(is_immediate=True)
        receipts.record_receipts(
            tx, values, add_to_now(minutes=3), retry_modes=dict.fromkeys((first.id, second.id), immediate)
        )
    assert [(delivery.attempts, delivery.due_at, delivery.blame) for delivery in the_all(store)] == [
        (0, add_to_now(minutes=3), "ours")
    ] * 2


@pytest.mark.parametrize("receipt", [BROKEN, TURNED_AWAY])
def test_what_a_server_fails_at_while_it_takes_others_waits_longer_each_time_and_goes_last(
    store: Store, receipt: Deferred
) -> None:
    make_due_edition(store, 1)
    now, pauses = NOW, []
    for token in range(1, 9):
        (delivery,) = claim(store, token, now)
        with store.begin_write() as tx:
            receipts.record_receipts(
                tx, [(delivery, receipt)], now, retry_modes={delivery.id: RetryMode(counts_attempt=True)}
            )
        assert (the(store).attempts, the(store).is_suspect) == (token, True)
        pauses.append((the(store).due_at - now) // timedelta(minutes=1))
        now = the(store).due_at
    assert pauses == [1, 2, 5, 15, 60, 180, 360, 360]


def test_an_attempt_can_be_counted_when_a_server_takes_others_later(store: Store) -> None:
    make_due_edition(store, 2)
    first, second = claim(store)
    mark(store, [(first, TURNED_AWAY), (second, TURNED_AWAY)])
    (again,) = claim(store, 2, add_to_now(minutes=1), most=1)
    with store.begin_write() as tx:
        for _ in range(2):
            receipts.count_attempts(tx, [first, second], NOW, RetryPolicy())

    assert again.id == first.id
    assert [(delivery.state, delivery.attempts, delivery.expires_at) for delivery in the_all(store)] == [
        ("leased", 1, None),
        ("ready", 1, add_to_now(days=2)),
    ]


def test_counting_an_attempt_later_shortens_neither_the_pause_nor_the_time_that_is_left(store: Store) -> None:
    make_due_edition(store, 1)
    (delivery,) = claim(store)
    mark(store, [(delivery, TURNED_AWAY)])
    again, expires = add_to_now(hours=7), add_to_now(days=5)
    with store.begin_write() as tx:
        tx.execute(update(table).values(due_at=again, expires_at=expires))
        receipts.count_attempts(tx, [delivery], NOW, RetryPolicy())

    assert (the(store).attempts, the(store).due_at, the(store).expires_at) == (1, again, expires)


def test_greylisting_and_kills_do_not_make_a_message_look_faulty(store: Store) -> None:
    make_due_edition(store, 1)
    with store.begin_write() as tx:
        tx.execute(update(table).values(attempts=4, blame="address"))
    (delivery,) = claim(store)
    mark(store, [(delivery, TURNED_AWAY)])
    assert (the(store).attempts, the(store).is_suspect, the(store).is_faulty) == (4, True, False)

    (delivery,) = claim(store, 2, add_to_now(minutes=1))
    with store.begin_write() as tx:
        count = {delivery.id: RetryMode(counts_attempt=True)}
        receipts.record_receipts(tx, [(delivery, TURNED_AWAY)], add_to_now(minutes=1), retry_modes=count)
    assert (the(store).is_suspect, the(store).is_faulty) == (True, True)


def test_what_may_have_arrived_is_sent_again_twice_at_the_most(store: Store) -> None:
    make_due_edition(store, 1)

    results = tried(store, lambda: Unknown(answer="the connection ended"), 3)

    assert [(state, unknown) for state, unknown, _ in results] == [("ready", 1), ("ready", 2), ("unknown", 3)]
    assert all(pause >= timedelta(minutes=15) for *_, pause in results[:2])
    assert claim(store, 9, add_to_now(days=99)) == ()


def test_being_deferred_does_not_use_up_what_may_have_arrived(store: Store) -> None:
    make_due_edition(store, 1)
    lost, put_off = Unknown(answer=""), Deferred(answer="")
    answers: Iterator[Receipt] = iter([lost, put_off, lost, put_off, Sent()])

    results = tried(store, lambda: next(answers), 5)

    assert [state for state, *_ in results] == ["ready"] * 4 + ["sent"]


def test_a_long_answer_is_kept_in_part(store: Store) -> None:
    make_due_edition(store, 1)
    (delivery,) = claim(store)
    mark(store, [(delivery, Refused(answer="x" * 10_000))])

    assert the(store).answer == "x" * 500


# --- reading --------------------------------------------------------------------------------------


def test_deliveries_are_listed_the_newest_first_by_state_and_by_edition(store: Store) -> None:
    make_due_edition(store, 3)
    delivery, *_ = claim(store, most=1)
    mark(store, [(delivery, Refused(answer="no"))])
    with store.begin_read() as tx:
        listed = outbox.list_recent(tx, limit=2)
        assert [delivery.address for delivery in listed] == ["0002@example.org", "0001@example.org"]
        assert [delivery.id for delivery in outbox.list_recent(tx, state="refused", limit=9)] == [delivery.id]
        assert len(outbox.list_for_edition(tx, delivery.edition)) == 3
        assert outbox.list_for_edition(tx, delivery.edition + 1) == ()
    assert states(store) == {"refused": 1, "ready": 2}


@pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)  # counts the steps of its machine
def test_the_channels_of_a_backlog_are_found_without_reading_it(store: Store) -> None:
    def steps(backlog: int) -> int:
        counted = 0

        def count() -> int:
            nonlocal counted
            counted += 1
            return 0

        with store.begin_dry_run() as trial:
            make_due_edition(trial, backlog)
            with trial.begin_read() as tx:
                connection = tx.connection.driver_connection
                assert isinstance(connection, sqlite3.Connection)
                connection.set_progress_handler(count, 1)
                assert outbox.list_waiting_channels(tx) == {"smtp"}
                connection.set_progress_handler(None, 0)
        return counted

    assert steps(2_000) <= 2 * steps(20)
