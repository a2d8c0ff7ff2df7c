"""What a follow asks for: the parts of a query, how each is written, and the one form of all that mean the same.

``digest.core.language.parser`` makes one of what readers type; ``docs/reference/follows.md`` is the reference.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from digest.core.language.quotes import without_quotes
from digest.core.text.accents import without_tex
from digest.core.text.scripts import is_cjk
from digest.core.text.words import tex_to_unicode

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
        words = _row(self.units)
        # Characters in a row stand in quotes: bare, such a text names a query that an earlier release compiled as
        # a single word, and the store still has it so.
        bare = len(self.units) == 1 and not _READ_OTHERWISE.fullmatch(words)
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
        bare = re.fullmatch(r"[^\W_]+(-[^\W_]+)*", self.text)
        return f"{_prefix(self.field)}=" + (self.text if bare else f'"{self.text}"')


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
        return fact(self.field, self.value)


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


TextQuery = Phrase | Exact | Prefix
"""What is looked for in texts."""

Query = TextQuery | ByAuthor | InCategory | Fact | And | Or | Not

_READ_OTHERWISE = re.compile(
    r"and|or|not|andnot|o?near|adj\d*|\d{4}\.\d{4,5}(v\d+)?([+#].*)?|(?-i:AND|OR|NOT|ANDNOT)-.*",
    re.IGNORECASE,
)
"""Words that are read as words in quotes only: operators, here and elsewhere, and ids of papers."""


def _row(units: Sequence[Unit]) -> str:
    """Words in a row; CJK characters are written without blanks between them."""
    first, *others = ["-".join(unit) for unit in units]
    row, before = first, first
    for word in others:
        row += word if is_cjk(before) and is_cjk(word) else f" {word}"
        before = word
    return row


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
    plain = plain and code not in {"AND", "OR", "NOT", "ANDNOT"}
    return f"{field}:{code}" if plain else f'{field}:"{code}"'


def institution(name: str, ror: str = "") -> str:
    """The query text for an institution: its name in an affiliation, or its ROR id where a source tells that.

    Args:
        name: "" if only the id is known.
        ror: in any form; "" if only the name is known.
    """
    named = f'institution:"{without_quotes(tex_to_unicode(name))}"'
    known = f"institution:ror:{ror.strip().removeprefix('https://ror.org/').removeprefix('ror:')}"
    if name and ror:
        return f"{named} OR {known}"
    return known if ror else named


def paper(key: str) -> str:
    """The query text for what happens to a paper: its new versions, its publication, its code."""
    return f"{fact('id', key)} (kind:version OR kind:published OR kind:code)"


def cites(key: str) -> str:
    """The query text for papers that cite one."""
    return fact("cites", key)


def fact(field: str, value: str) -> str:
    """The query text for something that a paper has or has not.

    Args:
        field: its name.
        value: in quotes if it has blanks or brackets, or begins with a dash.
    """
    value = without_quotes(value)
    return f'{field}:"{value}"' if not value or _IN_QUOTES.search(value) else f"{field}:{value}"


_IN_QUOTES = re.compile(r"[\s()（）：＊＝－～]|^[-\u2010-\u2015\u2212]")


# --- kinds ----------------------------------------------------------------------------------------


def names_kind(query: Query) -> Query | None:
    """The part of a query that asks for kinds of events, by ``kind:``; None if it leaves them open.

    Who follows ``graph OR (id:2401.00001 kind:version)`` asks for versions of that paper, whatever kinds the
    digest tells, and leaves open what to hear of graphs. It grows by at most the query for each ``kind:`` in it.
    """
    match query:
        case Fact(field="kind"):
            return query
        case Or():
            found = tuple(part for part in map(names_kind, query.queries) if part)
            return _one_of(found)
        case And():
            found = tuple(
                And(queries=(*query.queries[:place], part, *query.queries[place + 1 :]))
                for place, part in enumerate(map(names_kind, query.queries))
                if part
            )
            return _one_of(found)
        case _:
            return None


def _one_of(queries: tuple[Query, ...]) -> Query | None:
    return Or(queries=queries) if len(queries) > 1 else queries[0] if queries else None


# --- persons --------------------------------------------------------------------------------------


def people_in(query: Query) -> Iterator[ByAuthor]:
    """All persons that a query names, those behind a NOT too."""
    match query:
        case ByAuthor():
            yield query
        case Not():
            yield from people_in(query.query)
        case And() | Or():
            for part in query.queries:
                yield from people_in(part)
        case _:
            return


# --- stored ---------------------------------------------------------------------------------------


def compiled(query: Query) -> str:
    """A query as compact JSON, to be loaded without being read again; ``load(compiled(query)) == query``."""
    return json.dumps(_listed(query), ensure_ascii=False, separators=(",", ":"))


def load(text: str) -> Query:
    """The query of a text that ``compiled`` made."""
    return _loaded(json.loads(text))


def has_ids(text: str) -> bool:
    """Whether a compiled query names a person by ids, without loading it."""
    return '["a",' in text and bool(_BY_IDS.search(text))


def papers_named(text: str) -> Iterator[tuple[str, str]]:
    """The papers that a compiled query names, without loading it: ``id`` or ``cites``, and the key."""
    for field, value in _PAPERS.findall(text):
        yield field, json.loads(f'"{value}"')


def may_deny(text: str) -> bool:
    """Whether a compiled query has a NOT and a person, who may be behind it."""
    return '["a",' in text and '["!",' in text


_PAPERS = re.compile(r'\["f","(id|cites)","((?:[^"\\]|\\.)*)"\]')
_BY_IDS = re.compile(r'\["a","(?:[^"\\]|\\.)*",\[')
"""A quotation mark within a text has a backslash before it: no text looks like this."""


def _listed(query: Query) -> list[Any]:  # noqa: PLR0911 - one line a kind
    match query:
        case Phrase():
            return ["p", query.field, query.near, *query.units]
        case Exact():
            return ["e", query.field, query.text]
        case Prefix():
            return ["b", query.field, *query.unit]
        case ByAuthor():
            return ["a", query.name, *query.ids]
        case InCategory():
            return ["c", query.code, int(query.primary)]
        case Fact():
            return ["f", query.field, query.value]
        case And():
            return ["&", *map(_listed, query.queries)]
        case Or():
            return ["|", *map(_listed, query.queries)]
        case Not():
            return ["!", _listed(query.query)]


def _loaded(listed: Any) -> Query:
    try:
        kind, *rest = listed
        return _LOADED[kind](*rest)
    except (KeyError, TypeError, ValueError):
        raise ValueError(f"this is no compiled query: {listed!r:.80}") from None


_LOADED: dict[str, Callable[..., Query]] = {
    "p": lambda field, near, *units: Phrase(field=field, units=tuple(map(tuple, units)), near=near),
    "e": lambda field, text: Exact(field=field, text=text),
    "b": lambda field, *unit: Prefix(field=field, unit=unit),
    "a": lambda name, *ids: ByAuthor(name=name, ids=tuple(map(_pair, ids))),
    "c": lambda code, primary: InCategory(code=code, primary=bool(primary)),
    "f": lambda field, value: Fact(field=field, value=value),
    "&": lambda *parts: And(queries=tuple(map(_loaded, parts))),
    "|": lambda *parts: Or(queries=tuple(map(_loaded, parts))),
    "!": lambda part: Not(query=_loaded(part)),
}


def _pair(listed: list[str]) -> tuple[str, str]:
    scheme, value = listed
    return scheme, value
