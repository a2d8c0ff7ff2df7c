"""The parts of a query, how each is written as text, and how queries are stored.

``digest.core.language.parser`` turns what readers type into a query; the reference is
``docs/reference/follows.md``.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from digest.core.language.quotes import strip_quotes
from digest.core.papers.document import TextField
from digest.core.text.accents import decode_tex_accents
from digest.core.text.scripts import is_cjk
from digest.core.text.words import tex_to_unicode

# --- query types ----------------------------------------------------------------------------------

"""Field in which words are looked for; "" is title or abstract."""
Unit = tuple[str, ...]
"""A word, as a tuple of its parts; several if it has hyphens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """Words in this order in one field; a single word is a phrase, too.

    Attributes:
        field: "" for title or abstract.
        units: the words.
        near: maximum number of other words between them, in total; 0 if they must be adjacent.
    """

    field: TextField = ""
    units: tuple[Unit, ...]
    near: int = 0

    def __str__(self) -> str:
        words = _join_units(self.units)
        # Several CJK characters are quoted: without quotes, the text is the key of a query that an earlier release
        # compiled as a single word, and such rows still exist.
        is_bare = len(self.units) == 1 and not _RESERVED_WORDS.fullmatch(words)
        near = f"~{self.near}" if self.near else ""
        return _format_field_prefix(self.field) + (words if is_bare else f'"{words}"{near}')


@dataclass(frozen=True, slots=True, kw_only=True)
class Exact:
    """A word or phrase in exactly this spelling.

    Attributes:
        field: "" for title or abstract.
        text: as in a paper, without TeX, with one blank between words.
    """

    field: TextField = ""
    text: str

    def __str__(self) -> str:
        is_bare = re.fullmatch(r"[^\W_]+(-[^\W_]+)*", self.text)
        return f"{_format_field_prefix(self.field)}=" + (self.text if is_bare else f'"{self.text}"')


@dataclass(frozen=True, slots=True, kw_only=True)
class Prefix:
    """The beginning of a word.

    Attributes:
        field: "" for title or abstract.
        unit: the last part is the beginning of a word, and the parts before it are complete.
    """

    field: TextField = ""
    unit: Unit

    def __str__(self) -> str:
        return f"{_format_field_prefix(self.field)}{'-'.join(self.unit)}*"


@dataclass(frozen=True, slots=True, kw_only=True)
class ByAuthor:
    """A person who must be one of the authors.

    Attributes:
        name: as it may be printed; "" if only ids are known.
        ids: pairs of scheme and value.
    """

    name: str = ""
    ids: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return format_author(self.name, self.ids)


@dataclass(frozen=True, slots=True, kw_only=True)
class InCategory:
    """A category or archive that the paper must be in.

    Attributes:
        primary: whether it must be the first category, which the authors chose.
    """

    code: str
    primary: bool = False

    def __str__(self) -> str:
        return format_category(self.code, primary=self.primary)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A property that the paper or its event must have.

    Attributes:
        field: ``kind``, ``source``, ``has``, ``id``, ``cites`` or ``institution``.
        value: for ``id`` and ``cites`` the key of a paper, for ``institution`` ``ror:`` and the id.
    """

    field: str
    value: str

    def __str__(self) -> str:
        return format_fact(self.field, self.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class And:
    """A conjunction: all of these queries match."""

    queries: tuple[Query, ...]

    def __str__(self) -> str:
        return " AND ".join(map(_format_operand, self.queries))


@dataclass(frozen=True, slots=True, kw_only=True)
class Or:
    """A disjunction: at least one of these queries matches."""

    queries: tuple[Query, ...]

    def __str__(self) -> str:
        return " OR ".join(map(_format_operand, self.queries))


@dataclass(frozen=True, slots=True, kw_only=True)
class Not:
    """A negation: this query does not match surely or likely; a *maybe* does not count."""

    query: Query

    def __str__(self) -> str:
        return f"NOT ({self.query})" if isinstance(self.query, Not) else f"NOT {_format_operand(self.query)}"


TextQuery = Phrase | Exact | Prefix
"""A query for words in texts."""

Query = TextQuery | ByAuthor | InCategory | Fact | And | Or | Not

_RESERVED_WORDS = re.compile(
    r"and|or|not|andnot|o?near|adj\d*|\d{4}\.\d{4,5}(v\d+)?([+#].*)?|(?-i:AND|OR|NOT|ANDNOT)-.*",
    re.IGNORECASE,
)
"""Words that are words only in quotes: operators of this and of other languages, and ids of papers."""


def _join_units(units: Sequence[Unit]) -> str:
    """Join words to a text, without blanks between CJK characters."""
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
    """Return the query text for a keyword: a phrase, whatever signs it contains."""
    return f'"{strip_quotes(tex_to_unicode(text))}"'


def format_author(name: str, ids: tuple[tuple[str, str], ...] = ()) -> str:
    """Return the query text for a person with a name, ids (scheme and value), or both."""
    quoted = f'"{strip_quotes(decode_tex_accents(name))}"'
    if not ids:
        return f"author:{quoted}"
    formatted_ids = [f"{scheme}:{value}" for scheme, value in ids]
    if not name and len(formatted_ids) == 1:
        return f"author:{formatted_ids[0]}"
    return f"author:({' '.join([quoted, *formatted_ids] if name else formatted_ids)})"


def format_category(code: str, *, primary: bool = False) -> str:
    """Return the query text for a category or an archive.

    Args:
        code: its id.
        primary: whether only the first category of a paper counts.
    """
    field = "primary" if primary else "category"
    code = strip_quotes(code)
    is_plain = (
        code and all(character.isalnum() or character in ".-*" for character in code) and code[0].isalnum()
    )
    is_plain = is_plain and code not in {"AND", "OR", "NOT", "ANDNOT"}
    return f"{field}:{code}" if is_plain else f'{field}:"{code}"'


def format_institution(name: str, ror: str = "") -> str:
    """Return the query text for an institution: its name in an affiliation, or its ROR id if a source states it.

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
    """Return the query text for the events of a paper: new versions, publication, code."""
    return f"{format_fact('id', key)} (kind:version OR kind:published OR kind:code)"


def format_citing(key: str) -> str:
    """Return the query text for papers that cite a paper."""
    return format_fact("cites", key)


def format_fact(field: str, value: str) -> str:
    """Return the query text for a property of a paper.

    Args:
        field: its name.
        value: is quoted if it contains blanks or brackets, begins with a dash, or contains signs that would
            be replaced outside quotes.
    """
    value = strip_quotes(value)
    is_plain = value and not _NEEDS_QUOTES.search(value) and unicodedata.is_normalized("NFKC", value)
    return f"{field}:{value}" if is_plain else f'{field}:"{value}"'


_NEEDS_QUOTES = re.compile(r"[\s()（）：＊＝－～]|^[-\u2010-\u2015\u2212]")


# --- kinds ----------------------------------------------------------------------------------------


def extract_kind_part(query: Query) -> Query | None:
    """Return the part of a query that asks for kinds of events by ``kind:``; None if it leaves them open.

    ``graph OR (id:2401.00001 kind:version)`` asks for versions of that paper, whatever kinds the digest
    reports, and leaves the kinds for graphs open. For each ``kind:`` in it, the result contains the query at
    most once.
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
    """Yield all persons in a query, including those behind a NOT."""
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


def has_field(query: Query, field: str) -> bool:
    """Whether some part of a query looks in a text or at facts of a field."""
    match query:
        case And() | Or():
            return any(has_field(part, field) for part in query.queries)
        case Not():
            return has_field(query.query, field)
        case Phrase() | Exact() | Prefix() | Fact():
            return query.field == field
        case _:
            return False


# --- compiled form --------------------------------------------------------------------------------


CompiledLeaf = str
"""A leaf of a query as ``compile_query`` returns it."""


def compile_query(query: Query) -> str:
    """Return a query as compact JSON, which loads without parsing; ``load_compiled(compile_query(query)) == query``."""
    return json.dumps(_to_list(query), ensure_ascii=False, separators=(",", ":"))


def load_compiled(text: str) -> Query:
    """Return the query of a text that ``compile_query`` made.

    Raises:
        ValueError: the text is not a compiled query.
    """
    return _from_list(json.loads(text))


def has_author_ids(text: str) -> bool:
    """Whether a compiled query contains a person with ids; does not load it."""
    return '["a",' in text and bool(_AUTHOR_WITH_IDS.search(text))


def iter_named_papers(text: str) -> Iterator[tuple[str, str]]:
    """Yield the papers in a compiled query as field (``id`` or ``cites``) and key; does not load it."""
    for field, value in _PAPER_FACT.findall(text):
        yield field, json.loads(f'"{value}"')


def has_not_and_author(text: str) -> bool:
    """Whether a compiled query contains both a NOT and a person, who may be behind it."""
    return '["a",' in text and '["!",' in text


_PAPER_FACT = re.compile(r'\["f","(id|cites)","((?:[^"\\]|\\.)*)"\]')
_AUTHOR_WITH_IDS = re.compile(r'\["a","(?:[^"\\]|\\.)*",\[')
"""A person with ids in a compiled query. No text looks like this, because a quotation mark in a text is escaped."""


def _to_list(query: Query) -> list[Any]:  # noqa: PLR0911 - one line for each kind
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
        raise ValueError(f"this is not a compiled query: {values!r:.80}") from None


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
