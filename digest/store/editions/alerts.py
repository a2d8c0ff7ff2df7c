"""Alerts: runs of the one slot of frequency ``alert``, made for follows that report their matches at once.

No query here reads all digests: the matches of a window lead to queries, these to follows, and these to
digests.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, exists, func, insert, or_, select, update

from digest.core.editions.window_events import SentEvents
from digest.model import ALERT_PREFIX, Frequency, Run, RunState
from digest.store.database.dialect import has_row_locks, split_into_chunks
from digest.store.database.engine import Transaction
from digest.store.database.lock_times import LockKind, measure_wait
from digest.store.database.tables.digests import digests, editions, follows, runs, slots
from digest.store.editions.restore_hold import read_hold_reason
from digest.store.editions.runs import NewRun, make_shards
from digest.store.editions.sent_events import load_sent_in_runs
from digest.store.matching import matches
from digest.store.subscribers.digests import ACTIVE, PAUSED

_IS_ALERT_FOLLOW = follows.c.alert & follows.c.ended_at.is_(None)
"""Condition of an active follow with alerts; the index ``ix_follows_alert`` has the same one."""
_ALERT_QUERIES = select(follows.c.query_id).where(_IS_ALERT_FOLLOW)


# --- runs -----------------------------------------------------------------------------------------


def has_new_matches(tx: Transaction) -> bool:
    """Whether ``create_run`` would look for matches, because events have been matched since the last one."""
    is_behind = slots.c.cursor_seq < matches.read_matched_to(tx)
    statement = select(slots.c.id).where(slots.c.frequency == Frequency.ALERT.value, is_behind)
    return tx.execute(statement.limit(1)).first() is not None and not matches.has_lagging(tx, _ALERT_QUERIES)


def create_run(tx: Transaction, now: datetime) -> NewRun | None:
    """Create a closed run with its shards for what was matched since the last one, if any follow with alerts matches.

    Args:
        tx: a writing transaction that has locked nothing that comes after slots.
        now: the current time.

    Returns:
        The run; None if none was created.
    """
    slot = tx.execute(
        select(slots).where(slots.c.frequency == Frequency.ALERT.value).with_for_update(key_share=True)
    ).first()
    to_seq = matches.read_matched_to(tx)
    # A query that was added during a pass of matching may lag behind; its matches must not be skipped.
    if slot is None or slot.cursor_seq >= to_seq or matches.has_lagging(tx, _ALERT_QUERIES):
        return None
    tx.execute(update(slots).where(slots.c.id == slot.id).values(cursor_seq=to_seq))
    digest_ids = list_followers(tx, list_matching_queries(tx, slot.cursor_seq, to_seq))
    return _make_run(tx, slot, to_seq, digest_ids, now) if digest_ids else None


def _make_run(
    tx: Transaction, slot: Row[Any], to_seq: int, digest_ids: Sequence[int], now: datetime
) -> NewRun:
    period = f"{ALERT_PREFIX}{to_seq}"
    row = {
        "slot_id": slot.id,
        "period": period,
        "state": RunState.CLOSED.value,
        "fire_at": now,
        "made_at": now,
        "ready_seq": to_seq,
        "from_seq": slot.cursor_seq,
        "to_seq": to_seq,
        "closed_at": now,
        "held": read_hold_reason(tx),
    }
    run_id: int = tx.execute(insert(runs).returning(runs.c.id), row).scalar_one()
    make_shards(tx, run_id, digest_ids)
    return NewRun(run_id, period)


# --- queries and digests --------------------------------------------------------------------------


def list_matching_queries(tx: Transaction, after: int, to_seq: int) -> frozenset[int]:
    """Return the queries of follows with alerts that match an event after ``after`` and up to ``to_seq``."""
    return matches.list_matching(tx, _ALERT_QUERIES, after, to_seq)


def list_followers(
    tx: Transaction, query_ids: Collection[int], first_id: int = 0, last_id: int | None = None
) -> list[int]:
    """Return the active digests whose follows with alerts have one of some queries, in order.

    Args:
        tx: a transaction.
        query_ids: the queries.
        first_id: the lowest id of a digest.
        last_id: the highest id of a digest; None for no limit.
    """
    statement = select(follows.c.digest_id).join(digests, digests.c.id == follows.c.digest_id)
    conditions = [_IS_ALERT_FOLLOW, digests.c.state == ACTIVE, follows.c.digest_id >= first_id]
    if last_id is not None:
        conditions.append(follows.c.digest_id <= last_id)
    digest_ids: set[int] = set()
    for chunk in split_into_chunks(sorted(query_ids)):
        digest_ids.update(tx.execute(statement.where(*conditions, follows.c.query_id.in_(chunk))).scalars())
    return sorted(digest_ids)


def lock_digests(
    tx: Transaction, slot: int, first_id: int, last_id: int, moving_ids: Collection[int] = ()
) -> None:
    """Lock the digests of a range that have follows with alerts, until the transaction ends.

    Otherwise an alert and an edition of one digest could be composed at the same time, and both include the
    same paper. The digests whose position may change with their edition are locked as well, because everybody
    locks digests in the order of their numbers.

    Args:
        tx: the transaction that stores the editions of a shard.
        slot: the slot of its run.
        first_id: the lowest number of the range.
        last_id: the highest number of the range.
        moving_ids: digests that were composed and get another position.
    """
    if not has_row_locks(tx):
        return
    has_alerts = exists().where(follows.c.digest_id == digests.c.id, _IS_ALERT_FOLLOW)
    may_change = (digests.c.slot_id == slot) & or_(
        digests.c.from_seq.is_not(None), digests.c.state == PAUSED, digests.c.minimum > 1
    )
    is_in_range = digests.c.id.between(first_id, last_id)
    is_chosen = or_(has_alerts, may_change, digests.c.id.in_(sorted(moving_ids)))
    statement = select(digests.c.id).where(is_in_range, is_chosen).order_by(digests.c.id)
    with measure_wait(LockKind.DIGESTS):
        tx.execute(statement.with_for_update(key_share=True)).all()


def count_editions(tx: Transaction, first_id: int, last_id: int) -> int:
    """Return the number of editions of those digests in a range that have follows with alerts."""
    alert_digests = select(follows.c.digest_id).where(
        _IS_ALERT_FOLLOW, follows.c.digest_id.between(first_id, last_id)
    )
    count = select(func.count()).select_from(editions).where(editions.c.digest_id.in_(alert_digests))
    total: int = tx.execute(count).scalar_one()
    return total


# --- sent alerts ----------------------------------------------------------------------------------


def list_alerts_since(
    tx: Transaction, digest_ids: Collection[int], since: datetime
) -> list[tuple[int, datetime]]:
    """Return the alerts that digests had since an instant, as pairs of digest and time."""
    statement = (
        select(editions.c.digest_id, editions.c.composed_at)
        .join(runs, runs.c.id == editions.c.run_id)
        .where(
            runs.c.period.startswith(ALERT_PREFIX), editions.c.composed_at >= since, editions.c.skipped == ""
        )
    )
    alerts: list[tuple[int, datetime]] = []
    for chunk in split_into_chunks(sorted(digest_ids)):
        rows = tx.execute(statement.where(editions.c.digest_id.in_(chunk)))
        alerts += [(row.digest_id, row.composed_at) for row in rows]
    return alerts


def load_sent_after(
    tx: Transaction, digest_ids: Sequence[int], run: Run, after: int
) -> dict[int, SentEvents]:
    """Return what digests included in alerts whose windows end after an event, however old.

    For the run of an alert itself nothing is returned.
    """
    if not digest_ids or run.is_alert:
        return {}
    is_alert_run = runs.c.slot_id.in_(select(slots.c.id).where(slots.c.frequency == Frequency.ALERT.value))
    run_ids = tx.execute(select(runs.c.id).where(is_alert_run, runs.c.to_seq > after)).scalars().all()
    return load_sent_in_runs(tx, digest_ids, run_ids)
