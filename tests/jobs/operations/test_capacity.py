"""What a day takes is estimated from what the last days took, and the limit that is named is reached first."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.core.delivery.throttling.rates import Rate
from digest.jobs.operations.capacity_estimate import (
    COMPOSE_SECONDS,
    DELIVER_SECONDS,
    INGEST_SECONDS,
    QUERY_SECONDS,
    Resources,
    estimate_capacity,
)
from digest.store.operations.capacity import RecentUse, RunSpeed, TableGrowth
from tests.support.cases import for_each_case

MEASURED = Path(__file__).parents[3] / "docs" / "measured"
SECOND = timedelta(seconds=1)
USE = RecentUse(
    days=7,
    subscribers=1_000,
    digests=1_200,
    follows=3_000,
    queries=700,
    papers=1_500.0,
    editions=800.0,
    deliveries={"files": 100.0, "smtp": 900.0},
    domains={"example.org": 600.0, "example.com": 300.0},
    tables=(
        TableGrowth(table="editions", rows=800.0, row_size=4_000.0),
        TableGrowth(table="match_blocks", rows=500.0, row_size=100.0),
        TableGrowth(table="events", rows=1_600.0, row_size=100.0),
    ),
    speed=RunSpeed(period="2026-06-12", deliveries=900, seconds=90.0),
)
RESOURCES = Resources(
    rate=Rate(10, SECOND),
    rates={"smtp": Rate(5, SECOND)},
    domains={"example.org": Rate(2, SECOND), "*": Rate(1, SECOND)},
    keep_days=400,
    processes=2,
    disk_bytes=10**12,
)
COUNTS = st.floats(0, 1e7)
USES = st.builds(
    RecentUse,
    days=st.integers(1, 7),
    subscribers=st.integers(1, 10**7),
    digests=st.integers(0, 10**7),
    follows=st.integers(0, 10**8),
    queries=st.integers(0, 10**7),
    papers=st.floats(0, 1e4),
    editions=COUNTS,
    deliveries=st.fixed_dictionaries({"smtp": COUNTS}),
    domains=st.fixed_dictionaries({"example.org": COUNTS, "example.com": COUNTS}),
    tables=st.just(USE.tables),
    speed=st.none() | st.just(USE.speed),
)


@given(USES)
def test_twice_as_many_subscribers_take_twice_the_rows_of_readers_and_the_same_of_papers(
    use: RecentUse,
) -> None:
    once = {table.table: table for table in estimate_capacity(use, RESOURCES).tables}
    twice = {table.table: table for table in estimate_capacity(use, RESOURCES, 2 * use.subscribers).tables}

    for name in ("editions", "match_blocks"):
        assert twice[name].rows == 2 * once[name].rows
        assert twice[name].kept_size == 2 * once[name].kept_size
    assert twice["events"] == once["events"]


@given(USES)
def test_the_first_limit_is_the_one_that_the_fewest_subscribers_reach(use: RecentUse) -> None:
    estimate = estimate_capacity(use, RESOURCES)
    reached = [limit.subscribers for limit in estimate.limits if limit.subscribers is not None]

    if estimate.first_limit is None:
        assert reached == []
    else:
        assert estimate.first_limit.subscribers == min(reached)


@given(USES)
def test_a_limit_is_used_up_at_the_number_of_subscribers_that_reaches_it(use: RecentUse) -> None:
    for limit in estimate_capacity(use, RESOURCES).limits:
        if limit.subscribers and 0 < limit.subscribers < 10**12:
            at_limit = {
                each.name: each for each in estimate_capacity(use, RESOURCES, limit.subscribers).limits
            }
            more = {
                each.name: each for each in estimate_capacity(use, RESOURCES, 2 + limit.subscribers).limits
            }
            assert at_limit[limit.name].share <= 1.000001
            assert more[limit.name].share >= 1 - 1e-9


def test_the_slowest_rate_says_how_long_delivery_takes() -> None:
    estimate = estimate_capacity(USE, RESOURCES)

    # 1,000 at 10 a second, 900 at 5, 600 at 2, and 300 to the busiest of the others at 1.
    assert {limit.name: round(limit.share * 86_400) for limit in estimate.limits if "rate" in limit.name} == {
        "rate of all messages": 100,
        "rate of smtp": 180,
        "rate of example.org": 300,
        "rate of example.com": 300,
    }
    assert estimate.configured_minutes == 5
    assert estimate.measured_minutes == pytest.approx(100 / 60)


def test_without_rates_a_disk_and_a_run_only_the_processes_limit_anything() -> None:
    estimate = estimate_capacity(replace(USE, speed=None), Resources())

    assert [limit.name for limit in estimate.limits] == ["CPU"]
    assert (estimate.configured_minutes, estimate.measured_minutes) == (None, None)


def test_what_is_kept_without_limit_is_summed_over_a_year_and_matches_over_90_days() -> None:
    days = {
        table.table: round(table.kept_rows / table.rows)
        for table in estimate_capacity(USE, replace(RESOURCES, keep_days=None)).tables
    }

    assert days == {"editions": 365, "match_blocks": 90, "events": 365}


def test_a_limit_that_papers_alone_exceed_is_reached_without_subscribers() -> None:
    first = estimate_capacity(USE, replace(RESOURCES, disk_bytes=1_000)).first_limit

    assert first is not None
    assert (first.name, first.subscribers, first.share > 1) == ("disk", 0, True)


def test_without_subscribers_nothing_is_scaled_and_no_limit_is_reached() -> None:
    nobody = RecentUse(days=1, subscribers=0, digests=0, follows=0, queries=0)

    estimate = estimate_capacity(nobody, RESOURCES, 1_000)

    assert estimate.use == nobody
    assert estimate.first_limit is None


@for_each_case(
    "file, text, constant, figure",
    [
        ("2026-11-28-176b8ee1-speed.txt", "digest, 1,198 entries a second          1251.8 ms", INGEST_SECONDS, 1.2518 / 1500),
        ("2026-11-28-176b8ee1-speed.txt", "engine, papers as printed               1411.5 ms", QUERY_SECONDS, (1.4115 + 2.1654) / 1e5),
        ("2026-11-28-176b8ee1-fanout.txt", "composing, 79% of it                   10715.0 ms", COMPOSE_SECONDS, 10.715 / 19_209),
        ("2026-11-28-159900e8-day.txt", "111,768 digests, 1,994 µs each", DELIVER_SECONDS, 0.001994 - COMPOSE_SECONDS),
    ],
)  # fmt: skip
def test_the_constants_are_those_of_our_benchmarks(
    file: str, text: str, constant: float, figure: float
) -> None:
    assert text in (MEASURED / file).read_text("utf-8")
    assert constant == pytest.approx(figure, rel=0.02)
