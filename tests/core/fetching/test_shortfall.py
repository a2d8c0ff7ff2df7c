from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from digest.core.fetching.shortfall import USUAL_SIZE_DAYS, compute_usual_size, select_noticeable
from digest.failures import FailureKind
from digest.model import Batch, BatchState
from tests.support.cases import for_each_case

DAY = date(2026, 6, 12)
DUE = datetime(2026, 6, 12, 4, tzinfo=UTC)
WAITING, PARTIAL, COMPLETE = BatchState.WAITING, BatchState.PARTIAL, BatchState.COMPLETE
LARGE = Batch(
    id=1, source="arxiv", section="cs.LG", day=DAY, state=COMPLETE, due_at=DUE, received=200, usual=210
)


def small(state: BatchState = WAITING, **fields: Any) -> Batch:
    return replace(LARGE, id=2, section="cs.OS", state=state, **{"received": 0, "usual": 1} | fields)


def quiet(**fields: Any) -> Batch:
    """A section of which nothing had come when it was asked."""
    return small(asked_at=DUE, answered_at=DUE, **fields)


def sections(*batches: Batch) -> list[str]:
    return [batch.section for batch in select_noticeable(batches)]


@for_each_case(
    ("received", "usual"),
    [
        ([], None),
        ([7], 7),
        ([0, 0, 1], 0),
        ([0, 1, 2, 3], 1),
        # Four weeks with a holiday.
        ([200, 0, 190, 210], 190),
        ([1] * USUAL_SIZE_DAYS + [900] * 100, 1),
    ],
)
def test_the_usual_size_is_the_median_of_the_last_days(received: list[int], usual: int | None) -> None:
    assert compute_usual_size(received) == usual


@for_each_case(
    ("received", "size"),
    [
        ([], None),
        # Twenty papers each Friday, and none on the other days.
        ([20, 0, 0, 0, 0] * 4, 4),
        # One a week.
        ([1, 0, 0, 0, 0] * 4, 0),
        ([200, 0, 190, 210], 190),
        ([1] * USUAL_SIZE_DAYS + [900] * 100, 1),
    ],
)
def test_a_lost_day_counts_by_the_mean_where_that_is_more_than_the_median(
    received: list[int], size: int | None
) -> None:
    assert compute_usual_size(received, has_failed=True) == size


@for_each_case(
    ("fields", "is_noticed"),
    [
        # All of it may be the day before under a new date.
        ({"failure": FailureKind.UNCHECKED}, True),
        ({"failure": FailureKind.UNCHECKED, "expected": 200}, True),
        # It was cut at its route's limit.
        ({"failure": FailureKind.INCOMPLETE}, True),
        ({"failure": FailureKind.INCOMPLETE, "expected": 205}, False),
        ({"failure": FailureKind.INCOMPLETE, "expected": 400}, True),
        ({}, False),
    ],
)
def test_what_nobody_knows_the_size_of_is_noticed_however_much_has_come(
    fields: dict[str, Any], *, is_noticed: bool
) -> None:
    partial = replace(LARGE, state=PARTIAL, received=200, usual=180, **fields)

    assert sections(partial) == (["cs.LG"] if is_noticed else [])


@for_each_case(
    ("batch", "is_noticed"),
    [
        # It answered that it has nothing, as it often does.
        (quiet(usual=0), False),
        (quiet(usual=2), False),
        (quiet(usual=3), True),
        (quiet(usual=None), False),
        # It was not reached: a whole section that usually has papers is missing.
        (small(usual=1), True),
        (small(usual=0), False),
        (small(usual=None), True),
        (quiet(usual=1, failure=FailureKind.UNREACHED), True),
        (small(BatchState.FAILED, usual=1), True),
        (small(BatchState.FAILED, usual=0), False),
        # A part of it came.
        (small(PARTIAL, received=1, usual=30), True),
        (small(PARTIAL, received=20, usual=30), False),
        (small(PARTIAL, received=20, expected=30, usual=None), False),
        (small(PARTIAL, received=20, usual=None), True),
        (small(PARTIAL, received=0, expected=1, usual=5), True),
        (small(BatchState.EMPTY), False),
        (small(COMPLETE, received=1), False),
    ],
)
def test_a_small_section_beside_a_large_one_is_noticed_where_it_usually_has_papers(
    batch: Batch, *, is_noticed: bool
) -> None:
    assert sections(LARGE, batch) == (["cs.OS"] if is_noticed else [])


def test_a_tenth_of_a_day_is_noticed() -> None:
    partial = replace(LARGE, state=PARTIAL, usual=None)

    assert sections(replace(partial, received=91, expected=100)) == []
    assert sections(replace(partial, received=90, expected=100)) == ["cs.LG"]


def test_many_small_gaps_are_together_as_noticeable_as_one() -> None:
    gaps = [
        replace(LARGE, id=number, section=f"cs.{number}", state=PARTIAL, received=18, expected=20, usual=20)
        for number in range(3)
    ]

    assert len(sections(*gaps)) == 3
    assert sections(LARGE, *gaps) == []


def test_sections_that_are_all_quiet_are_noticed_where_nobody_knows_their_sizes() -> None:
    assert sections(quiet(usual=None)) == ["cs.OS"]


def test_small_sections_that_are_all_quiet_are_noticed_together() -> None:
    batches = [replace(quiet(usual=2), id=number, section=f"cs.{number}") for number in range(3)]

    assert len(sections(*batches)) == 3
    assert sections(*batches, LARGE) == []
    assert sections(batches[0]) == []


def test_days_and_sources_are_judged_by_themselves() -> None:
    other = replace(LARGE, source="hf", section="daily", state=WAITING, received=0, usual=None)

    assert sections(LARGE, quiet(), other) == ["daily"]


BATCHES = st.lists(
    st.builds(
        Batch,
        id=st.integers(1, 9),
        source=st.sampled_from(["arxiv", "hf"]),
        section=st.sampled_from(["cs.LG", "cs.OS", "cs.CL"]),
        day=st.just(DAY),
        state=st.sampled_from(BatchState),
        due_at=st.just(DUE),
        received=st.integers(0, 300),
        expected=st.none() | st.integers(0, 300),
        asked_at=st.just(DUE),
        answered_at=st.none() | st.just(DUE),
        failure=st.sampled_from([None, FailureKind.UNREACHED]),
        fills=st.booleans(),
        usual=st.none() | st.integers(0, 300),
    ),
    max_size=6,
    unique_by=lambda batch: (batch.source, batch.section),
)


@given(BATCHES)
def test_what_is_noticed_is_missing_and_at_least_a_tenth_of_the_known_sizes_always_is(
    batches: list[Batch],
) -> None:
    noticed = select_noticeable(batches)

    assert all(batch.state not in {COMPLETE, BatchState.EMPTY} and not batch.is_filling for batch in noticed)
    assert list(noticed) == [batch for batch in batches if batch in noticed]
    for source in {batch.source for batch in batches}:
        left = [batch for batch in batches if batch.source == source and batch not in noticed]
        lacks = sum(
            max(batch.expected - batch.received, 0)
            for batch in left
            if batch.state is PARTIAL
            and not batch.is_filling
            and batch.expected is not None
            and batch.received
        )
        size = sum(max(b.usual or 0, b.expected or 0, b.received) for b in batches if b.source == source)
        assert not lacks or lacks * 10 < size
