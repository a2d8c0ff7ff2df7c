"""A reader's library: which papers stand in a file that a reference manager wrote.

Read are BibTeX and BibLaTeX, RIS, CSL JSON, Zotero's JSON and CSV, other CSV with titles and DOIs or addresses,
and lists of ids, one a line. The form is told by the content; names of files say little.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from digest.core.subscribers.library import bibtex, listed, ris, structured
from digest.core.subscribers.library.entries import Entry, Library, Record, entry_of, folded_title
from digest.errors import ConfigError

__all__ = ["MOST_BYTES", "Entry", "Library", "folded_title", "read_library"]

MOST_BYTES = 64 * 1024 * 1024
"""A library of 20,000 papers with their abstracts has 30 MB."""
_MOST_ENTRIES = 50_000

_MARKS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_FORMS = "BibTeX, RIS, CSL JSON, Zotero's CSV, or a list of ids and DOIs, one a line"


def read_library(content: bytes) -> Library:
    """The papers that a file lists.

    An entry that is broken loses no other. One paper is there once, however often the file has it.

    Args:
        content: the whole file.

    Raises:
        ConfigError: this is no library, or one beyond all measure.
    """
    if len(content) > MOST_BYTES:
        raise ConfigError(f"it has more than {MOST_BYTES >> 20} MB; export it without attachments and notes")
    text = _text(content)
    form, records, broken = _records(text)
    if len(records) > _MOST_ENTRIES:
        raise ConfigError(f"it has more than {_MOST_ENTRIES:,} entries; take a part of it")
    library = _library(form, records, broken)
    if not library.entries:
        first = f"; {broken[0]}" if broken else ""
        raise ConfigError(f"there is no entry in it that can be read as {form}{first}")
    return library


def _text(content: bytes) -> str:
    """The text, in whatever encoding: reference managers of old write Windows' own."""
    encoding = next((encoding for mark, encoding in _MARKS if content.startswith(mark)), "utf-8")
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        text = content.decode("cp1252", "replace")
    if "\x00" in text:
        raise ConfigError(f"it is no text; export the library as {_FORMS}")
    return text.replace("\r\n", "\n").replace("\r", "\n")


_BIBTEX = re.compile(rf"^[^\S\n]*{bibtex.BEGINNING}", re.MULTILINE)
_RIS = re.compile(rf"^{ris.BEGINNING}", re.MULTILINE)


def _records(text: str) -> tuple[str, list[Record], list[str]]:
    """The form, its records, and what is broken, a sentence each."""
    start = text.lstrip()[:1]
    if not start:
        raise ConfigError("there is nothing in it")
    if start == "<":
        raise ConfigError(f"it is XML or a web page; export the library as {_FORMS}")
    if start in "[{":
        return structured.read_json(text)
    if _BIBTEX.search(text):
        return "BibTeX", *bibtex.read(text)
    if _RIS.search(text):
        return "RIS", *ris.read(text)
    if delimiter := structured.delimiter_of(text):
        return structured.read_csv(text, delimiter)
    return "a list of ids", *listed.read(text)


def _library(form: str, records: Iterable[Record], broken: list[str]) -> Library:
    entries: dict[str, Entry] = {}
    repeated: list[tuple[Entry, Entry]] = []
    for record in records:
        entry = entry_of(record)
        if entry.key is None and (record.broken or not entry.title):
            if not record.broken:
                broken.append(f"{entry.place} has neither a title nor an id.")
            continue
        name = entry.key or f"title:{entry.title.casefold()}"
        if name in entries:
            repeated.append((entries[name], entry))
        else:
            entries[name] = entry
    return Library(form=form, entries=tuple(entries.values()), repeated=tuple(repeated), broken=tuple(broken))
