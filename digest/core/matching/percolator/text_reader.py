"""Whether something stands in texts, of which no other words are read than those that are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from digest.core.language.query import Exact, Phrase, Prefix, TextQuery
from digest.core.matching.percolator.prefilter import glance_at_words
from digest.core.matching.positions import needed, openings, positions, spellings, wishes
from digest.core.papers.document import GAP, LINE_BREAK, SPAN, Text
from digest.core.text.words import AROUND, forms, letters, piece


class TextReader:
    """Reads texts for one thing that is asked for. What it has read of pieces serves for all texts.

    Args:
        query: what is asked for.
    """

    def __init__(self, query: TextQuery) -> None:
        self._query = query

    @cached_property
    def _pieces(self) -> _Pieces:
        assert not isinstance(self._query, Exact)
        return _Pieces(self._query)

    def stands_in(self, text: Text) -> bool:
        """Whether it stands in a text."""
        if isinstance(self._query, Exact):
            return any(spellings(text, self._query.text))
        return bool(positions(self._pieces.read(text), self._query))


class _AskedPositions:
    """Where those words begin in a text that are asked for."""

    def __init__(self, where: Mapping[str, Sequence[int]]) -> None:
        self.where = where

    @property
    def vocabulary(self) -> Sequence[str]:
        return sorted(self.where)


_Asked = Sequence[tuple[str, int]]
"""Words of a piece that are asked for, as ``Text.where`` has them: a form, and where it begins in the piece."""


class _Pieces(dict[str, tuple[int, _Asked]]):
    """What stands between two blanks: of how many parts it is, and what of it is asked for.

    Most pieces come again, and most have nothing that is asked for, as their letters tell: to read a text so takes a
    tenth of the time that it takes to read all of its words.
    """

    def __init__(self, query: Phrase | Prefix) -> None:
        super().__init__({LINE_BREAK: (GAP, ())})
        self._begun: tuple[str, ...] = ()
        if isinstance(query, Phrase):
            self._wish = _union(needed(query.units))
        else:
            size = len(query.unit)
            self._wish = _union(wish for (_, end), wish in wishes(query.unit).items() if end < size)
            self._begun = tuple(_union(openings(query.unit).values()))
        self._may_have = glance_at_words(self._wish, self._begun)

    def read(self, text: Text) -> _AskedPositions:
        """Where the words asked for begin in a text."""
        where: dict[str, list[int]] = {}
        position = 0
        for size, asked in map(self.__getitem__, text.pieces()):
            for form, at in asked:
                where.setdefault(form, []).append((position << SPAN) + at)
            position += size
        return _AskedPositions(where)

    def __missing__(self, printed: str) -> tuple[int, _Asked]:
        bare = printed.strip(AROUND)
        if bare.isascii() and bare.isalnum():
            found = 1, self._asked((bare,), ()) if self._may_have(bare.lower()) else ()
        else:
            split, joined = piece(bare)
            found = len(split), self._asked(split, joined) if self._may_have(letters(bare)) else ()
        self[printed] = found
        return found

    def _asked(self, split: Sequence[str], joined: Iterable[tuple[int, int, str]]) -> _Asked:
        return [
            (form, first << SPAN | span)
            for first, span, word in (*((at, 1, part) for at, part in enumerate(split)), *joined)
            for form in forms(word)
            if form in self._wish or form.startswith(self._begun)
        ]


def _union(several: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset[str]().union(*several)
