"""A digest that a subscriber made on the site: what it follows, when it comes, and what its reader cannot do."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from digest.core.times.schedule import find_next_firing
from digest.model import DigestOptions, EventKind, Schedule

MAX_FOLLOWS, MAX_EXCLUSIONS = 500, 200
"""Number of follows and of exclusions of a digest."""
OFFERED_KINDS = tuple(kind for kind in EventKind if kind is not EventKind.GROWN)
"""The kinds of news from which readers choose; papers that have grown come with new ones."""
MAX_WEIGHT = 4.0
"""Largest weight that a reader can give a follow; the smallest is its inverse."""


class OwnDigestState(StrEnum):
    """Whether editions come, or why none do."""

    ACTIVE = "active"
    PAUSED = "paused"
    UNSUBSCRIBED = "unsubscribed"
    BOUNCED = "bounced"
    """Mail to the address came back."""


class EditMistake(StrEnum):
    """Why a change of a digest is refused."""

    NO_QUERY = "no query"
    TOO_MANY_FOLLOWS = "too many follows"
    TOO_MANY_EXCLUSIONS = "too many exclusions"
    TOO_MANY_DIGESTS = "too many digests"
    NO_DAYS = "no days"
    BAD_TIME = "bad time"
    BAD_ZONE = "bad zone"
    NO_TITLE = "no title"
    NO_KINDS = "no kinds"
    NO_CHANNEL = "no channel"
    SENT_LATELY = "sent lately"


class EditError(Exception):
    """A change of a digest is refused.

    Attributes:
        mistake: why.
    """

    def __init__(self, mistake: EditMistake) -> None:
        super().__init__(mistake.value)
        self.mistake = mistake


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnDigest:
    """A digest, and one of its destinations.

    Attributes:
        id: its number.
        destination: the number of the destination.
        title: the title of the digest.
        zone: its time zone.
        schedule: the schedule by which it continues.
        state: whether editions come.
        paused_until: when its pause ends by itself; None if somebody has to resume it, or it is not paused.
        is_new: whether its first edition, which comes outside the schedule, is still to be made.
        has_feed: whether it has a private feed.
    """

    id: int
    destination: int
    title: str
    zone: str
    schedule: Schedule
    state: OwnDigestState
    paused_until: datetime | None
    is_new: bool
    has_feed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnFollow:
    """A follow or an exclusion of a digest; its query, and that of the follow it excludes from, distinguish it.

    Attributes:
        text: the text as typed.
        query: its canonical form.
        weight: the weight of its matches; 1 is usual.
        exclude: whether it excludes papers.
        alert: whether matches are sent at once.
        only: for an exclusion from one follow, the query of that follow; "" otherwise.
    """

    text: str
    query: str
    weight: float = 1.0
    exclude: bool = False
    alert: bool = False
    only: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnDigestDetails:
    """All that its reader can change of a digest.

    Attributes:
        summary: what "Your account" shows of it.
        name: its name, in addresses of feeds.
        options: its options.
        follows: its follows and exclusions, oldest first.
        sent_seq: the event up to which its editions have reported.
        public_digest: the public digest that it was copied from; "" for none.
        is_customized: whether its reader has changed it, so that changes of the public digest no longer reach it.
        is_mailed: whether its editions go to the reader's address, unless mail bounced.
        feed_version: how often the address of its feed was renewed.
    """

    summary: OwnDigest
    name: str
    options: DigestOptions
    follows: tuple[OwnFollow, ...]
    sent_seq: int
    public_digest: str
    is_customized: bool
    is_mailed: bool
    feed_version: int

    @property
    def id(self) -> int:
        """Its number."""
        return self.summary.id


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


def add_own_follow(present: tuple[OwnFollow, ...], added: OwnFollow) -> tuple[OwnFollow, ...]:
    """Add a follow or an exclusion; one with the same query is replaced, so that a second click changes nothing.

    Raises:
        EditError: there are as many as a digest can have.
    """
    others = tuple(entry for entry in present if _get_key(entry) != _get_key(added))
    if added.exclude and sum(entry.exclude for entry in others) >= MAX_EXCLUSIONS:
        raise EditError(EditMistake.TOO_MANY_EXCLUSIONS)
    if not added.exclude and sum(not entry.exclude for entry in others) >= MAX_FOLLOWS:
        raise EditError(EditMistake.TOO_MANY_FOLLOWS)
    if len(others) == len(present):
        return (*present, added)
    return tuple(added if _get_key(entry) == _get_key(added) else entry for entry in present)


def remove_own_follow(present: tuple[OwnFollow, ...], query: str, only: str) -> tuple[OwnFollow, ...]:
    """Remove a follow with its own exclusions, or an exclusion; if it is not there, nothing changes."""
    return tuple(
        entry for entry in present if _get_key(entry) != (query, only) and (only or entry.only != query)
    )


def _get_key(follow: OwnFollow) -> tuple[str, str]:
    return follow.query, follow.only
