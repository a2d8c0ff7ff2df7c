"""How far deliveries are that are several messages: what the other side has of them is not sent again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import delete, select

from digest.store.database.dialect import chunks, put
from digest.store.database.digest_tables import partly_sent
from digest.store.database.engine import Transaction


def begun(tx: Transaction, numbers: Sequence[int]) -> dict[int, int]:
    """How many messages of deliveries are there, the first ones; those of which none is are left out."""
    found: dict[int, int] = {}
    for chunk in chunks(numbers):
        mine = select(partly_sent).where(partly_sent.c.delivery_id.in_(chunk))
        found |= {row.delivery_id: row.parts for row in tx.execute(mine)}
    return found


def keep(tx: Transaction, parts: Mapping[int, int]) -> None:
    """Keep how many messages of deliveries are there; 0 for one of which nothing needs to be known any more."""
    rows = [{"delivery_id": number, "parts": count} for number, count in sorted(parts.items()) if count]
    put(tx, partly_sent, rows, key=("delivery_id",))
    for chunk in chunks(sorted(number for number, count in parts.items() if not count)):
        tx.execute(delete(partly_sent).where(partly_sent.c.delivery_id.in_(chunk)))
