"""Papers that are not in the index yet, those of an older database above all, are indexed in pieces."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from digest.store.database.engine import Store
from digest.store.matching import search_index
from digest.store.papers import papers

_CHUNK_SIZE = 200
"""How many papers are indexed in one transaction: others write in between, and Ctrl-C loses no more than these."""


def index_papers(
    store: Store,
    since: date | None = None,
    *,
    report_progress: Callable[[str, int, int], None] = lambda _activity, _count, _total: None,
) -> int:
    """Index the papers that are not in the index, the newest first.

    Args:
        store: where.
        since: only those with an event of this day or later; None: all.
        report_progress: is told what is done, and with how many papers of how many, now and then.

    Returns:
        How many were indexed.
    """
    with store.begin_read() as tx:
        total = search_index.count_missing(tx, since)
    indexed_count = 0
    while indexed_count < total:
        report_progress("Indexing papers", indexed_count, total)
        with store.begin_ingest() as tx:
            indexed = papers.index_missing(tx, _CHUNK_SIZE, since)
        if not indexed:
            break
        indexed_count += indexed
    return indexed_count
