"""Which papers an edition tells of, in which order: pure, for one digest at a time.

What a follow fits is a row of bits, a place for each event of the window in the order listed. So what a digest
wants, leaves out and prefers is worked out for all papers together, by a few operations on long numbers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import itemgetter, or_
from typing import NamedTuple

from digest.core.matching.bitmaps import Hits, lowest, places
from digest.model import Band, Event, EventKind, PaperKey, Part

MOST_REST = 500
"""How many items an edition keeps beyond its limit."""

OF_THE_PAPER = frozenset((EventKind.NEW, EventKind.GROWN, EventKind.PICKED))
"""Events that tell of a paper as such: once, and not if it was withdrawn. The others are news about it."""
_FIRST_TOLD = (
    EventKind.NEW,
    EventKind.GROWN,
    EventKind.PICKED,
    EventKind.PUBLISHED,
    EventKind.VERSION,
    EventKind.CODE,
)
"""Which of several events of a paper is told: that it is there comes before news about it, then what is
rarer. A publication comes once in its life, versions come often, and code stands on its card anyway."""

WhatIsTold = tuple[PaperKey, EventKind, int]
"""What an event tells: of which paper, its kind and number."""
Told = frozenset[WhatIsTold]
"""What a digest has told."""


# --- what there is to tell ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """What is known of the events of a window without a look at the papers: rows of bits.

    Attributes:
        kinds: the events of each kind.
        of_papers: those that tell of a paper as such; the others are news about it.
        withdrawn: of these, those whose papers were withdrawn.
        repeats: those that may have been told before, in a window that no other has told of.
        twins: of each event whose paper has several here, the places of all these, the one to tell first.
        several: all of these.
    """

    kinds: Mapping[EventKind, int]
    of_papers: int
    withdrawn: int
    repeats: int
    twins: Mapping[int, tuple[int, ...]]
    several: int

    def asked(self, kinds: Collection[EventKind]) -> int:
        """The events that a digest which asks for some kinds can tell of.

        What grew is told wherever what is new is: to readers who had not been told of the paper. A withdrawn
        paper is told of no more, but news about it are.
        """
        wanted = {*kinds, EventKind.GROWN} if EventKind.NEW in kinds else kinds
        return _union(self.kinds.get(kind, 0) for kind in wanted) & ~self.withdrawn

    def whole(self, row: int) -> int:
        """A row with all events of the papers of which it has one."""
        for place in places(row & self.several):
            row |= _union(1 << twin for twin in self.twins[place])
        return row


def columns(events: Iterable[tuple[int, Event]]) -> Columns:
    """What is known of events, each with its place."""
    kinds: dict[EventKind, int] = defaultdict(int)
    of_paper: dict[PaperKey, list[tuple[int, Event]]] = defaultdict(list)
    withdrawn = repeats = 0
    for place, event in events:
        bit = 1 << place
        kinds[event.kind] |= bit
        of_paper[event.paper.key].append((place, event))
        withdrawn |= bit if event.kind in OF_THE_PAPER and event.paper.withdrawn else 0
        repeats |= 0 if event.first else bit
    groups = [sorted(group, key=_turn) for group in of_paper.values() if len(group) > 1]
    twins = {place: tuple(other for other, _ in group) for group in groups for place, _ in group}
    return Columns(
        kinds=dict(kinds),
        of_papers=_union(row for kind, row in kinds.items() if kind in OF_THE_PAPER),
        withdrawn=withdrawn,
        repeats=repeats,
        twins=twins,
        several=_union(1 << place for place in twins),
    )


def _turn(placed: tuple[int, Event]) -> tuple[int, int, int]:
    """By kind; of several versions the newest one."""
    event = placed[1]
    return _FIRST_TOLD.index(event.kind), -event.number, event.seq


def tells(event: Event, kinds: Collection[EventKind]) -> bool:
    """Whether a digest that asks for some kinds can tell of an event."""
    return bool(columns([(0, event)]).asked(kinds))


def told_row(told: Told, tellings: Mapping[int, WhatIsTold]) -> int:
    """The events that a digest has told before.

    Args:
        told: what it told in the last 90 days: any telling of a paper counts for its ``new``, ``grown`` and
            ``picked``; for a ``version``, ``published`` and ``code`` that very event does.
        tellings: what each of the events tells, by its place.
    """
    keys = {key for key, _, _ in told}
    return _union(
        1 << place
        for place, (key, kind, number) in tellings.items()
        if (key in keys if kind in OF_THE_PAPER else (key, kind, number) in told)
    )


# --- what one digest tells ------------------------------------------------------------------------


class Wish(NamedTuple):
    """A follow and what it fits.

    Attributes:
        query: the number of its query.
        follow: as written.
        exclude: it takes papers out instead, where it fits them surely or likely.
        only: the query from whose follow alone it takes them; 0: from all.
        hits: the events of the digest's part of the window that it fits.
        named: of these, those whose kind it names by itself.
    """

    query: int
    follow: str
    weight: float
    exclude: bool
    only: int
    hits: Hits
    named: int = 0


class Kept(NamedTuple):
    """The events that are told because of a wish, nothing that is excluded among them."""

    wish: Wish
    row: int


class Ranked(NamedTuple):
    """Events of equal rank: a row, their part, and the sum of the weights of the follows that each fits."""

    row: int
    part: Part
    score: float


class Composition(NamedTuple):
    """What an edition holds; a run makes a million.

    Attributes:
        items: shown in full, in their order: those that waited, the longest first, then part by part.
        rest: what the edition keeps beyond them, in its order.
        waiting: the events that have no room: they come first in the next edition.
        excluded: how many papers were wanted, and taken out by the exclusions.
        kept: why they are there.
    """

    items: Sequence[Ranked]
    rest: Sequence[Ranked]
    waiting: int
    excluded: int
    kept: Sequence[Kept]

    @property
    def dropped(self) -> int:
        """How many papers have no room."""
        return self.waiting.bit_count()

    @property
    def fitted(self) -> int:
        """How many papers there are in all."""
        return sum(ranked.row.bit_count() for ranked in (*self.items, *self.rest)) + self.dropped


_NOTHING = Composition(items=(), rest=(), waiting=0, excluded=0, kept=())


def compose(
    wishes: Sequence[Wish],
    window: Columns,
    *,
    asked: int,
    told: int,
    limit: int,
    waited: Sequence[int] = (),
) -> Composition:
    """Leave out what was told and what is excluded, order the others, and cut.

    Args:
        wishes: the digest's, with what they fit.
        window: what is known of the events.
        asked: the events of the kinds that the digest asks for.
        told: the events that it has told of before.
        limit: how many items it shows in full.
        waited: the events that each edition before could have told, the first edition's first: what is still to be
            told of them comes first, in that order.
    """
    kept, wanted = _kept(wishes, window, asked, told)
    if not wanted:
        return _NOTHING
    here = _union(row for _, row in kept)
    excluded = _papers(wanted & ~window.whole(here), window) if wanted != here else 0
    ranked = list(_ordered(kept, window, _moves(here & window.several, window)))
    items, more = _cut(_in_turn(ranked, waited) if waited else ranked, limit)
    rest, beyond = _cut(more, MOST_REST)
    waiting = _union(one.row for one in beyond)
    return Composition(items=items, rest=rest, waiting=waiting, excluded=excluded, kept=kept)


def keep_first(what: Composition, most: int) -> Composition:
    """Keep so many papers of an edition, the first ones; the others wait for the next edition."""
    if sum([ranked.row.bit_count() for ranked in (*what.items, *what.rest)]) <= most:
        return what
    items, beyond = _cut(what.items, most)
    left = most - sum([ranked.row.bit_count() for ranked in items])
    rest, more = _cut(what.rest, left)
    waiting = what.waiting | _union(ranked.row for ranked in (*beyond, *more))
    return what._replace(items=items, rest=rest, waiting=waiting)


def _in_turn(ranked: Sequence[Ranked], waited: Iterable[int]) -> list[Ranked]:
    """Let the events of some rows come before all others, row by row; each comes with the first row that has it."""
    found = []
    left = list(ranked)
    for mask in waited:
        found += [one._replace(row=row) for one in left if (row := one.row & mask)]
        left = [one._replace(row=row) for one in left if (row := one.row & ~mask)]
    return [*found, *left]


def _cut(ranked: Sequence[Ranked], most: int) -> tuple[Sequence[Ranked], Sequence[Ranked]]:
    """The first papers, so many at most, and the others."""
    room = most
    for number, (row, part, score) in enumerate(ranked):
        size = row.bit_count()
        if size > room:
            first = lowest(row, room)
            last = [Ranked(first, part, score)] if first else []
            return [*ranked[:number], *last], [Ranked(row ^ first, part, score), *ranked[number + 1 :]]
        room -= size
    return ranked, ()


def _kept(wishes: Sequence[Wish], window: Columns, asked: int, told: int) -> tuple[list[Kept], int]:
    """What each wish brings, and all that was wanted before anything was excluded."""
    against = [wish for wish in wishes if wish.exclude]
    named = _union(wish.named for wish in wishes if not wish.exclude) & ~window.withdrawn
    tellable = (asked | named) & ~told
    out = _taken((wish for wish in against if not wish.only), tellable, window)
    wanted = 0
    kept = []
    for wish in wishes:
        if wish.exclude:
            continue
        row = wish.hits.maybe & tellable
        if named:
            row &= asked | wish.named
        wanted |= row
        if against:
            row &= ~(out | _taken((one for one in against if one.only == wish.query), tellable, window))
        if row:
            kept.append(Kept(wish, row))
    return kept, wanted


def _taken(exclusions: Iterable[Wish], tellable: int, window: Columns) -> int:
    """What exclusions take out: all events of the papers that one of them fits surely or likely."""
    row = _union(one.hits.likely for one in exclusions) & tellable
    return window.whole(row) if row else 0


def _papers(row: int, window: Columns) -> int:
    """How many papers a row has events of."""
    several = row & window.several
    return (row ^ several).bit_count() + len({window.twins[place] for place in places(several)})


# several events of one paper are one item

_Moves = Sequence[tuple[int, int]]
"""Rows of events, and the one of the same paper that is told instead."""


def _moves(row: int, window: Columns) -> _Moves:
    found = {}
    for place in places(row):
        first, *others = (twin for twin in window.twins[place] if row >> twin & 1)
        if others:
            found[1 << first] = _union(1 << other for other in others)
    return [(others, first) for first, others in found.items()]


def _moved(row: int, moves: _Moves) -> int:
    for others, first in moves:
        if row & others:
            row = row & ~others | first
    return row


# their order


def _ordered(kept: Sequence[Kept], window: Columns, moves: _Moves) -> Iterator[Ranked]:
    """Part by part: authors followed, surely before likely, weights, title before abstract, listing order."""
    likely = title = by_likely = by_surely = 0
    scores: dict[float, int] = {}
    for wish, row in kept:
        likely |= wish.hits.likely & row
        title |= wish.hits.title & row
        by_likely |= wish.hits.by_likely & row
        by_surely |= wish.hits.by_surely & row
        scores = _added(scores, wish.weight, _moved(row, moves))
    likely, title, by_likely, by_surely = (
        _moved(row, moves) for row in (likely, title, by_likely, by_surely)
    )
    levels = sorted(scores.items(), key=itemgetter(0), reverse=True)
    for part, of_part in _parts(_union(scores.values()), likely, window):
        for by in (of_part & by_surely, of_part & by_likely & ~by_surely, of_part & ~by_likely):
            for score, level in levels if by else ():
                if row := by & level & title:
                    yield Ranked(row, part, score)
                if row := by & level & ~title:
                    yield Ranked(row, part, score)


def _added(scores: Mapping[float, int], weight: float, row: int) -> dict[float, int]:
    """Events by their score, after one more wish."""
    found: dict[float, int] = defaultdict(int)
    for score, level in scores.items():
        if more := level & row:
            found[score + weight] |= more
            row ^= more
            level ^= more  # noqa: PLW2901 - what is left of it
        if level:
            found[score] |= level
    if row:
        found[weight] |= row
    return found


def _parts(row: int, likely: int, window: Columns) -> Iterator[tuple[Part, int]]:
    """A pick of somebody who may be a namesake is a maybe: that others liked it makes nothing surer."""
    papers = row & window.of_papers
    sure = papers & likely
    picked = sure & window.kinds.get(EventKind.PICKED, 0)
    yield Part.SURELY, sure ^ picked
    yield Part.MAYBE, papers ^ sure
    yield Part.PICKED, picked
    yield Part.VERSIONS, row ^ papers


def _union(rows: Iterable[int]) -> int:
    return reduce(or_, rows, 0)


# --- why it tells it ------------------------------------------------------------------------------


class Ground(NamedTuple):
    """Why a paper is told.

    Attributes:
        twin: the place of the event of that paper that the wish fits, where it is not the one told.
    """

    wish: Wish
    band: Band
    twin: int | None = None


def grounds(what: Composition, window: Columns) -> list[tuple[int, tuple[Ground, ...]]]:
    """Why papers of an edition are in it: the surest first, then the weightiest.

    Args:
        what: what the edition holds.
        window: what is known of the events.

    Returns:
        Rows of events told that are there for the same reasons, and these.
    """
    shown = _union([ranked.row for ranked in (*what.items, *what.rest)])
    by_weight = sorted(what.kept, key=lambda kept: (-kept.wish.weight, kept.wish.follow))
    asked = [
        (wish, band, fits)
        for band in (Band.SURELY, Band.LIKELY, Band.MAYBE)
        for wish, row in by_weight
        if (fits := _of_band(wish.hits, band) & row)
    ]
    several = shown & window.several
    found = _alike(asked, shown ^ several)
    return found + _of_twins(asked, several, window) if several else found


_Asked = Sequence[tuple[Wish, Band, int]]
"""Wishes in the order in which they are named, and the events that each fits in a band."""


def _alike(asked: _Asked, row: int) -> list[tuple[int, tuple[Ground, ...]]]:
    """The events of a row, parted by what fits them."""
    groups: list[tuple[int, tuple[Ground, ...]]] = [(row, ())] if row else []
    for wish, band, fits in asked:
        if not fits & row:
            continue
        ground = Ground(wish, band)
        parted = []
        for group, why in groups:
            if inside := group & fits:
                parted.append((inside, (*why, ground)))
            if outside := group & ~fits:
                parted.append((outside, why))
        groups = parted
    return groups


def _of_twins(asked: _Asked, told: int, window: Columns) -> list[tuple[int, tuple[Ground, ...]]]:
    """Why papers of several events are told: for each wish the event that it fits best."""
    home = {twin: place for place in places(told) for twin in window.twins[place]}
    found: dict[int, list[Ground]] = {place: [] for place in places(told)}
    for wish, band, fits in asked:
        for place in places(fits & window.whole(told)):
            why = found[home[place]]
            if all(ground.wish is not wish for ground in why):
                why.append(Ground(wish, band, None if home[place] == place else place))
    return [(1 << place, tuple(why)) for place, why in found.items()]


def _of_band(hits: Hits, band: Band) -> int:
    return (hits.maybe ^ hits.likely, hits.likely ^ hits.surely, hits.surely)[band - 1]
