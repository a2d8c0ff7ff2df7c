"""Addresses whose reader is gone: what is kept about them is erased, but that they must not be written to."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from digest.jobs.subscribers.signup.link_limits import hash_counted, hash_suppressed
from digest.jobs.subscribers.subscriptions import AddressStanding
from digest.store.database.engine import Store, Transaction
from digest.store.operations import erasure
from digest.store.operations.audit import Actor, AuditAction, record_change
from digest.store.subscribers.accounts import signups


def erase_address(
    tx: Transaction, mailbox: str, standing: AddressStanding, keys: Sequence[bytes], now: datetime
) -> bool:
    """Erase what is kept about an address, unless a digest goes there.

    If mail to it bounced for good, or its reader complained, a keyed hash of it stays, by which it gets no links.

    Args:
        tx: a transaction of ``Store.begin_erasure``, after the last digest has left the address.
        mailbox: the address in lower case.
        standing: the standing of the address before.
        keys: the keys of hashes; the first one makes the one that stays.
        now: the current time, UTC.

    Returns:
        Whether it was erased.
    """
    if erasure.is_destination(tx, mailbox):
        return False
    erasure.erase_mailbox(tx, mailbox)
    if _is_undeliverable(standing):
        signups.save_suppressed(tx, hash_suppressed(mailbox, keys[:1])[0], now)
    return True


def is_barred(tx: Transaction, mailbox: str, keys: Sequence[bytes]) -> bool:
    """Whether an address must not be written to whose reader has deleted everything or changed the address."""
    return signups.is_suppressed(tx, hash_suppressed(mailbox, keys))


def unbar_address(store: Store, actor: Actor, address: str, keys: Sequence[bytes], now: datetime) -> bool:
    """Let such an address be written to again, at once; return whether it could not.

    Args:
        store: the store.
        actor: the operator who decides.
        address: the address, in any case.
        keys: the keys of hashes.
        now: the current time, UTC.
    """
    mailbox = address.lower()
    with store.begin_write() as tx:
        is_changed = signups.remove_suppressed(tx, hash_suppressed(mailbox, keys))
        if is_changed:
            # Links that it did not get were counted as if it had got them.
            signups.delete_sent_times(tx, hash_counted(mailbox, keys))
            record_change(tx, actor, AuditAction.RESUME_ADDRESS, "", 1, now)
    return is_changed


def _is_undeliverable(standing: AddressStanding) -> bool:
    is_permanent = standing.suppression is not None and standing.suppression.until is None
    return is_permanent or standing.complaint is not None
