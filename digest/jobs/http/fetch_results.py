"""What can come of asking a host."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum

from digest.core.fetching.limits import Limits
from digest.failures import FailureKind
from digest.ports import Response


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What the last whole answer from the same address left; "" for what there was none of.

    Attributes:
        etag: a validator, byte for byte; so is ``last_modified``.
        body_hash: for hosts that send the same again without saying so.
    """

    etag: str = ""
    last_modified: str = ""
    body_hash: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Got:
    """A whole answer, for its source to read; it can be a refusal that the source understands.

    Attributes:
        known: what to ask with next time.
        moved_to: where the address says that it has moved to for good; "" if it does not.
        limits: what the host tells of them.
        fresh_for: how long it need not be asked again; None if it does not say.
    """

    response: Response
    known: Known = field(default_factory=Known)
    moved_to: str = ""
    limits: Limits = field(default_factory=Limits)
    fresh_for: timedelta | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Unchanged:
    """Nothing changed since the last whole answer: the host says so, or has sent the same again.

    Attributes:
        moved_to: as for ``Got``; so are the others.
    """

    moved_to: str = ""
    limits: Limits = field(default_factory=Limits)
    fresh_for: timedelta | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Gone:
    """The address is gone for good (HTTP 410).

    Attributes:
        message: that, to go behind the source's name.
    """

    message: str


class TroubleState(StrEnum):
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
    TroubleState.AWAY: FailureKind.UNREACHED,
    TroubleState.CUT_OFF: FailureKind.CUT_OFF,
    TroubleState.BUSY: FailureKind.BUSY,
    TroubleState.THROTTLED: FailureKind.PAUSED,
    TroubleState.QUOTA: FailureKind.PAUSED,
    TroubleState.DENIED: FailureKind.REFUSED,
    TroubleState.UNUSABLE: FailureKind.UNREADABLE,
}
"""What readers are told of each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """No answer to read.

    Attributes:
        message: what happened, to go behind the source's name.
        pause: how long the host wants not to be asked; None if it did not say.
        limits: what the host tells of them.
    """

    message: str
    state: TroubleState
    pause: timedelta | None = None
    limits: Limits = field(default_factory=Limits)

    @property
    def failure(self) -> FailureKind:
        """What readers are told of it."""
        return _FAILURES[self.state]


Answer = Got | Unchanged | Gone | Trouble
