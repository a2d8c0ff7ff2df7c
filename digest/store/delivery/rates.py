"""Sending rates, slow domains and failing servers, in ``buckets``, which all delivering processes share.

Rates are measured by the machine's clock, even if a command simulates a time, because the servers are real. A
pause is part of what is simulated and counts by the time of the command.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, bindparam, delete, select, update

from digest.core.delivery.throttling import pauses
from digest.core.delivery.throttling.pauses import DomainPause, ServerFailure, ServerPause
from digest.core.delivery.throttling.rates import Bucket
from digest.store.database.dialect import add_missing
from digest.store.database.engine import Transaction
from digest.store.database.lock_times import LockKind, measure_wait
from digest.store.database.tables.papers import buckets

ALL_MESSAGES_BUCKET = "deliver"
"""Name of the bucket of all messages, and prefix of the buckets of channels."""
_DOMAIN_PREFIX, _SERVER_PREFIX = "domain:", "server:"
_IDLE_TIMEOUT = timedelta(days=2)
"""Time without messages after which the bucket of a domain is deleted."""


def make_channel_bucket_name(name: str) -> str:
    """Return the name of a channel's bucket."""
    return f"{ALL_MESSAGES_BUCKET}:{name}"


def make_domain_bucket_name(name: str) -> str:
    """Return the name of the bucket of the recipients at a domain."""
    return f"{_DOMAIN_PREFIX}{name}"


def is_delivery_bucket(name: str) -> bool:
    """Whether a bucket is for delivery, and not for fetching from a host."""
    return name.startswith((ALL_MESSAGES_BUCKET, _DOMAIN_PREFIX, _SERVER_PREFIX))


def is_domain_bucket(name: str) -> bool:
    """Whether a bucket is for the recipients at a domain."""
    return name.startswith(_DOMAIN_PREFIX)


def is_server_bucket(name: str) -> bool:
    """Whether a bucket is for a mail server."""
    return name.startswith(_SERVER_PREFIX)


def lock_buckets(tx: Transaction, names: Iterable[str], now: datetime) -> dict[str, Bucket]:
    """Return buckets by name, created if missing, and lock them until the transaction ends.

    Args:
        tx: a writing transaction.
        names: the names of the buckets.
        now: the machine's time.
    """
    sorted_names = sorted(names)
    if not sorted_names:
        return {}
    add_missing(tx, buckets, [{"name": name, "next_at": now} for name in sorted_names])
    statement = select(buckets).where(buckets.c.name.in_(sorted_names)).order_by(buckets.c.name)
    with measure_wait(LockKind.RATES):
        rows = tx.execute(statement.with_for_update())
    return {
        row.name: Bucket(
            name=row.name,
            spent_to=row.next_at,
            queued_to=row.busy_until,
            paused_until=row.paused_until,
        )
        for row in rows
    }


def save_buckets(tx: Transaction, changed_buckets: Sequence[Bucket]) -> None:
    """Store the used capacity of buckets."""
    if changed_buckets:
        statement = update(buckets).where(buckets.c.name == bindparam("which"))
        values: dict[str, Any] = {"next_at": bindparam("spent_to"), "busy_until": bindparam("queued_to")}
        rows = [
            {"which": bucket.name, "spent_to": bucket.spent_to, "queued_to": bucket.queued_to}
            for bucket in sorted(changed_buckets, key=lambda bucket: bucket.name)
        ]
        tx.execute(statement.values(values), rows)


def forget_idle_domains(tx: Transaction, now: datetime) -> None:
    """Delete the buckets of domains that have had no messages for ``_IDLE_TIMEOUT``."""
    is_idle = (buckets.c.next_at < now - _IDLE_TIMEOUT) & (buckets.c.paused_until.is_(None))
    tx.execute(delete(buckets).where(buckets.c.name.startswith(_DOMAIN_PREFIX), is_idle))


# --- slow domains ---------------------------------------------------------------------------------


def reduce_domain_rate(  # noqa: PLR0917 - called in one place
    tx: Transaction,
    domain: str,
    slowed: float,
    now: datetime,
    reason: str,
    retry_after: timedelta | None = None,
) -> None:
    """Pause a domain that defers our mail, for a minute or as long as it asks, and halve its rate afterwards.

    Args:
        tx: a writing transaction.
        domain: the domain.
        slowed: how many times slower than configured its rate was.
        now: the time. Answers during the pause concern messages sent before it, so they do not slow the rate
            further.
        reason: the answer of its server.
        retry_after: the delay that it asks for; None if it does not say.
    """
    row = _lock_row(tx, make_domain_bucket_name(domain), now)
    pause = DomainPause(until=row.paused_until, reason=row.reason, slowdown=row.slowed)
    changed = pauses.slow_down_domain(pause, slowed, now, reason, retry_after)
    if changed != pause:
        values = {"paused_until": changed.until, "reason": changed.reason, "slowed": changed.slowdown}
        tx.execute(update(buckets).where(buckets.c.name == row.name).values(values))


def list_slow_domains(tx: Transaction) -> dict[str, tuple[float, datetime]]:
    """Return the domains with a reduced rate: how many times slower than configured, and the end of the last pause."""
    statement = select(buckets).where(buckets.c.name.startswith(_DOMAIN_PREFIX), buckets.c.slowed > 1)
    return {
        row.name.removeprefix(_DOMAIN_PREFIX): (row.slowed, row.paused_until)
        for row in tx.execute(statement.order_by(buckets.c.name))
        if row.paused_until is not None
    }


# --- failing servers ------------------------------------------------------------------------------


def pause_server(tx: Transaction, server: str, now: datetime, reason: str) -> ServerFailure | None:
    """Pause a server, longer each time.

    Returns:
        The pause; None if the server is paused already and could not have been tried since.
    """
    row = _lock_row(tx, f"{_SERVER_PREFIX}{server}", now)
    pause = pauses.pause_server(_read_server_pause(row), now, reason)
    if pause is None:
        return None
    values = {
        "paused_until": pause.until,
        "reason": pause.reason,
        "slowed": pause.count + 1,
        "busy_until": None,
        "next_at": pause.trial_at,
    }
    tx.execute(update(buckets).where(buckets.c.name == row.name).values(values))
    return pause.failure


def mark_server_doubtful(
    tx: Transaction, server: str, now: datetime, reason: str, *, took_others: bool
) -> None:
    """Record that a server failed, perhaps only at one message: it is not paused, but has to prove that it works."""
    name = f"{_SERVER_PREFIX}{server}"
    add_missing(tx, buckets, [{"name": name, "next_at": now}])
    is_working = (buckets.c.name == name) & buckets.c.paused_until.is_(None)
    # For a server, `busy_until` is set if it accepted messages in the pass in which it failed.
    values = {"paused_until": now, "reason": reason, "busy_until": now if took_others else None}
    tx.execute(update(buckets).where(is_working).values(values))


def mark_server_working(tx: Transaction, server: str, now: datetime) -> None:
    """Record that a server accepted a message, so that its next pause is short again.

    A pause that another connection has just begun stays.
    """
    is_own = buckets.c.name == f"{_SERVER_PREFIX}{server}"
    row = tx.execute(
        select(buckets).where(is_own, buckets.c.paused_until.is_not(None)).with_for_update()
    ).first()
    if row is not None and pauses.is_recovered(_read_server_pause(row), now):
        tx.execute(update(buckets).where(is_own).values(paused_until=None, slowed=1.0))


def note_taken(tx: Transaction, server: str, now: datetime) -> None:
    """Record that a server accepted a message: if it fails later at others, these may be at fault."""
    name = f"{_SERVER_PREFIX}{server}"
    add_missing(tx, buckets, [{"name": name, "next_at": now}])
    tx.execute(update(buckets).where(buckets.c.name == name).values(taken_at=now))


def list_taken(tx: Transaction, now: datetime) -> dict[str, datetime]:
    """Return when each server last accepted a message, to the minute; times in the future are omitted as wrong."""
    is_known = buckets.c.name.startswith(_SERVER_PREFIX) & (buckets.c.taken_at <= now)
    rows = tx.execute(select(buckets.c.name, buckets.c.taken_at).where(is_known))
    return {row.name.removeprefix(_SERVER_PREFIX): row.taken_at for row in rows}


def forget_server_failures(tx: Transaction) -> None:
    """End the pauses of all servers, because somebody has looked after them."""
    is_server = buckets.c.name.startswith(_SERVER_PREFIX)
    tx.execute(update(buckets).where(is_server).values(paused_until=None, slowed=1.0))


def list_server_failures(tx: Transaction) -> dict[str, ServerFailure]:
    """Return the failures of servers that have not worked since, by name."""
    statement = select(buckets).where(
        buckets.c.name.startswith(_SERVER_PREFIX), buckets.c.paused_until.is_not(None)
    )
    return {
        row.name.removeprefix(_SERVER_PREFIX): failure
        for row in tx.execute(statement.order_by(buckets.c.name))
        if (failure := _read_server_pause(row).failure)
    }


def _lock_row(tx: Transaction, name: str, now: datetime) -> Row[Any]:
    """Return the row of a bucket, locked, and made if it does not exist."""
    add_missing(tx, buckets, [{"name": name, "next_at": now}])
    return tx.execute(select(buckets).where(buckets.c.name == name).with_for_update()).one()


def _read_server_pause(row: Row[Any]) -> ServerPause:
    """Return the state of a server from its row, whose columns mean something else than for a rate.

    ``slowed`` is one more than the number of pauses in a row, ``next_at`` is when the server may be tried, and
    ``busy_until`` is set if it accepted messages in the pass in which it came into doubt.
    """
    return ServerPause(
        until=row.paused_until,
        count=int(row.slowed) - 1,
        trial_at=row.next_at,
        reason=row.reason,
        took_others=row.busy_until is not None,
    )
