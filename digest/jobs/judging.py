"""What the readers of digests answered about persons, applied to what their follows fit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from digest.core.compose import Wish
from digest.core.document import NOTHING_KNOWN, document
from digest.core.engine import Engine
from digest.core.hits import Hits
from digest.core.judged import judged
from digest.core.query import Query
from digest.jobs.people import standings
from digest.model import Band, Event, Fit, PaperKey
from digest.store.engine import Transaction

Said = Mapping[tuple[PaperKey, str], bool]
"""What one reader answered: of a paper and a folded name, whether that is the person who is followed."""


def said_of(said: Said, key: PaperKey) -> dict[str, bool]:
    """What was answered about one paper, by folded name."""
    return {name: answer for (paper, name), answer in said.items() if paper == key}


def as_judged(
    tx: Transaction,
    wishes: Sequence[Wish],
    queries: Mapping[int, Query],
    events: Mapping[int, Event],
    said: Said,
) -> list[Wish]:
    """A digest's wishes as its reader's answers let them fit.

    Args:
        tx: a transaction.
        wishes: the digest's.
        queries: what they ask for, by number.
        events: those that they fit, by place.
        said: the reader's answers.
    """
    concerned = {place: said_of(said, event.paper.key) for place, event in events.items()}
    concerned = {place: answers for place, answers in concerned.items() if answers}
    engine = Engine()
    for wish in wishes:
        engine.add(wish.query, queries[wish.query])
    known = standings(tx, [events[place].paper for place in concerned], engine.people)
    documents = {
        place: document(
            (event := events[place]).paper,
            kind=event.kind,
            source=event.source,
            standings=known.get(event.paper.key, NOTHING_KNOWN),
        )
        for place in concerned
    }
    found = []
    for wish in wishes:
        hits = wish.hits
        for place in _among(concerned, hits.maybe):
            fit = judged(queries[wish.query], documents[place], concerned[place])
            hits = _with(hits, place, fit)
        found.append(wish._replace(hits=hits))
    return found


def _among(candidates: Iterable[int], row: int) -> list[int]:
    return [place for place in candidates if row >> place & 1]


def _with(hits: Hits, place: int, fit: Fit | None) -> Hits:
    """Hits in which a query fits one place as it turned out to."""
    bit = 1 << place
    fit = fit or Fit(band=Band.NOT, evidence=())
    now = (
        *(fit.band >= band for band in (Band.MAYBE, Band.LIKELY, Band.SURELY)),
        fit.in_title,
        *(fit.by_author >= band for band in (Band.LIKELY, Band.SURELY)),
    )
    return Hits(*(row | bit if yes else row & ~bit for row, yes in zip(hits, now, strict=True)))
