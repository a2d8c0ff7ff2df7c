"""Kinds of tokens of the follow language."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class TokenKind(StrEnum):
    """Kinds of tokens, with the names that the grammar uses."""

    WORD = "WORD"
    PHRASE = "PHRASE"
    NEAR = "NEAR"
    EXACT = "EXACT"
    BEGINNING = "BEGINNING"
    VALUE = "VALUE"
    PERSON = "PERSON"
    FIELD = "FIELD"
    AND = "_AND"
    OR = "_OR"
    NOT = "_NOT"
    OPEN = "_OPEN"
    CLOSE = "_CLOSE"


TERM_KINDS = frozenset(
    {
        TokenKind.WORD,
        TokenKind.PHRASE,
        TokenKind.EXACT,
        TokenKind.BEGINNING,
        TokenKind.VALUE,
        TokenKind.PERSON,
    }
)
"""Kinds of tokens that are terms: they have something to look for."""


class Token(NamedTuple):
    """A token of a query.

    Attributes:
        value: as typed, but a phrase without its quotes, a field without its colon, an exact spelling without
            its ``=`` and quotes, and a prefix without its ``*``; for nearness, the number.
        position: where it starts, in characters from 0.
    """

    kind: TokenKind
    value: str
    position: int
