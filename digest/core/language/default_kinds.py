"""Of which news about papers a query tells, where nobody says."""

from __future__ import annotations

from digest.core.language.query import And, Fact, Or, Query, names_kind

_NEW_OR_PICKED = Or(queries=(Fact(field="kind", value="new"), Fact(field="kind", value="picked")))


def as_told(query: Query) -> Query:
    """What a digest that says nothing of kinds is told by a query: what is new or picked, and what it names."""
    usual = And(queries=(query, _NEW_OR_PICKED))
    named = names_kind(query)
    return Or(queries=(usual, named)) if named else usual
