"""The categories and facts that queries ask for, filed so that the papers of a day find them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from digest.core.language.query import Fact, InCategory, load
from digest.core.matching.percolator.postings import entries, put, take
from digest.core.papers.document import Document
from digest.core.papers.taxonomy import covers

Leaf = str
"""A part of a query that has no parts, compiled."""


class AskedFacts:
    """Categories and facts asked for."""

    def __init__(self) -> None:
        self._categories: dict[Leaf, InCategory] = {}
        self._facts: dict[tuple[str, str], Any] = {}
        """Leaves by the fact that they ask for."""

    def put(self, leaf: Leaf) -> None:
        """File a leaf."""
        query = load(leaf)
        if isinstance(query, InCategory):
            self._categories[leaf] = query
        elif isinstance(query, Fact):
            put(self._facts, (query.field, query.value), leaf)

    def take(self, leaf: Leaf) -> None:
        """Take a leaf out that was filed."""
        query = load(leaf)
        if isinstance(query, InCategory):
            del self._categories[leaf]
        elif isinstance(query, Fact):
            take(self._facts, (query.field, query.value), leaf)

    def rows(self, documents: Sequence[Document]) -> dict[Leaf, int]:
        """The papers that each leaf fits: a row of bits for each leaf that fits any."""
        found: dict[Leaf, int] = defaultdict(int)
        filed = self._facts.keys()
        for number, document in enumerate(documents):
            for fact in filed & document.facts:
                for leaf in entries(self._facts[fact]):
                    found[leaf] |= 1 << number
        if self._categories:
            every = _categories(document.categories for document in documents)
            primary = _categories(document.categories[:1] for document in documents)
            for leaf, query in self._categories.items():
                for code, row in (primary if query.primary else every).items():
                    if covers(query.code, code):
                        found[leaf] |= row
        return found


def _categories(printed: Iterable[Sequence[str]]) -> dict[str, int]:
    """The papers in each category."""
    rows: dict[str, int] = defaultdict(int)
    for number, codes in enumerate(printed):
        for code in codes:
            rows[code] |= 1 << number
    return rows
