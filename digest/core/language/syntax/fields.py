"""The fields of the follow language, and error messages for unknown ones."""

from __future__ import annotations

import difflib

from digest.core.language.syntax.foreign_syntax import describe_foreign_field
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
"""Canonical name of each field by the names that may be typed; "" means no field."""


def describe_unknown_field(name: str) -> str:
    """Return an error message for an unknown field that says what to write."""
    lowercase_name = name.lower()
    if lowercase_name in SCHEMES:
        return f'Write a person\'s id as author:{lowercase_name}:…, or with a name as author:("Wei Wang" {lowercase_name}:…).'
    if lowercase_name == "ror":
        return "Write an institution's id as institution:ror:05a28rw58."
    if foreign_hint := describe_foreign_field(name):
        return foreign_hint
    close_matches = difflib.get_close_matches(
        lowercase_name[:40], [field for field in FIELDS if len(field) > 3], n=1, cutoff=0.72
    )
    suggestion = (
        f"Did you mean {close_matches[0]}:?"
        if close_matches
        else f"The fields are {', '.join(_FIELD_LABELS)}."
    )
    return f"There is no field {name}:. {suggestion}"


_FIELD_LABELS = tuple(f"{name}:" for name, field in FIELDS.items() if name == field)
