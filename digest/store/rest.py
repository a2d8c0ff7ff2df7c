"""The rest of an edition as it is kept: the numbers of papers, and once for many of them why they are there.

A follow of a whole category leaves hundreds of papers behind those that are shown in full, and a million digests have
such a rest each day: a paper takes some five bytes. What is marked in titles is found when somebody looks.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from digest.core.language.query import Query
from digest.core.language.reading import parse
from digest.core.matching.evaluate import reasons
from digest.core.papers.document import title_of
from digest.errors import QueryError
from digest.model import Band, Event, Evidence, Item, Part, Reason
from digest.store.items import read_evidence


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
        alike: for each of the grounds that some of them have, its number among those of the rest, and their events.
    """

    part: Part
    score: float
    alike: Sequence[tuple[int, Sequence[int]]]


@dataclass(frozen=True, slots=True)
class Rest:
    """What an edition has beyond the papers that it shows in full.

    Attributes:
        why: the follows that papers are there for; most of the papers have the same ones.
        ranks: the papers in their order.
    """

    why: Sequence[Sequence[Ground]] = ()
    ranks: Sequence[Rank] = ()

    def written(self) -> str:
        """As JSON: ``{"why": [[[follow, band, query], …], …], "ranks": [[part, score, [[why, [seq, …]], …]], …]}``."""
        return _written({"why": self.why, "ranks": self.ranks}) if self.ranks else _NONE


_written = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_NONE = '{"why":[],"ranks":[]}'


# --- reading --------------------------------------------------------------------------------------
#
# Editions of releases before this one have `lines` instead: [seq, part, score, why, marked], and no queries.


def seqs(kept: Mapping[str, Any]) -> list[int]:
    """The events of a rest that was kept, in any order."""
    if "lines" in kept:
        return [line[0] for line in kept["lines"]]
    return [seq for _, _, alike in kept["ranks"] for _, some in alike for seq in some]


def items(kept: Mapping[str, Any], events: Mapping[int, Event]) -> Iterator[Item]:
    """The papers of a rest that was kept, the events given by seq."""
    if "lines" in kept:
        yield from _lines(kept, events)
        return
    why = [[(follow, Band(band), _read(query)) for follow, band, query in some] for some in kept["why"]]
    for part, score, alike in kept["ranks"]:
        for seq, number in sorted((seq, number) for number, some in alike for seq in some):
            event = events[seq]
            given = [
                Reason(follow=follow, band=band, evidence=_marked(query, event))
                for follow, band, query in why[number]
            ]
            yield Item(event=event, part=Part(part), score=score, reasons=tuple(given))


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
