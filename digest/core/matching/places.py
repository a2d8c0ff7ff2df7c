"""Where words stand in a text: phrases, words near each other, beginnings and exact spellings.

The work for a text is bounded by its length times the length of what is asked for, however often words repeat in
either: a phrase keeps one place for each position that it has reached, not one for each way to get there.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from digest.core.language.query import Exact, Phrase, Prefix, Unit
from digest.core.papers.document import Text
from digest.core.words.text import LONGEST, beginnings, join, parts, wanted

_Forms = frozenset[str]
_Run = tuple[int, int]
"""Parts of a word, from and up to, taken as one word."""


def fields_of(query: Phrase | Exact | Prefix) -> tuple[str, ...]:
    """The fields that words are looked for in."""
    return (query.field,) if query.field else ("title", "abstract")


def places(text: Text, query: Phrase | Exact | Prefix) -> list[tuple[int, int]]:
    """Where something stands in a text: the start and the end of each place, in characters."""
    if isinstance(query, Exact):
        return list(_exact(text, query.text))
    return [(text.spans[first][0], text.spans[behind - 1][1]) for first, behind in _positions(text, query)]


def stands(text: Text, query: Phrase | Exact | Prefix) -> bool:
    """Whether something stands in a text."""
    return any(_exact(text, query.text)) if isinstance(query, Exact) else bool(_positions(text, query))


def _positions(text: Text, query: Phrase | Prefix) -> list[_Run]:
    if isinstance(query, Prefix):
        return _phrase(text, (_beginning(query.unit),), 0)
    return _phrase(text, tuple(map(_word, query.units)), query.near)


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


_Meets = Callable[[_Forms], bool]
"""Whether a word of a text, by its forms, is one that was asked for."""


class _Word(NamedTuple):
    """A word of a phrase.

    Attributes:
        size: how many parts it has.
        runs: for each run of parts that may stand for one word of a text, which words it stands for.
        first: what a word of a text can be looked for as with which it begins; no other need be looked at.
        begun: how that may begin instead.
    """

    size: int
    runs: Mapping[_Run, _Meets]
    first: _Forms
    begun: tuple[str, ...] = ()


@lru_cache(maxsize=1 << 14)
def _word(unit: Unit) -> _Word:
    asked = wishes(unit)
    return _Word(len(unit), {run: _is_one_of(wish) for run, wish in asked.items()}, _first(asked))


@lru_cache(maxsize=1 << 12)
def _beginning(unit: Unit) -> _Word:
    whole = {run: wish for run, wish in wishes(unit).items() if run[1] < len(unit)}
    begun = openings(unit)
    runs = {run: _is_one_of(wish) for run, wish in whole.items()}
    runs |= {run: _starts_with(tuple(wish)) for run, wish in begun.items()}
    return _Word(len(unit), runs, _first(whole), tuple(_first(begun)))


def _first(asked: Mapping[_Run, _Forms]) -> _Forms:
    return frozenset[str]().union(*(wish for (start, _), wish in asked.items() if start == 0))


def _is_one_of(wish: _Forms) -> _Meets:
    return lambda forms: not wish.isdisjoint(forms)


def _starts_with(wish: tuple[str, ...]) -> _Meets:
    return lambda forms: any(form.startswith(wish) for form in forms)


# --- phrases --------------------------------------------------------------------------------------

_LAST = "\U0010ffff"
"""Behind all that begins as what stands before it."""
_Reached = dict[int, tuple[int, int]]
"""By position: how many other words lie between, at least, and minus where it began: the lesser is the better."""


def _phrase(text: Text, words: tuple[_Word, ...], near: int) -> list[_Run]:
    """The first position of each place, and the one behind its last."""
    reached: _Reached = {position: (0, -position) for position in _openings_in(text, words[0])}
    for number, word in enumerate(words):
        if not reached:
            return []
        if number:
            starts = sorted(set(_openings_in(text, word)))
            reached = _spread(reached, near, starts) if near else _kept(reached, starts)
        reached = _behind(text, word, reached)
    longest: dict[int, int] = {}
    for behind, (_, first) in sorted(reached.items()):
        longest[-first] = behind
    return sorted(longest.items())


def _openings_in(text: Text, word: _Word) -> Iterator[int]:
    """The positions where a word may begin."""
    for form in word.first:
        yield from text.where.get(form, ())
    for beginning in word.begun:
        known = text.vocabulary
        for form in known[bisect_left(known, beginning) : bisect_left(known, beginning + _LAST)]:
            yield from text.where[form]


def _kept(reached: _Reached, starts: Iterable[int]) -> _Reached:
    return {start: reached[start] for start in starts if start in reached}


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


def _behind(text: Text, word: _Word, starts: _Reached) -> _Reached:
    """The positions behind a word that begins at one of these; it may be printed split, joined or in between."""
    reached: list[_Reached] = [starts, *({} for _ in range(word.size))]
    for (start, end), meets in word.runs.items():
        target = reached[end]
        for position, value in reached[start].items():
            if position < len(text.forms) and meets(text.forms[position]):
                target[position + 1] = min(value, target.get(position + 1, value))
            for span, joined in text.joined.get(position, ()):
                if meets(joined):
                    target[position + span] = min(value, target.get(position + span, value))
    return reached[word.size]


# --- exact spellings ------------------------------------------------------------------------------


def _exact(text: Text, wanted_text: str) -> Iterator[tuple[int, int]]:
    """Whole words only: ``RAG`` stands in RAG-based, but neither in RAGs nor in RAG's."""
    at = text.text.find(wanted_text)
    if at < 0:
        return
    first, last = _edges(wanted_text)
    begins, behinds = text.edges
    while at >= 0:
        if at + first in begins and at + last in behinds:
            yield at, at + len(wanted_text)
        at = text.text.find(wanted_text, at + 1)


@lru_cache(maxsize=1 << 12)
def _edges(wanted_text: str) -> tuple[int, int]:
    found = list(parts(wanted_text))
    return found[0].start, found[-1].end
