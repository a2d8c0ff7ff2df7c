"""What a follow asks for: the parts of a query, how each is written, and the one form of all that mean the same.

``digest.core.reading`` makes one of what readers type; ``docs/reference/follows.md`` is the reference.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from digest.core import taxonomy
from digest.core.accents import without_tex
from digest.core.text import canonical, tex_to_unicode

# --- what a query is ------------------------------------------------------------------------------

TextField = Literal["", "title", "abstract", "comment", "journal", "institution"]
"""Where words are looked for; "" is title or abstract."""
Unit = tuple[str, ...]
"""A word; of several parts if hyphens join them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """Words in this order in one field; one word is one, too.

    Attributes:
        field: "" for title or abstract.
        units: the words.
        near: how many other words may stand between them, in all; 0: they follow each other.
    """

    field: TextField = ""
    units: tuple[Unit, ...]
    near: int = 0

    def __str__(self) -> str:
        words = " ".join("-".join(unit) for unit in self.units)
        bare = len(self.units) == 1 and words.lower() not in _SMALL
        near = f"~{self.near}" if self.near else ""
        return _prefix(self.field) + (words if bare else f'"{words}"{near}')


@dataclass(frozen=True, slots=True, kw_only=True)
class Exact:
    """A word or phrase in exactly this spelling.

    Attributes:
        field: "" for title or abstract.
        text: as it stands in a paper, without TeX, one blank between words.
    """

    field: TextField = ""
    text: str

    def __str__(self) -> str:
        return f'{_prefix(self.field)}="{self.text}"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Prefix:
    """A word that begins so.

    Attributes:
        field: "" for title or abstract.
        unit: the parts before the last are whole, the last one is the beginning of a word.
    """

    field: TextField = ""
    unit: Unit

    def __str__(self) -> str:
        return f"{_prefix(self.field)}{'-'.join(self.unit)}*"


@dataclass(frozen=True, slots=True, kw_only=True)
class ByAuthor:
    """One of the authors is this person.

    Attributes:
        name: as it may be printed; "" if only ids are known.
        ids: scheme and value.
    """

    name: str = ""
    ids: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return author(self.name, self.ids)


@dataclass(frozen=True, slots=True, kw_only=True)
class InCategory:
    """One of the categories is this one or in this archive.

    Attributes:
        primary: the first category is, which is the one that its authors chose.
    """

    code: str
    primary: bool = False

    def __str__(self) -> str:
        return category(self.code, primary=self.primary)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """Something that a paper or its event has or has not.

    Attributes:
        field: ``kind``, ``source``, ``has``, ``id``, ``cites`` or ``institution``.
        value: of ``id`` and ``cites`` a paper's key, of ``institution`` ``ror:`` and the id.
    """

    field: str
    value: str

    def __str__(self) -> str:
        return f"{self.field}:{self.value}"


@dataclass(frozen=True, slots=True, kw_only=True)
class And:
    """All of these fit."""

    queries: tuple[Query, ...]

    def __str__(self) -> str:
        return " AND ".join(map(_bracketed, self.queries))


@dataclass(frozen=True, slots=True, kw_only=True)
class Or:
    """One of these fits."""

    queries: tuple[Query, ...]

    def __str__(self) -> str:
        return " OR ".join(map(_bracketed, self.queries))


@dataclass(frozen=True, slots=True, kw_only=True)
class Not:
    """This does not fit, at least not surely or likely."""

    query: Query

    def __str__(self) -> str:
        return f"NOT ({self.query})" if isinstance(self.query, Not) else f"NOT {_bracketed(self.query)}"


Query = Phrase | Exact | Prefix | ByAuthor | InCategory | Fact | And | Or | Not

_SMALL = frozenset({"and", "or", "not", "andnot"})


def _bracketed(query: Query) -> str:
    return f"({query})" if isinstance(query, And | Or) else str(query)


def _prefix(name: str) -> str:
    return f"{name}:" if name else ""


# --- query texts ----------------------------------------------------------------------------------


def phrase(text: str) -> str:
    """The query text for a keyword: a phrase, whatever signs are in it."""
    return f'"{without_quotes(tex_to_unicode(text))}"'


def author(name: str, ids: tuple[tuple[str, str], ...] = ()) -> str:
    """The query text for a person: a name, ids (scheme and value), or a name with ids."""
    quoted = f'"{without_quotes(without_tex(name))}"'
    if not ids:
        return f"author:{quoted}"
    written = [f"{scheme}:{value}" for scheme, value in ids]
    if not name and len(written) == 1:
        return f"author:{written[0]}"
    return f"author:({' '.join([quoted, *written] if name else written)})"


def category(code: str, *, primary: bool = False) -> str:
    """The query text for a category or an archive.

    Args:
        code: its id.
        primary: only papers whose first category it is.
    """
    field = "primary" if primary else "category"
    code = without_quotes(code)
    plain = code and all(sign.isalnum() or sign in ".-*" for sign in code) and code[0].isalnum()
    return f"{field}:{code}" if plain else f'{field}:"{code}"'


def without_quotes(text: str) -> str:
    """A text as it can stand in quotes."""
    return " ".join(text.translate(dict.fromkeys(map(ord, '"“”„‟'), " ")).split())


# --- the canonical form ---------------------------------------------------------------------------


def canonical_form(query: Query) -> Query:
    """The one form of all queries that mean the same but for order, case and brackets."""
    match query:
        case Phrase():
            units = tuple(tuple(map(canonical, unit)) for unit in query.units)
            return Phrase(field=query.field, units=units, near=query.near)
        case Exact() | Prefix() | ByAuthor() | Fact():
            return query
        case InCategory():
            code = query.code.lower().removesuffix(".*")
            return InCategory(code=taxonomy.canonical(code), primary=query.primary)
        case Not():
            inner = canonical_form(query.query)
            return inner.query if isinstance(inner, Not) else Not(query=inner)
        case And() | Or():
            kind = type(query)
            flat = {part for inner in map(canonical_form, query.queries) for part in _parts(inner, kind)}
            ordered = tuple(sorted(flat, key=str))
            return ordered[0] if len(ordered) == 1 else kind(queries=ordered)


def _parts(query: Query, kind: type[And | Or]) -> tuple[Query, ...]:
    return query.queries if isinstance(query, And | Or) and type(query) is kind else (query,)


def is_positive(query: Query, *, negated: bool = False) -> bool:
    """Whether each alternative of the disjunctive form has something to look for."""
    match query:
        case Not():
            return is_positive(query.query, negated=not negated)
        case And() | Or():
            every = isinstance(query, Or) != negated
            found = (is_positive(inner, negated=negated) for inner in query.queries)
            return all(found) if every else any(found)
        case _:
            return not negated
