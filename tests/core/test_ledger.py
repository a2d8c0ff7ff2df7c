from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from digest.core.ledger import after_answer, days_to_account_for, ready, settle, waits_for, wanted
from digest.model import Batch, BatchState, Calendar, Run, RunState, Section

ARXIV = Calendar(zone="America/New_York", weekdays=frozenset(range(5)))
DAY = date(2026, 6, 12)
DUE = datetime(2026, 6, 12, 4, tzinfo=UTC)
OVER = datetime(2026, 6, 13, 4, tzinfo=UTC)
BATCH = Batch(id=1, source="arxiv", section="cs.DC", day=DAY, state=BatchState.WAITING, due_at=DUE)
SECTION = Section(source="arxiv", name="cs.DC", since=DAY)
RUN = Run(
    id=1,
    slot=1,
    period="2026-06-12T07:30",
    state=RunState.OPEN,
    fire_at=DUE + timedelta(hours=1),
    made_at=DUE + timedelta(hours=1),
)
HERE = frozenset({1})


def is_ready(run: Run, batch: Batch, now: datetime, *, all_fail: bool = False) -> bool:
    return ready(run, [batch], now, reachable_ids=HERE, all_fail=all_fail)


def test_a_day_that_was_never_asked_for_has_failed_when_no_route_can_bring_it() -> None:
    assert settle(BATCH, ARXIV, OVER - timedelta(seconds=1)) is BatchState.WAITING
    assert settle(BATCH, ARXIV, OVER) is BatchState.FAILED


def test_a_day_without_listings_is_empty_when_it_is_over_and_not_before() -> None:
    answered = after_answer(BATCH, received=0, over_full=False, now=DUE + timedelta(hours=2))

    assert answered.state is BatchState.WAITING
    assert settle(answered, ARXIV, OVER - timedelta(seconds=1)) is BatchState.WAITING
    assert settle(answered, ARXIV, OVER) is BatchState.EMPTY


def test_one_whole_answer_completes_a_day_and_a_cut_one_does_not() -> None:
    whole = after_answer(BATCH, received=96, over_full=False, now=DUE)
    cut = after_answer(BATCH, received=2000, over_full=True, now=DUE)

    assert (whole.state, whole.error) == (BatchState.COMPLETE, "")
    assert cut.state is BatchState.PARTIAL
    assert "may be missing" in cut.error


def test_no_state_is_final_when_listings_come_late() -> None:
    failed = replace(BATCH, state=BatchState.FAILED)

    assert after_answer(failed, received=3, over_full=False, now=OVER).state is BatchState.COMPLETE


def test_a_section_is_asked_while_a_day_that_can_be_had_waits() -> None:
    asked = replace(SECTION, asked_at=DUE)
    complete = replace(BATCH, state=BatchState.COMPLETE)

    assert wanted(asked, [BATCH], ARXIV, DUE)
    assert not wanted(asked, [complete], ARXIV, DUE)
    assert not wanted(asked, [BATCH], ARXIV, OVER)
    assert not wanted(replace(asked, next_at=DUE + timedelta(minutes=5)), [BATCH], ARXIV, DUE)


def test_a_section_is_asked_at_the_very_first_even_on_a_weekend() -> None:
    assert wanted(SECTION, [], ARXIV, OVER)


def test_the_account_begins_with_the_sections_first_day_and_leaves_out_weekends() -> None:
    days = days_to_account_for(ARXIV, DAY, datetime(2026, 6, 16, 12, tzinfo=UTC))

    assert [day.day for day in days] == [12, 15, 16]


def test_a_run_waits_for_an_attempt_after_it_was_made() -> None:
    before = replace(BATCH, asked_at=RUN.made_at - timedelta(minutes=1))
    after = replace(BATCH, asked_at=RUN.made_at)

    assert not is_ready(RUN, BATCH, RUN.made_at)
    assert not is_ready(RUN, before, RUN.made_at)
    assert is_ready(RUN, after, RUN.made_at)


def test_with_latest_a_run_waits_for_the_papers_until_then() -> None:
    run = replace(RUN, latest_at=RUN.made_at + timedelta(hours=2))
    tried = replace(BATCH, asked_at=run.made_at)

    assert not is_ready(run, tried, run.made_at + timedelta(hours=1))
    assert (tried,) == waits_for(run, [tried], reachable_ids=HERE)
    assert is_ready(run, tried, run.made_at + timedelta(hours=2))
    assert is_ready(run, replace(tried, state=BatchState.COMPLETE), run.made_at)


def test_what_no_route_can_bring_holds_nothing_back() -> None:
    run = replace(RUN, latest_at=RUN.made_at + timedelta(hours=2))

    assert ready(run, [BATCH], run.made_at, reachable_ids=frozenset(), all_fail=False)


def test_while_every_source_fails_nothing_closes_for_three_hours_after_latest() -> None:
    tried = replace(BATCH, asked_at=RUN.made_at)
    run = replace(RUN, latest_at=RUN.made_at + timedelta(hours=2))

    assert not is_ready(RUN, tried, RUN.made_at + timedelta(hours=2), all_fail=True)
    assert is_ready(RUN, tried, RUN.made_at + timedelta(hours=3), all_fail=True)
    assert not is_ready(run, tried, run.made_at + timedelta(hours=4), all_fail=True)
    assert is_ready(run, tried, run.made_at + timedelta(hours=5), all_fail=True)
