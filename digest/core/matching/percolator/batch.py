"""The texts of a day, in one row of words: looked up in what is filed by keys, and looked at where that is needed.

All texts are looked up in one go, one behind the other: a loop over words would take several times as long.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, reduce
from itertools import chain, compress, count, repeat
from operator import itemgetter, or_
from typing import Any

from digest.core.language.query import Prefix, TextQuery
from digest.core.matching.bitmaps import places as places_of
from digest.core.matching.bitmaps import row_of
from digest.core.matching.percolator.postings import END
from digest.core.matching.percolator.terms import every_word, words_of
from digest.core.matching.positions import openings, stands
from digest.core.papers.document import LINE_BREAK, Text
from digest.core.text.words import AROUND, piece

_Forms = frozenset[str]
_Edge = tuple[int, str, _Forms, bool]
"""What else begins with a word: how many parts it has or where it ends, its key, its forms, whether it is doubtful."""
_Word = tuple[str, _Forms, Sequence[_Edge]]
"""A part of a text: its key, its forms, and what else begins with it."""
_Way = tuple[int, int, Any, bool]
"""Words that follow each other: where they begin, where they end, what is filed there, whether one is doubtful."""


class Day:
    """Texts, by their numbers; and all their words, by their positions in one row.

    Args:
        texts: in the order of their numbers.
        asked: by each key that is asked for, the forms that those who ask have in common. A word with such a key and
            with none of these forms is *doubtful*: only its forms say who of them it fits.
    """

    def __init__(self, texts: Sequence[Text], asked: Mapping[str, _Forms]) -> None:
        self._texts = texts
        self._bits = [1 << number for number in range(len(texts))]
        self._vocabulary = _Vocabulary(asked)
        read = self._vocabulary.__getitem__
        words: list[_Word] = []
        self.bit: list[int] = []
        """The bit of the text that each word stands in."""
        self._ends: list[int] = []
        """Of each text, the position behind its last word: there is one between two texts."""
        for text, bit in zip(texts, self._bits, strict=True):
            words += chain.from_iterable(map(read, text.pieces()))
            self._ends.append(len(words))
            words.append(_BETWEEN)
            self.bit += repeat(bit, len(words) - len(self.bit))
        self._words = words
        self._keys = [word[0] for word in words]
        self._further = {
            at: [(at + span, key, forms, doubtful) for span, key, forms, doubtful in words[at][2]]
            for at in compress(count(), map(itemgetter(2), words))
        }
        self._known: dict[int, set[str]] = {}
        """The keys in some texts."""

    @cached_property
    def doubtful(self) -> frozenset[str]:
        """The keys of all doubtful words."""
        edges = chain.from_iterable(self._further.values())
        return frozenset(key for _, key, _, doubtful in edges if doubtful)

    def row(self, positions: Iterable[int]) -> int:
        """The row of the texts that some positions are in."""
        return reduce(or_, map(self.bit.__getitem__, positions), 0)

    # words

    def having(self, keys: Iterable[str]) -> dict[str, int]:
        """The row of the texts that have a word with a key, by key; those are left out that no text has."""
        wanted = frozenset(keys)
        plain = wanted.intersection(key for words in self._vocabulary.values() for key, _, _ in words)
        rows: dict[str, int] = defaultdict(int)
        start = 0
        for bit, end in zip(self._bits, self._ends, strict=True):
            for key in plain.intersection(self._keys[start:end]):
                rows[key] |= bit
            start = end + 1
        for at, further in self._further.items():
            for _, key, _, _ in further:
                if key in wanted:
                    rows[key] |= self.bit[at]
        return rows

    def forms(self, keys: Collection[str]) -> Mapping[str, Mapping[_Forms, int]]:
        """By key, the forms of each word with that key, and the row of the texts that it stands in."""
        found: dict[str, dict[_Forms, int]] = defaultdict(lambda: defaultdict(int))
        if keys:
            for at in compress(range(len(self._words)), map(keys.__contains__, self._keys)):
                key, forms, _ = self._words[at]
                found[key][forms] |= self.bit[at]
            for at, further in self._further.items():
                for _, key, forms, _ in further:
                    if key in keys:
                        found[key][forms] |= self.bit[at]
        return found

    # words in a row

    def in_rows(self, filed: Mapping[str, Any]) -> Iterator[tuple[int, Any, bool]]:
        """What is filed under the keys of words that follow each other (``put_row``).

        Yields:
            The position of the first word, what is filed there, and whether one of the words is doubtful.
        """
        keys, further = self._keys, self._further
        begun = list(map(filed.get, keys, repeat(_NOTHING)))
        second = list(map(dict.get, begun, keys[1:]))
        starts = list(compress(count(), second))
        plain = zip(
            starts, map((2).__add__, starts), filter(None, second), [False] * len(starts), strict=True
        )
        others = list(self._beside(begun, filed))
        for start, behind, first, doubtful in chain(plain, others):  # others come to this while it goes on
            at, there = behind, first
            while type(there) is dict:
                if END in there:
                    yield start, there[END], doubtful
                if at in further:
                    ways = [one for one in further[at] if one[1] in there]
                    others += [(start, end, there[key], doubtful or also) for end, key, _, also in ways]
                there = there.get(keys[at])
                at += 1
            if there is not None:
                yield start, there, doubtful

    def _beside(self, begun: Sequence[Mapping[str, Any]], filed: Mapping[str, Any]) -> Iterator[_Way]:
        """Two words in a row, one of which is no plain one.

        Args:
            begun: by position, what is filed under the key of the plain word.
            filed: all that is filed.
        """
        for start, further in self._further.items():
            for end, key, _, doubtful in further:
                if start and key in begun[start - 1]:
                    yield start - 1, end, begun[start - 1][key], doubtful
                there = filed.get(key, _NOTHING)
                if self._keys[end] in there:
                    yield start, end + 1, there[self._keys[end]], doubtful
                for behind, other, _, also in self._further.get(end, ()):
                    if other in there:
                        yield start, behind, there[other], doubtful or also

    def behind(self, positions: Iterable[int], row: Iterable[tuple[str, _Forms]]) -> set[int]:
        """The positions behind words that follow each other, and begin at one of some positions.

        Args:
            positions: of the first word.
            row: of each word a key that it has, and the forms of which it has one.
        """
        reached = set(positions)
        for key, wish in row:
            starts, reached = reached, set()
            for at in starts:
                if self._keys[at] == key and not wish.isdisjoint(self._words[at][1]):
                    reached.add(at + 1)
                for end, other, forms, _ in self._further.get(at, ()):
                    if other == key and not wish.isdisjoint(forms):
                        reached.add(end)
        return reached

    # what is no row of words

    def looked_at(self, query: TextQuery, among: int) -> int:
        """The row of those texts in which something stands; slow, and right for all that can be asked for."""
        # All words of a text are read once, for however many queries look at it.
        return row_of(number for number in places_of(among) if stands(self._texts[number], query))

    def with_each(self, needed: Sequence[Collection[str]], among: int) -> int:
        """The row of those texts that have one of some keys that are asked for, for each of several such."""
        numbers = places_of(among)
        bits = [
            self._bits[number] for number in numbers if not any(map(self._keys_of(number).isdisjoint, needed))
        ]
        return reduce(or_, bits, 0)

    def _keys_of(self, number: int) -> set[str]:
        """The keys in a text that are asked for."""
        if number not in self._known:
            positions = range(self._ends[number - 1] + 1 if number else 0, self._ends[number])
            keys = self._known[number] = {*self._keys[positions.start : positions.stop]}
            keys.update(key for at in positions for _, key, _, _ in self._further.get(at, ()))
        return self._known[number]

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
        printed: dict[str, int] = defaultdict(int)
        for text, bit in zip(self._texts, self._bits, strict=True):
            for bare in set(map(_bare, text.pieces())):
                printed[bare] |= bit
        rows: dict[str, int] = defaultdict(int)
        for bare, row in printed.items():
            for form in frozenset[str]().union(*(forms for _, forms in every_word(bare))):
                rows[form] |= row
        return rows

    @cached_property
    def _forms(self) -> Sequence[str]:
        return sorted(self._rows)


_LAST = "\U0010ffff"
_NONE = ""
"""The key of words that nobody asks for, or that are doubtful."""
_NOTHING: Mapping[str, Any] = {}
_BETWEEN: _Word = (_NONE, frozenset(), ())
"""Between two texts, and two lines."""


class _Vocabulary(dict[str, tuple[_Word, ...]]):
    """The words in each piece, as far as they are asked for."""

    def __init__(self, asked: Mapping[str, _Forms]) -> None:
        super().__init__({LINE_BREAK: (_BETWEEN,)})
        self._asked = asked

    def __missing__(self, printed: str) -> tuple[_Word, ...]:
        bare = _bare(printed)
        if bare != printed:
            words = self[bare]
        elif bare.isascii() and bare.isalnum():
            words = (self._word(bare),)
        else:
            words = self._parts(*piece(bare))
        self[printed] = words
        return words

    def _parts(self, split: Sequence[str], joined: Iterable[tuple[int, int, str]]) -> tuple[_Word, ...]:
        words = [self[part][0] if part.isascii() and part.isalnum() else self._word(part) for part in split]
        for first, span, made in joined:
            for one, its in words_of(made):
                if one in self._asked:
                    key, forms, further = words[first]
                    words[first] = key, forms, [*further, self._edge(span, one, its)]
        return tuple(words)

    def _word(self, printed: str) -> _Word:
        (key, forms), *others = words_of(printed)
        common = self._asked.get(key)
        if not others and common is not None and not common.isdisjoint(forms):
            return key, forms, ()  # most words
        further = [self._edge(1, other, forms) for other, _ in others if other in self._asked]
        if common is None:
            return _NONE, forms, further or ()
        if common.isdisjoint(forms):
            return _NONE, forms, [*further, self._edge(1, key, forms)]
        return key, forms, further or ()

    def _edge(self, span: int, key: str, forms: _Forms) -> _Edge:
        return span, key, forms, self._asked[key].isdisjoint(forms)


def _bare(printed: str) -> str:
    """A piece without what says nothing of its words: signs around it, and a capital that only begins it."""
    bare = printed.strip(AROUND)
    return bare.lower() if bare[1:].islower() and bare.isascii() else bare
