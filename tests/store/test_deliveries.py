from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial

import pytest
from sqlalchemy import select, update

from digest.model import Deferred, Receipt, Refused, Sent, Unknown
from digest.store import deliveries, digests
from digest.store.deliveries import LEASE, Delivery
from digest.store.digest_tables import deliveries as table
from digest.store.digest_tables import destinations
from digest.store.engine import Store
from tests.store.given import NOW, at_once, declare, due, later, small_statements


def claim(
    store: Store, token: int = 1, now: datetime = NOW, most: int = 10, due_by: datetime | None = None
) -> tuple[Delivery, ...]:
    with store.writing() as tx:
        return deliveries.claim(tx, "smtp", token, now, most, due_by=due_by or now)


def mark(store: Store, receipts: Sequence[tuple[Delivery, Receipt]], now: datetime = NOW) -> None:
    with store.writing() as tx:
        deliveries.mark(tx, receipts, now)


def states(store: Store) -> dict[str, int]:
    with store.reading() as tx:
        return deliveries.count_by_state(tx)


def the(store: Store) -> Delivery:
    with store.reading() as tx:
        (one,) = deliveries.recent(tx, state=None, most=2)
    return one


# --- claiming -------------------------------------------------------------------------------------


def test_a_claimed_delivery_has_all_that_is_needed_to_send_it(store: Store) -> None:
    due(store, 1)

    (one,) = claim(store, token=77)

    assert (one.digest, one.period, one.channel, one.address) == (
        "systems",
        "2026-06-12T07:30",
        "smtp",
        "0000@example.org",
    )
    assert (one.token, one.state, one.attempts, one.message_id) == (77, "leased", 1, "<0000@example.org>")


def test_many_workers_never_get_one_delivery_twice(store: Store) -> None:
    due(store, 200)

    def work(worker: int) -> list[int]:
        mine: list[int] = []
        # Their clocks differ a little, as clocks do.
        while pack := claim(store, worker, NOW + timedelta(milliseconds=worker), most=7):
            mine += [one.id for one in pack]
        return mine

    taken = at_once(*(partial(work, worker) for worker in range(1, 9)))

    assert set(Counter(one for some in taken for one in some).values()) == {1}
    assert sum(map(len, taken)) == 200


def test_the_oldest_are_claimed_first_and_only_what_is_due(store: Store) -> None:
    due(store, 6)
    with store.writing() as tx:
        numbers = tx.execute(select(table.c.id).order_by(table.c.id)).scalars().all()
        for number, minutes in zip(numbers, (5, -5, 0, 1, -1, -9), strict=True):
            tx.execute(update(table).where(table.c.id == number).values(due_at=later(minutes=minutes)))
    first, second = claim(store, 1, most=2), claim(store, 2, most=5)

    assert [numbers.index(one.id) for one in first] == [5, 1]
    assert [numbers.index(one.id) for one in second] == [4, 2]


def test_what_became_due_meanwhile_is_left_for_the_next_pass(store: Store) -> None:
    due(store, 2)
    (one,) = claim(store, most=1)
    mark(store, [(one, Deferred(answer="later"))])

    assert len(claim(store, 2, later(hours=1), due_by=NOW)) == 1
    assert len(claim(store, 3, later(hours=1))) == 1


def test_a_pass_over_more_deliveries_than_a_statement_takes_comes_to_its_end(store: Store) -> None:
    due(store, 1100)
    small_statements(store)
    seen: list[int] = []
    while pack := claim(store, most=100, due_by=NOW):
        mark(store, [(one, Deferred(answer="later")) for one in pack])
        seen += [one.id for one in pack]

    assert len(set(seen)) == len(seen) == 1100


@pytest.mark.parametrize("state", [digests.ENDED, digests.STOPPED])
def test_what_goes_to_a_destination_that_is_no_more_is_not_claimed(store: Store, state: str) -> None:
    due(store, 2)
    with store.writing() as tx:
        stopped = destinations.c.address == "0000@example.org"
        tx.execute(update(destinations).where(stopped).values(state=state))

    assert [one.address for one in claim(store)] == ["0001@example.org"]
    with store.reading() as tx:
        assert deliveries.channels_due(tx, NOW) == ()


def test_what_a_digest_that_left_the_file_still_had_to_send_is_not_sent(store: Store) -> None:
    due(store, 1)

    declare(store)

    assert claim(store) == ()
    with store.reading() as tx:
        assert deliveries.channels_due(tx, NOW) == ()


def test_each_channel_claims_its_own(store: Store) -> None:
    due(store, 2)
    with store.writing() as tx:
        other = destinations.c.address == "0000@example.org"
        tx.execute(update(destinations).where(other).values(channel="files"))
    with store.reading() as tx:
        assert deliveries.channels_due(tx, NOW) == ("files", "smtp")
        assert deliveries.channels_due(tx, later(seconds=-1)) == ()

    assert [one.address for one in claim(store)] == ["0001@example.org"]


# --- leases ---------------------------------------------------------------------------------------


def held(store: Store, claimed: Sequence[Delivery], now: datetime) -> int:
    with store.writing() as tx:
        return len(deliveries.still_held(tx, claimed, now))


def test_what_nobody_marked_is_claimed_again_when_its_lease_is_over_and_the_old_hand_is_cut_off(
    store: Store,
) -> None:
    due(store, 1)
    old = claim(store, token=1)
    assert claim(store, 2, NOW + LEASE - timedelta(seconds=1)) == ()
    with store.reading() as tx:
        assert deliveries.channels_due(tx, NOW + LEASE) == ("smtp",)

    new = claim(store, 2, NOW + LEASE)

    assert [one.attempts for one in new] == [2]
    assert held(store, old, NOW + LEASE) == 0
    mark(store, [(old[0], Refused(answer="no"))])
    with store.writing() as tx:
        deliveries.give_back(tx, old)
    assert states(store) == {"leased": 1}
    mark(store, [(new[0], Sent(answer="yes"))])
    mark(store, [(new[0], Refused(answer="no"))])
    assert (the(store).state, the(store).answer) == ("sent", "yes")


def test_a_lease_is_prolonged_by_who_has_it(store: Store) -> None:
    due(store, 3)
    mine = claim(store, token=1)
    assert held(store, mine, NOW + timedelta(minutes=14)) == 3
    assert held(store, [], NOW) == 0

    assert claim(store, 2, NOW + timedelta(minutes=28)) == ()
    assert len(claim(store, 2, NOW + timedelta(minutes=29))) == 3


@pytest.mark.parametrize(("ahead", "over"), [(timedelta(days=30), True), (timedelta(seconds=1), False)])
def test_a_lease_that_a_wrong_clock_made_is_over(store: Store, ahead: timedelta, *, over: bool) -> None:
    due(store, 1)
    claim(store, 1, NOW + ahead)

    with store.reading() as tx:
        assert bool(deliveries.channels_due(tx, NOW)) is over
    assert bool(claim(store, 2)) is over


def test_what_was_not_tried_is_due_as_before_and_no_attempt_is_counted(store: Store) -> None:
    due(store, 2)
    before = the_all(store)
    claimed = claim(store)
    with store.writing() as tx:
        deliveries.give_back(tx, claimed)
        deliveries.give_back(tx, [])

    assert the_all(store) == before
    assert len(claim(store, 2)) == 2


def the_all(store: Store) -> list[Delivery]:
    with store.reading() as tx:
        return sorted(deliveries.recent(tx, state=None, most=99), key=lambda one: one.id)


# --- receipts -------------------------------------------------------------------------------------


def tried(store: Store, make: Callable[[], Receipt], times: int) -> list[tuple[str, int, timedelta]]:
    """State, count of unknown, and the pause, after each try as soon as it is due."""
    found = []
    now = NOW
    for attempt in range(times):
        (one,) = claim(store, attempt + 1, now)
        mark(store, [(one, make())], now)
        after = the(store)
        found.append((after.state, after.unknown, after.due_at - now))
        now = max(now, after.due_at)
    return found


def test_what_was_sent_or_refused_is_never_tried_again(store: Store) -> None:
    due(store, 2)
    one, other = claim(store)
    mark(store, [(one, Sent(answer="250 yes")), (other, Refused(answer="550 no"))], later(seconds=3))

    assert states(store) == {"sent": 1, "refused": 1}
    assert claim(store, 2, later(days=99)) == ()
    sent, refused = the_all(store)
    assert (sent.sent_at, sent.answer, sent.token) == (later(seconds=3), "250 yes", 0)
    assert (refused.sent_at, refused.answer) == (None, "550 no")


def test_what_was_deferred_is_tried_for_ever_with_growing_pauses(store: Store) -> None:
    due(store, 1)

    found = tried(store, lambda: Deferred(answer="451 later"), 9)

    assert [state for state, _, _ in found] == ["ready"] * 9
    assert [pause.total_seconds() / 60 for *_, pause in found] == [1, 2, 5, 15, 60, 180, 360, 360, 360]


def test_what_may_have_arrived_is_sent_again_twice_at_the_most(store: Store) -> None:
    due(store, 1)

    found = tried(store, lambda: Unknown(answer="the connection ended"), 3)

    assert [(state, unknown) for state, unknown, _ in found] == [("ready", 1), ("ready", 2), ("unknown", 3)]
    assert claim(store, 9, later(days=99)) == ()


def test_being_deferred_does_not_use_up_what_may_have_arrived(store: Store) -> None:
    due(store, 1)
    lost, put_off = Unknown(answer=""), Deferred(answer="")
    answers: Iterator[Receipt] = iter([lost, put_off, lost, put_off, Sent()])

    found = tried(store, lambda: next(answers), 5)

    assert [state for state, *_ in found] == ["ready"] * 4 + ["sent"]


def test_a_long_answer_is_kept_in_part(store: Store) -> None:
    due(store, 1)
    (one,) = claim(store)
    mark(store, [(one, Refused(answer="x" * 10_000))])

    assert the(store).answer == "x" * 500


# --- reading --------------------------------------------------------------------------------------


def test_deliveries_are_listed_the_newest_first_by_state_and_by_edition(store: Store) -> None:
    due(store, 3)
    one, *_ = claim(store, most=1)
    mark(store, [(one, Refused(answer="no"))])
    with store.reading() as tx:
        listed = deliveries.recent(tx, state=None, most=2)
        assert [each.address for each in listed] == ["0002@example.org", "0001@example.org"]
        assert [each.id for each in deliveries.recent(tx, state="refused", most=9)] == [one.id]
        assert len(deliveries.of_edition(tx, one.edition)) == 3
        assert deliveries.of_edition(tx, one.edition + 1) == ()
    assert states(store) == {"refused": 1, "ready": 2}
