"""What goes into the composition of an edition, and what comes out: matches of follows, ranked events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from digest.core.matching.event_set import NO_EVENTS, EventSet, MatchedEvents
from digest.model import EditionPart


class FollowMatch(NamedTuple):
    """A follow of a digest with the events that it matches.

    Attributes:
        query: the id of its query.
        follow: as its reader wrote it.
        exclude: whether it removes papers instead, where it matches them with confidence *likely* or *surely*.
        only_query: for an exclusion, the query of the only follow from which it removes papers; 0 for all follows.
        matched: the matches in the part of the window in which the follow was active.
        explicit: those of the matched events whose kind the query itself names (``kind:version``).
    """

    query: int
    follow: str
    weight: float
    exclude: bool
    only_query: int
    matched: MatchedEvents
    explicit: EventSet = NO_EVENTS


class SelectedMatch(NamedTuple):
    """The events that are in an edition because of a follow: eligible, not sent before, not excluded."""

    match: FollowMatch
    events: EventSet


class RankedEvents(NamedTuple):
    """Events of equal rank: they are shown in the order in which they were announced.

    Attributes:
        score: the sum of the weights of the follows that match each of them.
    """

    events: EventSet
    part: EditionPart
    score: float


class Composition(NamedTuple):
    """The content of an edition. A named tuple, because a run makes a million of them.

    Attributes:
        items: the papers within the limit of the digest: first those that had no room before, then part by part.
        overflow: the next papers, which are shown as one line each.
        waiting: the events that have no room; they come first in the next edition.
        excluded: the number of papers that exclusions removed.
        selected: the follows that papers are included for.
    """

    items: Sequence[RankedEvents]
    overflow: Sequence[RankedEvents]
    waiting: EventSet
    excluded: int
    selected: Sequence[SelectedMatch]

    @property
    def ranked(self) -> Sequence[RankedEvents]:
        """All papers that have room, in order."""
        return (*self.items, *self.overflow)

    @property
    def dropped(self) -> int:
        """The number of papers that have no room."""
        return len(self.waiting)

    @property
    def paper_count(self) -> int:
        """The number of papers with and without room."""
        return sum(len(group.events) for group in self.ranked) + self.dropped
