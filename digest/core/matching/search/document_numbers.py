"""Numbers of documents in the index of papers, which are in the order of the papers' days.

The newest papers are therefore those with the highest numbers: an index that returns documents in the order of
their numbers finds them without looking at the others, and a range of days is a range of numbers. A number
consists of the day, the place of the paper within the day, and a revision::

    day (days since 1970-01-01) | place within the day (16 bits) | revision (1 bit)

A document is never changed. A paper that changes gets the next revision, and stays in its place. Day and place
together are the *position* of a paper.
"""

from __future__ import annotations

from datetime import date, timedelta
from functools import lru_cache

_REVISION_BITS, _PLACE_BITS = 1, 16
"""Few bits, because posting lists store the differences of numbers: it takes 0.06 kB a paper to have days in them.

A day has room for 65,536 papers; those above go to the next day. A paper that has had all its revisions gets another
place in its day.
"""
_DAY_BITS = _PLACE_BITS + _REVISION_BITS
_FIRST_DAY = date(1970, 1, 1)
_UNKNOWN_DAYS = 366
"""Days that no paper has; they are the room for papers whose day is unknown."""


def get_first_document(day: date | None) -> int:
    """Return the lowest possible number of the documents of a day; of those without a day for None."""
    return max((day - _FIRST_DAY).days, _UNKNOWN_DAYS) << _DAY_BITS if day else 0


def get_first_after(day: date | None) -> int:
    """Return the lowest number that is higher than those of a day; of those without a day for None."""
    return get_first_document(day + timedelta(days=1) if day else _FIRST_DAY)


def find_day(document: int) -> date | None:
    """Return the day of a document; None if it is unknown."""
    return _find_date(document >> _DAY_BITS)


@lru_cache(maxsize=1 << 14)
def _find_date(days: int) -> date | None:
    return _FIRST_DAY + timedelta(days=days) if days >= _UNKNOWN_DAYS else None


def get_position(document: int) -> int:
    """Return the position of a document, which all revisions of a paper share."""
    return document >> _REVISION_BITS


def get_document(position: int) -> int:
    """Return the lowest number of the documents at a position."""
    return position << _REVISION_BITS


def get_next_revision(document: int) -> int | None:
    """Return the number of the next revision of a document; None if there is no further one."""
    following = document + 1
    return following if get_position(following) == get_position(document) else None
