"""The categories and facts that queries ask for, filed so that the papers of a day find them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from digest.core.language.query import Fact, InCategory, load_compiled
from digest.core.matching.percolator.postings import add_posting, list_postings, remove_posting
from digest.core.papers.document import PaperDocument
from digest.core.papers.taxonomy import covers

CompiledLeaf = str
"""A part of a query that has no parts, compiled."""


class FactIndex:
    """Categories and facts asked for."""

    def __init__(self) -> None:
        self._category_queries: dict[CompiledLeaf, InCategory] = {}
        self._leaves_by_fact: dict[tuple[str, str], Any] = {}
        """Leaves by the fact that they ask for."""

    def add(self, leaf: CompiledLeaf) -> None:
        """File a leaf."""
        query = load_compiled(leaf)
        if isinstance(query, InCategory):
            self._category_queries[leaf] = query
        elif isinstance(query, Fact):
            add_posting(self._leaves_by_fact, (query.field, query.value), leaf)

    def remove(self, leaf: CompiledLeaf) -> None:
        """Take a leaf out that was filed."""
        query = load_compiled(leaf)
        if isinstance(query, InCategory):
            del self._category_queries[leaf]
        elif isinstance(query, Fact):
            remove_posting(self._leaves_by_fact, (query.field, query.value), leaf)

    def match_documents(self, documents: Sequence[PaperDocument]) -> dict[CompiledLeaf, int]:
        """The papers that each leaf fits: a row of bits for each leaf that fits any."""
        bitmaps: dict[CompiledLeaf, int] = defaultdict(int)
        indexed_facts = self._leaves_by_fact.keys()
        for number, document in enumerate(documents):
            for fact in indexed_facts & document.facts:
                for leaf in list_postings(self._leaves_by_fact[fact]):
                    bitmaps[leaf] |= 1 << number
        if self._category_queries:
            all_categories = _group_by_category(document.categories for document in documents)
            primary_categories = _group_by_category(document.categories[:1] for document in documents)
            for leaf, query in self._category_queries.items():
                for code, bitmap in (primary_categories if query.primary else all_categories).items():
                    if covers(query.code, code):
                        bitmaps[leaf] |= bitmap
        return bitmaps


def _group_by_category(paper_categories: Iterable[Sequence[str]]) -> dict[str, int]:
    """The papers in each category."""
    bitmaps: dict[str, int] = defaultdict(int)
    for number, codes in enumerate(paper_categories):
        for code in codes:
            bitmaps[code] |= 1 << number
    return bitmaps
