"""What the readers of digests answered about persons, applied to what their follows fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from digest.core.editions.compose import Wish
from digest.core.language.query import Query, names_kind
from digest.core.matching.bitmaps import Hits
from digest.core.matching.overrides import judged, may_gain
from digest.core.matching.percolator.engine import Engine
from digest.core.papers.document import NOTHING_KNOWN, Document, document
from digest.jobs.people.statements import standings
from digest.model import Band, Event, Fit, PaperKey
from digest.store.database.engine import Transaction

Said = Mapping[tuple[PaperKey, str], bool]
"""What one reader answered: of a paper and a folded name, whether that is the person who is followed."""
Asking = tuple[int, int]
"""A wish of a digest: its query, and the one from whose follow alone it takes papers out, or 0."""


def said_of(said: Said, key: PaperKey) -> dict[str, bool]:
    """What was answered about one paper, by folded name."""
    return {name: answer for (paper, name), answer in said.items() if paper == key}


def as_judged(
    tx: Transaction,
    wishes: Sequence[Wish],
    queries: Mapping[int, Query],
    events: Mapping[int, Event],
    said: Said,
    *,
    perhaps: Mapping[Asking, int],
) -> list[Wish]:
    """A digest's wishes as its reader's answers let them fit.

    Args:
        tx: a transaction.
        wishes: the digest's.
        queries: what they ask for, by number.
        events: those that they fit, or may fit because of an answer, by place.
        said: the reader's answers.
        perhaps: the events that wishes may fit because of an answer: rows.
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
        query, more = queries[wish.query], perhaps.get((wish.query, wish.only), 0)
        for place, answers in concerned.items():
            if wish.hits.maybe >> place & 1 or (more >> place & 1 and may_gain(query, answers)):
                wish = _asked_anew(wish, query, place, documents[place], answers)  # noqa: PLW2901 - place by place
        found.append(wish)
    return found


def _asked_anew(
    wish: Wish, query: Query, place: int, document: Document, answers: Mapping[str, bool]
) -> Wish:
    """A wish, with what its query says of one event as its reader said who signed."""
    fit, part = judged(query, document, answers), names_kind(query)
    by_kind = part is not None and judged(part, document, answers) is not None
    named = wish.named & ~(1 << place) | by_kind << place
    return wish._replace(hits=_with(wish.hits, place, fit), named=named)


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
