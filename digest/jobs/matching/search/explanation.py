"""What the parts of a query find alone, and what wider queries would find, to explain the result of a search."""

from __future__ import annotations

from itertools import islice
from typing import NamedTuple

from digest.core.language.query import Query
from digest.core.language.relax import RelaxedQuery, iter_positive_parts, relax_query
from digest.core.matching.search.totals import Total
from digest.jobs.matching.search.window import SearchIndex
from digest.store.database.engine import Store

_MAX_QUERIES = 20
"""Maximum number of parts, and of wider queries, that are counted."""


class PartCount(NamedTuple):
    """A part of a query, as a query by itself, and the number of papers that it finds."""

    query: Query
    total: Total


class WiderQuery(NamedTuple):
    """A query that asks for one thing less than another one, and the number of papers that it finds."""

    relaxed: RelaxedQuery
    total: Total


def count_parts(store: Store, typed_query: Query) -> tuple[PartCount, ...]:
    """Count what each part of a query finds by itself, in the order typed; what is behind a NOT is left out.

    Args:
        store: the store.
        typed_query: the query in the order typed (``ParsedQuery.typed_query``).
    """
    parts = dict.fromkeys(iter_positive_parts(typed_query))
    with store.begin_read() as tx:
        index = SearchIndex(tx)
        return tuple(PartCount(part, index.count(part)) for part in islice(parts, _MAX_QUERIES))


def find_wider(store: Store, typed_query: Query) -> tuple[WiderQuery, ...]:
    """Return the queries that ask for one thing less and find something, those that find most first."""
    with store.begin_read() as tx:
        index = SearchIndex(tx)
        counted = [
            WiderQuery(relaxed, index.count(relaxed.query))
            for relaxed in islice(relax_query(typed_query), _MAX_QUERIES)
        ]
    found = [wider for wider in counted if wider.total.papers]
    return tuple(sorted(found, key=lambda wider: -wider.total.papers))
