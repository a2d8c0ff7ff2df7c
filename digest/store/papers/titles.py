"""Search of papers by title."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection

from sqlalchemy import func, select

from digest.core.subscribers.library import fold_title
from digest.model import PaperKey
from digest.store.database.engine import Transaction
from digest.store.database.tables.papers import papers, statements


def find_keys_by_title(tx: Transaction, titles: Collection[str]) -> dict[str, tuple[PaperKey, ...]]:
    """Return the root keys of the papers that have one of these titles in any statement, by title.

    Args:
        tx: a transaction. All titles in the database are read, so use it only when a person waits for the
            result.
        titles: titles folded by ``fold_title``.
    """
    root = papers.alias()
    statement = (
        select(statements.c.title, root.c.key)
        .join(papers, papers.c.id == statements.c.paper_id)
        .join(root, root.c.id == func.coalesce(papers.c.merged_into, papers.c.id))
        .distinct()
    )
    keys_found: defaultdict[str, set[PaperKey]] = defaultdict(set)
    for title, key in tx.execute(statement.execution_options(yield_per=1000)):
        folded = fold_title(title)
        if folded in titles:
            keys_found[folded].add(PaperKey(key))
    return {title: tuple(sorted(keys)) for title, keys in keys_found.items()}
