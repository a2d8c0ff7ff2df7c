"""Updates of slots and of the digests in them, which come before slots fire and after their runs have ended.

Each looks first whether there is anything to do. So a cycle that finds nothing locks nothing.
"""

from __future__ import annotations

from datetime import datetime

from digest.event_log import LogEvent, log_event
from digest.store.database.engine import Store
from digest.store.editions import runs, shared_evidence
from digest.store.subscribers import digests, pauses
from digest.store.subscribers.digest_locks import lock_digests

_MAX_DIGESTS = 200
"""Maximum number of digests that one transaction changes, in about 10 ms, for which their readers may have to wait."""


def end_pauses(store: Store, now: datetime) -> None:
    """Resume the digests whose pause ends by itself and is over."""
    last_id = 0
    while True:
        with store.begin_read() as tx:
            digest_ids = pauses.list_expired(tx, now, last_id, _MAX_DIGESTS)
        if not digest_ids:
            return
        last_id = digest_ids[-1]
        with store.begin_write() as tx:
            lock_digests(tx, digest_ids)
            pauses.end_pauses(tx, digest_ids, now)


def finish_runs(store: Store, now: datetime) -> None:
    """Mark the runs as composed whose shards all are."""
    with store.begin_read() as tx:
        has_finished = runs.has_finished(tx)
    if not has_finished:
        return
    with store.begin_write() as tx:
        finished = runs.finish_runs(tx, now)
        shared_evidence.forget_composed(tx)
    for run in finished:
        seconds = (now - (run.closed_at or now)).total_seconds()
        message = f"Run {run.id} of {run.period} is composed, {seconds:.1f} s after it was closed."
        log_event(LogEvent.RUN_COMPOSED, message, run=run.id, period=run.period, seconds=round(seconds, 3))


def update_slots(store: Store, now: datetime) -> None:
    """Move digests to their next slots, wake slots that have digests, and clear those that have none."""
    while True:
        with store.begin_read() as tx:
            has_moves = digests.has_moves(tx)
        if not has_moves:
            break
        with store.begin_write() as tx:
            digests.move_digests(tx, _MAX_DIGESTS)
    with store.begin_read() as tx:
        has_sleepers = runs.has_sleepers(tx, now)
    if has_sleepers:
        with store.begin_write() as tx:
            runs.wake_slots(tx, now)
