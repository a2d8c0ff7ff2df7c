"""Deletion of a reader, at their own request: everything goes at once, but that an address must not be written to."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from digest.core.subscribers.sessions import Session
from digest.jobs.subscribers.accounts.address_changes import CHANGE_KIND
from digest.jobs.subscribers.link_limits import hash_counted, hash_suppressed
from digest.jobs.subscribers.sign_ins import SIGNIN_KIND
from digest.jobs.subscribers.subscriptions import AddressStanding, load_standing
from digest.store.database.engine import Store, Transaction
from digest.store.operations import erasure
from digest.store.subscribers import signups


def delete_reader(store: Store, session: Session, keys: Sequence[bytes], now: datetime) -> None:
    """Delete the reader of a session with everything that they made on the site.

    If mail to the address bounced for good, or its reader complained, a keyed hash of it stays, by which nobody is
    written to there. If the configuration file sends a digest there, what is known about the address stays as well.

    Args:
        store: the store.
        session: the session.
        keys: the keys of hashes; the first one makes the one that stays.
        now: the current time, UTC.
    """
    mailbox = session.address
    with store.begin_planning() as tx:
        standing = load_standing(tx, mailbox, now)
        erasure.erase_subscriber(tx, session.subscriber)
        if erasure.is_destination(tx, mailbox):
            return
        hashes = [
            mailbox_hash
            for kind in ("", CHANGE_KIND, SIGNIN_KIND)
            for mailbox_hash in hash_counted(mailbox, keys, kind)
        ]
        erasure.erase_mailbox(tx, mailbox, hashes)
        if _is_barred(standing):
            signups.save_suppressed(tx, hash_suppressed(mailbox, keys[:1])[0], now)


def is_barred(tx: Transaction, mailbox: str, keys: Sequence[bytes]) -> bool:
    """Whether an address must not be written to whose reader has deleted everything."""
    return signups.is_suppressed(tx, hash_suppressed(mailbox, keys))


def unbar_address(store: Store, address: str, keys: Sequence[bytes]) -> bool:
    """Let an address be written to again whose reader has deleted everything; return whether it could not."""
    with store.begin_write() as tx:
        return signups.remove_suppressed(tx, hash_suppressed(address.lower(), keys))


def _is_barred(standing: AddressStanding) -> bool:
    is_permanent = standing.suppression is not None and standing.suppression.until is None
    return is_permanent or standing.complaint is not None
