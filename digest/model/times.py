"""Schedules."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Frequency(StrEnum):
    """How often a slot fires."""

    ONCE = "once"
    DAILY = "daily"
    WEEKLY = "weekly"
    MONTHLY = "monthly"
    EVERY = "every"
    CRON = "cron"
    ALERT = "alert"
    """After each match pass, for follows that send alerts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """When a slot fires.

    Attributes:
        zone: an IANA name; for ``EVERY`` always ``UTC``.
        at: local time, ``07:30``; "" for ``EVERY``; for ``ONCE`` the instant, UTC; for ``CRON`` the expression.
        days: weekdays 0 (Monday) … 6 for ``DAILY`` and ``WEEKLY``; days of the month for ``MONTHLY``.
        every: seconds between firings for ``EVERY``, else 0.
        latest: local time at which an edition goes out even if incomplete; "" for none.
    """

    frequency: Frequency
    zone: str = "UTC"
    at: str = ""
    days: tuple[int, ...] = ()
    every: int = 0
    latest: str = ""
