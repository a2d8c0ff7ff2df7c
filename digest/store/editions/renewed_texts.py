"""Stored sentences and documents that show names of an earlier release."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import Column, Table, Text, cast, or_, select, update

from digest.core.fetching.public_addresses import distinct_address, url_credentials
from digest.redaction import redact
from digest.store.database.digest_tables import editions, notes, notices
from digest.store.database.engine import Transaction
from digest.store.database.paper_tables import buckets
from digest.store.database.types import RedactedText, metadata

_SHOWN = (
    (notices, "name"),
    (notes, "value"),
    *((editions, name) for name in ("items", "rest")),
)
"""Columns of what we wrote ourselves, with names of sources, queries or follows in it."""
_USER = r"(?:[^\s/@\"]{1,500}@)?"
"""User and password of an address; longer ones would make a text without blanks take quadratic time."""


def rename_in_texts(tx: Transaction, names: Mapping[str, str]) -> None:
    """Let stored sentences and documents show the present names of sources.

    Args:
        tx: a writing transaction.
        names: the present name of a source, by one that an earlier release gave it, which ends an address. Secrets
            in the latter are masked in what others said, where they stand alone, too.
    """
    if not names:
        return
    longest_first = sorted(names, key=len, reverse=True)
    pattern = re.compile(
        rf"(?<![\w.]){_USER}({'|'.join(map(re.escape, longest_first))})(?![\w&=%+-])", re.IGNORECASE
    )
    present = {former.lower(): name for former, name in names.items()}

    def rename(text: str) -> str:
        return pattern.sub(lambda found: present[found[1].lower()], text)

    secrets = {part for former in names for part in url_credentials(f"https://{former}")}
    for table in metadata.sorted_tables:
        for column in table.c:
            if isinstance(column.type, RedactedText):
                # What is written to these columns loses all secrets of this process.
                _change(tx, table, column, {*names, *secrets}, rename)
    for table, name in _SHOWN:
        _change(tx, table, table.c[name], {*names}, lambda value: _renamed(value, rename))
    _change(tx, editions, editions.c.batches, {*names, *secrets}, lambda value: _told(value, rename))
    _change(tx, buckets, buckets.c.name, {*names}, _bucket)


def _change(
    tx: Transaction, table: Table, column: Column[Any], texts: set[str], change: Callable[[Any], Any]
) -> None:
    """Change the values of a column in which one of the texts stands."""
    written = cast(column, Text)
    keys = list(table.primary_key.columns)
    # JSON has letters beyond ASCII as escape sequences.
    spelled = {*texts, *(json.dumps(text)[1:-1] for text in texts)}
    has_one = or_(*(written.contains(text, autoescape=True) for text in sorted(spelled)))
    for row in tx.execute(
        select(*keys).where(has_one)
    ).all():  # values by themselves: a document may be large
        same = [key == value for key, value in zip(keys, row, strict=True)]
        value = tx.execute(select(column).where(*same)).scalar_one()
        tx.execute(update(table).where(*same).values({column.name: change(value)}))


def _renamed(value: Any, rename: Callable[[str], str]) -> Any:
    match value:
        case str():
            return rename(value)
        case list():
            return [_renamed(one, rename) for one in value]
        case dict():
            return {name: _renamed(one, rename) for name, one in value.items()}
        case _:
            return value


def _told(shown: list[dict[str, Any]], rename: Callable[[str], str]) -> list[dict[str, Any]]:
    """Batches as an edition tells of them; their errors are what others said."""
    return [_renamed(one, rename) | {"error": redact(rename(one.get("error", "")))} for one in shown]


def _bucket(name: str) -> str:
    """An address by itself that is paused; a host's name stays as it is."""
    return distinct_address(name) if urlsplit(name).netloc else name
