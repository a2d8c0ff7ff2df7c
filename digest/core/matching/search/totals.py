"""How many papers a search finds: in total, and by category, year and source."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class CountKind(StrEnum):
    """How exact a count is."""

    EXACT = "exact"
    AT_MOST = "at most"
    """Some papers have not been evaluated."""
    MORE_THAN = "more than"
    """There are too many candidates to count all."""


class Total(NamedTuple):
    """The number of papers that a query finds."""

    papers: int
    kind: CountKind


class Facet(NamedTuple):
    """A value, and the number of papers found that have it."""

    value: str
    papers: int


class Facets(NamedTuple):
    """Counts of the papers found; the most frequent values come first, the newest years.

    Attributes:
        categories: arXiv's categories by the name that arXiv prefers, and other categories as printed.
        years: the years of the papers' days.
        sources: the sources that announced them, or describe them if they have no events.
        with_code: the number of papers with known code.
    """

    categories: tuple[Facet, ...]
    years: tuple[Facet, ...]
    sources: tuple[Facet, ...]
    with_code: int
