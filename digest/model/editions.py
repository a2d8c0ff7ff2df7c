"""Editions and the runs that make them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from digest.model.fetching import Batch
from digest.model.matching import Reason
from digest.model.papers import Event, EventKind, Paper
from digest.model.times import Frequency

ALERT_PREFIX = "alert-"
"""What the period of an alert begins with; the number of the last event of its window follows."""


class EditionPart(StrEnum):
    """The headings of an edition, in their order."""

    SURELY = "surely"
    MAYBE = "maybe"
    PICKED = "picked"
    """By editors or votes."""
    VERSIONS = "versions"
    """News about papers: new versions, publications, code."""


class Abstracts(StrEnum):
    """How much of each abstract a reader wants."""

    FULL = "full"
    SHORT = "short"
    """The first sentences."""
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestOptions:
    """What is chosen for a digest, whoever chooses it: the file's keys of the same names, and what the store keeps.

    Attributes:
        timezone: the IANA zone that its times are told in.
        kinds: what is told about a paper; what has grown is told wherever what is new is.
        limit: the greatest number of items.
        minimum: fewer items than this wait for the next edition.
        when_empty: ``skip`` or ``tell``.
        feed: whether it is also a feed.
        feed_entries: what is an entry of that: ``papers`` or ``editions``.
        language: in which its reader is told.
        abstracts: how much of each is shown.
        alerts_a_day: how many alerts at most, by its own calendar.
        repeat_alerts: whether its editions tell again what alerts told.
    """

    timezone: str = "UTC"
    kinds: tuple[EventKind, ...] = (EventKind.NEW, EventKind.PICKED)
    limit: int = 25
    minimum: int = 0
    when_empty: str = "skip"
    feed: bool = False
    feed_entries: str = "papers"
    language: str = "en"
    abstracts: Abstracts = Abstracts.SHORT
    alerts_a_day: int = 5
    repeat_alerts: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A paper in an edition, with the event told and the reasons.

    Attributes:
        late: it is of a day before those that its edition waited for.
        waited: the edition before had no room for it, so it comes first in this one.
    """

    event: Event
    part: EditionPart
    reasons: tuple[Reason, ...]
    score: float
    late: bool = False
    waited: bool = False

    @property
    def paper(self) -> Paper:
        """The paper told of."""
        return self.event.paper


@dataclass(frozen=True, slots=True, kw_only=True)
class MissedEdition:
    """An edition that could not reach its reader in time; the next mail names it.

    Attributes:
        edition: its number.
        period: as ``Edition`` has it; so are ``zone`` and ``composed_at``.
        page: the web address where it can be read; "" where there is none.
    """

    edition: int
    period: str
    zone: str
    composed_at: datetime
    page: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """One issue of a digest: what its mail, its page and its feed show.

    Attributes:
        digest: the digest's name; ``title`` is the one that readers see.
        period: the firing's local date and time, ``2026-06-12T07:30``; of an alert ``alert-12345``.
        zone: the digest's IANA zone, for the times shown.
        composed_at: its time; the Date of its mail.
        items: shown in full, in their order, part by part.
        overflow: the next ones, shown as a line each.
        dropped: how many more fit and have no room: they come first in the next edition.
        excluded: how many papers the exclusions took out.
        batches: the run's batches as they stood when it was composed.
        missed: earlier ones that could not reach whoever this message is for, the oldest first.
        language: its reader's, as ``[[digest]] language`` has it.
        abstracts: how much of each is shown.
        frequency: of the schedule that it was made by.
    """

    id: int
    digest: str
    title: str
    period: str
    zone: str
    composed_at: datetime
    items: tuple[Item, ...]
    overflow: Sequence[Item] = field(default=(), hash=False)  # not read for that
    dropped: int = 0
    excluded: int = 0
    batches: tuple[Batch, ...] = ()
    missed: tuple[MissedEdition, ...] = ()
    language: str = "en"
    abstracts: Abstracts = Abstracts.SHORT
    frequency: Frequency = Frequency.DAILY

    @property
    def is_alert(self) -> bool:
        """Whether it was told at once, for a follow that wants that, and not by the digest's schedule."""
        return self.period.startswith(ALERT_PREFIX)


class RunState(StrEnum):
    """How far a run is."""

    OPEN = "open"
    """It has fired and has no window yet."""
    CLOSED = "closed"
    """Its window and shards are made; editions are being composed."""
    COMPOSED = "composed"
    MERGED = "merged"
    """Its slot fired again before it closed: the later run has its papers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One firing of a slot, for one period.

    Attributes:
        latest_at: when its editions go out complete or not; None for none.
        closed_at: when it had its window; None until then.
        ready_seq: the highest seq when it became ready; it closes when all up to there is matched.
        from_seq: the window begins after it; None until it is closed.
        to_seq: the window ends with it; None until it is closed.
    """

    id: int
    slot: int
    period: str
    state: RunState
    fire_at: datetime
    made_at: datetime
    latest_at: datetime | None = None
    closed_at: datetime | None = None
    ready_seq: int | None = None
    from_seq: int | None = None
    to_seq: int | None = None

    @property
    def is_alert(self) -> bool:
        """Whether it was made of what follows fit that want to tell at once."""
        return self.period.startswith(ALERT_PREFIX)
