"""Alerts: the one slot whose runs are made of what follows fit that want to tell at once.

Nothing here looks at all digests: a window's hits lead to queries, these to follows, and these to digests.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, exists, func, insert, select, update

from digest.core.editions.compose import Told
from digest.model import ALERT, Frequency, Run, RunState
from digest.store.database.dialect import chunks
from digest.store.database.digest_tables import digests, editions, follows, runs, slots
from digest.store.database.engine import Transaction
from digest.store.editions.editions import told_in_runs
from digest.store.editions.runs import share_out
from digest.store.matching import matches
from digest.store.subscribers.digests import ACTIVE

_FOLLOWED = follows.c.alert & follows.c.ended_at.is_(None)
"""As the index ``ix_follows_alert`` has it."""
_QUERIES = select(follows.c.query_id).where(_FOLLOWED)


# --- a run ----------------------------------------------------------------------------------------


def open_window(tx: Transaction, now: datetime) -> bool:
    """Make the run of what was matched since the last one, closed and with its shards, if that concerns anybody.

    Args:
        tx: a planning transaction.
        now: when.

    Returns:
        Whether there is one.
    """
    slot = tx.execute(
        select(slots).where(slots.c.frequency == Frequency.ALERT.value).with_for_update()
    ).first()
    upto = matches.matched_to(tx)
    if slot is None or slot.cursor_seq >= upto or matches.any_behind(tx, _QUERIES):
        return False  # also while a query waits to be matched that was added when a pass went on
    tx.execute(update(slots).where(slots.c.id == slot.id).values(cursor_seq=upto))
    concerned = followers(tx, fitting(tx, slot.cursor_seq, upto))
    if concerned:
        _make_run(tx, slot, upto, concerned, now)
    return bool(concerned)


def _make_run(tx: Transaction, slot: Row[Any], upto: int, concerned: Sequence[int], now: datetime) -> None:
    row = {
        "slot_id": slot.id,
        "period": f"{ALERT}{upto}",
        "state": RunState.CLOSED.value,
        "fire_at": now,
        "made_at": now,
        "ready_seq": upto,
        "from_seq": slot.cursor_seq,
        "to_seq": upto,
        "closed_at": now,
    }
    number: int = tx.execute(insert(runs).returning(runs.c.id), row).scalar_one()
    share_out(tx, number, concerned)


# --- whom it concerns -----------------------------------------------------------------------------


def fitting(tx: Transaction, low: int, high: int) -> frozenset[int]:
    """The queries of such follows that fit an event after ``low`` and up to ``high``."""
    return matches.fitting(tx, _QUERIES, low, high)


def followers(
    tx: Transaction, query_ids: Collection[int], low: int = 0, high: int | None = None
) -> list[int]:
    """The active digests that follow queries so, in order; only those numbered within a range."""
    among = select(follows.c.digest_id).join(digests, digests.c.id == follows.c.digest_id)
    chosen = [_FOLLOWED, digests.c.state == ACTIVE, follows.c.digest_id >= low]
    if high is not None:
        chosen.append(follows.c.digest_id <= high)
    found: set[int] = set()
    for chunk in chunks(sorted(query_ids)):
        found.update(tx.execute(among.where(*chosen, follows.c.query_id.in_(chunk))).scalars())
    return sorted(found)


def hold(tx: Transaction, low: int, high: int) -> None:
    """Let nobody else compose for digests of a range that have alerts, until the transaction ends.

    Who composes an alert and an edition of one digest at a time would find in neither what the other tells.
    """
    mine = exists().where(follows.c.digest_id == digests.c.id, _FOLLOWED)
    locked = select(digests.c.id).where(digests.c.id.between(low, high), mine).order_by(digests.c.id)
    tx.execute(locked.with_for_update()).all()


def editions_had(tx: Transaction, low: int, high: int) -> int:
    """How many editions the digests of a range that have alerts have had."""
    mine = select(follows.c.digest_id).where(_FOLLOWED, follows.c.digest_id.between(low, high))
    count = select(func.count()).select_from(editions).where(editions.c.digest_id.in_(mine))
    had: int = tx.execute(count).scalar_one()
    return had


# --- what they told -------------------------------------------------------------------------------


def told_since(tx: Transaction, digest_ids: Collection[int], since: datetime) -> list[tuple[int, datetime]]:
    """The alerts that digests have had since an instant: the digest, and when."""
    statement = (
        select(editions.c.digest_id, editions.c.composed_at)
        .join(runs, runs.c.id == editions.c.run_id)
        .where(runs.c.period.startswith(ALERT), editions.c.composed_at >= since, editions.c.skipped == "")
    )
    found: list[tuple[int, datetime]] = []
    for chunk in chunks(sorted(digest_ids)):
        rows = tx.execute(statement.where(editions.c.digest_id.in_(chunk)))
        found += [(row.digest_id, row.composed_at) for row in rows]
    return found


def told(tx: Transaction, digest_ids: Sequence[int], run: Run, after: int) -> dict[int, Told]:
    """What digests told in alerts of events that came after a seq, however long ago; nothing for the run of an alert."""
    if not digest_ids or run.is_alert:
        return {}
    mine = runs.c.slot_id.in_(select(slots.c.id).where(slots.c.frequency == Frequency.ALERT.value))
    later = tx.execute(select(runs.c.id).where(mine, runs.c.to_seq > after)).scalars().all()
    return told_in_runs(tx, digest_ids, later)
