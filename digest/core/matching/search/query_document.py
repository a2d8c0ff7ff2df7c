"""Documents of which only the words of one query are read, for evaluating that query.

A search evaluates some twenty papers for a page. To read all their words takes most of its time; to read the words that
the query asks for takes a fifth of that, and gives the same result (``digest.core.matching.evaluate``).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from digest.core.language.query import And, Exact, Not, Or, Phrase, Prefix, Query, TextQuery
from digest.core.matching.percolator.text_reader import PieceCache
from digest.core.papers.document import LINE_GAP, SPAN_BITS, PaperDocument, Text
from digest.core.text.words import scan_parts

_FIELDS = ("", "title", "abstract")
"""The texts that are read in part; the others are short, and few queries ask for them."""
_PIECE = re.compile(r"\S+")


class QueryDocumentReader:
    """Reader of documents for one query; its results for pieces of texts are cached for all documents.

    Args:
        query: the query.
    """

    def __init__(self, query: Query) -> None:
        self._pieces = PieceCache(_list_text_queries(query))

    def read(self, document: PaperDocument) -> PaperDocument:
        """Return a document with only the wanted words of title and abstract."""
        texts = {
            field: _QueryText(source_lines=text.source_lines, complete_text=text, pieces=self._pieces)
            for field in _FIELDS
            for text in (document.texts[field],)
        }
        return replace(document, texts={**document.texts, **texts})


def _list_text_queries(query: Query) -> list[TextQuery]:
    match query:
        case And() | Or():
            return [leaf for part in query.queries for leaf in _list_text_queries(part)]
        case Not():
            return _list_text_queries(query.query)
        case Phrase() | Exact() | Prefix():
            return [query]
        case _:
            return []


@dataclass(frozen=True, kw_only=True, eq=False)
class _QueryText(Text):
    """A text of which only the words of a query are read; the spans of other parts are 0.

    Attributes:
        complete_text: the whole text.
        pieces: the wanted words by piece of a text.
    """

    complete_text: Text
    pieces: PieceCache

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines as readable text."""
        return self.complete_text.lines

    @cached_property
    def _positions(self) -> tuple[Mapping[str, Sequence[int]], Sequence[int], Sequence[int]]:
        occurrences: defaultdict[str, list[int]] = defaultdict(list)
        wanted_spans: list[tuple[int, int, int]] = []
        position = offset = 0
        for line in self.lines:
            if offset:
                position += LINE_GAP
            for piece in _PIECE.finditer(line):
                printed = piece[0]
                part_count, forms = self.pieces[printed]
                if forms:
                    for form, occurrence in forms:
                        occurrences[form].append((position << SPAN_BITS) + occurrence)
                    piece_start = offset + piece.start()
                    for number, (start, part, _) in enumerate(scan_parts(printed), position):
                        wanted_spans.append((number, piece_start + start, piece_start + start + len(part)))
                position += part_count
            offset += len(line) + 1
        starts, ends = [0] * position, [0] * position
        for number, start, end in wanted_spans:
            starts[number], ends[number] = start, end
        return dict(occurrences), starts, ends
