"""What can come of asking a host."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum

from digest.core.fetching.limits import HostLimits
from digest.failures import FailureKind
from digest.ports import Response


@dataclass(frozen=True, slots=True, kw_only=True)
class Validators:
    """What the last whole answer from the same address left; "" for what there was none of.

    Attributes:
        etag: a validator, byte for byte; so is ``last_modified``.
        body_hash: for hosts that send the same again without saying so.
    """

    etag: str = ""
    last_modified: str = ""
    body_hash: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """A whole answer, for its source to read; it can be a refusal that the source understands.

    Attributes:
        validators: what to ask with next time.
        moved_to: where the address says that it has moved to for good; "" if it does not.
        limits: what the host tells of them.
        fresh_for: how long it need not be asked again; None if it does not say.
    """

    response: Response
    validators: Validators = field(default_factory=Validators)
    moved_to: str = ""
    limits: HostLimits = field(default_factory=HostLimits)
    fresh_for: timedelta | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NotModified:
    """Nothing changed since the last whole answer: the host says so, or has sent the same again.

    Attributes:
        moved_to: as for ``Fetched``; so are the others.
    """

    moved_to: str = ""
    limits: HostLimits = field(default_factory=HostLimits)
    fresh_for: timedelta | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PermanentlyGone:
    """The address is gone for good (HTTP 410).

    Attributes:
        message: that, to go behind the source's name.
    """

    message: str


class FetchFailureState(StrEnum):
    """Why there is nothing to read, by what helps."""

    AWAY = "away"
    """It cannot be reached, or does not answer in time: later."""
    CUT_OFF = "cut-off"
    """Its answer breaks off: later."""
    BUSY = "busy"
    """It answers that it cannot now: later."""
    THROTTLED = "throttled"
    """It is asked too often: after a pause."""
    QUOTA = "quota"
    """What it gives us in hours is used up: not before it says so."""
    DENIED = "denied"
    """It does not want us: in hours, and a person should look."""
    UNUSABLE = "unusable"
    """The address or the answer cannot be used as it is: a person should look."""


_FAILURES = {
    FetchFailureState.AWAY: FailureKind.UNREACHED,
    FetchFailureState.CUT_OFF: FailureKind.CUT_OFF,
    FetchFailureState.BUSY: FailureKind.BUSY,
    FetchFailureState.THROTTLED: FailureKind.PAUSED,
    FetchFailureState.QUOTA: FailureKind.PAUSED,
    FetchFailureState.DENIED: FailureKind.REFUSED,
    FetchFailureState.UNUSABLE: FailureKind.UNREADABLE,
}
"""What readers are told of each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchFailure:
    """No answer to read.

    Attributes:
        message: what happened, to go behind the source's name.
        pause: how long the host wants not to be asked; None if it did not say.
        limits: what the host tells of them.
    """

    message: str
    state: FetchFailureState
    pause: timedelta | None = None
    limits: HostLimits = field(default_factory=HostLimits)

    @property
    def failure(self) -> FailureKind:
        """What readers are told of it."""
        return _FAILURES[self.state]


FetchResult = Fetched | NotModified | PermanentlyGone | FetchFailure
