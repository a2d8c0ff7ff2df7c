"""What servers turn away holds up nobody, is offered to other servers, and is given up by the clock; quotas are fair."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from itertools import pairwise
from time import sleep

import pytest
from sqlalchemy import update

from digest.channels.smtp import Channel
from digest.jobs.delivery.servers import ServerPaused
from digest.model import Deferred, Delivery, Fault, Mail, Receipt, Sent
from digest.ports import Connection
from digest.store.database.engine import Store
from digest.store.database.tables.digests import deliveries as table
from tests.fakes.breaking_mail_server import BreakingServer
from tests.jobs.delivery import dispatchers
from tests.jobs.delivery.dispatchers import (
    IN_CI_ON_SQLITE,
    FakeClock,
    list_deliveries,
    make_addresses,
    make_connections,
    run_dispatcher,
)
from tests.store.factories import NOW, make_due_edition
from tests.support.cases import make_long_cases
from tests.support.timeouts import PATIENCE

TURNED_AWAY = Deferred(answer="451 4.3.0 the lookup fails", fault=Fault.OURS)
HUNG_UP = Deferred(answer="mx:25 closed the connection", fault=Fault.OURS)
FAILURES = pytest.mark.parametrize("failure", [TURNED_AWAY, HUNG_UP], ids=["turned away", "hung up"])


def fails_at(recipients: list[str], failure: Deferred) -> Callable[[Mail], Receipt]:
    return lambda mail: failure if mail.recipient in recipients else Sent(answer="250 yes")


def send_again(store: Store, clock: FakeClock) -> None:
    """Make due again what was taken, as the next edition would be."""
    with store.begin_write() as tx:
        values = {"state": "ready", "due_at": clock.now, "attempts": 0, "answer": "", "failed_at": None}
        tx.execute(update(table).where(table.c.state == "sent").values(values))


def postpone(store: Store, beyond: int, wait: timedelta) -> None:
    with store.begin_write() as tx:
        tx.execute(update(table).where(table.c.id > beyond).values(due_at=NOW + wait))


def in_state(store: Store, state: str) -> list[Delivery]:
    return [delivery for delivery in list_deliveries(store) if delivery.state == state]


# --- whom they hold up ----------------------------------------------------------------------------


@IN_CI_ON_SQLITE
@FAILURES
@pytest.mark.parametrize("connections", [1, 4, *make_long_cases(2)])
@pytest.mark.parametrize("bad", [3, 20, *make_long_cases(40)])
def test_however_many_a_server_fails_at_first_all_others_are_sent_within_the_hour(
    store: Store, bad: int, connections: int, failure: Deferred
) -> None:
    make_due_edition(store, 60)
    clock = FakeClock()
    channel = dispatchers.FakeChannel(fails_at(make_addresses(bad), failure))
    for _ in range(5):
        run_dispatcher(store, make_connections(channel, connections), clock)
        clock.now += timedelta(minutes=15)

    assert len(in_state(store, "sent")) == 60 - bad


@IN_CI_ON_SQLITE
@FAILURES
@pytest.mark.parametrize("connections", [1, 4])
@pytest.mark.parametrize(
    "every", [timedelta(minutes=20), timedelta(days=1), *make_long_cases(timedelta(hours=1))]
)
def test_what_a_server_fails_at_delays_no_later_edition(
    store: Store, connections: int, every: timedelta, failure: Deferred
) -> None:
    """Some 40 messages fail for ever; once that is known, each edition goes out in the first pass that it is due in."""
    make_due_edition(store, 100)
    clock = FakeClock()
    channel = dispatchers.FakeChannel(fails_at(make_addresses(40), failure))
    postpone(store, 40, timedelta(days=1))
    while clock.now < NOW + timedelta(days=1):
        run_dispatcher(store, make_connections(channel, connections), clock)
        clock.now += timedelta(minutes=20)
    for _ in range(3):
        run_dispatcher(store, make_connections(channel, connections), clock)
        assert len(in_state(store, "sent")) == 60
        for _ in range(timedelta(days=1) // every - 1):
            clock.now += every
            run_dispatcher(store, make_connections(channel, connections), clock)
        clock.now += every
        send_again(store, clock)


@FAILURES
def test_after_an_outage_new_mail_does_not_wait_behind_what_failed_in_it(
    store: Store, failure: Deferred
) -> None:
    """The server takes none of those that failed before it has taken all that is new."""
    make_due_edition(store, 140)
    clock, channel = FakeClock(), dispatchers.FakeChannel(lambda _: failure)
    postpone(store, 80, timedelta(hours=8))
    while clock.now < NOW + timedelta(hours=8):
        run_dispatcher(store, make_connections(channel, 4), clock)
        clock.now += timedelta(minutes=15)
    suspects = {delivery.address for delivery in list_deliveries(store) if delivery.is_suspect}
    assert len(suspects) >= 30

    lock, order, all_new = threading.Lock(), list[str](), threading.Event()

    def answer(mail: Mail) -> Receipt:
        if mail.recipient in suspects:
            all_new.wait(PATIENCE)
        with lock:
            order.append(mail.recipient)
            if {*make_addresses(60, 80)} <= {*order}:
                all_new.set()
        return Sent(answer="250 yes")

    clock.now += timedelta(minutes=31)
    channel.answer, channel.batches = answer, []
    run_dispatcher(store, make_connections(channel, 4), clock)

    assert suspects.isdisjoint(order[:60])
    assert not in_state(store, "ready")
    alone = [pack for pack in channel.batches if suspects.issuperset(pack)]
    assert len(alone) <= 2 + len(suspects) / 10


def test_a_pass_does_not_stay_for_what_a_server_turned_away(store: Store) -> None:
    make_due_edition(store, 20)
    channel = dispatchers.FakeChannel(fails_at(make_addresses(1, 19), TURNED_AWAY))
    stop = threading.Event()
    timer = threading.Timer(PATIENCE, stop.set)
    timer.start()
    run_dispatcher(store, make_connections(channel), FakeClock(), time_passes=True, stop=stop)
    timer.cancel()

    assert not stop.is_set()
    assert channel.recipients.count("0019@example.org") == 1


# --- other servers --------------------------------------------------------------------------------


@IN_CI_ON_SQLITE
@FAILURES
@pytest.mark.parametrize("stand_by", [False, True])
@pytest.mark.parametrize("connections", [1, 3])
@pytest.mark.parametrize("bad", [[0], [18, 19], *make_long_cases([19], list(range(20)))])
def test_what_one_server_fails_at_goes_by_another_in_the_same_pass(
    store: Store, bad: list[int], connections: int, failure: Deferred, *, stand_by: bool
) -> None:
    make_due_edition(store, 20)
    first = dispatchers.FakeChannel(fails_at([make_addresses(20)[number] for number in bad], failure))
    second = dispatchers.FakeChannel()
    ways = [
        *make_connections(first, connections, server="a:25"),
        *make_connections(second, connections, server="b:25", stand_by=stand_by),
    ]
    run_dispatcher(store, ways, FakeClock())

    assert not in_state(store, "ready")
    assert max(Counter(first.recipients).values(), default=0) <= 1
    assert max(Counter(second.recipients).values(), default=0) <= 1


@FAILURES
def test_what_counts_against_a_message_only_later_does_not_keep_it_from_another_server(
    store: Store, failure: Deferred
) -> None:
    """A busy connection shows that a server takes others only after it has failed at two messages."""
    make_due_edition(store, 20)
    *_, one_before_last, last = make_addresses(20)
    failed = threading.Event()

    def answer_first(mail: Mail) -> Receipt:
        if mail.recipient == last:
            failed.set()
        elif mail.recipient in make_addresses(10):
            failed.wait(PATIENCE)
        return fails_at([one_before_last, last], failure)(mail)

    def answer_second(_: Mail) -> Receipt:
        for _attempt in range(int(PATIENCE / 0.01)):
            if list_deliveries(store)[-1].attempts >= 1:
                break
            sleep(0.01)
        return Sent(answer="250 yes")

    first, second = dispatchers.FakeChannel(answer_first), dispatchers.FakeChannel(answer_second)
    ways = [
        *make_connections(first, 2, server="a:25"),
        *make_connections(second, 1, server="b:25", stand_by=True),
    ]
    run_dispatcher(store, ways, FakeClock())

    assert not in_state(store, "ready")
    assert second.recipients == [one_before_last, last]


# --- until when -----------------------------------------------------------------------------------


@IN_CI_ON_SQLITE
@FAILURES
@pytest.mark.parametrize("servers", [1, 3, *make_long_cases(2)])
def test_what_servers_fail_at_while_they_take_others_is_given_up_after_two_days_by_the_clock(
    store: Store, servers: int, failure: Deferred
) -> None:
    make_due_edition(store, 5)
    clock = FakeClock()
    channel = dispatchers.FakeChannel(fails_at(make_addresses(1, 2), failure))
    ways = [line for number in range(servers) for line in make_connections(channel, server=f"{number}:25")]
    last = clock.now
    while not in_state(store, "refused"):
        assert clock.now < NOW + timedelta(days=4)
        run_dispatcher(store, ways, clock)
        last = clock.now
        clock.now += timedelta(minutes=15)
        send_again(store, clock)

    assert timedelta(days=2) <= last - NOW <= timedelta(days=2, hours=7)


@IN_CI_ON_SQLITE
@FAILURES
@pytest.mark.parametrize("servers", [1, 3, *make_long_cases(2)])
def test_the_pauses_of_what_all_servers_fail_at_grow_however_many_servers_there_are(
    store: Store, servers: int, failure: Deferred
) -> None:
    make_due_edition(store, 3)
    clock = FakeClock()
    (bad,) = make_addresses(1)
    times = set[timedelta]()

    def answer(mail: Mail) -> Receipt:
        if mail.recipient != bad:
            return Sent(answer="250 yes")
        times.add(clock.now - NOW)
        return failure

    channel = dispatchers.FakeChannel(answer)
    ways = [line for number in range(servers) for line in make_connections(channel, server=f"{number}:25")]
    while not in_state(store, "refused"):
        run_dispatcher(store, ways, clock)
        clock.now += timedelta(minutes=15)
        send_again(store, clock)
        assert clock.now < NOW + timedelta(days=3)

    assert len(times) <= 15
    assert channel.recipients.count(bad) <= 15 * servers
    pauses = [later - earlier for earlier, later in pairwise(sorted(times))]
    assert max(pauses) >= timedelta(hours=6)
    assert in_state(store, "refused")[0].attempts == len(times)


@IN_CI_ON_SQLITE
@FAILURES
@pytest.mark.parametrize("bad", [0, 1, 2])
def test_with_one_pass_a_day_it_is_given_up_after_two_days_too(
    store: Store, bad: int, failure: Deferred
) -> None:
    make_due_edition(store, 3)
    clock = FakeClock()
    channel = dispatchers.FakeChannel(fails_at(make_addresses(1, bad), failure))
    days = 0
    while not in_state(store, "refused"):
        run_dispatcher(store, make_connections(channel), clock)
        days += 1
        clock.now += timedelta(days=1)
        send_again(store, clock)
        assert days < 7

    # The last message of a first pass is not to blame before the next pass takes something after it.
    assert 3 <= days <= 4


@IN_CI_ON_SQLITE
@FAILURES
@pytest.mark.parametrize("minutes", [5, 60, *make_long_cases(7, 120)])
@pytest.mark.parametrize(("others", "connections"), [(1, 1), (19, 2)])
def test_with_an_edition_a_day_it_is_given_up_after_two_days_however_often_we_are_started(
    store: Store, failure: Deferred, minutes: int, others: int, connections: int
) -> None:
    make_due_edition(store, others + 1)
    clock = FakeClock()
    channel = dispatchers.FakeChannel(fails_at(make_addresses(1), failure))
    while not in_state(store, "refused"):
        for _ in range(24 * 60 // minutes):
            run_dispatcher(store, make_connections(channel, connections), clock)
            clock.now += timedelta(minutes=minutes)
        send_again(store, clock)
        assert clock.now <= NOW + timedelta(days=5)

    assert clock.now >= NOW + timedelta(days=2)


@IN_CI_ON_SQLITE
@FAILURES
@pytest.mark.parametrize("ahead", [timedelta(hours=5), timedelta(days=2)])
@pytest.mark.parametrize("day_ahead", [0, 1])
def test_a_clock_that_was_ahead_for_a_while_makes_no_message_go_on_for_ever(
    store: Store, failure: Deferred, ahead: timedelta, day_ahead: int
) -> None:
    make_due_edition(store, 5)
    clock = FakeClock()
    channel = dispatchers.FakeChannel(fails_at(make_addresses(1), failure))
    day = 0
    while not in_state(store, "refused"):
        for _ in range(24):
            clock.now += ahead if day == day_ahead else timedelta(0)
            run_dispatcher(store, make_connections(channel), clock)
            clock.now += timedelta(hours=1) - (ahead if day == day_ahead else timedelta(0))
        send_again(store, clock)
        day += 1
        assert day <= 8


@IN_CI_ON_SQLITE
@FAILURES
def test_an_outage_of_a_week_gives_nothing_up(store: Store, failure: Deferred) -> None:
    make_due_edition(store, 60)
    clock, answers = FakeClock(), fails_at(make_addresses(4), failure)
    channel = dispatchers.FakeChannel(answers)
    run_dispatcher(store, make_connections(channel, 2), clock)
    channel.answer = lambda _: failure
    while clock.now < NOW + timedelta(days=7):
        clock.now += timedelta(minutes=47)
        run_dispatcher(store, make_connections(channel, 2), clock)
    assert not in_state(store, "refused")

    channel.answer = lambda _: Sent(answer="250 yes")
    clock.now += timedelta(minutes=31)
    run_dispatcher(store, make_connections(channel, 2), clock)
    assert not in_state(store, "ready")


@FAILURES
def test_a_server_that_fails_at_whatever_it_is_sent_is_paused(store: Store, failure: Deferred) -> None:
    make_due_edition(store, 3)
    clock, entries = FakeClock(), []
    for _ in range(2):
        entries += run_dispatcher(store, make_connections(dispatchers.FakeChannel(lambda _: failure)), clock)
        clock.now += timedelta(minutes=5)

    assert any(isinstance(event, ServerPaused) for event in entries)


@IN_CI_ON_SQLITE
@FAILURES
@pytest.mark.parametrize("connections", [1, 4])
def test_a_server_that_fails_at_the_only_message_twice_is_paused(
    store: Store, connections: int, failure: Deferred
) -> None:
    make_due_edition(store, 1)
    clock, paused_at = FakeClock(), list[timedelta]()
    channel = dispatchers.FakeChannel(lambda _: failure)
    for minutes in (0, 5, 15, 30):
        clock.now = NOW + timedelta(minutes=minutes)
        events = run_dispatcher(store, make_connections(channel, connections), clock)
        paused_at += [clock.now - NOW for event in events if isinstance(event, ServerPaused)]
    assert paused_at == [timedelta(minutes=minutes) for minutes in (5, 15, 30)]

    channel.answer = lambda _: Sent(answer="250 yes")
    clock.now = NOW + timedelta(minutes=40)
    run_dispatcher(store, make_connections(channel, connections), clock)
    assert not in_state(store, "ready"), "it goes as soon as the server takes it"


@IN_CI_ON_SQLITE
@FAILURES
def test_new_mail_tries_a_dead_server_by_one_connection_and_less_and_less_often(
    store: Store, failure: Deferred
) -> None:
    """Two messages become due every two minutes for five hours."""
    make_due_edition(store, 320)
    clock, channel = FakeClock(), dispatchers.FakeChannel(lambda _: failure)
    with store.begin_write() as tx:
        for number in range(20, 320, 2):
            later = NOW + timedelta(minutes=number - 18)
            tx.execute(update(table).where(table.c.id > number).values(due_at=later))
    batches: dict[timedelta, int] = {}
    while clock.now < NOW + timedelta(hours=5):
        before = len(channel.batches)
        run_dispatcher(store, make_connections(channel, 4), clock)
        if len(channel.batches) > before:
            batches[clock.now - NOW] = len(channel.batches) - before
        clock.now += timedelta(minutes=1)

    assert sum(batches.values()) <= 80


@IN_CI_ON_SQLITE
@FAILURES
def test_a_server_that_took_others_before_it_failed_at_the_last_message_is_not_paused(
    store: Store, failure: Deferred
) -> None:
    make_due_edition(store, 5)
    clock, channel = FakeClock(), dispatchers.FakeChannel(fails_at(make_addresses(1, 4), failure))
    for minutes in (0, 5, 15, 60, 120):
        clock.now = NOW + timedelta(minutes=minutes)
        events = run_dispatcher(store, make_connections(channel), clock)
        assert not any(isinstance(event, ServerPaused) for event in events)


# --- quotas ---------------------------------------------------------------------------------------

QUOTAS = {
    "450": Deferred(answer="450 4.7.1 daily sending quota exceeded", fault=Fault.OURS),
    "421": Deferred(answer="421 4.7.0 daily limit", fault=Fault.OURS),
}


@IN_CI_ON_SQLITE
@pytest.mark.parametrize("quota", ["450", *make_long_cases("421")])
@pytest.mark.parametrize("connections", [1, 4])
@pytest.mark.parametrize("reset", [0, 6])
def test_a_quota_starves_nobody(store: Store, quota: str, connections: int, reset: int) -> None:
    """For 10 days 50 a day are taken of 55, from the hour at which the server begins to count anew."""
    make_due_edition(store, 55)
    clock, left = FakeClock(), [50]

    def answer(_: Mail) -> Receipt:
        if not left[0]:
            return QUOTAS[quota]
        left[0] -= 1
        return Sent(answer="250 yes")

    channel = dispatchers.FakeChannel(answer)
    missed = set[str]()
    for _ in range(10):
        for hour in range(24):
            left[0] = 50 if hour == reset else left[0]
            run_dispatcher(store, make_connections(channel, connections), clock)
            clock.now += timedelta(hours=1)
        late = {delivery.address for delivery in in_state(store, "ready")}
        assert len(late) <= 5
        # Other connections may use up the quota before the one that has those who waited yesterday.
        assert connections > 1 or late.isdisjoint(missed), "nobody waits for two days"
        missed = late
        send_again(store, clock)

    assert not in_state(store, "refused")


@IN_CI_ON_SQLITE
@pytest.mark.parametrize("quota", ["421", *make_long_cases("450")])
@pytest.mark.parametrize("connections", [4, *make_long_cases(8)])
@pytest.mark.parametrize(
    ("readers", "taken_count"), [(60, 40), pytest.param(200, 120, marks=pytest.mark.long)]
)
def test_a_quota_that_many_connections_use_up_gives_readers_turns_and_nothing_up(
    store: Store, quota: str, readers: int, taken_count: int, connections: int
) -> None:
    make_due_edition(store, readers)
    clock, left, guard = FakeClock(), [0], threading.Lock()

    def answer(_: Mail) -> Receipt:
        with guard:
            left[0] -= 1
            return Sent(answer="250 yes") if left[0] >= 0 else QUOTAS[quota]

    channel = dispatchers.FakeChannel(answer)
    days_waited = Counter[str]()
    for _ in range(14):
        left[0] = taken_count
        for _ in range(24):
            run_dispatcher(store, make_connections(channel, connections), clock)
            clock.now += timedelta(hours=1)
        late = {delivery.address for delivery in in_state(store, "ready")}
        days_waited = Counter({address: days_waited[address] + 1 for address in late})
        assert max(days_waited.values()) <= 2, "nobody waits for three days"
        send_again(store, clock)

    assert not in_state(store, "refused")


def test_a_quota_that_is_told_by_421_at_mail_starves_nobody(store: Store) -> None:
    make_due_edition(store, 55)
    clock = FakeClock()
    missed = set[str]()
    with BreakingServer(lambda _: "RCPT 421" if len(server.accepted_recipients) >= 50 else "") as server:

        def make() -> Channel:
            return Channel(host="127.0.0.1", port=server.port, security="none", timeout=PATIENCE)

        for _ in range(6):
            server.accepted_recipients.clear()
            for _ in range(6):
                run_dispatcher(store, [Connection(channel="smtp", server="mx:25", make_channel=make)], clock)
                clock.now += timedelta(hours=4)
            late = {delivery.address for delivery in in_state(store, "ready")}
            assert len(late) == 5
            assert late.isdisjoint(missed), "nobody waits for two days"
            missed = late
            send_again(store, clock)

    assert not in_state(store, "refused")
