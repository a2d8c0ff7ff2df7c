"""Parsing of libraries that reference managers export.

Supported are BibTeX and BibLaTeX, RIS, CSL JSON, Zotero's JSON and CSV, other CSV with titles and DOIs or
addresses, and lists with one ID a line. The format is detected from the content, because file names are
unreliable.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from digest.core.subscribers.library import bibtex, listed, ris, structured
from digest.core.subscribers.library.entries import (
    Library,
    LibraryEntry,
    LibraryRecord,
    fold_title,
    make_entry,
    require_few_entries,
)
from digest.errors import ConfigError

__all__ = [
    "MAX_LIBRARY_BYTES",
    "Library",
    "LibraryEntry",
    "decode_text",
    "fold_title",
    "has_format",
    "read_library",
]

MAX_LIBRARY_BYTES = 64 * 1024 * 1024
"""Maximum size of a library, in bytes; 20,000 papers with abstracts take 30 MB."""

_BYTE_ORDER_MARKS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_FORMAT_NAMES = "BibTeX, RIS, CSL JSON, Zotero's CSV, or a list of ids and DOIs, one per line"


def read_library(content: bytes) -> Library:
    """Parse a library file.

    An invalid entry does not affect others. A paper that occurs several times is included once.

    Args:
        content: the whole file.

    Raises:
        ConfigError: the file is not a library, or too large.
    """
    if len(content) > MAX_LIBRARY_BYTES:
        raise ConfigError(
            f"it has more than {MAX_LIBRARY_BYTES >> 20} MB; export it without attachments and notes"
        )
    format_name, records, broken = _read_records(decode_text(content))
    require_few_entries(len(records))
    library = _make_library(format_name, records, broken)
    if not library.entries:
        detail = f"; {broken[0]}" if broken else ""
        raise ConfigError(f"it contains no entry that can be read as {format_name}{detail}")
    return library


def decode_text(content: bytes) -> str:
    """Decode a text by its byte order mark, as UTF-8, or else as Windows-1252, which old programs write.

    Raises:
        ConfigError: it is not a text.
    """
    encoding = next((encoding for bom, encoding in _BYTE_ORDER_MARKS if content.startswith(bom)), "utf-8")
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        text = content.decode("cp1252", "replace")
    if "\x00" in text:
        raise ConfigError(f"it is not a text file; export the library as {_FORMAT_NAMES}")
    return text.replace("\r\n", "\n").replace("\r", "\n")


_BIBTEX = re.compile(rf"^[^\S\n]*{bibtex.ENTRY_START}", re.MULTILINE)
_RIS = re.compile(rf"^{ris.RECORD_START}", re.MULTILINE)


def has_format(text: str) -> bool:
    """Whether a text is in one of the formats of reference managers, and no list."""
    return bool(
        text.lstrip()[:1] in {"[", "{"}
        or _BIBTEX.search(text)
        or _RIS.search(text)
        or structured.detect_delimiter(text)
    )


def _read_records(text: str) -> tuple[str, list[LibraryRecord], list[str]]:
    """Return the name of the format, the records, and a sentence about each problem."""
    start = text.lstrip()[:1]
    if not start:
        raise ConfigError("the file is empty")
    if start == "<":
        raise ConfigError(f"it is XML or a web page; export the library as {_FORMAT_NAMES}")
    if start in "[{":
        return structured.read_json(text)
    # Entries are counted before they are read, because a hostile file of 10 MB has a million of them.
    if _BIBTEX.search(text):
        require_few_entries(sum(1 for _ in bibtex.find_entries(text)))
        return "BibTeX", *bibtex.read_bibtex(text)
    if _RIS.search(text):
        require_few_entries(sum(1 for _ in _RIS.finditer(text)))
        return "RIS", *ris.read_ris(text)
    if delimiter := structured.detect_delimiter(text):
        return structured.read_csv(text, delimiter)
    require_few_entries(text.count("\n"))
    return "a list of ids", *listed.read_id_list(text)


def _make_library(format_name: str, records: Iterable[LibraryRecord], broken: list[str]) -> Library:
    entries: dict[str, LibraryEntry] = {}
    repeated: list[tuple[LibraryEntry, LibraryEntry]] = []
    for record in records:
        entry = make_entry(record)
        if entry.key is None and (record.broken or not entry.title):
            if not record.broken:
                broken.append(f"{entry.place} has neither a title nor an id.")
            continue
        name = entry.key or f"title:{entry.title.casefold()}"
        if name in entries:
            repeated.append((entries[name], entry))
        else:
            entries[name] = entry
    return Library(
        format_name=format_name,
        entries=tuple(entries.values()),
        repeated=tuple(repeated),
        broken=tuple(broken),
    )
