"""Backfill: ask for past days, whatever the ledger knows of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta

from digest.core.fetching import ledger
from digest.core.times.schedule import last_day_due
from digest.errors import ConfigError
from digest.jobs.cycle import Asking, Steps
from digest.jobs.fetching.ledger import account
from digest.jobs.fetching.pull import Pulled
from digest.model import Ask
from digest.ports import Source
from digest.store.database.engine import Store
from digest.store.fetching import ledger as rows


def past_asks(
    store: Store,
    sources: Mapping[str, Source],
    name: str,
    *,
    only: Sequence[str],
    first: date,
    last: date,
    now: datetime,
) -> tuple[Ask, ...]:
    """What to ask for the past days of a source.

    Args:
        store: whose sections.
        sources: those of the configuration, by name.
        name: the source's.
        only: these of its sections; none for all.
        first: the first day.
        last: the last one.
        now: the time.

    Raises:
        ConfigError: there is no such source or section, or it cannot bring these days.
    """
    source = sources.get(name)
    if source is None:
        raise ConfigError(
            f"there is no source {name!r} in the configuration; there is {', '.join(sources) or 'none'}"
        )
    for section in only:
        if section not in source.sections:
            raise ConfigError(f"{name} has no section {section!r}; it has {', '.join(source.sections)}")
    with store.writing() as tx:
        account(tx, sources, now)
        sections = [rows.section(tx, name, section) for section in only or source.sections]
    asks = tuple(
        ask
        for section in sections
        for ask in ledger.backfill(section, source.calendar, source.ways, first=first, last=last, now=now)
    )
    if not asks:
        raise ConfigError(_why_not(source, first, last, now))
    return asks


def left_out(source: Source, first: date, last: date, now: datetime) -> str:
    """What of some past days no route brings, in a sentence; "" if all can be had."""
    gone = ledger.out_of_reach(source.calendar, source.ways, first=first, last=last, now=now)
    if gone is None:
        return ""
    return (
        f"no route of {source.title} ({', '.join(way.name for way in source.ways)}) reaches back to "
        f"{gone[0]} … {gone[1]}: these days are left out"
    )


def _why_not(source: Source, first: date, last: date, now: datetime) -> str:
    """Why nothing can be asked for these days, and what to do."""
    calendar = source.calendar
    if last < first:
        return f"the last day, {last}, is before the first one, {first}: give the earlier one to --from"
    if calendar is None:
        return f"{source.title} has no announcement days to ask for; `digest pull` asks for what it shows now"
    if (latest := last_day_due(calendar, now)) < first:
        return f"{source.title} has announced nothing since {latest} yet: give a day up to then to --from"
    days = [first + timedelta(days=n) for n in range(min((last - first).days, 6) + 1)]
    if all(day.weekday() not in calendar.weekdays for day in days):
        return (
            f"{source.title} has no announcement day from {first} to {last}: give --from and --until others"
        )
    return (
        f"no route of {source.title} ({', '.join(way.name for way in source.ways)}) reaches back to {last}: "
        "add one that does to its `routes` in the configuration"
    )


def backfilling(steps: Steps, asks: tuple[Ask, ...]) -> Iterator[Asking | Pulled]:
    """Ask for past days, told as it happens."""
    yield Asking(asks=asks)
    yield from steps.pull(asks)
