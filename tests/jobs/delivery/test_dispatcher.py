"""Delivering, pass by pass, against a store on both databases and channels that behave and that do not."""

from __future__ import annotations

import sqlite3
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest
from sqlalchemy import event, update

from digest.errors import RenderError, StoreError
from digest.jobs.delivery.dispatcher import DispatchEvent, StoreUnavailable
from digest.jobs.delivery.outbox import DeliveryAttempt, list_due_for_rehearsal
from digest.jobs.delivery.sender_pool import BATCH_SIZE
from digest.jobs.delivery.servers import ServerPaused
from digest.jobs.workers import WorkerHeartbeat, WorkerProfile
from digest.model import Deferred, Delivery, Edition, Fault, Mail, Message, Receipt, Refused, Sent, Unknown
from digest.store.database.engine import Store
from digest.store.database.tables.digests import deliveries as table
from digest.store.delivery import outbox, rates
from digest.store.workers.workers import remove_worker
from tests.jobs.delivery.dispatchers import (
    ConcurrencyCounter,
    FakeChannel,
    FakeClock,
    build_dispatcher,
    count_by_state,
    list_deliveries,
    make_addresses,
    make_connections,
    read_machine_clock,
    run_dispatcher,
    select_attempts,
    write_message,
)
from tests.store.conftest import store_url
from tests.store.factories import NOW, add_to_now, make_due_edition, run_concurrently
from tests.support.timeouts import PATIENCE

__all__ = ["store_url"]  # several workers claim from one store: on both databases

# --- packs ----------------------------------------------------------------------------------------


def test_all_that_is_due_goes_out_once_in_packs_of_ten(store: Store) -> None:
    make_due_edition(store, 23)
    channel = FakeChannel()

    events = run_dispatcher(store, make_connections(channel))

    assert [len(pack) for pack in channel.batches] == [BATCH_SIZE, BATCH_SIZE, 3]
    assert channel.recipients == make_addresses(23)
    assert [attempt.delivery.address for attempt in select_attempts(events)] == make_addresses(23)
    assert count_by_state(store) == {"sent": 23}
    assert channel.close_count == 1
    assert run_dispatcher(store, make_connections(channel)) == []
    assert channel.close_count == 1, "a line that was not needed was not begun"


def test_receipts_are_kept_before_the_next_pack_starts(store: Store) -> None:
    make_due_edition(store, 12)
    seen_values: list[dict[str, int]] = []

    def answer(mail: Mail) -> Receipt:
        if mail.recipient == "0010@example.org":
            seen_values.append(count_by_state(store))
        return Sent()

    run_dispatcher(store, make_connections(FakeChannel(answer)))

    assert seen_values == [{"sent": 10, "leased": 2}]


def test_lines_work_at_the_same_time_and_each_keeps_its_receipts_before_its_next_pack(store: Store) -> None:
    make_due_edition(store, 200)
    counting, together = ConcurrencyCounter(), threading.Barrier(4)
    open_packs: list[int] = []

    def answer(mail: Mail) -> Receipt:
        with counting:
            if mail.recipient in make_addresses(40)[::10]:
                together.wait(PATIENCE)  # the first packs are under way at once, or this fails
            if mail.recipient in make_addresses(160, 40)[::10]:
                open_packs.append(count_by_state(store).get("leased", 0))
        return Sent()

    channel = FakeChannel(answer)
    events = run_dispatcher(store, make_connections(channel, 4))

    assert counting.maximum == 4
    assert max(open_packs) <= 4 * BATCH_SIZE
    assert Counter(channel.recipients) == Counter(make_addresses(200))
    assert Counter(attempt.delivery.address for attempt in select_attempts(events)) == Counter(
        make_addresses(200)
    )
    assert count_by_state(store) == {"sent": 200}


def test_ten_workers_deliver_everything_once(store: Store) -> None:
    make_due_edition(store, 500)
    channel = FakeChannel()

    run_concurrently(*(partial(run_dispatcher, store, make_connections(channel, 2)) for _ in range(10)))

    assert Counter(channel.recipients) == Counter(make_addresses(500))
    assert count_by_state(store) == {"sent": 500}


def test_each_receipt_is_told_and_kept(store: Store) -> None:
    make_due_edition(store, 5)
    receipts: list[Receipt] = [
        Sent(answer="250"),
        Deferred(answer="451"),
        Refused(answer="550"),
        Unknown(answer="gone"),
        Deferred(answer="450 4.7.1 too many", fault=Fault.DOMAIN),
    ]
    left = iter(receipts)

    events = run_dispatcher(store, make_connections(FakeChannel(lambda _: next(left))))

    assert [attempt.receipt for attempt in select_attempts(events)] == receipts
    assert count_by_state(store) == {"sent": 1, "ready": 3, "refused": 1}


def test_what_is_put_off_comes_later_and_holds_nothing_up(store: Store) -> None:
    make_due_edition(store, 25)
    channel = FakeChannel(lambda _: Deferred(answer="451 later"))

    run_dispatcher(store, make_connections(channel))
    assert channel.recipients == make_addresses(25)
    assert count_by_state(store) == {"ready": 25}

    run_dispatcher(store, make_connections(channel), FakeClock(add_to_now(minutes=1)))
    assert channel.recipients == make_addresses(25) * 2


# --- what has its turn later ----------------------------------------------------------------------


def spread(store: Store, seconds: Sequence[float], begin: datetime) -> None:
    """Give the deliveries their places after an instant."""
    with store.begin_write() as tx:
        for delivery, after in zip(list_deliveries(store), seconds, strict=True):
            at = begin + timedelta(seconds=after)
            tx.execute(update(table).where(table.c.id == delivery.id).values(due_at=at))


def test_a_pass_stays_for_what_has_its_turn_soon_and_leaves_what_has_it_later(store: Store) -> None:
    make_due_edition(store, 4)
    begin = read_machine_clock()
    spread(store, (0, 0.2, 0.4, 7200), begin)
    when: dict[str, datetime] = {}

    def answer(mail: Mail) -> Receipt:
        when[mail.recipient] = read_machine_clock()
        return Sent()

    run_dispatcher(store, make_connections(FakeChannel(answer)), read_machine_clock, time_passes=True)

    assert list(when) == make_addresses(3)
    assert all(
        when[address] >= begin + timedelta(seconds=after)
        for address, after in zip(make_addresses(3), (0, 0.2, 0.4), strict=True)
    )
    assert count_by_state(store) == {"sent": 3, "ready": 1}


def test_where_time_stands_still_nothing_is_waited_for(store: Store) -> None:
    make_due_edition(store, 2)
    spread(store, (0, 5), NOW)

    run_dispatcher(store, make_connections(FakeChannel()))

    assert count_by_state(store) == {"sent": 1, "ready": 1}


# --- what goes wrong ------------------------------------------------------------------------------


@pytest.mark.parametrize("stop", [KeyboardInterrupt, RuntimeError])
def test_what_was_answered_before_an_interruption_is_not_sent_again(
    store: Store, stop: type[BaseException]
) -> None:
    make_due_edition(store, 15)

    def answer(mail: Mail) -> Receipt:
        if mail.recipient == "0004@example.org":
            raise stop
        return Sent()

    with pytest.raises(stop):
        run_dispatcher(store, make_connections(FakeChannel(answer)))
    assert count_by_state(store) == {"sent": 4, "ready": 11}
    assert {delivery.attempts for delivery in list_deliveries(store)} == {0, 1}

    second = FakeChannel()
    run_dispatcher(store, make_connections(second))

    assert second.recipients == make_addresses(15)[4:]


def test_ctrl_c_lets_packs_under_way_end_and_gives_the_rest_back(store: Store) -> None:
    make_due_edition(store, 60)
    pressed = threading.Event()

    def answer(mail: Mail) -> Receipt:
        if mail.recipient in {"0000@example.org", "0010@example.org"}:
            pressed.wait(PATIENCE)
        return Sent()

    channel = FakeChannel(answer)
    events: Iterator[DispatchEvent] = build_dispatcher(store, make_connections(channel, 3)).run()
    first = next(events)  # of the third line; the two others are in the middle of theirs
    pressed.set()
    events.close()  # type: ignore[attr-defined]  # as Ctrl-C does where it is looked at

    assert isinstance(first, DeliveryAttempt)
    sent = len(channel.recipients)
    assert sent % BATCH_SIZE == 0
    assert count_by_state(store) == {"sent": sent, "ready": 60 - sent}
    assert all(delivery.attempts == (delivery.state == "sent") for delivery in list_deliveries(store))


def test_a_pass_can_be_stopped_from_outside(store: Store) -> None:
    make_due_edition(store, 60)
    stop = threading.Event()

    def answer(_: Mail) -> Receipt:
        stop.set()
        return Sent()

    channel = FakeChannel(answer)
    run_dispatcher(store, make_connections(channel, 2), stop=stop)

    assert len(channel.recipients) <= 2 * BATCH_SIZE
    assert count_by_state(store) == {"sent": len(channel.recipients), "ready": 60 - len(channel.recipients)}


def test_a_mail_that_cannot_be_written_is_given_up_at_last_and_the_others_go(store: Store) -> None:
    make_due_edition(store, 3)

    def broken(edition: Edition, delivery: Delivery) -> Message:
        if delivery.address == "0001@example.org":
            raise RenderError("the template `mail.html` is broken")
        return write_message(edition, delivery)

    attempts = select_attempts(run_dispatcher(store, make_connections(FakeChannel()), write=broken))
    assert [attempt.delivery.address for attempt in attempts if isinstance(attempt.receipt, Sent)] == [
        "0000@example.org",
        "0002@example.org",
    ]
    assert [attempt.receipt for attempt in attempts if not isinstance(attempt.receipt, Sent)] == [
        Deferred(answer="the template `mail.html` is broken")
    ]

    clock = FakeClock()
    for _ in range(5):
        clock.now = max(delivery.due_at for delivery in list_deliveries(store))
        attempts = select_attempts(
            run_dispatcher(store, make_connections(FakeChannel()), clock, write=broken)
        )
    (last,) = attempts
    assert isinstance(last.receipt, Refused)
    assert last.receipt.fault is Fault.OURS
    assert (clock.now - NOW) >= timedelta(hours=1)
    assert count_by_state(store) == {"sent": 2, "refused": 1}
    assert "mail.html" in list_deliveries(store)[1].answer


def test_a_channel_that_left_the_configuration_defers_with_a_sentence(store: Store) -> None:
    make_due_edition(store, 1)

    (attempt,) = select_attempts(run_dispatcher(store, []))

    assert attempt.receipt == Deferred(answer="the configuration no longer has this channel")
    assert count_by_state(store) == {"ready": 1}


# --- servers in trouble ---------------------------------------------------------------------------

OURS = Deferred(answer="421 4.3.2 shutting down", fault=Fault.OURS)


def test_a_server_in_trouble_is_paused_and_its_mail_goes_by_another_at_once(store: Store) -> None:
    make_due_edition(store, 40)
    bad, good = FakeChannel(lambda _: OURS), FakeChannel()
    gate = threading.Event()
    good.answer = lambda _: Sent(answer=f"{gate.wait(PATIENCE)}")

    def answer(_: Mail) -> Receipt:
        gate.set()  # that one works only when the other one has begun
        return OURS

    bad.answer = answer
    events = run_dispatcher(
        store, [*make_connections(bad, 2, server="bad:25"), *make_connections(good, 1, server="good:25")]
    )

    assert count_by_state(store) == {"sent": 40}
    assert len(bad.recipients) <= 2 * BATCH_SIZE
    assert Counter(good.recipients) == Counter(make_addresses(40))
    (paused,) = [event for event in events if isinstance(event, ServerPaused)]
    assert (paused.server, paused.replaced) == ("bad:25", True), "it is told, and that nothing waits for it"
    assert {delivery.attempts for delivery in list_deliveries(store)} == {1}


def test_while_all_servers_are_in_trouble_everything_waits_and_nothing_of_it_counts(store: Store) -> None:
    make_due_edition(store, 30)
    channel = FakeChannel(lambda _: OURS)

    events = run_dispatcher(store, make_connections(channel, 1))

    assert len(channel.recipients) == BATCH_SIZE
    assert [event.server for event in events if isinstance(event, ServerPaused)] == ["mx:25"]
    assert {
        (delivery.state, delivery.attempts, delivery.expires_at) for delivery in list_deliveries(store)
    } == {("ready", 0, None)}
    again = run_dispatcher(store, make_connections(channel, 1))
    assert len(channel.recipients) == BATCH_SIZE, "it is left alone"
    assert [type(event) for event in again] == [ServerPaused]


def test_pauses_of_a_server_double_up_to_half_an_hour_and_begin_anew_when_it_works(store: Store) -> None:
    make_due_edition(store, 100)
    clock, channel = FakeClock(), FakeChannel(lambda _: OURS)
    lengths: list[timedelta] = []

    def pause() -> timedelta:
        (paused,) = [
            event
            for event in run_dispatcher(store, make_connections(channel), clock)
            if isinstance(event, ServerPaused)
        ]
        length = paused.failure.until - clock.now
        clock.now = paused.failure.until
        return length

    lengths = [pause() for _ in range(7)]
    assert [length / timedelta(minutes=1) for length in lengths] == [1, 2, 4, 8, 16, 30, 30]

    works = iter([Sent()] * 12)
    channel.answer = lambda _: next(works, OURS)
    assert pause() == timedelta(minutes=1)


UNTRIED = Deferred(answer="mx:25: nothing answers there", fault=Fault.OURS, tried=False)


def test_an_outage_in_which_no_message_was_given_to_the_server_costs_its_pause_and_no_more(
    store: Store,
) -> None:
    make_due_edition(store, 40)
    clock, channel = FakeClock(), FakeChannel(lambda _: UNTRIED)
    for minutes in (0, 1, 3):
        clock.now = NOW + timedelta(minutes=minutes)
        events = run_dispatcher(store, make_connections(channel, 2), clock)
        assert [(type(event), getattr(event, "server", "")) for event in events] == [(ServerPaused, "mx:25")]

    clock.now, channel.answer = NOW + timedelta(minutes=7), lambda _: Sent()
    run_dispatcher(store, make_connections(channel, 2), clock)
    assert count_by_state(store) == {"sent": 40}
    assert {delivery.attempts for delivery in list_deliveries(store)} == {1}


def test_each_server_in_trouble_is_named_and_what_another_takes_is_not_told_as_put_off(store: Store) -> None:
    make_due_edition(store, 40)
    begun = threading.Barrier(3, timeout=PATIENCE)  # each of the three has its first pack
    met: set[str] = set()

    def met_by(name: str, receipt: Receipt) -> FakeChannel:
        def answer(_: Mail) -> Receipt:
            if name not in met:
                met.add(name)
                begun.wait()
            return receipt

        return FakeChannel(answer)

    servers: dict[str, Receipt] = {"a:25": UNTRIED, "b:25": UNTRIED, "c:25": Sent()}
    ways = [
        way
        for name, receipt in servers.items()
        for way in make_connections(met_by(name, receipt), server=name)
    ]
    events = run_dispatcher(store, ways)

    assert sorted(event.server for event in events if isinstance(event, ServerPaused)) == ["a:25", "b:25"]
    assert Counter(type(attempt.receipt) for attempt in select_attempts(events)) == {Sent: 40}


def test_a_message_that_servers_are_always_in_trouble_with_is_given_up_while_others_go(store: Store) -> None:
    make_due_edition(store, 30)
    clock = FakeClock()
    channel = FakeChannel(lambda mail: OURS if mail.recipient == "0000@example.org" else Sent())
    events: list[DispatchEvent] = []
    while clock.now < NOW + timedelta(days=3):
        events += run_dispatcher(store, make_connections(channel), clock)
        if list_deliveries(store)[0].state != "ready":
            break
        clock.now += timedelta(minutes=31)
        with store.begin_write() as tx:  # as the next editions would be
            tx.execute(update(table).where(table.c.state == "sent").values(state="ready"))

    first = list_deliveries(store)[0]
    assert (first.state, first.blame) == ("refused", "ours")
    assert (
        first.answer
        == "421 4.3.2 shutting down (given up after 14 attempts, while other messages were accepted)"
    )
    assert clock.now >= NOW + timedelta(days=2), "as long as what is put off"
    assert channel.recipients.count("0000@example.org") == 14
    assert not [event for event in events if isinstance(event, ServerPaused)], (
        "nobody else waits for its sake"
    )
    assert [
        attempt.delivery.id for attempt in select_attempts(events) if isinstance(attempt.receipt, Refused)
    ] == [first.id]


def test_what_servers_break_at_holds_nobody_up_and_is_not_given_up_while_nothing_shows_that_they_work(
    store: Store,
) -> None:
    make_due_edition(store, 2)
    clock = FakeClock()
    channel = FakeChannel(lambda mail: OURS if mail.recipient == "0000@example.org" else Sent())
    for minutes in (0, 1, 32):
        clock.now = NOW + timedelta(minutes=minutes)
        with store.begin_write() as tx:
            tx.execute(update(table).where(table.c.state == "sent").values(state="ready"))
        run_dispatcher(store, make_connections(channel), clock)
    assert count_by_state(store) == {"ready": 1, "sent": 1}

    events: list[DispatchEvent] = []
    for _ in range(30):
        clock.now += timedelta(minutes=31)
        events += run_dispatcher(store, make_connections(channel), clock)
    (delivery,) = [delivery for delivery in list_deliveries(store) if delivery.state == "ready"]
    assert delivery.attempts == 3, "it counted while others were taken, and then no more"
    assert not [event for event in events if isinstance(event, ServerPaused)]


def test_what_an_outage_begins_with_is_never_given_up_by_it(store: Store) -> None:
    make_due_edition(store, 1)
    clock, channel = FakeClock(), FakeChannel(lambda _: OURS)
    for _ in range(40):
        run_dispatcher(store, make_connections(channel), clock)
        clock.now += timedelta(minutes=31)

    (delivery,) = list_deliveries(store)
    assert (delivery.state, delivery.attempts) == ("ready", 0)


def test_a_stand_by_is_used_only_while_all_others_are_paused(store: Store) -> None:
    make_due_edition(store, 20)
    main, spare = FakeChannel(), FakeChannel()
    ways = [
        *make_connections(main, server="main:25"),
        *make_connections(spare, server="spare:25", stand_by=True),
    ]
    run_dispatcher(store, ways)
    assert (len(main.recipients), len(spare.recipients)) == (20, 0)

    with store.begin_write() as tx:
        tx.execute(update(table).values(state="ready"))
        rates.pause_server(tx, "main:25", NOW, "421")
    run_dispatcher(store, ways)
    assert (len(main.recipients), len(spare.recipients)) == (20, 20)


def test_a_server_that_answers_nothing_is_in_trouble_and_nothing_is_lost(store: Store) -> None:
    make_due_edition(store, 12)

    class Silent(FakeChannel):
        def deliver(self, messages: Sequence[Message]) -> Iterator[tuple[Message, Receipt]]:
            self.batches.append([])
            yield from zip(messages, (), strict=False)

    silent = Silent()
    (event,) = run_dispatcher(store, make_connections(silent))

    assert isinstance(event, ServerPaused)
    assert len(silent.batches) == 1
    assert {(delivery.state, delivery.attempts) for delivery in list_deliveries(store)} == {("ready", 0)}


# --- leases ---------------------------------------------------------------------------------------


def test_a_slow_servers_pack_is_not_taken_over_while_it_is_under_way(store: Store) -> None:
    make_due_edition(store, 6)
    clock = FakeClock()
    accepted: list[int] = []
    looked = threading.Event()

    class Looking(FakeClock):
        """The desk looks at the time when it looks after leases; here, whenever it is given some."""

        def __call__(self) -> datetime:
            looked.set()
            return clock.now

    def answer(_mail: Mail) -> Receipt:
        for _ in range(2):
            clock.now += timedelta(minutes=5)
            looked.clear()
            looked.wait(PATIENCE)
        with store.begin_write() as tx:
            outbox.release_expired(tx, clock.now)
            accepted.append(len(outbox.claim_deliveries(tx, "smtp", 999, clock.now, 10)))
        return Sent()

    run_dispatcher(store, make_connections(FakeChannel(answer)), Looking(), tends=timedelta(seconds=0.02))

    assert accepted == [0] * 6
    assert count_by_state(store) == {"sent": 6}


def test_a_pass_whose_worker_was_taken_for_dead_meanwhile_claims_nothing_more(store: Store) -> None:
    make_due_edition(store, 4)

    heartbeat = WorkerHeartbeat(store, 7, WorkerProfile())  # not listed, as if others had removed it
    heartbeat.beat()
    may_send = heartbeat.watch_leases()
    with store.begin_write() as tx:
        remove_worker(tx, 7)

    run_dispatcher(
        store, make_connections(FakeChannel()), may_send=may_send, keep_listed=heartbeat.keep_listed
    )

    assert count_by_state(store) == {"ready": 4}


def test_a_pack_that_another_took_over_is_left_to_it(store: Store) -> None:
    make_due_edition(store, 4)
    clock = FakeClock()

    def answer(mail: Mail) -> Receipt:
        if mail.recipient == "0001@example.org":
            clock.now += timedelta(hours=1)  # this machine slept; another one went on
            with store.begin_write() as tx:
                outbox.release_expired(tx, clock.now)
                assert len(outbox.claim_deliveries(tx, "smtp", 999, clock.now, 10)) == 4
        return Sent()

    channel = FakeChannel(answer)
    run_dispatcher(store, make_connections(channel), clock)

    assert channel.recipients == make_addresses(2)
    assert {delivery.token for delivery in list_deliveries(store)} == {999}


# --- rehearsals -----------------------------------------------------------------------------------


def test_a_rehearsal_tells_what_would_go_out(store: Store) -> None:
    make_due_edition(store, 12)

    with store.begin_dry_run() as trial:
        attempts = list(list_due_for_rehearsal(trial, FakeClock()))

    assert sorted(attempt.delivery.address for attempt in attempts) == make_addresses(12)
    assert count_by_state(store) == {"ready": 12}
    assert run_dispatcher(store, make_connections(FakeChannel()), FakeClock(add_to_now(seconds=-1))) == []


def test_nobody_is_kept_from_delivering_by_a_rehearsal(store: Store) -> None:
    make_due_edition(store, 12)
    channel = FakeChannel()

    with store.begin_dry_run() as trial:
        list(list_due_for_rehearsal(trial, FakeClock()))
        # On PostgreSQL those are locked that the rehearsal claimed; they wait, and nothing fails.
        stop = threading.Event()
        threading.Timer(0.5, stop.set).start()
        run_dispatcher(store, make_connections(channel), stop=stop)
    run_dispatcher(store, make_connections(channel))

    assert channel.recipients == make_addresses(12)


# --- a store that cannot be written to ------------------------------------------------------------


@dataclass
class Fuse:
    """Keeps a store from being written to, the way its database does it.

    Attributes:
        blown: whether it does.
        full: there is no more room; otherwise it is read-only.
    """

    store: Store
    full: bool = False
    blown: bool = False

    def __post_init__(self) -> None:
        event.listen(self.store.engine, "checkout", self._set)

    def _set(self, connection: Any, _record: object, _proxy: object) -> None:
        if not isinstance(connection, sqlite3.Connection):
            connection.execute(f"SET default_transaction_read_only = {'on' if self.blown else 'off'}")
            connection.commit()
        elif self.full:
            connection.execute(f"PRAGMA max_page_count = {1 if self.blown else 2**30}")
        else:
            connection.execute(f"PRAGMA query_only = {int(self.blown)}")


def test_what_was_sent_is_kept_when_the_store_can_be_written_to_again_and_nothing_else_is_sent_before(
    store: Store,
) -> None:
    make_due_edition(store, 60)
    fuse = Fuse(store)

    def answer(mail: Mail) -> Receipt:
        fuse.blown |= mail.recipient == "0003@example.org"
        return Sent(answer="250")

    channel = FakeChannel(answer)
    going = build_dispatcher(store, make_connections(channel, 2)).run()
    events: list[DispatchEvent] = []
    for dispatch_event in going:
        events.append(dispatch_event)
        if isinstance(dispatch_event, StoreUnavailable):
            unmarked = len(channel.recipients) - count_by_state(store).get("sent", 0)
            assert unmarked <= 2 * BATCH_SIZE
            assert count_by_state(store)["leased"] <= 2 * BATCH_SIZE
            fuse.blown = False
            channel.answer = lambda _: Sent()

    assert [type(event) for event in events if not isinstance(event, DeliveryAttempt)] == [StoreUnavailable]
    assert Counter(channel.recipients) == Counter(make_addresses(60))
    assert count_by_state(store) == {"sent": 60}


@pytest.mark.parametrize("full", [True, False], ids=["full", "read-only"])
def test_nothing_is_sent_that_could_not_be_claimed_first(store: Store, *, full: bool) -> None:
    make_due_edition(store, 3000)
    Fuse(store, full=full).blown = True
    channel = FakeChannel()
    with pytest.raises(StoreError, match="the database says"):
        run_dispatcher(store, make_connections(channel))

    assert channel.recipients == []
    assert count_by_state(store) == {"ready": 3000}


def test_ctrl_c_while_the_store_cannot_be_written_to_says_so(store: Store) -> None:
    make_due_edition(store, 20)
    fuse = Fuse(store)

    def answer(_: Mail) -> Receipt:
        fuse.blown = True
        return Sent()

    channel = FakeChannel(answer)
    going = build_dispatcher(store, make_connections(channel)).run()
    assert isinstance(next(going), StoreUnavailable)
    with pytest.raises(StoreError):
        going.close()  # type: ignore[attr-defined]

    assert channel.recipients == make_addresses(10)
    fuse.blown = False
    assert count_by_state(store) == {"leased": 10, "ready": 10}, (
        "those may come again, when their lease is over"
    )
