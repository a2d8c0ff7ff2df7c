"""What a query finds among the papers that are there."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from digest.core.compose import tells
from digest.core.document import document
from digest.core.evaluate import evaluate
from digest.core.reading import Reading, reading
from digest.model import Event, EventKind, Fit, PaperKey
from digest.store.engine import Store
from digest.store.events import events_since

_TRIED = frozenset((EventKind.NEW, EventKind.PICKED))
"""What a digest asks for that says nothing else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """What a query finds.

    Attributes:
        reading: how it was read.
        asked: how many papers it was asked about: those that were new, grew or were picked.
        days: how many it finds on each day, the first day first; days without any paper are left out.
        found: the papers with their fits, the surest and newest first; a paper once, by its first event then.
    """

    reading: Reading
    asked: int
    days: tuple[tuple[date, int], ...]
    found: tuple[tuple[Event, Fit], ...]


def try_query(store: Store, text: str, days: int, now: datetime) -> Tried:
    """Ask a query about the papers of the last days that are in the store, new or picked.

    Raises:
        QueryError: it cannot be read.
    """
    read = reading(text)
    with store.reading() as tx:
        happened = events_since(tx, now.date() - timedelta(days=days))
    of_paper: dict[PaperKey, Event] = {}
    for event in happened:
        if tells(event, _TRIED):
            of_paper.setdefault(event.paper.key, event)
    events = tuple(of_paper.values())
    fits = ((event, evaluate(read.query, document(event.paper))) for event in events)
    found = [(event, fit) for event, fit in fits if fit is not None]
    hits = Counter(event.day for event, _ in found)
    return Tried(
        reading=read,
        asked=len(events),
        days=tuple((day, hits[day]) for day in sorted({event.day for event in events})),
        found=tuple(sorted(found, key=lambda pair: (-pair[1].band, -pair[0].seq))),
    )
