"""Names of sources that an earlier release gave."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import bindparam, select, update

from digest.core.fetching.source_names import choose_renamed
from digest.store.database.digest_tables import slots
from digest.store.database.engine import Transaction
from digest.store.database.paper_tables import sections
from digest.store.database.types import metadata

_ON_THE_WAY = "\n{}"
"""A name that no source has: names that change in a circle would meet on their way."""


def stored_sources(tx: Transaction) -> frozenset[str]:
    """The names of sources by which anything is stored."""
    return frozenset(tx.execute(select(sections.c.source).distinct()).scalars())


def rename_sources(tx: Transaction, names: Mapping[str, str], declared: Collection[str]) -> dict[str, str]:
    """Give what is stored of sources the names that these have now, all at one instant.

    Args:
        tx: a writing transaction.
        names: the present name of a source, by one that an earlier release gave it.
        declared: the present names of all sources.

    Returns:
        Those of the names that anything was stored by and that changed.
    """
    chosen = choose_renamed(names, stored_sources(tx), declared)
    away = {former: _ON_THE_WAY.format(name) for former, name in chosen.items()}
    for step in (away, {away[former]: name for former, name in chosen.items()}):
        rows = [{"before": before, "after": after} for before, after in step.items()]
        for table in metadata.sorted_tables if rows else ():
            if "source" in table.c:
                change = update(table).where(table.c.source == bindparam("before"))
                tx.execute(change.values(source=bindparam("after")), rows)
    _rename_awaited(tx, chosen)
    return chosen


def _rename_awaited(tx: Transaction, names: Mapping[str, str]) -> None:
    """The same in what slots wait for; where another slot is the same then, both stay as they are."""
    rows = tx.execute(select(slots)).all() if names else []
    before = {row.id: _slot(row) for row in rows}
    after = {
        row.id: _slot(row) | {"waits_for": "\n".join(sorted(names.get(one, one) for one in _awaited(row)))}
        for row in rows
    }
    changed = [number for number in before if before[number] != after[number]]
    free = [number for number in changed if list(after.values()).count(after[number]) == 1]
    change = update(slots).where(slots.c.id == bindparam("number")).values(waits_for=bindparam("awaited"))
    for awaited in (_ON_THE_WAY.format, lambda number: after[number]["waits_for"]):
        if free:
            tx.execute(change, [{"number": number, "awaited": awaited(number)} for number in free])


_SLOT = ("frequency", "zone", "at", "days", "every", "latest", "catch_up", "waits_for")
"""What no two slots have in common."""


def _slot(row: Any) -> dict[str, Any]:
    return {name: getattr(row, name) for name in _SLOT}


def _awaited(row: Any) -> list[str]:
    return row.waits_for.split("\n") if row.waits_for else []
