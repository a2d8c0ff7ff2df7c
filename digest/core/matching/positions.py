"""Where words stand in a text: phrases, words near each other, beginnings and exact spellings.

The work for a text is bounded by its length times the length of what is asked for, however often words repeat in
either: a phrase keeps one place for each position that it has reached, not one for each way to get there.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Protocol

from digest.core.language.query import Exact, Phrase, Prefix, TextQuery, Unit
from digest.core.papers.document import SPAN, Text
from digest.core.text.words import LONGEST, beginnings, join, parts, spelled, wanted

_Forms = frozenset[str]
_Run = tuple[int, int]
"""Parts of a word, from and up to, taken as one word."""


def places(text: Text, query: TextQuery) -> list[tuple[int, int]]:
    """Where something stands in a text: the start and the end of each place, in characters."""
    if isinstance(query, Exact):
        return list(spellings(text, query.text))
    found = positions(text, query)
    if not found:
        return []
    starts, ends = text.spans
    return [(starts[first], ends[behind - 1]) for first, behind in found]


def stands(text: Text, query: TextQuery) -> bool:
    """Whether something stands in a text, of which all words are read for it once."""
    return any(spellings(text, query.text)) if isinstance(query, Exact) else bool(positions(text, query))


def lacks(text: Text, needed: Iterable[_Forms]) -> bool:
    """Whether a text has none of the forms that one of some words is ``needed`` in."""
    here = text.where.keys()
    for wish in needed:  # noqa: SIM110 - in half the time
        if here.isdisjoint(wish):
            return True
    return False


class Positions(Protocol):
    """Where words begin in a text, as ``Text`` has it."""

    @property
    def where(self) -> Mapping[str, Sequence[int]]:
        """By form: of each word ``position << 4 | span``."""

    @property
    def vocabulary(self) -> Sequence[str]:
        """All forms, sorted."""


def positions(text: Positions, query: Phrase | Prefix) -> list[_Run]:
    """The first position of each place where something stands in a text, and the one behind its last."""
    if isinstance(query, Prefix):
        return _phrase(text, (_beginning(query.unit, text),), 0)
    units = query.units
    if len(units) == 1 == len(units[0]):
        return _word(text, wanted(units[0][0]))
    if query.near or max(map(len, units)) > 1:
        return _phrase(text, tuple(map(wishes, units)), query.near)
    return _in_a_row(text, needed(units))


# --- what a word asks for -------------------------------------------------------------------------


@lru_cache(maxsize=1 << 14)
def wishes(unit: Unit) -> Mapping[_Run, _Forms]:
    """The forms that a word asks for, of each run of its parts: ``multi-modal`` as one word and as two."""
    return {(start, end): wanted(_run(unit, start, end)) for start, end in _runs(len(unit))}


@lru_cache(maxsize=1 << 12)
def openings(unit: Unit) -> Mapping[_Run, _Forms]:
    """How a word may begin, of each run of parts that ends with the part that is only begun."""
    return {
        (start, end): beginnings(_run(unit, start, end))
        for start, end in _runs(len(unit))
        if end == len(unit)
    }


def _runs(size: int) -> Iterator[_Run]:
    for start in range(size):
        for end in range(start + 1, min(size, start + LONGEST) + 1):
            yield start, end


def _run(unit: Unit, start: int, end: int) -> str:
    return unit[start] if end - start == 1 else join(unit[start:end])


_Word = Mapping[_Run, Collection[str]]
"""A word of a phrase: the forms that are asked for, of each run of its parts that may stand for one word of a text."""


@lru_cache(maxsize=1 << 14)
def needed(units: tuple[Unit, ...]) -> tuple[_Forms, ...]:
    """For each word of a phrase the forms of which a text must have one: those that any run of its parts asks for."""
    return tuple([frozenset[str]().union(*wishes(unit).values()) for unit in units])


def _beginning(unit: Unit, text: Positions) -> _Word:
    """What a word that is only begun asks for in a text: all its forms that begin so."""
    found: dict[_Run, Collection[str]] = {
        run: wish for run, wish in wishes(unit).items() if run[1] < len(unit)
    }
    known = text.vocabulary
    for run, begun in openings(unit).items():
        found[run] = {
            form
            for beginning in begun
            for form in known[bisect_left(known, beginning) : bisect_left(known, beginning + _LAST)]
        }
    return found


# --- phrases --------------------------------------------------------------------------------------

_LAST = "\U0010ffff"
"""Behind all that begins as what stands before it."""
_Reached = dict[int, tuple[int, int]]
"""By position: how many other words lie between, at least, and minus where it began: the lesser is the better."""
_SPAN = (1 << SPAN) - 1


def _word(text: Positions, forms: _Forms) -> list[_Run]:
    """The same for one word of one part, as most of what is asked for is."""
    where = text.where
    found = [at for form in forms for at in where.get(form, ())]
    if len(found) == 1:
        first = found[0] >> SPAN
        return [(first, first + (found[0] & _SPAN))]
    if {at & _SPAN for at in found} == {1}:
        return [(at >> SPAN, (at >> SPAN) + 1) for at in sorted(set(found))]
    return _in_a_row(text, (forms,))


def _in_a_row(text: Positions, words: Sequence[_Forms]) -> list[_Run]:
    """The first position of each place where words of one part each follow each other, and the one behind its last."""
    where = text.where
    reached: dict[int, int] = {}  # by the position behind: the last one where it can have begun
    for number, word in enumerate(words):
        before, reached = reached, {}
        for form in word:
            for at in where.get(form, ()):
                position = at >> SPAN
                first = before.get(position, -1) if number else position
                behind = position + (at & _SPAN)
                if first > reached.get(behind, -1):
                    reached[behind] = first
        if not reached:
            return []
    if len(reached) == 1:
        return [(first, behind) for behind, first in reached.items()]
    return _longest((behind, first) for behind, first in sorted(reached.items()))


def _longest(found: Iterable[tuple[int, int]]) -> list[_Run]:
    """Of the places that begin alike the longest; they are given by where they end, in that order."""
    longest = {first: behind for behind, first in found}
    return sorted(longest.items())


def _phrase(text: Positions, words: Sequence[_Word], near: int) -> list[_Run]:
    """The first position of each place, and the one behind its last."""
    reached: _Reached = {position: (0, -position) for position in _openings_in(text, words[0])}
    for number, word in enumerate(words):
        if not reached:
            return []
        if number and near:
            reached = _spread(reached, near, sorted(set(_openings_in(text, word))))
        reached = _behind(text, word, reached)
    return _longest((behind, -first) for behind, (_, first) in sorted(reached.items()))


def _openings_in(text: Positions, word: _Word) -> Iterator[int]:
    """The positions where a word may begin."""
    for (start, _), wish in word.items():
        if not start:
            for form in wish:
                for at in text.where.get(form, ()):
                    yield at >> SPAN


def _spread(reached: _Reached, near: int, starts: Sequence[int]) -> _Reached:
    """Those of the places where the next word may begin, in order, that are near enough, with others between.

    What is carried on from the places before is the best way to get there: each place is visited once.
    """
    found: _Reached = {}
    waiting = sorted(reached.items(), reverse=True)
    others, begun, at = near + 1, 0, 0
    for start in starts:
        while waiting and waiting[-1][0] <= start:
            position, value = waiting.pop()
            others, begun = min((others + position - at, begun), value)
            at = position
        if others + start - at <= near:
            found[start] = others + start - at, begun
    return found


def _behind(text: Positions, word: _Word, starts: _Reached) -> _Reached:
    """The positions behind a word that begins at one of these; it may be printed split, joined or in between."""
    size = max(end for _, end in word)
    reached: list[_Reached] = [starts, *({} for _ in range(size))]
    for (start, end), wish in word.items():
        here, target = reached[start], reached[end]
        if not here:
            continue
        for form in wish:
            for at in text.where.get(form, ()):
                value = here.get(at >> SPAN)
                if value is not None:
                    behind = (at >> SPAN) + (at & _SPAN)
                    target[behind] = min(value, target.get(behind, value))
    return reached[size]


# --- exact spellings ------------------------------------------------------------------------------


def spellings(text: Text, wanted_text: str) -> Iterator[tuple[int, int]]:
    """Where an exact spelling stands in a text. Whole words only: ``RAG`` stands in RAG-based, but neither in RAGs nor in RAG's."""
    at = text.text.find(wanted_text)
    if at < 0:
        return
    first, last = _edges(wanted_text)
    edges = _Edges(text.text)
    while at >= 0:
        if edges.begins(at + first) and edges.ends(at + last):
            yield at, at + len(wanted_text)
        at = text.text.find(wanted_text, at + 1)


class _Edges:
    """Where parts start and end in a text; between two blanks a text is read when that is first asked."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._read: dict[int, tuple[int, frozenset[int], frozenset[int]]] = {}
        """By where it begins: the end of what stands between two blanks, and where parts start and end in it."""
        self._last = 0, 0

    def begins(self, at: int) -> bool:
        """Whether a part starts there."""
        return at in self._around(at)[1]

    def ends(self, at: int) -> bool:
        """Whether a part ends there."""
        return at in self._around(at - 1)[2]

    def _around(self, at: int) -> tuple[int, frozenset[int], frozenset[int]]:
        start, end = self._last
        if not start <= at < end:
            start = self._text.rfind(" ", 0, at) + 1
            if start not in self._read:
                self._read[start] = self._edges_from(start)
            self._last = start, self._read[start][0]
        return self._read[start]

    def _edges_from(self, start: int) -> tuple[int, frozenset[int], frozenset[int]]:
        end = self._text.find(" ", start)
        end = len(self._text) if end < 0 else end
        found = [(start + at, start + at + len(part)) for at, part, _ in spelled(self._text[start:end])]
        return end, frozenset(first for first, _ in found), frozenset(behind for _, behind in found)


@lru_cache(maxsize=1 << 12)
def _edges(wanted_text: str) -> tuple[int, int]:
    found = list(parts(wanted_text))
    return found[0].start, found[-1].end
