"""What a library's entry says of a paper: its title, and the best of its ids, whatever field that stands in."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from digest.core.language.quotes import without_quotes
from digest.core.papers.identity.ids import arxiv_id, arxiv_key, bounded_key, doi, page_key, paper_key
from digest.core.text.cleaning import plain_line
from digest.core.text.tex import tex_to_unicode
from digest.model import PaperKey


class Record(NamedTuple):
    """An entry as its form has it."""

    place: str
    """Where in the file it is, for people: its BibTeX key, or its line."""
    fields: Mapping[str, str]
    """By name in lower case; the title is called so."""
    broken: bool = False
    """It could be read in part only."""


class Entry(NamedTuple):
    """A paper of a library."""

    place: str
    title: str
    """Without TeX and markup, on one line; "" if it has none."""
    key: PaperKey | None
    """None: it has no id and no address to know it by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """What a file holds.

    Attributes:
        form: how it is written, as people call that.
        entries: each paper once, in the order of the file.
        repeated: entries that are a paper which an earlier one is: that one, and it.
        broken: what could not be read, or in part only, a sentence each.
    """

    form: str
    entries: tuple[Entry, ...]
    repeated: tuple[tuple[Entry, Entry], ...] = ()
    broken: tuple[str, ...] = ()

    @property
    def papers(self) -> Iterator[tuple[PaperKey, Entry]]:
        """The entries that can be followed, by their keys."""
        return ((entry.key, entry) for entry in self.entries if entry.key is not None)

    @property
    def without_id(self) -> tuple[Entry, ...]:
        """The entries that are known by title only."""
        return tuple(entry for entry in self.entries if entry.key is None)


_LONGEST_TITLE = 500
_BRACES = str.maketrans("", "", "{}")


def entry_of(record: Record) -> Entry:
    """What a record is about."""
    title = plain_line(record.fields.get("title", "")[: 4 * _LONGEST_TITLE])
    if "\\" not in title:  # most have no TeX but braces, which keep their capitals
        title = title.translate(_BRACES)
    title = tex_to_unicode(title)[:_LONGEST_TITLE]
    return Entry(place=record.place, title=title, key=best_key(record.fields))


# --- ids ------------------------------------------------------------------------------------------

_OF_ARXIV = ("eprint", "arxivid", "arxiv", "archiveid", "archive_location", "archivelocation")
"""Fields that hold an id of arXiv as such, if the entry does not say that it is somebody else's."""
_KEEPERS = ("eprinttype", "archiveprefix", "archive", "repository", "publisher", "journal", "journaltitle")
_NUMBERS = ("number", "volume", "pages", "eid", "report number", "reportnumber", "archive location")
"""Fields that may hold an id of arXiv where the entry says that arXiv is its journal."""
_NOT_ITS_OWN = frozenset(
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
"""Fields that speak of other papers, too."""
_LINKS = ("url", "link", "ee", "howpublished", "bdsk-url-1", "pdf", "source")
_INSIDE = re.compile(
    r"""(?:https?://)? (?:[\w-]+\.)* (?:arxiv\.org|alphaxiv\.org|huggingface\.co/papers) /[^\s{}<>"',;]+
      | 10\.48550/arxiv\.[^\s{}<>"',;]+
      | \b arxiv (?:\s+(?:preprint|e-?print)s?)? [\s:,]* (?:arxiv\s*:\s*)? (?:abs/)? [\w./-]*\d[\w./-]*""",
    re.VERBOSE | re.IGNORECASE,
)
_A_DOI = re.compile(r"(?:doi\s*[:=]?\s*|doi\.org/)(10\.\d{4,9}/[^\s{}\"]+)", re.IGNORECASE)
_AN_ADDRESS = re.compile(r"https?://[^\s{}<>\"]+", re.IGNORECASE)
_COMMAND = re.compile(r"\\(?:url|href|path|nolinkurl|doi|texttt|tt)(?![A-Za-z])")
_SIGN = re.compile(r"\\(textless|textgreater|textunderscore|textasciitilde)(?![A-Za-z])(?:\{\}|\s+)?")
_SIGNS = {"textless": "<", "textgreater": ">", "textunderscore": "_", "textasciitilde": "~"}
_IN_FORMULA = re.compile(r"\$([<>])\$")
_BRACE = re.compile(r"(?<!\\)[{}]")
_ESCAPED = re.compile(r"\\([^A-Za-z0-9\s])")
_LONGEST = 10_000
"""Characters of a field that are looked at; ids stand at the beginning."""


def best_key(fields: Mapping[str, str]) -> PaperKey | None:
    """The key of the paper that an entry is about.

    An id of arXiv comes first, wherever it stands but in fields that also speak of other papers; then the DOI,
    then the address.

    Args:
        fields: by name in lower case.
    """
    mine = {name: _plain(text) for name, text in fields.items() if text and name not in _NOT_ITS_OWN}
    for found_by in (_by_arxiv, _by_doi, _by_page):
        if (key := found_by(mine)) and _can_be_asked_for(key):
            return key
    return None


def _can_be_asked_for(key: PaperKey) -> bool:
    """Whether a query can name it: what stands in one has no quotes, and is read as this very key.

    One with TeX that is not known here is nobody's id.
    """
    return "\\" not in key and without_quotes(key) == key == paper_key(key.rstrip(",;"))


def _plain(text: str) -> str:
    r"""A field without TeX: some write ``58452-8{\_}13`` in a DOI, and what is cut there is another one."""
    text = text[:_LONGEST]
    if "\\" in text or "{" in text or "$" in text:
        if "\\href" in text:  # an address and its text
            text = text.replace("}{", " ")
        text = _SIGN.sub(lambda found: _SIGNS[found[1]], _COMMAND.sub(" ", text))
        text = _ESCAPED.sub(r"\1", _BRACE.sub("", _IN_FORMULA.sub(r"\1", text)))
    return " ".join(text.split())


def _by_arxiv(fields: Mapping[str, str]) -> PaperKey | None:
    keepers = [fields[name].lower() for name in _KEEPERS if name in fields]
    at_arxiv = any("arxiv" in keeper or keeper == "corr" for keeper in keepers)
    somebody_else = not at_arxiv and ("eprinttype" in fields or "archiveprefix" in fields)
    bare = (() if somebody_else else _OF_ARXIV) + (_NUMBERS if at_arxiv else ())
    for name in bare:
        if name in fields and (key := arxiv_key(fields[name])):
            return key
    first = [name for name in ("doi", *_LINKS, "journal", "journaltitle") if name in fields]
    for name in (*first, *(name for name in fields if name not in first)):
        for written in _named(fields[name]):
            if key := arxiv_key(written.rstrip(".,;:)]")):
                return key
    return None


def _named(text: str) -> Iterator[str]:
    """What in a text calls itself an id of arXiv; a bare number may be anything."""
    low = text.lower()
    if "arxiv" not in low and "abs/" not in low and "hugging" not in low:
        return
    if arxiv_id(text):
        yield text
    for found in _INSIDE.finditer(text):
        yield found[0]


def _by_doi(fields: Mapping[str, str]) -> PaperKey | None:
    for name in ("doi", *_LINKS):
        if name in fields and (found := doi(fields[name])):
            return bounded_key(f"doi:{found}")
    for text in fields.values():
        if (named := _A_DOI.search(text)) and (found := doi(named[1].rstrip(".,;"))):
            return bounded_key(f"doi:{found}")
    return None


def _by_page(fields: Mapping[str, str]) -> PaperKey | None:
    for name in _LINKS:
        for found in _AN_ADDRESS.finditer(fields.get(name, "")):
            if key := page_key(found[0].rstrip(".,;")):
                return key
    return None


_NO_WORD = re.compile(r"[\W_]+")


def folded_title(title: str) -> str:
    """A title to be compared: without TeX, case, diacritics and signs."""
    plain = unicodedata.normalize("NFKD", tex_to_unicode(title)).casefold()
    return _NO_WORD.sub(" ", "".join(sign for sign in plain if not unicodedata.combining(sign))).strip()
