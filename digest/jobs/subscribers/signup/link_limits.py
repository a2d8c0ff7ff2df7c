"""Limits of the mails with links: strangers must not be able to fill anybody's mailbox with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from digest.core.delivery.signup_links import hash_mailbox
from digest.core.subscribers.signup_rules import (
    MAX_MAILS,
    NETWORK_RATE,
    TOTAL_RATE,
    may_write,
    reduce_mailbox,
    select_kept,
)
from digest.store.database.engine import Store, Transaction
from digest.store.delivery import suppressions
from digest.store.publishing import request_rates
from digest.store.subscribers.accounts import signups


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedLink:
    """A link, which is also made for those who do not get it, so that the work is the same for everybody.

    Attributes:
        token: its token.
        may_be_sent: whether its address may have it.
    """

    token: str
    may_be_sent: bool


def take_form(store: Store, network: str, now: datetime) -> bool:
    """Count a form that asks for a link; return False if its network, or all together, have sent too many.

    Args:
        store: the store.
        network: the network of whoever sent it; "" if it is not known, which counts as one network.
        now: the current time, UTC.
    """
    rates = {f"sign-ups:{network}": NETWORK_RATE, "sign-ups": TOTAL_RATE}
    with store.begin_write() as tx:
        return request_rates.take_request(tx, rates, now)


def take_mail(
    tx: Transaction,
    mailbox: str,
    keys: Sequence[bytes],
    now: datetime,
    *,
    kind: str = "",
    max_mails: int = MAX_MAILS,
) -> bool:
    """Record that an address is written to; return False if it must not be.

    The statements are the same in both cases, as whoever fills in a form can measure them. Commit in both cases: a
    rollback takes less time.

    Args:
        tx: a writing transaction.
        mailbox: the address in lower case.
        keys: the keys of the hashes under which it is kept when the address was written to.
        now: the current time, UTC.
        kind: the kind of the mail; each is counted apart, and "" is that of mails for which anybody can ask.
        max_mails: the number of mails of this kind to one address in a day.
    """
    hashes = hash_counted(mailbox, keys, kind)
    sent_at = [at for mailbox_hash in hashes for at in signups.lock_sent_times(tx, mailbox_hash, now)]
    is_within_limits = may_write(sent_at, now, max_mails)
    times = select_kept([*sent_at, now] if is_within_limits else sent_at, now, max_mails)
    for mailbox_hash in hashes:
        signups.save_sent_times(tx, mailbox_hash, times)
    suppressed = suppressions.list_suppressions(tx, [mailbox])
    is_erased = signups.is_suppressed(tx, hash_suppressed(mailbox, keys))
    return is_within_limits and not suppressed and not is_erased


def hash_counted(mailbox: str, keys: Sequence[bytes], kind: str = "") -> list[str]:
    """Return the hashes under which mails of a kind to an address are counted, one for each key."""
    counted = f"{kind} {reduce_mailbox(mailbox)}".lstrip()
    return [hash_mailbox(counted, key) for key in keys]


def hash_suppressed(mailbox: str, keys: Sequence[bytes]) -> list[str]:
    """Return the hashes under which it is kept that an address must not be written to, one for each key."""
    return [hash_mailbox(f"suppressed {mailbox}", key) for key in keys]
