"""Of which news about papers a query tells, where nobody says."""

from __future__ import annotations

from digest.core.language.query import And, Fact, Or, Query, extract_kind_part

_DEFAULT_KINDS = Or(queries=(Fact(field="kind", value="new"), Fact(field="kind", value="picked")))


def apply_default_kinds(query: Query) -> Query:
    """What a digest that says nothing of kinds is told by a query: what is new or picked, and what it names."""
    default_query = And(queries=(query, _DEFAULT_KINDS))
    kind_query = extract_kind_part(query)
    return Or(queries=(default_query, kind_query)) if kind_query else default_query
