"""Add papers that are missing in the index, mostly those of an older database, in small transactions."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from digest.store.database.engine import Store
from digest.store.matching import search_index
from digest.store.papers import papers

_CHUNK_SIZE = 200
"""Number of papers indexed in one transaction.

Other writers get their turn in between, and Ctrl-C loses no more than these.
"""


def index_papers(
    store: Store,
    since: date | None = None,
    *,
    report_progress: Callable[[str, int, int], None] = lambda _activity, _count, _total: None,
) -> int:
    """Index the papers that are missing in the index, newest first.

    Args:
        store: the store.
        since: only papers with an event on this day or later; None for all.
        report_progress: gets the activity, the number of indexed papers, and their total.

    Returns:
        The number of indexed papers.
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
