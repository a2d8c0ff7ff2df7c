"""Rate limits of hosts, shared by all processes: one request at a time, a minimum interval, and pauses.

Intervals are measured by the database's clock, by which all machines go, even if a command simulates a time, because the
hosts are real.
A pause is part of what is simulated and counts by the time of the command.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import or_, select, update

from digest.store.database.dialect import add_missing
from digest.store.database.engine import Transaction
from digest.store.database.tables.papers import buckets

_MAX_REQUEST_DURATION = timedelta(minutes=4)
"""Longest time that a request holds a bucket; a worker that is silent for longer no longer exists."""
_MAX_WAIT = timedelta(minutes=15)
"""Longest wait for a request. A reservation further ahead was made by a clock that ran ahead, and is ignored."""
_MAX_PAUSE = timedelta(days=1)
"""Longest pause that a host can impose (``core.times.retry.parse_retry_after``)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BucketPause:
    """Pause of a bucket: no requests before an instant, and the reason."""

    until: datetime
    reason: str


def reserve_request(
    tx: Transaction, name: str, min_interval: timedelta, token: int, now: datetime
) -> datetime | None:
    """Reserve a bucket for one request, if one is allowed now.

    Args:
        tx: a writing transaction.
        name: the name of the bucket.
        min_interval: the minimum interval between requests, unless the host asked for a longer one.
        token: the token of this worker; its own earlier reservation does not block it.
        now: the time of the database's clock.

    Returns:
        None if the request may be made now, else when to try again.
    """
    add_missing(tx, buckets, [_make_row(name, now)])
    row = tx.execute(select(buckets).where(buckets.c.name == name).with_for_update()).one()
    interval = max(min_interval, timedelta(seconds=row.pace))
    if row.holder != token and row.busy_until is not None and now < row.busy_until <= now + _MAX_WAIT:
        return now + min(max(interval, timedelta(seconds=0.1)), timedelta(seconds=1))
    if now < row.next_at <= now + _MAX_WAIT + interval:
        next_at: datetime = row.next_at
        return next_at
    reservation = {"next_at": now + interval, "busy_until": now + _MAX_REQUEST_DURATION, "holder": token}
    tx.execute(update(buckets).where(buckets.c.name == name).values(reservation))
    return None


def read_min_interval(tx: Transaction, name: str) -> timedelta:
    """Return the minimum interval between requests that a host asked for; zero if it did not."""
    seconds: float = tx.execute(select(buckets.c.pace).where(buckets.c.name == name)).scalar_one()
    return timedelta(seconds=seconds)


def finish_request(tx: Transaction, name: str, min_interval: timedelta, token: int, now: datetime) -> None:
    """Release a bucket after a request.

    If the request took longer than the interval, the next one still waits for an interval: the last attempt
    may have been made only a moment ago.
    """
    row = tx.execute(select(buckets).where(buckets.c.name == name).with_for_update()).one()
    interval = max(min_interval, timedelta(seconds=row.pace))
    values: dict[str, object] = {"busy_until": None, "holder": 0}
    if now >= row.next_at:
        values["next_at"] = now + interval
    is_own = (buckets.c.name == name) & (buckets.c.holder == token)
    tx.execute(update(buckets).where(is_own).values(values))


def release_worker(tx: Transaction, token: int) -> None:
    """Release the buckets of a worker that no longer exists."""
    tx.execute(update(buckets).where(buckets.c.holder == token).values(busy_until=None, holder=0))


def pause_bucket(tx: Transaction, name: str, until: datetime, reason: str) -> None:
    """Pause a bucket because the host asked for it; a longer pause stays."""
    add_missing(tx, buckets, [_make_row(name, until)])
    column = buckets.c.paused_until
    is_shorter = or_(column.is_(None), column < until, column > until + _MAX_PAUSE)
    statement = update(buckets).where(buckets.c.name == name, is_shorter)
    tx.execute(statement.values(paused_until=until, reason=reason))


def set_min_interval(tx: Transaction, name: str, min_interval: timedelta, now: datetime) -> None:
    """Store the interval between requests that a host demands; it applies to the next request as well.

    Args:
        tx: a writing transaction.
        name: the name of an existing bucket.
        min_interval: the interval.
        now: the time of the demand by the database's clock.
    """
    is_bucket = buckets.c.name == name
    next_at: datetime = tx.execute(select(buckets.c.next_at).where(is_bucket).with_for_update()).scalar_one()
    values = {"pace": min_interval.total_seconds(), "next_at": max(next_at, now + min_interval)}
    tx.execute(update(buckets).where(is_bucket).values(values))


def list_paused(tx: Transaction, now: datetime) -> dict[str, BucketPause]:
    """Return the pauses of all buckets that are paused now, by name."""
    until = buckets.c.paused_until
    # A pause further ahead than a host can impose was recorded by a wrong clock.
    is_paused = (until > now) & (until <= now + 2 * _MAX_PAUSE)
    rows = tx.execute(select(buckets).where(is_paused).order_by(buckets.c.name))
    return {row.name: BucketPause(until=row.paused_until, reason=row.reason) for row in rows}


def _make_row(name: str, next_at: datetime) -> dict[str, object]:
    return {"name": name, "next_at": next_at, "pace": 0.0, "holder": 0, "reason": ""}
