"""Limits of the mails with links: strangers must not be able to fill anybody's mailbox with them."""

from __future__ import annotations

from datetime import datetime

from digest.core.delivery.signup_links import hash_mailbox
from digest.core.subscribers.signup_rules import NETWORK_RATE, TOTAL_RATE, may_write, select_kept
from digest.store.database.engine import Transaction
from digest.store.delivery import suppressions
from digest.store.publishing import request_rates
from digest.store.subscribers import signups


def take_mail(tx: Transaction, mailbox: str, network: str, key: bytes, now: datetime) -> bool:
    """Record that an address is written to; return False if it must not be.

    Args:
        tx: a writing transaction.
        mailbox: the address in lower case.
        network: the network of whoever asked; "" if it is not known.
        key: the key of the hash under which it is kept when the address was written to.
        now: the current time, UTC.
    """
    if suppressions.list_suppressions(tx, [mailbox]):
        return False
    mailbox_hash = hash_mailbox(mailbox, key)
    sent_at = signups.lock_sent_times(tx, mailbox_hash, now)
    if not may_write(sent_at, now):
        return False
    rates = {f"sign-ups:{network}": NETWORK_RATE} if network else {}
    if not request_rates.take_request(tx, rates | {"sign-ups": TOTAL_RATE}, now):
        return False
    signups.save_sent_times(tx, mailbox_hash, select_kept([*sent_at, now], now))
    return True
