"""Match: each new event against each query that somebody follows, once, however many follow it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from digest.core.document import document
from digest.core.match import match as fits_of
from digest.core.query import Query
from digest.core.reading import parse
from digest.model import Event
from digest.store import events, matches
from digest.store.engine import Store, highest_seq
from digest.store.matches import StandingQuery

_AT_ONCE = 2 * matches.BLOCK
"""Events that are held in memory at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Matched:
    """What passes did: events seen, queries asked, and how many pairs fit, surely or maybe."""

    events: int
    queries: int
    fits: int


class _Hits:
    """What queries fit, by seq, as a pass collects it."""

    def __init__(self) -> None:
        self.fits: dict[int, set[int]] = defaultdict(set)
        self.maybe: dict[int, set[int]] = defaultdict(set)

    def add(self, queries: Sequence[tuple[int, Query]], events: Sequence[Event]) -> None:
        """Ask queries about events."""
        documents = [document(event.paper) for event in events]
        for hits in fits_of(queries, documents):
            self.fits[hits.query].update(events[place].seq for place in hits.fits)
            self.maybe[hits.query].update(events[place].seq for place in hits.maybe)

    def count(self) -> int:
        """How many pairs fit."""
        return sum(len(seqs) for hits in (self.fits, self.maybe) for seqs in hits.values())


def match(store: Store) -> Matched:
    """Match until everything stored is matched, and each query as far back as some digest needs it.

    A query that was added meanwhile is not forgotten: it stays unmatched until the next pass, and no
    run that needs it closes before.
    """
    seen = fits = asked = 0
    while True:
        with store.reading() as tx:
            done, top = matches.matched_to(tx), highest_seq(tx)
            standing = matches.standing_queries(tx)
        behind = [query for query in standing if _is_behind(query)]
        upto = min(top, done + _AT_ONCE)
        if done == top and not behind:
            return Matched(events=seen, queries=asked, fits=fits)
        hits = _pass(store, standing, behind, done, upto)
        if _keep(store, hits, behind, done, upto):
            seen, fits, asked = seen + upto - done, fits + hits.count(), max(asked, len(standing))


def _is_behind(query: StandingQuery) -> bool:
    return query.matched_from is None or query.matched_from > query.needed_from


def _pass(
    store: Store, standing: Sequence[StandingQuery], behind: Sequence[StandingQuery], done: int, upto: int
) -> _Hits:
    hits = _Hits()
    parsed = {query.id: parse(query.text) for query in standing}
    with store.reading() as tx:
        hits.add(list(parsed.items()), events.events_between(tx, done, upto))
        low = min((query.needed_from for query in behind), default=done)
        while low < done:
            high = min(done, low + _AT_ONCE)
            late = [(query.id, parsed[query.id]) for query in behind if query.needed_from < high]
            hits.add(late, events.events_between(tx, low, high))
            low = high
    return hits


def _keep(store: Store, hits: _Hits, behind: Sequence[StandingQuery], done: int, upto: int) -> bool:
    """Keep what a pass found, unless another one was faster; finding the same again changes nothing."""
    with store.planning() as tx:
        if matches.begin_pass(tx) != done:
            return False
        matches.finish_pass(tx, hits.fits, hits.maybe, upto)
        for query in behind:
            matches.set_matched_from(tx, [query.id], query.needed_from)
    return True
