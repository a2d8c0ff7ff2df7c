"""The default kinds of events for queries that do not name any."""

from __future__ import annotations

from digest.core.language.query import And, Fact, Or, Query, extract_kind_part

_DEFAULT_KINDS = Or(queries=(Fact(field="kind", value="new"), Fact(field="kind", value="picked")))


def apply_default_kinds(query: Query) -> Query:
    """Return the query of a digest without kinds of its own: events that are new or picked, or that the query names."""
    default_query = And(queries=(query, _DEFAULT_KINDS))
    kind_query = extract_kind_part(query)
    return Or(queries=(default_query, kind_query)) if kind_query else default_query
