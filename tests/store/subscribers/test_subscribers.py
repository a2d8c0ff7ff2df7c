"""Who stopped a digest gets nothing more of it, whatever the file says, until somebody lets it go again."""

from __future__ import annotations

from datetime import timedelta

import pytest

from digest.model import Deferred, Delivery
from digest.store.database.engine import Store
from digest.store.delivery import outbox, receipts
from digest.store.subscribers.subscribers import (
    Subscriber,
    find_subscriber,
    list_subscribers,
    resume_destinations,
    stop_destination,
)
from tests.store.factories import (
    NOW,
    declare,
    load_active_digests,
    make_digest,
    make_due_edition,
    run_concurrently,
    save_due_editions,
)

ME, YOU = "me@example.org", "you@example.org"


def listed(store: Store, address: str | None = None) -> dict[tuple[str, str], Subscriber]:
    with store.begin_read() as tx:
        return {
            (subscriber.digest, subscriber.address): subscriber
            for subscriber in list_subscribers(tx, address=address)
        }


def states(store: Store) -> dict[tuple[str, str], str]:
    return {key: subscriber.state for key, subscriber in listed(store).items()}


def stopped(store: Store, address: str = ME, name: str = "systems") -> bool:
    number = listed(store)[name, address].destination
    with store.begin_write() as tx:
        return stop_destination(tx, number)


def resumed(store: Store, address: str = ME, *, declared: bool = True) -> None:
    numbers = [subscriber.destination for subscriber in listed(store, address).values()]
    with store.begin_write() as tx:
        resume_destinations(tx, numbers, numbers if declared else [])


def goes_to(store: Store) -> set[str]:
    with store.begin_read() as tx:
        return {
            address
            for active_digest in load_active_digests(tx)
            for _, _, address, _ in active_digest.destinations
        }


def test_who_gets_what_is_told_by_digest_and_address(store: Store) -> None:
    declare(store, make_digest("b", to=[YOU, ME]), make_digest("a", to=[ME]))

    with store.begin_read() as tx:
        subscribers = list_subscribers(tx)
        (first, *_) = subscribers
        assert find_subscriber(tx, first.destination) == first
        assert find_subscriber(tx, 999) is None
    assert [(subscriber.digest, subscriber.address, subscriber.state) for subscriber in subscribers] == [
        ("a", ME, "active"),
        ("b", ME, "active"),
        ("b", YOU, "active"),
    ]
    assert (first.title, first.channel, first.stopped, first.digest_ended) == ("A", "smtp", False, False)


def test_an_address_is_found_whatever_its_capitals(store: Store) -> None:
    declare(store, make_digest(to=["Me@Example.org", YOU]))

    assert set(listed(store, "me@example.ORG")) == {("systems", "Me@Example.org")}


def test_stopping_stops_that_destination_and_no_other(store: Store) -> None:
    declare(store, make_digest("a", to=[ME, YOU]), make_digest("b", to=[ME]))

    assert stopped(store, ME, "a")

    assert states(store) == {("a", ME): "stopped", ("a", YOU): "active", ("b", ME): "active"}


def test_stopping_again_changes_nothing(store: Store) -> None:
    declare(store, make_digest(to=[ME]))

    assert [stopped(store), stopped(store)] == [True, False]
    assert states(store) == {("systems", ME): "stopped"}


def test_a_file_that_still_has_it_does_not_bring_it_back(store: Store) -> None:
    declare(store, make_digest(to=[ME, YOU]))
    stopped(store)

    declare(store, make_digest(to=[ME, YOU]))

    assert goes_to(store) == {YOU}


def test_leaving_the_file_and_coming_back_does_not_bring_it_back(store: Store) -> None:
    declare(store, make_digest(to=[ME, YOU]))
    stopped(store)

    declare(store, make_digest(to=[YOU]))
    declare(store, make_digest(to=[ME, YOU]))
    declare(store)
    declare(store, make_digest(to=[ME, YOU]))

    assert states(store)["systems", ME] == "stopped"


@pytest.mark.parametrize("text", [ME, "Me@Example.ORG"])
def test_a_new_destination_of_who_unsubscribed_from_another_digest_starts_stopped(
    store: Store, text: str
) -> None:
    declare(store, make_digest("a", to=[ME]))
    stopped(store, name="a")

    declare(store, make_digest("a", to=[ME]), make_digest("b", to=[text, YOU]))

    assert states(store)["b", text] == "stopped"
    assert goes_to(store) == {YOU}


def test_one_that_comes_back_to_the_file_starts_stopped_too(store: Store) -> None:
    declare(store, make_digest("a", to=[ME]), make_digest("b", to=[ME]))
    declare(store, make_digest("a", to=[ME]))
    stopped(store, name="a")

    declare(store, make_digest("a", to=[ME]), make_digest("b", to=[ME]))

    assert states(store)["b", ME] == "stopped"


def test_what_already_went_to_the_same_address_goes_on(store: Store) -> None:
    declare(store, make_digest("a", to=[ME]), make_digest("b", to=[ME]))
    stopped(store, name="a")

    declare(store, make_digest("a", to=[ME]), make_digest("b", to=[ME]))

    assert states(store)["b", ME] == "active"


def test_a_new_destination_begins_where_nobody_unsubscribed(store: Store) -> None:
    declare(store, make_digest("a", to=[ME]))
    stopped(store, name="a")
    resumed(store)

    declare(store, make_digest("a", to=[ME]), make_digest("b", to=[ME]))

    assert set(states(store).values()) == {"active"}


def test_who_is_resumed_gets_the_next_edition(store: Store) -> None:
    declare(store, make_digest(to=[ME]))
    stopped(store)

    resumed(store)

    assert goes_to(store) == {ME}


def test_who_left_the_file_meanwhile_is_resumed_to_that(store: Store) -> None:
    declare(store, make_digest(to=[ME, YOU]))
    stopped(store)
    declare(store, make_digest(to=[YOU]))

    resumed(store, declared=False)

    assert states(store)["systems", ME] == "ended"
    declare(store, make_digest(to=[ME, YOU]))
    assert goes_to(store) == {ME, YOU}


def test_resuming_who_never_stopped_changes_nothing(store: Store) -> None:
    declare(store, make_digest(to=[ME, YOU]))
    declare(store, make_digest(to=[YOU]))

    resumed(store)

    assert states(store) == {("systems", ME): "ended", ("systems", YOU): "active"}


# --- what was under way ---------------------------------------------------------------------------


def kept(store: Store) -> dict[str, tuple[str, str]]:
    with store.begin_read() as tx:
        return {
            delivery.address: (delivery.state, delivery.answer)
            for delivery in outbox.list_recent(tx, state=None, limit=9)
        }


def claimed(store: Store, at: timedelta = timedelta(0)) -> tuple[Delivery, ...]:
    with store.begin_write() as tx:
        return outbox.claim_deliveries(tx, "smtp", 1, NOW + at, 10)


def test_what_waits_to_go_there_goes_nowhere_also_when_it_is_resumed(store: Store) -> None:
    make_due_edition(store, 2)

    stopped(store, "0000@example.org")

    assert kept(store)["0000@example.org"] == ("dropped", "the reader unsubscribed")
    resumed(store, "0000@example.org")
    assert [delivery.address for delivery in claimed(store)] == ["0001@example.org"]


def test_nothing_of_any_other_digest_or_reader_is_dropped(store: Store) -> None:
    declare(store, make_digest("a", to=[ME, YOU]), make_digest("b", to=[ME, YOU]))
    with store.begin_write() as tx:
        save_due_editions(tx, lambda entry, _number, address: f"<{entry.name}.{address}>")

    stopped(store, YOU, "b")

    with store.begin_read() as tx:
        results = {
            (delivery.message_id, delivery.state) for delivery in outbox.list_recent(tx, state=None, limit=9)
        }
    assert results == {
        (f"<a.{ME}>", "ready"),
        (f"<a.{YOU}>", "ready"),
        (f"<b.{ME}>", "ready"),
        (f"<b.{YOU}>", "dropped"),
    }


def test_what_was_deferred_then_is_not_tried_again(store: Store) -> None:
    make_due_edition(store, 1)
    (delivery,) = claimed(store)
    stopped(store, delivery.address)
    with store.begin_write() as tx:
        receipts.record_receipts(tx, [(delivery, Deferred(answer="450 later"))], NOW)

    assert claimed(store, timedelta(days=1)) == ()


def test_what_was_sent_stays_sent(store: Store) -> None:
    make_due_edition(store, 1)
    (delivery,) = claimed(store)

    stopped(store, delivery.address)

    assert kept(store)[delivery.address][0] == "leased"


def test_many_clicks_at_once_stop_it_once(store: Store) -> None:
    declare(store, make_digest(to=[ME]))

    assert sorted(run_concurrently(*[lambda: stopped(store)] * 4)) == [False, False, False, True]
