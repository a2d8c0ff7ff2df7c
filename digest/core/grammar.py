"""The grammar of the follow language: words, phrases in quotes, fields, operators and brackets.

What a reader types is full of signs that mean nothing here or something else elsewhere. Each is either text,
or an error at its place that says what to write: none is quietly read as something else.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from digest.errors import QueryError

if TYPE_CHECKING:
    from lark import Lark, Tree

MAX_LENGTH = 2_000
"""In characters."""
MAX_TERMS = 200
"""Words and phrases."""
MAX_WORDS = 50
"""Of a phrase."""
MAX_DEPTH = 20
"""Of brackets within brackets."""

FIELDS = {
    "title": "title",
    "ti": "title",
    "abstract": "abstract",
    "abs": "abstract",
    "author": "author",
    "au": "author",
    "category": "category",
    "cat": "category",
}
"""The fields as they may be written, and what each is called."""
_LATER = frozenset(
    {
        "primary",
        "comment",
        "co",
        "journal",
        "jr",
        "institution",
        "doi",
        "id",
        "source",
        "kind",
        "has",
        "cites",
    }
    | {"orcid", "openalex", "s2", "dblp", "arxiv"}
)
_DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212"


class Kind(StrEnum):
    """What a token is; the grammar's names."""

    WORD = "WORD"
    PHRASE = "PHRASE"
    FIELD = "FIELD"
    AND = "_AND"
    OR = "_OR"
    NOT = "_NOT"
    OPEN = "_OPEN"
    CLOSE = "_CLOSE"


class Token(NamedTuple):
    """A sign of a query.

    Attributes:
        value: as typed; of a phrase without its quotes, of a field without its colon.
        position: where it starts, in characters from 0.
    """

    kind: Kind
    value: str
    position: int


_OPERATORS = {
    "AND": (Kind.AND,),
    "OR": (Kind.OR,),
    "NOT": (Kind.NOT,),
    "ANDNOT": (Kind.AND, Kind.NOT),
}
_SIGN = re.compile(
    r"""(?P<phrase>["“”„‟](?P<inner>(?:\\"(?=[A-Za-z{\\])|[^"“”„‟])*)(?P<end>["“”„‟]?))
      | (?P<open>\() | (?P<close>\))
      | (?P<run>(?:\\"(?=[A-Za-z{\\])|[^\s()"“”„‟])+)  # \"o is TeX for ö
    """,
    re.VERBOSE,
)
_FIELD = re.compile(r"([A-Za-z][A-Za-z0-9_]*):")
LABEL = re.compile(r"[A-Za-z][A-Za-z0-9_]*:")
"""A word that looks like a field and is none, because a blank follows."""


# --- the tree -------------------------------------------------------------------------------------

_GRAMMAR = """
    either: joined (_OR joined)*
    joined: row (_AND row)*
    row: term+
    ?term: value | _NOT value -> excluded
    ?value: leaf | FIELD leaf -> fielded
    ?leaf: WORD | PHRASE | _OPEN either _CLOSE
    %declare WORD PHRASE FIELD _AND _OR _NOT _OPEN _CLOSE
"""


def tree_of(text: str) -> Tree[Any]:
    """The structure of a query: rows of terms joined by AND, and these by OR.

    A term is a WORD, a PHRASE or a tree: ``either`` (brackets), ``fielded`` (a FIELD and its value),
    ``excluded``. Leaves have ``start_pos``.

    Raises:
        QueryError: a quote, a bracket or an operator has no partner, a sign stands where it says nothing, a
            field is unknown, or the query is too long.
    """
    from lark import UnexpectedToken

    found = _checked(text)
    try:
        return _parser().parse(found)
    except UnexpectedToken as error:
        at = error.token.start_pos if error.token.type != "$END" else None
        index = next((i for i, token in enumerate(found) if token.position == at), len(found))
        raise _explained(found, index, text) from None


@cache
def _parser() -> Lark:
    from lark import Lark
    from lark.lexer import Lexer
    from lark.lexer import Token as Leaf

    class Taken(Lexer):
        """Hands on tokens that are there already."""

        def __init__(self, _: object) -> None:
            pass

        def lex(self, found: Any) -> Iterator[Leaf]:  # type: ignore[override]
            yield from (Leaf(token.kind, token.value, start_pos=token.position) for token in found)

    return Lark(_GRAMMAR, start="either", parser="lalr", lexer=Taken)


def _explained(found: list[Token], index: int, text: str) -> QueryError:
    """What is wrong with the token that the grammar did not expect."""
    here = found[index] if index < len(found) else None
    before = found[index - 1] if index else None
    if before is None and here is None:
        return QueryError("There is nothing to look for in this query: write a word.", text, 0)
    if here is None or here.kind is Kind.CLOSE:
        if before is not None and before.kind is not Kind.OPEN:
            return QueryError(f"There is nothing behind {before.value}.", text, before.position)
        return QueryError("There is nothing in these brackets.", text, before.position if before else 0)
    if before is not None and before.kind is Kind.FIELD:
        if here.kind is Kind.FIELD:
            message = f"A field cannot stand within a field: {here.value}: is within {before.value}:."
        elif here.kind is Kind.NOT:
            message = f"Write the {here.value} before the field: -{before.value}:word."
        else:
            message = (
                f"{before.value}: needs a word, a phrase or a bracket; quote {here.value} if it is text."
            )
        return QueryError(message, text, here.position)
    if here.kind is Kind.NOT:
        return QueryError("NOT stands here twice: write it once.", text, here.position)
    message = f"There is nothing before {here.value} for it to join; put it in quotes if it is text."
    return QueryError(message, text, here.position)


# --- the tokens -----------------------------------------------------------------------------------


def _checked(text: str) -> list[Token]:
    if len(text) > MAX_LENGTH:
        message = f"A query has at most {MAX_LENGTH:,} characters, this has {len(text):,}: make several follows of it."
        raise QueryError(message, text, MAX_LENGTH)
    found = []
    terms = 0
    for token in _tokens(text):
        terms += token.kind in {Kind.WORD, Kind.PHRASE}
        if terms > MAX_TERMS:
            message = f"A query has at most {MAX_TERMS} words and phrases: make several follows of it."
            raise QueryError(message, text, token.position)
        found.append(token)
    _check_brackets(found, text)
    return found


def _tokens(text: str) -> Iterator[Token]:
    for sign in _SIGN.finditer(text):
        start = sign.start()
        if sign["open"]:
            yield Token(Kind.OPEN, "(", start)
        elif sign["close"]:
            yield Token(Kind.CLOSE, ")", start)
        elif sign["run"]:
            yield from _run(sign["run"], start, text)
        elif not sign["end"]:
            raise QueryError("This quote is not closed: put another one where the phrase ends.", text, start)
        else:
            yield Token(Kind.PHRASE, sign["inner"], start)
            if text[sign.end() : sign.end() + 1] == "~":
                _not_yet("words near each other (~)", text, sign.end())


def _check_brackets(found: list[Token], text: str) -> None:
    opened: list[int] = []
    for token in found:
        if token.kind is Kind.OPEN:
            opened.append(token.position)
            if len(opened) > MAX_DEPTH:
                message = f"Brackets stand at most {MAX_DEPTH} deep in each other."
                raise QueryError(message, text, token.position)
        elif token.kind is Kind.CLOSE:
            if not opened:
                raise QueryError(
                    "This bracket closes none that is open; put it in quotes if it is text.",
                    text,
                    token.position,
                )
            opened.pop()
    if opened:
        raise QueryError("This bracket is not closed; put it in quotes if it is text.", text, opened[-1])


def _run(run: str, start: int, text: str) -> Iterator[Token]:
    """What stands between blanks, brackets and quotes."""
    before = text[start - 1] if start else " "
    if run[0] in _DASHES and (before.isspace() or before == "("):
        _check_dash(run, start, text)
        yield Token(Kind.NOT, "-", start)
        run, start = run[1:], start + 1
    in_category = False
    while (field := _FIELD.match(run)) and _is_field(field[1], start, text):
        yield Token(Kind.FIELD, field[1], start)
        in_category = FIELDS[field[1].lower()] == "category"
        run, start = run[field.end() :], start + field.end()
    if not run:
        return
    if run in _OPERATORS:
        yield from (Token(kind, run, start) for kind in _OPERATORS[run])
        return
    _check_word(run, start, text, stars=in_category)
    yield Token(Kind.WORD, run, start)


def _check_dash(run: str, start: int, text: str) -> None:
    behind = text[start + 1 : start + 2]
    if run[0] == "-" and behind and (behind.isalnum() or behind in '"“”„‟(=$\\'):
        return
    if run[0] == "-" and not (behind and behind in _DASHES):
        message = (
            "This - says nothing here. Write -word to leave out what has a word, or put the dash in quotes."
        )
    else:
        message = "This dash says nothing here. Write -word, with one plain hyphen, to leave out what has a word, or put the dash in quotes."
    raise QueryError(message, text, start)


def _is_field(name: str, start: int, text: str) -> bool:
    """Whether a word with a colon is a field; False for one in a title, which has a blank behind it."""
    text_too = "If the colon is text, put it in quotes."
    known = name.lower()
    behind = text[start + len(name) + 1 : start + len(name) + 2]
    alone = not behind or behind.isspace() or behind == ")"
    if known in FIELDS and alone:
        message = (
            f"{name}: needs its word, phrase or bracket right behind it; if it is text, put it in quotes."
        )
    elif known in FIELDS:
        return True
    elif alone:
        return False
    elif known in _LATER:
        message = f"{name}: is not there yet. There are title:, abstract:, author: and category:. {text_too}"
    elif known == "all":
        message = f"all: is no field: write the words without it, they are looked for in title and abstract. {text_too}"
    else:
        close = difflib.get_close_matches(known, FIELDS, n=1)
        meant = f"Did you mean {close[0]}:? " if close else ""
        message = f"There is no field {name}:. {meant}{text_too}"
    raise QueryError(message, text, start)


def _check_word(run: str, start: int, text: str, *, stars: bool) -> None:
    if run[0] == "=":
        _not_yet("an exact spelling (=)", text, start)
    if "*" in run and not stars:
        _not_yet("any ending (*)", text, start + run.index("*"))
    if near := re.search(r"\w~\d", run):
        _not_yet("words near each other (~)", text, start + near.start() + 1)
    if run[0] == "!" and run.strip("!"):
        raise QueryError(
            "! says nothing here. Write -word to leave out what has a word, or put it in quotes.", text, start
        )
    if run[0] in _DASHES and start and text[start - 1] == ":":
        raise QueryError("Write the - before the field: -title:word.", text, start)


def _not_yet(what: str, text: str, position: int) -> NoReturn:
    message = f"Asking for {what} is not there yet; if the sign is text, put it in quotes."
    raise QueryError(message, text, position)
