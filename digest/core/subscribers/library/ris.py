"""Parser for RIS as EndNote, Mendeley, publishers and databases export it, based on rispy.

It passes one record at a time to rispy, which would otherwise take a record without its end for the beginning
of the next one, and lose the last one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from digest.core.subscribers.library.entries import LibraryRecord

RECORD_START = r"TY {1,2}-"
_RECORD = re.compile(rf"^(?={RECORD_START})", re.MULTILINE)
_TAG = re.compile(r"^([A-Z][A-Z0-9]) {1,2}- ?", re.MULTILINE)
_END = re.compile(r"^ER  - .*", re.MULTILINE | re.DOTALL)
_FIELD_NAMES = {
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
"""Names of rispy's fields in the other formats."""


def read_ris(text: str) -> tuple[list[LibraryRecord], list[str]]:
    """Return the records of a file, and a sentence about each problem."""
    import rispy

    records, broken = [], []
    line, counted_to = 1, 0
    starts = [entry.start() for entry in _RECORD.finditer(text)]
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        line, counted_to = line + text.count("\n", counted_to, start), start
        chunk = _END.sub("", _TAG.sub(r"\1  - ", text[start:end]))
        try:
            # Addresses are not split at semicolons, because DOIs can contain them.
            (entry,) = rispy.loads(
                f"{chunk}\nER  - ", delimiter_tags_mapping={}, enforce_list_tags=False, newline="\n"
            )
        except (ValueError, LookupError, AttributeError, TypeError):
            broken.append(f"line {line}: this is not a RIS record.")
            continue
        records.append(LibraryRecord(place=f"line {line}", fields=_collect_fields(entry)))
    return records, broken


def _collect_fields(entry: Mapping[str, Any]) -> dict[str, str]:
    fields: dict[str, str] = {}
    for name, value in _iter_texts(entry):
        field = _FIELD_NAMES.get(name, name)
        fields[field] = f"{fields[field]} {value}" if field in fields and field != "title" else value
    return fields


def _iter_texts(entry: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield each text with its name; rispy puts unknown tags into a mapping."""
    for name, value in entry.items():
        if isinstance(value, Mapping):
            yield from ((str(tag).lower(), " ".join(map(str, texts))) for tag, texts in value.items())
        elif isinstance(value, list):
            yield name, " ".join(map(str, value))
        else:
            yield name, str(value)
