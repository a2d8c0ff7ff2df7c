"""Bring the ledger up to the time: the rows of days that are due, and the state of those that are over."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from digest.core import ledger
from digest.core.schedule import due_at
from digest.model import Batch
from digest.ports import Source
from digest.store import ledger as rows
from digest.store.engine import Transaction


def account(tx: Transaction, sources: Mapping[str, Source], now: datetime) -> None:
    """Make what is due by now visible, asked or not, and settle what is over.

    Args:
        tx: a writing transaction.
        sources: those of the configuration, by name.
        now: the time.
    """
    for name, source in sources.items():
        rows.declare_sections(tx, name, source.sections, ledger.first_day(source.calendar, now))
    for section in rows.active_sections(tx):
        if section.source not in sources:
            continue
        calendar = sources[section.source].calendar
        last = rows.last_day(tx, section.source, section.name)
        # Rows are made in order, so only days from the last one on can lack theirs.
        since = max(section.since, last) if last else section.since
        days = ledger.days_to_account_for(calendar, since, now)
        rows.make_batches(tx, section.source, section.name, ((day, due_at(calendar, day)) for day in days))
    for batch in rows.waiting_batches(tx):
        if batch.source in sources:
            state = ledger.settle(batch, sources[batch.source].calendar, now)
            if state is not batch.state:
                rows.settle(tx, batch, state)


def reachable(batches: tuple[Batch, ...], sources: Mapping[str, Source], now: datetime) -> frozenset[int]:
    """The ids of the batches that some route can still bring."""
    return frozenset(
        batch.id
        for batch in batches
        if batch.source in sources and ledger.reachable(batch, sources[batch.source].calendar, now)
    )


def all_fail(tx: Transaction) -> bool:
    """Whether the last attempt at every section failed: then it is probably our network."""
    asked = [section for section in rows.active_sections(tx) if section.asked_at is not None]
    return bool(asked) and all(section.errors for section in asked)
