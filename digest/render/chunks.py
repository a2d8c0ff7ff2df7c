"""Texts of papers, encoded once in short pieces: who marks words in them encodes a few of these again."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from digest.core.words.text import highlights
from digest.render.card import in_lines, line_starts, with_marks
from digest.render.coded import Coded, coded_html

_MARKS = len("<b></b>")


class Chunks(NamedTuple):
    """A text on one line as HTML.

    Attributes:
        lines: the text in lines, as HTML has it.
        starts: where its pieces begin, and where the last one ends: behind blanks, so that no word stands in two.
        pieces: each one encoded, with nothing marked.
        size: the bytes of all of it; ``excess`` likewise.
    """

    text: str
    lines: str
    starts: list[int]
    pieces: list[bytes]
    size: int
    excess: int

    def marked(self, words: Sequence[str]) -> Coded:
        """With words marked."""
        places = highlights(self.text, words)
        contents: list[bytes] = []
        done = 0
        for first, last, mine in self._touched(places):
            contents += self.pieces[done:first]
            html = with_marks(self.lines, mine, self.starts[first], self.starts[last])
            contents.append(coded_html(html).content)
            done = last
        contents += self.pieces[done:]
        more = len(places) * _MARKS
        return Coded(b"".join(contents), self.size + more, self.excess - more)

    def _touched(self, places: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int, list[tuple[int, int]]]]:
        """Runs of pieces in which something is marked, the first one and that behind the last, with what."""
        begin = end = 0
        mine: list[tuple[int, int]] = []
        for place in places:
            first, last = bisect_right(self.starts, place[0]) - 1, bisect_left(self.starts, place[1])
            if first >= end:
                if mine:
                    yield begin, end, mine
                begin, mine = first, []
            end = last
            mine.append(place)
        if mine:
            yield begin, end, mine


def chunks(text: str) -> Chunks:
    """The pieces of a text."""
    starts, lines = [*line_starts(text), len(text)], in_lines(text)
    made = [coded_html(with_marks(lines, (), start, end)) for start, end in pairwise(starts)]
    return Chunks(
        text,
        lines,
        starts,
        [one.content for one in made],
        sum([one.size for one in made]),
        sum([one.excess for one in made]),
    )
