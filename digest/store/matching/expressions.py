"""Joining of search expressions; "" is the expression that matches nothing."""

from __future__ import annotations

from collections.abc import Sequence


def join_any(parts: Sequence[str], operator: str) -> str:
    """Return an expression that matches what any of some expressions match."""
    distinct = list(dict.fromkeys(filter(None, parts)))
    if not distinct:
        return ""
    return distinct[0] if len(distinct) == 1 else f"({operator.join(distinct)})"


def join_all(parts: Sequence[str], operator: str) -> str:
    """Return an expression that matches what all of some expressions match."""
    return "" if "" in parts else join_any(parts, operator)
