"""Messages that a server fails at hold up nobody and are tried by themselves, and a server that fails at all is paused."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest
from sqlalchemy import update

from digest.channels.smtp import Channel
from digest.errors import RenderError
from digest.jobs.delivery.dispatcher import DispatchEvent
from digest.jobs.delivery.servers import ServerPaused
from digest.model import Deferred, Delivery, Edition, Fault, Mail, Message, Receipt, Sent
from digest.ports import Connection
from digest.store.database.engine import Store
from digest.store.database.tables.digests import deliveries as table
from tests.fakes.breaking_mail_server import BreakingServer
from tests.jobs.delivery import dispatchers
from tests.jobs.delivery.dispatchers import (
    IN_CI_ON_SQLITE,
    ConcurrencyCounter,
    FakeClock,
    list_deliveries,
    make_addresses,
    make_connections,
    run_dispatcher,
)
from tests.store.factories import NOW, make_due_edition
from tests.support.cases import make_long_cases
from tests.support.seeds import get_seed
from tests.support.timeouts import PATIENCE

LOST = Deferred(answer="mx:25 closed the connection", fault=Fault.OURS)


def way_to(server: BreakingServer, name: str, *, stand_by: bool = False) -> Connection:
    def make() -> Channel:
        return Channel(host="127.0.0.1", port=server.port, security="none", timeout=PATIENCE)

    return Connection(channel="smtp", server=name, make_channel=make, is_stand_by=stand_by)


def deliver(store: Store, server: BreakingServer, clock: FakeClock, connections: int) -> list[DispatchEvent]:
    return run_dispatcher(store, [way_to(server, "mx:25")] * connections, clock)


STEPS = ["RCPT", "RCPT 421", "DATA", "DATA 421", ". 421"]
"""Where a server hangs up, and what it says before; after the dot without a word the message may have arrived."""


def waiting(store: Store) -> set[str]:
    return {delivery.address for delivery in list_deliveries(store) if delivery.state == "ready"}


@IN_CI_ON_SQLITE
@pytest.mark.parametrize("connections", [1, 4])
@pytest.mark.parametrize("step", [*STEPS, "."])
def test_whichever_messages_a_server_breaks_at_all_others_go_out_in_the_same_pass(
    store: Store, step: str, connections: int
) -> None:
    make_due_edition(store, 120)
    bad = set(random.Random(get_seed()).sample(make_addresses(120), 30))
    with BreakingServer(lambda recipient: step if recipient in bad else "") as server:
        deliver(store, server, FakeClock(), connections)

    assert waiting(store) == bad
    assert sorted(server.accepted_recipients) == sorted({*make_addresses(120)} - bad)


def test_a_message_that_connections_broke_off_at_goes_alone_and_after_the_second_time_last(
    store: Store,
) -> None:
    make_due_edition(store, 25)
    clock = FakeClock()
    first = "0003@example.org"
    with BreakingServer(lambda recipient: "RCPT" if recipient == first else "") as server:
        deliver(store, server, clock, 1)
    assert waiting(store) == {first}

    answers: list[Receipt] = [LOST, Sent()]
    for packs in ([1, 10, 10, 4], [10, 10, 4, 1]):
        clock.now += timedelta(minutes=31)
        send_again(store, clock.now)
        channel = dispatchers.FakeChannel(lambda mail: answers.pop(0) if mail.recipient == first else Sent())
        run_dispatcher(store, make_connections(channel), clock)

        assert [len(pack) for pack in channel.batches] == packs
        assert [first] in channel.batches


def test_of_what_connections_broke_off_at_one_goes_alone_then_a_batch_at_a_time_however_many_lines_there_are(
    store: Store,
) -> None:
    make_due_edition(store, 40)
    clock, counting = FakeClock(), ConcurrencyCounter()
    channel = dispatchers.FakeChannel(lambda mail: LOST if int(mail.recipient[:4]) % 4 else Sent())
    run_dispatcher(store, make_connections(channel, 4), clock)
    clock.now += timedelta(minutes=1)

    def answer(_: Mail) -> Receipt:
        with counting:
            return Sent()

    channel.answer, channel.batches = answer, []
    run_dispatcher(store, make_connections(channel, 4), clock)

    assert [len(pack) for pack in channel.batches] == [1, 10, 10, 9]
    assert counting.maximum == 1
    assert waiting(store) == set()


def test_a_server_at_which_message_after_message_breaks_off_is_paused(store: Store) -> None:
    make_due_edition(store, 100)
    clock = FakeClock()
    with BreakingServer(lambda _: "DATA") as server:
        events = deliver(store, server, clock, 1)
        met = len(set(server.broken_recipients))

    assert met == 8
    assert [type(event).__name__ for event in events][-1:] == ["ServerPaused"]
    assert {(delivery.state, delivery.attempts) for delivery in list_deliveries(store)} == {("ready", 0)}

    with BreakingServer(lambda _: "") as server:
        clock.now += timedelta(minutes=2)
        deliver(store, server, clock, 1)
    assert waiting(store) == set()


def test_a_server_that_breaks_off_at_the_few_messages_that_there_are_is_paused_too(store: Store) -> None:
    make_due_edition(store, 3)
    clock = FakeClock()
    events: list[DispatchEvent] = []
    with BreakingServer(lambda _: "DATA") as server:
        for _ in range(4):
            events += deliver(store, server, clock, 1)
            clock.now += timedelta(minutes=31)

    assert [event for event in events if isinstance(event, ServerPaused)], "the operator hears of it"


# --- a night, and the next morning ----------------------------------------------------------------

NIGHT = (5, 15, 30, 60, 90, 120, 150, 180, 210, 240, 300, 600, 1200, 1380, 1410)
"""Minutes after an edition at which passes look for what is due."""
MORNING = timedelta(minutes=1422)


def send_again(store: Store, now: datetime) -> None:
    """Make due again what was taken, as the next edition would be."""
    with store.begin_write() as tx:
        values = {"state": "ready", "due_at": now, "attempts": 0, "answer": "", "failed_at": None}
        tx.execute(update(table).where(table.c.state == "sent").values(values))


def paused(events: Sequence[DispatchEvent]) -> list[ServerPaused]:
    return [event for event in events if isinstance(event, ServerPaused)]


@IN_CI_ON_SQLITE
@pytest.mark.parametrize(
    "bad", [range(0, 60, 5), *make_long_cases([0], [30], [59])], ids=["1 of 5", "first", "one", "last"]
)
@pytest.mark.parametrize("step", STEPS)
def test_what_a_server_fails_at_pauses_it_for_nobody_and_the_next_edition_goes_out_at_once(
    store: Store, step: str, bad: Sequence[int]
) -> None:
    make_due_edition(store, 60)
    clock = FakeClock()
    suspects = {make_addresses(60)[number] for number in bad}
    with BreakingServer(lambda recipient: step if recipient in suspects else "") as server:
        events = deliver(store, server, clock, 2)
        assert waiting(store) == suspects
        for minutes in NIGHT:
            clock.now = NOW + timedelta(minutes=minutes)
            events += deliver(store, server, clock, 2)
        clock.now = NOW + MORNING
        send_again(store, clock.now)
        server.accepted_recipients.clear()
        events += deliver(store, server, clock, 2)

        assert sorted(server.accepted_recipients) == sorted({*make_addresses(60)} - suspects), "in one pass"
    assert not paused(events)
    assert waiting(store) == suspects, "and none of them is given up in a day"


def test_a_server_that_is_paused_for_what_waits_gets_what_became_due_since(store: Store) -> None:
    """Two messages that it alone was given say nothing of others: these wait for two minutes and not for half an hour."""
    make_due_edition(store, 20)
    clock = FakeClock()
    suspects = make_addresses(2)
    with store.begin_write() as tx:
        tx.execute(update(table).where(table.c.id > 2).values(due_at=NOW + timedelta(hours=7, minutes=1)))
    with BreakingServer(lambda recipient: "DATA" if recipient in suspects else "") as server:
        events: list[DispatchEvent] = []
        for _ in range(15):
            events += deliver(store, server, clock, 1)
            clock.now += timedelta(minutes=30)
        assert paused(events)[-1].failure.until - paused(events)[-1].failure.since == timedelta(minutes=30)

        clock.now = NOW + timedelta(hours=7, minutes=3)
        events = deliver(store, server, clock, 1)
        assert sorted(server.accepted_recipients) == make_addresses(18, 2)
    assert not paused(events)


def test_a_server_that_fails_at_what_became_due_since_its_pause_began_is_paused_longer(store: Store) -> None:
    make_due_edition(store, 40)
    clock, channel = FakeClock(), dispatchers.FakeChannel(lambda _: LOST)
    with store.begin_write() as tx:
        later = table.c.id > 20
        tx.execute(update(table).where(later).values(due_at=NOW + timedelta(minutes=5)))
    pauses, packs = [], []
    for minutes in (0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13):
        clock.now = NOW + timedelta(minutes=minutes)
        before = len(channel.batches)
        pauses += [
            minutes
            for server_paused in paused(run_dispatcher(store, make_connections(channel), clock))
            if server_paused.failure.since == clock.now
        ]
        packs.append(len(channel.batches) - before)

    assert pauses == [0, 1, 3, 5, 13], "for 1, 2, 4 and 8 minutes, of which two have to pass"
    assert sum(packs) <= 8


# --- an outage ------------------------------------------------------------------------------------


@IN_CI_ON_SQLITE
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize(
    "bad", [range(0, 60, 2), *make_long_cases(range(0, 6, 2), range(30, 60))], ids=["1 of 2", "3", "last"]
)
def test_an_outage_after_a_blip_gives_nothing_up_and_costs_a_few_connections_a_pass(
    store: Store, step: str, bad: Sequence[int]
) -> None:
    make_due_edition(store, 60)
    clock = FakeClock()
    suspects = {make_addresses(60)[number] for number in bad}
    met: list[int] = []
    with BreakingServer(lambda recipient: step if recipient in suspects else "") as server:
        deliver(store, server, clock, 1)
        server.breaks_at = lambda _: step
        while clock.now < NOW + timedelta(days=3):
            clock.now += timedelta(minutes=47)
            before = len(server.broken_recipients)
            deliver(store, server, clock, 1)
            met.append(len(server.broken_recipients) - before)
        assert max(met) <= 16
        assert {(delivery.state, delivery.attempts <= 1) for delivery in list_deliveries(store)} == {
            ("sent", True),
            ("ready", True),
        }

        server.breaks_at = lambda _: ""
        clock.now += timedelta(minutes=31)
        deliver(store, server, clock, 1)
    assert waiting(store) == set()


def test_an_outage_that_begins_with_the_last_messages_of_a_pass_gives_none_of_them_up(store: Store) -> None:
    make_due_edition(store, 60)
    clock = FakeClock()
    with BreakingServer(lambda _: "RCPT" if len(server.accepted_recipients) >= 55 else "") as server:
        for minutes in NIGHT:
            clock.now = NOW + timedelta(minutes=minutes)
            deliver(store, server, clock, 2)
    # What another line had under way when it began can look as if it was taken after that: one attempt, and no more.
    assert {
        (delivery.state, delivery.attempts <= 1)
        for delivery in list_deliveries(store)
        if delivery.state != "sent"
    } == {("ready", True)}


# --- several servers ------------------------------------------------------------------------------


@IN_CI_ON_SQLITE
@pytest.mark.parametrize("stand_by", [False, True])
@pytest.mark.parametrize("number", [3, 12, *make_long_cases(1, 7)])
@pytest.mark.parametrize("step", STEPS)
def test_where_one_server_fails_at_messages_another_takes_them_in_the_same_pass(
    store: Store, step: str, number: int, *, stand_by: bool
) -> None:
    make_due_edition(store, number)
    with BreakingServer(lambda _: step) as bad, BreakingServer(lambda _: "") as good:
        ways = [way_to(bad, "bad:25"), way_to(good, "good:25", stand_by=stand_by)]
        run_dispatcher(store, ways, FakeClock())

        assert sorted(good.accepted_recipients) == make_addresses(number)
    assert {delivery.attempts for delivery in list_deliveries(store)} == {1}


@pytest.mark.parametrize("connections", [1, 3])
def test_what_a_server_turns_away_while_it_takes_others_goes_by_another_in_the_same_pass(
    store: Store, connections: int
) -> None:
    make_due_edition(store, 60)
    bad = make_addresses(60)[::5]
    away = Deferred(answer="451 4.3.0 the filter fails", fault=Fault.OURS)
    first = dispatchers.FakeChannel(lambda mail: away if mail.recipient in bad else Sent())
    events = run_dispatcher(
        store,
        [
            *make_connections(first, connections, server="a:25"),
            *make_connections(dispatchers.FakeChannel(), server="b:25"),
        ],
        FakeClock(),
    )

    assert waiting(store) == set()
    assert not paused(events)
    assert max(Counter(first.recipients).values()) <= 2


def test_what_is_turned_away_by_all_servers_waits_although_they_take_others(store: Store) -> None:
    make_due_edition(store, 60)
    bad = make_addresses(60)[::5]
    away = Deferred(answer="451 4.3.0 the filter fails", fault=Fault.OURS)
    channel = dispatchers.FakeChannel(lambda mail: away if mail.recipient in bad else Sent())
    events = run_dispatcher(
        store,
        [*make_connections(channel, 2, server="a:25"), *make_connections(channel, 2, server="b:25")],
        FakeClock(),
    )

    assert waiting(store) == set(bad)
    assert not paused(events)
    assert max(Counter(channel.recipients).values()) <= 4


def test_an_outage_behind_two_servers_gives_nothing_up_that_both_failed_at(store: Store) -> None:
    make_due_edition(store, 2)
    clock, channel = FakeClock(), dispatchers.FakeChannel(lambda _: LOST)
    ways = [*make_connections(channel, server="a:25"), *make_connections(channel, server="b:25")]
    most = 0
    for _ in range(40):
        channel.batches = []
        run_dispatcher(store, ways, clock)
        most = max(most, len(channel.batches))
        clock.now += timedelta(minutes=31)

    assert {(delivery.state, delivery.attempts) for delivery in list_deliveries(store)} == {("ready", 0)}
    assert most <= 4, "each server once a message and pass"


# --- a server that takes less than all ------------------------------------------------------------


def test_what_a_quota_left_over_yesterday_is_the_first_to_go_today(store: Store) -> None:
    make_due_edition(store, 55)
    clock, left = FakeClock(), [50]

    def answer(_: Mail) -> Receipt:
        if not left[0]:
            return Deferred(answer="450 4.7.1 daily sending quota exceeded", fault=Fault.OURS)
        left[0] -= 1
        return Sent()

    channel, left_over = dispatchers.FakeChannel(answer), set[str]()
    for _ in range(5):
        left[0] = 50
        for _ in range(24):
            run_dispatcher(store, make_connections(channel), clock)
            clock.now += timedelta(hours=1)
        assert len(waiting(store)) == 5
        assert left_over.isdisjoint(waiting(store))
        left_over = waiting(store)
        send_again(store, clock.now)
    assert {(delivery.state, delivery.attempts) for delivery in list_deliveries(store)} == {("ready", 0)}


@pytest.mark.parametrize("share", [0.5, *make_long_cases(0.3, 0.7)])
def test_a_server_that_turns_away_some_at_random_for_a_day_gets_all_in_the_end(
    store: Store, share: float
) -> None:
    """The server recovers after a day, because a message that chance turns away for two days is given up."""
    make_due_edition(store, 200)
    clock, chance = FakeClock(), random.Random(get_seed())
    recovery = clock.now + timedelta(days=1)
    overloaded = Deferred(answer="451 4.3.2 overloaded", fault=Fault.OURS)
    channel = dispatchers.FakeChannel(
        lambda _: overloaded if clock.now < recovery and chance.random() < share else Sent()
    )
    for _ in range(200):
        run_dispatcher(store, make_connections(channel), clock)
        if not waiting(store):
            break
        clock.now += timedelta(minutes=15)

    assert {delivery.state for delivery in list_deliveries(store)} == {"sent"}


def test_a_mail_that_cannot_be_written_does_not_show_that_a_server_takes_others(store: Store) -> None:
    make_due_edition(store, 9)
    clock, channel = FakeClock(), dispatchers.FakeChannel(lambda _: LOST)

    def write(edition: Edition, delivery: Delivery) -> Message:
        if delivery.address == "0004@example.org":
            raise RenderError("the template fails")
        return dispatchers.write_message(edition, delivery)

    events = run_dispatcher(store, make_connections(channel), clock, write=write)
    assert [server_paused.server for server_paused in paused(events)] == ["mx:25"]


def test_a_pass_does_not_stay_for_a_message_that_connections_break_off_at(store: Store) -> None:
    make_due_edition(store, 3)
    with BreakingServer(lambda recipient: "DATA" if recipient.startswith("0001") else "") as server:
        run_dispatcher(store, [way_to(server, "mx:25")], FakeClock(), time_passes=True)

    assert waiting(store) == {"0001@example.org"}
