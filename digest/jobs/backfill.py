"""Backfill: ask for past days, whatever the ledger knows of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime

from digest.core import ledger
from digest.errors import ConfigError
from digest.jobs.cycle import Asking, Steps
from digest.jobs.ledger import account
from digest.jobs.pull import Pulled
from digest.model import Ask
from digest.ports import Source
from digest.store import ledger as rows
from digest.store.engine import Store


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
        raise ConfigError(
            f"no route of {source.title} ({', '.join(way.name for way in source.ways)}) can bring a day "
            f"from {first} to {last}: they are no announcement days, or too long ago for these routes"
        )
    return asks


def backfilling(steps: Steps, asks: tuple[Ask, ...]) -> Iterator[Asking | Pulled]:
    """Ask for past days, told as it happens."""
    yield Asking(asks=asks)
    yield from steps.pull(asks)
