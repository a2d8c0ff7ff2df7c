"""Prune what grows by the day: numbers about papers and persons are kept daily, then weekly, then monthly."""

from __future__ import annotations

from datetime import UTC, date, datetime

from digest.core.times.thinning import DAILY, spans_to_thin
from digest.store import clock, signals
from digest.store.engine import Store

_PRUNED = "signals_pruned_on"


def prune_signals(store: Store, now: datetime) -> None:
    """Thin out numbers that have grown old, once a day; each week and month in a transaction of its own."""
    today = now.astimezone(UTC).date()
    with store.reading() as tx:
        written = clock.note(tx, _PRUNED)
        oldest = signals.first_day(tx)
    if oldest is None or written >= today.isoformat():
        return
    # Before the oldest there is nothing to do, however long ago this was done.
    since = max(oldest + DAILY, date.fromisoformat(written or str(oldest)))
    for first, last in spans_to_thin(since, today):
        with store.writing() as tx:
            signals.thin(tx, first, last)
    with store.writing() as tx:
        clock.set_note(tx, _PRUNED, today.isoformat())
