"""Rates, slow domains and servers in trouble, in ``buckets``: what all processes that deliver share.

Rates count by the machine's clock, also where a command simulates a time: the servers are real. A pause is part of what
happened, and counts by the time of the command.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, bindparam, delete, select, update

from digest.core.times.retry import outage_pause
from digest.store.database.dialect import add_missing
from digest.store.database.engine import Transaction
from digest.store.database.paper_tables import buckets

ALL = "deliver"
"""The bucket of all messages together; those of channels begin with it."""
_DOMAIN, _SERVER = "domain:", "server:"
_LONGEST = timedelta(hours=1)
"""A pause that ends further ahead was made by a wrong clock."""
_DOMAIN_PAUSE = timedelta(minutes=1)
_LEAST_PAUSE = timedelta(minutes=2)
"""What became due after a server's pause began may try it after so long, or when the pause is over."""
_SLOWEST = 256.0
_IDLE = timedelta(days=2)
"""A bucket that nothing was taken from for so long says nothing any more."""


def of_channel(name: str) -> str:
    """The bucket of a channel."""
    return f"{ALL}:{name}"


def of_domain(name: str) -> str:
    """The bucket of the recipients at a domain."""
    return f"{_DOMAIN}{name}"


def is_of_delivering(name: str) -> bool:
    """Whether a bucket is one of these, and no host's that sources are asked at."""
    return name.startswith((ALL, _DOMAIN, _SERVER))


@dataclass(slots=True, kw_only=True)
class Bucket:
    """What a rate is kept with.

    Attributes:
        spent_to: as ``core.rates`` has it.
        queued_to: turns are given out up to there.
        paused_until: nothing before; None if it never was.
        slowed: how many times slower than configured it was when that pause began.
    """

    name: str
    spent_to: datetime
    queued_to: datetime | None
    paused_until: datetime | None
    slowed: float


def locked(tx: Transaction, names: Iterable[str], now: datetime) -> dict[str, Bucket]:
    """Buckets by name, made if need be, and nobody else's until the transaction ends.

    Args:
        tx: a writing transaction.
        names: which.
        now: the machine's time.
    """
    wanted = sorted(names)
    if not wanted:
        return {}
    add_missing(tx, buckets, [{"name": name, "next_at": now} for name in wanted])
    mine = select(buckets).where(buckets.c.name.in_(wanted)).order_by(buckets.c.name)
    return {
        row.name: Bucket(
            name=row.name,
            spent_to=row.next_at,
            queued_to=row.busy_until,
            paused_until=row.paused_until,
            slowed=row.slowed,
        )
        for row in tx.execute(mine.with_for_update())
    }


def keep(tx: Transaction, changed: Sequence[Bucket]) -> None:
    """Keep what was taken from buckets."""
    if changed:
        statement = update(buckets).where(buckets.c.name == bindparam("which"))
        values: dict[str, Any] = {"next_at": bindparam("spent_to"), "busy_until": bindparam("queued_to")}
        rows = [
            {"which": one.name, "spent_to": one.spent_to, "queued_to": one.queued_to}
            for one in sorted(changed, key=lambda one: one.name)
        ]
        tx.execute(statement.values(values), rows)


def forget_idle(tx: Transaction, now: datetime) -> None:
    """Take away the buckets of domains that have long been written nothing to."""
    idle = (buckets.c.next_at < now - _IDLE) & (buckets.c.paused_until.is_(None))
    tx.execute(delete(buckets).where(buckets.c.name.startswith(_DOMAIN), idle))


# --- domains that want less -----------------------------------------------------------------------


def slow_down(  # noqa: PLR0917 - called in one place
    tx: Transaction,
    domain: str,
    slowed: float,
    now: datetime,
    reason: str,
    wanted: timedelta | None = None,
) -> None:
    """A domain wants less from us: nothing for a minute, or for as long as it says, then half of what it got.

    Args:
        tx: a writing transaction.
        domain: its name.
        slowed: how many times slower than configured it was.
        now: the time; complaints during the pause are about what was sent before.
        reason: what it said.
        wanted: how long it asks us to wait; None if it does not say.
    """
    name = of_domain(domain)
    add_missing(tx, buckets, [{"name": name, "next_at": now}])
    row = tx.execute(select(buckets).where(buckets.c.name == name).with_for_update()).one()
    until = now + min(max(_DOMAIN_PAUSE, wanted or _DOMAIN_PAUSE), _LONGEST)
    values: dict[str, Any] = {}
    if not _is_paused(row.paused_until, now):
        values = {"paused_until": until, "reason": reason, "slowed": min(slowed * 2, _SLOWEST)}
    elif wanted is not None and until > row.paused_until:
        values = {"paused_until": until, "reason": reason}
    if values:
        tx.execute(update(buckets).where(buckets.c.name == name).values(values))


def slow_domains(tx: Transaction) -> dict[str, tuple[float, datetime]]:
    """The domains that wanted less: how many times slower they were made, and until when they were paused."""
    slow = select(buckets).where(buckets.c.name.startswith(_DOMAIN), buckets.c.slowed > 1)
    return {
        row.name.removeprefix(_DOMAIN): (row.slowed, row.paused_until)
        for row in tx.execute(slow.order_by(buckets.c.name))
        if row.paused_until is not None
    }


# --- servers in trouble ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """What a server was in trouble with.

    Attributes:
        since: it is paused since then.
        until: nothing is given to it before.
        reason: what happened, in words.
        took_others: it took messages in the pass in which this began.
        trial_at: from then on it may get what became due since; None where no pause began.
    """

    since: datetime
    until: datetime
    reason: str
    took_others: bool = False
    trial_at: datetime | None = None


def pause_server(tx: Transaction, server: str, now: datetime, reason: str) -> Trouble | None:
    """Give nothing to a server for a while, longer each time.

    Returns:
        The pause; None where it is paused already, which stays as it is unless it can have been tried since.
    """
    name = f"{_SERVER}{server}"
    add_missing(tx, buckets, [{"name": name, "next_at": now}])
    row = tx.execute(select(buckets).where(buckets.c.name == name).with_for_update()).one()
    is_trial = _is_paused(row.paused_until, now)
    if is_trial and now < row.next_at:
        return None
    # For a server, `slowed` is the number of its pauses in a row, and one; and `next_at` is when it may be tried.
    until = now + outage_pause(int(row.slowed))
    interval = _trial_interval(row) * (2 if is_trial else 1)
    trial_at = now + min(interval, max(until - now, _LEAST_PAUSE))
    values = {
        "paused_until": until,
        "reason": reason,
        "slowed": row.slowed + 1,
        "busy_until": None,
        "next_at": trial_at,
    }
    tx.execute(update(buckets).where(buckets.c.name == name).values(values))
    return Trouble(since=now, until=until, reason=reason, trial_at=trial_at)


def doubt_server(tx: Transaction, server: str, now: datetime, reason: str, *, took_others: bool) -> None:
    """Note that a server failed, perhaps at one message only: it is not paused, but has to show that it works."""
    name = f"{_SERVER}{server}"
    add_missing(tx, buckets, [{"name": name, "next_at": now}])
    works = (buckets.c.name == name) & buckets.c.paused_until.is_(None)
    # For a server, `busy_until` is when it took something, in the pass in which it came into doubt.
    values = {"paused_until": now, "reason": reason, "busy_until": now if took_others else None}
    tx.execute(update(buckets).where(works).values(values))


def server_works(tx: Transaction, server: str, now: datetime) -> None:
    """A server took something again: its next pause will be short. A pause that another line just began stays."""
    mine = buckets.c.name == f"{_SERVER}{server}"
    row = tx.execute(
        select(buckets).where(mine, buckets.c.paused_until.is_not(None)).with_for_update()
    ).first()
    if row is not None and (row.paused_until <= now or now >= _since(row) + _LEAST_PAUSE):
        tx.execute(update(buckets).where(mine).values(paused_until=None, slowed=1.0))


def forget_troubles(tx: Transaction) -> None:
    """Try every server at once: somebody has seen to it."""
    here = buckets.c.name.startswith(_SERVER)
    tx.execute(update(buckets).where(here).values(paused_until=None, slowed=1.0))


def troubles(tx: Transaction) -> dict[str, Trouble]:
    """The servers that have not worked since they were in trouble."""
    found = select(buckets).where(buckets.c.name.startswith(_SERVER), buckets.c.paused_until.is_not(None))
    return {
        row.name.removeprefix(_SERVER): Trouble(
            since=_since(row),
            until=row.paused_until,
            reason=row.reason,
            took_others=row.busy_until is not None,
            trial_at=row.next_at if row.slowed > 1 else None,
        )
        for row in tx.execute(found.order_by(buckets.c.name))
    }


def is_paused(trouble: Trouble, now: datetime) -> bool:
    """Whether a server's pause lasts."""
    return _is_paused(trouble.until, now)


def may_be_tried(trouble: Trouble, newest: datetime | None, now: datetime) -> bool:
    """Whether a server that is paused may get what became due since: nobody waits long for what failed before.

    Args:
        trouble: what it is paused for.
        newest: when that became due which did so last; None where nothing is due.
        now: the time.
    """
    return (
        newest is not None
        and trouble.trial_at is not None
        and newest > trouble.since
        and now >= trouble.trial_at
    )


def _trial_interval(row: Row[Any]) -> timedelta:
    """How long after its last pause began a server could be tried: each trial that fails doubles that."""
    if row.paused_until is None or row.slowed <= 1:
        return _LEAST_PAUSE
    interval: timedelta = row.next_at - _since(row)
    return min(max(interval, _LEAST_PAUSE), _LONGEST)


def _since(row: Row[Any]) -> datetime:
    """When a server's pause began, which is as long as the number of its pauses says."""
    until: datetime = row.paused_until
    return until - outage_pause(int(row.slowed) - 1) if row.slowed > 1 else until


def _is_paused(until: datetime | None, now: datetime) -> bool:
    return until is not None and now < until <= now + _LONGEST
