"""A dispatcher with channels that behave and that do not, and a clock of its own."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from threading import Event, Lock
from typing import Any, ClassVar

import pytest

from digest import ports
from digest.config import DeliverySettings
from digest.core.delivery.retries import RetryPolicy
from digest.jobs.delivery.circuit_breaker import CircuitBreaker
from digest.jobs.delivery.claims.claim_cursor import ClaimCursor
from digest.jobs.delivery.claims.send_rate import SendRate
from digest.jobs.delivery.dispatcher import DeliveryDispatcher, DispatchEvent, make_dispatcher
from digest.jobs.delivery.outbox import DeliveryAttempt
from digest.jobs.delivery.sender_pool import SenderPool
from digest.model import AddressKind, Delivery, Edition, Mail, Message, MessageForm, Receipt, Sent
from digest.ports import Connection
from digest.store.database.engine import Store, Transaction
from digest.store.delivery import outbox
from tests.store.factories import NOW

TOKENS = count(1)
IN_CI_ON_SQLITE = pytest.mark.parametrize(
    "store_url", os.environ.get("DIGEST_TEST_STORES", "sqlite").split(), indirect=True
)
"""For tables of cases about time and servers: whether the databases differ, tests with fewer cases show, and `.ci/long turns`."""


def read_machine_clock() -> datetime:
    return datetime.now(UTC)


@dataclass
class FakeClock:
    now: datetime = NOW

    def __call__(self) -> datetime:
        return self.now


@dataclass
class FakeChannel(ports.Channel):
    """Answers as it is told to, and remembers what it was given; several lines may share it.

    Attributes:
        answer: gives the receipt of a message; may raise, as Ctrl-C does.
        batches: the addresses of each pack.
    """

    form: ClassVar[MessageForm] = MessageForm.MAIL
    address_kind: ClassVar[AddressKind] = AddressKind.MAILBOX

    answer: Callable[[Mail], Receipt] = lambda _: Sent(answer="250 yes")
    batches: list[list[str]] = field(default_factory=list)
    close_count: int = 0

    def deliver(self, messages: Sequence[Message]) -> Iterator[tuple[Message, Receipt]]:
        pack: list[str] = []
        self.batches.append(pack)
        for message in messages:
            assert isinstance(message, Mail)
            pack.append(message.recipient)
            yield message, self.answer(message)

    def check(self) -> str:
        return "here"

    def close(self) -> None:
        self.close_count += 1

    @property
    def recipients(self) -> list[str]:
        return [address for pack in self.batches for address in pack]


def make_connections(
    channel: FakeChannel, number: int = 1, *, server: str = "mx:25", stand_by: bool = False
) -> list[Connection]:
    """So many connections to a server."""
    return [
        Connection(channel="smtp", server=server, make_channel=lambda: channel, is_stand_by=stand_by)
    ] * number


def write_message(_edition: Edition, delivery: Delivery) -> Message:
    return Mail(
        delivery=delivery.id,
        sender="digest@example.org",
        recipient=delivery.address,
        message_id=delivery.message_id,
        content=b"",
    )


def build_dispatcher(
    store: Store,
    ways: Sequence[Connection],
    clock: Callable[[], datetime] | None = None,
    *,
    limits: DeliverySettings | None = None,
    machine: Callable[[], datetime] = read_machine_clock,
    time_passes: bool = False,
    write: Callable[[Edition, Delivery], Message] = write_message,
    may_send: Callable[[], bool] = lambda: True,
    keep_listed: Callable[[Transaction], None] = lambda _: None,
    stop: Event | None = None,
    tends: timedelta = timedelta(seconds=5),
) -> DeliveryDispatcher:
    limits, clock = limits or DeliverySettings(), clock or FakeClock()
    send_rate = SendRate(settings=limits, machine_clock=machine)
    return make_dispatcher(
        store=store,
        pool=SenderPool.create(ways, write, clock, may_send=may_send),
        cursor=ClaimCursor(send_rate=send_rate, token=next(TOKENS)),
        circuit_breaker=CircuitBreaker(settings=limits),
        retry_policy=RetryPolicy(keep_trying=limits.keep_trying),
        clock=clock,
        time_passes=time_passes,
        keep_listed=keep_listed,
        stop=stop or Event(),
        interval=tends,
    )


def run_dispatcher(
    store: Store, ways: Sequence[Connection], *arguments: Any, **options: Any
) -> list[DispatchEvent]:
    return list(build_dispatcher(store, ways, *arguments, **options).run())


def select_attempts(events: Sequence[DispatchEvent]) -> list[DeliveryAttempt]:
    return [event for event in events if isinstance(event, DeliveryAttempt)]


def make_addresses(number: int, start: int = 0) -> list[str]:
    return [f"{number:04}@example.org" for number in range(start, start + number)]


def count_by_state(store: Store) -> dict[str, int]:
    with store.begin_read() as tx:
        return outbox.count_by_state(tx)


def list_deliveries(store: Store) -> list[Delivery]:
    with store.begin_read() as tx:
        return sorted(outbox.list_recent(tx, limit=10_000), key=lambda delivery: delivery.id)


@dataclass
class ConcurrencyCounter:
    """Counts how many are at something at once."""

    current: int = 0
    maximum: int = 0
    _lock: Lock = field(default_factory=Lock)

    def __enter__(self) -> None:
        with self._lock:
            self.current += 1
            self.maximum = max(self.maximum, self.current)

    def __exit__(self, *_exc: object) -> None:
        with self._lock:
            self.current -= 1
