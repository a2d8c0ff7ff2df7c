"""The texts of a day, in one row of words: looked up in what is filed by keys, and looked at where that is needed.

All texts are looked up in one go, one behind the other: a loop over words would take several times as long.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, reduce
from itertools import chain, compress, count
from operator import itemgetter, or_
from types import MappingProxyType
from typing import Any

from digest.core.document import LINE_BREAK, Text
from digest.core.hits import places as places_of
from digest.core.keys import Word, read
from digest.core.places import openings, stands
from digest.core.query import Exact, Phrase, Prefix
from digest.core.text import AROUND

Gram = tuple[str, str] | tuple[str, str, str]
"""The keys of two or three words that follow each other."""
_Forms = frozenset[str]
_NO_WISHES: Mapping[int, _Forms] = MappingProxyType({})


class Day:
    """Texts, by their numbers; and all their words, by their positions in one row.

    Args:
        texts: in the order of their numbers.
        asked: all keys that are asked for: only these are looked for among words made of several parts.
    """

    def __init__(self, texts: Sequence[Text], asked: Container[str]) -> None:
        self._texts = texts
        self._bits = [1 << number for number in range(len(texts))]
        self._vocabulary = _Vocabulary()
        words: list[Word] = []
        self._where: list[int] = []
        """The number of the text that each word stands in."""
        self._ends: list[int] = []
        """Of each text, the position behind its last word: there is one between two texts."""
        for number, text in enumerate(texts):
            words += chain.from_iterable(map(self._vocabulary.__getitem__, text.pieces()))
            self._ends.append(len(words))
            words.append(_BETWEEN)
            self._where += [number] * (len(words) - len(self._where))
        words.append(_BETWEEN)  # what is looked for in a row may reach behind the last text
        self._words = words
        self._keys = tuple([word[0] for word in words])
        self._further: dict[int, list[tuple[int, str, _Forms]]] = {}
        """What else begins at a position and is asked for: the position behind it, its key, its forms."""
        for at in compress(count(), map(itemgetter(2), words)):
            if further := [(at + span, key, forms) for span, key, forms in words[at][2] if key in asked]:
                self._further[at] = further

    @property
    def common(self) -> Mapping[str, _Forms]:
        """By key, the forms that all words with that key share."""
        return self._vocabulary.common

    def row(self, positions: Iterable[int]) -> int:
        """The row of the texts that some positions are in."""
        row = 0
        for number in set(map(self._where.__getitem__, positions)):
            row |= self._bits[number]
        return row

    # words

    def having(self, keys: Iterable[str]) -> dict[str, int]:
        """The row of the texts that have a word with a key, by key; those are left out that no text has."""
        wanted = frozenset(keys)
        numbers: dict[str, list[int]] = defaultdict(list)
        start = 0
        for number, end in enumerate(self._ends):
            for key in wanted.intersection(self._keys[start:end]):
                numbers[key].append(number)
            start = end + 1
        for at, further in self._further.items():
            for _, key, _ in further:
                if key in wanted:
                    numbers[key].append(self._where[at])
        bit = self._bits.__getitem__
        return {key: reduce(or_, map(bit, those)) for key, those in numbers.items()}

    def forms(self, keys: Collection[str]) -> Mapping[str, Mapping[_Forms, int]]:
        """By key, the forms of each word with that key, and the row of the texts that it stands in."""
        found: dict[str, dict[_Forms, int]] = defaultdict(lambda: defaultdict(int))
        if keys:
            for at in compress(count(), map(keys.__contains__, self._keys)):
                key, forms, _ = self._words[at]
                found[key][forms] |= self._bits[self._where[at]]
            for at, further in self._further.items():
                for _, key, forms in further:
                    if key in keys:
                        found[key][forms] |= self._bits[self._where[at]]
        return found

    # words in a row

    def look_up(self, pairs: Container[Gram], triples: Container[Gram]) -> dict[Gram, list[int]]:
        """The positions at which what is filed begins, by gram."""
        found: dict[Any, list[int]] = defaultdict(list)
        keys = self._keys
        for size, filed in ((2, pairs), (3, triples)):
            rows = [keys[first:] for first in range(size)]
            for at in compress(count(), map(filed.__contains__, zip(*rows, strict=False))):
                found[keys[at : at + size]].append(at)
        for gram, at in self._further_grams():
            if gram in (pairs if len(gram) == 2 else triples):
                found[gram].append(at)
        return found

    def _further_grams(self) -> Iterator[tuple[tuple[str, ...], int]]:
        """The rows of two or three keys that have any further word in them, and where each begins."""
        before: dict[int, list[tuple[int, str]]] = defaultdict(list)
        for start, further in self._further.items():
            for end, key, _ in further:
                before[end].append((start, key))

        def left(start: int) -> list[tuple[tuple[str, ...], int]]:
            return [
                ((self._keys[start - 1],), start - 1),
                *[((key,), at) for at, key in before.get(start, ())],
            ]

        def right(end: int) -> list[tuple[tuple[str, ...], int]]:
            return [((key,), behind) for behind, key, _ in self._begun_at(end)]

        for start, further in self._further.items():
            one_left = left(start)
            two_left = [(others + row, at) for row, begun in one_left for others, at in left(begun)]
            for end, key, _ in further:
                one_right = right(end)
                two_right = [row + others for row, behind in one_right for others, _ in right(behind)]
                yield from [((*row, key), at) for row, at in one_left + two_left]
                yield from [((*row, key, *others), at) for row, at in one_left for others, _ in one_right]
                yield from [((key, *row), start) for row, _ in one_right]
                yield from [((key, *row), start) for row in two_right]

    def behind(
        self, positions: Iterable[int], keys: Sequence[str], wishes: Mapping[int, _Forms] = _NO_WISHES
    ) -> set[int]:
        """The positions behind words that follow each other, and begin at one of some positions.

        Args:
            positions: of the first word.
            keys: one of each word.
            wishes: the forms of which a word must have one, by its place among them; none where the key decides.
        """
        reached = set(positions)
        for place, key in enumerate(keys):
            wish = wishes.get(place)
            starts, reached = reached, set()
            for at in starts:
                if self._keys[at] == key and (wish is None or not wish.isdisjoint(self._words[at][1])):
                    reached.add(at + 1)
                for end, other, forms in self._further.get(at, ()):
                    if other == key and (wish is None or not wish.isdisjoint(forms)):
                        reached.add(end)
        return reached

    def _begun_at(self, at: int) -> list[tuple[int, str, _Forms]]:
        """The words that begin at a position: the position behind each, its key, its forms."""
        key, forms, _ = self._words[at]
        return [(at + 1, key, forms), *self._further.get(at, ())]

    def following(self, positions: Iterable[int]) -> Mapping[str, set[int]]:
        """The words that begin at some positions: by key, the positions behind them."""
        found: dict[str, set[int]] = defaultdict(set)
        for at in positions:
            for end, key, _ in self._begun_at(at):
                found[key].add(end)
        return found

    # what is no row of words

    def looked_at(self, query: Phrase | Exact | Prefix, among: int) -> int:
        """The row of those texts in which something stands; slow, and right for all that can be asked for."""
        bits = [self._bits[number] for number in places_of(among) if stands(self._texts[number], query)]
        return reduce(or_, bits, 0)

    def with_each(self, needed: Sequence[Collection[str]], among: int) -> int:
        """The row of those texts that have one of some keys, for each of several such."""
        numbers = places_of(among) if needed else ()
        bits = [self._bits[number] for number in numbers if self._has_each(number, needed)]
        return reduce(or_, bits, 0) if needed else among

    def _has_each(self, number: int, needed: Sequence[Collection[str]]) -> bool:
        positions = range(self._ends[number - 1] + 1 if number else 0, self._ends[number])
        there = {*self._keys[positions.start : positions.stop]}
        there.update(key for at in positions for _, key, _ in self._further.get(at, ()))
        return not any(map(there.isdisjoint, needed))

    def beginning(self, query: Prefix) -> int:
        """The row of the texts that have a word which begins so."""
        row = 0
        for wish in openings(query.unit).values():
            for beginning in wish:
                first = bisect_left(self._forms, beginning)
                behind = bisect_left(self._forms, beginning + _LAST)
                row = reduce(or_, map(self._rows.__getitem__, self._forms[first:behind]), row)
        return row if len(query.unit) == 1 else self.looked_at(query, row)

    @cached_property
    def _rows(self) -> Mapping[str, int]:
        """The texts that have a word of that form."""
        rows: dict[str, int] = defaultdict(int)
        start = 0
        for end, bit in zip(self._ends, self._bits, strict=True):
            known = {id(word): word for word in self._words[start:end]}.values()
            every = (forms for _, own, further in known for forms in (own, *[one[2] for one in further]))
            for form in frozenset[str]().union(*every):
                rows[form] |= bit
            start = end
        return rows

    @cached_property
    def _forms(self) -> Sequence[str]:
        return sorted(self._rows)


_LAST = "\U0010ffff"
_BETWEEN: Word = (" ", frozenset(), ())
"""Between two texts, and two lines: its key is that of no word."""


class _Vocabulary(dict[str, tuple[Word, ...]]):
    """The words in each piece.

    Attributes:
        common: by key, the forms that all words with that key share.
    """

    def __init__(self) -> None:
        super().__init__({LINE_BREAK: (_BETWEEN,)})
        self.common: dict[str, _Forms] = {}

    def __missing__(self, printed: str) -> tuple[Word, ...]:
        bare = printed.strip(AROUND)
        if bare[1:].islower() and bare.isascii():
            bare = bare.lower()  # nothing depends on a capital that only begins a piece
        if bare != printed:
            words = self[printed] = self[bare]
            return words
        words = self[printed] = read(printed)
        for key, forms, further in words:
            self._share(key, forms)
            for _, other, others in further:
                self._share(other, others)
        return words

    def _share(self, key: str, forms: _Forms) -> None:
        before = self.common.setdefault(key, forms)
        if before is not forms:
            self.common[key] = before & forms
