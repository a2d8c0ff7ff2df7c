"""Parser for lists of IDs, DOIs and addresses, one a line, optionally followed by a title."""

from __future__ import annotations

from digest.core.papers.identity.ids import parse_paper_key
from digest.core.subscribers.library.entries import LibraryRecord

_MAX_LINE_LENGTH = 2_500
"""Maximum number of characters of a line that are parsed; addresses are shorter."""
_EXCERPT_LENGTH = 60
"""Number of characters of an invalid line that a message shows."""


def read_id_list(text: str) -> tuple[list[LibraryRecord], list[str]]:
    """Return the records of a list, and a sentence about each problem."""
    records: list[LibraryRecord] = []
    broken: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        content = line[:_MAX_LINE_LENGTH].strip()
        if not content or content[0] in "#%":
            continue
        fields = read_id(content)
        if fields:
            records.append(LibraryRecord(place=f"line {number}", fields=fields))
        else:
            broken.append(f"line {number}: {content[:_EXCERPT_LENGTH]!r} is not an id, a DOI or an address.")
    return records, broken


def read_id(line: str) -> dict[str, str]:
    """Return the fields of the paper of a line: an ID, a DOI or an address, perhaps with a title; empty for another line."""
    first, _, remainder = line.partition(" ")
    if parse_paper_key(line):
        return {"eprint": line, "url": line}
    if parse_paper_key(first):
        return {"eprint": first, "url": first, "title": remainder.strip(" \t#,;-–—")}
    return {}
