"""The fields of the follow language, and what to write for one that there is not."""

from __future__ import annotations

import difflib

from digest.core.language.syntax.foreign_syntax import foreign_field
from digest.core.papers.identity.person_ids import SCHEMES

FIELDS = {
    **{name: name for name in ("title", "abstract", "author", "category", "primary", "comment", "journal")},
    **{name: name for name in ("institution", "doi", "id", "source", "kind", "has", "cites")},
    "ti": "title",
    "abs": "abstract",
    "au": "author",
    "cat": "category",
    "co": "comment",
    "jr": "journal",
    "all": "",
}
"""The fields as they may be written, and what each is called; "" is none."""
TEXTS = frozenset({"", "title", "abstract", "comment", "journal", "institution"})
"""The fields in which words are looked for."""


def correct_field(name: str) -> str:
    """What to write for a field that there is not."""
    known = name.lower()
    if known in SCHEMES:
        return f'A person\'s id is written author:{known}:…, within the brackets of a name author:("Wei Wang" {known}:…).'
    if known == "ror":
        return "An institution's id is written institution:ror:05a28rw58."
    if said := foreign_field(name):
        return said
    close = difflib.get_close_matches(
        known[:40], [field for field in FIELDS if len(field) > 3], n=1, cutoff=0.72
    )
    meant = f"Did you mean {close[0]}:?" if close else f"There are {', '.join(_LISTED)}."
    return f"There is no field {name}:. {meant}"


_LISTED = tuple(f"{name}:" for name, meant in FIELDS.items() if name == meant)
