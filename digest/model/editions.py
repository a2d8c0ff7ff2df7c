"""Editions and the runs that make them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from digest.model.fetching import Batch
from digest.model.matching import Reason
from digest.model.papers import Event, EventKind, Paper
from digest.model.times import Frequency, Schedule

ALERT_PREFIX = "alert-"
"""Prefix of the period of an alert, followed by the number of the last event of its window."""


class EditionPart(StrEnum):
    """The parts of an edition, in their order."""

    SURELY = "surely"
    MAYBE = "maybe"
    PICKED = "picked"
    """Papers chosen by editors or votes."""
    VERSIONS = "versions"
    """News about papers: new versions, publications, code, that they are trending."""


class Abstracts(StrEnum):
    """How much of each abstract is shown."""

    KEY = "key"
    """The sentence that says what is new, and one that the reader's follows match."""
    FIRST = "first"
    """The first sentences."""
    FULL = "full"
    NONE = "none"


class Arrangement(StrEnum):
    """How the papers of an edition are arranged."""

    RANKED = "ranked"
    """By rank, part by part."""
    BY_FOLLOW = "by follow"
    """Under the follow that matches each most certainly."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestOptions:
    """The options of a digest: each is a key of ``[[digest]]``, a column of ``digests`` and a field here.

    Attributes:
        timezone: the IANA zone of the times that it shows.
        kinds: the events that it reports; with ``new`` it also reports papers that have grown.
        limit: the most items of an edition, but for those that have only a line.
        minimum: with fewer items than this, an edition waits for the next firing.
        when_empty: ``skip`` or ``tell``.
        feed: whether it is also published as a feed.
        feed_entries: what an entry of the feed is: ``papers`` or ``editions``.
        language: the language of its editions.
        abstracts: how much of each abstract is shown.
        arrange: how its papers are arranged.
        full: the number of papers that a mail shows with their abstracts; the others have a line.
        alerts_a_day: the most alerts a day, in its time zone.
        repeat_alerts: whether its editions repeat the papers of alerts.
    """

    timezone: str = "UTC"
    kinds: tuple[EventKind, ...] = (EventKind.NEW, EventKind.PICKED)
    limit: int = 25
    minimum: int = 0
    when_empty: str = "skip"
    feed: bool = False
    feed_entries: str = "papers"
    language: str = "en"
    abstracts: Abstracts = Abstracts.KEY
    arrange: Arrangement = Arrangement.RANKED
    full: int = 12
    alerts_a_day: int = 5
    repeat_alerts: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A paper in an edition, with the event and the reasons.

    Attributes:
        late: whether it was announced before the days that its edition waited for.
        waited: whether the previous edition had no room for it, so that it comes first in this one.
    """

    event: Event
    part: EditionPart
    reasons: tuple[Reason, ...]
    score: float
    late: bool = False
    waited: bool = False

    @property
    def paper(self) -> Paper:
        """The paper of the event."""
        return self.event.paper


@dataclass(frozen=True, slots=True, kw_only=True)
class MissedEdition:
    """An edition that did not reach its reader in time; the next mail names it.

    Attributes:
        edition: the id of the edition.
        period: as in ``Edition``, like ``zone`` and ``composed_at``.
        page: the web address of the edition, or "".
    """

    edition: int
    period: str
    zone: str
    composed_at: datetime
    page: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestChanges:
    """What the operator has changed in a reader's copy of a public digest since its last edition.

    Attributes:
        added: new follows, as written in the file, like the other texts.
        removed: follows that ended.
        added_exclusions: new exclusions.
        removed_exclusions: exclusions that ended.
        options: the names of other changes: fields of ``DigestOptions``, ``title``, and ``weight`` and
            ``alert`` for those of follows.
        schedule: the new schedule; None if it is the same as before.
    """

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    added_exclusions: tuple[str, ...] = ()
    removed_exclusions: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    schedule: Schedule | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """One issue of a digest: what its mail, its page and its feed show.

    Attributes:
        digest: the name of the digest; readers see ``title``.
        period: local date and time of the firing, ``2026-06-12T07:30``; of an alert ``alert-12345``.
        zone: the digest's IANA zone, for the times shown.
        composed_at: when it was composed, UTC; the Date of its mail.
        items: the items within the limit of the digest, in their order, part by part.
        overflow: the next items, which are shown as one line each.
        dropped: number of further matches without room; they come first in the next edition.
        excluded: number of papers that exclusions removed.
        batches: the run's batches as they were when it was composed.
        missed: earlier editions that did not reach the reader of this message, oldest first.
        changes: what has changed in the digest, which only this edition tells; None for nothing.
        language: the language of its reader.
        abstracts: how much of each abstract is shown.
        arrange: how its papers are arranged.
        full: the number of papers that a mail shows with their abstracts.
        frequency: the frequency of the schedule.
    """

    id: int
    digest: str
    title: str
    period: str
    zone: str
    composed_at: datetime
    items: tuple[Item, ...]
    overflow: Sequence[Item] = field(default=(), hash=False)  # decoded on demand, which a hash must not cause
    dropped: int = 0
    excluded: int = 0
    batches: tuple[Batch, ...] = ()
    missed: tuple[MissedEdition, ...] = ()
    changes: DigestChanges | None = None
    language: str = "en"
    abstracts: Abstracts = Abstracts.KEY
    arrange: Arrangement = Arrangement.RANKED
    full: int = 12
    frequency: Frequency = Frequency.DAILY

    @property
    def is_alert(self) -> bool:
        """Whether it is an alert, sent at once for a follow that asks for it, and not by schedule."""
        return self.period.startswith(ALERT_PREFIX)


class RunState(StrEnum):
    """The state of a run."""

    OPEN = "open"
    """It has fired, and has no window yet."""
    CLOSED = "closed"
    """It has a window and shards, and editions are being composed."""
    COMPOSED = "composed"
    MERGED = "merged"
    """Its slot fired again before it closed; the later run covers its papers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One firing of a slot, for one period.

    Attributes:
        latest_at: when its editions go out even if incomplete, UTC; None for no limit.
        closed_at: when its window was closed, UTC; None until then.
        ready_seq: the highest event number when it became ready; it closes when all events up to that are matched.
        from_seq: the window begins after this event; None until it is closed.
        to_seq: the window ends with this event; None until it is closed.
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
        """Whether it was made for follows that send alerts."""
        return self.period.startswith(ALERT_PREFIX)
