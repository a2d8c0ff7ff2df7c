"""The parser of the follow language: it turns what readers type into a query.

The syntax is that of common search boxes: words, "phrases", fields, ``AND OR NOT ( )`` and ``-word``. Its
reference is ``docs/reference/follows.md``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NoReturn

from digest.core.language import ambiguous_names, terms
from digest.core.language.canonical import canonicalize_query, is_narrowed, is_positive
from digest.core.language.query import And, Not, Or, Query
from digest.core.language.quotes import QUOTES
from digest.core.language.syntax.fields import FIELDS
from digest.core.language.syntax.foreign_syntax import make_bracket_hint, make_quote_hint, make_word_hint
from digest.core.language.syntax.grammar import parse_tree
from digest.core.language.syntax.kinds import TokenKind
from digest.core.language.syntax.operators import make_operator_hint
from digest.core.language.syntax.tokens import FIELD_LABEL, MAX_LENGTH
from digest.core.papers.document import TEXT_FIELDS
from digest.errors import QueryError

if TYPE_CHECKING:
    from lark import Tree


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedQuery:
    """A parsed query.

    Attributes:
        query: in canonical form.
        typed_query: the same query in the order typed, with its brackets.
        hints: whole sentences about what may not have been meant.
    """

    query: Query
    typed_query: Query
    hints: tuple[str, ...] = ()

    @property
    def display_text(self) -> str:
        """The query as it was understood, for people."""
        return str(self.typed_query)


def parse(text: str) -> Query:
    """Return the query that a text means; ``parse(str(query)) == query``.

    Raises:
        QueryError: the text is not a valid query; says what is wrong, where, and what to write instead.
    """
    return parse_with_hints(text).query


def parse_with_hints(text: str) -> ParsedQuery:
    """Parse a query, and return it with hints about what may not have been meant.

    Raises:
        QueryError: the text is not a valid query; says what is wrong, where, and what to write instead.
    """
    builder = _QueryBuilder(text)
    tree = parse_tree(text)
    typed_query = builder.build(tree)
    if typed_query is None:
        raise QueryError("This query is empty; write a word.", text, 0)
    query = canonicalize_query(typed_query)
    if not is_positive(query):
        message = "This query only excludes papers, so it would match everything else; also write what to search for, on each side of OR."
        raise QueryError(message, text, _find_first_token(next(tree.find_data("excluded"))).start_pos)
    length = len(str(query).encode("utf-8", "surrogatepass"))
    if length > MAX_LENGTH:
        message = f"With the fields and operators of each word, this query has {length:,} bytes, but the limit is {MAX_LENGTH:,}; split it into several follows."
        raise QueryError(message, text, 0)
    if not is_narrowed(query):
        is_partly_narrowed = isinstance(query, Or) and any(map(is_narrowed, query.queries))
        builder.hints.append(
            f"{'One side of OR' if is_partly_narrowed else 'This'} matches everything there; add a word, a person or a category to narrow it down."
        )
    builder.hints += map(
        ambiguous_names.format_exclusion_hint, ambiguous_names.find_ineffective_exclusions(query)
    )
    return ParsedQuery(query=query, typed_query=typed_query, hints=tuple(dict.fromkeys(builder.hints)))


def reject_unstorable(text: str) -> None:
    """Refuse a query with characters that no stored text has and databases do not accept.

    Raises:
        QueryError: it contains NUL, or a surrogate, which stands for a byte that is not UTF-8.
    """
    if found := _UNSTORABLE.search(text):
        raise QueryError(
            "There is a character here that no text can contain; remove it.", text, found.start()
        )


_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


@dataclass(slots=True)
class _QueryBuilder:
    """Builder of a query from its tree, in the order typed; it distributes fields to the leaves.

    Attributes:
        partial_names: positions of names for which a hint already says that they are incomplete.
    """

    text: str
    hints: list[str] = field(default_factory=list)
    partial_names: set[int] = field(default_factory=set)

    def build(self, tree: Tree[Any], field: str = "") -> Query | None:
        """Build a query; return None if it contains nothing but signs.

        Args:
            tree: sequences of terms joined by AND, and these by OR.
            field: the field to which it belongs; "" for none.
        """
        queries = [self._build_and(child, field) for child in tree.children]
        if len(queries) == 1:
            return queries[0]
        return Or(
            queries=tuple(
                self._require_query(query, child, "OR")
                for query, child in zip(queries, tree.children, strict=True)
            )
        )

    def _build_and(self, tree: Tree[Any], field: str) -> Query | None:
        term_lists = [self._build_terms(child, field) for child in tree.children]
        for term_list, child in zip(term_lists, tree.children, strict=True):
            if len(term_lists) > 1:
                self._require_query(term_list[0] if term_list else None, child, "AND")
        queries = [query for term_list in term_lists for query in term_list]
        return And(queries=tuple(queries)) if len(queries) > 1 else queries[0] if queries else None

    def _build_terms(self, tree: Tree[Any], field: str) -> list[Query]:
        children = tree.children
        if field == "author":
            return list(self._build_authors(children))
        for child, following in pairwise(children):
            name, word = _get_field_and_word(child)
            if name in _NAME_FIELDS and getattr(following, "type", "") == TokenKind.WORD:
                self.partial_names.add(_find_first_token(child.children[1]).start_pos)
                self.hints.append(
                    f"{name}: applies to {word} only; {following} is searched in title and abstract."
                    f' For the whole name, write {name}:"{word} {following}".'
                )
        queries = (self._build_term(child, field) for child in children)
        return [query for query in queries if query is not None]

    def _build_authors(self, children: Iterable[Any]) -> Iterator[Query]:
        """Yield the persons in the brackets of an author field.

        Adjacent words are one name, and ids next to a name belong to that person.
        """
        names: list[Any] = []
        ids: list[Any] = []
        is_complete = False
        for child in [*children, None]:
            kind = getattr(child, "type", "")
            is_name_part = kind == TokenKind.WORD or (kind == TokenKind.PHRASE and not names)
            if not (kind == TokenKind.PERSON or (is_name_part and not is_complete)) and (names or ids):
                yield self._build_author(names, ids)
                names, ids = [], []
            if kind == TokenKind.PERSON:
                ids.append(child)
            elif kind in {TokenKind.WORD, TokenKind.PHRASE}:
                self._check_lowercase_operator(child)
                names.append(child)
            elif child is not None and (query := self._build_term(child, "author")):
                yield query
            is_complete = bool(names) and (
                bool(kind == TokenKind.PERSON) or names[-1].type == TokenKind.PHRASE
            )

    def _check_lowercase_operator(self, token: Any) -> None:
        if token.type == TokenKind.WORD and token.lower() in {"and", "or"}:
            message = f'There is a lower-case "{token}" in a name; write OR between two names, or AND if both are authors.'
            self._raise_error(message, token)

    def _build_term(self, child: Any, field: str) -> Query | None:
        kind = getattr(child, "data", "")
        if kind == "either":
            return self.build(child, field)
        if kind == "excluded":
            inner = child.children[0]
            return Not(query=self._require_query(self._build_term(inner, field), inner, "NOT"))
        if kind == "fielded":
            name, inner = child.children
            return self._build_fielded(name, inner, field)
        return None if not kind and self._is_ignored(child, field) else self._build_leaf(child, field)

    def _build_fielded(self, name: Any, inner: Any, outer_field: str) -> Query:
        if outer_field:
            self._raise_error(
                f"A field cannot be inside another field: {name}: is inside {outer_field}:.", name
            )
        field = FIELDS[name.lower()]
        if not field:
            self.hints.append(
                f"{name}: was ignored, because it is not a field; words without a field are searched in title and abstract, and persons are written author:Name."
            )
        is_tree = getattr(inner, "data", "") == "either"
        query = self.build(inner, field) if is_tree else self._build_leaf(inner, field)
        return self._require_query(query, inner, f"{name}:")

    def _is_ignored(self, token: Any, field: str) -> bool:
        """Whether a token is ignored, which a lower-case "and" is; adds hints on words that may be meant as operators."""
        lowercase_word = token.lower() if token.type == TokenKind.WORD and field in TEXT_FIELDS else ""
        if lowercase_word == "and":
            self.hints.append(
                'The lower-case "and" was ignored, because words are joined by AND anyway. To search for it, put it in quotes.'
            )
        elif lowercase_word in {"or", "not"}:
            self.hints.append(
                f'The lower-case "{token}" was read as a word; for the operator, write {token.upper()}.'
            )
        elif FIELD_LABEL.fullmatch(lowercase_word):
            self.hints.append(f"{token} was read as a word, because a space follows it.")
        return lowercase_word == "and"

    # leaves

    def _build_leaf(self, token: Any, field: str) -> Query | None:
        near = 0
        if getattr(token, "data", "") == "near":
            token, near = token.children[0], int(token.children[1])
        if near and field not in TEXT_FIELDS:
            self._raise_error("Only words of a text can be near each other; remove ~ and the number.", token)
        try:
            if field == "author":
                return self._build_author(*([], [token]) if token.type == TokenKind.PERSON else ([token], []))
            if field not in TEXT_FIELDS or token.type == TokenKind.VALUE:
                return terms.build_value_query(field, token, self.hints.append)
            return self._build_words(token, field, near)
        except terms.TermError as error:
            self._raise_error(str(error), token)

    def _build_words(self, token: Any, field: str, near: int) -> Query | None:
        if token.type == TokenKind.EXACT:
            written = "" if self.text[token.start_pos + 1] in QUOTES else f"={token}"
            if hint := make_bracket_hint(written) or make_operator_hint(written):
                self.hints.append(hint)
            return terms.build_exact(token, field)
        if token.type == TokenKind.BEGINNING:
            return terms.build_prefix(token, field)
        if field == "institution" and (institution := terms.read_institution_id(token)):
            return institution
        if (
            not field
            and token.type == TokenKind.WORD
            and (category := terms.read_bare_category(token, self.hints.append))
        ):
            return category
        word_hint = (
            make_quote_hint(token)
            if token.type == TokenKind.PHRASE
            else make_operator_hint(token) or make_word_hint(token)
        )
        if word_hint:
            self.hints.append(word_hint)
        query = terms.build_words(token, field, self.hints.append, near)
        if query is None and token.type == TokenKind.PHRASE:
            self._raise_error("This contains no word to search for.", token)
        if query is None and not word_hint:
            self.hints.append(f"{token} was ignored, because it has no letter or digit.")
        return query

    def _build_author(self, names: Sequence[Any], ids: Sequence[Any]) -> Query:
        name = " ".join(token.replace("_", " ") if token.type == TokenKind.WORD else token for token in names)
        is_complete = not any(token.start_pos in self.partial_names for token in names)
        family_part, comma, given_part = (part.strip() for part in name.partition(","))
        if comma and " " in family_part and " " in given_part and names[0].type == TokenKind.WORD:
            self.hints.append(
                f"{name} was read as one name, family name first; for two persons, write OR or AND between them."
            )
        try:
            return terms.build_author(name, ids, self.hints.append if is_complete else _discard_hint)
        except terms.TermError as error:
            self._raise_error(str(error), [*names, *ids][0])

    # errors

    def _require_query(self, query: Query | None, node: Any, operator: str) -> Query:
        if query is None:
            self._raise_error(
                f"There is nothing to search for with this {operator}.", _find_first_token(node)
            )
        return query

    def _raise_error(self, message: str, token: Any) -> NoReturn:
        raise QueryError(message, self.text, token.start_pos)


_NAME_FIELDS = frozenset({"author", "institution", "journal"})
"""Fields whose values are names, which may have several words."""


def _get_field_and_word(child: Any) -> tuple[str, str]:
    """Return field and word of a term that is a word after a field; empty strings for other terms."""
    if getattr(child, "data", "") != "fielded":
        return "", ""
    name, inner = child.children
    return (FIELDS[name.lower()], str(inner)) if getattr(inner, "type", "") == TokenKind.WORD else ("", "")


def _discard_hint(_: str) -> None:
    """Discard a hint, because a better one was given."""


def _find_first_token(node: Any) -> Any:
    while hasattr(node, "children"):
        node = node.children[0]
    return node
