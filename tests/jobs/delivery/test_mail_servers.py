"""What becomes of deliveries when a real mail server misbehaves: the desk and the channel as they are, and time simulated."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email import message_from_bytes
from pathlib import Path

import pytest

from digest.channels.smtp import Channel
from digest.model import Delivery, Edition, Mail, Message
from digest.ports import Connection
from digest.store.database.engine import Store, open_store
from tests.channels.scripted_smtp_server import (
    BYTES,
    DROP,
    ENDLESS,
    NO_PIPELINING,
    RESET,
    SILENCE,
    Behaviour,
    Script,
    ScriptedServer,
)
from tests.jobs.delivery.dispatchers import FakeClock, list_deliveries, run_dispatcher
from tests.store.factories import NOW, add_to_now, make_due_edition
from tests.store.store_copies import open_filled_copy
from tests.support.timeouts import PATIENCE
from tests.support.workspace import make_empty_database

pytestmark = pytest.mark.usefixtures("silence_times_out")

MINUTE = timedelta(minutes=1)
GOOD: Script = {}
SHORT, LONG = b"Hello.\r\n", b"Hello.\r\n" * 1_000_000
"""The long one is not all on its way when a server breaks it off in its middle."""


def written(text: bytes) -> Callable[[Edition, Delivery], Message]:
    """Makes messages that say a text."""

    def write(_edition: Edition, delivery: Delivery) -> Message:
        return Mail(
            delivery=delivery.id,
            sender="digest@example.org",
            recipient=delivery.address,
            message_id=delivery.message_id,
            content=f"Message-ID: {delivery.message_id}\r\n\r\n".encode() + text,
        )

    return write


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """One of SQLite: that both databases keep receipts the same way is tested where they are kept."""
    path = tmp_path / "digest.db"
    path.write_bytes(make_empty_database())
    store = open_store(f"sqlite:///{path}", NOW)
    yield store
    store.close()


def make_one_due(store: Store) -> None:
    make_due_edition(store, 1)


@pytest.fixture
def store_with_due_delivery(tmp_path: Path) -> Iterator[Store]:
    """A store in which an edition for one address is due."""
    store = open_filled_copy(tmp_path, make_one_due)
    yield store
    store.close()


@dataclass
class DeliverySimulation:
    """A store, a server at a time, and passes of the desk as time goes on.

    Attributes:
        passes: at which times there was something to do.
    """

    store: Store
    clock: FakeClock = field(default_factory=FakeClock)
    passes: list[datetime] = field(default_factory=list)

    def deliver(self, server: ScriptedServer, *, text: bytes = SHORT) -> None:
        """One pass."""
        limits = dict.fromkeys(("timeout", "connect_timeout"), PATIENCE)

        def make() -> Channel:
            return Channel(host="127.0.0.1", port=server.port, security="none", **limits)  # type: ignore[arg-type]

        line = Connection(channel="smtp", server="mx:25", make_channel=make)
        self.passes.append(self.clock.now)
        run_dispatcher(self.store, [line], self.clock, write=written(text))

    def until_the_end(
        self, server: ScriptedServer, *, most: timedelta = timedelta(days=5), apart: timedelta = timedelta(0)
    ) -> None:
        """Pass after pass, whenever something is due, until nothing is or time is over.

        Args:
            server: to deliver to.
            most: the time after which it is over.
            apart: the least time between two passes.
        """
        over = self.clock.now + most
        while self.clock.now < over:
            self.deliver(server)
            waiting = [
                delivery.due_at for delivery in list_deliveries(self.store) if delivery.state == "ready"
            ]
            if not waiting:
                return
            # What is due already waits for a server that is paused, half an hour at the most.
            is_due = min(waiting) <= self.clock.now
            again = self.clock.now + 30 * MINUTE if is_due else min(waiting)
            self.clock.now = max(again, self.clock.now + apart)

    @property
    def list_deliveries(self) -> list[Delivery]:
        return list_deliveries(self.store)


@dataclass(frozen=True, kw_only=True)
class Then:
    """What a delivery is after its first pass.

    Attributes:
        wait: until it is tried again.
        unknown: how often it may have arrived.
    """

    state: str = "ready"
    blame: str = ""
    wait: timedelta = timedelta(0)
    attempts: int = 1
    unknown: int = 0


OURS = Then(blame="ours", attempts=0, wait=MINUTE)
"""The server's trouble counts no attempt; it may be the message that it fails at, so that waits."""
UNTRIED = Then(attempts=0)
"""It never heard of the message, so nothing is said of that."""
PUT_OFF = Then(blame="address", wait=MINUTE)
SLOW = Then(blame="domain", wait=MINUTE)
REFUSED, SPAM = (
    Then(state="refused", blame="address"),
    Then(state="refused", blame="ours"),
)
UNKNOWN = Then(wait=15 * MINUTE, unknown=1)
SENT = Then(state="sent")

MISDEEDS: list[tuple[str, Behaviour, Then]] = [
    ("GREETING", "421 4.3.2 not now", UNTRIED),
    ("GREETING", "554 5.3.2 never", UNTRIED),
    ("GREETING", DROP, UNTRIED),
    ("GREETING", RESET, UNTRIED),
    ("GREETING", SILENCE, UNTRIED),
    ("GREETING", ENDLESS, UNTRIED),
    ("GREETING", "hello", UNTRIED),
    ("EHLO", DROP, UNTRIED),
    ("EHLO", "421 4.3.2 not now", UNTRIED),
    ("MAIL", "451 4.3.0 try later", OURS),
    ("MAIL", "421 4.3.2 closing", OURS),
    ("MAIL", "552 5.3.4 too big", SPAM),
    ("MAIL", DROP, OURS),
    ("MAIL", SILENCE, OURS),
    ("MAIL", ("250 OK", "250 OK"), OURS),
    ("RCPT", "450 4.2.0 greylisted", PUT_OFF),
    ("RCPT", "451 later", PUT_OFF),
    ("RCPT", "452 4.2.2 mailbox full", PUT_OFF),
    ("RCPT", "552 5.2.2 mailbox full", PUT_OFF),
    ("RCPT", "451 4.7.1 slow down", SLOW),
    ("RCPT", "450 4.7.0 too many messages", SLOW),
    ("RCPT", "451 4.3.0 disk full here", OURS),
    ("RCPT", "421 4.7.0 closing", OURS),
    ("RCPT", "550 5.1.1 no such user", REFUSED),
    ("RCPT", "553 5.1.3 no such name", REFUSED),
    ("RCPT", "550 5.2.1 disabled", REFUSED),
    ("RCPT", "550 5.7.1 listed as a source of spam", SPAM),
    ("RCPT", DROP, OURS),
    ("RCPT", RESET, OURS),
    ("DATA", "451 4.3.0 try later", OURS),
    ("DATA", "554 5.7.1 no", SPAM),
    ("DATA", "250 OK", OURS),
    ("DATA", DROP, OURS),
    ("DATA", SILENCE, OURS),
    ("BODY", DROP, OURS),
    ("BODY", RESET, OURS),
    ("BODY", ("554 5.7.1 spam", DROP), SPAM),
    (".", "451 4.3.0 try later", OURS),
    (".", "451 4.7.1 slow down", SLOW),
    (".", "452 4.2.2 mailbox full", PUT_OFF),
    (".", "421 4.3.2 closing", OURS),
    (".", "550 5.7.1 spam", SPAM),
    (".", "550 5.1.1 no such user", REFUSED),
    (".", "554 5.6.0 what is this", SPAM),
    (".", DROP, UNKNOWN),
    (".", RESET, UNKNOWN),
    (".", SILENCE, UNKNOWN),
    (".", ENDLESS, UNKNOWN),
    (".", "what?", UNKNOWN),
    (".", "354 go on", UNKNOWN),
    (".", f"{BYTES}250 2.0.0 kept, and it took its time", SENT),
    (".", "250 kept\r\n250 kept", SENT),
    (".", ("250 kept", DROP), SENT),
]


@pytest.mark.parametrize("offers", [{}, {"EHLO": NO_PIPELINING}], ids=["pipelining", "one by one"])
@pytest.mark.parametrize(("at", "behaviour", "then"), MISDEEDS, ids=lambda value: str(value)[:40])
def test_each_misdeed_of_a_server_ends_in_the_right_state_and_a_better_one_gets_what_is_left(
    store_with_due_delivery: Store, offers: Script, at: str, behaviour: Behaviour, then: Then
) -> None:
    post = DeliverySimulation(store_with_due_delivery)
    with ScriptedServer({**offers, at: behaviour}) as server:
        post.deliver(server, text=LONG if at == "BODY" else SHORT)
    (delivery,) = post.list_deliveries
    assert (
        Then(
            state=delivery.state,
            blame=delivery.blame,
            wait=delivery.due_at - NOW,
            attempts=delivery.attempts,
            unknown=delivery.unknown,
        )
        == then
    )

    post.clock.now += 16 * MINUTE
    with ScriptedServer(GOOD) as server:
        post.deliver(server)
        remaining_count = len(server.messages)
    (delivery,) = post.list_deliveries
    assert remaining_count == (then.state == "ready")
    assert delivery.state == ("sent" if then.state == "ready" else then.state)


# --- as time goes on ------------------------------------------------------------------------------


def test_who_is_greylisted_gets_it_a_minute_later(store: Store) -> None:
    make_due_edition(store, 1)
    post = DeliverySimulation(store)
    with ScriptedServer({"RCPT": "450 4.2.0 greylisted"}, GOOD) as server:
        post.until_the_end(server)

        assert [delivery.state for delivery in post.list_deliveries] == ["sent"]
        assert len(server.messages) == 1
    assert post.passes == [NOW, add_to_now(minutes=1)]


def test_who_is_put_off_for_ever_is_tried_with_growing_pauses_and_expires_after_two_days(
    store: Store,
) -> None:
    make_due_edition(store, 1)
    post = DeliverySimulation(store)
    with ScriptedServer({"RCPT": "451 4.2.0 not now"}) as server:
        post.until_the_end(server)

        (delivery,) = post.list_deliveries
        assert (delivery.state, delivery.answer) == ("expired", "451 4.2.0 not now")
        assert server.messages == []
    pauses = [after - before for before, after in zip(post.passes, post.passes[1:], strict=False)]
    assert [pause // MINUTE for pause in pauses[:8]] == [1, 2, 5, 15, 60, 180, 360, 360]
    assert set(pauses[8:-1]) == {360 * MINUTE}
    assert post.passes[-1] == add_to_now(days=2)


def test_what_may_have_arrived_is_sent_again_twice_a_quarter_of_an_hour_apart_and_is_unknown_then(
    store: Store,
) -> None:
    make_due_edition(store, 1)
    post = DeliverySimulation(store)
    with ScriptedServer({".": DROP}) as server:
        post.until_the_end(server)

        (delivery,) = post.list_deliveries
        sent = [message_from_bytes(content)["Message-ID"] for content in server.messages]
    assert delivery.state == "unknown"
    assert sent == [delivery.message_id] * 3
    assert post.passes == [NOW, add_to_now(minutes=15), add_to_now(minutes=30)]


APART = [
    pytest.param(timedelta(hours=6), id="few passes"),
    pytest.param(timedelta(0), id="all", marks=pytest.mark.long),
]
"""The passes of a long outage: each looks for the server anew, and finds everything as the one before did."""


@pytest.mark.parametrize("apart", APART)
@pytest.mark.parametrize(
    "script",
    [{"GREETING": "421 4.3.2 down"}, {"DATA": DROP}, {".": "451 4.3.0 no space"}],
    ids=["closed", "dies", "full"],
)
def test_an_outage_of_five_days_expires_nothing_and_counts_no_attempt(
    store: Store, script: Script, apart: timedelta
) -> None:
    make_due_edition(store, 3)
    post = DeliverySimulation(store)
    with ScriptedServer(script) as server:
        post.until_the_end(server, most=timedelta(days=5), apart=apart)
    assert {(delivery.state, delivery.attempts) for delivery in post.list_deliveries} == {("ready", 0)}

    with ScriptedServer(GOOD) as server:
        post.until_the_end(server)
        assert len(server.messages) == 3
    assert {(delivery.state, delivery.attempts) for delivery in post.list_deliveries} == {("sent", 1)}


@pytest.mark.parametrize("apart", APART)
def test_what_is_greylisted_when_an_outage_begins_has_its_two_days_after_it(
    store: Store, apart: timedelta
) -> None:
    make_due_edition(store, 1)
    post = DeliverySimulation(store)
    with ScriptedServer({"RCPT": "450 4.2.0 greylisted"}) as server:
        post.deliver(server)
    with ScriptedServer({"GREETING": "421 4.3.2 down"}) as server:
        post.until_the_end(server, most=timedelta(days=5), apart=apart)
    assert [delivery.state for delivery in post.list_deliveries] == ["ready"]

    with ScriptedServer({"RCPT": "450 4.2.0 greylisted"}, GOOD) as server:
        post.until_the_end(server)
    assert [delivery.state for delivery in post.list_deliveries] == ["sent"]


def test_one_reader_in_trouble_keeps_no_other_waiting(store: Store) -> None:
    make_due_edition(store, 10)
    post = DeliverySimulation(store)
    first: Script = {
        "RCPT 1": "550 5.1.1 no such user",
        "RCPT 3": "450 4.2.0 greylisted",
        "RCPT 5": "550 5.7.1 spam",
        ". 6": DROP,
    }
    with ScriptedServer(first, {"RCPT 1": "451 4.7.1 slow down"}) as server:
        post.deliver(server)
    states = [(delivery.state, delivery.blame) for delivery in post.list_deliveries]

    troubled = {
        0: ("refused", "address"),
        2: ("ready", "address"),
        4: ("refused", "ours"),
        5: ("ready", ""),
        6: ("ready", "domain"),
    }
    assert states == [troubled.get(number, ("sent", "")) for number in range(10)]
