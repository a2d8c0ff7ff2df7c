"""Deletion of a reader, at their own request: everything goes at once, but that an address must not be written to."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from digest.core.subscribers.sessions import Session
from digest.jobs.subscribers.accounts.address_changes import CHANGE_KIND
from digest.jobs.subscribers.accounts.erased_addresses import erase_address
from digest.jobs.subscribers.signup.link_limits import hash_counted
from digest.jobs.subscribers.signup.sign_ins import OPERATOR_KIND, SIGNIN_KIND
from digest.jobs.subscribers.subscriptions import load_standing
from digest.store.database.dialect import lock_mailboxes
from digest.store.database.engine import Store
from digest.store.operations import erasure
from digest.store.operations.growth import ReaderEvent, count_event
from digest.store.subscribers.accounts import signups


def delete_reader(store: Store, session: Session, keys: Sequence[bytes], now: datetime) -> None:
    """Delete the reader of a session with everything that they made on the site.

    What is known about their address goes as well, and about former ones. A keyed hash stays of an address that bounced
    for good or complained, and everything about one to which the configuration file sends a digest.

    Args:
        store: the store.
        session: the session.
        keys: the keys of hashes; the first one makes the one that stays.
        now: the current time, UTC.
    """
    with store.begin_erasure() as tx:
        lock_mailboxes(tx, [session.address])
        mailboxes = {session.address, *erasure.list_reported(tx, session.subscriber)}
        standings = {mailbox: load_standing(tx, mailbox, now) for mailbox in sorted(mailboxes)}
        erasure.erase_subscriber(tx, session.subscriber)
        erased = [
            mailbox
            for mailbox, standing in standings.items()
            if erase_address(tx, mailbox, standing, keys, now)
        ]
        if session.address in erased:
            for kind in ("", CHANGE_KIND, SIGNIN_KIND, OPERATOR_KIND):
                signups.delete_sent_times(tx, hash_counted(session.address, keys, kind))
        count_event(tx, ReaderEvent.DELETION, now)
    store.forget_deleted()
