"""The words that queries ask for, filed so that the texts of a day find those that are in them.

A phrase is filed under the keys of its words, one behind the other. What is filed under what no text of the day has
is never looked at; and looking the texts up is the work of the interpreter's own sets and dictionaries.

Under most keys all words of the day and all that is asked for share a form: there, to have the key is to fit. Where
they do not (``GPS`` and ``GPs``), the forms of the words that stand there are looked at. What is no row of words is
looked for in the texts that have a key of each.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, compress, count, product
from json import JSONDecoder
from math import prod
from typing import Any, NamedTuple

from digest.core.language.query import Exact, Phrase, Prefix, load
from digest.core.matching.bitmaps import row_of
from digest.core.matching.percolator.batch import Day
from digest.core.matching.percolator.postings import entries, put, put_row, take, take_row
from digest.core.matching.percolator.terms import keys_of, ways
from digest.core.matching.percolator.text_reader import TextReader
from digest.core.matching.positions import wishes
from digest.core.papers.document import Text
from digest.core.text.words import LONGEST, forms, parts, wanted

Leaf = str
"""A part of a query that has no parts, compiled."""
_Forms = frozenset[str]
_Word = tuple[str, _Forms]
"""A key of a word that is asked for, and the forms of which a word of a text must have one."""
_Row = Sequence[_Word]
"""Words that follow each other."""


class _Odd(NamedTuple):
    """A phrase with a word that asks for no form which all others ask for who ask for words with the same key."""

    leaf: Leaf


def _leaf(entry: Leaf | _Odd) -> Leaf:
    return entry if isinstance(entry, str) else entry.leaf


class AskedWords:
    """What is asked for in texts of one kind."""

    def __init__(self) -> None:
        self._words: dict[str, Any] = {}
        """By key: single words."""
        self._phrases: dict[str, Any] = {}
        """By the keys of their words (``put_row``): phrases of two words or more."""
        self._searched: dict[str, Any] = {}
        """By the keys of their words: what is no row of words."""
        self._begun: dict[Leaf, Prefix] = {}
        """What asks for the beginning of a word."""
        self._times: dict[str, int] = {}
        """By key: how often it is asked for."""
        self._common: dict[str, _Forms] = {}
        """By key: the forms that all who ask have in common, but for the odd ones."""

    def put(self, leaf: Leaf) -> None:
        """File a leaf."""
        if leaf[2] == "b":
            self._begun[leaf] = _prefix(leaf)
            return
        rows = _rows(leaf)
        if rows is None:
            needed = list(_needed(leaf))
            self._ask(chain.from_iterable(needed))
            for key, _ in max(needed, key=_rareness):
                put(self._searched, key, leaf)
            return
        for row in rows:
            entry = _Odd(leaf) if self._ask(row) else leaf
            if len(row) == 1:
                put(self._words, row[0][0], entry)
            else:
                put_row(self._phrases, [key for key, _ in row], entry)

    def take(self, leaf: Leaf) -> None:
        """Take a leaf out that was filed."""
        if leaf[2] == "b":
            del self._begun[leaf]
            return
        rows = _rows(leaf)
        if rows is None:
            needed = list(_needed(leaf))
            for key, _ in max(needed, key=_rareness):
                take(self._searched, key, leaf)
            self._ask_no_more(chain.from_iterable(needed))
            return
        for row in rows:
            odd = any(self._common[key].isdisjoint(wish) for key, wish in row)
            entry = _Odd(leaf) if odd else leaf
            if len(row) == 1:
                take(self._words, row[0][0], entry)
            else:
                take_row(self._phrases, [key for key, _ in row], entry)
        self._ask_no_more(chain.from_iterable(rows))

    def _ask(self, words: Iterable[_Word]) -> bool:
        """Count who asks for words; whether one of them is odd."""
        times, commonly = self._times, self._common
        odd = False
        for key, wish in words:
            times[key] = times.get(key, 0) + 1
            common = commonly.setdefault(key, wish)
            if common is not wish and not common <= wish:
                if shared := common & wish:
                    commonly[key] = shared
                else:
                    odd = True
        return odd

    def _ask_no_more(self, words: Iterable[_Word]) -> None:
        for key, _ in words:
            self._times[key] -= 1
            if not self._times[key]:
                del self._times[key], self._common[key]

    def rows(self, texts: Sequence[Text]) -> dict[Leaf, int]:
        """The texts that each leaf fits: a row of bits for each leaf that fits any."""
        if not self._times and not self._begun:
            return {}
        if queries := self._few_searched():
            return {leaf: row for leaf, query in queries if (row := _standing(query, texts))}
        day = Day(texts, self._common)
        having = day.having(self._words.keys() | self._searched.keys())
        found = self._in_rows(day)
        for leaf, row in chain(self._single(day, having), self._elsewhere(day, having)):
            if row:
                found[leaf] |= row
        return found

    def _few_searched(self) -> list[tuple[Leaf, Phrase | Exact]]:
        """All that is asked for, where that is but a few leaves that are no rows of words; else none.

        For so few, to look for each in each text takes half as long as to find the texts that have their words first.
        """
        if self._words or self._phrases or self._begun or len(self._searched) > _FEW:
            return []
        leaves = {leaf for filed in self._searched.values() for leaf in entries(filed)}
        return [(leaf, _loaded(leaf)) for leaf in sorted(leaves)] if len(leaves) <= _FEW else []

    def _single(self, day: Day, having: Mapping[str, int]) -> Iterator[tuple[Leaf, int]]:
        """Single words, and texts that they fit: perhaps not all at once.

        Args:
            day: the texts.
            having: the texts that have a key.
        """
        left = set(day.doubtful)
        for key, row in having.items():
            for entry in entries(self._words.get(key)):
                if not isinstance(entry, str):
                    left.add(key)
                elif key not in day.doubtful:
                    yield entry, row
        for key, printed in day.forms(left & having.keys()).items():
            for entry in entries(self._words.get(key)):
                leaf = _leaf(entry)
                for ((_, wish),) in _with(leaf, (key,)):
                    for forms_there, row in printed.items():
                        yield leaf, 0 if wish.isdisjoint(forms_there) else row

    def _in_rows(self, day: Day) -> dict[Leaf, int]:
        """The texts that each phrase of several words fits."""
        found: dict[Leaf, int] = defaultdict(int)
        looked: dict[Leaf, set[int]] = defaultdict(set)
        for at, filed, doubtful in day.in_rows(self._phrases):
            for entry in (filed,) if type(filed) is str else entries(filed):
                if isinstance(entry, str) and not doubtful:
                    found[entry] |= day.bit[at]
                else:
                    looked[_leaf(entry)].add(at)
        for leaf, positions in looked.items():
            for row in _rows(leaf) or ():
                if fits := day.row(day.behind(positions, row)):
                    found[leaf] |= fits
        return found

    def _elsewhere(self, day: Day, having: Mapping[str, int]) -> Iterator[tuple[Leaf, int]]:
        """What is no row of words, and texts that it fits."""
        searched: dict[Leaf, int] = {}
        for key, row in having.items():
            for leaf in entries(self._searched.get(key)):
                searched[leaf] = searched.get(leaf, 0) | row
        for leaf, among in searched.items():
            needed = [{key for key, _ in words} for words in _needed(leaf)]
            yield leaf, day.looked_at(_loaded(leaf), day.with_each(needed, among))
        for leaf, query in self._begun.items():
            yield leaf, day.beginning(query)


_FEW = 4
"""Most leaves that are looked for in each text."""


def _standing(query: Phrase | Exact, texts: Sequence[Text]) -> int:
    """The row of the texts in which something stands."""
    return row_of(compress(count(), map(TextReader(query).stands_in, texts)))


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


def _rareness(words: _Row) -> int:
    """Roughly how rare texts are that have one of some words: the shortest decides."""
    return min(len(key) for key, _ in words)


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


def _needed(leaf: Leaf) -> Iterator[_Row]:
    """For each part of each word that is asked for, the words that it may stand in: each text has one of these.

    Of a word of very many parts the first ones will do.
    """
    query = _loaded(leaf)
    if isinstance(query, Exact):
        for part in parts(query.text):
            wish = forms(part.printed)
            yield [(keys_of(wish)[0], wish)]
        return
    for unit in query.units:
        runs = [(run, [(key, wish) for key in keys_of(wish)]) for run, wish in wishes(unit).items()]
        for place in range(min(len(unit), LONGEST)):
            yield [word for (start, end), words in runs if start <= place < end for word in words]
