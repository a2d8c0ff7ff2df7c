"""Conditions and orders of a search besides its query."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class SearchOrder(StrEnum):
    """The order of results."""

    RELEVANCE = "relevance"
    """Those that match the words best, then the newest."""
    DATE = "date"
    """The newest first."""


class SimilarOrder(StrEnum):
    """The order of similar papers."""

    NEARNESS = "nearness"
    """The nearest first."""
    DATE = "date"
    """The newest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchFilters:
    """Conditions besides the query; "" or None for none.

    Attributes:
        category: a category or an archive.
        source: the source that announced the paper.
        year: the year of the paper's day.
        has_code: whether the paper must have known code.
    """

    category: str = ""
    source: str = ""
    year: int | None = None
    has_code: bool = False
