"""The words that queries ask for, filed so that the texts of a day find those that are in them.

A phrase is filed under its gram: the keys of its words, or of three of them where it has more. What is filed under
a gram that no text of the day has is never looked at; and looking a text up is the work of the interpreter's own
sets and dictionaries.

Under most keys all words of the day and all that is asked for share a form: there, to have the key is to fit.
Where they do not (``GPS`` and ``GPs``), and for what is no row of at most three words, the texts that are left are
looked at one by one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import product
from json import JSONDecoder
from operator import and_, or_
from typing import Any, NamedTuple

from digest.core.day import Day, Gram
from digest.core.document import Text
from digest.core.filing import entries, put, take
from digest.core.keys import keys_of, ways
from digest.core.query import Exact, Phrase, Prefix, load
from digest.core.text import LONGEST, forms, join, parts, wanted

Leaf = str
"""A part of a query that has no parts, compiled."""
_Forms = frozenset[str]


class _Looked(NamedTuple):
    """A leaf that its gram does not decide on: texts are looked at.

    Attributes:
        keys: one of each word, a blank around each, if a text that has them in a row fits; else "".
    """

    leaf: Leaf
    keys: str = ""


_Asked = tuple[int, _Forms, int]
"""What is asked for with one key: how often, the forms that those who ask have in common but for the odd ones, and
how many of them are odd."""


class AskedWords:
    """What is asked for in texts of one kind."""

    def __init__(self) -> None:
        self._filed: dict[Gram, Any] = {}
        """By gram: leaves, which fit a text that has it, and others, which are looked at."""
        self._asked: dict[str, _Asked] = {}
        self._begun: dict[Leaf, Any] = {}
        """What asks for the beginning of a word."""

    def put(self, leaf: Leaf) -> None:
        """File a leaf."""
        if leaf[2] == "b":
            self._begun[leaf] = _loaded(leaf)
            return
        asked = self._asked
        for row in _rows(leaf):
            for key, wish in row.words:
                times, common, odd = asked.get(key) or (0, wish, 0)
                shared = common if common is wish else common & wish
                asked[key] = times + 1, shared or common, odd + (not shared)
            put(self._filed, row.gram, self._entry(leaf, row))

    def take(self, leaf: Leaf) -> None:
        """Take a leaf out that was filed."""
        if leaf[2] == "b":
            del self._begun[leaf]
            return
        rows = list(_rows(leaf))
        for row in rows:
            take(self._filed, row.gram, self._entry(leaf, row))
        for row in rows:
            for key, wish in row.words:
                times, common, odd = self._asked[key]
                if times == 1:
                    del self._asked[key]
                else:
                    self._asked[key] = times - 1, common, odd - common.isdisjoint(wish)

    def _entry(self, leaf: Leaf, row: _Row) -> Leaf | _Looked:
        if not row.decides:
            return _Looked(leaf)
        for key, wish in row.words:
            if self._asked[key][1].isdisjoint(wish):
                return _Looked(leaf)
        return leaf if len(row.words) < 4 else _Looked(leaf, f" {' '.join([key for key, _ in row.words])} ")

    def rows(self, texts: Sequence[Text]) -> dict[Leaf, int]:
        """The texts that each leaf fits: a row of bits for each leaf that fits any."""
        if not self._filed and not self._begun:
            return {}
        day = Day(texts)
        numbers = day.look_up(self._filed, self._asked)
        words = day.words(set(self._doubtful(day.common)))
        odd = {key: _odd(self._asked[key][1], of_key) for key, of_key in words.items()}
        found: dict[Leaf, int] = {}
        perhaps: dict[Leaf, int] = {}
        keys: Sequence[str]
        for gram, among in numbers.items():
            row = day.row(among)
            for entry in entries(self._filed[gram]):
                if isinstance(entry, str):
                    leaf, keys, having, doubtful = entry, gram, row, 0
                else:
                    leaf, keys, having, doubtful = _look_for(day, entry, among, row)
                for key in (keys,) if isinstance(keys, str) else keys:
                    if key in odd:
                        doubtful |= having & odd[key]
                        having &= ~odd[key]
                if having:
                    found[leaf] = found.get(leaf, 0) | having
                if doubtful:
                    perhaps[leaf] = perhaps.get(leaf, 0) | doubtful
        for leaf, row in perhaps.items():
            query = _loaded(leaf)
            among_them, decides = _able(day, words, numbers, query)
            among_them &= row & ~found.get(leaf, 0)
            found[leaf] = found.get(leaf, 0) | (among_them if decides else day.having(query, among_them))
        found |= {leaf: day.beginning(query) for leaf, query in self._begun.items()}
        return {leaf: row for leaf, row in found.items() if row}

    def _doubtful(self, common: Mapping[str, _Forms]) -> Iterator[str]:
        """The keys that do not decide: not all words of the day, or not all that are asked for, have that form."""
        for key, shared in common.items():
            if key in self._asked:
                _, forms_of_all, odd = self._asked[key]
                if odd or forms_of_all.isdisjoint(shared):
                    yield key


def _look_for(
    day: Day, entry: _Looked, among: Sequence[int], row: int
) -> tuple[Leaf, Sequence[str], int, int]:
    """The leaf, its keys, the texts that have these in a row, and others that may have it."""
    if not entry.keys:
        return entry.leaf, (), 0, row
    return entry.leaf, entry.keys.split(), day.having_row(entry.keys, among), 0


def _odd(common: _Forms, words: Mapping[_Forms, int]) -> int:
    """The texts with a word that lacks the form which most have of those in common: the others fit all that ask."""
    return min(
        (
            reduce(or_, (row for forms, row in words.items() if form not in forms), 0)
            for form in sorted(common)
        ),
        key=int.bit_count,
    )


def _able(
    day: Day,
    words: Mapping[str, Mapping[_Forms, int]],
    numbers: Mapping[Gram, Sequence[int]],
    query: Phrase | Exact | Prefix,
) -> tuple[int, bool]:
    """The texts that have each word that is asked for, as far as is known, and whether these are what it fits.

    Args:
        day: the texts.
        words: the words of some keys, with the texts that they stand in.
        numbers: the texts that have a gram.
        query: what is asked for.
    """
    several = _ways(query)
    if several is None:
        needed = (set().union(*(numbers.get(key, ()) for key in keys)) for keys, _ in _needed(query))
        return reduce(and_, map(day.row, needed)), False
    able, decides = 0, True
    for way in several:
        row = day.every
        for wish, keys in map(_word, way):
            if all(key in words for key in keys):
                there = (
                    place for key in keys for forms, place in words[key].items() if not wish.isdisjoint(forms)
                )
                row &= reduce(or_, there, 0)
            else:
                decides = False
        able |= row
        decides = decides and len(way) == 1
    return able, decides


# --- filing ---------------------------------------------------------------------------------------


def _loaded(leaf: Leaf) -> Phrase | Exact | Prefix:
    query = load(leaf)
    assert isinstance(query, Phrase | Exact | Prefix)
    return query


@lru_cache(maxsize=1 << 16)
def _word(printed: str) -> tuple[_Forms, tuple[str, ...]]:
    """What a word of a query asks for, and its keys."""
    wish = wanted(printed)
    return wish, keys_of(wish)


class _Row(NamedTuple):
    """What to file a leaf under.

    Attributes:
        words: a key of each word, and its forms.
        decides: it is a phrase, and these keys in a row are the phrase, if they decide on their words.
    """

    gram: Gram
    words: Sequence[tuple[str, _Forms]]
    decides: bool = True


_decoded = JSONDecoder().raw_decode


def _rows(leaf: Leaf) -> Iterable[_Row]:
    """What to file a leaf under: each text that it fits has one of these grams."""
    if leaf[2] == "p":  # most are phrases of words without hyphens, and most words have one key
        _, _, near, *units = _decoded(leaf)[0]
        if not near and max(map(len, units)) == 1:
            known = [_word(unit[0]) for unit in units]
            if max([len(keys) for _, keys in known]) == 1:
                return (_row([(keys[0], wish) for wish, keys in known]),)
    return _all_rows(_loaded(leaf))


def _row(words: Sequence[tuple[str, _Forms]]) -> _Row:
    """The row of a phrase: filed under three words at most, those that have the most letters."""
    keys = tuple([key for key, _ in words])
    if len(keys) == 1:
        return _Row(keys[0], words)
    at = 0
    if len(keys) > 3:
        at = max(range(len(keys) - 2), key=lambda at: len(keys[at]) + len(keys[at + 1]) + len(keys[at + 2]))
    gram: Any = keys[at : at + 3]
    return _Row(gram, words)


def _all_rows(query: Phrase | Exact | Prefix) -> Iterator[_Row]:
    several = _ways(query)
    if several is None:
        for keys, wish in _needed(query):
            yield from (_Row(key, ((key, wish),), decides=False) for key in keys)
        return
    for way in several:
        known = [[(key, wish) for key in keys] for wish, keys in map(_word, way)]
        yield from map(_row, product(*known))


def _ways(query: Phrase | Exact | Prefix) -> list[tuple[str, ...]] | None:
    """The rows of words that a phrase can be printed as; None for what is no such row, or too many."""
    if not isinstance(query, Phrase) or query.near:
        return None
    several = ways(query.units)
    for way in several or ():
        rows = 1
        for word in way:
            rows *= len(_word(word)[1])
        if rows > _MOST_ROWS:
            return None
    return several


_MOST_ROWS = 16
"""More rows of keys than this nobody's phrase has, unless it is made of words that have two keys."""


def _needed(query: Phrase | Exact | Prefix) -> Iterator[tuple[Collection[str], _Forms]]:
    """For each word that is asked for, keys of which every text has one, and forms that have these keys."""
    if isinstance(query, Exact):
        for part in parts(query.text):
            wish = forms(part.printed)
            yield keys_of(wish)[:1], wish
    elif isinstance(query, Phrase):
        for unit in query.units:
            beginnings = (unit[0], *(join(unit[:size]) for size in range(2, min(len(unit), LONGEST) + 1)))
            known = [_word(word) for word in beginnings]
            yield (
                {key for _, keys in known for key in keys},
                frozenset[str]().union(*(wish for wish, _ in known)),
            )
