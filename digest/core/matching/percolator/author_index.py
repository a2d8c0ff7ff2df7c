"""The persons that queries ask for, filed so that the bylines of a day find those who may be meant."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from digest.core.language.query import ByAuthor, load_compiled
from digest.core.matching.bitmaps import MatchBitmaps
from digest.core.matching.evaluate import match_byline
from digest.core.matching.percolator.name_index import NameIndex
from digest.core.matching.percolator.postings import add_posting, list_postings, remove_posting
from digest.core.names.fitting import make_block_key, match_similar_names
from digest.core.papers.document import Byline

CompiledLeaf = str
"""A part of a query that has no parts, compiled."""


class WantedAuthors(NamedTuple):
    """Who is asked for.

    Attributes:
        name_blocks: the blocks of their names.
        ids: scheme and value.
    """

    name_blocks: frozenset[str] = frozenset()
    ids: frozenset[tuple[str, str]] = frozenset()


class AuthorIndex:
    """Persons asked for, by name or by id."""

    def __init__(self) -> None:
        self._name_index = NameIndex()
        self._leaves_by_id: dict[tuple[str, str], Any] = {}
        """Leaves by their ids."""
        self._block_counts: Counter[str] = Counter()

    @property
    def wanted_authors(self) -> WantedAuthors:
        """Who is asked for."""
        return WantedAuthors(frozenset(self._block_counts), frozenset(self._leaves_by_id))

    def add(self, leaf: CompiledLeaf) -> None:
        """File a leaf."""
        name, ids = _parse_leaf(leaf)
        for author_id in ids:
            add_posting(self._leaves_by_id, author_id, leaf)
        if name:
            self._name_index.add(name, leaf)
            self._block_counts[make_block_key(name)] += 1

    def remove(self, leaf: CompiledLeaf) -> None:
        """Take a leaf out that was filed."""
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
        """The papers that each leaf fits by one of its authors.

        Args:
            bylines_by_position: by the place of a paper, who signed it.
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
        """Those who may be meant by a byline."""
        leaves = set(self._name_index.find_candidates(byline.name))
        if self._leaves_by_id:
            for author_id in (*byline.ids, *byline.standing.ids):
                leaves.update(list_postings(self._leaves_by_id.get(author_id)))
        return leaves


def _parse_leaf(leaf: CompiledLeaf) -> tuple[str, list[tuple[str, str]]]:
    """What a leaf asks for: most are but a name, and a query takes as long to be made as that to be filed."""
    _, name, *ids = json.loads(leaf)
    return name, [(scheme, value) for scheme, value in ids]


def _load_author(leaf: CompiledLeaf) -> ByAuthor:
    query = load_compiled(leaf)
    assert isinstance(query, ByAuthor)
    return query
