"""Several processes that share the queue of a channel: they work apart, lose nothing and leave nothing behind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, func, select, update

from digest.config import DeliverySettings
from digest.jobs.delivery.claims import queue_share
from digest.jobs.delivery.claims.claim_cursor import ClaimCursor
from digest.jobs.delivery.claims.send_rate import SendRate
from digest.model import Deferred, Delivery, Sent
from digest.store.database.engine import Store
from digest.store.database.tables.digests import deliveries
from digest.store.database.tables.processes import queue_cursors
from digest.store.delivery import outbox, receipts
from digest.store.delivery.queue_positions import QueuePosition
from tests.jobs.delivery.dispatchers import FakeClock
from tests.store.conftest import store, store_url
from tests.store.factories import NOW, make_due_edition

__all__ = ["store", "store_url"]

TOKENS = count(1_000)
CHECKED_WITHIN = timedelta(seconds=10)
"""A process looks at the front every five seconds, first five seconds after it began, and may take over what another one saw
five seconds before.
"""
MANY = 60


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue_share, "_MIN_PART_SIZE", 3)


@dataclass
class Process:
    """A process that claims; its clocks are those of its world."""

    store: Store
    clock: FakeClock
    token: int = field(default_factory=lambda: next(TOKENS))
    claimed: list[Delivery] = field(default_factory=list)
    began_at: datetime | None = None

    def __post_init__(self) -> None:
        send_rate = SendRate(settings=DeliverySettings(), machine_clock=self.clock)
        self.cursor = ClaimCursor(send_rate=send_rate, token=self.token)

    def claim(self, limit: int = 5) -> list[Delivery]:
        self.began_at = self.began_at or self.clock()
        with self.store.begin_write() as tx:
            newly_claimed = self.cursor.claim_ordinary(tx, "smtp", limit, self.clock()).deliveries
        self.claimed += newly_claimed
        return list(newly_claimed)

    def send(self) -> None:
        with self.store.begin_write() as tx:
            receipts.record_receipts(tx, [(each, Sent(answer="250")) for each in self.claimed], self.clock())
        self.claimed.clear()

    def defer(self) -> None:
        with self.store.begin_write() as tx:
            answers = [(each, Deferred(answer="450 later")) for each in self.claimed]
            receipts.record_receipts(tx, answers, self.clock())
        self.claimed.clear()

    def give_back(self) -> None:
        with self.store.begin_write() as tx:
            outbox.return_untried(tx, self.claimed)
        self.claimed.clear()

    def die(self) -> None:
        """End without a word; another process notices that."""
        with self.store.begin_write() as tx:
            outbox.release_worker(tx, self.token)
        self.claimed.clear()

    def stop(self) -> None:
        self.give_back()
        with self.store.begin_write() as tx:
            self.cursor.leave_queues(tx)


def fill(store: Store, queries: Callable[[int], int] = lambda number: number // 2) -> None:
    make_due_edition(store, MANY)
    reset(store, queries)


def reset(store: Store, queries: Callable[[int], int] = lambda number: number // 2) -> None:
    with store.begin_write() as tx:
        tx.execute(delete(queue_cursors))
        new = {"state": "ready", "due_at": NOW, "lease_token": 0, "lease_until": None, "attempts": 0}
        new |= {"blame": "", "answer": "", "expires_at": None, "failed_at": None, "sent_at": None}
        tx.execute(update(deliveries).values(new))
        for place, number in enumerate(
            tx.execute(select(deliveries.c.id).order_by(deliveries.c.id)).scalars()
        ):
            tx.execute(update(deliveries).where(deliveries.c.id == number).values(main_query=queries(place)))


def list_waiting(store: Store, now: datetime) -> dict[int, datetime]:
    is_due = (deliveries.c.state == "ready") & (deliveries.c.due_at <= now)
    with store.begin_read() as tx:
        return {
            row.id: row.due_at
            for row in tx.execute(select(deliveries.c.id, deliveries.c.due_at).where(is_due))
        }


def count_left(store: Store) -> int:
    with store.begin_read() as tx:
        return tx.execute(select(func.count()).where(deliveries.c.state != "sent")).scalar_one()


# --- apart ----------------------------------------------------------------------------------------


def deliver_in_turn(processes: list[Process]) -> dict[int, list[int]]:
    """Deliver everything, each process a few in turn; give the queries that each had, with repeats."""
    queries: dict[int, list[int]] = {process.token: [] for process in processes}
    while True:
        rounds = [(process, process.claim(4)) for process in processes]
        for process, claimed in rounds:
            queries[process.token] += [each.main_query for each in claimed]
            process.send()
        if not any(claimed for _, claimed in rounds):
            return queries


def test_processes_that_deliver_at_once_hardly_send_mails_about_the_same_query(store: Store) -> None:
    fill(store)
    clock = FakeClock()

    queries = deliver_in_turn([Process(store, clock) for _ in range(3)])

    makers = [len({token for token, mine in queries.items() if query in mine}) for query in range(MANY // 2)]
    assert count_left(store) == 0
    assert sum(makers) <= MANY // 2 + 6, "a query is shared only where two parts meet"
    assert min(map(len, queries.values())) >= MANY // 6, "none is idle while another one has much to do"


def test_a_process_that_comes_later_takes_over_a_part_of_the_largest_rest(store: Store) -> None:
    fill(store)
    clock = FakeClock()
    first, second = Process(store, clock), Process(store, clock)
    assert [each.main_query for each in first.claim(4)] == [0, 0, 1, 1]

    assert [each.main_query for each in second.claim(4)] == [15, 15, 16, 16]
    assert [each.main_query for each in first.claim(4)] == [2, 2, 3, 3]
    rest = [each.main_query for each in first.claim(26)]
    assert rest[:22] == [query for query in range(4, 15) for _ in range(2)], "up to the second one"
    assert min(rest[22:]) > 20, "and then far from it again"


def test_what_a_process_that_died_had_before_it_is_delivered_by_the_others(store: Store) -> None:
    fill(store)
    clock = FakeClock()
    first, second = Process(store, clock), Process(store, clock)
    first.claim(4)
    second.claim(4)
    second.die()
    clock.now += timedelta(minutes=2)

    queries = deliver_in_turn([first])

    assert count_left(store) == 0
    assert queries[first.token] == [query for query in range(2, MANY // 2) for _ in range(2)]


def test_one_query_with_all_mails_is_shared(store: Store) -> None:
    fill(store, lambda _: 7)
    clock = FakeClock()

    queries = deliver_in_turn([Process(store, clock), Process(store, clock)])

    assert min(len(mine) for mine in queries.values()) > MANY // 3


# --- the front ------------------------------------------------------------------------------------


def test_a_process_that_is_started_again_begins_where_the_queue_begins(store: Store) -> None:
    fill(store)
    clock = FakeClock()
    first = Process(store, clock)
    for _ in range(4):
        first.claim(5)
        first.send()
        clock.now += timedelta(seconds=6)
    first.claim(5)
    first.stop()
    with store.begin_read() as tx:
        front = Process(store, clock).cursor  # it knows nothing itself
        part = queue_share.QueueShare(channel="smtp", token=front.token).find_part(tx, NOW, clock())

    assert part.after > QueuePosition(NOW, 8, 0), "it does not pass over what was sent"
    assert len(Process(store, clock).claim(MANY)) == MANY - 20


@pytest.mark.parametrize("spread", [timedelta(0), timedelta(seconds=1)], ids=["at once", "spread"])
def test_what_is_due_again_at_an_earlier_time_goes_next_within_seconds(
    store: Store, spread: timedelta
) -> None:
    fill(store)
    clock = FakeClock(NOW + timedelta(hours=1))
    with store.begin_write() as tx:
        ids = tx.execute(select(deliveries.c.id).order_by(deliveries.c.id)).scalars().all()
        for place, number in enumerate(ids):
            tx.execute(
                update(deliveries).where(deliveries.c.id == number).values(due_at=NOW + place * spread)
            )
    process = Process(store, clock)
    process.claim(5)
    process.claim(5)
    process.send()
    with store.begin_write() as tx:
        released = {"state": "ready", "due_at": NOW - timedelta(hours=1)}
        tx.execute(update(deliveries).where(deliveries.c.id == ids[3]).values(released))

    clock.now += timedelta(seconds=6)

    assert process.claim(5)[0].id == ids[3]


@dataclass
class World:
    """Processes and deliveries, and since when each delivery has been waiting at its place in the queue."""

    store: Store
    clock: FakeClock = field(default_factory=FakeClock)
    waiting_since: dict[int, datetime] = field(default_factory=dict)
    processes: list[Process] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.processes = [Process(self.store, self.clock) for _ in range(3)]
        self.note_waiting()

    def note_waiting(self) -> None:
        waiting = list_waiting(self.store, self.clock())
        self.waiting_since = {each: self.waiting_since.get(each, self.clock()) for each in waiting}

    def claim(self, number: int, limit: int) -> None:
        """Claim, and check that nothing older that has waited for long was passed over."""
        process = self.processes[number]
        claimed = process.claim(limit)
        self.note_waiting()
        assert process.began_at is not None
        left = list_waiting(self.store, self.clock())
        passed_over = [
            due_at
            for each, due_at in left.items()
            if self.clock() - max(self.waiting_since[each], process.began_at) > CHECKED_WITHIN
        ]
        assert len(claimed) == limit or not left, "it claims as many as it can"
        if claimed and passed_over:
            assert max(each.due_at for each in claimed) <= min(passed_over)

    def set_back(self, place: int, minutes: int) -> None:
        """Make a delivery due at an earlier time, as when a held run is released, whatever its state was."""
        with self.store.begin_write() as tx:
            numbers = tx.execute(select(deliveries.c.id).order_by(deliveries.c.id)).scalars().all()
            earlier = NOW - timedelta(minutes=minutes)
            is_free = (deliveries.c.id == numbers[place % MANY]) & (deliveries.c.state != "leased")
            tx.execute(update(deliveries).where(is_free).values(state="ready", due_at=earlier))
        self.waiting_since.pop(numbers[place % MANY], None)

    def replace(self, number: int, *, dies: bool) -> None:
        process = self.processes[number]
        process.die() if dies else process.stop()
        self.processes[number] = Process(self.store, self.clock)

    def wait(self, seconds: int) -> None:
        self.clock.now += timedelta(seconds=seconds)

    def act(self, action: str, number: int, amount: int) -> None:
        """Do one of ``ACTIONS``."""
        process = self.processes[number % len(self.processes)]
        match action:
            case "claim":
                self.claim(number % len(self.processes), amount)
            case "send":
                process.send()
            case "give back":
                process.give_back()
            case "defer":
                process.defer()
            case "stop" | "die":
                self.replace(number % len(self.processes), dies=action == "die")
            case "set back":
                self.set_back(number, amount % 4)
            case "wait":
                self.wait((1, 6, 120)[amount % 3])
        self.note_waiting()


ACTIONS = st.tuples(
    st.sampled_from(["claim", "claim", "send", "give back", "defer", "stop", "die", "set back", "wait"]),
    st.integers(0, MANY),
    st.integers(1, 12),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(actions=st.lists(ACTIONS, max_size=40))
def check_world(store: Store, actions: list[tuple[str, int, int]]) -> None:
    reset(store)
    world = World(store)
    for action in actions:
        world.act(*action)
    for process in world.processes:
        process.send()
    world.clock.now += timedelta(days=1)
    for _ in range(MANY):
        world.processes[0].claim(5)
        world.processes[0].send()
    assert count_left(store) == 0, "all that waits is delivered in the end"


def test_whatever_becomes_due_again_is_neither_lost_nor_passed_over_for_long(store: Store) -> None:
    make_due_edition(store, MANY)
    check_world(store)
