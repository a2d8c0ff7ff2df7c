"""The rest of an edition as it is kept: the numbers of papers, and once for many of them why they are there.

A follow of a whole category leaves hundreds of papers behind those that are shown in full, and a million digests have
such a rest each day: a paper takes five bytes at the most, and where they stand close together no more than some bits.
What is marked in titles is found when somebody looks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

from digest.core.language.parser import parse
from digest.core.language.query import Query
from digest.core.matching.bitmaps import places, row_of
from digest.core.matching.evaluate import reasons
from digest.core.papers.document import title_of
from digest.errors import QueryError
from digest.model import Band, Event, Evidence, Item, Part, Reason
from digest.store.editions.items import quoted, read_evidence


class Ground(NamedTuple):
    """A follow that papers of a rest are there for.

    Attributes:
        follow: as written.
        band: how surely it fits them.
        query: what is marked in their titles, in its canonical form; "" where that is nothing for all of them.
    """

    follow: str
    band: Band
    query: str


class Rank(NamedTuple):
    """Papers of a rest of equal rank, which stand in the order of their events.

    Attributes:
        alike: for each of the grounds that some of them have, its number among those of the rest, and their events:
            a row of bits.
    """

    part: Part
    score: float
    alike: Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Rest:
    """What an edition has beyond the papers that it shows in full.

    Attributes:
        first: the event that has the lowest place in rows.
        why: the follows that papers are there for; most of the papers have the same ones.
        ranks: the papers in their order.
    """

    first: int = 0
    why: Sequence[Sequence[Ground]] = ()
    ranks: Sequence[Rank] = ()

    def written(self) -> str:
        """As JSON.

        ``{"first": seq, "why": [[[follow, band, query], …], …], "ranks": [[part, score, [[why, row], …]], …]}``; a row
        is in hexadecimal, or the places of its bits, whichever is shorter.
        """
        why = [
            _list([f"[{quoted(follow)},{int(band)},{quoted(query)}]" for follow, band, query in some])
            for some in self.why
        ]
        ranks = [
            f'["{part.value}",{score!r},{_list([f"[{number},{_shorter(row)}]" for number, row in alike])}]'
            for part, score, alike in self.ranks
        ]
        return f'{{"first":{self.first},"why":{_list(why)},"ranks":{_list(ranks)}}}'


def _list(written: Iterable[str]) -> str:
    return f"[{','.join(written)}]"


_A_PLACE = 20
"""Bits of a row that take as much room as one place written by itself."""


def _shorter(row: int) -> str:
    if row.bit_length() < _A_PLACE * row.bit_count():
        return f'"{row:x}"'
    return _list(map(str, places(row)))


# --- reading --------------------------------------------------------------------------------------
#
# Editions of releases before this one have `lines` instead: [seq, part, score, why, marked], and no queries; or no
# `first`: their places are the events themselves.


def seqs(kept: Mapping[str, Any]) -> list[int]:
    """The events of a rest that was kept, in any order."""
    if "lines" in kept:
        return [line[0] for line in kept["lines"]]
    first, row = placed(kept)
    return [first + place for place in places(row)]


def seqs_in_order(kept: Mapping[str, Any]) -> list[int]:
    """The events of a rest that was kept, as its papers stand."""
    if "lines" in kept:
        return seqs(kept)
    first = kept.get("first", 0)
    rows = (reduce(or_, (_row(row) for _, row in alike), 0) for _, _, alike in kept["ranks"])
    return [first + place for row in rows for place in places(row)]


def placed(kept: Mapping[str, Any]) -> tuple[int, int]:
    """The events of a rest that was kept: the one that has the lowest place, and a row."""
    if "lines" in kept:
        some = seqs(kept)
        first = min(some, default=0)
        return first, row_of([seq - first for seq in some])
    row = 0
    for _, _, alike in kept["ranks"]:
        for _, more in alike:
            row |= _row(more)
    return kept.get("first", 0), row


def items(kept: Mapping[str, Any], events: Mapping[int, Event]) -> Iterator[Item]:
    """The papers of a rest that was kept, the events given by seq."""
    if "lines" in kept:
        yield from _lines(kept, events)
        return
    why = [[(follow, Band(band), _read(query)) for follow, band, query in some] for some in kept["why"]]
    first = kept.get("first", 0)
    for part, score, alike in kept["ranks"]:
        for place, number in sorted((place, number) for number, row in alike for place in places(_row(row))):
            event = events[first + place]
            given = [
                Reason(follow=follow, band=band, evidence=_marked(query, event))
                for follow, band, query in why[number]
            ]
            yield Item(event=event, part=Part(part), score=score, reasons=tuple(given))


def _row(kept: str | list[int]) -> int:
    return int(kept, 16) if isinstance(kept, str) else row_of(kept)


def _read(query: str) -> Query | None:
    try:
        return parse(query) if query else None
    except QueryError:
        return None  # this release does not understand it any more: nothing is marked


def _marked(query: Query | None, event: Event) -> tuple[Evidence, ...]:
    return reasons(query, title_of(event.paper)) if query else ()


def _lines(kept: Mapping[str, Any], events: Mapping[int, Event]) -> Iterable[Item]:
    for seq, part, score, number, *more in kept["lines"]:
        grounds = kept["why"][number]
        marked = more[0] if more else [()] * len(grounds)
        given = [
            Reason(follow=follow, band=Band(band), evidence=read_evidence(words))
            for (follow, band), words in zip(grounds, marked, strict=True)
        ]
        yield Item(event=events[seq], part=Part(part), score=score, reasons=tuple(given))
