"""Pauses of domains that asked for less mail, and of servers in trouble: when they begin, how long they last, when they end."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from digest.core.times.retry import compute_outage_pause

_MAX_PAUSE = timedelta(hours=1)
"""Longest pause. One that ends later means a wrong clock, and does not count."""
_DOMAIN_PAUSE = timedelta(minutes=1)
"""Pause of a domain that does not say how long to wait."""
_MAX_SLOWDOWN = 256.0
"""Highest factor by which a domain is slowed down."""
_MIN_TRIAL_INTERVAL = timedelta(minutes=2)
"""Shortest time from the beginning of a server's pause to the first trial."""


# --- domains --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainPause:
    """The pause of a domain that asked for less mail.

    Attributes:
        until: end of the pause; None if there was none.
        reason: the words of its server.
        slowdown: factor by which it is slowed down from the end of the pause on; it decreases with time.
    """

    until: datetime | None = None
    reason: str = ""
    slowdown: float = 1.0


def slow_down_domain(
    pause: DomainPause,
    slowdown: float,
    now: datetime,
    reason: str,
    retry_after: timedelta | None = None,
) -> DomainPause:
    """Return the pause of a domain that just asked for less mail: a minute or what it asks for, then half of its rate.

    Args:
        pause: its last pause.
        slowdown: the factor by which it is slowed down at present.
        now: the time; complaints during a pause are about messages that were sent before it.
        reason: the words of its server.
        retry_after: how long it asks us to wait; None if it does not say.
    """
    until = now + min(max(_DOMAIN_PAUSE, retry_after or _DOMAIN_PAUSE), _MAX_PAUSE)
    if not is_pausing(pause.until, now):
        return DomainPause(until=until, reason=reason, slowdown=min(slowdown * 2, _MAX_SLOWDOWN))
    if retry_after is not None and pause.until is not None and until > pause.until:
        return replace(pause, until=until, reason=reason)
    return pause


# --- servers --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerFailure:
    """The trouble of a server.

    Attributes:
        since: when its pause began, or when it came into doubt.
        until: nothing is sent to it earlier.
        reason: what happened, in words.
        took_others: whether it accepted messages in the pass in which it came into doubt.
        trial_at: from then on it may get messages that became due since; None if it is in doubt and not paused.
    """

    since: datetime
    until: datetime
    reason: str
    took_others: bool = False
    trial_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerPause:
    """The state of a server that all processes share.

    Attributes:
        until: end of its pause, or when it came into doubt; None if it works.
        count: number of pauses in a row; 0 if it is in doubt, or works.
        trial_at: when it may be tried during the pause.
        reason: what happened, in words.
        took_others: whether it accepted messages in the pass in which it came into doubt.
    """

    until: datetime | None
    count: int
    trial_at: datetime
    reason: str = ""
    took_others: bool = False

    @property
    def began_at(self) -> datetime | None:
        """When the pause began, or the server came into doubt; None if it works."""
        if self.until is None or not self.count:
            return self.until
        return self.until - compute_outage_pause(self.count)

    @property
    def failure(self) -> ServerFailure | None:
        """The trouble of the server; None if it works."""
        if self.until is None or self.began_at is None:
            return None
        return ServerFailure(
            since=self.began_at,
            until=self.until,
            reason=self.reason,
            took_others=self.took_others,
            trial_at=self.trial_at if self.count else None,
        )


def pause_server(pause: ServerPause, now: datetime, reason: str) -> ServerPause | None:
    """Return the pause of a server that just failed, which is longer each time.

    Returns:
        The new pause; None if the last one stays as it is, because it lasts and the server cannot have been tried since.
    """
    is_trial = is_pausing(pause.until, now)
    if is_trial and now < pause.trial_at:
        return None
    until = now + compute_outage_pause(pause.count + 1)
    interval = _get_trial_interval(pause) * (2 if is_trial else 1)
    return ServerPause(
        until=until,
        count=pause.count + 1,
        trial_at=now + min(interval, max(until - now, _MIN_TRIAL_INTERVAL)),
        reason=reason,
    )


def _get_trial_interval(pause: ServerPause) -> timedelta:
    """Return the time from the beginning of a pause to its trial."""
    if pause.began_at is None or not pause.count:
        return _MIN_TRIAL_INTERVAL
    return min(max(pause.trial_at - pause.began_at, _MIN_TRIAL_INTERVAL), _MAX_PAUSE)


def is_recovered(pause: ServerPause, now: datetime) -> bool:
    """Whether a server that just accepted a message works again; a pause that another connection just began stays."""
    if pause.until is None or pause.began_at is None:
        return False
    return pause.until <= now or now >= pause.began_at + _MIN_TRIAL_INTERVAL


def is_server_paused(failure: ServerFailure, now: datetime) -> bool:
    """Whether the pause of a server lasts."""
    return is_pausing(failure.until, now)


def is_trial_allowed(failure: ServerFailure, newest_due_at: datetime | None, now: datetime) -> bool:
    """Whether a paused server may get messages that became due since, so that they do not wait for earlier failures.

    Args:
        failure: its trouble.
        newest_due_at: when the newest of the due deliveries became due; None if none are.
        now: the time.
    """
    return (
        newest_due_at is not None
        and failure.trial_at is not None
        and newest_due_at > failure.since
        and now >= failure.trial_at
    )


def is_pausing(until: datetime | None, now: datetime) -> bool:
    """Whether a pause lasts that ends at this time."""
    return until is not None and now < until <= now + _MAX_PAUSE
