"""Kinds of tokens of the follow language."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class TokenKind(StrEnum):
    """What a token is; the grammar's names."""

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
"""Kinds of tokens that ask for something."""


class Token(NamedTuple):
    """A sign of a query.

    Attributes:
        value: as typed; of a phrase without its quotes, of a field without its colon, of an exact spelling
            without its ``=`` and quotes, of a beginning without its ``*``, of nearness the number.
        position: where it starts, in characters from 0.
    """

    kind: TokenKind
    value: str
    position: int
