"""What readers are told of failures: kinds, each of which has a sentence in their language."""

from __future__ import annotations

from enum import StrEnum


class FailureKind(StrEnum):
    """Why a day is missing or in doubt, as readers are told it in a sentence of ours.

    What a host says may name its users, is in its own language, and is the operator's: see ``Batch.error``.
    """

    UNREACHED = "unreached"
    """The host cannot be reached, or does not answer in time."""
    CUT_OFF = "cut-off"
    """Its answer breaks off."""
    BUSY = "busy"
    """It answers that it cannot now."""
    PAUSED = "paused"
    """It wants us to wait: it is asked too often, or our share is used up."""
    REFUSED = "refused"
    """It denies access."""
    GONE = "gone"
    """The address is gone for good."""
    UNREADABLE = "unreadable"
    """Its answer cannot be read or used."""
    STALE = "stale"
    """Its answer was the one of another day."""
    INCOMPLETE = "incomplete"
    """An answer reached its route's limit, or had entries that cannot be read."""
    UNCHECKED = "unchecked"
    """Its papers may be those of the day before, which is missing."""
    OTHER = "other"
    """A failure that was stored before there were kinds."""
