"""Ambiguous names: they match many people, so their matches are only *maybe*, and they exclude nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from digest.core.language.query import And, ByAuthor, Not, Or, Query
from digest.core.names.fitting import NameMatch, match_names
from digest.core.names.parts import parse_name

_KOREAN_FULL_NAME = re.compile("[\uac00-\ud7a3]{2,5}")
"""A full name in Korean script, in which ``parse_name`` finds no given name: its syllables could be those of any word."""


def is_family_alone(name: str) -> bool:
    """Whether a name is a family name without any given name, in every reading of it."""
    readings = parse_name(name).readings
    lacks_given_name = bool(readings) and not any(any(reading.given_variants) for reading in readings)
    return lacks_given_name and not _KOREAN_FULL_NAME.fullmatch(name.strip())


def is_ambiguous_name(name: str) -> bool:
    """Whether a name never identifies a person with certainty: a family name alone, or one with initials."""
    return is_family_alone(name) or match_names(name, name) is not NameMatch.FULL


def find_ineffective_exclusions(query: Query, *, excluded: bool = False) -> Iterator[str]:
    """Yield the ambiguous names that a query excludes without effect, because a *maybe* excludes nothing.

    Args:
        query: in canonical form.
        excluded: whether papers that match the whole query are to be excluded.
    """
    match query:
        case ByAuthor() if excluded and not query.ids and is_ambiguous_name(query.name):
            yield query.name
        case Not():
            yield from find_ineffective_exclusions(query.query, excluded=True)
        case And() | Or():
            for part in query.queries:
                yield from find_ineffective_exclusions(part, excluded=excluded)
        case _:
            pass


def format_exclusion_hint(name: str) -> str:
    """Return the hint for an ambiguous name that is to exclude papers."""
    return f"{name} excludes nobody whose name is printed in full: initials, or a family name alone, only match as maybe, but an exclusion needs a sure or likely match; write the full name, or an id."
