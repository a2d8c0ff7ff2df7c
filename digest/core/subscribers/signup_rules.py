"""Who may sign up, and how often somebody is written to who has not confirmed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from digest.core.delivery.throttling.rates import Rate

MIN_INTERVAL = timedelta(minutes=10)
"""Time between two mails to one address."""
PERIOD, MAX_MAILS = timedelta(days=1), 3
"""Number of mails to one address in a period."""
NETWORK_RATE, TOTAL_RATE = Rate(20, timedelta(hours=1)), Rate(2_000, timedelta(hours=1))
"""Number of mails with links that one network causes, and all together."""
KEPT_FOR = timedelta(hours=48)
"""How long it is kept when an address was written to, without the address."""


def may_write(sent_at: Sequence[datetime], now: datetime) -> bool:
    """Whether an address may be written to now.

    Args:
        sent_at: when it was written to, in any order. A time in the future was recorded by a wrong clock, and does
            not count.
        now: the current time.
    """
    past = [at for at in sent_at if at <= now]
    recent = [at for at in past if now - at < PERIOD]
    return len(recent) < MAX_MAILS and all(now - at >= MIN_INTERVAL for at in recent)


def select_kept(sent_at: Sequence[datetime], now: datetime) -> list[datetime]:
    """Return those times that still matter, oldest first."""
    return sorted(at for at in sent_at if now - KEPT_FOR < at <= now)[-MAX_MAILS:]
