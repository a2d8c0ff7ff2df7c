"""A list of ids, DOIs and addresses, one a line; what follows one on its line is its title."""

from __future__ import annotations

from digest.core.papers.identity.ids import paper_key
from digest.core.subscribers.library.entries import Record

_LONGEST = 2_500
"""Characters of a line that are looked at: no address is longer."""
_SHOWN = 60
"""Characters of a line that a message shows."""


def read(text: str) -> tuple[list[Record], list[str]]:
    """The records of a list, and what is broken in it, a sentence each."""
    records: list[Record] = []
    broken: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        written = line[:_LONGEST].strip()
        if not written or written[0] in "#%":
            continue
        first, _, rest = written.partition(" ")
        if paper_key(written):
            records.append(Record(place=f"line {number}", fields={"eprint": written, "url": written}))
        elif paper_key(first):
            fields = {"eprint": first, "url": first, "title": rest.strip(" \t#,;-–—")}
            records.append(Record(place=f"line {number}", fields=fields))
        else:
            broken.append(f"line {number}: {written[:_SHOWN]!r} is no id, DOI or address.")
    return records, broken
