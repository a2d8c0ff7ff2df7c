"""However many workers deliver, a server never has more connections than the file says."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import timedelta
from typing import ClassVar

import pytest

from digest import ports
from digest.jobs.delivery.connection_share import ConnectionShare
from digest.jobs.delivery.outbox import DeliveryAttempt
from digest.jobs.delivery.sender_pool import DeliveryBatch, SenderPool, Worker
from digest.model import AddressKind, Message, MessageForm, Receipt, Sent
from digest.ports import Connection
from digest.store.database.engine import Store
from digest.store.database.tables.processes import leases
from digest.store.delivery import connections
from tests.jobs.delivery.dispatchers import (
    FakeClock,
    build_dispatcher,
    count_by_state,
    read_machine_clock,
    write_message,
)
from tests.store.factories import NOW, make_due_edition
from tests.support.timeouts import PATIENCE

SERVER = "mx:25"
NOTHING = DeliveryBatch(deliveries=(), editions={}, leased_until=NOW)


@dataclass
class CountingServer:
    """Counts its connections.

    Attributes:
        most: of them at one time.
        by: how many messages each worker's connections have brought.
    """

    open: int = 0
    most: int = 0
    opened: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def lines(self, number: int, limit: int) -> list[Connection]:
        return [
            Connection(
                channel="smtp",
                server=SERVER,
                make_channel=lambda: CountedChannel(self),
                max_connections=limit,
            )
        ] * number


@dataclass
class CountedChannel(ports.Channel):
    form: ClassVar[MessageForm] = MessageForm.MAIL
    address_kind: ClassVar[AddressKind] = AddressKind.MAILBOX

    server: CountingServer

    def __post_init__(self) -> None:
        with self.server.lock:
            self.server.open += 1
            self.server.opened += 1
            self.server.most = max(self.server.most, self.server.open)

    def deliver(self, messages: Sequence[Message]) -> Iterator[tuple[Message, Receipt]]:
        for message in messages:
            yield message, Sent()

    def check(self) -> str:
        return "here"

    def close(self) -> None:
        with self.server.lock:
            self.server.open -= 1


def share_of(connections: Sequence[Connection]) -> ConnectionShare:
    """The share of a process whose workers have not begun."""
    return ConnectionShare(
        pool=SenderPool.create(connections, write_message, FakeClock()),
        token=1,
        clock=read_machine_clock,
        interval=timedelta(seconds=5),
    )


def held(store: Store, token: int, expected: int = 4, in_use: int = 0, seconds: int = 0) -> tuple[int, int]:
    with store.begin_write() as tx:
        now = NOW + timedelta(seconds=seconds)
        return connections.reserve(
            tx, token, now, server=SERVER, max_connections=4, requested=expected, in_use=in_use
        )


@pytest.mark.parametrize("tends", [0, 5])
def test_four_workers_begun_apart_never_have_more_connections_than_there_are_places(
    store: Store, tends: int
) -> None:
    make_due_edition(store, 400)
    server = CountingServer()

    def deliver(_: int) -> int:
        delivery_dispatcher = build_dispatcher(store, server.lines(4, 4), tends=timedelta(seconds=tends))
        return len([event for event in delivery_dispatcher.run() if isinstance(event, DeliveryAttempt)])

    with ThreadPoolExecutor(4) as pool:
        counts = list(pool.map(deliver, range(4)))

    assert sum(counts) == 400
    assert count_by_state(store) == {"sent": 400}
    assert (server.open, server.most <= 4) == (0, True)


def test_a_worker_alone_has_all_places_and_gives_a_fair_share_to_the_next(store: Store) -> None:
    assert held(store, 1) == (4, 4)
    assert held(store, 2) == (0, 2), "until the first one has given some back"
    assert held(store, 1, in_use=3) == (3, 2), "what is in use is kept"
    assert held(store, 2) == (1, 2)
    assert held(store, 1, in_use=2) == (2, 2)
    assert held(store, 2) == (2, 2)
    assert held(store, 3) == (0, 1), "two, one and one"
    assert held(store, 2, in_use=1) == (1, 1)
    assert held(store, 3) == (1, 1)
    assert [held(store, 4), held(store, 5)] == [(0, 1), (0, 0)], "there are only four"


def test_who_leaves_or_is_no_more_gives_its_places_to_others(store: Store) -> None:
    assert held(store, 1) == (4, 4)
    with store.begin_write() as tx:
        connections.release_all(tx, 1)
    assert held(store, 2) == (4, 4)
    assert held(store, 3, seconds=119) == (0, 2)
    assert held(store, 3, seconds=121) == (4, 4), "the lease of the second one has ended"


def test_nothing_is_written_where_nothing_is_due(store: Store) -> None:
    list(build_dispatcher(store, CountingServer().lines(4, 4)).run())

    with store.begin_read() as tx:
        assert tx.execute(leases.select()).all() == []


def test_a_line_whose_place_another_has_gets_nothing_to_do_although_it_is_connected(store: Store) -> None:
    server = CountingServer()
    connection_share = share_of(server.lines(2, 2))
    lines = list(connection_share.pool.workers)
    with store.begin_write() as tx:
        connection_share.reserve(tx, NOW)
    assert connection_share.list_usable(lines) == lines

    for worker in lines:
        worker.start()
    connection_share.forget()
    assert connection_share.list_usable(lines) == [], "nothing is known of what is held"
    late = NOW + 2 * connections.LEASE_DURATION
    with store.begin_write() as tx:
        assert connections.reserve(tx, 2, late, server=SERVER, max_connections=2, requested=1, in_use=0) == (
            1,
            1,
        )
        connection_share.reserve(tx, late)

    left = connection_share.pool.workers
    for worker in set(lines) - set(left):
        worker.join(PATIENCE)
    assert len(connection_share.list_usable(left)) == 1
    assert sum(worker.is_alive() for worker in left) == 1, "the other one takes leave of its server"
    for worker in (*lines, *left):
        worker.request_close()


def test_a_worker_whose_lines_are_all_busy_gives_others_their_share_as_soon_as_lines_have_ended(
    store: Store,
) -> None:
    connection_share = share_of(CountingServer().lines(4, 4))
    lines = connection_share.pool.workers
    with store.begin_write() as tx:
        connection_share.reserve(tx, NOW)
    for worker in lines:
        worker.start()
    assert held(store, 2) == (0, 2)

    def usable_of_first(number: int) -> list[Worker]:
        connection_share.pool.in_flight = dict.fromkeys(lines[number:], NOTHING)
        return connection_share.list_usable(lines[:number])

    connection_share.pool.in_flight = dict.fromkeys(lines, NOTHING)
    with store.begin_write() as tx:
        connection_share.reserve(tx, NOW)

    assert usable_of_first(1) == [], "three are still busy"
    assert usable_of_first(2) == [], "two are the worker's share"
    assert usable_of_first(3) == lines[:1]
    for worker in lines:
        worker.request_close()


def test_a_worker_gives_its_places_back_although_it_forgot_what_it_holds(store: Store) -> None:
    connection_share = share_of(CountingServer().lines(4, 4))
    with store.begin_write() as tx:
        connection_share.reserve(tx, NOW)

    connection_share.forget()

    assert connection_share.list_usable(connection_share.pool.workers) == []
    assert connection_share.has_leases
    with store.begin_write() as tx:
        connection_share.release_all(tx)
    assert held(store, 2) == (4, 4)
    assert not connection_share.has_leases


def test_a_process_with_less_than_its_share_asks_again_soon(store: Store) -> None:
    assert held(store, 2) == (4, 4)
    share = share_of(CountingServer().lines(4, 4))

    with store.begin_write() as tx:
        share.reserve(tx, NOW)
        soon = share.renewal_interval
    assert held(store, 2) == (2, 2)
    with store.begin_write() as tx:
        share.reserve(tx, NOW)

    assert soon < timedelta(seconds=1)
    assert share.renewal_interval == timedelta(seconds=5), "it has its share"
