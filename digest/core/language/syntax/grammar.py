"""The grammar of the follow language: how operators and brackets join words, phrases and fields."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from digest.core.language.syntax.kinds import Token, TokenKind
from digest.core.language.syntax.tokens import tokenize
from digest.errors import QueryError

if TYPE_CHECKING:
    from lark import Lark, Tree

_GRAMMAR = """
    either: joined (_OR joined)*
    joined: row (_AND row)*
    row: term+
    ?term: value | _NOT value -> excluded
    ?value: leaf | FIELD leaf -> fielded
    ?leaf: WORD | PHRASE | PHRASE NEAR -> near | EXACT | BEGINNING | VALUE | PERSON | _OPEN either _CLOSE
    %declare WORD PHRASE NEAR EXACT BEGINNING VALUE PERSON FIELD _AND _OR _NOT _OPEN _CLOSE
"""


def parse_tree(text: str) -> Tree[Any]:
    """Return the tree of a query: sequences of terms joined by AND, and these by OR.

    A term is a leaf or a tree: ``either`` (brackets), ``fielded`` (a FIELD and its value), ``excluded``, or
    ``near`` (a PHRASE and a NEAR). Leaves have ``start_pos``.

    Raises:
        QueryError: a quote, bracket or operator has no partner, a sign has no meaning at its position, a
            field is unknown, or the query is too long.
    """
    from lark import UnexpectedToken

    token_list = tokenize(text)
    try:
        return _build_parser().parse(token_list)
    except UnexpectedToken as error:
        position = error.token.start_pos if error.token.type != "$END" else None
        index = next(
            (candidate for candidate, token in enumerate(token_list) if token.position == position),
            len(token_list),
        )
        raise _make_error(token_list, index, text) from None


@cache
def _build_parser() -> Lark:
    from lark import Lark
    from lark.lexer import Lexer
    from lark.lexer import Token as Leaf

    class TokenLexer(Lexer):
        """A lexer that passes on tokens that exist already."""

        def __init__(self, _: object) -> None:
            pass

        def lex(self, token_list: Any) -> Iterator[Leaf]:  # type: ignore[override]
            yield from (Leaf(token.kind, token.value, start_pos=token.position) for token in token_list)

    return Lark(_GRAMMAR, start="either", parser="lalr", lexer=TokenLexer)


def _make_error(token_list: list[Token], index: int, text: str) -> QueryError:
    """Return the error for the token that the grammar did not expect."""
    token = token_list[index] if index < len(token_list) else None
    previous = token_list[index - 1] if index else None
    if previous is None and token is None:
        return QueryError("This query is empty; write a word.", text, 0)
    if token is None or token.kind is TokenKind.CLOSE:
        if previous is not None and previous.kind is not TokenKind.OPEN:
            return QueryError(f"There is nothing after {previous.value}.", text, previous.position)
        return QueryError("These brackets are empty.", text, previous.position if previous else 0)
    if previous is not None and previous.kind is TokenKind.FIELD:
        if token.kind is TokenKind.FIELD:
            message = f"A field cannot be inside another field: {token.value}: is inside {previous.value}:."
        elif token.kind is TokenKind.NOT:
            message = f"Write the {token.value} before the field: -{previous.value}:word."
        else:
            message = (
                f"{previous.value}: needs a word, a phrase or a bracket; quote {token.value} if it is text."
            )
        return QueryError(message, text, token.position)
    if token.kind is TokenKind.NOT:
        return QueryError("There is a double NOT here; write it once.", text, token.position)
    message = f"There is nothing before {token.value}; put it in quotes if it is text."
    return QueryError(message, text, token.position)
