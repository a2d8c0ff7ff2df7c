"""Locks of digests and of their slots, for whoever changes digests; docs/internals.md has the order of all locks.

A slot whose row is locked does not fire, its runs do not close, and no digest enters or leaves it. So a follow
that is being added is in a run that closes and is matched for it, or the run waits, or the follow begins after it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from sqlalchemy import select

from digest.store.database.dialect import has_row_locks, split_into_chunks
from digest.store.database.engine import Transaction
from digest.store.database.lock_times import LockKind, measure_wait
from digest.store.database.tables.digests import digests, slots


def lock_digests(tx: Transaction, digest_ids: Collection[int]) -> None:
    """Lock digests until the transaction ends, and before them their slots, which readers share.

    Lock all digests of a transaction by one call, before it reads what it changes. A digest that does not exist
    is skipped.

    Args:
        tx: a writing transaction that has neither locked nor changed a slot, digest or query.
        digest_ids: the numbers of the digests.
    """
    if not has_row_locks(tx):
        return
    ordered_ids = sorted(set(digest_ids))
    while True:
        savepoint = tx.begin_nested()
        former_slots = _load_slots(tx, ordered_ids, lock=False)
        lock_slots(tx, former_slots.values())
        if _load_slots(tx, ordered_ids, lock=True) == former_slots:
            savepoint.commit()
            return
        # A digest has moved to another slot in the meantime. This returns the locks, to take them again in order.
        savepoint.rollback()


def lock_slots(tx: Transaction, slot_ids: Iterable[int], *, is_exclusive: bool = False) -> None:
    """Lock slots until the transaction ends.

    Args:
        tx: a writing transaction that has locked nothing that comes after slots.
        slot_ids: the numbers of the slots.
        is_exclusive: whether to fire or close runs or to move digests; False to change digests, which others may
            do at the same time.
    """
    for chunk in split_into_chunks(sorted(set(slot_ids))):
        statement = select(slots.c.id).where(slots.c.id.in_(chunk)).order_by(slots.c.id)
        # Either way, new digests may refer to the slots.
        with measure_wait(LockKind.SLOTS):
            tx.execute(statement.with_for_update(read=not is_exclusive, key_share=is_exclusive)).all()


def _load_slots(tx: Transaction, digest_ids: Collection[int], *, lock: bool) -> dict[int, int]:
    """Return the slots of digests by digest, and lock the digests if this is wanted."""
    slots_by_digest: dict[int, int] = {}
    for chunk in split_into_chunks(list(digest_ids)):
        statement = (
            select(digests.c.id, digests.c.slot_id).where(digests.c.id.in_(chunk)).order_by(digests.c.id)
        )
        with measure_wait(LockKind.DIGESTS if lock else None):
            rows = tx.execute(statement.with_for_update(key_share=True) if lock else statement)
        slots_by_digest.update((row.id, row.slot_id) for row in rows)
    return slots_by_digest
