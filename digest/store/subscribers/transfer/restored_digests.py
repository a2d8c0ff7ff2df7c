"""Digests that a reader imports from the archive of an account."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cache, partial

from sqlalchemy import insert, select, update

from digest.config import DigestSettings
from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import digests
from digest.store.subscribers.digest_locks import lock_digests
from digest.store.subscribers.digests import ENDED, MADE_ON_SITE, ensure_slot
from digest.store.subscribers.follows import declare_follows
from digest.store.subscribers.new_digests import ensure_alert_slot, load_mail_states, make_new_row
from digest.store.subscribers.public_digests import NewSubscriber, ensure_destinations


def list_active_names(tx: Transaction, subscriber: int) -> Sequence[str]:
    """Return the names of the digests of a subscriber that have not ended."""
    is_own = (digests.c.subscriber_id == subscriber) & (digests.c.made_by == MADE_ON_SITE)
    statement = select(digests.c.name).where(is_own, digests.c.state != ENDED).order_by(digests.c.id)
    return tx.execute(statement).scalars().all()


def restore_digest(
    tx: Transaction,
    subscriber: int,
    reader: NewSubscriber,
    digest: DigestSettings,
    *,
    now: datetime,
    first_seq: int,
) -> tuple[int, int]:
    """Create a digest of a reader, or begin one again that has ended and has its name.

    Args:
        tx: a writing transaction that has locked the mailbox.
        subscriber: the number of the reader.
        reader: the reader's address, and the language and time zone of the digest.
        digest: its declaration; the reader has no digest with its name.
        now: it has its first edition at once, and later ones by its schedule.
        first_seq: it begins after this event.

    Returns:
        The numbers of the digest and of its destination.
    """
    is_named = (digests.c.subscriber_id == subscriber) & (digests.c.name == digest.name)
    is_ended = is_named & (digests.c.made_by == MADE_ON_SITE)
    digest_id = tx.execute(select(digests.c.id).where(is_ended)).scalar()
    if digest_id is not None:
        lock_digests(tx, [digest_id])
    find_slot = cache(partial(ensure_slot, tx))
    minute = now.replace(second=0, microsecond=0)
    values = make_new_row(tx, find_slot, digest, now=minute, first_seq=first_seq) | {
        "is_customized": True,
        "change_note": None,
        "paused_until": None,
        "resume_from": "",
    }
    if digest_id is None:
        row = values | {"subscriber_id": subscriber, "made_by": MADE_ON_SITE, "name": digest.name}
        digest_id = tx.execute(insert(digests).values(row).returning(digests.c.id)).scalar_one()
    else:
        tx.execute(update(digests).where(digests.c.id == digest_id).values(values))
    ensure_alert_slot(tx, find_slot, digest.follows)
    declare_follows(tx, digest_id, digest.follows, first_seq, now)
    mail_states = load_mail_states(tx, [reader.mailbox])
    return digest_id, ensure_destinations(tx, {digest_id: reader}, mail_states)[reader.mailbox]
