"""Rates of requests to the public pages, in ``buckets``, which all processes share.

The name of a network is in the name of its row, and the row goes as soon as it limits nothing any more.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from sqlalchemy import bindparam, delete, select, update

from digest.core.delivery.throttling.rates import Rate, record_spending
from digest.core.publishing.request_rates import compute_wait
from digest.store.database.dialect import add_missing, split_into_chunks
from digest.store.database.engine import Transaction
from digest.store.database.paper_tables import buckets

REQUESTS_PREFIX = "requests:"
"""Prefix of the names of rows."""
_MAX_AHEAD = timedelta(days=2)
"""Maximum time by which a rate may be ahead; a row further ahead was written by a wrong clock."""


def add_spending(tx: Transaction, spent: Mapping[str, timedelta], now: datetime) -> dict[str, datetime]:
    """Add what was spent to the state of rates.

    Args:
        tx: a writing transaction.
        spent: what to add, by the name of the rate; nothing to learn only what others have spent.
        now: the machine's time.

    Returns:
        The instants up to which the rates are spent.
    """
    rows = {f"{REQUESTS_PREFIX}{name}": time for name, time in sorted(spent.items())}
    if not rows:
        return {}
    add_missing(tx, buckets, [{"name": name, "next_at": now} for name in rows])
    spent_to: dict[str, datetime] = {}
    for chunk in split_into_chunks(list(rows)):
        statement = select(buckets.c.name, buckets.c.next_at).where(buckets.c.name.in_(chunk))
        for name, next_at in tx.execute(statement.order_by(buckets.c.name).with_for_update()):
            begin = now if next_at > now + _MAX_AHEAD else max(next_at, now)
            spent_to[name] = begin + rows[name]
    tx.execute(
        update(buckets).where(buckets.c.name == bindparam("which")).values(next_at=bindparam("spent_to")),
        [{"which": name, "spent_to": instant} for name, instant in sorted(spent_to.items())],
    )
    return {name.removeprefix(REQUESTS_PREFIX): instant for name, instant in spent_to.items()}


def take_request(tx: Transaction, rates: Mapping[str, Rate], now: datetime) -> bool:
    """Count one request of several rates at once, exactly; return False, and count nothing, if one is spent.

    Args:
        tx: a writing transaction.
        rates: the rates, by name.
        now: the machine's time.
    """
    names = [f"{REQUESTS_PREFIX}{name}" for name in sorted(rates)]
    add_missing(tx, buckets, [{"name": name, "next_at": now} for name in names])
    statement = select(buckets.c.name, buckets.c.next_at).where(buckets.c.name.in_(names))
    rows = tx.execute(statement.order_by(buckets.c.name).with_for_update()).all()
    spent_to = {row.name: row.next_at for row in rows}
    for name, rate in rates.items():
        stored_name = f"{REQUESTS_PREFIX}{name}"
        begin = record_spending(rate, spent_to[stored_name], now, 0)
        if compute_wait(rate, begin, now) > timedelta():
            return False
        spent_to[stored_name] = record_spending(rate, begin, now, 1)
    tx.execute(
        update(buckets).where(buckets.c.name == bindparam("which")).values(next_at=bindparam("spent_to")),
        [{"which": name, "spent_to": instant} for name, instant in sorted(spent_to.items())],
    )
    return True


def forget_idle(tx: Transaction, now: datetime) -> None:
    """Delete the rates that are not ahead of the time, and so limit nothing."""
    tx.execute(delete(buckets).where(buckets.c.name.startswith(REQUESTS_PREFIX), buckets.c.next_at < now))
