"""The rest of an edition as it is kept: a line a paper, and once for many of them why they are there.

A follow of a whole category leaves hundreds of papers behind those that are shown in full, and a million digests
have such a rest each day: a line takes some twenty bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from digest.model import Band, Event, Evidence, Item, Part, Reason


class Line(NamedTuple):
    """A paper of a rest.

    Attributes:
        seq: of the event told.
        why: the number of its grounds among those of the rest.
        marked: for each of these what is marked in the title; nothing at all where that is nothing for all.
    """

    seq: int
    part: Part
    score: float
    why: int
    marked: Sequence[Sequence[Evidence]] = ()


@dataclass(frozen=True, slots=True)
class Rest:
    """What an edition has beyond the papers that it shows in full.

    Attributes:
        why: follows and how surely they fit; most of the lines have the same ones.
    """

    why: Sequence[Sequence[tuple[str, Band]]] = ()
    lines: Sequence[Line] = ()

    def items(self, events: Mapping[int, Event]) -> tuple[Item, ...]:
        """The lines with their papers, the events given by seq."""
        return tuple(
            Item(event=events[line.seq], part=line.part, reasons=self._reasons(line), score=line.score)
            for line in self.lines
        )

    def _reasons(self, line: Line) -> tuple[Reason, ...]:
        grounds = self.why[line.why]
        marked = line.marked or [()] * len(grounds)
        return tuple(
            Reason(follow=follow, band=band, evidence=tuple(words))
            for (follow, band), words in zip(grounds, marked, strict=True)
        )

    def written(self) -> str:
        """As JSON: ``{"why": [[[follow, band], …], …], "lines": [[seq, part, score, why, marked?], …]}``.

        Each line begins a line, so that they can be counted without being read.
        """
        if not (self.why or self.lines):
            return _NONE
        why = _json([[[follow, int(band)] for follow, band in grounds] for grounds in self.why])
        lines = ",\n".join(map(_line, self.lines))
        return f'{{"why":{why},"lines":[\n{lines}]}}'


def read(kept: Mapping[str, Any]) -> Rest:
    """A rest that was kept."""
    return Rest(
        why=[[(follow, Band(band)) for follow, band in grounds] for grounds in kept["why"]],
        lines=[
            Line(seq, Part(part), score, why, [*map(evidence, marked[0])] if marked else ())
            for seq, part, score, why, *marked in kept["lines"]
        ],
    )


def seqs(kept: Mapping[str, Any]) -> list[int]:
    """The events of a rest that was kept, without reading more of it."""
    return [line[0] for line in kept["lines"]]


def evidence(kept: Iterable[Sequence[Any]]) -> tuple[Evidence, ...]:
    """What is marked, as it was kept: pairs of field and words."""
    return tuple(Evidence(field=field, words=tuple(words)) for field, words in kept)


def evidence_json(marked: Iterable[Evidence]) -> list[list[Any]]:
    """What is marked, as it is kept."""
    return [[what.field, list(what.words)] for what in marked]


def _line(line: Line) -> str:
    seq, part, score, why, marked = line
    more = f",{_json([evidence_json(words) for words in marked])}" if marked else ""
    return f'[{seq},"{part}",{score!r},{why}{more}]'


_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_NONE = '{"why":[],"lines":[\n]}'
