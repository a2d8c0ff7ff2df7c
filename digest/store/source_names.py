"""Names of sources that an earlier release gave."""

from __future__ import annotations

from sqlalchemy import exists, select, update

from digest.store.columns import metadata
from digest.store.engine import Transaction
from digest.store.paper_tables import sections


def rename_source(tx: Transaction, former: str, name: str) -> None:
    """Give what is stored of a source the name that it has now; nothing happens where there is nothing to rename.

    Args:
        tx: a writing transaction.
        former: the name that an earlier release gave.
        name: the name now; where something is stored by it already, all stays as it is.
    """
    by_former, by_name = (
        tx.execute(select(exists().where(sections.c.source == one))).scalar_one() for one in (former, name)
    )
    if by_former and not by_name:
        for table in metadata.sorted_tables:
            if "source" in table.c:
                tx.execute(update(table).where(table.c.source == former).values(source=name))
