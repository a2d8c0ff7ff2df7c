"""Backfill: fetch past days, whatever their state in the ledger is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta

from digest.core.fetching.request_planning import find_unreachable_span, plan_backfill
from digest.core.times.schedule import get_last_due_day
from digest.errors import ConfigError
from digest.jobs.cycle import CycleSteps, PullStarted
from digest.jobs.fetching.ledger import update_ledger
from digest.jobs.fetching.pull import PullProgress
from digest.model import Ask
from digest.ports import Source
from digest.store.database.engine import Store
from digest.store.fetching import ledger as rows


def list_past_asks(
    store: Store,
    sources: Mapping[str, Source],
    source_name: str,
    *,
    section_names: Sequence[str],
    first: date,
    last: date,
    now: datetime,
) -> tuple[Ask, ...]:
    """Plan the requests for past days of a source.

    Args:
        store: the store.
        sources: the configured sources, by name.
        source_name: the name of the source.
        section_names: names of some of its sections; empty for all.
        first: the first day.
        last: the last day.
        now: the current time, UTC.

    Raises:
        ConfigError: there is no such source or section, or no route has any of these days.
    """
    source = sources.get(source_name)
    if source is None:
        raise ConfigError(
            f"there is no source {source_name!r} in the configuration; sources: {', '.join(sources) or 'none'}"
        )
    for section in section_names:
        if section not in source.sections:
            raise ConfigError(
                f"{source_name} has no section {section!r}; it has {', '.join(source.sections)}"
            )
    with store.begin_write() as tx:
        update_ledger(tx, sources, now)
        sections = [
            rows.load_section(tx, source_name, section) for section in section_names or source.sections
        ]
    asks = tuple(
        ask
        for section in sections
        for ask in plan_backfill(
            section, source.calendar, source.fetch_routes, first_day=first, last_day=last, now=now
        )
    )
    if not asks:
        raise ConfigError(_explain_no_asks(source, first, last, now))
    return asks


def describe_unreachable(source: Source, first: date, last: date, now: datetime) -> str:
    """Describe in a sentence which past days no route can fetch; "" if all are available."""
    unreachable = find_unreachable_span(
        source.calendar, source.fetch_routes, first_day=first, last_day=last, now=now
    )
    if unreachable is None:
        return ""
    return (
        f"no route of {source.title} ({', '.join(route.name for route in source.fetch_routes)}) reaches back to "
        f"{unreachable[0]} … {unreachable[1]}: these days are left out"
    )


def _explain_no_asks(source: Source, first: date, last: date, now: datetime) -> str:
    """Explain why nothing can be fetched for these days, and what to do."""
    calendar = source.calendar
    if last < first:
        return f"the last day, {last}, is before the first one, {first}; use the earlier one with --from"
    if calendar is None:
        return f"{source.title} has no announcement days, so past days cannot be fetched; `digest pull` fetches what it shows now"
    if (latest := get_last_due_day(calendar, now)) < first:
        return f"{source.title} has announced nothing since {latest}; use an earlier day with --from"
    days = [first + timedelta(days=offset) for offset in range(min((last - first).days, 6) + 1)]
    if all(day.weekday() not in calendar.weekdays for day in days):
        return (
            f"{source.title} has no announcement day from {first} to {last}: give --from and --until others"
        )
    return (
        f"no route of {source.title} ({', '.join(route.name for route in source.fetch_routes)}) reaches back to {last}: "
        "add one that does to its `routes` in the configuration"
    )


def run_backfill(steps: CycleSteps, asks: tuple[Ask, ...]) -> Iterator[PullStarted | PullProgress]:
    """Fetch past days, and yield events as they happen."""
    yield PullStarted(asks=asks)
    yield from steps.pull(asks)
