"""The index of persons: the leaves of queries that the bylines of a batch may match."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from digest.core.language.query import ByAuthor, CompiledLeaf, load_compiled
from digest.core.matching.bitmaps import MatchBitmaps
from digest.core.matching.evaluate import match_byline
from digest.core.matching.percolator.name_index import NameIndex
from digest.core.matching.percolator.postings import add_posting, list_postings, remove_posting
from digest.core.names.fitting import make_block_key, match_similar_names
from digest.core.papers.document import Byline


class WantedAuthors(NamedTuple):
    """The persons in queries.

    Attributes:
        name_blocks: block keys of their names.
        ids: pairs of scheme and value.
    """

    name_blocks: frozenset[str] = frozenset()
    ids: frozenset[tuple[str, str]] = frozenset()


class AuthorIndex:
    """Index of the leaves that are persons, by name and by id."""

    def __init__(self) -> None:
        self._name_index = NameIndex()
        self._leaves_by_id: dict[tuple[str, str], Any] = {}
        """Leaves by id."""
        self._block_counts: Counter[str] = Counter()

    @property
    def wanted_authors(self) -> WantedAuthors:
        """The persons in all leaves."""
        return WantedAuthors(frozenset(self._block_counts), frozenset(self._leaves_by_id))

    def add(self, leaf: CompiledLeaf) -> None:
        """Add a leaf."""
        name, ids = _parse_leaf(leaf)
        for author_id in ids:
            add_posting(self._leaves_by_id, author_id, leaf)
        if name:
            self._name_index.add(name, leaf)
            self._block_counts[make_block_key(name)] += 1

    def remove(self, leaf: CompiledLeaf) -> None:
        """Remove a leaf that was added."""
        name, ids = _parse_leaf(leaf)
        for author_id in ids:
            remove_posting(self._leaves_by_id, author_id, leaf)
        if name:
            self._name_index.remove(name, leaf)
            self._block_counts[make_block_key(name)] -= 1
            if not self._block_counts[make_block_key(name)]:
                del self._block_counts[make_block_key(name)]

    def match_bylines(
        self, bylines_by_position: Mapping[int, Iterable[Byline]]
    ) -> dict[CompiledLeaf, MatchBitmaps]:
        """Return the papers that each leaf matches by one of their authors.

        Args:
            bylines_by_position: bylines of each paper, by its position.
        """
        bitmaps_by_byline: dict[Byline, int] = defaultdict(int)
        if not self._leaves_by_id and not self._block_counts:
            return {}
        for position, bylines in bylines_by_position.items():
            for byline in bylines:
                bitmaps_by_byline[byline] |= 1 << position
        bitmaps_by_leaf: dict[CompiledLeaf, list[int]] = {}
        queries: dict[CompiledLeaf, ByAuthor] = {}
        for byline, bitmap in bitmaps_by_byline.items():
            for leaf in self._find_candidates(byline):
                query = queries.get(leaf) or queries.setdefault(leaf, _load_author(leaf))
                if confidence := match_byline(query, byline, match_similar_names):
                    bitmaps = bitmaps_by_leaf.setdefault(leaf, [0, 0, 0])
                    for level in range(confidence):
                        bitmaps[level] |= bitmap
        return {
            leaf: MatchBitmaps(maybe, likely, surely, 0, likely, surely)
            for leaf, (maybe, likely, surely) in bitmaps_by_leaf.items()
        }

    def _find_candidates(self, byline: Byline) -> set[CompiledLeaf]:
        """Return the leaves that a byline may match."""
        leaves = set(self._name_index.find_candidates(byline.name))
        if self._leaves_by_id:
            for author_id in (*byline.ids, *byline.standing.ids):
                leaves.update(list_postings(self._leaves_by_id.get(author_id)))
        return leaves


def _parse_leaf(leaf: CompiledLeaf) -> tuple[str, list[tuple[str, str]]]:
    """Return name and ids of a leaf.

    Most leaves are only a name, and building a query from one would take as long as adding it to the index.
    """
    _, name, *ids = json.loads(leaf)
    return name, [(scheme, value) for scheme, value in ids]


def _load_author(leaf: CompiledLeaf) -> ByAuthor:
    query = load_compiled(leaf)
    assert isinstance(query, ByAuthor)
    return query
