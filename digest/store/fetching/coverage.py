"""What the database knows."""

from __future__ import annotations

from sqlalchemy import select

from digest.core.publishing.coverage import Coverage
from digest.store.database.engine import Transaction
from digest.store.database.tables.papers import sections
from digest.store.papers.imports import list_imports


def load_coverage(tx: Transaction) -> Coverage:
    """Return what the database knows."""
    statement = select(sections.c.source, sections.c.section, sections.c.since)
    rows = tx.execute(
        statement.where(sections.c.left_at.is_(None), sections.c.accounted).order_by(
            sections.c.source, sections.c.section
        )
    )
    return Coverage(
        announced_since={(source, section): since for source, section, since in rows},
        imports=tuple(paper_import for paper_import in list_imports(tx) if paper_import.finished_at),
    )
