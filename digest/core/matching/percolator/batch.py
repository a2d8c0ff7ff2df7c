"""The texts of a batch as one sequence of words that are looked up in the index by their keys.

All texts are looked up together, because a loop over the words would take several times as long. Words and
texts are compared in detail only where the keys do not decide.
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
from digest.core.matching.bitmaps import list_positions as places_of
from digest.core.matching.bitmaps import make_bitmap
from digest.core.matching.percolator.postings import PHRASE_END
from digest.core.matching.percolator.terms import iter_piece_keys, make_text_keys
from digest.core.matching.positions import has_match, map_prefixes
from digest.core.papers.document import LINE_BREAK, Text
from digest.core.text.words import SURROUNDING_SIGNS, split_piece

_Forms = frozenset[str]
_Edge = tuple[int, str, _Forms, bool]
"""A further word that begins at a word: its number of parts or its end, its key, its forms, whether it is doubtful."""
_Word = tuple[str, _Forms, Sequence[_Edge]]
"""A part of a text: its key, its forms, and further words that begin with it."""
_Path = tuple[int, int, Any, bool]
"""Adjacent words: their start, their end, the trie node or posting list that they lead to, whether one is doubtful."""


class TextBatch:
    """Texts by number, and all their words by position in one sequence.

    Args:
        texts: in the order of their numbers.
        forms_by_key: by key in the index, the forms that its queries have in common. A word with such a key
            and none of these forms is *doubtful*: only its forms tell which queries it matches.
    """

    def __init__(self, texts: Sequence[Text], forms_by_key: Mapping[str, _Forms]) -> None:
        self._texts = texts
        self._bits = [1 << number for number in range(len(texts))]
        self._vocabulary = _Vocabulary(forms_by_key)
        get_words = self._vocabulary.__getitem__
        words: list[_Word] = []
        self.text_bits: list[int] = []
        """For each position, the bit of the text that contains it."""
        self._text_ends: list[int] = []
        """For each text, the position after its last word, which has a separator."""
        for text, bit in zip(texts, self._bits, strict=True):
            words += chain.from_iterable(map(get_words, text.split_pieces()))
            self._text_ends.append(len(words))
            words.append(_SEPARATOR)
            self.text_bits += repeat(bit, len(words) - len(self.text_bits))
        self._words = words
        self._keys = [word[0] for word in words]
        self._edges = {
            position: [
                (position + span, key, forms, doubtful) for span, key, forms, doubtful in words[position][2]
            ]
            for position in compress(count(), map(itemgetter(2), words))
        }
        self._keys_by_text: dict[int, set[str]] = {}
        """Cache of the keys of a text, by its number."""

    @cached_property
    def doubtful_keys(self) -> frozenset[str]:
        """The keys of all doubtful words."""
        edges = chain.from_iterable(self._edges.values())
        return frozenset(key for _, key, _, doubtful in edges if doubtful)

    def make_bitmap(self, positions: Iterable[int]) -> int:
        """Return a bitmap of the texts at some positions."""
        return reduce(or_, map(self.text_bits.__getitem__, positions), 0)

    # words

    def find_texts_by_key(self, keys: Iterable[str]) -> dict[str, int]:
        """Return a bitmap of the texts that have a word with a key, by key; keys that no text has are left out."""
        wanted_keys = frozenset(keys)
        plain_keys = wanted_keys.intersection(
            key for words in self._vocabulary.values() for key, _, _ in words
        )
        bitmaps: dict[str, int] = defaultdict(int)
        start = 0
        for bit, end in zip(self._bits, self._text_ends, strict=True):
            for key in plain_keys.intersection(self._keys[start:end]):
                bitmaps[key] |= bit
            start = end + 1
        for position, edges in self._edges.items():
            for _, key, _, _ in edges:
                if key in wanted_keys:
                    bitmaps[key] |= self.text_bits[position]
        return bitmaps

    def find_forms(self, keys: Collection[str]) -> Mapping[str, Mapping[_Forms, int]]:
        """Return, by key and by the forms of a word with this key, a bitmap of the texts with such a word."""
        bitmaps_by_form: dict[str, dict[_Forms, int]] = defaultdict(lambda: defaultdict(int))
        if keys:
            for position in compress(range(len(self._words)), map(keys.__contains__, self._keys)):
                key, forms, _ = self._words[position]
                bitmaps_by_form[key][forms] |= self.text_bits[position]
            for position, edges in self._edges.items():
                for _, key, forms, _ in edges:
                    if key in keys:
                        bitmaps_by_form[key][forms] |= self.text_bits[position]
        return bitmaps_by_form

    # adjacent words

    def find_phrases(self, phrases: Mapping[str, Any]) -> Iterator[tuple[int, Any, bool]]:
        """Look up adjacent words in a trie of phrases (``add_phrase``).

        Yields:
            The position of the first word, the posting list of the sequence, and whether one of the words is
            doubtful.
        """
        keys, edges = self._keys, self._edges
        first_entries = list(map(phrases.get, keys, repeat(_NO_ENTRIES)))
        second_entries = list(map(dict.get, first_entries, keys[1:]))
        starts = list(compress(count(), second_entries))
        plain_pairs = zip(
            starts, map((2).__add__, starts), filter(None, second_entries), [False] * len(starts), strict=True
        )
        irregular_pairs = list(self._find_irregular_pairs(first_entries, phrases))
        # The loop extends irregular_pairs while it iterates over them.
        for start, next_position, entry, doubtful in chain(plain_pairs, irregular_pairs):
            position, node = next_position, entry
            while type(node) is dict:
                if PHRASE_END in node:
                    yield start, node[PHRASE_END], doubtful
                if position in edges:
                    matching_edges = [edge for edge in edges[position] if edge[1] in node]
                    irregular_pairs += [
                        (start, end, node[key], doubtful or is_edge_doubtful)
                        for end, key, _, is_edge_doubtful in matching_edges
                    ]
                node = node.get(keys[position])
                position += 1
            if node is not None:
                yield start, node, doubtful

    def _find_irregular_pairs(
        self, first_entries: Sequence[Mapping[str, Any]], phrases: Mapping[str, Any]
    ) -> Iterator[_Path]:
        """Yield pairs of adjacent words that include at least one edge.

        Args:
            first_entries: by position, the trie node under the key of the plain word.
            phrases: the trie.
        """
        for start, edges in self._edges.items():
            for end, key, _, doubtful in edges:
                if start and key in first_entries[start - 1]:
                    yield start - 1, end, first_entries[start - 1][key], doubtful
                node = phrases.get(key, _NO_ENTRIES)
                if self._keys[end] in node:
                    yield start, end + 1, node[self._keys[end]], doubtful
                for second_end, second_key, _, is_second_doubtful in self._edges.get(end, ()):
                    if second_key in node:
                        yield start, second_end, node[second_key], doubtful or is_second_doubtful

    def find_phrase_ends(self, positions: Iterable[int], words: Iterable[tuple[str, _Forms]]) -> set[int]:
        """Return the positions after adjacent words that begin at one of some positions.

        Args:
            positions: of the first word.
            words: for each word, a key that it has, and forms; it has at least one of these.
        """
        ends = set(positions)
        for key, forms in words:
            starts, ends = ends, set()
            for position in starts:
                if self._keys[position] == key and not forms.isdisjoint(self._words[position][1]):
                    ends.add(position + 1)
                for end, edge_key, edge_forms, _ in self._edges.get(position, ()):
                    if edge_key == key and not forms.isdisjoint(edge_forms):
                        ends.add(end)
        return ends

    # leaves that are not a sequence of words

    def match_query(self, query: TextQuery, candidates: int) -> int:
        """Return a bitmap of the candidate texts that a query matches; slow, but correct for all queries."""
        # All words of a text are read once, for all queries.
        return make_bitmap(
            number for number in places_of(candidates) if has_match(self._texts[number], query)
        )

    def filter_by_keys(self, required_keys: Sequence[Collection[str]], candidates: int) -> int:
        """Return a bitmap of the candidate texts that have at least one key of each set."""
        numbers = places_of(candidates)
        bits = [
            self._bits[number]
            for number in numbers
            if not any(map(self._get_keys(number).isdisjoint, required_keys))
        ]
        return reduce(or_, bits, 0)

    def _get_keys(self, number: int) -> set[str]:
        """Return the keys of the index that a text has."""
        if number not in self._keys_by_text:
            positions = range(self._text_ends[number - 1] + 1 if number else 0, self._text_ends[number])
            keys = self._keys_by_text[number] = {*self._keys[positions.start : positions.stop]}
            keys.update(key for position in positions for _, key, _, _ in self._edges.get(position, ()))
        return self._keys_by_text[number]

    def match_prefix(self, query: Prefix) -> int:
        """Return a bitmap of the texts that have a word with a prefix."""
        bitmap = 0
        for prefixes in map_prefixes(query.unit).values():
            for prefix in prefixes:
                start = bisect_left(self._sorted_forms, prefix)
                end = bisect_left(self._sorted_forms, prefix + _MAX_CHARACTER)
                bitmap = reduce(
                    or_, map(self._bitmaps_by_form.__getitem__, self._sorted_forms[start:end]), bitmap
                )
        return bitmap if len(query.unit) == 1 else self.match_query(query, bitmap)

    @cached_property
    def _bitmaps_by_form(self) -> Mapping[str, int]:
        """Bitmap of the texts that have a word with a form, by form."""
        bitmaps_by_piece: dict[str, int] = defaultdict(int)
        for text, bit in zip(self._texts, self._bits, strict=True):
            for normalized in set(map(_normalize_piece, text.split_pieces())):
                bitmaps_by_piece[normalized] |= bit
        bitmaps: dict[str, int] = defaultdict(int)
        for normalized, bitmap in bitmaps_by_piece.items():
            for form in frozenset[str]().union(*(forms for _, forms in iter_piece_keys(normalized))):
                bitmaps[form] |= bitmap
        return bitmaps

    @cached_property
    def _sorted_forms(self) -> Sequence[str]:
        return sorted(self._bitmaps_by_form)


_MAX_CHARACTER = "\U0010ffff"
_NO_KEY = ""
"""Key of words that are doubtful or in no query."""
_NO_ENTRIES: Mapping[str, Any] = {}
_SEPARATOR: _Word = (_NO_KEY, frozenset(), ())
"""Separator between two texts, and between two lines."""


class _Vocabulary(dict[str, tuple[_Word, ...]]):
    """Dictionary of the words in each piece of text, with the keys of the index; pieces are added on first look-up."""

    def __init__(self, forms_by_key: Mapping[str, _Forms]) -> None:
        super().__init__({LINE_BREAK: (_SEPARATOR,)})
        self._forms_by_key = forms_by_key

    def __missing__(self, printed: str) -> tuple[_Word, ...]:
        normalized = _normalize_piece(printed)
        if normalized != printed:
            words = self[normalized]
        elif normalized.isascii() and normalized.isalnum():
            words = (self._make_word(normalized),)
        else:
            words = self._split_compound(*split_piece(normalized))
        self[printed] = words
        return words

    def _split_compound(
        self, printed_parts: Sequence[str], compounds: Iterable[tuple[int, int, str]]
    ) -> tuple[_Word, ...]:
        words = [
            self[part][0] if part.isascii() and part.isalnum() else self._make_word(part)
            for part in printed_parts
        ]
        for index, span, compound in compounds:
            for compound_key, compound_forms in make_text_keys(compound):
                if compound_key in self._forms_by_key:
                    key, forms, edges = words[index]
                    words[index] = key, forms, [*edges, self._make_edge(span, compound_key, compound_forms)]
        return tuple(words)

    def _make_word(self, printed: str) -> _Word:
        (key, forms), *other_keys = make_text_keys(printed)
        common_forms = self._forms_by_key.get(key)
        if not other_keys and common_forms is not None and not common_forms.isdisjoint(forms):
            return key, forms, ()  # the most frequent case
        edges = [
            self._make_edge(1, other_key, forms)
            for other_key, _ in other_keys
            if other_key in self._forms_by_key
        ]
        if common_forms is None:
            return _NO_KEY, forms, edges or ()
        if common_forms.isdisjoint(forms):
            return _NO_KEY, forms, [*edges, self._make_edge(1, key, forms)]
        return key, forms, edges or ()

    def _make_edge(self, span: int, key: str, forms: _Forms) -> _Edge:
        return span, key, forms, self._forms_by_key[key].isdisjoint(forms)


def _normalize_piece(printed: str) -> str:
    """Return a piece without surrounding signs, and in lower case if only its first letter is a capital."""
    stripped = printed.strip(SURROUNDING_SIGNS)
    return stripped.lower() if stripped[1:].islower() and stripped.isascii() else stripped
