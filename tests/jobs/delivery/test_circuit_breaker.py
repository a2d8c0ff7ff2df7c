"""The brake: runs that bounce or are far larger than usual go no further until somebody decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import count

import pytest
from sqlalchemy import insert, select, update

from digest.config import DeliverySettings, Destination
from digest.config.delivery.destinations import make_webhook_destination
from digest.model import AddressKind, Fault, Mail, Receipt, Refused, RunState, Sent
from digest.ports import Connection
from digest.store.database.engine import Store
from digest.store.database.tables.digests import deliveries as table
from digest.store.database.tables.digests import runs
from digest.store.editions import held_runs
from digest.store.editions.held_runs import HeldRun
from tests.jobs.delivery.dispatchers import (
    FakeChannel,
    count_by_state,
    list_deliveries,
    make_addresses,
    make_connections,
    run_dispatcher,
    select_attempts,
)
from tests.store.factories import NOW, declare, make_digest, make_due_edition, save_due_editions

GONE = Refused(answer="550 5.1.1 no such user")


def refusing(one_in: int, receipt: Refused = GONE) -> FakeChannel:
    """Refuses each so many-th message."""
    numbers = count(1)
    return FakeChannel(lambda _: receipt if next(numbers) % one_in == 0 else Sent(answer="250"))


def held_of(entries: Sequence[object]) -> list[HeldRun]:
    return [one for one in entries if isinstance(one, HeldRun)]


@pytest.mark.parametrize("receipt", [GONE, Refused(answer="554 5.7.1 your IP is listed", fault=Fault.OURS)])
def test_a_run_of_which_too_much_is_refused_goes_no_further(store: Store, receipt: Refused) -> None:
    make_due_edition(store, 400)
    channel = refusing(10, receipt)

    events = run_dispatcher(store, make_connections(channel))

    assert 100 <= len(channel.recipients) <= 120
    (held_run,) = held_of(events)
    assert receipt.answer in held_run.reason
    refused, answered = 10, 100
    assert held_run.reason.startswith(f"{refused} of the last {answered} ")
    assert count_by_state(store) == {
        "sent": len(channel.recipients) * 9 // 10,
        "refused": 10,
        "held": 400 - len(channel.recipients),
    }

    again = FakeChannel()
    assert held_of(run_dispatcher(store, make_connections(again))) == [held_run]
    assert again.recipients == []


def test_a_run_that_bounces_as_some_do_goes_on(store: Store) -> None:
    make_due_edition(store, 400)
    channel = refusing(21)

    assert held_of(run_dispatcher(store, make_connections(channel))) == []
    assert len(channel.recipients) == 400


def test_fewer_than_a_hundred_answers_say_nothing(store: Store) -> None:
    make_due_edition(store, 99)

    assert held_of(run_dispatcher(store, make_connections(FakeChannel(lambda _: GONE)))) == []
    assert count_by_state(store) == {"refused": 99}


def test_what_was_answered_before_this_process_counts(store: Store) -> None:
    make_due_edition(store, 300)
    with store.begin_write() as tx:
        first = select(table.c.id).order_by(table.c.id).limit(95)
        tx.execute(update(table).where(table.c.id.in_(first)).values(state="refused"))
    channel = refusing(1)

    run_dispatcher(store, make_connections(channel))

    assert len(channel.recipients) == 10


@pytest.mark.parametrize("is_earlier", [False, True])
def test_refusals_of_webhooks_and_chats_hold_no_run(store: Store, *, is_earlier: bool) -> None:
    """One reader's webhooks answer 410 among the mails of everybody; and so did those that another process sent."""
    hooks = [make_webhook_destination(f"https://lab.example.org/{number}", "") for number in range(20)]
    mails = [
        Destination(channel="smtp", kind=AddressKind.MAILBOX, address=address)
        for address in make_addresses(300)
    ]
    declare(store, replace(make_digest(), destinations=(*hooks, *mails)))
    with store.begin_write() as tx:
        save_due_editions(tx, lambda _digest, _number, address: f"<{address}>")
        if is_earlier:
            is_hook = table.c.channel == "webhook"
            tx.execute(update(table).where(is_hook).values(state="refused", answer="HTTP 410"))
    webhook = FakeChannel(lambda _: Refused(answer="HTTP 410"))
    mail = refusing(40)
    connections = [
        Connection(channel="webhook", server="", make_channel=lambda: webhook),
        *make_connections(mail),
    ]

    assert held_of(run_dispatcher(store, connections)) == []
    assert count_by_state(store) == {"sent": 293, "refused": 27}
    assert len(webhook.recipients) == (0 if is_earlier else 20)


def test_trouble_that_begins_late_is_noticed_soon(store: Store) -> None:
    make_due_edition(store, 1500)
    numbers = count(1)
    channel = FakeChannel(lambda _: GONE if next(numbers) > 1200 else Sent())

    assert held_of(run_dispatcher(store, make_connections(channel)))
    assert len(channel.recipients) < 1200 + 80


def test_the_brake_can_be_switched_off(store: Store) -> None:
    make_due_edition(store, 150)
    limits = DeliverySettings(most_bounces=0, unusual=0)

    assert held_of(run_dispatcher(store, make_connections(FakeChannel(lambda _: GONE)), limits=limits)) == []


# --- volume ---------------------------------------------------------------------------------------


def large(store: Store, deliveries: int, before: Sequence[int]) -> int:
    """A run of a few deliveries that is said to have that many, as those before it had; gives its number."""
    make_due_edition(store, 12)
    with store.begin_write() as tx:
        row = tx.execute(select(runs)).one()
        tx.execute(update(runs).values(deliveries=deliveries))
        for number, volume in enumerate(before):
            old = {"slot_id": row.slot_id, "period": f"2026-05-{number + 1:02}T07:30", "deliveries": volume}
            at: datetime = NOW - timedelta(days=30 - number)
            values = old | {
                "state": RunState.COMPOSED.value,
                "fire_at": at,
                "made_at": at,
                "id": row.id - 100 + number,
            }
            tx.execute(insert(runs).values(values))
    return int(row.id)


@pytest.mark.parametrize(
    ("deliveries", "before", "stops"),
    [
        (5000, [2000] * 14, True),
        (5000, [0, 0, 0, 2000, 2000, 2000], True),
        (4000, [2000] * 14, False),  # twice as many and no more
        (1100, [200] * 14, False),  # a thousand more is little
        (50_000, [2000] * 2, False),  # nobody knows what is usual
        (9000, [1000] * 3 + [5000] * 14, False),  # it has grown
    ],
)
def test_a_run_far_larger_than_usual_is_held_before_anything_of_it_goes(
    store: Store, deliveries: int, before: list[int], *, stops: bool
) -> None:
    number = large(store, deliveries, before)
    channel = FakeChannel()

    held_runs = held_of(run_dispatcher(store, make_connections(channel)))

    if stops:
        assert [(held_run.id, held_run.reason) for held_run in held_runs] == [
            (number, "it has 5,000 deliveries, but its schedule usually has 2,000")
        ]
        assert channel.recipients == []
        assert {(delivery.state, delivery.attempts) for delivery in list_deliveries(store)} == {("held", 0)}
    else:
        assert held_runs == []
        assert len(channel.recipients) == 12


def test_a_run_that_grows_while_it_is_under_way_is_held(store: Store) -> None:
    large(store, 900, [2000] * 14)

    def answer(mail: Mail) -> Receipt:
        if mail.recipient == "0003@example.org":
            with store.begin_write() as tx:
                tx.execute(update(runs).where(runs.c.deliveries == 900).values(deliveries=9000))
        return Sent()

    channel = FakeChannel(answer)
    events = run_dispatcher(store, make_connections(channel), tends=timedelta(0))

    assert len(channel.recipients) == 10
    assert held_of(events)
    assert count_by_state(store) == {"sent": 10, "held": 2}


# --- what is decided ------------------------------------------------------------------------------


def test_what_is_let_go_goes_on_and_is_not_held_again(store: Store) -> None:
    number = large(store, 5000, [2000] * 14)
    run_dispatcher(store, make_connections(FakeChannel()))
    with store.begin_write() as tx:
        assert held_runs.release_run(tx, number) == 12
        assert held_runs.release_run(tx, number) is None
        assert held_runs.list_held_runs(tx) == ()
    channel = FakeChannel()

    assert held_of(run_dispatcher(store, make_connections(channel))) == []
    assert len(channel.recipients) == 12


def test_a_size_that_somebody_let_go_is_usual_from_then_on(store: Store) -> None:
    number = large(store, 5000, [2000] * 14)
    with store.begin_write() as tx:
        last = runs.c.id == number - 100 + 13
        tx.execute(update(runs).where(last).values(deliveries=4900, released=True))

    assert held_of(run_dispatcher(store, make_connections(FakeChannel()))) == []


def test_what_is_dropped_never_goes_also_if_it_was_under_way(store: Store) -> None:
    make_due_edition(store, 30)
    (number,) = {delivery.run for delivery in list_deliveries(store)}

    def answer(mail: Mail) -> Receipt:
        if mail.recipient == "0004@example.org":
            with store.begin_write() as tx:
                assert held_runs.drop_run(tx, number, "an operator dropped it") == 20
        return Sent()

    attempts = select_attempts(run_dispatcher(store, make_connections(FakeChannel(answer))))

    assert len(attempts) == 10
    assert count_by_state(store) == {"sent": 10, "dropped": 20}
    with store.begin_write() as tx:
        assert held_runs.list_held_runs(tx) == ()
        assert held_runs.drop_run(tx, number + 1, "") is None
        tx.execute(update(table).where(table.c.state == "sent").values(state="ready"))
    assert run_dispatcher(store, make_connections(FakeChannel())) == []
    assert {delivery.answer for delivery in list_deliveries(store)} == {"an operator dropped it"}
