"""Kinds of failures for readers; each has a sentence in every language."""

from __future__ import annotations

from enum import StrEnum


class FailureKind(StrEnum):
    """The reason why a day is missing or in doubt, for readers.

    The words of the host are shown to the operator only (``Batch.error``): they may name its users, and have
    no translation.
    """

    UNREACHED = "unreached"
    """The host cannot be reached, or does not answer in time."""
    CUT_OFF = "cut-off"
    """The answer was cut off."""
    BUSY = "busy"
    """The host is temporarily unable to answer."""
    PAUSED = "paused"
    """The host requires a pause: the request rate is too high, or the quota is used up."""
    REFUSED = "refused"
    """The host denies access."""
    GONE = "gone"
    """The address is permanently gone (HTTP 410)."""
    UNREADABLE = "unreadable"
    """The answer cannot be read or used."""
    STALE = "stale"
    """The answer repeats another day."""
    INCOMPLETE = "incomplete"
    """An answer reached its route's limit, or had entries that cannot be read."""
    UNCHECKED = "unchecked"
    """The papers may belong to the previous day, because that day is missing."""
    OTHER = "other"
    """A failure that was stored by a release without kinds."""
