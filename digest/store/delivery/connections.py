"""Leases of connections to mail servers, which limit the connections of all processes together.

Each connection of a server is one lease. Each worker that wants connections also has a lease for its demand,
so that all workers know how many share a server. Times are real, because the servers are, even if a command simulates
another time. They are of the database's clock, so clocks of machines may differ (``WorkerHeartbeat.correct_clock``).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import delete, or_, select, update

from digest.store.database.clock import is_lease_over
from digest.store.database.dialect import add_missing, insert_or_update
from digest.store.database.engine import Transaction
from digest.store.database.lock_times import LockKind, measure_wait
from digest.store.database.tables.processes import leases

LEASE_DURATION = timedelta(minutes=2)
"""How long a worker that no longer exists blocks its connections, unless a process on its machine notices earlier."""
_CONNECTION_PREFIX, _DEMAND_PREFIX = "place", "wanted"
_NO_HOLDER = ""
_RETENTION = timedelta(hours=1)


def make_urgent_token(number: int) -> int:
    """Return the token of somebody whose message cannot wait: it comes first if connections cannot be divided equally."""
    return -1 - number  # as a text it sorts before those of workers


def reserve(
    tx: Transaction,
    token: int,
    now: datetime,
    *,
    server: str,
    max_connections: int,
    requested: int,
    in_use: int,
) -> tuple[int, int]:
    """Reserve a fair share of a server's connections, and renew their leases.

    Args:
        tx: a writing transaction.
        token: the token of the worker.
        now: the time of the database's clock; the leases end ``LEASE_DURATION`` later.
        server: the name of the server.
        max_connections: the number of its connections.
        requested: the number of connections that the worker would use.
        in_use: the number that it uses now and keeps, even if its share is smaller.

    Returns:
        The number of reserved connections, and the worker's share.
    """
    holder = str(token)
    demand = {
        "name": f"{_DEMAND_PREFIX}:{server}#{token}",
        "holder": holder,
        "expires_at": now + LEASE_DURATION,
    }
    insert_or_update(tx, leases, [demand], key=("name",))
    lease_names = [f"{_CONNECTION_PREFIX}:{server}#{number:04}" for number in range(max_connections)]
    add_missing(tx, leases, [{"name": name, "holder": _NO_HOLDER, "expires_at": now} for name in lease_names])
    is_over = is_lease_over(leases.c.expires_at, now, LEASE_DURATION).label("is_over")
    # Rows are locked in a fixed order, so that two workers cannot deadlock.
    statement = select(leases.c.name, leases.c.holder, is_over).where(leases.c.name.in_(lease_names))
    with measure_wait(LockKind.CONNECTIONS):
        rows = tx.execute(statement.order_by(leases.c.name).with_for_update()).all()
    own_names = [row.name for row in rows if row.holder == holder]
    free_names = [
        row.name for row in rows if row.name not in own_names and (row.is_over or row.holder == _NO_HOLDER)
    ]
    share = min(requested, _compute_share(max_connections, holder, _list_workers(tx, server, now)))
    kept_names = own_names[: max(in_use, share)]
    reserved_names = [*kept_names, *free_names[: max(0, share - len(kept_names))]]
    _assign_leases(tx, [name for name in own_names if name not in reserved_names], _NO_HOLDER, now)
    _assign_leases(tx, reserved_names, holder, now + LEASE_DURATION)
    return len(reserved_names), share


def release_all(tx: Transaction, token: int) -> None:
    """Release all connections of a worker."""
    is_own = leases.c.holder == str(token)
    is_place = or_(
        leases.c.name.startswith(f"{_CONNECTION_PREFIX}:"), leases.c.name.startswith(f"{_DEMAND_PREFIX}:")
    )
    tx.execute(delete(leases).where(is_own, is_place))


def forget_old(tx: Transaction, now: datetime) -> None:
    """Remove the demands of workers that have ended without releasing them."""
    is_demand = leases.c.name.startswith(f"{_DEMAND_PREFIX}:", autoescape=True)
    tx.execute(delete(leases).where(is_demand, leases.c.expires_at < now - _RETENTION))


def _list_workers(tx: Transaction, server: str, now: datetime) -> Sequence[str]:
    """Return the workers that want connections of a server, in a fixed order."""
    is_demand = leases.c.name.startswith(f"{_DEMAND_PREFIX}:{server}#", autoescape=True)
    statement = select(leases.c.holder).where(
        is_demand, ~is_lease_over(leases.c.expires_at, now, LEASE_DURATION)
    )
    return sorted(tx.execute(statement).scalars())


def _compute_share(max_connections: int, holder: str, workers: Sequence[str]) -> int:
    """Divide the connections equally; the first workers get one more each if the division leaves a remainder."""
    share, remainder = divmod(max_connections, len(workers))
    return share + (workers.index(holder) < remainder)


def _assign_leases(tx: Transaction, names: Sequence[str], holder: str, expires_at: datetime) -> None:
    if names:
        values = {"holder": holder, "expires_at": expires_at}
        tx.execute(update(leases).where(leases.c.name.in_(names)).values(values))
