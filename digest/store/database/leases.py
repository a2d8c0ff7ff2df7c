"""Leases that processes hold, and the signing key."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from sqlalchemy import delete, or_, select, update

from digest.store.database.clock import is_lease_over
from digest.store.database.dialect import add_missing, insert_ignoring
from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import keys
from digest.store.database.tables.processes import leases

MAX_LEASE_DURATION = timedelta(minutes=15)
"""Duration of the leases of ``claim``. One that ends much further ahead was made by a wrong clock and counts as
expired.
"""


def claim(tx: Transaction, name: str, holder: str, now: datetime) -> str | None:
    """Take or renew a lease.

    Args:
        tx: a writing transaction.
        name: the name of the lease.
        holder: the process that wants it; it may renew its own lease.
        now: the lease ends ``MAX_LEASE_DURATION`` later.

    Returns:
        None if the lease was taken or renewed, else its current holder.
    """
    row = {"name": name, "holder": holder, "expires_at": now + MAX_LEASE_DURATION}
    is_free = or_(leases.c.holder == holder, is_lease_over(leases.c.expires_at, now, MAX_LEASE_DURATION))
    statement = update(leases).where(leases.c.name == name, is_free).values(row)
    while not tx.execute(insert_ignoring(tx, leases).returning(leases.c.name), row).scalar():
        if tx.execute(statement).rowcount:
            return None
        other_holder: str | None = tx.execute(select(leases.c.holder).where(leases.c.name == name)).scalar()
        if other_holder is not None:
            return other_holder
        # The holder has released it in the meantime, so try again.
    return None


def release(tx: Transaction, name: str, holder: str) -> None:
    """Release a lease if this holder has it."""
    tx.execute(delete(leases).where(leases.c.name == name, leases.c.holder == holder))


def renew_only(tx: Transaction, prefix: str, holder: str, names: Collection[str], now: datetime) -> None:
    """Renew some leases of a holder, and release its others whose names have a prefix, whose release failed earlier."""
    is_own = (leases.c.holder == holder) & leases.c.name.startswith(prefix, autoescape=True)
    is_kept = leases.c.name.in_(sorted(names))
    tx.execute(delete(leases).where(is_own, ~is_kept))
    tx.execute(update(leases).where(is_own, is_kept).values(expires_at=now + MAX_LEASE_DURATION))


def list_leases(
    tx: Transaction, *, prefix: str = "", holder: str | None = None
) -> tuple[tuple[str, str], ...]:
    """Return the names and holders of leases: those whose names have a prefix, of all holders or of one."""
    statement = select(leases.c.name, leases.c.holder).where(
        leases.c.name.startswith(prefix, autoescape=True)
    )
    if holder is not None:
        statement = statement.where(leases.c.holder == holder)
    return tuple((row.name, row.holder) for row in tx.execute(statement.order_by(leases.c.name)))


def get_signing_key(tx: Transaction, new_key: bytes) -> bytes:
    """Return the key that signs Message-IDs, links and return paths; create it if there is none.

    Args:
        tx: a writing transaction.
        new_key: a random key, stored if there is none yet.
    """
    add_missing(tx, keys, [{"name": "signing", "value": new_key}])
    key: bytes = tx.execute(select(keys.c.value).where(keys.c.name == "signing")).scalar_one()
    return key
