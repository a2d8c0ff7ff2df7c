"""Who may sign up, and how often somebody is written to who has not confirmed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from digest.core.delivery.throttling.rates import Rate

MIN_INTERVAL = timedelta(minutes=10)
"""Time between two mails to one address."""
PERIOD, MAX_MAILS = timedelta(days=1), 3
"""Number of mails to one address in a period."""
MAX_OPERATOR_MAILS = 24
"""The same for an operator who is signed in and signs in again, as operators have to every hour."""
MAX_DIGESTS = 20
"""Number of digests of a reader."""
_MAX_ADDRESS = 254
_DOT_ATOM = re.compile(r"[^.]+(?:\.[^.]+)*")
_LABEL = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?")
_DOMAINS_WITHOUT_DOTS = frozenset({"gmail.com", "googlemail.com"})
NETWORK_RATE, TOTAL_RATE = Rate(60, timedelta(hours=1)), Rate(2_000, timedelta(hours=1))
"""Number of forms that one network and all together may send; who they are for makes no difference."""
KEPT_FOR = timedelta(hours=48)
"""How long it is kept when an address was written to, without the address."""


def find_address_mistake(address: str) -> bool:
    """Whether an address that is valid by its signs cannot be a mailbox on the internet.

    Args:
        address: the address, with its domain in DNS form.

    The limits are those of RFC 5321, section 4.5.3.1, and RFC 1035, section 2.3.4.
    """
    local_part, _, domain = address.rpartition("@")
    labels = domain.split(".")
    return (
        len(address) > _MAX_ADDRESS
        or not _DOT_ATOM.fullmatch(local_part)
        or len(labels) < 2
        or not all(_LABEL.fullmatch(label) for label in labels)
        or labels[-1].isdigit()
    )


def reduce_mailbox(mailbox: str) -> str:
    """Return the mailbox that an address most likely leads to, by which mails to it are counted.

    What follows a plus leads to the same mailbox at most providers, and dots mean nothing at Gmail's.

    Args:
        mailbox: the address in lower case.
    """
    local_part, _, domain = mailbox.rpartition("@")
    local_part = local_part.partition("+")[0] or local_part
    if domain in _DOMAINS_WITHOUT_DOTS:
        local_part = local_part.replace(".", "")
    return f"{local_part}@{domain}"


def may_write(sent_at: Sequence[datetime], now: datetime, max_mails: int = MAX_MAILS) -> bool:
    """Whether an address may be written to now.

    Args:
        sent_at: when it was written to, in any order. A time in the future was recorded by a wrong clock, and does
            not count.
        now: the current time.
        max_mails: the number of mails to it in a period.
    """
    past = [at for at in sent_at if at <= now]
    recent = [at for at in past if now - at < PERIOD]
    return len(recent) < max_mails and all(now - at >= MIN_INTERVAL for at in recent)


def select_kept(sent_at: Sequence[datetime], now: datetime, max_mails: int = MAX_MAILS) -> list[datetime]:
    """Return those times that still matter, oldest first."""
    return sorted(at for at in sent_at if now - KEPT_FOR < at <= now)[-max_mails:]
