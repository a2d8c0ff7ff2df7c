"""Messages that connections break off at: they hold up nobody, and are tried by themselves when all others have gone."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
from sqlalchemy import update

from digest.channels.smtp import Channel
from digest.jobs.delivery.dispatcher import Dispatch, ServerPaused
from digest.model import Blame, Deferred, Mail, Receipt, Sent
from digest.ports import Line
from digest.store.database.digest_tables import deliveries as table
from digest.store.database.engine import Store
from tests.fakes.breaking_mail_server import BreakingServer
from tests.jobs.delivery import dispatchers
from tests.jobs.delivery.dispatchers import Clock, Counting, addresses, all_of, lines, run
from tests.store.rows import due
from tests.support.seeds import seed
from tests.support.timeouts import PATIENCE

LOST = Deferred(answer="mx:25 ended the connection", blame=Blame.OURS, broken_off=True)


def deliver(store: Store, server: BreakingServer, clock: Clock, connections: int) -> list[Dispatch]:
    def make() -> Channel:
        return Channel(host="127.0.0.1", port=server.port, security="none", timeout=PATIENCE)

    way = Line(channel="smtp", server="mx:25", make=make)
    return run(store, [way] * connections, clock)


def waiting(store: Store) -> set[str]:
    return {one.address for one in all_of(store) if one.state == "ready"}


@pytest.mark.parametrize("connections", [1, 4])
@pytest.mark.parametrize("step", ["RCPT", "DATA", "."])
def test_whichever_messages_a_server_breaks_at_all_others_go_out_in_the_same_pass(
    store: Store, step: str, connections: int
) -> None:
    due(store, 120)
    bad = set(random.Random(seed()).sample(addresses(120), 30))
    with BreakingServer(lambda recipient: step if recipient in bad else "") as server:
        deliver(store, server, Clock(), connections)

    assert waiting(store) == bad
    assert sorted(server.taken) == sorted({*addresses(120)} - bad)


def test_a_message_that_a_connection_broke_off_at_goes_alone_and_last(store: Store) -> None:
    due(store, 25)
    clock = Clock()
    first = "0003@example.org"
    with BreakingServer(lambda recipient: "RCPT" if recipient == first else "") as server:
        deliver(store, server, clock, 1)
    assert waiting(store) == {first}

    clock.now += timedelta(minutes=1)
    with store.writing() as tx:  # as the next editions would be
        tx.execute(update(table).where(table.c.state == "sent").values(state="ready", due_at=clock.now))
    channel = dispatchers.Channel()
    run(store, lines(channel), clock)

    assert [len(pack) for pack in channel.packs] == [10, 10, 4, 1]
    assert channel.packs[-1] == [first]


def test_of_what_connections_broke_off_at_one_goes_at_a_time_however_many_lines_there_are(
    store: Store,
) -> None:
    due(store, 40)
    clock, counting = Clock(), Counting()
    channel = dispatchers.Channel(lambda _: LOST)
    run(store, lines(channel, 4), clock)
    clock.now += timedelta(minutes=1)

    def answer(_: Mail) -> Receipt:
        with counting:
            return Sent()

    channel.answer, channel.packs = answer, []
    run(store, lines(channel, 4), clock)

    assert {len(pack) for pack in channel.packs} == {1}
    assert counting.most == 1
    assert waiting(store) == set()


def test_a_server_at_which_message_after_message_breaks_off_is_paused(store: Store) -> None:
    due(store, 100)
    clock = Clock()
    with BreakingServer(lambda _: "DATA") as server:
        told = deliver(store, server, clock, 1)
        met = len(set(server.met))

    assert met == 8
    assert [type(one).__name__ for one in told][-1:] == ["ServerPaused"]
    assert {(one.state, one.attempts) for one in all_of(store)} == {("ready", 0)}

    with BreakingServer(lambda _: "") as server:
        clock.now += timedelta(minutes=2)
        deliver(store, server, clock, 1)
    assert waiting(store) == set()


def test_a_server_that_breaks_off_at_the_few_messages_that_there_are_is_paused_too(store: Store) -> None:
    due(store, 3)
    clock = Clock()
    told: list[Dispatch] = []
    with BreakingServer(lambda _: "DATA") as server:
        for _ in range(4):
            told += deliver(store, server, clock, 1)
            clock.now += timedelta(minutes=31)

    assert [one for one in told if isinstance(one, ServerPaused)], "the operator hears of it"


def test_a_pass_does_not_stay_for_a_message_that_connections_break_off_at(store: Store) -> None:
    due(store, 3)
    with BreakingServer(lambda recipient: "DATA" if recipient.startswith("0001") else "") as server:

        def make() -> Channel:
            return Channel(host="127.0.0.1", port=server.port, security="none", timeout=PATIENCE)

        way = Line(channel="smtp", server="mx:25", make=make)
        run(store, [way], Clock(), time_passes=True)

    assert waiting(store) == {"0001@example.org"}
