"""Brackets in a query: which pairs they form, and whether they belong to the query or to a word."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from operator import attrgetter

from digest.core.language.quotes import QUOTES, Passage
from digest.core.language.syntax.signs import DASHES

_QUERY_SYNTAX = re.compile(
    rf"[{QUOTES}*~|]|(?<!\w)(?:AND|OR|NOT|ANDNOT)(?!\w)"
    rf"|(?:^|(?<=[\s(]))(?:[{DASHES}][^\W\d_]{{2}}|=|[A-Za-z][\w-]*:)"
)
"""Text in brackets right after a word that makes them part of the query, not of the word."""
_BETWEEN_WORDS = re.compile(r"[\s,;()]+")
_PLAIN_WORD = re.compile(r"[^\W\d_]{2,}(?:[-\u2010\u2011][^\W\d_]+)*")
_BRACKET = re.compile(r"[()]")


def find_closing_brackets(text: str) -> dict[int, int]:
    """Return the position of the closing bracket by that of its opening bracket; unpaired ones are left out."""
    opening_positions: list[int] = []
    closings: dict[int, int] = {}
    for bracket in _BRACKET.finditer(text):
        if bracket[0] == "(":
            opening_positions.append(bracket.start())
        elif opening_positions:
            closings[opening_positions.pop()] = bracket.start()
    return closings


@dataclass(frozen=True, slots=True)
class Brackets:
    """The brackets of a query.

    Attributes:
        text: the query.
        closings: position of the closing bracket by that of its opening bracket; unpaired ones are left out.
        passages: texts between marks that are not quotes, in order.
    """

    text: str
    closings: Mapping[int, int]
    passages: tuple[Passage, ...]

    def is_group(self, start: int, bracket_text: str) -> bool:
        """Whether brackets may be part of the query: around words only, around a passage, or directly around brackets.

        Of 168,546 titles, none has brackets directly around brackets before a dash, and none has a compound
        of letters.
        """
        inner_start = self.text.index("(", start + 1) if bracket_text.lstrip().startswith("(") else start
        if (
            inner_start > start
            and not self.text[self.closings[inner_start] + 1 : self.closings[start]].strip()
        ):
            return True
        passage_index = bisect_right(self.passages, start, key=attrgetter("start"))
        if passage_index < len(self.passages) and self.passages[passage_index].end <= self.closings[start]:
            return True
        words = [word for word in _BETWEEN_WORDS.split(bracket_text) if word]
        return bool(words) and all(map(_PLAIN_WORD.fullmatch, words))

    def get_inner_text(self, start: int) -> str:
        """Return the text in brackets that belong to a word; "" if they are part of the query, or empty."""
        inner = self.text[start + 1 : self.closings.get(start, start)]
        return "" if inner.isspace() or _QUERY_SYNTAX.search(inner) else inner
