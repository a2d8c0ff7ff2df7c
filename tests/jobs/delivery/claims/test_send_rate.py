"""How fast messages go: rates that all processes share, turns of domains, domains that want less."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from itertools import pairwise
from typing import Any

import pytest
from sqlalchemy import bindparam, event, select, update

from digest.config import DeliverySettings
from digest.core.delivery.throttling.rates import Rate
from digest.jobs.delivery.claims.send_rate import SendRate
from digest.model import Deferred, Delivery, Fault, Mail, Receipt, Sent
from digest.store.database.engine import Store
from digest.store.database.tables.digests import deliveries as table
from digest.store.database.tables.digests import destinations
from digest.store.delivery import rates, receipts
from tests.jobs.delivery.dispatchers import (
    FakeChannel,
    FakeClock,
    count_by_state,
    list_deliveries,
    make_connections,
    read_machine_clock,
    run_dispatcher,
)
from tests.store.conftest import store_url
from tests.store.factories import NOW, add_to_now, declare, make_digest, make_due_edition, run_concurrently

__all__ = ["store_url"]  # several workers claim from one store: on both databases

SECOND = timedelta(seconds=1)
FAST = Rate(1000, SECOND)


def at_domains(store: Store, counts: dict[str, int]) -> None:
    """Deliveries due now: so many to each domain, mixed."""
    make_due_edition(store, sum(counts.values()))
    names = [name for name, count in counts.items() for _ in range(count)]
    random.Random(1).shuffle(names)
    with store.begin_write() as tx:
        numbers = tx.execute(select(destinations.c.id)).scalars().all()
        put = update(destinations).where(destinations.c.id == bindparam("number"))
        rows = [{"number": number, "name": name} for number, name in zip(numbers, names, strict=True)]
        tx.execute(put.values(domain=bindparam("name")), rows)


@dataclass
class Sender:
    """Claims by a clock of its own and sends at once.

    Attributes:
        off: how far its clock is ahead.
    """

    store: Store
    limits: DeliverySettings
    time: FakeClock
    off: timedelta
    token: int
    sent: list[tuple[datetime, str]] = field(default_factory=list)

    def claim(self, most: int) -> tuple[Delivery, ...]:
        pace = SendRate(settings=self.limits, machine_clock=lambda: self.time.now + self.off)
        now = self.time.now
        with self.store.begin_write() as tx:
            pace.load_slow_domains(tx, now)
            claim = pace.claim(tx, "smtp", most, self.token, now)
            receipts.record_receipts(tx, [(delivery, Sent()) for delivery in claim.deliveries], now)
        self.sent += [(now, delivery.domain) for delivery in claim.deliveries]
        return claim.deliveries


def most_in_windows(sent: Sequence[datetime], rate: Rate, slack: timedelta) -> float:
    """By how much the greatest number in any window is above what the rate gives it; at most a burst."""
    ordered = sorted(sent)
    return max(
        (end - begin + 1) - ((ordered[end] - ordered[begin] + slack) / rate.compute_interval())
        for begin in range(len(ordered))
        for end in range(begin, len(ordered))
    )


@pytest.mark.parametrize(
    ("store_url", "seed"),
    [
        ("sqlite", 0),
        ("sqlite", 1),
        ("postgresql", 2),
        pytest.param("sqlite", 2, marks=pytest.mark.long),
        pytest.param("postgresql", 0, marks=pytest.mark.long),
        pytest.param("postgresql", 1, marks=pytest.mark.long),
    ],
    indirect=["store_url"],
)
def test_in_no_window_go_more_than_rate_and_burst_whoever_sends_by_whatever_clock(
    store: Store, seed: int
) -> None:
    chance = random.Random(seed)
    at_domains(store, {"a.org": 150, "b.org": 60, "c.org": 60})
    limits = DeliverySettings(
        rate=Rate(9, SECOND),
        rates={"smtp": Rate(8, SECOND)},
        domains={"a.org": Rate(3, SECOND), "*": Rate(1, SECOND)},
    )
    time, skew = FakeClock(), timedelta(seconds=0.4)
    workers = [Sender(store, limits, time, skew * chance.random(), token) for token in range(1, 5)]
    for _ in range(400):
        time.now += timedelta(seconds=chance.expovariate(5))
        chance.choice(workers).claim(chance.choice([1, 10, 40]))

    sent = [entry for worker in workers for entry in worker.sent]
    assert len(sent) > 100
    assert most_in_windows([at for at, _ in sent], Rate(8, SECOND), skew) <= 8
    for name, rate in (("a.org", Rate(3, SECOND)), ("b.org", Rate(1, SECOND)), ("c.org", Rate(1, SECOND))):
        mine = [at for at, domain in sent if domain == name]
        assert most_in_windows(mine, rate, skew) <= rate.burst
    assert max(Counter(delivery.message_id for delivery in list_deliveries(store)).values()) == 1


def test_a_rate_in_all_is_kept_by_all_desks_together(store: Store) -> None:
    make_due_edition(store, 60)
    limits = DeliverySettings(rate=Rate(40, SECOND))
    when: list[datetime] = []

    def answer(_: Mail) -> Receipt:
        when.append(read_machine_clock())
        return Sent()

    channel = FakeChannel(answer)
    run_concurrently(
        *(partial(run_dispatcher, store, make_connections(channel, 2), limits=limits) for _ in range(3))
    )

    assert count_by_state(store) == {"sent": 60}
    assert max(when) - min(when) > timedelta(seconds=0.25), (
        "forty at once, and twenty in the half second after"
    )


def test_a_backlog_for_one_domain_is_looked_through_once_and_holds_up_no_other(store: Store) -> None:
    at_domains(store, {"slow.org": 2500, "quick.org": 20})
    limits = DeliverySettings(domains={"slow.org": Rate(10, SECOND)})
    with store.begin_write() as tx:  # those for the other one are the last
        last = (
            tx.execute(select(destinations.c.id).where(destinations.c.domain == "quick.org")).scalars().all()
        )
        tx.execute(update(table).where(table.c.destination_id.in_(last)).values(due_at=NOW))
        first = table.c.destination_id.not_in(last)
        tx.execute(update(table).where(first).values(due_at=NOW - timedelta(minutes=1)))
    looked_at = 0

    @event.listens_for(store.engine, "after_cursor_execute")
    def _count(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_rest: object) -> None:
        nonlocal looked_at
        if "paced" in statement and statement.startswith("UPDATE") and isinstance(parameters, list):
            looked_at += len(parameters)

    time, machine = FakeClock(), FakeClock()
    channel = FakeChannel()
    for _ in range(6):
        run_dispatcher(store, make_connections(channel), time, limits=limits, machine=machine)
        time.now += timedelta(seconds=0.5)
        machine.now += timedelta(seconds=0.5)

    sent = [delivery for delivery in list_deliveries(store) if delivery.state == "sent"]
    assert sum(delivery.domain == "quick.org" for delivery in sent) == 20
    assert 10 + 25 - 2 <= sum(delivery.domain == "slow.org" for delivery in sent) <= 10 + 25
    assert 2400 <= looked_at <= 2500 + 30 + len(sent)
    turns = sorted(delivery.due_at for delivery in list_deliveries(store) if delivery.state == "ready")
    assert all(second - first >= SECOND * 0.09 for first, second in pairwise(turns))


def test_who_comes_later_waits_behind_those_of_its_domain(store: Store) -> None:
    at_domains(store, {"a.org": 30})
    limits = DeliverySettings(domains={"a.org": Rate(10, SECOND)})
    time = FakeClock()
    run_dispatcher(store, make_connections(FakeChannel()), time, limits=limits, machine=time)
    before = [delivery for delivery in list_deliveries(store) if delivery.state == "ready"]
    assert len(before) == 20

    delivery = list_deliveries(store)[0]
    with store.begin_write() as tx:
        tx.execute(update(table).where(table.c.id == delivery.id).values(state="ready", due_at=NOW))
    time.now += timedelta(seconds=0.01)
    run_dispatcher(store, make_connections(FakeChannel()), time, limits=limits, machine=time)

    assert list_deliveries(store)[0].due_at > max(delivery.due_at for delivery in before)


def test_turns_that_come_late_are_no_leave_to_go_all_at_once(store: Store) -> None:
    at_domains(store, {"a.org": 200})
    limits = DeliverySettings(domains={"a.org": Rate(10, SECOND)})
    time, channel = FakeClock(), FakeChannel()
    run_dispatcher(store, make_connections(channel), time, limits=limits, machine=time)
    assert len(channel.recipients) == 10

    time.now += timedelta(hours=1)  # nobody was running
    run_dispatcher(store, make_connections(channel), time, limits=limits, machine=time)

    assert len(channel.recipients) == 20
    ready = [delivery for delivery in list_deliveries(store) if delivery.state == "ready"]
    assert min(delivery.due_at for delivery in ready) > time.now
    assert max(delivery.due_at for delivery in ready) <= time.now + timedelta(seconds=20)


def test_a_turn_put_off_does_not_count_against_what_is_tried_again(store: Store) -> None:
    at_domains(store, {"a.org": 30})
    time = FakeClock()
    run_dispatcher(store, make_connections(FakeChannel(lambda _: Deferred(answer="450"))), time)
    assert {delivery.expires_at for delivery in list_deliveries(store)} == {add_to_now(days=2)}

    time.now = add_to_now(minutes=1)
    limits = DeliverySettings(domains={"a.org": Rate(1, 3600 * SECOND)})
    run_dispatcher(store, make_connections(FakeChannel()), time, limits=limits, machine=time)

    waits = [delivery for delivery in list_deliveries(store) if delivery.state == "ready"]
    assert len(waits) == 29
    assert all(
        delivery.expires_at == add_to_now(days=2) + (delivery.due_at - add_to_now(minutes=1))
        for delivery in waits
    )


# --- domains that want less -----------------------------------------------------------------------

TOO_MUCH = Deferred(answer="450 4.7.1 too many messages", fault=Fault.DOMAIN)


def test_a_domain_that_wants_less_gets_nothing_for_a_minute_then_half_and_more_again_step_by_step(
    store: Store,
) -> None:
    at_domains(store, {"a.org": 400, "b.org": 10})
    limits = DeliverySettings(domains={"a.org": Rate(20, SECOND)})
    time = FakeClock()
    complaints = iter([TOO_MUCH] * 3)

    def answer(mail: Mail) -> Receipt:
        return next(complaints, Sent()) if mail.delivery in at_a else Sent()

    at_a = {delivery.id for delivery in list_deliveries(store) if delivery.domain == "a.org"}
    channel = FakeChannel(answer)

    def sent() -> int:
        return sum(
            delivery.domain == "a.org" and delivery.state == "sent" for delivery in list_deliveries(store)
        )

    run_dispatcher(store, make_connections(channel), time, limits=limits, machine=time)
    begun = sent()
    assert (
        sum(delivery.domain == "b.org" and delivery.state == "sent" for delivery in list_deliveries(store))
        == 10
    )

    time.now += timedelta(seconds=55)
    run_dispatcher(store, make_connections(channel), time, limits=limits, machine=time)
    assert sent() == begun, "it is left alone"

    def in_ten_seconds() -> int:
        before = sent()
        for _ in range(20):
            time.now += timedelta(seconds=0.5)
            run_dispatcher(store, make_connections(channel), time, limits=limits, machine=time)
        return sent() - before

    time.now = add_to_now(minutes=1)
    run_dispatcher(store, make_connections(channel), time, limits=limits, machine=time)
    assert 90 <= in_ten_seconds() <= 110
    time.now = add_to_now(minutes=12)
    run_dispatcher(store, make_connections(channel), time, limits=limits, machine=time)
    assert 150 <= in_ten_seconds() <= 210, "as before"


def test_complaints_at_once_slow_a_domain_down_once(store: Store) -> None:
    at_domains(store, {"a.org": 10})

    run_dispatcher(store, make_connections(FakeChannel(lambda _: TOO_MUCH)))

    with store.begin_read() as tx:
        assert rates.list_slow_domains(tx) == {"a.org": (2.0, add_to_now(minutes=1))}
    assert {(delivery.attempts, delivery.blame) for delivery in list_deliveries(store)} == {(1, "domain")}


def test_domains_that_nothing_is_written_to_are_forgotten(store: Store) -> None:
    declare(store, make_digest())
    with store.begin_write() as tx:
        rates.lock_buckets(tx, ["domain:a.org", "domain:b.org", "deliver"], NOW)
        rates.lock_buckets(tx, ["domain:c.org"], add_to_now(days=2))
        rates.reduce_domain_rate(tx, "b.org", 1.0, NOW, "450")
        rates.forget_idle_domains(tx, add_to_now(days=3))
        buckets = rates.lock_buckets(tx, ["domain:a.org", "domain:b.org", "domain:c.org"], add_to_now(days=3))

    assert [bucket.spent_to for bucket in buckets.values()] == [add_to_now(days=3), NOW, add_to_now(days=2)]
