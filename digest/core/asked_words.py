"""The words that queries ask for, filed so that the texts of a day find those that are in them.

A word is filed under its keys, and a phrase under the keys of two words that follow each other. What is filed
under a word or a pair that no text of the day has is never looked at; and looking a text up is the work of the
interpreter's own sets and dictionaries.

Under most keys all words of the day and all that is asked for share a form: there, to have the key is to fit.
Where they do not (``GPS`` and ``GPs``), and for what is more than two words in a row, the texts that are left are
looked at one by one.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, product
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


class _Several(NamedTuple):
    """A leaf whose texts must be looked at.

    Attributes:
        keys: of all its words, a blank before and behind each; "" if it is no such row of words.
    """

    leaf: Leaf
    keys: str


class AskedWords:
    """What is asked for in texts of one kind."""

    def __init__(self) -> None:
        self._filed: dict[Gram, Any] = {}
        """By gram: leaves, which fit a text that has it; or several words, which may."""
        self._asked: dict[str, tuple[int, _Forms | None]] = {}
        """By key: how many words are filed with it, and the forms that they have in common, if they tell."""
        self._begun: dict[Leaf, Prefix] = {}
        """What asks for the beginning of a word."""

    def put(self, leaf: Leaf) -> None:
        """File a leaf."""
        query = _loaded(leaf)
        if isinstance(query, Prefix):
            self._begun[leaf] = query
            return
        for gram, entry in _grams(leaf, query):
            put(self._filed, gram, entry)
        for key, wish in _keys(query):
            count, common = self._asked.get(key, (0, wish))
            self._asked[key] = count + 1, _shared(common, wish)

    def take(self, leaf: Leaf) -> None:
        """Take a leaf out that was filed."""
        query = _loaded(leaf)
        if isinstance(query, Prefix):
            del self._begun[leaf]
            return
        for gram, entry in _grams(leaf, query):
            take(self._filed, gram, entry)
        for key, _ in _keys(query):
            count, common = self._asked[key]
            if count > 1:
                self._asked[key] = count - 1, common
            else:
                del self._asked[key]

    def rows(self, texts: Sequence[Text]) -> dict[Leaf, int]:
        """The texts that each leaf fits: a row of bits for each leaf that fits any."""
        if not self._filed and not self._begun:
            return {}
        day = Day(texts)
        grams = day.look_up(self._filed, self._asked.keys())
        plain = self._plain(day)
        found = {leaf: day.beginning(query) for leaf, query in self._begun.items()}
        for gram, numbers in grams.items():
            fits = gram in plain if isinstance(gram, str) else gram[0] in plain and gram[1] in plain
            row = day.row(numbers)
            for entry in entries(self._filed[gram]):
                if not isinstance(entry, str):
                    leaf, more = entry.leaf, day.row(_having(day, plain, entry, numbers))
                else:
                    leaf, more = entry, row if fits else day.row(day.having(_loaded(entry), numbers))
                found[leaf] = found.get(leaf, 0) | more
        return {leaf: row for leaf, row in found.items() if row}

    def _plain(self, day: Day) -> set[str]:
        """The keys whose words of the day and words asked for all have one form in common."""
        return {
            key
            for key, common in day.common.items()
            if key in self._asked and not common.isdisjoint(self._asked[key][1] or _NONE)
        }


def _having(day: Day, plain: Container[str], several: _Several, numbers: Iterable[int]) -> Iterator[int]:
    """Those texts that have all of several words."""
    query = _loaded(several.leaf)
    if not (several.keys and isinstance(query, Phrase)):
        return day.having(query, numbers)
    all_plain = all(key in plain for key in several.keys.split())
    return day.having_row(query, several.keys, numbers, plain=all_plain)


def _shared(one: _Forms | None, other: _Forms | None) -> _Forms | None:
    if one is None or other is None:
        return other if one is None else one
    return one & other


# --- filing ---------------------------------------------------------------------------------------


def _loaded(leaf: Leaf) -> Phrase | Exact | Prefix:
    query = load(leaf)
    assert isinstance(query, Phrase | Exact | Prefix)
    return query


@lru_cache(maxsize=1 << 16)
def _word(printed: str) -> tuple[_Forms, tuple[str, ...]]:
    """What a word of a query asks for, and its keys."""
    forms = wanted(printed)
    return forms, keys_of(forms)


def _grams(leaf: Leaf, query: Phrase | Exact) -> Iterator[tuple[Gram, Leaf | _Several]]:
    """What to file a leaf under, and as what: each text that it fits has one of these."""
    rows = _rows(query)
    if rows is None:
        for key in _needed(query):
            yield key, _Several(leaf, "")
        return
    for row in rows:
        keys = [_word(word)[1] for word in row]
        if len(row) == 1:
            for key in keys[0]:
                yield key, leaf
        elif len(row) == 2:
            for pair in product(keys[0], keys[1]):
                yield pair, leaf
        else:
            one_each = all(len(several) == 1 for several in keys)
            entry = _Several(leaf, f" {' '.join(several[0] for several in keys)} " if one_each else "")
            at = max(range(len(row) - 1), key=lambda at: len(row[at]) + len(row[at + 1]))
            for pair in product(keys[at], keys[at + 1]):
                yield pair, entry


def _keys(query: Phrase | Exact) -> Iterator[tuple[str, _Forms | None]]:
    """The keys of all that is asked for, and the forms of which a word has to have one; None: it is looked at."""
    rows = _rows(query)
    if rows is None:
        for key in _needed(query):
            yield key, None
        return
    for word in chain.from_iterable(rows):
        forms, keys = _word(word)
        for key in keys:
            yield key, forms


_NONE: _Forms = frozenset()


def _rows(query: Phrase | Exact) -> list[tuple[str, ...]] | None:
    """The rows of words that a phrase can be printed as; None for what is no such row."""
    return ways(query.units) if isinstance(query, Phrase) and not query.near else None


def _needed(query: Phrase | Exact) -> Iterable[str]:
    """Keys of which every text has one that what is asked for stands in."""
    if isinstance(query, Exact):
        longest = max((part.printed for part in parts(query.text)), key=len, default="")
        return keys_of(forms(longest))[:1] if longest else ()
    unit = max(query.units, key=lambda unit: (-len(unit), sum(map(len, unit))))
    beginnings = (unit[0], *(join(unit[:size]) for size in range(2, min(len(unit), LONGEST) + 1)))
    return {key for word in beginnings for key in _word(word)[1]}
