from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import pytest
from sqlalchemy import select

from digest.core.delivery.throttling.rates import Rate
from digest.core.publishing.request_rates import RequestRates
from digest.jobs.publishing.request_limiter import RequestLimiter
from digest.store.database.engine import Store
from digest.store.database.tables.papers import buckets
from tests.store.factories import NOW

MINUTE = timedelta(minutes=1)
RATES = RequestRates(pages=Rate(10, MINUTE), searches=Rate(5, MINUTE), all_searches=Rate(8, MINUTE))
ADA, BOB = "192.0.2.1", "198.51.100.1"


@dataclass
class Clock:
    now: datetime = NOW

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def make_limiter(store: Store, clock: Clock) -> Callable[[], RequestLimiter]:
    """Each is that of another process."""
    return lambda: RequestLimiter(store, RATES, clock)


def count_pages(limiter: RequestLimiter, host: str, tries: int = 50) -> int:
    """How many of some requests are answered."""
    return sum(limiter.take_page(host) is None for _ in range(tries))


def count_searches(limiter: RequestLimiter, host: str, tries: int = 50) -> int:
    return sum(limiter.take_search(host) is None for _ in range(tries))


def list_rows(store: Store) -> set[str]:
    with store.begin_read() as tx:
        return set(tx.execute(select(buckets.c.name)).scalars())


def test_a_network_gets_its_rate_and_others_are_not_concerned(
    make_limiter: Callable[[], RequestLimiter], clock: Clock
) -> None:
    limiter = make_limiter()

    assert count_pages(limiter, ADA) == 10
    assert count_pages(limiter, "192.0.2.200") == 0, "the same network"
    assert count_pages(limiter, BOB) == 10
    wait = limiter.take_page(ADA)
    assert wait is not None
    clock.now += wait
    assert count_pages(limiter, ADA) == 1


def test_searches_have_a_rate_for_a_network_and_one_for_all(
    make_limiter: Callable[[], RequestLimiter],
) -> None:
    limiter = make_limiter()

    assert count_searches(limiter, ADA) == 5
    assert count_searches(limiter, BOB) == 3
    assert count_searches(limiter, "203.0.113.1") == 0
    assert count_pages(limiter, ADA) == 5, "searches are pages, too"


def test_the_machine_itself_has_only_the_limit_of_all_searches(
    make_limiter: Callable[[], RequestLimiter],
) -> None:
    limiter = make_limiter()

    assert count_pages(limiter, "127.0.0.1") == 50
    assert count_searches(limiter, "::1") == 8


def test_processes_share_what_they_count(make_limiter: Callable[[], RequestLimiter], clock: Clock) -> None:
    one, other = make_limiter(), make_limiter()
    count_pages(one, ADA, 6)
    one.exchange_counts()
    assert count_pages(other, ADA, 1) == 1
    other.exchange_counts()

    assert count_pages(other, ADA) == 3
    other.exchange_counts()
    assert count_pages(one, ADA) == 4, "it has not heard of the other process since"
    one.exchange_counts()
    assert count_pages(one, ADA) == 0
    clock.now += timedelta(seconds=6)
    assert count_pages(one, ADA) == 1
    assert count_pages(make_limiter(), BOB) == 10


def test_a_restart_forgets_nothing_that_still_limits(
    make_limiter: Callable[[], RequestLimiter], store: Store, clock: Clock
) -> None:
    first = make_limiter()
    count_pages(first, ADA)
    first.exchange_counts()
    second = make_limiter()
    count_pages(second, ADA, 1)
    second.exchange_counts()
    assert count_pages(second, ADA) == 0

    clock.now += 10 * MINUTE
    count_pages(second, BOB, 1)
    second.exchange_counts()
    second.exchange_counts()
    assert list_rows(store) == {"requests:pages:198.51.100.0/24"}


@pytest.mark.parametrize("ahead", [timedelta(hours=1), timedelta(days=400)])
def test_a_clock_that_is_set_back_locks_nobody_out_for_longer_than_a_rate_can(
    make_limiter: Callable[[], RequestLimiter], clock: Clock, ahead: timedelta
) -> None:
    limiter = make_limiter()
    clock.now += ahead
    count_pages(limiter, ADA)
    limiter.exchange_counts()
    clock.now -= ahead

    wait = limiter.take_page(ADA)
    assert wait is not None
    assert wait <= MINUTE
    restarted = make_limiter()
    count_pages(restarted, BOB, 1)
    count_pages(restarted, ADA, 1)
    restarted.exchange_counts()
    clock.now += MINUTE
    assert count_pages(limiter, ADA) == 10
    assert count_pages(restarted, ADA) == 10


def test_a_stricter_rate_of_before_is_forgotten_when_the_file_has_changed(store: Store, clock: Clock) -> None:
    strict = RequestRates(pages=Rate(6, timedelta(days=1)), searches=None, all_searches=None)
    before = RequestLimiter(store, strict, clock)
    assert count_pages(before, ADA) == 6
    before.exchange_counts()

    after = RequestLimiter(store, RATES, clock)
    count_pages(after, ADA, 1)
    after.exchange_counts()
    clock.now += MINUTE
    assert count_pages(after, ADA) == 10


def test_what_was_counted_while_the_store_was_locked_locks_nobody_out(
    make_limiter: Callable[[], RequestLimiter], store: Store, clock: Clock
) -> None:
    limiter = make_limiter()
    rename(store, "buckets", "elsewhere")
    for _ in range(60):
        assert count_pages(limiter, ADA, 1) == 1
        limiter.exchange_counts()
        clock.now += timedelta(seconds=8)
    rename(store, "elsewhere", "buckets")
    limiter.exchange_counts()
    clock.now += MINUTE

    assert count_pages(limiter, ADA) == 10


def test_networks_are_deleted_when_they_limit_nothing_also_without_visitors(
    make_limiter: Callable[[], RequestLimiter], store: Store, clock: Clock
) -> None:
    limiter = make_limiter()
    for number in range(20):
        count_pages(limiter, f"198.51.{number}.1")
    limiter.exchange_counts()
    assert len(list_rows(store)) == 20
    clock.now += 2 * MINUTE
    limiter.exchange_counts()
    assert list_rows(store) == set()


def test_what_the_store_did_not_take_is_told_later(
    make_limiter: Callable[[], RequestLimiter], store: Store
) -> None:
    limiter = make_limiter()
    count_pages(limiter, ADA, 4)
    rename(store, "buckets", "elsewhere")
    limiter.exchange_counts()
    assert count_pages(limiter, ADA, 4) == 4

    rename(store, "elsewhere", "buckets")
    limiter.exchange_counts()
    other = make_limiter()
    count_pages(other, ADA, 1)
    other.exchange_counts()
    assert count_pages(other, ADA) == 1


def rename(store: Store, name: str, other: str) -> None:
    with store.begin_write() as tx:
        tx.exec_driver_sql(f"ALTER TABLE {name} RENAME TO {other}")


def test_without_a_rate_nothing_is_counted(store: Store, clock: Clock) -> None:
    limiter = RequestLimiter(store, RequestRates(pages=None, searches=None, all_searches=None), clock)

    assert count_searches(limiter, ADA, 1_000) == 1_000
    limiter.exchange_counts()
    assert list_rows(store) == set()
