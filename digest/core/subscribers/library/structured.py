"""Parser for CSL JSON, the JSON of Zotero's API and Better BibTeX, and CSV, based on the standard library."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from io import StringIO
from typing import Any

from digest.core.subscribers.library.entries import LibraryRecord, require_few_entries
from digest.errors import ConfigError

_NON_PAPER_TYPES = frozenset({"attachment", "note", "annotation"})
"""Types of Zotero's items that belong to a paper's item."""
_FIELD_NAMES = {"container-title": "journal", "publicationtitle": "journal", "publication title": "journal"}

# --- JSON -----------------------------------------------------------------------------------------


def read_json(text: str) -> tuple[str, list[LibraryRecord], list[str]]:
    """Return the name of the format, the records, and a sentence about each problem.

    Raises:
        ConfigError: the text is not JSON, or no list of items.
    """
    try:
        document = json.loads(text)
    except RecursionError:
        raise ConfigError("its brackets are nested too deeply") from None
    except ValueError as error:
        raise ConfigError(f"it is not JSON: {error}") from None
    items = document.get("items", [document]) if isinstance(document, dict) else document
    if not isinstance(items, list):
        raise ConfigError("it is JSON, but not a list of items in CSL JSON or in Zotero's format")
    require_few_entries(len(items))
    records: list[LibraryRecord] = []
    broken: list[str] = []
    format_name = "CSL JSON"
    for number, item in enumerate(items, 1):
        data = item.get("data", item) if isinstance(item, dict) else None
        if not isinstance(data, dict):
            broken.append(f"item {number} is not an item of CSL JSON or Zotero.")
            continue
        if "itemType" in data:
            format_name = "Zotero JSON"
        if data.get("itemType") not in _NON_PAPER_TYPES:
            records.append(LibraryRecord(place=f"item {number}", fields=dict(_iter_fields(data))))
    return format_name, records, broken


def _iter_fields(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in data.items():
        if isinstance(value, str | int | float):
            yield _FIELD_NAMES.get(name.lower(), name.lower()), str(value)


# --- CSV ------------------------------------------------------------------------------------------

_ID_COLUMNS = frozenset({"doi", "url", "link", "arxiv", "arxiv id", "eprint", "extra"})


def detect_delimiter(text: str) -> str:
    """Return the delimiter of a table that has titles, and IDs or addresses; "" if the text is not such a table."""
    header = text.lstrip().partition("\n")[0]
    delimiter = max(",;\t", key=header.count)
    names = {name.strip(' "').lower() for name in header.split(delimiter)}
    return delimiter if "title" in names and names & _ID_COLUMNS else ""


def read_csv(text: str, delimiter: str) -> tuple[str, list[LibraryRecord], list[str]]:
    """Return the name of the format, the records, and a sentence about each problem."""
    rows, broken = _parse_rows(text, delimiter)
    require_few_entries(len(rows))
    names = [_FIELD_NAMES.get(name, name) for name in (name.strip().lower() for name in rows[0])]
    records = []
    for number, row in enumerate(rows[1:], 1):
        fields = dict(zip(names, row, strict=False))
        if any(row) and fields.get("item type") not in _NON_PAPER_TYPES:
            records.append(LibraryRecord(place=f"row {number}", fields=fields))
    return ("Zotero CSV" if "item type" in names else "CSV"), records, broken


def _parse_rows(text: str, delimiter: str) -> tuple[list[list[str]], list[str]]:
    rows: list[list[str]] = []
    previous_limit = csv.field_size_limit(len(text))  # Zotero writes all notes of a paper into one column
    try:
        rows.extend(csv.reader(StringIO(text.lstrip(), newline=""), delimiter=delimiter))
    except csv.Error as error:
        return rows, [f"row {len(rows)}: {error}."]
    finally:
        csv.field_size_limit(previous_limit)
    return rows, []
