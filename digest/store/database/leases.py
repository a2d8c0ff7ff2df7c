"""Leases that processes hold, and the signing key."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, delete, or_, select, update

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
    """Renew some leases of a holder, and release its others whose names have a prefix: they could not be released before."""
    is_own = (leases.c.holder == holder) & leases.c.name.startswith(prefix, autoescape=True)
    is_kept = leases.c.name.in_(sorted(names))
    tx.execute(delete(leases).where(is_own, ~is_kept))
    tx.execute(update(leases).where(is_own, is_kept).values(expires_at=now + MAX_LEASE_DURATION))


def release_all(tx: Transaction, holder: str) -> None:
    """Release all leases of a holder."""
    tx.execute(delete(leases).where(leases.c.holder == holder))


def has_orphans(tx: Transaction, prefix: str, holders: Collection[str]) -> bool:
    """Whether somebody else than these holders has a lease whose name has a prefix."""
    statement = select(leases.c.name).where(_is_orphan(prefix, holders))
    return tx.execute(statement.limit(1)).first() is not None


def release_orphans(tx: Transaction, prefix: str, holders: Collection[str]) -> None:
    """Release the leases whose names have a prefix, but for those of these holders."""
    tx.execute(delete(leases).where(_is_orphan(prefix, holders)))


def _is_orphan(prefix: str, holders: Collection[str]) -> ColumnElement[bool]:
    return leases.c.name.startswith(prefix, autoescape=True) & leases.c.holder.not_in(sorted(holders))


def get_signing_key(tx: Transaction, new_key: bytes) -> bytes:
    """Return the key that signs Message-IDs, links and return paths; create it if there is none.

    Args:
        tx: a writing transaction.
        new_key: a random key, stored if there is none yet.
    """
    add_missing(tx, keys, [{"name": "signing", "value": new_key}])
    key: bytes = tx.execute(select(keys.c.value).where(keys.c.name == "signing")).scalar_one()
    return key
