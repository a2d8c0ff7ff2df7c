"""The texts of a day: looked up in what is filed by keys, and looked at one by one where that is needed."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, KeysView, Mapping, Sequence
from functools import cached_property, reduce
from itertools import chain, pairwise, product
from operator import itemgetter, or_
from typing import Any

from digest.core.document import Text
from digest.core.hits import places as places_of
from digest.core.keys import Keyed, Pair, keyed, keys_of
from digest.core.places import openings, places
from digest.core.query import Exact, Phrase, Prefix
from digest.core.text import piece

Gram = str | Pair
"""A key, or those of two words that follow each other."""
_Forms = frozenset[str]
_BETWEEN = Keyed((" ",), None)
"""Stands between two lines; it is no word's key."""


class Day:
    """Texts, by their numbers."""

    def __init__(self, texts: Sequence[Text]) -> None:
        self.texts = texts
        self._bits = [1 << number for number in range(len(texts))]
        self._keys: dict[int, tuple[str, frozenset[str]]] = {}

    def row(self, numbers: Iterable[int]) -> int:
        """A row of bits, one for each text."""
        row = 0
        for number in numbers:
            row |= self._bits[number]
        return row

    def look_up(self, filed: Mapping[Gram, Any], asked: KeysView[str]) -> dict[Gram, list[int]]:
        """The numbers of the texts that have what is filed, by gram.

        Args:
            filed: by gram.
            asked: the keys of all that is filed.
        """
        found: dict[Gram, list[int]] = defaultdict(list)
        grams = filed.keys()
        for number, text in enumerate(self.texts):
            read = _read(text)
            keys = [*chain.from_iterable(map(_KEYS, read))]
            here = (grams & keys) | (grams & pairwise(keys))
            for at, each in enumerate(read):
                if each[1] and not asked.isdisjoint(each[1].words):
                    here |= grams & _beside(read, at)
            for gram in here:
                found[gram].append(number)
        return found

    @cached_property
    def common(self) -> Mapping[str, _Forms]:
        """By key, the forms that all words of these texts with that key have in common."""
        found: dict[str, _Forms] = {}
        for forms in self._vocabulary:
            for key in keys_of(forms):
                before = found.get(key)
                found[key] = forms if before is None else before & forms
        return found

    @cached_property
    def _vocabulary(self) -> set[_Forms]:
        """The words of all texts, joined ones too, by their forms."""
        pieces = set(chain.from_iterable(map(_pieces, self.texts)))
        return set(chain.from_iterable(map(_forms, pieces)))

    def keys(self, number: int) -> tuple[str, _Forms]:
        """The keys of a text's words in their order, a blank around each, and the further ones in it."""
        known = self._keys.get(number)
        if known is None:
            read = _read(self.texts[number])
            row = " ".join(chain.from_iterable(map(_KEYS, read)))
            further = (each.more.words for each in read if each.more)
            known = self._keys[number] = f" {row} ", frozenset(chain.from_iterable(further))
        return known

    def having(self, query: Phrase | Exact | Prefix, numbers: Iterable[int]) -> Iterator[int]:
        """Those texts in which something stands; this is slow, and right for all that can be asked for."""
        return (number for number in numbers if places(self.texts[number], query))

    def having_row(self, query: Phrase, keys: str, numbers: Iterable[int], *, plain: bool) -> Iterator[int]:
        """Those texts in which a phrase stands.

        Args:
            query: of two words or more.
            keys: one of each word, a blank around each; no other form of a word has another.
            numbers: of texts that have two of the words.
            plain: that all words of the day with these keys fit.
        """
        asked = keys.split()
        for number in numbers:
            there, further = self.keys(number)
            in_row = keys in there
            if (in_row and plain) or (
                (in_row or not further.isdisjoint(asked)) and places(self.texts[number], query)
            ):
                yield number

    # beginnings

    def beginning(self, query: Prefix) -> int:
        """The row of the texts that have a word which begins so."""
        row = 0
        for wish in openings(query.unit).values():
            for beginning in wish:
                first = bisect_left(self._forms, beginning)
                behind = bisect_left(self._forms, beginning + _LAST)
                row = reduce(or_, map(self._rows.__getitem__, self._forms[first:behind]), row)
        return row if len(query.unit) == 1 else self.row(self.having(query, places_of(row)))

    @cached_property
    def _rows(self) -> Mapping[str, int]:
        """The texts that have a word of that form."""
        rows: dict[str, int] = defaultdict(int)
        for text, bit in zip(self.texts, self._bits, strict=True):
            for form in frozenset().union(*chain.from_iterable(map(_forms, set(_pieces(text))))):
                rows[form] |= bit
        return rows

    @cached_property
    def _forms(self) -> Sequence[str]:
        return sorted(self._rows)


_LAST = "\U0010ffff"
_KEYS = itemgetter(0)


def _pieces(text: Text) -> Iterator[str]:
    return chain.from_iterable(line.split() for line in text.lines)


def _read(text: Text) -> list[Keyed]:
    first, *others = [list(map(keyed, line.split())) for line in text.lines] or [[]]
    for line in others:
        first += [_BETWEEN, *line]
    return first


def _forms(printed: str) -> list[_Forms]:
    read = piece(printed)
    return [*read.forms, *(forms for _, _, forms in read.joined)]


def _beside(read: Sequence[Keyed], at: int) -> Iterator[Gram]:
    """The grams that a text has by what a piece of it has beside one key for each part."""
    more = read[at].more
    assert more
    before = next((each for each in reversed(read[:at]) if each.keys), _BETWEEN)
    behind = next((each for each in read[at + 1 :] if each.keys), _BETWEEN)
    return chain(
        more.words,
        more.pairs,
        product(before.more.ends if before.more else before.keys[-1:], more.starts),
        product(more.ends, behind.keys[:1]),
    )
