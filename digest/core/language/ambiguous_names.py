"""Names that say too little: they fit many, so what they find is a *maybe*, and they keep nothing out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from digest.core.language.query import And, ByAuthor, Not, Or, Query
from digest.core.names.fitting import NameMatch, match_names
from digest.core.names.parts import parse_name

_KOREAN_FULL_NAME = re.compile("[\uac00-\ud7a3]{2,5}")
"""Korean names are written so; reading them tells no given name, since the syllables could be any word's."""


def is_family_alone(name: str) -> bool:
    """Whether a name is a family name without any given name, in every reading of it."""
    readings = parse_name(name).readings
    lacks_given_name = bool(readings) and not any(any(reading.given_variants) for reading in readings)
    return lacks_given_name and not _KOREAN_FULL_NAME.fullmatch(name.strip())


def is_ambiguous_name(name: str) -> bool:
    """Whether a name never says for sure who is meant: a family name alone, or one with initials."""
    return is_family_alone(name) or match_names(name, name) is not NameMatch.FULL


def find_ineffective_exclusions(query: Query, *, excluded: bool = False) -> Iterator[str]:
    """The half names in a query that are to keep papers out, and cannot: a *maybe* takes nothing out.

    Args:
        query: in canonical form.
        excluded: what fits the whole query is to be kept out.
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
    """What to say of a half name that is to keep papers out."""
    return f"{name} excludes nobody whose name is printed in full: initials, or a family name alone, only match as maybe, but an exclusion needs a sure or likely match; write the full name, or an id."
