"""Imports of files of papers: how far each is, and what it brought."""

from __future__ import annotations

from dataclasses import asdict
from datetime import date, datetime
from typing import Any

from sqlalchemy import Row, select, update

from digest.model import ImportCounts, PaperImport, PaperSelection
from digest.store.database.content_version import note_content_change
from digest.store.database.dialect import add_missing
from digest.store.database.engine import Transaction
from digest.store.database.tables.papers import paper_imports

_ALL_DAYS = date.min
"""Value of ``since`` if papers of all days are selected: a column of a unique key is never NULL."""


def open_import(
    tx: Transaction, *, file_name: str, file_hash: str, source: str, selection: PaperSelection, now: datetime
) -> PaperImport:
    """Return the import of a selection of a file, which is new unless it was begun before.

    Args:
        tx: a writing transaction.
        file_name: the name of the file.
        file_hash: its SHA-256.
        source: the source whose papers it has.
        selection: the selected part.
        now: when it begins.
    """
    key = {
        "file_hash": file_hash,
        "categories": " ".join(selection.categories),
        "since": selection.since or _ALL_DAYS,
    }
    row = key | {"file_name": file_name, "source": source, "broken_records": [], "started_at": now}
    add_missing(tx, paper_imports, [row])
    is_same = [paper_imports.c[name] == value for name, value in key.items()]
    return _build_import(tx.execute(select(paper_imports).where(*is_same)).one())


def save_progress(tx: Transaction, before: PaperImport, after: PaperImport) -> bool:
    """Store how far an import is.

    Args:
        tx: the transaction that stores the papers.
        before: the import as it was when the papers were read.
        after: the import with these papers.

    Returns:
        False if another process has continued the import in the meantime; then roll back.
    """
    is_unchanged = paper_imports.c.id == before.id, paper_imports.c.position == before.position
    values: dict[str, Any] = asdict(after.counts) | {
        "position": after.position,
        "broken_records": list(after.broken_records),
        "first_day": after.first_day,
        "last_day": after.last_day,
        "finished_at": after.finished_at,
    }
    note_content_change(tx)
    return tx.execute(update(paper_imports).where(*is_unchanged).values(values)).rowcount == 1


def list_imports(tx: Transaction) -> tuple[PaperImport, ...]:
    """Return all imports, the last one first."""
    rows = tx.execute(select(paper_imports).order_by(paper_imports.c.id.desc()))
    return tuple(map(_build_import, rows))


def _build_import(row: Row[Any]) -> PaperImport:
    since = None if row.since == _ALL_DAYS else row.since
    return PaperImport(
        id=row.id,
        file_name=row.file_name,
        file_hash=row.file_hash,
        source=row.source,
        selection=PaperSelection(categories=tuple(row.categories.split()), since=since),
        position=row.position,
        counts=ImportCounts(
            added=row.added, grown=row.grown, known=row.known, unselected=row.unselected, broken=row.broken
        ),
        broken_records=tuple(row.broken_records),
        first_day=row.first_day,
        last_day=row.last_day,
        started_at=row.started_at,
        finished_at=row.finished_at,
    )
