"""A digest that a subscriber made on the site: what it follows, when it comes, and what its reader cannot do."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from digest.core.subscribers.library.queries import read_library_key
from digest.core.times.schedule import find_next_firing
from digest.model import DigestOptions, EventKind, Schedule

MAX_FOLLOWS, MAX_EXCLUSIONS = 500, 200
"""Number of follows and of exclusions of a digest."""
OFFERED_KINDS = tuple(kind for kind in EventKind if kind is not EventKind.GROWN)
"""The kinds of news from which readers choose; papers that have grown come with new ones."""
MAX_LIBRARY_PAPERS = 5_000
"""Number of papers of a library that a digest follows; they do not count as follows."""
MAX_DESTINATIONS = 5
"""Number of chats and webhooks of a digest."""
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
    TOO_MANY_PAPERS = "too many papers"
    TOO_MANY_DIGESTS = "too many digests"
    NO_DAYS = "no days"
    BAD_TIME = "bad time"
    BAD_ZONE = "bad zone"
    NO_TITLE = "no title"
    NO_KINDS = "no kinds"
    NO_CHANNEL = "no channel"
    NO_ADDRESS = "no address"
    LONG_ADDRESS = "long address"
    NOT_OFFERED = "not offered"
    WEBHOOK_FORM = "webhook form"
    NOT_PUBLIC = "not public"
    TOO_MANY_DESTINATIONS = "too many destinations"
    SENT_LATELY = "sent lately"
    NOTHING_COMES = "nothing comes"


class EditError(Exception):
    """A change of a digest is refused.

    Attributes:
        mistake: why.
    """

    def __init__(self, mistake: EditMistake) -> None:
        super().__init__(mistake.value)
        self.mistake = mistake


class ReaderService(StrEnum):
    """A kind of destination, besides mail and feed, that readers can add to their digests if the file allows it."""

    WEBHOOK = "webhook"
    SLACK = "slack"
    DISCORD = "discord"
    NTFY = "ntfy"


class DestinationState(StrEnum):
    """Whether a chat or webhook of a reader gets editions, or why it gets none."""

    GOING = "going"
    RETRIED = "retried"
    """The last edition has not arrived yet, and is sent again."""
    REFUSED = "refused"
    """The last edition did not arrive; the next one is sent as usual."""
    STOPPED = "stopped"
    """Its reader unsubscribed, or the operator stopped it."""
    WITHHELD = "withheld"
    """The file no longer allows its service."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnDestination:
    """A chat or webhook of a digest.

    Attributes:
        id: its number.
        service: its kind.
        address: the public part of its address and a hash, which do not allow posting there.
        state: whether it gets editions.
        answer: why the last edition did not arrive; "" if it did.
    """

    id: int
    service: str
    address: str
    state: DestinationState
    answer: str = ""

    @property
    def is_going(self) -> bool:
        """Whether it gets the next edition."""
        return self.state not in {DestinationState.STOPPED, DestinationState.WITHHELD}


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

    @property
    def id(self) -> str:
        """A short text that names it in addresses, where its query does not belong."""
        return hashlib.sha256(f"{self.query}\n{self.only}".encode()).hexdigest()[:_ID_LENGTH]


_ID_LENGTH = 16
"""Length of the name of a follow, in hexadecimal digits; those of one digest differ."""


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
        destinations: its chats and webhooks, oldest first.
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
    destinations: tuple[OwnDestination, ...] = ()

    @property
    def id(self) -> int:
        """Its number."""
        return self.summary.id


def is_search_digest(public_digest: str) -> bool:
    """Whether the name of a public digest is one that a search gave (``make_search_digest``)."""
    return _SEARCH_DIGEST.fullmatch(public_digest) is not None


_SEARCH_DIGEST = re.compile(r"search-[0-9a-f]{12}")


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


class FollowCounts(NamedTuple):
    """Numbers of what a digest follows: follows, papers of a library, and exclusions."""

    follows: int
    papers: int
    exclusions: int


def count_own_follows(entries: Sequence[OwnFollow]) -> FollowCounts:
    """Count follows, papers of a library, and exclusions."""
    papers = sum(map(is_library_paper, entries))
    exclusions = sum(entry.exclude for entry in entries)
    return FollowCounts(follows=len(entries) - papers - exclusions, papers=papers, exclusions=exclusions)


def is_library_paper(follow: OwnFollow) -> bool:
    """Whether a follow is a paper of a library, which has a limit of its own and is shown with the others in one line."""
    return not follow.exclude and read_library_key(follow.query) is not None


def add_own_follow(present: tuple[OwnFollow, ...], added: OwnFollow) -> tuple[OwnFollow, ...]:
    """Add a follow or an exclusion; one with the same query is replaced, so that a second click changes nothing.

    Raises:
        EditError: there are as many as a digest can have.
    """
    entries = {_get_key(entry): entry for entry in present}
    entries[_get_key(added)] = added
    return _require_room(present, tuple(entries.values()))


def add_missing_follows(present: tuple[OwnFollow, ...], added: Iterable[OwnFollow]) -> tuple[OwnFollow, ...]:
    """Add those of some follows that are not there; what is there stays as it is.

    Raises:
        EditError: there are more than a digest can have.
    """
    entries = {_get_key(entry): entry for entry in present}
    for entry in added:
        entries.setdefault(_get_key(entry), entry)
    return _require_room(present, tuple(entries.values()))


def select_missing_follows(
    present: tuple[OwnFollow, ...], added: Iterable[OwnFollow]
) -> tuple[tuple[OwnFollow, ...], tuple[OwnFollow, ...]]:
    """Return those of some follows that are not there, in their order: those that have room, and the others."""
    keys = {_get_key(entry) for entry in present}
    counts = count_own_follows(present)
    room = [MAX_FOLLOWS - counts.follows, MAX_LIBRARY_PAPERS - counts.papers]
    chosen: list[OwnFollow] = []
    left_out: list[OwnFollow] = []
    for entry in added:
        if _get_key(entry) in keys:
            continue
        keys.add(_get_key(entry))
        kind = is_library_paper(entry)
        room[kind] -= 1
        (chosen if room[kind] >= 0 else left_out).append(entry)
    return tuple(chosen), tuple(left_out)


def _require_room(before: tuple[OwnFollow, ...], after: tuple[OwnFollow, ...]) -> tuple[OwnFollow, ...]:
    """Return what follows a change, if there is no more of anything than allowed, or than there was before it."""
    former, counts = count_own_follows(before), count_own_follows(after)
    for count, former_count, limit, mistake in zip(counts, former, _LIMITS, _LIMIT_MISTAKES, strict=True):
        if count > max(limit, former_count):
            raise EditError(mistake)
    return after


_LIMITS = FollowCounts(follows=MAX_FOLLOWS, papers=MAX_LIBRARY_PAPERS, exclusions=MAX_EXCLUSIONS)
_LIMIT_MISTAKES = (
    EditMistake.TOO_MANY_FOLLOWS,
    EditMistake.TOO_MANY_PAPERS,
    EditMistake.TOO_MANY_EXCLUSIONS,
)


def remove_own_follow(present: tuple[OwnFollow, ...], query: str, only: str) -> tuple[OwnFollow, ...]:
    """Remove a follow with its own exclusions, or an exclusion; if it is not there, nothing changes."""
    return tuple(
        entry for entry in present if _get_key(entry) != (query, only) and (only or entry.only != query)
    )


def remove_library(present: tuple[OwnFollow, ...]) -> tuple[OwnFollow, ...]:
    """Remove all papers of libraries, with their own exclusions."""
    return tuple(
        entry for entry in present if not is_library_paper(entry) and read_library_key(entry.only) is None
    )


def _get_key(follow: OwnFollow) -> tuple[str, str]:
    return follow.query, follow.only
