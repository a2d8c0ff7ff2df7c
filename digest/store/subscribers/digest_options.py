"""Conversion between options of digests and columns, which have the names of the options."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import lru_cache
from typing import Any, get_type_hints

from sqlalchemy import ColumnElement, Row, Text, cast

from digest.model import Abstracts, Arrangement, DigestOptions, EventKind
from digest.store.database.tables.digests import digests

OPTION_COLUMNS = tuple(option.name for option in fields(DigestOptions))


def _parse_kinds(text: str) -> tuple[EventKind, ...]:
    return tuple(map(EventKind, json.loads(text)))


_READERS: Mapping[Any, Callable[[Any], Any]] = {
    bool: bool,  # SQLite stores numbers
    Abstracts: Abstracts,
    Arrangement: Arrangement,
    tuple[EventKind, ...]: _parse_kinds,
}
"""Conversion of driver values by the type of an option; values of other types need none."""
_OPTION_READERS = tuple(
    (name, _READERS.get(hint, lambda value: value)) for name, hint in get_type_hints(DigestOptions).items()
)


def list_columns() -> tuple[ColumnElement[Any], ...]:
    """Return the columns in the order of the arguments of ``read_options``; a column with a list is cast to text."""
    columns = [digests.c[name] for name in OPTION_COLUMNS]
    return tuple(cast(column, Text) if column.name == "kinds" else column for column in columns)


@lru_cache(maxsize=4096)
def read_options(*values: Any) -> DigestOptions:
    """Make options from column values; cached, because many digests have the same options."""
    return DigestOptions(
        **{name: read(value) for (name, read), value in zip(_OPTION_READERS, values, strict=True)}
    )


def read_row_options(row: Row[Any]) -> DigestOptions:
    """Make options from a complete row of ``digests``."""
    columns = row._mapping  # noqa: SLF001 - SQLAlchemy's documented name
    values = (columns[name] for name in OPTION_COLUMNS)
    return read_options(*(json.dumps(value) if isinstance(value, list) else value for value in values))


def write_options(options: DigestOptions) -> dict[str, Any]:
    """Convert options to column values by column name."""
    values = {name: getattr(options, name) for name in OPTION_COLUMNS}
    return values | {
        "kinds": [kind.value for kind in options.kinds],
        "abstracts": options.abstracts.value,
        "arrange": options.arrange.value,
    }


@lru_cache(maxsize=4096)
def list_values(options: DigestOptions) -> tuple[Any, ...]:
    """Return the values of ``OPTION_COLUMNS``; cached, because many digests have the same options."""
    return tuple(write_options(options).values())


@lru_cache(maxsize=4096)
def list_driver_values(options: DigestOptions) -> tuple[Any, ...]:
    """Return the values of ``OPTION_COLUMNS`` as a bulk insert needs them."""
    return tuple(json.dumps(value) if isinstance(value, list) else value for value in list_values(options))
