"""The version of what pages of papers and persons show, so that they are not made again while nothing has changed.

Each function that stores something about papers, persons, numbers or imports calls ``note_content_change``.
"""

from __future__ import annotations

from sqlalchemy import select, update

from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import counters

_COUNTER = "content"


def note_content_change(tx: Transaction) -> None:
    """Count a change, which becomes visible with the other changes of its transaction."""
    tx.execute(update(counters).where(counters.c.name == _COUNTER).values(value=counters.c.value + 1))


def read_content_version(tx: Transaction) -> int:
    """Return the number of changes."""
    version: int = tx.execute(select(counters.c.value).where(counters.c.name == _COUNTER)).scalar_one()
    return version
