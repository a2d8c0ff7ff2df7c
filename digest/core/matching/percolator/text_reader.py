"""Reading of texts for one query: only the words that it asks for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from digest.core.language.query import Exact, Phrase, Prefix, TextQuery
from digest.core.matching.percolator.prefilter import build_word_test
from digest.core.matching.positions import (
    collect_required_forms,
    find_positions,
    find_spellings,
    map_prefixes,
    map_wanted_forms,
)
from digest.core.papers.document import LINE_BREAK, LINE_GAP, SPAN_BITS, Text
from digest.core.text.words import SURROUNDING_SIGNS, find_forms, fold_letters, split_piece


class TextReader:
    """Reader of texts for one query; its results for pieces are cached for all texts.

    Args:
        query: the query.
    """

    def __init__(self, query: TextQuery) -> None:
        self._query = query

    @cached_property
    def _piece_cache(self) -> PieceCache:
        return PieceCache([self._query])

    def has_match(self, text: Text) -> bool:
        """Whether the query matches a text."""
        if isinstance(self._query, Exact):
            return any(find_spellings(text, self._query.text))
        return bool(find_positions(self._piece_cache.read_positions(text), self._query))


class _WantedPositions:
    """Positions of the wanted words of a text."""

    def __init__(self, occurrences: Mapping[str, Sequence[int]]) -> None:
        self.occurrences = occurrences

    @property
    def vocabulary(self) -> Sequence[str]:
        return sorted(self.occurrences)


_PieceForms = Sequence[tuple[str, int]]
"""The wanted words of a piece as in ``Text.occurrences``: a form, and its position in the piece and span."""


class PieceCache(dict[str, tuple[int, _PieceForms]]):
    """Cache by piece, the text between two blanks: its number of parts, and the wanted words in it.

    Most pieces recur, and most have no wanted word, as their letters show: reading a text like this takes a
    tenth of the time of reading all its words.

    Args:
        queries: the queries whose words are wanted; exact spellings need none.
    """

    def __init__(self, queries: Iterable[TextQuery]) -> None:
        super().__init__({LINE_BREAK: (LINE_GAP, ())})
        wanted_forms: set[str] = set()
        prefixes: set[str] = set()
        for query in queries:
            match query:
                case Phrase():
                    wanted_forms.update(*collect_required_forms(query.units))
                case Prefix():
                    for (_, end), forms in map_wanted_forms(query.unit).items():
                        if end < len(query.unit):
                            wanted_forms |= forms
                    prefixes.update(*map_prefixes(query.unit).values())
        self._wanted_forms = frozenset(wanted_forms)
        self._prefixes = tuple(sorted(prefixes))
        self._may_contain = build_word_test(self._wanted_forms, self._prefixes)

    def read_positions(self, text: Text) -> _WantedPositions:
        """Return the positions of the wanted words of a text."""
        occurrences: dict[str, list[int]] = {}
        position = 0
        for part_count, piece_forms in map(self.__getitem__, text.split_pieces()):
            for form, offset in piece_forms:
                occurrences.setdefault(form, []).append((position << SPAN_BITS) + offset)
            position += part_count
        return _WantedPositions(occurrences)

    def __missing__(self, printed: str) -> tuple[int, _PieceForms]:
        stripped = printed.strip(SURROUNDING_SIGNS)
        if stripped.isascii() and stripped.isalnum():
            piece_entry = (
                1,
                self._find_wanted_forms((stripped,), ()) if self._may_contain(stripped.lower()) else (),
            )
        else:
            printed_parts, compounds = split_piece(stripped)
            piece_entry = (
                len(printed_parts),
                self._find_wanted_forms(printed_parts, compounds)
                if self._may_contain(fold_letters(stripped))
                else (),
            )
        self[printed] = piece_entry
        return piece_entry

    def _find_wanted_forms(
        self, printed_parts: Sequence[str], compounds: Iterable[tuple[int, int, str]]
    ) -> _PieceForms:
        return [
            (form, first << SPAN_BITS | span)
            for first, span, word in (
                *((index, 1, part) for index, part in enumerate(printed_parts)),
                *compounds,
            )
            for form in find_forms(word)
            if form in self._wanted_forms or form.startswith(self._prefixes)
        ]
