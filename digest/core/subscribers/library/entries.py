"""Papers of a library: the title and the most reliable ID of an entry, whatever field contains it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from digest.core.language.quotes import strip_quotes
from digest.core.papers.identity.ids import (
    limit_key,
    make_page_key,
    parse_arxiv_id,
    parse_arxiv_key,
    parse_doi,
    parse_paper_key,
)
from digest.core.text.cleaning import normalize_line
from digest.core.text.tex import tex_to_unicode
from digest.errors import ConfigError
from digest.model import PaperKey


class LibraryRecord(NamedTuple):
    """An entry of a library, before it is interpreted."""

    place: str
    """Where it is in the file, for messages: its BibTeX key, or its line."""
    fields: Mapping[str, str]
    """Values by field name in lower case; ``title`` in all formats."""
    broken: bool = False
    """Whether only a part of it could be parsed."""


class LibraryEntry(NamedTuple):
    """A paper of a library."""

    place: str
    title: str
    """One line without TeX and markup; "" if it has none."""
    key: PaperKey | None
    """None if the entry contains neither an ID nor an address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """The content of a library file.

    Attributes:
        format_name: the name of the format, for messages.
        entries: each paper once, in the order of the file.
        repeated: pairs of an entry and a later one of the same paper.
        broken: a sentence about each problem.
    """

    format_name: str
    entries: tuple[LibraryEntry, ...]
    repeated: tuple[tuple[LibraryEntry, LibraryEntry], ...] = ()
    broken: tuple[str, ...] = ()

    @property
    def papers(self) -> Iterator[tuple[PaperKey, LibraryEntry]]:
        """Keys and entries of the papers that can be followed."""
        return ((entry.key, entry) for entry in self.entries if entry.key is not None)

    @property
    def without_id(self) -> tuple[LibraryEntry, ...]:
        """The entries that have a title but no key."""
        return tuple(entry for entry in self.entries if entry.key is None)


_MAX_ENTRIES = 50_000


def require_few_entries(count: int) -> None:
    """Refuse a library with too many entries.

    Raises:
        ConfigError: there are more than 50,000.
    """
    if count > _MAX_ENTRIES:
        raise ConfigError(f"it has more than {_MAX_ENTRIES:,} entries; use a part of it")


_MAX_TITLE_LENGTH = 500
_BRACES = str.maketrans("", "", "{}")


def make_entry(record: LibraryRecord) -> LibraryEntry:
    """Return the paper that a record describes."""
    title = normalize_line(record.fields.get("title", "")[: 4 * _MAX_TITLE_LENGTH])
    if "\\" not in title:  # most titles have no TeX except braces, which protect capitals
        title = title.translate(_BRACES)
    title = tex_to_unicode(title)[:_MAX_TITLE_LENGTH]
    return LibraryEntry(place=record.place, title=title, key=choose_key(record.fields))


# --- ids ------------------------------------------------------------------------------------------

_ARXIV_FIELDS = ("eprint", "arxivid", "arxiv", "archiveid", "archive_location", "archivelocation")
"""Fields that contain an arXiv ID, unless the entry says that it is the ID of another archive."""
_ARCHIVE_FIELDS = (
    "eprinttype",
    "archiveprefix",
    "archive",
    "repository",
    "publisher",
    "journal",
    "journaltitle",
)
_NUMBER_FIELDS = ("number", "volume", "pages", "eid", "report number", "reportnumber", "archive location")
"""Fields that may contain an arXiv ID if the entry says that its archive or journal is arXiv."""
_IGNORED_FIELDS = frozenset(
    (
        *("title", "abstract", "abstractnote", "abstract note", "ab", "n2", "keywords", "kw"),
        *(
            "author",
            "editor",
            "au",
            "references",
            "cites",
            "related",
            "annote",
            "annotation",
            "review",
            "notes",
        ),
        *("file", "l1", "l2", "file attachments", "link attachments", "manual tags", "automatic tags"),
    )
)
"""Fields that may also mention other papers."""
_LINK_FIELDS = ("url", "link", "ee", "howpublished", "bdsk-url-1", "pdf", "source")
_ARXIV_REFERENCE = re.compile(
    r"""(?:https?://)? (?:[\w-]+\.)* (?:arxiv\.org|alphaxiv\.org|huggingface\.co/papers) /[^\s{}<>"',;]+
      | 10\.48550/arxiv\.[^\s{}<>"',;]+
      | \b arxiv (?:\s+(?:preprint|e-?print)s?)? [\s:,]* (?:arxiv\s*:\s*)? (?:abs/)? [\w./-]*\d[\w./-]*""",
    re.VERBOSE | re.IGNORECASE,
)
_DOI = re.compile(r"(?:doi\s*[:=]?\s*|doi\.org/)(10\.\d{4,9}/[^\s{}\"]+)", re.IGNORECASE)
_URL = re.compile(r"https?://[^\s{}<>\"]+", re.IGNORECASE)
_COMMAND = re.compile(r"\\(?:url|href|path|nolinkurl|doi|texttt|tt)(?![A-Za-z])")
_SIGN = re.compile(r"\\(textless|textgreater|textunderscore|textasciitilde)(?![A-Za-z])(?:\{\}|\s+)?")
_SIGNS = {"textless": "<", "textgreater": ">", "textunderscore": "_", "textasciitilde": "~"}
_IN_FORMULA = re.compile(r"\$([<>])\$")
_BRACE = re.compile(r"(?<!\\)[{}]")
_ESCAPED = re.compile(r"\\([^A-Za-z0-9\s])")
_MAX_FIELD_LENGTH = 10_000
"""Maximum number of characters of a field that are searched; IDs are at the beginning."""


def choose_key(fields: Mapping[str, str]) -> PaperKey | None:
    """Return the key of the paper that an entry describes, or None.

    An arXiv ID is preferred, from any field that does not also mention other papers; then a DOI, then an
    address.

    Args:
        fields: values by field name in lower case.
    """
    own_fields = {
        name: _strip_tex(text) for name, text in fields.items() if text and name not in _IGNORED_FIELDS
    }
    for find_key in (_find_arxiv_key, _find_doi_key, _find_page_key):
        if (key := find_key(own_fields)) and is_queryable(key):
            return key
    return None


def is_queryable(key: PaperKey) -> bool:
    """Return True if a query can contain the key: without quotes, and parsed as the same key.

    A key with an unknown TeX command is not a valid ID.
    """
    return "\\" not in key and strip_quotes(key) == key == parse_paper_key(key.rstrip(",;"))


def _strip_tex(text: str) -> str:
    r"""Return a field without TeX: a DOI such as ``58452-8{\_}13`` must not be cut at a brace."""
    text = text[:_MAX_FIELD_LENGTH]
    if "\\" in text or "{" in text or "$" in text:
        if "\\href" in text:  # \href has two arguments, an address and its text
            text = text.replace("}{", " ")
        text = _SIGN.sub(lambda match: _SIGNS[match[1]], _COMMAND.sub(" ", text))
        text = _ESCAPED.sub(r"\1", _BRACE.sub("", _IN_FORMULA.sub(r"\1", text)))
    return " ".join(text.split())


def _find_arxiv_key(fields: Mapping[str, str]) -> PaperKey | None:
    archives = [fields[name].lower() for name in _ARCHIVE_FIELDS if name in fields]
    is_at_arxiv = any("arxiv" in archive or archive == "corr" for archive in archives)
    is_elsewhere = not is_at_arxiv and ("eprinttype" in fields or "archiveprefix" in fields)
    id_fields = (() if is_elsewhere else _ARXIV_FIELDS) + (_NUMBER_FIELDS if is_at_arxiv else ())
    for name in id_fields:
        if name in fields and (key := parse_arxiv_key(fields[name])):
            return key
    preferred = [name for name in ("doi", *_LINK_FIELDS, "journal", "journaltitle") if name in fields]
    for name in (*preferred, *(name for name in fields if name not in preferred)):
        for reference in _find_arxiv_references(fields[name]):
            if key := parse_arxiv_key(reference.rstrip(".,;:)]")):
                return key
    return None


def _find_arxiv_references(text: str) -> Iterator[str]:
    """Yield the parts of a text that are marked as arXiv IDs; a bare number may be anything."""
    lower = text.lower()
    if "arxiv" not in lower and "abs/" not in lower and "hugging" not in lower:
        return
    if parse_arxiv_id(text):
        yield text
    for match in _ARXIV_REFERENCE.finditer(text):
        yield match[0]


def _find_doi_key(fields: Mapping[str, str]) -> PaperKey | None:
    for name in ("doi", *_LINK_FIELDS):
        if name in fields and (doi_id := parse_doi(fields[name])):
            return limit_key(f"doi:{doi_id}")
    for text in fields.values():
        if (match := _DOI.search(text)) and (doi_id := parse_doi(match[1].rstrip(".,;"))):
            return limit_key(f"doi:{doi_id}")
    return None


def _find_page_key(fields: Mapping[str, str]) -> PaperKey | None:
    for name in _LINK_FIELDS:
        for match in _URL.finditer(fields.get(name, "")):
            if key := make_page_key(match[0].rstrip(".,;")):
                return key
    return None


_NON_WORD = re.compile(r"[\W_]+")


def fold_title(title: str) -> str:
    """Return a title for comparison: without TeX, case, diacritics and signs."""
    plain = unicodedata.normalize("NFKD", tex_to_unicode(title)).casefold()
    return _NON_WORD.sub(
        " ", "".join(character for character in plain if not unicodedata.combining(character))
    ).strip()
