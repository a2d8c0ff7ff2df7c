"""Rates of requests to the public pages, in ``buckets``, which all processes share.

The name of a network is in the name of its row, which is deleted soon after it limits nothing any more.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from sqlalchemy import bindparam, delete, select, update

from digest.core.delivery.throttling.rates import Rate
from digest.core.publishing.request_rates import compute_wait, spend
from digest.store.database.dialect import add_missing, split_into_chunks
from digest.store.database.engine import Transaction
from digest.store.database.tables.papers import buckets

REQUESTS_PREFIX = "requests:"
"""Prefix of the names of rows."""


def add_requests(
    tx: Transaction, counts: Mapping[str, int], rates: Mapping[str, Rate], now: datetime
) -> dict[str, datetime]:
    """Add requests that a process has answered, and return what all processes together have.

    Args:
        tx: a writing transaction.
        counts: the number of requests, by the name of the rate.
        rates: the rates of these names.
        now: the machine's time.

    Returns:
        The instants up to which the rates are spent, by name.
    """
    rows = {f"{REQUESTS_PREFIX}{name}": name for name in sorted(counts)}
    if not rows:
        return {}
    add_missing(tx, buckets, [{"name": row, "next_at": now} for row in rows])
    spent_to: dict[str, datetime] = {}
    for chunk in split_into_chunks(list(rows)):
        statement = select(buckets.c.name, buckets.c.next_at).where(buckets.c.name.in_(chunk))
        for row, next_at in tx.execute(statement.order_by(buckets.c.name).with_for_update()):
            name = rows[row]
            spent_to[row] = spend(rates[name], next_at, now, counts[name])
    tx.execute(
        update(buckets).where(buckets.c.name == bindparam("which")).values(next_at=bindparam("spent_to")),
        [{"which": row, "spent_to": instant} for row, instant in sorted(spent_to.items())],
    )
    return {rows[row]: instant for row, instant in spent_to.items()}


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
        begin = spend(rate, spent_to[stored_name], now, 0)
        if compute_wait(rate, begin, now) > timedelta():
            return False
        spent_to[stored_name] = spend(rate, begin, now, 1)
    tx.execute(
        update(buckets).where(buckets.c.name == bindparam("which")).values(next_at=bindparam("spent_to")),
        [{"which": name, "spent_to": instant} for name, instant in sorted(spent_to.items())],
    )
    return True


def forget_idle(tx: Transaction, now: datetime) -> None:
    """Delete the rates that are not ahead of the time, and so limit nothing."""
    is_idle = buckets.c.name.startswith(REQUESTS_PREFIX) & (buckets.c.next_at < now)
    # Who counts a request at this moment keeps the row; the next call deletes it.
    idle_names = select(buckets.c.name).where(is_idle).with_for_update(skip_locked=True)
    tx.execute(delete(buckets).where(buckets.c.name.in_(idle_names)))
