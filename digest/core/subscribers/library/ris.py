"""RIS, as EndNote, Mendeley, publishers and databases export it; read by rispy, a record at a time.

Given more than one, rispy takes a record without its end for the beginning of the next one, and loses the last.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from digest.core.subscribers.library.entries import Record

BEGINNING = r"TY {1,2}-"
_RECORD = re.compile(rf"^(?={BEGINNING})", re.MULTILINE)
_TAG = re.compile(r"^([A-Z][A-Z0-9]) {1,2}- ?", re.MULTILINE)
_END = re.compile(r"^ER  - .*", re.MULTILINE | re.DOTALL)
_NAMES = {
    "primary_title": "title",
    "urls": "url",
    "journal_name": "journal",
    "alternate_title3": "journal",
    "secondary_title": "journal",
    "start_page": "pages",
    "notes_abstract": "abstract",
    "accession_number": "archiveid",
    "file_attachments1": "file",
    "file_attachments2": "file",
}
"""What others call fields of rispy's."""


def read(text: str) -> tuple[list[Record], list[str]]:
    """The records of a file, and what is broken in it, a sentence each."""
    import rispy

    records, broken = [], []
    line, counted = 1, 0
    starts = [found.start() for found in _RECORD.finditer(text)]
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        line, counted = line + text.count("\n", counted, start), start
        written = _END.sub("", _TAG.sub(r"\1  - ", text[start:end]))
        try:
            # A semicolon parts no addresses: DOIs have some.
            (found,) = rispy.loads(
                f"{written}\nER  - ", delimiter_tags_mapping={}, enforce_list_tags=False, newline="\n"
            )
        except (ValueError, LookupError, AttributeError, TypeError):
            broken.append(f"line {line}: this is no record of RIS.")
            continue
        records.append(Record(place=f"line {line}", fields=_fields(found)))
    return records, broken


def _fields(found: Mapping[str, Any]) -> dict[str, str]:
    fields: dict[str, str] = {}
    for name, value in _flat(found):
        known = _NAMES.get(name, name)
        fields[known] = f"{fields[known]} {value}" if known in fields and known != "title" else value
    return fields


def _flat(found: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """A name for each text; unknown tags are below a name of their own."""
    for name, value in found.items():
        if isinstance(value, Mapping):
            yield from ((str(tag).lower(), " ".join(map(str, texts))) for tag, texts in value.items())
        elif isinstance(value, list):
            yield name, " ".join(map(str, value))
        else:
            yield name, str(value)
