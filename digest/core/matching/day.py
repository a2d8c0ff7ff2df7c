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
from typing import Any, NamedTuple

from digest.core.language.query import Exact, Phrase, Prefix
from digest.core.matching.hits import places as places_of
from digest.core.matching.keys import every_word, words_of
from digest.core.matching.places import openings, stands
from digest.core.papers.document import LINE_BREAK, Text
from digest.core.words.text import AROUND, piece

Gram = tuple[str, str] | tuple[str, str, str]
"""The keys of two or three words that follow each other."""
_Forms = frozenset[str]
_Edge = tuple[int, str, _Forms, bool]
"""What else begins with a word: how many parts it has or where it ends, its key, its forms, whether it is doubtful."""
_Word = tuple[str, _Forms, Sequence[_Edge]]
"""A part of a text: its key, its forms, and what else begins with it."""
_Step = tuple[int, str, bool]
"""A word on the way through a text: its position, its key, whether it is doubtful."""


class _Windows(NamedTuple):
    """Rows of words, with nothing between two of them: their positions in the texts, and their keys."""

    at: list[int]
    keys: list[str]


class Day:
    """Texts, by their numbers; and all their words, by their positions in one row.

    Behind the texts stand *windows*: the words that are joined from several, or are no plain ones, each with the words
    beside it. So all that can be read in a row stands in a row somewhere.

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
        words = [_BETWEEN, _BETWEEN]
        self._where = [0, 0]
        """The number of the text that each word stands in."""
        self._ends: list[int] = []
        """Of each text, the position behind its last word: there is one between two texts."""
        for number, text in enumerate(texts):
            words += chain.from_iterable(map(read, text.pieces()))
            self._ends.append(len(words))
            words.append(_BETWEEN)
            self._where += [number] * (len(words) - len(self._where))
        words.append(_BETWEEN)
        self._words = words
        self._further = {
            at: [(at + span, key, forms, doubtful) for span, key, forms, doubtful in words[at][2]]
            for at in compress(count(), map(itemgetter(2), words))
        }
        self._known: dict[int, set[str]] = {}
        """The keys in some texts."""
        sure, doubtful = self._windows()
        self._home = sure.at + doubtful.at
        """The positions, in the texts, of the words in the windows."""
        self._keys = (*[word[0] for word in words], *sure.keys, *doubtful.keys)
        self._where.append(0)
        self._where += map(self._where.__getitem__, self._home)
        self._doubtful_from = len(words) + len(sure.at)

    @cached_property
    def doubtful(self) -> frozenset[str]:
        """The keys of all doubtful words."""
        edges = chain.from_iterable(self._further.values())
        return frozenset(key for _, key, _, doubtful in edges if doubtful)

    def row(self, positions: Iterable[int]) -> int:
        """The row of the texts that some positions are in."""
        numbers = set(map(self._where.__getitem__, positions))
        return reduce(or_, map(self._bits.__getitem__, numbers), 0)

    # words

    def having(self, keys: Iterable[str]) -> dict[str, int]:
        """The row of the texts that have a word with a key, by key; those are left out that no text has."""
        wanted = frozenset(keys)
        plain = wanted.intersection(key for words in self._vocabulary.values() for key, _, _ in words)
        numbers: dict[str, list[int]] = defaultdict(list)
        start = 2
        for number, end in enumerate(self._ends):
            for key in plain.intersection(self._keys[start:end]):
                numbers[key].append(number)
            start = end + 1
        for at, further in self._further.items():
            for _, key, _, _ in further:
                if key in wanted:
                    numbers[key].append(self._where[at])
        bit = self._bits.__getitem__
        return {key: reduce(or_, map(bit, those)) for key, those in numbers.items()}

    def forms(self, keys: Collection[str]) -> Mapping[str, Mapping[_Forms, int]]:
        """By key, the forms of each word with that key, and the row of the texts that it stands in."""
        found: dict[str, dict[_Forms, int]] = defaultdict(lambda: defaultdict(int))
        if keys:
            for at in compress(range(len(self._words)), map(keys.__contains__, self._keys)):
                key, forms, _ = self._words[at]
                found[key][forms] |= self._bits[self._where[at]]
            for at, further in self._further.items():
                for _, key, forms, _ in further:
                    if key in keys:
                        found[key][forms] |= self._bits[self._where[at]]
        return found

    # words in a row

    def look_up(
        self, pairs: Container[Gram], triples: Container[Gram]
    ) -> tuple[dict[Gram, list[int]], dict[Gram, list[int]]]:
        """The positions at which what is filed begins, by gram: first those without doubtful words, then the others."""
        sure: dict[Any, list[int]] = defaultdict(list)
        doubtful: dict[Any, list[int]] = defaultdict(list)
        keys = self._keys
        for size, filed in ((2, pairs), (3, triples)):
            rows = [keys[first:] for first in range(size)]
            for at in compress(count(), map(filed.__contains__, zip(*rows, strict=False))):
                (sure if at < self._doubtful_from else doubtful)[keys[at : at + size]].append(at)
        return sure, doubtful

    def _windows(self) -> tuple[_Windows, _Windows]:
        """All that can be read in a row and is no text's plain row: what has no doubtful words, and what has."""
        before: dict[int, list[_Step]] = defaultdict(list)
        for start, further in self._further.items():
            for end, key, _, is_doubtful in further:
                before[end].append((start, key, is_doubtful))
        sure, doubtful = _Windows([], []), _Windows([], [])
        words = self._words
        for start, further in self._further.items():
            plain = not (start in before or start - 1 in before)
            for end, key, _, is_doubtful in further:
                windows = doubtful if is_doubtful else sure
                if plain and not (end in self._further or end + 1 in self._further):
                    windows.at.extend((start - 2, start - 1, start, end, end + 1, 0))
                    beside = words[start - 2][0], words[start - 1][0], key, words[end][0], words[end + 1][0]
                    windows.keys.extend((*beside, _NONE))
                    continue
                for steps in self._beside((start, key, is_doubtful), end, before):
                    windows = doubtful if any(step[2] for step in steps) else sure
                    windows.at.extend((*[at for at, _, _ in steps], 0))
                    windows.keys.extend((*[its for _, its, _ in steps], _NONE))
        return sure, doubtful

    def _beside(
        self, here: _Step, end: int, before: Mapping[int, list[_Step]]
    ) -> Iterator[tuple[_Step, ...]]:
        """The ways of three words, one of which is a certain one; where others may stand beside it, too.

        Args:
            here: the certain one.
            end: the position behind it.
            before: the words that end at a position and are no plain ones.
        """

        def left(at: int) -> list[_Step]:
            return [(at - 1, self._words[at - 1][0], False), *before.get(at, ())]

        def right(at: int) -> list[tuple[_Step, int]]:
            others = [((at, key, doubtful), behind) for behind, key, _, doubtful in self._further.get(at, ())]
            return [((at, self._words[at][0], False), at + 1), *others]

        for one in left(here[0]):
            yield from [(other, one, here) for other in left(one[0])]
            yield from [(one, here, other) for other, _ in right(end)]
        for one, behind in right(end):
            yield from [(here, one, other) for other, _ in right(behind)]

    def homes(self, positions: Iterable[int]) -> set[int]:
        """The positions in the texts of what stands at some positions there or in windows."""
        size = len(self._words)
        return {at if at < size else self._home[at - size] for at in positions}

    def behind(
        self, positions: Iterable[int], keys: Sequence[str], wishes: Sequence[_Forms] = ()
    ) -> set[int]:
        """The positions behind words that follow each other, and begin at one of some positions of the texts.

        Args:
            positions: of the first word.
            keys: one of each word.
            wishes: of each word the forms of which it must have one; none where only words are meant that are not
                doubtful.
        """
        reached = set(positions)
        for place, key in enumerate(keys):
            starts, reached = reached, set()
            for at in starts:
                if self._keys[at] == key and not (wishes and wishes[place].isdisjoint(self._words[at][1])):
                    reached.add(at + 1)
                for end, other, forms, doubtful in self._further.get(at, ()):
                    if other == key and not (wishes[place].isdisjoint(forms) if wishes else doubtful):
                        reached.add(end)
        return reached

    def following(self, positions: Iterable[int]) -> Mapping[str, set[int]]:
        """The words that begin at some positions of the texts: by key, the positions behind them."""
        found: dict[str, set[int]] = defaultdict(set)
        for at in positions:
            found[self._keys[at]].add(at + 1)
            for end, key, _, _ in self._further.get(at, ()):
                found[key].add(end)
        return found

    # what is no row of words

    def looked_at(self, query: Phrase | Exact | Prefix, among: int) -> int:
        """The row of those texts in which something stands; slow, and right for all that can be asked for."""
        bits = [self._bits[number] for number in places_of(among) if stands(self._texts[number], query)]
        return reduce(or_, bits, 0)

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
            positions = range(self._ends[number - 1] + 1 if number else 2, self._ends[number])
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
        rows: dict[str, int] = defaultdict(int)
        for text, bit in zip(self._texts, self._bits, strict=True):
            words = chain.from_iterable(map(every_word, set(map(_bare, text.pieces()))))
            for form in frozenset[str]().union(*(forms for _, forms in words)):
                rows[form] |= bit
        return rows

    @cached_property
    def _forms(self) -> Sequence[str]:
        return sorted(self._rows)


_LAST = "\U0010ffff"
_NONE = ""
"""The key of words that nobody asks for, or that are doubtful."""
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
        elif bare.isalnum():
            words = (self._word(bare),)
        else:
            words = self._parts(*piece(bare))
        self[printed] = words
        return words

    def _parts(self, split: Sequence[str], joined: Iterable[tuple[int, int, str]]) -> tuple[_Word, ...]:
        words = [self[part][0] if part.isalnum() else self._word(part) for part in split]
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
