"""Renaming of sources in stored sentences and documents."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import Column, Table, Text, cast, or_, select, update

from digest.core.fetching.public_addresses import extract_credentials, make_distinct_address
from digest.redaction import redact
from digest.store.database.engine import Transaction
from digest.store.database.tables.column_types import RedactedText, metadata
from digest.store.database.tables.digests import editions, notes, notices
from digest.store.database.tables.papers import buckets

_OWN_TEXT_COLUMNS = (
    (notices, "name"),
    (notes, "value"),
    *((editions, name) for name in ("items", "rest")),
)
"""Columns with texts of our own that contain names of sources, queries or follows."""
_USERINFO_PATTERN = r"(?:[^\s/@\"]{1,500}@)?"
"""Pattern of user and password in an address; the limit keeps the time linear for long texts without blanks."""


def rename_in_texts(tx: Transaction, names: Mapping[str, str]) -> None:
    """Replace old names of sources in stored sentences and documents.

    Args:
        tx: a writing transaction.
        names: the current name of a source, by a name that an earlier release gave it. Old names end in an
            address; secrets
            in that address are masked in texts from others, also where they stand alone.
    """
    if not names:
        return
    longest_first = sorted(names, key=len, reverse=True)
    pattern = re.compile(
        rf"(?<![\w.]){_USERINFO_PATTERN}({'|'.join(map(re.escape, longest_first))})(?![\w&=%+-])",
        re.IGNORECASE,
    )
    present_names = {former.lower(): name for former, name in names.items()}

    def rename_text(text: str) -> str:
        return pattern.sub(lambda match: present_names[match[1].lower()], text)

    secrets = {part for former in names for part in extract_credentials(f"https://{former}")}
    for table in metadata.sorted_tables:
        for column in table.c:
            if isinstance(column.type, RedactedText):
                # Writing to these columns also masks the secrets that this process knows.
                _update_column(tx, table, column, {*names, *secrets}, rename_text)
    for table, name in _OWN_TEXT_COLUMNS:
        _update_column(tx, table, table.c[name], {*names}, lambda value: _rename_value(value, rename_text))
    _update_column(
        tx,
        editions,
        editions.c.batches,
        {*names, *secrets},
        lambda value: _rename_batches(value, rename_text),
    )
    _update_column(tx, buckets, buckets.c.name, {*names}, _rename_bucket)


def _update_column(
    tx: Transaction, table: Table, column: Column[Any], texts: set[str], convert: Callable[[Any], Any]
) -> None:
    """Convert the values of a column that contain one of some texts."""
    column_text = cast(column, Text)
    keys = list(table.primary_key.columns)
    # JSON may have non-ASCII letters as escape sequences.
    spellings = {*texts, *(json.dumps(text)[1:-1] for text in texts)}
    has_text = or_(*(column_text.contains(text, autoescape=True) for text in sorted(spellings)))
    # Values are loaded one by one, because a document may be large.
    for row in tx.execute(select(*keys).where(has_text)).all():
        is_row = [key == value for key, value in zip(keys, row, strict=True)]
        value = tx.execute(select(column).where(*is_row)).scalar_one()
        tx.execute(update(table).where(*is_row).values({column.name: convert(value)}))


def _rename_value(value: Any, rename: Callable[[str], str]) -> Any:
    match value:
        case str():
            return rename(value)
        case list():
            return [_rename_value(element, rename) for element in value]
        case dict():
            return {name: _rename_value(element, rename) for name, element in value.items()}
        case _:
            return value


def _rename_batches(batches: list[dict[str, Any]], rename: Callable[[str], str]) -> list[dict[str, Any]]:
    """Rename in the batches of an edition, and mask secrets in their errors, which are texts from others."""
    return [
        _rename_value(batch, rename) | {"error": redact(rename(batch.get("error", "")))} for batch in batches
    ]


def _rename_bucket(name: str) -> str:
    """Rename the bucket of a single address; the bucket of a host keeps its name."""
    return make_distinct_address(name) if urlsplit(name).netloc else name
