"""Prune what grows by the day: what was told and sent by age, numbers about papers daily, then weekly, then monthly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from digest.core.times.thinning import DAILY, spans_to_thin
from digest.store.database import clock
from digest.store.database.dialect import free_bytes
from digest.store.database.engine import Store, Transaction
from digest.store.fetching import ledger
from digest.store.operations import notices, pruning
from digest.store.operations.pruning import Removed
from digest.store.papers import signals

_PRUNED = "signals_pruned_on"
_TIDIED = "tidied_before"
_DAYS = 5
"""Announcement days of a section whose listings are removed by one transaction."""
_MOST_STEPS = 100
"""Transactions of a cycle: what there is beyond that, the next cycle removes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TidyStep:
    """A part of the work that is done, each in a transaction of its own.

    Attributes:
        done: how much of it, so far.
        total: how much it is.
        removed: in this step.
    """

    done: int
    total: int
    removed: tuple[Removed, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tidied:
    """What was removed altogether.

    Attributes:
        removed: by table.
        size: the bytes that new rows take first.
    """

    removed: tuple[Removed, ...]
    size: int


def tidy(
    store: Store, keep: timedelta, now: datetime, *, since: datetime | None = None
) -> Iterator[TidyStep]:
    """Remove what is older than the store is to keep and that nothing needs; it may be stopped anywhere.

    Args:
        store: what is tidied.
        keep: how long.
        now: the time.
        since: what is older than this was looked at before; None to look at all.
    """
    before = _oldest_kept(store, keep, now)
    day = before.astimezone(UTC).date()
    with store.reading() as tx:
        runs = pruning.old_runs(tx, before, since)
        days = pruning.old_batches(tx, day, since.astimezone(UTC).date() if since else None)
    total = len(runs) + len(days)
    for done, run in enumerate(runs):
        while True:
            with store.writing() as tx:
                removed = pruning.remove_of_run(tx, run, before)
            yield TidyStep(done=done + (not removed), total=total, removed=removed)
            if not removed:
                break
    for first in range(0, len(days), _DAYS):
        some = days[first : first + _DAYS]
        with store.keeping() as tx:
            removed = pruning.remove_listings(tx, some, day)
        yield TidyStep(done=len(runs) + first + len(some), total=total, removed=removed)


def tidy_daily(store: Store, keep: timedelta | None, now: datetime) -> None:
    """Prune what has grown old since yesterday; of much that has, a part, and the rest when this is called again.

    Args:
        store: what is tidied.
        keep: how long editions and listings are kept; None for ever.
        now: the time.
    """
    prune_signals(store, now)
    if keep is None:
        return
    with store.reading() as tx:
        noted = clock.note(tx, _TIDIED)
    since = datetime.fromisoformat(noted) if noted else None
    before = _oldest_kept(store, keep, now)
    if since is not None and since > before - timedelta(days=1):
        return
    for steps, _ in enumerate(tidy(store, keep, now, since=since), start=1):
        if steps == _MOST_STEPS:
            return
    with store.writing() as tx:
        notices.forget_old(tx, now)
        clock.set_note(tx, _TIDIED, before.astimezone(UTC).isoformat())


def tidy_all(store: Store, keep: timedelta | None, now: datetime) -> Iterator[TidyStep | Tidied]:
    """Prune all that is old, and say at the end what that was.

    Args:
        store: what is tidied.
        keep: how long editions and listings are kept; None for ever.
        now: the time.
    """
    with store.reading() as tx:
        free = free_bytes(tx)
    found = [Removed(table="signals", rows=prune_signals(store, now))]
    with store.writing() as tx:
        found.append(Removed(table="notices", rows=notices.forget_old(tx, now)))
    for step in tidy(store, keep, now) if keep is not None else ():
        found += step.removed
        yield step
    with store.reading() as tx:
        free = max(free_bytes(tx) - free, 0)
    removed = tuple(one for one in pruning.summed(found) if one.rows)
    yield Tidied(removed=removed, size=free + sum(one.size for one in removed))


def count_old(store: Store, keep: timedelta | None, now: datetime) -> tuple[Removed, ...]:
    """How many rows ``tidy`` would remove, by table; numbers about papers and notices are not counted."""
    if keep is None:
        return ()
    before = _oldest_kept(store, keep, now)
    with store.reading() as tx:
        return tuple(one for one in pruning.count_old(tx, before) if one.rows)


def _last_certain_day(tx: Transaction, now: datetime) -> date:
    """Today, or the last day of which a source has told: what a clock that is ahead removes comes back by nothing."""
    today = now.astimezone(UTC).date()
    return min(today, ledger.last_announced(tx) or today)


def _oldest_kept(store: Store, keep: timedelta, now: datetime) -> datetime:
    """What is older than this goes; counted from now, or from the last day of which a source has told."""
    with store.reading() as tx:
        last = _last_certain_day(tx, now)
    return min(now, datetime.combine(last + timedelta(days=1), time.min, UTC)) - keep


def prune_signals(store: Store, now: datetime) -> int:
    """Thin out numbers that have grown old, once a day; each week and month in a transaction of its own.

    Returns:
        How many went.
    """
    today = now.astimezone(UTC).date()
    with store.reading() as tx:
        written = clock.note(tx, _PRUNED)
        oldest = signals.first_day(tx)
        today = min(today, _last_certain_day(tx, now))
    if oldest is None or written >= today.isoformat():
        return 0
    # Before the oldest there is nothing to do, however long ago this was done.
    since = max(oldest + DAILY, date.fromisoformat(written or str(oldest)))
    gone = 0
    for first, last in spans_to_thin(since, today):
        with store.writing() as tx:
            gone += signals.thin(tx, first, last)
    with store.writing() as tx:
        clock.set_note(tx, _PRUNED, today.isoformat())
    return gone
