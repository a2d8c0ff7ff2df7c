"""Places: the connections to a mail server that all processes together may have, in ``leases``.

Each place of a server is a lease, and each worker that wants one has another: so all know among how many they share.
They count by the machine's clock, for the servers are real.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import delete, or_, select, update

from digest.store.database.clock import over
from digest.store.database.dialect import add_missing, put
from digest.store.database.digest_tables import leases
from digest.store.database.engine import Transaction

LEASE = timedelta(minutes=2)
"""A worker that is no more keeps others from its places so long, where nobody on its machine sees it earlier."""
_PLACE, _WANTED = "place", "wanted"
_NOBODY = ""


def take(
    tx: Transaction, token: int, now: datetime, *, server: str, places: int, wanted: int, in_use: int
) -> tuple[int, int]:
    """Hold a fair share of a server's places, and prolong their leases.

    Args:
        tx: a writing transaction.
        token: of the worker.
        now: the machine's time; the leases end ``LEASE`` later.
        server: its name.
        places: how many it has.
        wanted: how many would be used.
        in_use: how many are used now: so many are kept, also where the share is smaller.

    Returns:
        How many are held, and how many are the worker's share.
    """
    holder = str(token)
    wish = {"name": f"{_WANTED}:{server}#{token}", "holder": holder, "expires_at": now + LEASE}
    put(tx, leases, [wish], key=("name",))
    names = [f"{_PLACE}:{server}#{number:04}" for number in range(places)]
    add_missing(tx, leases, [{"name": name, "holder": _NOBODY, "expires_at": now} for name in names])
    is_over = over(leases.c.expires_at, now, LEASE).label("is_over")
    # In one order, so that two who take places wait for each other and not in a circle.
    locked = select(leases.c.name, leases.c.holder, is_over).where(leases.c.name.in_(names))
    rows = tx.execute(locked.order_by(leases.c.name).with_for_update()).all()
    mine = [row.name for row in rows if row.holder == holder]
    free = [row.name for row in rows if row.name not in mine and (row.is_over or row.holder == _NOBODY)]
    share = min(wanted, _share(places, holder, _workers(tx, server, now)))
    kept = mine[: max(in_use, share)]
    taken = [*kept, *free[: max(0, share - len(kept))]]
    _give_to(tx, [name for name in mine if name not in taken], _NOBODY, now)
    _give_to(tx, taken, holder, now + LEASE)
    return len(taken), share


def give_back(tx: Transaction, token: int) -> None:
    """Let others have all places of a worker."""
    mine = leases.c.holder == str(token)
    is_place = or_(leases.c.name.startswith(f"{_PLACE}:"), leases.c.name.startswith(f"{_WANTED}:"))
    tx.execute(delete(leases).where(mine, is_place))


def _workers(tx: Transaction, server: str, now: datetime) -> Sequence[str]:
    """The workers that want places of a server, always in the same order."""
    wishes = leases.c.name.startswith(f"{_WANTED}:{server}#", autoescape=True)
    alive = select(leases.c.holder).where(wishes, ~over(leases.c.expires_at, now, LEASE))
    return sorted(tx.execute(alive).scalars())


def _share(places: int, holder: str, workers: Sequence[str]) -> int:
    """An equal part of the places; what does not divide goes to the first workers, so that all parts are together all places."""
    each, left = divmod(places, len(workers))
    return each + (workers.index(holder) < left)


def _give_to(tx: Transaction, names: Sequence[str], holder: str, until: datetime) -> None:
    if names:
        values = {"holder": holder, "expires_at": until}
        tx.execute(update(leases).where(leases.c.name.in_(names)).values(values))
