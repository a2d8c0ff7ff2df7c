"""Delivering, step by step, against a store on both databases and channels that behave and that do not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count
from typing import ClassVar

import pytest

from digest import ports
from digest.errors import RenderError
from digest.jobs.deliver import PACK, Delivered, deliver, rehearsed
from digest.model import Deferred, Edition, Form, Mail, Message, Receipt, Refused, Sent, Unknown
from digest.store import deliveries
from digest.store.deliveries import Delivery
from digest.store.engine import Store
from tests.store.given import NOW, due, later


@dataclass
class Clock:
    now: datetime = NOW

    def __call__(self) -> datetime:
        return self.now


@dataclass
class Channel(ports.Channel):
    """Answers as it is told to, and remembers what it was given.

    Attributes:
        answer: gives the receipt of a message; may raise, as Ctrl-C does.
        packs: the addresses of each pack.
    """

    form: ClassVar[Form] = Form.MAIL

    answer: Callable[[Message], Receipt] = lambda _: Sent(answer="250 yes")
    packs: list[list[str]] = field(default_factory=list)

    def deliver(self, messages: Sequence[Message]) -> Iterator[tuple[Message, Receipt]]:
        self.packs.append([])
        for message in messages:
            assert isinstance(message, Mail)
            self.packs[-1].append(message.recipient)
            yield message, self.answer(message)

    def check(self) -> str:
        return "here"

    def close(self) -> None:
        pass

    @property
    def sent(self) -> list[str]:
        return [address for pack in self.packs for address in pack]


def states(store: Store) -> dict[str, int]:
    with store.reading() as tx:
        return deliveries.count_by_state(tx)


def write(_edition: Edition, delivery: Delivery) -> Message:
    return Mail(
        delivery=delivery.id,
        sender="digest@example.org",
        recipient=delivery.address,
        message_id=delivery.message_id,
        content=b"",
    )


TOKENS = count(1)


def run(
    store: Store,
    channel: Channel | None,
    clock: Clock | None = None,
    write: Callable[[Edition, Delivery], Message] = write,
) -> list[Delivered]:
    channels = {"smtp": channel} if channel is not None else {}
    return list(deliver(store, channels, write, next(TOKENS), clock or Clock()))


def addresses(count: int) -> list[str]:
    return [f"{number:04}@example.org" for number in range(count)]


# --- packs ----------------------------------------------------------------------------------------


def test_all_that_is_due_goes_out_once_in_packs_of_ten(store: Store) -> None:
    due(store, 23)
    channel = Channel()

    told = run(store, channel)

    assert [len(pack) for pack in channel.packs] == [PACK, PACK, 3]
    assert channel.sent == addresses(23)
    assert [one.delivery.address for one in told] == addresses(23)
    assert states(store) == {"sent": 23}
    assert run(store, channel) == []


def test_receipts_are_kept_before_the_next_pack_starts(store: Store) -> None:
    due(store, 12)
    seen: list[dict[str, int]] = []

    def answer(message: Message) -> Receipt:
        if isinstance(message, Mail) and message.recipient == "0010@example.org":
            seen.append(states(store))
        return Sent()

    run(store, Channel(answer))

    assert seen == [{"sent": 10, "leased": 2}]


def test_what_is_put_off_comes_later_and_holds_nothing_up(store: Store) -> None:
    due(store, 25)
    clock = Clock()

    def answer(_: Message) -> Receipt:
        clock.now += timedelta(seconds=30)  # a slow server: what it put off first is due again meanwhile
        return Deferred(answer="451 later")

    channel = Channel(answer)
    run(store, channel, clock)

    assert channel.sent == addresses(25)
    assert states(store) == {"ready": 25}


def test_each_receipt_is_told_and_kept(store: Store) -> None:
    due(store, 4)
    receipts: list[Receipt] = [
        Sent(answer="250"),
        Deferred(answer="451"),
        Refused(answer="550"),
        Unknown(answer="gone"),
    ]
    left = iter(receipts)

    told = run(store, Channel(lambda _: next(left)))

    assert [one.receipt for one in told] == receipts
    assert states(store) == {"sent": 1, "ready": 2, "refused": 1}


# --- what goes wrong ------------------------------------------------------------------------------


@pytest.mark.parametrize("stop", [KeyboardInterrupt, RuntimeError])
def test_what_was_answered_before_an_interruption_is_not_sent_again(
    store: Store, stop: type[BaseException]
) -> None:
    due(store, 15)

    def answer(message: Message) -> Receipt:
        if isinstance(message, Mail) and message.recipient == "0004@example.org":
            raise stop
        return Sent()

    first = Channel(answer)
    with pytest.raises(stop):
        run(store, first)
    assert states(store) == {"sent": 4, "ready": 11}

    second = Channel()
    run(store, second)

    assert second.sent == addresses(15)[4:]


def test_a_mail_that_cannot_be_written_waits_and_the_others_go(store: Store) -> None:
    due(store, 3)

    def broken(edition: Edition, delivery: Delivery) -> Message:
        if delivery.address == "0001@example.org":
            raise RenderError("the template `mail.html` is broken")
        return write(edition, delivery)

    told = run(store, Channel(), write=broken)

    assert [one.delivery.address for one in told if isinstance(one.receipt, Sent)] == [
        "0000@example.org",
        "0002@example.org",
    ]
    assert [one.receipt for one in told if isinstance(one.receipt, Deferred)] == [
        Deferred(answer="the template `mail.html` is broken")
    ]
    assert states(store) == {"sent": 2, "ready": 1}


def test_a_channel_that_left_the_configuration_defers_with_a_sentence(store: Store) -> None:
    due(store, 1)

    (told,) = run(store, None)

    assert told.receipt == Deferred(answer="the configuration has no such channel any more")


def test_a_channel_that_answers_nothing_ends_the_pass_and_loses_nothing(store: Store) -> None:
    due(store, 12)

    class Silent(Channel):
        def deliver(self, messages: Sequence[Message]) -> Iterator[tuple[Message, Receipt]]:
            self.packs.append([])
            yield from zip(messages, (), strict=False)

    silent = Silent()
    assert run(store, silent) == []
    assert len(silent.packs) == 1
    assert states(store) == {"ready": 12}


def test_a_slow_servers_pack_is_not_taken_over_while_it_is_under_way(store: Store) -> None:
    due(store, 6)
    clock = Clock()
    taken: list[int] = []

    def answer(_: Message) -> Receipt:
        clock.now += timedelta(minutes=10)
        with store.writing() as tx:
            taken.append(len(deliveries.claim(tx, "smtp", 999, clock.now, 10, due_by=clock.now)))
        return Sent()

    run(store, Channel(answer), clock)

    assert taken == [0] * 6
    assert states(store) == {"sent": 6}


def test_a_pack_that_another_took_over_is_left_to_it(store: Store) -> None:
    due(store, 4)
    clock = Clock()

    def answer(message: Message) -> Receipt:
        if isinstance(message, Mail) and message.recipient == "0001@example.org":
            clock.now += timedelta(hours=1)  # this machine slept; another one went on
            with store.writing() as tx:
                assert len(deliveries.claim(tx, "smtp", 999, clock.now, 10, due_by=clock.now)) == 4
        return Sent()

    channel = Channel(answer)
    run(store, channel, clock)

    assert channel.sent == addresses(2)
    with store.reading() as tx:
        assert {one.token for one in deliveries.recent(tx, state=None, most=9)} == {999}


# --- rehearsals -----------------------------------------------------------------------------------


def test_a_rehearsal_tells_what_would_go_out(store: Store) -> None:
    due(store, 12)

    with store.rehearsal() as trial:
        told = list(rehearsed(trial, Clock()))

    assert sorted(one.delivery.address for one in told) == addresses(12)
    assert states(store) == {"ready": 12}
    assert run(store, Channel(), Clock(later(seconds=-1))) == []


def test_nobody_is_kept_from_delivering_by_a_rehearsal(store: Store) -> None:
    due(store, 12)
    channel = Channel()

    with store.rehearsal() as trial:
        list(rehearsed(trial, Clock()))
        # On PostgreSQL those are locked that the rehearsal claimed; they wait, and nothing fails.
        run(store, channel)
    run(store, channel)

    assert channel.sent == addresses(12)
