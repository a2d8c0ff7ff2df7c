"""A digest that a subscriber made on the site, as "Your account" shows it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from digest.core.times.schedule import find_next_firing
from digest.model import Schedule


class OwnDigestState(StrEnum):
    """Whether editions come, or why none do."""

    ACTIVE = "active"
    PAUSED = "paused"
    UNSUBSCRIBED = "unsubscribed"
    BOUNCED = "bounced"
    """Mail to the address came back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnDigest:
    """A digest, and one of its destinations.

    Attributes:
        destination: the number of the destination.
        title: the title of the digest.
        zone: its time zone.
        schedule: the schedule by which it continues.
        state: whether editions come.
        paused_until: when its pause ends by itself; None if somebody has to resume it, or it is not paused.
        is_new: whether its first edition, which comes outside the schedule, is still to be made.
    """

    destination: int
    title: str
    zone: str
    schedule: Schedule
    state: OwnDigestState
    paused_until: datetime | None
    is_new: bool


def list_next_dates(digest: OwnDigest, limit: int, now: datetime) -> tuple[datetime, ...]:
    """Return when the next editions are due by the schedule, at most ``limit``; none if no editions come."""
    dates: list[datetime] = []
    if digest.state is not OwnDigestState.ACTIVE:
        return ()
    while len(dates) < limit:
        firing = find_next_firing(digest.schedule, dates[-1] if dates else now)
        if firing is None:
            break
        dates.append(firing.at)
    return tuple(dates)
