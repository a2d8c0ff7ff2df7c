"""Positions in texts: phrases, words near each other, prefixes and exact spellings.

The work for a text is bounded by its length times the length of the query, however often words recur in
either: for each position that a phrase has reached, only the best partial match is kept, not one for each way
to get there.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Protocol

from digest.core.language.query import Exact, Phrase, Prefix, TextQuery, Unit
from digest.core.papers.document import SPAN_BITS, Text
from digest.core.text.tex import normalize_stars
from digest.core.text.words import (
    MAX_COMPOUND_PARTS,
    find_query_forms,
    find_query_prefixes,
    iter_parts,
    join_parts,
    scan_parts,
)

_Forms = frozenset[str]
_Range = tuple[int, int]
"""Start and end of a run of parts that is taken as one word."""


def find_spans(text: Text, query: TextQuery) -> list[tuple[int, int]]:
    """Return start and end of each match in a text, in characters."""
    if isinstance(query, Exact):
        return list(find_spellings(text, query.text))
    ranges = find_positions(text, query)
    if not ranges:
        return []
    starts, ends = text.spans
    return [(starts[start], ends[end - 1]) for start, end in ranges]


def has_match(text: Text, query: TextQuery) -> bool:
    """Whether a query matches a text.

    Except for exact spellings, all words of the text are read, once for all queries.
    """
    return (
        any(find_spellings(text, query.text))
        if isinstance(query, Exact)
        else bool(find_positions(text, query))
    )


def is_missing_forms(text: Text, required_forms: Iterable[_Forms]) -> bool:
    """Whether a text lacks all forms of at least one of the sets in ``required_forms``."""
    text_forms = text.occurrences.keys()
    for forms in required_forms:  # noqa: SIM110 - half the time of any()
        if text_forms.isdisjoint(forms):
            return True
    return False


class Positions(Protocol):
    """Positions of the words of a text, as in ``Text``."""

    @property
    def occurrences(self) -> Mapping[str, Sequence[int]]:
        """The occurrences of each form, as ``position << 4 | span``."""

    @property
    def vocabulary(self) -> Sequence[str]:
        """All forms, sorted."""


def find_positions(text: Positions, query: Phrase | Prefix) -> list[_Range]:
    """Return the first position of each match, and the position after its last word."""
    if isinstance(query, Prefix):
        return _find_phrase(text, (_expand_prefix(query.unit, text),), 0)
    units = query.units
    if len(units) == 1 == len(units[0]):
        return _find_word(text, find_query_forms(units[0][0]))
    if query.near or max(map(len, units)) > 1:
        return _find_phrase(text, tuple(map(map_wanted_forms, units)), query.near)
    return _find_sequence(text, collect_required_forms(units))


# --- forms of a word ------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 14)
def map_wanted_forms(unit: Unit) -> Mapping[_Range, _Forms]:
    """Return the forms that a word of a query asks for, by run of its parts: ``multi-modal`` as one word and as two."""
    return {
        (start, end): find_query_forms(_join_parts(unit, start, end))
        for start, end in _iter_ranges(len(unit))
    }


@lru_cache(maxsize=1 << 12)
def map_prefixes(unit: Unit) -> Mapping[_Range, _Forms]:
    """Return the prefixes that a query asks for, by run of parts that ends with the incomplete part."""
    return {
        (start, end): find_query_prefixes(_join_parts(unit, start, end))
        for start, end in _iter_ranges(len(unit))
        if end == len(unit)
    }


def _iter_ranges(size: int) -> Iterator[_Range]:
    for start in range(size):
        for end in range(start + 1, min(size, start + MAX_COMPOUND_PARTS) + 1):
            yield start, end


def _join_parts(unit: Unit, start: int, end: int) -> str:
    return unit[start] if end - start == 1 else join_parts(unit[start:end])


_Word = Mapping[_Range, Collection[str]]
"""A word of a phrase: the forms that it asks for, by run of its parts that may be one word of a text."""


@lru_cache(maxsize=1 << 14)
def collect_required_forms(units: tuple[Unit, ...]) -> tuple[_Forms, ...]:
    """Return the forms of each word of a phrase; a matching text has at least one form of each word."""
    return tuple([frozenset[str]().union(*map_wanted_forms(unit).values()) for unit in units])


def _expand_prefix(unit: Unit, text: Positions) -> _Word:
    """Return the word of a phrase that a prefix stands for in a text: all its forms that begin with it."""
    forms_by_range: dict[_Range, Collection[str]] = {
        part_range: forms for part_range, forms in map_wanted_forms(unit).items() if part_range[1] < len(unit)
    }
    vocabulary = text.vocabulary
    for part_range, prefixes in map_prefixes(unit).items():
        forms_by_range[part_range] = {
            form
            for prefix in prefixes
            for form in vocabulary[
                bisect_left(vocabulary, prefix) : bisect_left(vocabulary, prefix + _MAX_CHARACTER)
            ]
        }
    return forms_by_range


# --- phrases --------------------------------------------------------------------------------------

_MAX_CHARACTER = "\U0010ffff"
"""The highest code point: appended to a prefix, it sorts after all words with this prefix."""
_PartialMatches = dict[int, tuple[int, int]]
"""By position: the minimum number of other words in between, and minus the start; the lesser pair is the better match."""
_SPAN_MASK = (1 << SPAN_BITS) - 1


def _find_word(text: Positions, forms: _Forms) -> list[_Range]:
    """Find the matches of a single word of one part, the most frequent kind of query."""
    occurrences = text.occurrences
    word_occurrences = [occurrence for form in forms for occurrence in occurrences.get(form, ())]
    if len(word_occurrences) == 1:
        first = word_occurrences[0] >> SPAN_BITS
        return [(first, first + (word_occurrences[0] & _SPAN_MASK))]
    if {occurrence & _SPAN_MASK for occurrence in word_occurrences} == {1}:
        return [
            (occurrence >> SPAN_BITS, (occurrence >> SPAN_BITS) + 1)
            for occurrence in sorted(set(word_occurrences))
        ]
    return _find_sequence(text, (forms,))


def _find_sequence(text: Positions, words: Sequence[_Forms]) -> list[_Range]:
    """Find the matches of adjacent words that have one part each."""
    occurrences = text.occurrences
    starts_by_end: dict[int, int] = {}  # by the position after the last word: the latest possible start
    for index, forms in enumerate(words):
        previous_starts, starts_by_end = starts_by_end, {}
        for form in forms:
            for occurrence in occurrences.get(form, ()):
                position = occurrence >> SPAN_BITS
                start = previous_starts.get(position, -1) if index else position
                end = position + (occurrence & _SPAN_MASK)
                if start > starts_by_end.get(end, -1):
                    starts_by_end[end] = start
        if not starts_by_end:
            return []
    if len(starts_by_end) == 1:
        return [(start, end) for end, start in starts_by_end.items()]
    return _select_longest((end, start) for end, start in sorted(starts_by_end.items()))


def _select_longest(ends_and_starts: Iterable[tuple[int, int]]) -> list[_Range]:
    """Return the longest match for each start; the matches must be in the order of their ends."""
    ends_by_start = {start: end for end, start in ends_and_starts}
    return sorted(ends_by_start.items())


def _find_phrase(text: Positions, words: Sequence[_Word], near: int) -> list[_Range]:
    """Find the matches of a phrase of any words."""
    partial_matches: _PartialMatches = {position: (0, -position) for position in _iter_starts(text, words[0])}
    for index, word in enumerate(words):
        if not partial_matches:
            return []
        if index and near:
            partial_matches = _advance_over_gap(partial_matches, near, sorted(set(_iter_starts(text, word))))
        partial_matches = _advance_over_word(text, word, partial_matches)
    return _select_longest((end, -start) for end, (_, start) in sorted(partial_matches.items()))


def _iter_starts(text: Positions, word: _Word) -> Iterator[int]:
    """Yield the positions where a word may begin."""
    for (start, _), forms in word.items():
        if not start:
            for form in forms:
                for occurrence in text.occurrences.get(form, ()):
                    yield occurrence >> SPAN_BITS


def _advance_over_gap(partial_matches: _PartialMatches, near: int, starts: Sequence[int]) -> _PartialMatches:
    """Advance partial matches to the positions where the next word may begin and that are near enough.

    Only the best partial match so far is carried on, so each position is visited once. ``starts`` must be in
    order.
    """
    spread_matches: _PartialMatches = {}
    waiting = sorted(partial_matches.items(), reverse=True)
    gap, negative_start, last_position = near + 1, 0, 0
    for start in starts:
        while waiting and waiting[-1][0] <= start:
            position, partial_match = waiting.pop()
            gap, negative_start = min((gap + position - last_position, negative_start), partial_match)
            last_position = position
        if gap + start - last_position <= near:
            spread_matches[start] = gap + start - last_position, negative_start
    return spread_matches


def _advance_over_word(text: Positions, word: _Word, starts: _PartialMatches) -> _PartialMatches:
    """Advance partial matches over a word, which may be printed split, joined, or partly joined."""
    size = max(end for _, end in word)
    matches_by_part: list[_PartialMatches] = [starts, *({} for _ in range(size))]
    for (start, end), forms in word.items():
        source, target = matches_by_part[start], matches_by_part[end]
        if not source:
            continue
        for form in forms:
            for occurrence in text.occurrences.get(form, ()):
                partial_match = source.get(occurrence >> SPAN_BITS)
                if partial_match is not None:
                    position_after = (occurrence >> SPAN_BITS) + (occurrence & _SPAN_MASK)
                    target[position_after] = min(partial_match, target.get(position_after, partial_match))
    return matches_by_part[size]


# --- exact spellings ------------------------------------------------------------------------------


def find_spellings(text: Text, spelling: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each occurrence of an exact spelling in a text.

    Only whole words count: ``RAG`` occurs in RAG-based, but neither in RAGs nor in RAG's.
    """
    plain_text = normalize_stars(text.text) if "*" in spelling else text.text
    index = plain_text.find(spelling)
    if index < 0:
        return
    first_part_start, last_part_end = _get_part_range(spelling)
    edges = _PartEdges(plain_text)
    while index >= 0:
        if edges.is_start(index + first_part_start) and edges.is_end(index + last_part_end):
            yield index, index + len(spelling)
        index = plain_text.find(spelling, index + 1)


class _PartEdges:
    """The starts and ends of the parts of a text; each piece between two blanks is tokenized when it is first needed."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._pieces: dict[int, tuple[int, frozenset[int], frozenset[int]]] = {}
        """By start of a piece between two blanks: its end, and the starts and the ends of its parts."""
        self._last_range = 0, 0

    def is_start(self, index: int) -> bool:
        """Whether a part starts at an index."""
        return index in self._get_piece(index)[1]

    def is_end(self, index: int) -> bool:
        """Whether a part ends at an index."""
        return index in self._get_piece(index - 1)[2]

    def _get_piece(self, index: int) -> tuple[int, frozenset[int], frozenset[int]]:
        start, end = self._last_range
        if not start <= index < end:
            start = self._text.rfind(" ", 0, index) + 1
            if start not in self._pieces:
                self._pieces[start] = self._read_piece(start)
            self._last_range = start, self._pieces[start][0]
        return self._pieces[start]

    def _read_piece(self, start: int) -> tuple[int, frozenset[int], frozenset[int]]:
        end = self._text.find(" ", start)
        end = len(self._text) if end < 0 else end
        part_ranges = [
            (start + offset, start + offset + len(part))
            for offset, part, _ in scan_parts(self._text[start:end])
        ]
        return (
            end,
            frozenset(part_start for part_start, _ in part_ranges),
            frozenset(part_end for _, part_end in part_ranges),
        )


@lru_cache(maxsize=1 << 12)
def _get_part_range(spelling: str) -> tuple[int, int]:
    part_list = list(iter_parts(spelling))
    return part_list[0].start, part_list[-1].end
