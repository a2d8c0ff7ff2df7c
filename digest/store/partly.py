"""How far deliveries are that are several messages: what the other side has of them is not sent again."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import delete, select

from digest.store.dialect import chunks, put
from digest.store.digest_tables import partly_sent
from digest.store.engine import Transaction


def begun(tx: Transaction, delivery: int) -> int:
    """How many messages of a delivery are there, the first ones."""
    mine = select(partly_sent.c.parts).where(partly_sent.c.delivery_id == delivery)
    return tx.execute(mine).scalar() or 0


def keep(tx: Transaction, parts: Mapping[int, int]) -> None:
    """Keep how many messages of deliveries are there; 0 for one of which nothing needs to be known any more."""
    rows = [{"delivery_id": number, "parts": count} for number, count in sorted(parts.items()) if count]
    put(tx, partly_sent, rows, key=("delivery_id",))
    for chunk in chunks(sorted(number for number, count in parts.items() if not count)):
        tx.execute(delete(partly_sent).where(partly_sent.c.delivery_id.in_(chunk)))
