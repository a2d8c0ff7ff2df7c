"""The index of categories and facts: the leaves of queries that the papers of a batch match."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from digest.core.language.query import CompiledLeaf, Fact, InCategory, load_compiled
from digest.core.matching.percolator.postings import add_posting, list_postings, remove_posting
from digest.core.papers.document import PaperDocument
from digest.core.papers.taxonomy import covers


class FactIndex:
    """Index of the leaves that are categories or facts."""

    def __init__(self) -> None:
        self._category_queries: dict[CompiledLeaf, InCategory] = {}
        self._leaves_by_fact: dict[tuple[str, str], Any] = {}
        """Leaves by fact."""

    def add(self, leaf: CompiledLeaf) -> None:
        """Add a leaf."""
        query = load_compiled(leaf)
        if isinstance(query, InCategory):
            self._category_queries[leaf] = query
        elif isinstance(query, Fact):
            add_posting(self._leaves_by_fact, (query.field, query.value), leaf)

    def remove(self, leaf: CompiledLeaf) -> None:
        """Remove a leaf that was added."""
        query = load_compiled(leaf)
        if isinstance(query, InCategory):
            del self._category_queries[leaf]
        elif isinstance(query, Fact):
            remove_posting(self._leaves_by_fact, (query.field, query.value), leaf)

    def match_documents(self, documents: Sequence[PaperDocument]) -> dict[CompiledLeaf, int]:
        """Return a bitmap of the papers that each leaf matches; leaves without matches are left out."""
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
    """Return a bitmap of the papers in each category."""
    bitmaps: dict[str, int] = defaultdict(int)
    for number, codes in enumerate(paper_categories):
        for code in codes:
            bitmaps[code] |= 1 << number
    return bitmaps
