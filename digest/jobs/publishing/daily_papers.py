"""Papers of a day for its public pages, loaded once for all filters, orders and pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from digest.core.generation_cache import GenerationCache
from digest.core.papers.trends import MAX_TRENDING
from digest.core.publishing.day_entries import DayEntry, make_day_entry
from digest.jobs.papers.trends import find_trending
from digest.model import Batch, Event, Signal
from digest.store.database.engine import Store, Transaction
from digest.store.fetching.ledger import load_batches_of_day
from digest.store.papers.events import load_events_by_seq
from digest.store.papers.signals import add_signals
from digest.store.publishing import daily
from digest.store.publishing.daily import DayVersion

_MAX_DAYS = 60
"""Number of days that are listed."""
_CACHED_DAYS = 8
"""Days of which the entries stay in memory, per generation; a day of all of arXiv takes about a megabyte."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedDay:
    """A day.

    Attributes:
        version: what it was loaded from.
        batches: how complete each section is.
        entries: the entries of its events, in order.
        trending: the entries of trending papers, most votes gained first; empty if there are no such numbers.
        gains: the votes that they gained, by the number of the event.
    """

    day: date
    version: DayVersion
    batches: tuple[Batch, ...]
    entries: tuple[DayEntry, ...]
    trending: tuple[DayEntry, ...]
    gains: Mapping[int, Signal]


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyPaperLoader:
    """Loads the papers of days.

    Attributes:
        store: the store.
        clock: returns the time, UTC.
    """

    store: Store
    clock: Callable[[], datetime]
    _cache: GenerationCache[date, LoadedDay] = field(
        default_factory=lambda: GenerationCache(_CACHED_DAYS), repr=False
    )

    def find_newest_day(self) -> date | None:
        """Return the last day with new or picked papers; None if there is none."""
        with self.store.begin_read() as tx:
            return daily.find_newest_day(tx)

    def read_version(self, day: date) -> DayVersion | None:
        """Return the version of a day; None for a day before the first one with papers, or one to come."""
        with self.store.begin_read() as tx:
            span = daily.read_day_span(tx)
            if span is None or not span[0] <= day <= max(span[1], self.clock().date()):
                return None
            return daily.read_day_version(tx, day)

    def load_day(self, day: date, version: DayVersion) -> LoadedDay:
        """Load a day, unless it is in memory in this version."""
        cached = self._cache.get(day)
        if cached is not None and cached.version == version:
            return cached
        with self.store.begin_read() as tx:
            events = _load_events(tx, daily.list_seqs_of_day(tx, day))
            gains = find_trending(tx, day, MAX_TRENDING)
            trending = _load_events(tx, gains)
            loaded = LoadedDay(
                day=day,
                version=version,
                batches=load_batches_of_day(tx, day),
                entries=tuple(make_day_entry(event) for event in events.values()),
                trending=tuple(make_day_entry(trending[seq]) for seq in gains if seq in trending),
                gains=gains,
            )
        self._cache.put(day, loaded)
        return loaded

    def load_events(self, seqs: Sequence[int]) -> tuple[Event, ...]:
        """Load events with their numbers, in the order given."""
        with self.store.begin_read() as tx:
            events = _load_events(tx, seqs)
        return tuple(events[seq] for seq in seqs if seq in events)


def _load_events(tx: Transaction, seqs: Iterable[int]) -> dict[int, Event]:
    return add_signals(tx, load_events_by_seq(tx, seqs))


# --- lists ----------------------------------------------------------------------------------------


def list_newest_days(store: Store) -> list[date]:
    """List the newest days that have new or picked papers, newest first."""
    with store.begin_read() as tx:
        return daily.list_newest_days(tx, _MAX_DAYS)


def load_newest_batches(store: Store, since: date) -> tuple[Batch, ...]:
    """Load the accounts of all sections since a day."""
    with store.begin_read() as tx:
        return tuple(
            batch for day in daily.list_batch_days(tx, since) for batch in load_batches_of_day(tx, day)
        )
