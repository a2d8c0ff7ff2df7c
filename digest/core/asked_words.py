"""The words that queries ask for, filed so that the texts of a day find those that are in them.

A phrase is filed under the keys of its words, or of the first three of them where it has more. What is filed under
what no text of the day has is never looked at; and looking the texts up is the work of the interpreter's own sets
and dictionaries.

Under most keys all words of the day and all that is asked for share a form: there, to have the key is to fit. Where
they do not (``GPS`` and ``GPs``), the forms of the words that stand there are looked at. What is no row of words is
looked for in the texts that have a key of each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import chain, product
from json import JSONDecoder
from math import prod
from operator import and_, or_
from typing import Any, NamedTuple

from digest.core.day import Day, Gram
from digest.core.document import Text
from digest.core.filing import entries, put, take
from digest.core.keys import keys_of, ways
from digest.core.places import wishes
from digest.core.query import Exact, Phrase, Prefix, load
from digest.core.text import LONGEST, forms, join, parts, wanted

Leaf = str
"""A part of a query that has no parts, compiled."""
_Forms = frozenset[str]
_Word = tuple[str, _Forms]
"""A key of a word that is asked for, and the forms of which a word of a text must have one."""
_Row = Sequence[_Word]
"""Words that follow each other."""


class _Longer(NamedTuple):
    """A phrase of more than three words.

    Attributes:
        rest: the keys of its words from the fourth on.
    """

    leaf: Leaf
    rest: tuple[str, ...]


_Asked = tuple[int, _Forms, int]
"""What is asked for with one key: how often, the forms that those who ask have in common but for the odd ones, and
how many of them are odd."""


class AskedWords:
    """What is asked for in texts of one kind."""

    def __init__(self) -> None:
        self._words: dict[str, Any] = {}
        """By key: single words."""
        self._pairs: dict[Gram, Any] = {}
        """By gram: phrases of two words."""
        self._triples: dict[Gram, Any] = {}
        """By the gram that they begin with: phrases of three words or more."""
        self._searched: dict[str, Any] = {}
        """By the keys of their words: what is no row of words."""
        self._begun: dict[Leaf, Prefix] = {}
        """What asks for the beginning of a word."""
        self._asked: dict[str, _Asked] = {}

    def put(self, leaf: Leaf) -> None:
        """File a leaf."""
        if leaf[2] == "b":
            self._begun[leaf] = _prefix(leaf)
            return
        for file, key, entry, row in self._places(leaf):
            put(file, key, entry)
            for one, wish in row:
                times, common, odd = self._asked.get(one) or (0, wish, 0)
                shared = common if common is wish else common & wish
                self._asked[one] = times + 1, shared or common, odd + (not shared)

    def take(self, leaf: Leaf) -> None:
        """Take a leaf out that was filed."""
        if leaf[2] == "b":
            del self._begun[leaf]
            return
        for file, key, entry, row in self._places(leaf):
            take(file, key, entry)
            for one, wish in row:
                times, common, odd = self._asked[one]
                if times == 1:
                    del self._asked[one]
                else:
                    self._asked[one] = times - 1, common, odd - common.isdisjoint(wish)

    def _places(self, leaf: Leaf) -> Iterator[tuple[dict[Any, Any], Any, Leaf | _Longer, _Row]]:
        """Where to file a leaf, what as, and the words that it is filed for."""
        rows = _rows(leaf)
        if rows is None:
            for words in _needed(leaf):
                for word in words:
                    yield self._searched, word[0], leaf, (word,)
            return
        for row in rows:
            keys = tuple([key for key, _ in row])
            if len(keys) == 1:
                yield self._words, keys[0], leaf, row
            elif len(keys) == 2:
                yield self._pairs, keys, leaf, row
            else:
                entry = _Longer(leaf, keys[3:]) if len(keys) > 3 else leaf
                yield self._triples, keys[:3], entry, row

    def rows(self, texts: Sequence[Text]) -> dict[Leaf, int]:
        """The texts that each leaf fits: a row of bits for each leaf that fits any."""
        if not self._asked and not self._begun:
            return {}
        day = Day(texts, self._asked)
        odd = frozenset(self._odd(day.common))
        having = day.having(self._words.keys() | self._searched.keys())
        found: dict[Leaf, int] = {}
        for leaf, row in chain(
            self._single(day, odd, having), self._in_rows(day, odd), self._elsewhere(day, having)
        ):
            found[leaf] = found.get(leaf, 0) | row
        return {leaf: row for leaf, row in found.items() if row}

    def _odd(self, common: Mapping[str, _Forms]) -> Iterator[str]:
        """The keys that do not decide: not all words of the day, or not all that are asked for, have that form."""
        for key, shared in common.items():
            if key in self._asked:
                _, forms_of_all, odd = self._asked[key]
                if odd or forms_of_all.isdisjoint(shared):
                    yield key

    def _single(self, day: Day, odd: frozenset[str], having: Mapping[str, int]) -> Iterator[tuple[Leaf, int]]:
        """Single words, and texts that they fit: perhaps not all at once.

        Args:
            day: the texts.
            odd: the keys that do not decide.
            having: the texts that have a key.
        """
        printed = day.forms(odd & having.keys())
        for key, row in having.items():
            for leaf in entries(self._words.get(key)):
                if key not in odd:
                    yield leaf, row
                    continue
                for ((_, wish),) in _with(leaf, (key,)):
                    for forms_there, with_them in printed[key].items():
                        yield leaf, 0 if wish.isdisjoint(forms_there) else with_them

    def _in_rows(self, day: Day, odd: frozenset[str]) -> Iterator[tuple[Leaf, int]]:
        """Phrases of several words, and texts that they fit: perhaps not all at once."""
        for gram, among in day.look_up(self._pairs, self._triples).items():
            row = day.row(among)
            decides = odd.isdisjoint(gram)
            following: Mapping[str, set[int]] = {}
            for entry in entries((self._pairs if len(gram) == 2 else self._triples)[gram]):
                if isinstance(entry, str) and decides:
                    yield entry, row
                    continue
                leaf, rest = _Longer(entry, ()) if isinstance(entry, str) else entry
                if decides and odd.isdisjoint(rest):
                    following = following or day.following(day.behind(among, gram))
                    if reached := following.get(rest[0]):
                        yield leaf, day.row(day.behind(reached, rest[1:]))
                    continue
                for words in _with(leaf, gram + rest):
                    looked = {place: wish for place, (key, wish) in enumerate(words) if key in odd}
                    yield leaf, day.row(day.behind(among, gram + rest, looked))

    def _elsewhere(self, day: Day, having: Mapping[str, int]) -> Iterator[tuple[Leaf, int]]:
        """What is no row of words, and texts that it fits."""
        for leaf in {leaf for key in having for leaf in entries(self._searched.get(key))}:
            rows = [reduce(or_, [having.get(key, 0) for key, _ in words]) for words in _needed(leaf)]
            among: int = reduce(and_, rows)
            yield leaf, day.looked_at(_loaded(leaf), day.with_each(_within(leaf), among))
        for leaf, query in self._begun.items():
            yield leaf, day.beginning(query)


# --- filing ---------------------------------------------------------------------------------------

_decoded = JSONDecoder().raw_decode


def _loaded(leaf: Leaf) -> Phrase | Exact:
    query = load(leaf)
    assert isinstance(query, Phrase | Exact)
    return query


def _prefix(leaf: Leaf) -> Prefix:
    query = load(leaf)
    assert isinstance(query, Prefix)
    return query


@lru_cache(maxsize=1 << 16)
def _word(printed: str) -> tuple[_Word, ...]:
    """The keys of a word of a query, each with what it asks for."""
    wish = wanted(printed)
    return tuple([(key, wish) for key in keys_of(wish)])


def _rows(leaf: Leaf) -> Sequence[_Row] | None:
    """The rows of words that a phrase can be printed as; None for what is no such row, or too many."""
    if leaf[2] != "p":
        return None
    _, _, near, *units = _decoded(leaf)[0]
    if near:
        return None
    if max(map(len, units)) == 1:  # most are phrases of words without hyphens, and most words have one key
        known = [_word(unit[0]) for unit in units]
        if max(map(len, known)) == 1:
            return ([word for (word,) in known],)
    several = ways([tuple(unit) for unit in units])
    if several is None:
        return None
    found: list[_Row] = []
    for way in several:
        known = [_word(word) for word in way]
        if prod(map(len, known)) > _MOST_ROWS:
            return None
        found += product(*known)
    return found


_MOST_ROWS = 16
"""More rows of keys than this nobody's phrase has, unless it is made of words that have two keys."""


def _with(leaf: Leaf, keys: tuple[str, ...]) -> Iterator[_Row]:
    """The rows of a leaf that have these keys."""
    return (row for row in _rows(leaf) or () if tuple([key for key, _ in row]) == keys)


def _needed(leaf: Leaf) -> Iterator[list[_Word]]:
    """For each word that is asked for, those of which every text that the leaf fits has one."""
    query = _loaded(leaf)
    if isinstance(query, Exact):
        for part in parts(query.text):
            wish = forms(part.printed)
            yield [(keys_of(wish)[0], wish)]
    else:
        for unit in query.units:
            beginnings = (unit[0], *(join(unit[:size]) for size in range(2, min(len(unit), LONGEST) + 1)))
            yield list(dict.fromkeys(chain.from_iterable(map(_word, beginnings))))


def _within(leaf: Leaf) -> list[frozenset[str]]:
    """For each part of a word with hyphens, keys of which each text that the leaf fits has one."""
    query = _loaded(leaf)
    units = () if isinstance(query, Exact) else query.units
    return [
        frozenset(
            key
            for (start, end), wish in wishes(unit).items()
            if start <= place < end
            for key in keys_of(wish)
        )
        for unit in units
        if len(unit) > 1
        for place in range(len(unit))
    ]
