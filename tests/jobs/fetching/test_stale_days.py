"""Whether the days before one are known, in sections that had no papers for long."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from digest.core.times.schedule import get_next_day
from digest.jobs.fetching.stale_days import is_preceding_known
from digest.model import BatchState
from digest.sources.arxiv import Source
from digest.store.database.engine import Store
from digest.store.fetching import ledger
from tests.store.factories import record_statements

SOURCE = Source(categories=("cs.OS",))
CALENDAR = SOURCE.calendar
BEGIN = date(2025, 6, 12)


def days_since_begin(count: int) -> list[date]:
    assert CALENDAR is not None
    days = [BEGIN]
    while len(days) < count:
        days.append(get_next_day(CALENDAR, days[-1]))
    return days


def test_a_year_without_papers_costs_a_day_no_more_than_two_months(store: Store) -> None:
    days = days_since_begin(261)
    with store.begin_write() as tx:
        ledger.declare_sections(tx, SOURCE.name, ["cs.OS"], BEGIN)
        ledger.make_batches(tx, SOURCE.name, "cs.OS", [(day, _noon(day)) for day in days])
        for day in days[:-1]:
            batch = ledger.load_batch(tx, SOURCE.name, "cs.OS", day)
            over = _noon(day) + timedelta(days=2)
            ledger.save_batch(tx, replace(batch, state=BatchState.EMPTY, answered_at=over))

    def cost(day: date) -> int:
        with store.begin_read() as tx, record_statements(store) as requests:
            assert is_preceding_known(tx, SOURCE, ledger.load_batch(tx, SOURCE.name, "cs.OS", day))
        return len(requests)

    assert cost(days[260]) == cost(days[40])


def _noon(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
