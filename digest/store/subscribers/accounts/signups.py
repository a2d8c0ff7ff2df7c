"""Sign-ups that are not confirmed, and links that were used. No row has an address."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import delete, select

from digest.store.database.dialect import add_missing, insert_ignoring, insert_or_update
from digest.store.database.engine import Transaction
from digest.store.database.tables.readers import link_mails, suppressed_hashes, used_links


def lock_sent_times(tx: Transaction, mailbox_hash: str, now: datetime) -> list[datetime]:
    """Return when an address was written to, and keep others from changing it until the transaction ends.

    Args:
        tx: a writing transaction.
        mailbox_hash: the keyed hash of the address.
        now: the current time.
    """
    add_missing(tx, link_mails, [{"mailbox_hash": mailbox_hash, "sent_at": [], "last_at": now}])
    statement = select(link_mails.c.sent_at).where(link_mails.c.mailbox_hash == mailbox_hash)
    return [datetime.fromisoformat(text) for text in tx.execute(statement.with_for_update()).scalar_one()]


def save_sent_times(tx: Transaction, mailbox_hash: str, sent_at: Sequence[datetime]) -> None:
    """Save when an address was written to."""
    row = {
        "mailbox_hash": mailbox_hash,
        "sent_at": [at.isoformat() for at in sent_at],
        "last_at": max(sent_at),
    }
    insert_or_update(tx, link_mails, [row], key=("mailbox_hash",))


def delete_sent_times(tx: Transaction, hashes: Sequence[str]) -> None:
    """Forget when an address was written to, which is given by its keyed hashes."""
    tx.execute(delete(link_mails).where(link_mails.c.mailbox_hash.in_(hashes)))


def save_suppressed(tx: Transaction, mailbox_hash: str, now: datetime) -> None:
    """Record that an address must not be written to, by a keyed hash of it."""
    add_missing(tx, suppressed_hashes, [{"mailbox_hash": mailbox_hash, "since": now}])


def is_suppressed(tx: Transaction, hashes: Sequence[str]) -> bool:
    """Whether an address must not be written to, which is given by its keyed hashes."""
    statement = select(suppressed_hashes.c.since).where(suppressed_hashes.c.mailbox_hash.in_(hashes))
    return tx.execute(statement.limit(1)).first() is not None


def remove_suppressed(tx: Transaction, hashes: Sequence[str]) -> bool:
    """Let an address be written to again; return whether it could not."""
    is_address = suppressed_hashes.c.mailbox_hash.in_(hashes)
    return tx.execute(delete(suppressed_hashes).where(is_address)).rowcount > 0


def has_old(tx: Transaction, kept_for: timedelta, now: datetime) -> bool:
    """Whether ``forget_old`` would delete anything."""
    statement = select(link_mails.c.mailbox_hash).where(link_mails.c.last_at < now - kept_for).limit(1)
    used = select(used_links.c.token_hash).where(used_links.c.expires_at < now).limit(1)
    return any(tx.execute(entry).first() is not None for entry in (statement, used))


def forget_old(tx: Transaction, kept_for: timedelta, now: datetime) -> int:
    """Delete what is older than it is kept, and links that are not valid any more; return the number of rows."""
    old = tx.execute(delete(link_mails).where(link_mails.c.last_at < now - kept_for)).rowcount
    return old + tx.execute(delete(used_links).where(used_links.c.expires_at < now)).rowcount


def use_link(tx: Transaction, token_hash: str, expires_at: datetime) -> bool:
    """Record that a link was used; return False if it was used before.

    Args:
        tx: a writing transaction.
        token_hash: the hash of its token.
        expires_at: when the link is not valid any more, so that it need not be remembered.
    """
    statement = insert_ignoring(tx, used_links).returning(used_links.c.token_hash)
    row = {"token_hash": token_hash, "expires_at": expires_at}
    return tx.execute(statement, row).scalar() is not None


def is_used(tx: Transaction, token_hash: str) -> bool:
    """Whether a link was used."""
    statement = select(used_links.c.token_hash).where(used_links.c.token_hash == token_hash)
    return tx.execute(statement).scalar() is not None
