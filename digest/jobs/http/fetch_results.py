"""The possible results of a request."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum

from digest.core.fetching.limits import HostLimits
from digest.failures import FailureKind
from digest.ports import Response


@dataclass(frozen=True, slots=True, kw_only=True)
class Validators:
    """The validators of the last complete answer from the same address; "" if it had none.

    Attributes:
        etag: the ETag, byte for byte.
        last_modified: the Last-Modified header, byte for byte.
        body_hash: a hash of the body, for hosts that send the same body again without saying so.
    """

    etag: str = ""
    last_modified: str = ""
    body_hash: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """A complete answer for its source to read; it may be a refusal that the source understands.

    Attributes:
        validators: the validators for the next request.
        moved_to: the target of a permanent redirect; "" if there was none.
        limits: what the host says about its limits.
        fresh_for: how long the answer stays fresh; None if the host does not say.
    """

    response: Response
    validators: Validators = field(default_factory=Validators)
    moved_to: str = ""
    limits: HostLimits = field(default_factory=HostLimits)
    fresh_for: timedelta | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NotModified:
    """Nothing changed since the last complete answer, according to the status or the hash of the body.

    Attributes:
        moved_to: as for ``Fetched``; likewise ``limits`` and ``fresh_for``.
    """

    moved_to: str = ""
    limits: HostLimits = field(default_factory=HostLimits)
    fresh_for: timedelta | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PermanentlyGone:
    """The address is permanently gone (HTTP 410).

    Attributes:
        message: a message that follows the name of the source.
    """

    message: str


class FetchFailureState(StrEnum):
    """Why there is no answer to read, by what helps."""

    AWAY = "away"
    """The host cannot be reached, or does not answer in time: retry later."""
    CUT_OFF = "cut-off"
    """The answer was cut off: retry later."""
    BUSY = "busy"
    """The host is temporarily unable to answer: retry later."""
    THROTTLED = "throttled"
    """The request rate is too high: retry after a pause."""
    QUOTA = "quota"
    """A quota of hours is used up: retry when the host allows it."""
    DENIED = "denied"
    """The host denies access: retry after hours; a person should look at it."""
    UNUSABLE = "unusable"
    """The address or the answer cannot be used: a person should look at it."""


_FAILURES = {
    FetchFailureState.AWAY: FailureKind.UNREACHED,
    FetchFailureState.CUT_OFF: FailureKind.CUT_OFF,
    FetchFailureState.BUSY: FailureKind.BUSY,
    FetchFailureState.THROTTLED: FailureKind.PAUSED,
    FetchFailureState.QUOTA: FailureKind.PAUSED,
    FetchFailureState.DENIED: FailureKind.REFUSED,
    FetchFailureState.UNUSABLE: FailureKind.UNREADABLE,
}
"""The kind of failure that readers see, by state."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchFailure:
    """A request without an answer to read.

    Attributes:
        message: what happened; it follows the name of the source.
        state: why there is no answer.
        pause: the pause that the host asks for; None if it does not.
        limits: what the host says about its limits.
    """

    message: str
    state: FetchFailureState
    pause: timedelta | None = None
    limits: HostLimits = field(default_factory=HostLimits)

    @property
    def failure(self) -> FailureKind:
        """The kind of failure that readers see."""
        return _FAILURES[self.state]


FetchResult = Fetched | NotModified | PermanentlyGone | FetchFailure
