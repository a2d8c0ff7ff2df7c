"""Operators of the follow language: words in capitals, and combinations with signs of other search languages."""

from __future__ import annotations

import re

from digest.core.language.quotes import QUOTES
from digest.core.language.syntax.fields import FIELDS
from digest.core.language.syntax.kinds import TokenKind
from digest.core.language.syntax.signs import DASHES
from digest.core.text.scripts import CJK
from digest.core.text.tex import tex_to_unicode

OPERATORS = {
    "AND": (TokenKind.AND,),
    "OR": (TokenKind.OR,),
    "NOT": (TokenKind.NOT,),
    "ANDNOT": (TokenKind.AND, TokenKind.NOT),
}
"""Kinds of tokens for each operator."""

_WORD = "(?:ANDNOT|AND|OR|NOT)"
_FIELD = rf"(?i:{'|'.join(FIELDS)}):"
_BOUNDARY = rf"(?:(?=[{DASHES}\s(){QUOTES}!&|+=])|\Z)"
_AND_OR_SYMBOL = rf"(?=[&+!]*(?:&&|\|))[&|+!]+(?:(?=[{DASHES}\s({QUOTES}=]|[^\W_])|\Z)"
"""Signs that mean AND or OR elsewhere; before other signs they belong to mathematics, as in |f(x)|²."""
_EXCLUSION_SYMBOL = rf"[&+]+[{DASHES}!]|!+(?=[{DASHES}\w({QUOTES}=])"
_NEXT_PART = re.compile(rf"{_WORD}{_BOUNDARY}|{_FIELD}|{_AND_OR_SYMBOL}|{_EXCLUSION_SYMBOL}")
_BEFORE_PART = re.compile(rf"[&|+!]+(?={_WORD}{_BOUNDARY}|{_FIELD}|=[\w{QUOTES}])")
_WITH_EXCLUSION = re.compile(rf"(?:{_WORD}[&|+!=]*|[&|+!]+)[{DASHES}]|(?:{_WORD}[&|+=]*|[&|+!]*[&|+])!")
_SYMBOLS = re.compile(r"[&|+!]+")
_LOST_OPERATOR = re.compile(
    rf"(?:(?<![{DASHES}\w/])|(?<=[{CJK}])){_WORD}(?:(?![{DASHES}\w/])|(?=[{CJK}]))"
    rf"|(?<=[\w)]{{2}}[{DASHES}]){_WORD}\Z"
    r"|(?<=\))(?:andnot|and|or|not)(?!\w)"
    r"|(?<=\w)&&(?=\w)"
)


def is_next_part(text: str, position: int) -> bool:
    """Whether an operator or a field follows a closing bracket, as in ``(a)NOT b``, so that the word ends there.

    Args:
        text: the whole query.
        position: position after the bracket.
    """
    return _NEXT_PART.match(text, position) is not None


def find_symbols_end(run: str) -> int:
    """Return where ``&&``, ``+`` and the like end before an operator, a field or ``=``, as in ``+title:a``; else 0.

    Args:
        run: signs without a blank.
    """
    match = _BEFORE_PART.match(run)
    return match.end() if match else 0


def find_exclusion_sign(run: str) -> int:
    """Return the position of a minus or ``!`` between an operator and a word, as in ``AND-survey``; else 0.

    Args:
        run: signs without a blank.
    """
    match = _WITH_EXCLUSION.match(run)
    return match.end() - 1 if match else 0


def format_exclusion(operator: str, operand: str) -> str:
    """Format an exclusion after an operator, as it should be typed.

    Args:
        operator: as typed, with the signs after it; ``!`` and ``+`` alone need no word.
        operand: what is to be excluded.
    """
    word = operator.rstrip("&|+!=")
    if word.endswith("NOT"):
        return f"{word} {operand}"
    if not word:
        word = "OR" if "|" in operator else "AND" if "&" in operator else ""
    return f"{word} -{operand}".lstrip()


def is_symbol_run(run: str) -> bool:
    """Whether a text consists only of operators of other search languages, such as ``&&``."""
    return _SYMBOLS.fullmatch(run) is not None


def make_operator_hint(run: str) -> str | None:
    """Return a hint that an operator within a word was read as text; None if there is no such operator.

    Names may have an operator before or after a slash or hyphen, as in AND/OR, and get no hint; but a hyphen
    before an operator at the end may be a minus.
    """
    if not _LOST_OPERATOR.search(run):
        return None
    match = _LOST_OPERATOR.search(tex_to_unicode(run))  # TH\"OR is a name
    if not match:
        return None
    return f"{match[0]} in {run} was read as text; write an operator in capitals, with a space on both sides."
