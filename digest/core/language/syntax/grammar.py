"""The grammar of the follow language: how words, phrases and fields are joined by operators and brackets."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from digest.core.language.syntax.kinds import Kind, Token
from digest.core.language.syntax.tokens import tokens
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


def tree_of(text: str) -> Tree[Any]:
    """The structure of a query: rows of terms joined by AND, and these by OR.

    A term is a leaf or a tree: ``either`` (brackets), ``fielded`` (a FIELD and its value), ``excluded``,
    ``near`` (a PHRASE and a NEAR). Leaves have ``start_pos``.

    Raises:
        QueryError: a quote, a bracket or an operator has no partner, a sign stands where it says nothing, a
            field is unknown, or the query is too long.
    """
    from lark import UnexpectedToken

    found = tokens(text)
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
