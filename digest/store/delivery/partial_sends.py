"""Progress of deliveries that consist of several messages, so that messages that arrived are not sent again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import delete, select

from digest.store.database.dialect import insert_or_update, split_into_chunks
from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import partly_sent
from digest.store.delivery.outbox import select_present


def load_progress(tx: Transaction, delivery_ids: Sequence[int]) -> dict[int, int]:
    """Return how many of the first messages of each delivery have arrived; deliveries without any are omitted."""
    progress: dict[int, int] = {}
    for chunk in split_into_chunks(delivery_ids):
        statement = select(partly_sent).where(partly_sent.c.delivery_id.in_(chunk))
        progress |= {row.delivery_id: row.parts for row in tx.execute(statement)}
    return progress


def save_progress(tx: Transaction, parts: Mapping[int, int]) -> None:
    """Store how many messages of deliveries have arrived; 0 removes the entry. Deliveries that are gone are left out."""
    present = select_present(tx, [number for number, count in parts.items() if count])
    rows = [{"delivery_id": number, "parts": parts[number]} for number in sorted(present)]
    insert_or_update(tx, partly_sent, rows, key=("delivery_id",))
    for chunk in split_into_chunks(sorted(number for number, count in parts.items() if not count)):
        tx.execute(delete(partly_sent).where(partly_sent.c.delivery_id.in_(chunk)))
