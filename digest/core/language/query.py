"""What a follow asks for: the parts of a query, how each is written, and the one form of all that mean the same.

``digest.core.language.parser`` makes one of what readers type; ``docs/reference/follows.md`` is the reference.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from digest.core.language.quotes import strip_quotes
from digest.core.text.accents import decode_tex_accents
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
        words = _join_units(self.units)
        # Characters in a row stand in quotes: bare, such a text names a query that an earlier release compiled as
        # a single word, and the store still has it so.
        is_bare = len(self.units) == 1 and not _RESERVED_WORDS.fullmatch(words)
        near = f"~{self.near}" if self.near else ""
        return _format_field_prefix(self.field) + (words if is_bare else f'"{words}"{near}')


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
        is_bare = re.fullmatch(r"[^\W_]+(-[^\W_]+)*", self.text)
        return f"{_format_field_prefix(self.field)}=" + (self.text if is_bare else f'"{self.text}"')


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
        return f"{_format_field_prefix(self.field)}{'-'.join(self.unit)}*"


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
        return format_author(self.name, self.ids)


@dataclass(frozen=True, slots=True, kw_only=True)
class InCategory:
    """One of the categories is this one or in this archive.

    Attributes:
        primary: the first category is, which is the one that its authors chose.
    """

    code: str
    primary: bool = False

    def __str__(self) -> str:
        return format_category(self.code, primary=self.primary)


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
        return format_fact(self.field, self.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class And:
    """All of these fit."""

    queries: tuple[Query, ...]

    def __str__(self) -> str:
        return " AND ".join(map(_format_operand, self.queries))


@dataclass(frozen=True, slots=True, kw_only=True)
class Or:
    """One of these fits."""

    queries: tuple[Query, ...]

    def __str__(self) -> str:
        return " OR ".join(map(_format_operand, self.queries))


@dataclass(frozen=True, slots=True, kw_only=True)
class Not:
    """This does not fit, at least not surely or likely."""

    query: Query

    def __str__(self) -> str:
        return f"NOT ({self.query})" if isinstance(self.query, Not) else f"NOT {_format_operand(self.query)}"


TextQuery = Phrase | Exact | Prefix
"""What is looked for in texts."""

Query = TextQuery | ByAuthor | InCategory | Fact | And | Or | Not

_RESERVED_WORDS = re.compile(
    r"and|or|not|andnot|o?near|adj\d*|\d{4}\.\d{4,5}(v\d+)?([+#].*)?|(?-i:AND|OR|NOT|ANDNOT)-.*",
    re.IGNORECASE,
)
"""Words that are read as words in quotes only: operators, here and elsewhere, and ids of papers."""


def _join_units(units: Sequence[Unit]) -> str:
    """Words in a row; CJK characters are written without blanks between them."""
    text, *remaining_words = ["-".join(unit) for unit in units]
    joined, previous_word = text, text
    for word in remaining_words:
        joined += word if is_cjk(previous_word) and is_cjk(word) else f" {word}"
        previous_word = word
    return joined


def _format_operand(query: Query) -> str:
    return f"({query})" if isinstance(query, And | Or) else str(query)


def _format_field_prefix(field: str) -> str:
    return f"{field}:" if field else ""


# --- query texts ----------------------------------------------------------------------------------


def format_phrase(text: str) -> str:
    """The query text for a keyword: a phrase, whatever signs are in it."""
    return f'"{strip_quotes(tex_to_unicode(text))}"'


def format_author(name: str, ids: tuple[tuple[str, str], ...] = ()) -> str:
    """The query text for a person: a name, ids (scheme and value), or a name with ids."""
    quoted = f'"{strip_quotes(decode_tex_accents(name))}"'
    if not ids:
        return f"author:{quoted}"
    formatted_ids = [f"{scheme}:{value}" for scheme, value in ids]
    if not name and len(formatted_ids) == 1:
        return f"author:{formatted_ids[0]}"
    return f"author:({' '.join([quoted, *formatted_ids] if name else formatted_ids)})"


def format_category(code: str, *, primary: bool = False) -> str:
    """The query text for a category or an archive.

    Args:
        code: its id.
        primary: only papers whose first category it is.
    """
    field = "primary" if primary else "category"
    code = strip_quotes(code)
    is_plain = (
        code and all(character.isalnum() or character in ".-*" for character in code) and code[0].isalnum()
    )
    is_plain = is_plain and code not in {"AND", "OR", "NOT", "ANDNOT"}
    return f"{field}:{code}" if is_plain else f'{field}:"{code}"'


def format_institution(name: str, ror: str = "") -> str:
    """The query text for an institution: its name in an affiliation, or its ROR id where a source tells that.

    Args:
        name: "" if only the id is known.
        ror: in any form; "" if only the name is known.
    """
    by_name = f'institution:"{strip_quotes(tex_to_unicode(name))}"'
    by_id = f"institution:ror:{ror.strip().removeprefix('https://ror.org/').removeprefix('ror:')}"
    if name and ror:
        return f"{by_name} OR {by_id}"
    return by_id if ror else by_name


def format_paper_events(key: str) -> str:
    """The query text for what happens to a paper: its new versions, its publication, its code."""
    return f"{format_fact('id', key)} (kind:version OR kind:published OR kind:code)"


def format_citing(key: str) -> str:
    """The query text for papers that cite one."""
    return format_fact("cites", key)


def format_fact(field: str, value: str) -> str:
    """The query text for something that a paper has or has not.

    Args:
        field: its name.
        value: in quotes if it has blanks or brackets, begins with a dash, or has signs that are read as others
            outside of quotes.
    """
    value = strip_quotes(value)
    is_plain = value and not _NEEDS_QUOTES.search(value) and unicodedata.is_normalized("NFKC", value)
    return f"{field}:{value}" if is_plain else f'{field}:"{value}"'


_NEEDS_QUOTES = re.compile(r"[\s()（）：＊＝－～]|^[-\u2010-\u2015\u2212]")


# --- kinds ----------------------------------------------------------------------------------------


def extract_kind_part(query: Query) -> Query | None:
    """The part of a query that asks for kinds of events, by ``kind:``; None if it leaves them open.

    Who follows ``graph OR (id:2401.00001 kind:version)`` asks for versions of that paper, whatever kinds the
    digest tells, and leaves open what to hear of graphs. It grows by at most the query for each ``kind:`` in it.
    """
    match query:
        case Fact(field="kind"):
            return query
        case Or():
            parts = tuple(part for part in map(extract_kind_part, query.queries) if part)
            return _build_or(parts)
        case And():
            parts = tuple(
                And(queries=(*query.queries[:index], part, *query.queries[index + 1 :]))
                for index, part in enumerate(map(extract_kind_part, query.queries))
                if part
            )
            return _build_or(parts)
        case _:
            return None


def _build_or(queries: tuple[Query, ...]) -> Query | None:
    return Or(queries=queries) if len(queries) > 1 else queries[0] if queries else None


# --- persons --------------------------------------------------------------------------------------


def iter_authors(query: Query) -> Iterator[ByAuthor]:
    """All persons that a query names, those behind a NOT too."""
    match query:
        case ByAuthor():
            yield query
        case Not():
            yield from iter_authors(query.query)
        case And() | Or():
            for part in query.queries:
                yield from iter_authors(part)
        case _:
            return


# --- stored ---------------------------------------------------------------------------------------


def compile_query(query: Query) -> str:
    """A query as compact JSON, to be loaded without being read again; ``load(compiled(query)) == query``."""
    return json.dumps(_to_list(query), ensure_ascii=False, separators=(",", ":"))


def load_compiled(text: str) -> Query:
    """The query of a text that ``compiled`` made."""
    return _from_list(json.loads(text))


def has_author_ids(text: str) -> bool:
    """Whether a compiled query names a person by ids, without loading it."""
    return '["a",' in text and bool(_AUTHOR_WITH_IDS.search(text))


def iter_named_papers(text: str) -> Iterator[tuple[str, str]]:
    """The papers that a compiled query names, without loading it: ``id`` or ``cites``, and the key."""
    for field, value in _PAPER_FACT.findall(text):
        yield field, json.loads(f'"{value}"')


def has_not_and_author(text: str) -> bool:
    """Whether a compiled query has a NOT and a person, who may be behind it."""
    return '["a",' in text and '["!",' in text


_PAPER_FACT = re.compile(r'\["f","(id|cites)","((?:[^"\\]|\\.)*)"\]')
_AUTHOR_WITH_IDS = re.compile(r'\["a","(?:[^"\\]|\\.)*",\[')
"""A quotation mark within a text has a backslash before it: no text looks like this."""


def _to_list(query: Query) -> list[Any]:  # noqa: PLR0911 - one line a kind
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
            return ["&", *map(_to_list, query.queries)]
        case Or():
            return ["|", *map(_to_list, query.queries)]
        case Not():
            return ["!", _to_list(query.query)]


def _from_list(values: Any) -> Query:
    try:
        kind, *fields = values
        return _CONSTRUCTORS[kind](*fields)
    except (KeyError, TypeError, ValueError):
        raise ValueError(f"this is no compiled query: {values!r:.80}") from None


_CONSTRUCTORS: dict[str, Callable[..., Query]] = {
    "p": lambda field, near, *units: Phrase(field=field, units=tuple(map(tuple, units)), near=near),
    "e": lambda field, text: Exact(field=field, text=text),
    "b": lambda field, *unit: Prefix(field=field, unit=unit),
    "a": lambda name, *ids: ByAuthor(name=name, ids=tuple(map(_read_id, ids))),
    "c": lambda code, primary: InCategory(code=code, primary=bool(primary)),
    "f": lambda field, value: Fact(field=field, value=value),
    "&": lambda *parts: And(queries=tuple(map(_from_list, parts))),
    "|": lambda *parts: Or(queries=tuple(map(_from_list, parts))),
    "!": lambda part: Not(query=_from_list(part)),
}


def _read_id(values: list[str]) -> tuple[str, str]:
    scheme, value = values
    return scheme, value
