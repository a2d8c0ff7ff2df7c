"""Prune data: editions, listings and matches by age, and numbers about papers from daily to weekly to monthly values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple

from digest.core.subscribers.sessions import CLOCK_TOLERANCE
from digest.core.subscribers.signup_rules import KEPT_FOR
from digest.core.times.thinning import DAILY_PERIOD, iter_spans_to_thin
from digest.store.database import clock
from digest.store.database.engine import Store, Transaction
from digest.store.database.sizes import count_free_bytes
from digest.store.fetching import ledger
from digest.store.operations import audit, notices
from digest.store.operations.pruning import old_listings, old_matches, old_runs
from digest.store.operations.pruning.removed_rows import RemovedRows, sum_removed
from digest.store.papers import signals
from digest.store.subscribers.accounts import sessions, signups
from digest.store.subscribers.pauses import MAX_CATCH_UP
from digest.store.subscribers.tokens import api_tokens

_SIGNALS_NOTE = "signals_pruned_on"
_MATCHES_NOTE = "matches_pruned_on"
_TIDIED_NOTE = "tidied_before"
_STOPPED_NOTE = "tidying_stopped_at"
_DAYS_PER_TRANSACTION = 5
"""Number of batches whose listings are removed in one transaction."""
_MAX_STEPS = 100
"""Maximum number of transactions in a cycle; the next cycle removes the rest."""
_MAX_MATCH_STEPS = 20
"""The same for matches, whose steps take a second or more where there are many."""


class RunPosition(NamedTuple):
    """How far a run is examined.

    Attributes:
        run: the number of the run.
        last_digest: the highest number of a digest whose edition was examined; 0 at the beginning.
    """

    run: int
    last_digest: int

    @classmethod
    def from_note(cls, text: str) -> RunPosition | None:
        """Read a note; "" if no run is examined in part."""
        return cls(*map(int, text.split())) if text else None

    def to_note(self) -> str:
        """Write a note."""
        return f"{self.run} {self.last_digest}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PruneStep:
    """A step of pruning, which is one transaction.

    Attributes:
        finished_count: the number of runs and batches that are done.
        total: the number of runs and batches to prune.
        removed: the rows removed in this step.
        position: how far the run is examined; None if all of it is, or for batches.
    """

    finished_count: int
    total: int
    removed: tuple[RemovedRows, ...]
    position: RunPosition | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PruneResult:
    """All that was removed.

    Attributes:
        removed: the removed rows, by table.
        size: the freed bytes, which new rows fill first.
    """

    removed: tuple[RemovedRows, ...]
    size: int


def prune_old(
    store: Store,
    keep: timedelta,
    now: datetime,
    *,
    since: datetime | None = None,
    position: RunPosition | None = None,
) -> Iterator[PruneStep]:
    """Remove what is older than the store is to keep and no longer needed; it may be interrupted anywhere.

    Args:
        store: the store.
        keep: the period to keep.
        now: the current time, UTC.
        since: skip what is older than this, because an earlier run processed it; None to process everything.
        position: continue here in this run, whose earlier editions were examined before; None to begin at its first one.
    """
    cutoff = _compute_cutoff(store, keep, now)
    with store.begin_read() as tx:
        runs = old_runs.list_old_runs(tx, cutoff, since)
        days = old_listings.list_old_batches(tx, _to_day(cutoff), _to_day(since) if since else None)
    total = len(runs) + len(days)
    for finished_count, run in enumerate(runs):
        first_position = position if position and position.run == run else RunPosition(run, 0)
        for removed, next_position in _prune_run(store, cutoff, first_position):
            yield PruneStep(
                finished_count=finished_count + (next_position is None),
                total=total,
                removed=removed,
                position=next_position,
            )
    for start in range(0, len(days), _DAYS_PER_TRANSACTION):
        day_chunk = days[start : start + _DAYS_PER_TRANSACTION]
        with store.begin_ingest() as tx:
            removed_listings = old_listings.remove_listings(tx, day_chunk, _to_day(cutoff))
        yield PruneStep(
            finished_count=len(runs) + start + len(day_chunk),
            total=total,
            removed=(removed_listings,) if removed_listings.rows else (),
        )


def _prune_run(
    store: Store, before: datetime, position: RunPosition | None
) -> Iterator[tuple[tuple[RemovedRows, ...], RunPosition | None]]:
    """Remove what is not needed of a run behind a position; yield what each step removed, and the position after it."""
    while position is not None:
        with store.begin_write() as tx:
            step = old_runs.remove_part_of_run(tx, position.run, before, position.last_digest)
        position = None if step.last_digest is None else position._replace(last_digest=step.last_digest)
        yield step.removed, position


def prune_daily(store: Store, keep: timedelta | None, now: datetime) -> None:
    """Prune what has become too old since yesterday, in a limited number of steps; the next call continues.

    Args:
        store: the store.
        keep: the period to keep editions and listings; None to keep them all.
        now: the current time, UTC.
    """
    prune_signals(store, now)
    prune_matches(store, now, _MAX_MATCH_STEPS)
    prune_signups(store, now)
    prune_sessions(store, now)
    prune_tokens(store, now)
    prune_audit_log(store, now)
    store.forget_deleted()  # what readers deleted while another transaction was reading
    if keep is None:
        return
    with store.begin_read() as tx:
        stored_cutoff = clock.read_note(tx, _TIDIED_NOTE)
        position = RunPosition.from_note(clock.read_note(tx, _STOPPED_NOTE))
    since = datetime.fromisoformat(stored_cutoff) if stored_cutoff else None
    cutoff = _compute_cutoff(store, keep, now)
    if since is not None and since > cutoff - timedelta(days=1):
        return
    steps = prune_old(store, keep, now, since=since, position=position)
    for step_count, step in enumerate(steps, start=1):
        if step_count == _MAX_STEPS:
            with store.begin_write() as tx:
                clock.set_note(tx, _STOPPED_NOTE, step.position.to_note() if step.position else "")
            return
    with store.begin_write() as tx:
        notices.forget_old(tx, now)
        if position:
            clock.set_note(tx, _STOPPED_NOTE, "")
        clock.set_note(tx, _TIDIED_NOTE, cutoff.astimezone(UTC).isoformat())


def prune_all(store: Store, keep: timedelta | None, now: datetime) -> Iterator[PruneStep | PruneResult]:
    """Prune everything that is too old, and finally yield what was removed.

    Args:
        store: the store.
        keep: the period to keep editions and listings; None to keep them all.
        now: the current time, UTC.
    """
    with store.begin_read() as tx:
        free_before = count_free_bytes(tx)
    removed_rows = [RemovedRows(table="signals", rows=prune_signals(store, now)), prune_matches(store, now)]
    with store.begin_write() as tx:
        removed_rows.append(RemovedRows(table="notices", rows=notices.forget_old(tx, now)))
    for step in prune_old(store, keep, now) if keep is not None else ():
        removed_rows += step.removed
        yield step
    with store.begin_read() as tx:
        free_before = max(count_free_bytes(tx) - free_before, 0)
    removed = tuple(removed_row for removed_row in sum_removed(removed_rows) if removed_row.rows)
    yield PruneResult(removed=removed, size=free_before + sum(removed_row.size for removed_row in removed))


def prune_signups(store: Store, now: datetime) -> None:
    """Forget whom a link was sent to who has not confirmed, and links that were used, when their time is over."""
    with store.begin_read() as tx:
        has_old = signups.has_old(tx, KEPT_FOR, now)
    if has_old:
        with store.begin_write() as tx:
            signups.forget_old(tx, KEPT_FOR, now)


def prune_sessions(store: Store, now: datetime) -> None:
    """Forget the sessions that are over, and those that a wrong clock has begun in the future."""
    latest_start = now + CLOCK_TOLERANCE
    with store.begin_read() as tx:
        has_over = sessions.has_over(tx, latest_start, now)
    if has_over:
        with store.begin_write() as tx:
            sessions.forget_over(tx, latest_start, now)


def prune_tokens(store: Store, now: datetime) -> None:
    """Forget the API tokens that are over, and those that a wrong clock has made in the future."""
    latest_start = now + CLOCK_TOLERANCE
    with store.begin_read() as tx:
        has_over = api_tokens.has_over(tx, latest_start, now)
    if has_over:
        with store.begin_write() as tx:
            api_tokens.forget_over(tx, latest_start, now)


def prune_audit_log(store: Store, now: datetime) -> None:
    """Forget the entries of the audit log whose period is over."""
    with store.begin_read() as tx:
        has_old = audit.has_old(tx, now)
    if has_old:
        with store.begin_write() as tx:
            audit.forget_old(tx, now)


def count_old(store: Store, keep: timedelta | None, now: datetime) -> tuple[RemovedRows, ...]:
    """Count the rows that ``tidy`` would remove, by table, without numbers about papers and notices."""
    matches_day = _to_day(_compute_cutoff(store, MAX_CATCH_UP, now))
    cutoff = None if keep is None else _compute_cutoff(store, keep, now)
    with store.begin_read() as tx:
        counts = [old_matches.count_old_matches(tx, old_matches.find_first_needed(tx, matches_day))]
        if cutoff is not None:
            counts += old_runs.count_old_rows(tx, cutoff)
            counts.append(old_listings.count_old_listings(tx, _to_day(cutoff)))
    return tuple(count for count in counts if count.rows)


def _find_last_certain_day(tx: Transaction, now: datetime) -> date:
    """Return today, or the last announced day of any source if that is earlier, because the clock may be ahead."""
    today = _to_day(now)
    return min(today, ledger.find_last_announced_day(tx) or today)


def _compute_cutoff(store: Store, keep: timedelta, now: datetime) -> datetime:
    """Return the time before which data is pruned, counted from now or from the end of the last certain day."""
    with store.begin_read() as tx:
        last = _find_last_certain_day(tx, now)
    return min(now, datetime.combine(last + timedelta(days=1), time.min, UTC)) - keep


def _to_day(instant: datetime) -> date:
    return instant.astimezone(UTC).date()


def prune_matches(store: Store, now: datetime, max_steps: int | None = None) -> RemovedRows:
    """Remove the matches of events that are too old for any edition, once a day.

    Args:
        store: the store.
        now: the current time, UTC.
        max_steps: the number of transactions after which the rest is left to the next call; None for no limit.

    Returns:
        All that was removed.
    """
    today = _to_day(now).isoformat()
    with store.begin_read() as tx:
        if clock.read_note(tx, _MATCHES_NOTE) >= today:
            return RemovedRows(table="match_blocks", rows=0)
    removed = RemovedRows(table="match_blocks", rows=0)
    steps = _iter_removed_matches(store, _to_day(_compute_cutoff(store, MAX_CATCH_UP, now)))
    for step_count, step in enumerate(steps, start=1):
        (removed,) = sum_removed([removed, step])
        if step_count == max_steps:
            return removed
    with store.begin_write() as tx:
        clock.set_note(tx, _MATCHES_NOTE, today)
    return removed


def _iter_removed_matches(store: Store, day: date) -> Iterator[RemovedRows]:
    """Remove the matches of events before a day, and yield the rows of each step."""
    with store.begin_read() as tx:
        first_needed = old_matches.find_first_needed(tx, day)
        block = old_matches.find_next_block(tx, -1, first_needed)
    while block is not None:
        with store.begin_write() as tx:
            removed = old_matches.remove_matches(tx, block, first_needed)
        yield removed
        if removed.rows < old_matches.ROWS_PER_STEP:
            with store.begin_read() as tx:
                block = old_matches.find_next_block(tx, block, first_needed)


def prune_signals(store: Store, now: datetime) -> int:
    """Thin out old numbers about papers, once a day; each week and month is one transaction.

    Returns:
        The number of removed rows.
    """
    today = _to_day(now)
    with store.begin_read() as tx:
        stored_day = clock.read_note(tx, _SIGNALS_NOTE)
        oldest = signals.find_first_day(tx)
        today = min(today, _find_last_certain_day(tx, now))
    if oldest is None or stored_day >= today.isoformat():
        return 0
    # There is nothing to do before the oldest number, even if the last run was long ago.
    since = max(oldest + DAILY_PERIOD, date.fromisoformat(stored_day or str(oldest)))
    removed_count = 0
    for first, last in iter_spans_to_thin(since, today):
        with store.begin_write() as tx:
            removed_count += signals.prune_days(tx, first, last)
    with store.begin_write() as tx:
        clock.set_note(tx, _SIGNALS_NOTE, today.isoformat())
    return removed_count
