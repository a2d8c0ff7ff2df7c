"""Conversion of papers to rows of ``statements`` and back.

Fields that are columns of the table are stored there, all others in one JSON object, so a new field of a paper needs no
migration. It needs a default value, because older statements do not have it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any, get_origin, get_type_hints

from digest.model import Author, Paper, PaperKey
from digest.store.database.tables.papers import statements

_TYPES = get_type_hints(Paper)
FIELD_COLUMNS = tuple(column.name for column in statements.c if column.name in _TYPES)
"""Columns that are fields of a paper, in the order of ``build_paper``; the column ``lists`` has the other fields."""
_get_column_values = attrgetter(*FIELD_COLUMNS)


def make_row(paper_id: int, source: str, paper: Paper) -> tuple[Any, ...]:
    """Make the row of a statement: ``paper_id``, ``source``, ``FIELD_COLUMNS`` and ``lists``."""
    values = {
        name: value for name, value in zip(_OTHER_FIELDS, _get_other_values(paper), strict=True) if value
    }
    if paper.authors:
        values["authors"] = [
            [*author[:1], *map(list, author[1:])] if any(author[1:]) else author[:1]
            for author in paper.authors
        ]
    return (paper_id, source, *_get_column_values(paper), json.dumps(values))


def build_paper(key: str, column_values: Sequence[Any], lists: Mapping[str, Any]) -> Paper:
    """Build the paper of a row.

    Args:
        key: the key of the paper.
        column_values: the values of ``FIELD_COLUMNS``, as the driver returns them.
        lists: the parsed value of the column ``lists``.
    """
    values = dict(zip(FIELD_COLUMNS, column_values, strict=True))
    for name in _BOOL_COLUMNS:
        values[name] = bool(values[name])  # SQLite stores numbers
    for name, value in lists.items():
        values[name] = _OTHER_FIELDS[name](value)
    return Paper(key=PaperKey(key), **values)


def _read_pairs(values: Sequence[Sequence[str]]) -> tuple[tuple[str, str], ...]:
    return tuple([(scheme, value) for scheme, value in values])


def _read_authors(values: Sequence[Sequence[Any]]) -> tuple[Author, ...]:
    return tuple([_build_author(*author_values) for author_values in values])


def _build_author(name: str, affiliations: Sequence[str] = (), ids: Sequence[Sequence[str]] = ()) -> Author:
    return Author(name, tuple(affiliations), _read_pairs(ids))


def _get_reader(hint: Any) -> Callable[[Any], Any]:
    """Return the function that converts a JSON value to the type of a field."""
    readers: Mapping[Any, Callable[[Any], Any]] = {
        tuple[Author, ...]: _read_authors,
        tuple[tuple[str, str], ...]: _read_pairs,
    }
    return readers.get(hint, tuple if get_origin(hint) is tuple else hint)


_BOOL_COLUMNS = tuple(name for name in FIELD_COLUMNS if _TYPES[name] is bool)
_OTHER_FIELDS = {
    name: _get_reader(hint) for name, hint in _TYPES.items() if name not in {"key", *FIELD_COLUMNS}
}
_get_other_values = attrgetter(*_OTHER_FIELDS)
