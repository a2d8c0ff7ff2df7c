"""The texts of a day: looked up in what is filed by keys, and looked at one by one where that is needed."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, reduce
from itertools import chain, compress
from operator import or_
from typing import Any, cast

from digest.core.document import LINE_BREAK, Text
from digest.core.hits import places as places_of
from digest.core.keys import Keyed, Words, keyed, words_of
from digest.core.places import openings, stands
from digest.core.query import Exact, Phrase, Prefix
from digest.core.text import AROUND

Gram = str | tuple[str, str] | tuple[str, str, str]
"""A key, or those of two or three words that follow each other."""
_Forms = frozenset[str]
_Run = tuple[int, int, str]
"""A word of a text: its first part, the one behind its last, and its key."""


class Day:
    """Texts, by their numbers."""

    def __init__(self, texts: Sequence[Text]) -> None:
        self.texts = texts
        self._bits = [1 << number for number in range(len(texts))]
        self._known = _Known()
        self._pieces = [text.pieces() for text in texts]
        self._keys: list[str] = []
        """Of each text, one key of each part, a blank around each."""
        self._further: dict[int, tuple[list[str], list[_Run]]] = {}
        """Of some texts, one key of each part, and what else is in them and asked for."""
        self._beside: dict[int, frozenset[Gram]] = {}
        """Of some of these, the grams that have something of that in them."""
        self._joined: dict[str, set[int]] = defaultdict(set)
        """The texts that have a key by what is there else."""

    @property
    def every(self) -> int:
        """The row of all texts."""
        return (1 << len(self.texts)) - 1

    def row(self, numbers: Iterable[int]) -> int:
        """A row of bits, one for each text."""
        row = 0
        for number in numbers:
            row |= self._bits[number]
        return row

    def look_up(self, filed: Mapping[Gram, Any], asked: Container[str]) -> dict[Gram, list[int]]:
        """The numbers of the texts that have what is filed, by gram.

        All texts are looked up in one go, one behind the other: a loop over words would take three times as long.

        Args:
            filed: by gram.
            asked: all keys in what is filed.
        """
        keys: list[str] = []
        where: list[int] = []
        for number, pieces in enumerate(self._pieces):
            own, further = self._read(pieces, asked)
            self._keys.append(f" {' '.join(own)} ")
            if further:
                self._further[number] = own, further
                for _, _, key in further:
                    self._joined[key].add(number)
            keys += own
            keys.append(_BETWEEN)
            where += [number] * (len(own) + 1)
        found: dict[Gram, list[int]] = defaultdict(list)
        for size in (1, 2, 3):
            rows = [keys[first:] for first in range(size)]
            is_filed = bytes(map(filed.__contains__, _grams(rows)))
            for gram, number in zip(compress(_grams(rows), is_filed), compress(where, is_filed), strict=True):
                found[gram].append(number)
        for number, (own, further) in self._further.items():
            for gram in _grams_with(own, further):
                if gram in filed:
                    found[gram].append(number)
        return found

    def _read(self, pieces: Sequence[str], asked: Container[str]) -> tuple[list[str], list[_Run]]:
        """One key of each part of a text, and what else is in it and asked for."""
        keys: list[Any] = [*map(self._known.__getitem__, pieces)]
        if None not in keys:
            return keys, []
        every: list[str] = []
        further = []
        behind = 0
        for at in [at for at, key in enumerate(keys) if key is None]:
            every += keys[behind:at]
            special = self._known.special[pieces[at]]
            for first, span, key in special.further:
                if key in asked:
                    further.append((len(every) + first, len(every) + first + span, key))
            every += special.keys
            behind = at + 1
        every += keys[behind:]
        return every, further

    @property
    def common(self) -> Mapping[str, _Forms]:
        """By key, the forms that all words with that key share, of the texts that have been looked up."""
        return self._known.common

    def words(self, keys: Collection[str]) -> Mapping[str, Mapping[_Forms, int]]:
        """The words with these keys: by key, the forms of each and the row of the texts that it stands in."""
        if not keys:
            return {}
        having = {
            printed: words
            for printed, each in self._known.words.items()
            if (words := [word for word in each if word[0] in keys])
        }
        found: dict[str, dict[_Forms, int]] = defaultdict(dict)
        for pieces, bit in zip(self._pieces, self._bits, strict=True):
            for printed in having.keys() & pieces:
                for key, forms in having[printed]:
                    found[key][forms] = found[key].get(forms, 0) | bit
        return found

    def having(self, query: Phrase | Exact | Prefix, among: int) -> int:
        """The row of those texts in which something stands; slow, and right for all that can be asked for."""
        return self.row(number for number in places_of(among) if stands(self.texts[number], query))

    def having_row(self, keys: str, among: Sequence[int]) -> int:
        """The row of those texts that have keys in a row, some perhaps by joined words or by another key of a word.

        Args:
            keys: of four words or more, a blank around each.
            among: the numbers of the texts.
        """
        there = self._keys
        having = self.row([number for number in among if keys in there[number]])
        row = keys.split()
        joined = set[int]().union(*[self._joined[key] for key in row if key in self._joined])
        if joined:
            grams = [*zip(row, row[1:], row[2:], strict=False)]
            left = joined.intersection(among)
            having |= self.row(number for number in left if self._has_row(number, row, grams))
        return having

    def _has_row(self, number: int, row: Sequence[str], grams: Sequence[Gram]) -> bool:
        """Whether a text has keys in a row, not all of them by the one key of each part."""
        beside = self._beside.get(number)
        own, further = self._further[number]
        if beside is None:
            beside = self._beside[number] = frozenset(_grams_with(own, further))
        if beside.isdisjoint(grams):
            return False
        reached = set(range(len(own)))
        for key in row:
            behind = {at + 1 for at in reached if at < len(own) and own[at] == key}
            behind.update(end for start, end, also in further if also == key and start in reached)
            reached = behind
        return bool(reached)

    # beginnings

    def beginning(self, query: Prefix) -> int:
        """The row of the texts that have a word which begins so."""
        row = 0
        for wish in openings(query.unit).values():
            for beginning in wish:
                first = bisect_left(self._forms, beginning)
                behind = bisect_left(self._forms, beginning + _LAST)
                row = reduce(or_, map(self._rows.__getitem__, self._forms[first:behind]), row)
        return row if len(query.unit) == 1 else self.having(query, row)

    @cached_property
    def _rows(self) -> Mapping[str, int]:
        """The texts that have a word of that form."""
        rows: dict[str, int] = defaultdict(int)
        for pieces, bit in zip(self._pieces, self._bits, strict=True):
            words = chain.from_iterable(map(self._known.words.__getitem__, set(pieces)))
            for form in frozenset[str]().union(*(forms for _, forms in words)):
                rows[form] |= bit
        return rows

    @cached_property
    def _forms(self) -> Sequence[str]:
        return sorted(self._rows)


_LAST = "\U0010ffff"
_BETWEEN = " "
"""Between two texts, and two lines: no word's key."""


def _grams(rows: Sequence[Sequence[str]]) -> Iterable[Gram]:
    """The keys, or pairs or triples of them, of which each row lacks as many at its beginning as it has before it."""
    if len(rows) == 1:
        return rows[0]
    return cast("Iterable[Gram]", zip(*rows, strict=False))


class _Known(dict[str, str | None]):
    """The key of each piece that is one word with one key; None for others.

    Attributes:
        words: of each piece.
        special: the pieces that are something else than one word with one key.
        common: by key, the forms that all words with that key share.
    """

    def __init__(self) -> None:
        super().__init__({LINE_BREAK: _BETWEEN})
        self.words: dict[str, Words] = {LINE_BREAK: ()}
        self.special: dict[str, Keyed] = {}
        self.common: dict[str, _Forms] = {}

    def __missing__(self, printed: str) -> str | None:
        bare = printed.strip(AROUND)
        key = self[printed] = self._read(printed) if bare == printed else self[bare]
        if bare != printed:
            self.words[printed] = self.words[bare]
            if key is None:
                self.special[printed] = self.special[bare]
        return key

    def _read(self, printed: str) -> str | None:
        key = None
        if printed.isalnum() and len(words := words_of(printed)) == 1:
            key = words[0][0]
        else:
            special = self.special[printed] = keyed(printed)
            words = special.words
        self.words[printed] = words
        common = self.common
        for one, forms in words:
            before = common.get(one)
            if before is not forms:
                common[one] = forms if before is None else before & forms
        return key


def _grams_with(keys: Sequence[str], further: Sequence[_Run]) -> Iterator[Gram]:
    """The grams of a text that have any of these words in them.

    Args:
        keys: one of each part.
        further: words that are joined from parts, or parts with another key.
    """
    starting: dict[int, list[tuple[int, str]]] = {}
    ending: dict[int, list[tuple[int, str]]] = {}
    for start, end, key in further:
        starting.setdefault(start, [(start + 1, keys[start])]).append((end, key))
        ending.setdefault(end, [(end - 1, keys[end - 1])]).append((start, key))

    def before(at: int) -> Sequence[tuple[int, str]]:
        return ending.get(at) or ([(at - 1, keys[at - 1])] if at else ())

    def behind(at: int) -> Sequence[tuple[int, str]]:
        return starting.get(at) or ([(at + 1, keys[at])] if at < len(keys) else ())

    for start, end, key in further:
        yield key
        left, right = before(start), behind(end)
        yield from [(one, key) for _, one in left]
        yield from [(key, one) for _, one in right]
        yield from [(one, key, other) for _, one in left for _, other in right]
        yield from [(other, one, key) for begun, one in left for _, other in before(begun)]
        yield from [(key, one, other) for ended, one in right for _, other in behind(ended)]
