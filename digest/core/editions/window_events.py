"""The events of a window: what is known about them before anybody's follows are looked at."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from digest.core.matching.event_set import NO_EVENTS, EventSet
from digest.model import Event, EventKind, PaperKey

PAPER_KINDS = frozenset((EventKind.NEW, EventKind.GROWN, EventKind.PICKED))
"""Events that announce the paper itself: a digest includes one of them once, and never one of a withdrawn paper.
Events of the other kinds are news about a paper."""
KINDS_UNLESS_WITHDRAWN = PAPER_KINDS | {EventKind.TRENDING}
"""Events that are not reported any more when the paper is withdrawn."""
_KIND_PRIORITY = (
    EventKind.NEW,
    EventKind.GROWN,
    EventKind.PICKED,
    EventKind.PUBLISHED,
    EventKind.TRENDING,
    EventKind.VERSION,
    EventKind.CODE,
)
"""Which of several events of a paper an edition shows, best first. The announcement comes before news, and rare news
before frequent news: a paper is published once and trends once, and has many versions. Code is last because its link is
shown anyway."""

EventKey = tuple[PaperKey, EventKind, int]
"""Identity of an event over time: key of the paper, kind, number."""
SentEvents = frozenset[EventKey]
"""The events that a digest has included so far."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowEvents:
    """The events of a window in sets, so that no paper has to be looked at to compose.

    Attributes:
        by_kind: the events of each kind.
        about_papers: those of ``PAPER_KINDS``; the others are news about papers.
        withdrawn: those of ``KINDS_UNLESS_WITHDRAWN`` whose paper was withdrawn.
        repeats: those that are not the first of their paper, and so may have been sent before.
        siblings: for each event whose paper has several here, the positions of all of them, the one to show first.
        with_siblings: the keys of ``siblings``.
    """

    by_kind: Mapping[EventKind, EventSet]
    about_papers: EventSet
    withdrawn: EventSet
    repeats: EventSet
    siblings: Mapping[int, tuple[int, ...]]
    with_siblings: EventSet
    _eligible: dict[frozenset[EventKind], EventSet] = field(default_factory=dict, repr=False, compare=False)

    def select_eligible(self, kinds: Collection[EventKind]) -> EventSet:
        """Return the events that a digest with some kinds may include.

        ``new`` implies ``grown``: readers who did not get the paper when it was new get it when it has grown. A
        withdrawn paper is not announced or recommended any more, but other news about it are included.
        """
        key = frozenset(kinds)
        eligible = self._eligible.get(key)
        if eligible is None:
            requested = key | {EventKind.GROWN} if EventKind.NEW in key else key
            eligible = (
                EventSet.union([self.by_kind.get(kind, NO_EVENTS) for kind in requested]) - self.withdrawn
            )
            self._eligible[key] = eligible
        return eligible

    def add_siblings(self, events: EventSet) -> EventSet:
        """Return the events of all papers that have an event in a set."""
        several = events & self.with_siblings
        if not several:
            return events
        return events | EventSet.from_positions(
            sibling for position in several for sibling in self.siblings[position]
        )

    def count_papers(self, events: EventSet) -> int:
        """Return the number of papers that have an event in a set."""
        several = events & self.with_siblings
        return len(events - several) + len({self.siblings[position] for position in several})


def describe_window(events: Iterable[tuple[int, Event]]) -> WindowEvents:
    """Sort the events of a window into sets.

    Args:
        events: the events with their positions.
    """
    positions_by_kind: dict[EventKind, list[int]] = defaultdict(list)
    events_by_paper: dict[PaperKey, list[tuple[int, Event]]] = defaultdict(list)
    withdrawn, repeats = [], []
    for position, event in events:
        positions_by_kind[event.kind].append(position)
        events_by_paper[event.paper.key].append((position, event))
        if event.kind in KINDS_UNLESS_WITHDRAWN and event.paper.withdrawn:
            withdrawn.append(position)
        if not event.first:
            repeats.append(position)
    by_kind = {kind: EventSet.from_positions(positions) for kind, positions in positions_by_kind.items()}
    groups = [sorted(group, key=_get_priority) for group in events_by_paper.values() if len(group) > 1]
    siblings = {position: tuple(other for other, _ in group) for group in groups for position, _ in group}
    return WindowEvents(
        by_kind=by_kind,
        about_papers=EventSet.union(
            [kind_events for kind, kind_events in by_kind.items() if kind in PAPER_KINDS]
        ),
        withdrawn=EventSet.from_positions(withdrawn),
        repeats=EventSet.from_positions(repeats),
        siblings=siblings,
        with_siblings=EventSet.from_positions(siblings),
    )


def _get_priority(positioned_event: tuple[int, Event]) -> tuple[int, int, int]:
    """Return a sort key: by kind, then the newest version, then the first event."""
    event = positioned_event[1]
    return _KIND_PRIORITY.index(event.kind), -event.number, event.seq


def is_eligible(event: Event, kinds: Collection[EventKind]) -> bool:
    """Whether a digest with some kinds may include an event."""
    return bool(describe_window([(0, event)]).select_eligible(kinds))


def find_sent(sent: SentEvents, event_keys: Mapping[int, EventKey]) -> EventSet:
    """Return the events of a window that a digest must not include again.

    Args:
        sent: the events that it included in the last 90 days. Any event of a paper counts for all of ``PAPER_KINDS``;
            news only count for themselves.
        event_keys: the keys of the window's events, by position.
    """
    sent_papers = {paper for paper, _, _ in sent}
    return EventSet.from_positions(
        position
        for position, (paper, kind, number) in event_keys.items()
        if (paper in sent_papers if kind in PAPER_KINDS else (paper, kind, number) in sent)
    )
