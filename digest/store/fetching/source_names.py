"""Conversion of stored names of sources from an earlier release."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import bindparam, select, update

from digest.core.fetching.source_names import choose_renamed
from digest.store.database.engine import Transaction
from digest.store.database.tables.column_types import metadata
from digest.store.database.tables.digests import slots
from digest.store.database.tables.papers import sections

_TEMPORARY_NAME = "\n{}"
"""Pattern of temporary names, which no source has; without them, names that are swapped would collide."""


def list_stored_sources(tx: Transaction) -> frozenset[str]:
    """Return the names of the sources of all stored sections."""
    return frozenset(tx.execute(select(sections.c.source).distinct()).scalars())


def rename_sources(tx: Transaction, names: Mapping[str, str], declared: Collection[str]) -> dict[str, str]:
    """Replace former names of sources in all tables, all of them at once.

    Args:
        tx: a writing transaction.
        names: present names of sources by their former names.
        declared: the present names of all sources.

    Returns:
        The new names by the former ones, only those that changed something.
    """
    renamed = choose_renamed(names, list_stored_sources(tx), declared)
    temporary_names = {former: _TEMPORARY_NAME.format(name) for former, name in renamed.items()}
    for names_step in (temporary_names, {temporary_names[former]: name for former, name in renamed.items()}):
        rows = [{"before": before, "after": after} for before, after in names_step.items()]
        for table in metadata.sorted_tables if rows else ():
            if "source" in table.c:
                statement = update(table).where(table.c.source == bindparam("before"))
                tx.execute(statement.values(source=bindparam("after")), rows)
    _rename_awaited(tx, renamed)
    return renamed


def _rename_awaited(tx: Transaction, names: Mapping[str, str]) -> None:
    """Replace former names in the sources that slots wait for, except in slots that would become equal."""
    rows = tx.execute(select(slots)).all() if names else []
    before = {row.id: _get_slot_key(row) for row in rows}
    after = {
        row.id: _get_slot_key(row)
        | {"waits_for": "\n".join(sorted(names.get(source, source) for source in _list_awaited(row)))}
        for row in rows
    }
    changed_ids = [slot_id for slot_id in before if before[slot_id] != after[slot_id]]
    unique_ids = [slot_id for slot_id in changed_ids if list(after.values()).count(after[slot_id]) == 1]
    statement = update(slots).where(slots.c.id == bindparam("number")).values(waits_for=bindparam("awaited"))
    for format_awaited in (_TEMPORARY_NAME.format, lambda slot_id: after[slot_id]["waits_for"]):
        if unique_ids:
            tx.execute(
                statement, [{"number": slot_id, "awaited": format_awaited(slot_id)} for slot_id in unique_ids]
            )


_SLOT_KEY_COLUMNS = ("frequency", "zone", "at", "days", "every", "latest", "catch_up", "waits_for")
"""Columns of the unique key of slots."""


def _get_slot_key(row: Any) -> dict[str, Any]:
    return {name: getattr(row, name) for name in _SLOT_KEY_COLUMNS}


def _list_awaited(row: Any) -> list[str]:
    return row.waits_for.split("\n") if row.waits_for else []
