"""Reading the follow language: what readers type, as a query.

It reads like the search boxes that readers know: words, "phrases", fields, ``AND OR NOT ( )`` and ``-word``.
``docs/reference/follows.md`` is its reference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NoReturn

from digest.core.language import ambiguous_names, terms
from digest.core.language.canonical import canonical_form, is_narrowed, is_positive
from digest.core.language.query import And, Not, Or, Query
from digest.core.language.quotes import QUOTES
from digest.core.language.syntax.fields import FIELDS, TEXTS
from digest.core.language.syntax.foreign_syntax import bracket_remark, quoted_remark, remark
from digest.core.language.syntax.grammar import tree_of
from digest.core.language.syntax.kinds import Kind
from digest.core.language.syntax.tokens import LABEL, MAX_LENGTH
from digest.errors import QueryError

if TYPE_CHECKING:
    from lark import Tree


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How a query was read.

    Attributes:
        query: its canonical form.
        typed: the same in the order typed, with its brackets.
        hints: what may not have been meant, whole sentences.
    """

    query: Query
    typed: Query
    hints: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        """How it was read, for people."""
        return str(self.typed)


def parse(text: str) -> Query:
    """The query that a text means; ``parse(str(query)) == query``.

    Raises:
        QueryError: what is wrong, where, and what to write.
    """
    return reading(text).query


def reading(text: str) -> Reading:
    """Read a query and say how.

    Raises:
        QueryError: what is wrong, where, and what to write.
    """
    reader = _Reader(text)
    tree = tree_of(text)
    typed = reader.read(tree)
    if typed is None:
        raise QueryError("There is nothing to look for in this query: write a word.", text, 0)
    query = canonical_form(typed)
    if not is_positive(query):
        message = (
            "This only leaves out, and all else would fit: say what to look for as well, on each side of OR."
        )
        raise QueryError(message, text, _first(next(tree.find_data("excluded"))).start_pos)
    length = len(str(query).encode("utf-8", "surrogatepass"))
    if length > MAX_LENGTH:
        message = (
            f"With the fields and operators of each word this query has {length:,} bytes, and at most"
            f" {MAX_LENGTH:,} can be kept: make several follows of it."
        )
        raise QueryError(message, text, 0)
    if not is_narrowed(query):
        partly = isinstance(query, Or) and any(map(is_narrowed, query.queries))
        reader.hints.append(
            f"{'One side of OR' if partly else 'This'} is everything there: a word, a person or a category would"
            " narrow it down."
        )
    reader.hints += map(ambiguous_names.told, ambiguous_names.keeping_nothing_out(query))
    return Reading(query=query, typed=typed, hints=tuple(dict.fromkeys(reader.hints)))


@dataclass(slots=True)
class _Reader:
    """Reads a query's tree in the order typed; fields go to the leaves.

    Attributes:
        halves: where names stand of which a hint said already that they are not whole.
    """

    text: str
    hints: list[str] = field(default_factory=list)
    halves: set[int] = field(default_factory=set)

    def read(self, tree: Tree[Any], within: str = "") -> Query | None:
        """A query, or None if it holds nothing but signs.

        Args:
            tree: rows of words joined by AND, and these by OR.
            within: the field that it belongs to, "" for none.
        """
        found = [self._joined(child, within) for child in tree.children]
        if len(found) == 1:
            return found[0]
        return Or(
            queries=tuple(
                self._something(node, child, "OR") for node, child in zip(found, tree.children, strict=True)
            )
        )

    def _joined(self, tree: Tree[Any], within: str) -> Query | None:
        rows = [self._row(child, within) for child in tree.children]
        for row, child in zip(rows, tree.children, strict=True):
            if len(rows) > 1:
                self._something(row[0] if row else None, child, "AND")
        found = [query for row in rows for query in row]
        return And(queries=tuple(found)) if len(found) > 1 else found[0] if found else None

    def _row(self, tree: Tree[Any], within: str) -> list[Query]:
        children = tree.children
        if within == "author":
            return list(self._persons(children))
        for child, following in pairwise(children):
            name, taken = _bare_value(child)
            if name in _NAMES and getattr(following, "type", "") == Kind.WORD:
                self.halves.add(_first(child.children[1]).start_pos)
                self.hints.append(
                    f"{name}: took only {taken}, and {following} is looked for in title and abstract."
                    f' For the whole name write {name}:"{taken} {following}".'
                )
        found = (self._term(child, within) for child in children)
        return [query for query in found if query is not None]

    def _persons(self, children: Iterable[Any]) -> Iterator[Query]:
        """The persons in an author's bracket: words in a row are one name, and ids beside a name are that person's."""
        names: list[Any] = []
        ids: list[Any] = []
        whole = False
        for child in [*children, None]:
            kind = getattr(child, "type", "")
            of_name = kind == Kind.WORD or (kind == Kind.PHRASE and not names)
            if not (kind == Kind.PERSON or (of_name and not whole)) and (names or ids):
                yield self._person(names, ids)
                names, ids = [], []
            if kind == Kind.PERSON:
                ids.append(child)
            elif kind in {Kind.WORD, Kind.PHRASE}:
                self._check_small(child)
                names.append(child)
            elif child is not None and (query := self._term(child, "author")):
                yield query
            whole = bool(names) and (bool(kind == Kind.PERSON) or names[-1].type == Kind.PHRASE)

    def _check_small(self, token: Any) -> None:
        if token.type == Kind.WORD and token.lower() in {"and", "or"}:
            message = f'A small "{token}" in a name: write OR between two names, or AND if both are authors.'
            self._fail(message, token)

    def _term(self, child: Any, within: str) -> Query | None:
        kind = getattr(child, "data", "")
        if kind == "either":
            return self.read(child, within)
        if kind == "excluded":
            inner = child.children[0]
            return Not(query=self._something(self._term(inner, within), inner, "NOT"))
        if kind == "fielded":
            name, inner = child.children
            return self._fielded(name, inner, within)
        return None if not kind and self._is_left_out(child, within) else self._leaf(child, within)

    def _fielded(self, name: Any, inner: Any, within: str) -> Query:
        if within:
            self._fail(f"A field cannot stand within a field: {name}: is within {within}:.", name)
        meant = FIELDS[name.lower()]
        if not meant:
            self.hints.append(
                f"{name}: was left out, it is no field: words without one are looked for in title and abstract;"
                " persons are author:Name."
            )
        is_tree = getattr(inner, "data", "") == "either"
        found = self.read(inner, meant) if is_tree else self._leaf(inner, meant)
        return self._something(found, inner, f"{name}:")

    def _is_left_out(self, token: Any, within: str) -> bool:
        """Hints about words that may be meant as operators; a small "and" is none to look for."""
        small = token.lower() if token.type == Kind.WORD and within in TEXTS else ""
        if small == "and":
            self.hints.append(
                'The small "and" was left out: words are joined by AND anyway. To look for it, put it in quotes.'
            )
        elif small in {"or", "not"}:
            self.hints.append(
                f'The small "{token}" was read as a word; as an operator write {token.upper()}.'
            )
        elif LABEL.fullmatch(small):
            self.hints.append(f"{token} was read as a word, because a blank follows it.")
        return small == "and"

    # leaves

    def _leaf(self, token: Any, within: str) -> Query | None:
        near = 0
        if getattr(token, "data", "") == "near":
            token, near = token.children[0], int(token.children[1])
        if near and within not in TEXTS:
            self._fail("Only words of a text are near each other: leave out ~ and the number.", token)
        try:
            if within == "author":
                return self._person(*([], [token]) if token.type == Kind.PERSON else ([token], []))
            if within not in TEXTS or token.type == Kind.VALUE:
                return terms.value(within, token, self.hints.append)
            return self._words(token, within, near)
        except terms.Mistake as mistake:
            self._fail(str(mistake), token)

    def _words(self, token: Any, within: str, near: int) -> Query | None:
        if token.type == Kind.EXACT:
            if self.text[token.start_pos + 1] not in QUOTES and (hint := bracket_remark(f"={token}")):
                self.hints.append(hint)
            return terms.exact(token, within)
        if token.type == Kind.BEGINNING:
            return terms.beginning(token, within)
        if within == "institution" and (known := terms.institution_id(token)):
            return known
        if not within and token.type == Kind.WORD and (code := terms.bare_category(token, self.hints.append)):
            return code
        said = quoted_remark(token) if token.type == Kind.PHRASE else remark(token)
        if said:
            self.hints.append(said)
        found = terms.words(token, within, self.hints.append, near)
        if found is None and (token.type == Kind.PHRASE or within):
            self._fail("There is no word in this to look for.", token)
        if found is None and not said:
            self.hints.append(f"{token} was left out: it has no letter or digit.")
        return found

    def _person(self, names: Sequence[Any], ids: Sequence[Any]) -> Query:
        name = " ".join(token.replace("_", " ") if token.type == Kind.WORD else token for token in names)
        whole = not any(token.start_pos in self.halves for token in names)
        before, comma, after = (part.strip() for part in name.partition(","))
        if comma and " " in before and " " in after and names[0].type == Kind.WORD:
            self.hints.append(
                f"{name} was read as one name, the family name first; for two persons write OR or AND between them."
            )
        try:
            return terms.person(name, ids, self.hints.append if whole else _said_already)
        except terms.Mistake as mistake:
            self._fail(str(mistake), [*names, *ids][0])

    # what to say

    def _something(self, found: Query | None, place: Any, beside: str) -> Query:
        if found is None:
            self._fail(f"There is nothing to look for with this {beside}.", _first(place))
        return found

    def _fail(self, message: str, token: Any) -> NoReturn:
        raise QueryError(message, self.text, token.start_pos)


_NAMES = frozenset({"author", "institution", "journal"})
"""The fields of what has names of several words."""


def _bare_value(child: Any) -> tuple[str, str]:
    """Field and word of a term that is a word behind its field; empty for others."""
    if getattr(child, "data", "") != "fielded":
        return "", ""
    name, inner = child.children
    return (FIELDS[name.lower()], str(inner)) if getattr(inner, "type", "") == Kind.WORD else ("", "")


def _said_already(_: str) -> None:
    """Takes a hint where a better one was given."""


def _first(place: Any) -> Any:
    while hasattr(place, "children"):
        place = place.children[0]
    return place
