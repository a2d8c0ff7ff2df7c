"""Names that say too little: they fit many, so what they find is a *maybe*, and they keep nothing out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from digest.core.language.query import And, ByAuthor, Not, Or, Query
from digest.core.names.fitting import NameFit, name_fit
from digest.core.names.parts import read

_WHOLE_IN_ONE_WORD = re.compile("[\uac00-\ud7a3]{2,5}")
"""Korean names are written so; reading them tells no given name, since the syllables could be any word's."""


def is_family_alone(name: str) -> bool:
    """Whether a name is a family name without any given name, in every reading of it."""
    readings = read(name).readings
    alone = bool(readings) and not any(any(reading.given) for reading in readings)
    return alone and not _WHOLE_IN_ONE_WORD.fullmatch(name.strip())


def is_half(name: str) -> bool:
    """Whether a name never says for sure who is meant: a family name alone, or one with initials."""
    return is_family_alone(name) or name_fit(name, name) is not NameFit.FULL


def keeping_nothing_out(query: Query, *, excluded: bool = False) -> Iterator[str]:
    """The half names in a query that are to keep papers out, and cannot: a *maybe* takes nothing out.

    Args:
        query: in canonical form.
        excluded: what fits the whole query is to be kept out.
    """
    match query:
        case ByAuthor() if excluded and not query.ids and is_half(query.name):
            yield query.name
        case Not():
            yield from keeping_nothing_out(query.query, excluded=True)
        case And() | Or():
            for part in query.queries:
                yield from keeping_nothing_out(part, excluded=excluded)
        case _:
            pass


def told(name: str) -> str:
    """What to say of a half name that is to keep papers out."""
    return (
        f"{name} keeps out nobody who signs in full: initials, or a family name alone, fit as maybe, and only what"
        " fits surely or likely is left out; write the full name, or an id."
    )
