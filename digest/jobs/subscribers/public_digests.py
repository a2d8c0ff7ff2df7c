"""Public digests of the file: readers subscribe to them on the site, and get what the file changes in them."""

from __future__ import annotations

from datetime import datetime

from digest.config import PublicDigestSettings, Settings
from digest.config.values import read_address
from digest.core.times.schedule import load_zone
from digest.jobs.operations.sync_config import find_first_seq, require_same_file
from digest.store.database.engine import Store, Transaction
from digest.store.subscribers import public_digests as rows
from digest.store.subscribers.public_digests import NewSubscriber


def subscribe(
    tx: Transaction,
    public_digest: PublicDigestSettings,
    address: str,
    *,
    language: str,
    zone: str,
    now: datetime,
) -> int:
    """Subscribe a mail address to a public digest; if it is subscribed, nothing changes.

    The reader gets a digest of their own with the follows and options of the public digest, and a first edition at
    once. A reader who had unsubscribed, paused or deleted it gets it again; one whose address is suppressed because
    mail bounced gets nothing until the suppression ends.

    Args:
        tx: a writing transaction that has locked the mailbox.
        public_digest: the public digest.
        address: the mail address, which the reader has confirmed.
        language: the language of the reader; "" for that of the site.
        zone: the IANA name of the reader's time zone; "" for that of the public digest.
        now: the current time, UTC.

    Returns:
        The number of the destination.

    Raises:
        ConfigError: the address or the time zone is invalid.
    """
    options = public_digest.digest.options
    zone = zone or options.timezone
    load_zone(zone)
    reader = NewSubscriber(address=read_address(address), language=language or options.language, zone=zone)
    destinations = rows.subscribe_readers(tx, public_digest, [reader], now, find_first_seq(tx))
    return destinations[reader.mailbox]


def apply_public_digests(store: Store, settings: Settings, now: datetime, applied: str) -> None:
    """Bring the changes of public digests to readers who have changed nothing in their copies.

    Applying the same file again reads one table. Copies are updated in several transactions, each of which lets
    other processes write before the next one; if this is interrupted, the next command updates the rest. A public
    digest that is no longer in the file stays with those who have it.

    Args:
        store: the store.
        settings: the configuration.
        now: the current time, UTC.
        applied: what ``apply_config`` returned for the same configuration.

    Raises:
        ConfigError: another file was applied in the meantime.
    """
    if not settings.public_digests:
        return
    with store.begin_read() as tx:
        applied_hashes = rows.load_applied(tx)
    for public_digest in settings.public_digests:
        if applied_hashes.get(public_digest.name) != rows.hash_public_digest(public_digest):
            _update_copies(store, public_digest, now, applied)


def _update_copies(store: Store, public_digest: PublicDigestSettings, now: datetime, applied: str) -> None:
    after_subscriber = 0
    is_complete = False
    while not is_complete:
        with store.begin_planning() as tx:
            require_same_file(tx, applied)
            last_subscriber = rows.update_copies(tx, public_digest, after_subscriber, now)
            # A process with an older file may have written copies behind this one, so it ends with a pass that finds none.
            is_complete = last_subscriber is None and after_subscriber == 0
            if is_complete:
                rows.record_applied(tx, public_digest)
        after_subscriber = last_subscriber or 0
