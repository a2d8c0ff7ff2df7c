"""Reading the follow language: what readers type, as a query.

It reads like the search boxes that readers know: words, "phrases", fields, ``AND OR NOT ( )`` and ``-word``.
``docs/reference/follows.md`` is its reference.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NoReturn, cast

from digest.core import taxonomy
from digest.core.accents import without_tex
from digest.core.canonical import canonical_form, is_positive
from digest.core.grammar import FIELDS, LABEL, MAX_WORDS, Kind, tree_of
from digest.core.query import (
    And,
    ByAuthor,
    InCategory,
    Not,
    Or,
    Phrase,
    Query,
    TextField,
    Unit,
    without_quotes,
)
from digest.core.text import Part, canonical, digits_meet, parts, tex_to_unicode
from digest.errors import QueryError

if TYPE_CHECKING:
    from lark import Tree


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How a query was read.

    Attributes:
        query: its canonical form.
        shown: the same in the order typed, with its brackets, for people.
        hints: what may not have been meant, whole sentences.
    """

    query: Query
    shown: str
    hints: tuple[str, ...] = ()


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
    return Reading(query=query, shown=str(typed), hints=tuple(dict.fromkeys(reader.hints)))


@dataclass(slots=True)
class _Reader:
    """Reads a query's tree in the order typed; fields go to the leaves."""

    text: str
    hints: list[str] = field(default_factory=list)

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
            return list(self._names(children))
        for child, following in pairwise(children):
            if _is_bare_author(child) and getattr(following, "type", "") == Kind.WORD:
                self._hint(
                    f"author: took only {child.children[1]}, and {following} is looked for in title and abstract."
                    f' For the whole name write author:"{child.children[1]} {following}".'
                )
        found = (self._term(child, within) for child in children)
        return [query for query in found if query is not None]

    def _names(self, children: Iterable[Any]) -> Iterable[Query]:
        """The names in an author's bracket: words in a row are one name."""
        name: list[Any] = []
        for child in [*children, None]:
            if getattr(child, "type", "") == Kind.WORD:
                if child.lower() in {"and", "or"}:
                    message = f'A small "{child}" in a name: write OR between two names, or AND if both are authors.'
                    self._fail(message, child)
                name.append(child)
                continue
            if name:
                yield self._author(" ".join(name), name[0])
                name = []
            if child is not None and (query := self._term(child, "author")):
                yield query

    def _term(self, child: Any, within: str) -> Query | None:
        kind = getattr(child, "data", "")
        if kind == "either":
            return self.read(child, within)
        if kind == "excluded":
            inner = child.children[0]
            return Not(query=self._something(self._term(inner, within), inner, "NOT"))
        if kind == "fielded":
            name, inner = child.children
            if within:
                self._fail(f"A field cannot stand within a field: {name}: is within {within}:.", name)
            meant = FIELDS[name.lower()]
            if getattr(inner, "data", "") == "either":
                return self._something(self.read(inner, meant), inner, f"{name}:")
            return self._something(self._leaf(inner, meant), inner, f"{name}:")
        return None if self._is_left_out(child) else self._leaf(child, within)

    def _is_left_out(self, token: Any) -> bool:
        """Hints about words that may be meant as operators; a small "and" is none to look for."""
        small = token.lower() if token.type == Kind.WORD else ""
        if small == "and":
            self._hint(
                'The small "and" was left out: words are joined by AND anyway. To look for it, put it in quotes.'
            )
        elif small in {"or", "not"}:
            self._hint(f'The small "{token}" was read as a word; as an operator write {token.upper()}.')
        elif LABEL.fullmatch(small):
            self._hint(f"{token} was read as a word, because a blank follows it.")
        return small == "and"

    # leaves

    def _leaf(self, token: Any, within: str) -> Query | None:
        if within == "author":
            return self._author(token.replace("_", " ") if token.type == Kind.WORD else token, token)
        if within == "category":
            return self._category(token)
        units = _units(parts(tex_to_unicode(token)))
        if len(units) > MAX_WORDS:
            self._fail(
                f"A phrase has at most {MAX_WORDS} words: shorten it, or look for the words without quotes.",
                token,
            )
        if units:
            return Phrase(field=cast("TextField", within), units=units)
        if token.type == Kind.PHRASE or within:
            self._fail("There is no word in this to look for.", token)
        self._hint(f"{token} was left out: it has no letter or digit.")
        return None

    def _author(self, name: str, place: Any) -> Query:
        name = " ".join(without_tex(name).split())
        if not any(map(str.isalpha, name)):
            self._fail('This is no name: write author:"Given Family".', place)
        if " " not in name and "," not in name:
            self._hint(
                f"{name} alone fits everybody of that name, so what it finds comes as maybe; add a given name."
            )
        return ByAuthor(name=name)

    def _category(self, token: Any) -> Query:
        code = without_quotes(token.strip(",;. "))
        if not code or "*" in code.removesuffix(".*"):
            self._fail("Write a category as category:cs.LG, or a whole archive as category:cs.*.", token)
        if not taxonomy.known(code):
            meant = taxonomy.suggest(code)
            self._hint(f"arXiv has no category {code}." + (f" Did you mean {meant}?" if meant else ""))
        return InCategory(code=code)

    # what to say

    def _something(self, found: Query | None, place: Any, beside: str) -> Query:
        if found is None:
            self._fail(f"There is nothing to look for with this {beside}.", _first(place))
        return found

    def _hint(self, message: str) -> None:
        self.hints.append(message)

    def _fail(self, message: str, token: Any) -> NoReturn:
        raise QueryError(message, self.text, token.start_pos)


def _is_bare_author(child: Any) -> bool:
    if getattr(child, "data", "") != "fielded":
        return False
    name, inner = child.children
    return FIELDS[name.lower()] == "author" and getattr(inner, "type", "") == Kind.WORD


def _first(place: Any) -> Any:
    while hasattr(place, "children"):
        place = place.children[0]
    return place


def _units(found: Iterable[Part]) -> tuple[Unit, ...]:
    units: list[Unit] = []
    for part in found:
        word = part.printed
        if not canonical(word):
            continue
        if part.joined and units and not digits_meet(units[-1][-1], word):
            units[-1] += (word,)
        else:
            units.append((word,))
    return tuple(units)
