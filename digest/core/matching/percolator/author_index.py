"""The persons that queries ask for, filed so that the bylines of a day find those who may be meant."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from digest.core.language.query import ByAuthor, load
from digest.core.matching.bitmaps import Hits
from digest.core.matching.evaluate import byline_band
from digest.core.matching.percolator.name_index import NameIndex
from digest.core.matching.percolator.postings import entries, put, take
from digest.core.names.fitting import block, fit_of_alike
from digest.core.papers.document import Byline

Leaf = str
"""A part of a query that has no parts, compiled."""


class Wanted(NamedTuple):
    """Who is asked for.

    Attributes:
        names: the blocks of their names.
        ids: scheme and value.
    """

    names: frozenset[str] = frozenset()
    ids: frozenset[tuple[str, str]] = frozenset()


class AskedPeople:
    """Persons asked for, by name or by id."""

    def __init__(self) -> None:
        self._named = NameIndex()
        self._known: dict[tuple[str, str], Any] = {}
        """Leaves by their ids."""
        self._blocks: Counter[str] = Counter()

    @property
    def wanted(self) -> Wanted:
        """Who is asked for."""
        return Wanted(frozenset(self._blocks), frozenset(self._known))

    def put(self, leaf: Leaf) -> None:
        """File a leaf."""
        name, ids = _name_and_ids(leaf)
        for one in ids:
            put(self._known, one, leaf)
        if name:
            self._named.put(name, leaf)
            self._blocks[block(name)] += 1

    def take(self, leaf: Leaf) -> None:
        """Take a leaf out that was filed."""
        name, ids = _name_and_ids(leaf)
        for one in ids:
            take(self._known, one, leaf)
        if name:
            self._named.take(name, leaf)
            self._blocks[block(name)] -= 1
            if not self._blocks[block(name)]:
                del self._blocks[block(name)]

    def rows(self, signed_by: Mapping[int, Iterable[Byline]]) -> dict[Leaf, Hits]:
        """The papers that each leaf fits by one of its authors.

        Args:
            signed_by: by the place of a paper, who signed it.
        """
        signed: dict[Byline, int] = defaultdict(int)
        if not self._known and not self._blocks:
            return {}
        for place, bylines in signed_by.items():
            for byline in bylines:
                signed[byline] |= 1 << place
        found: dict[Leaf, list[int]] = {}
        queries: dict[Leaf, ByAuthor] = {}
        for byline, row in signed.items():
            for leaf in self._perhaps(byline):
                query = queries.get(leaf) or queries.setdefault(leaf, _loaded(leaf))
                if band := byline_band(query, byline, fit_of_alike):
                    rows = found.setdefault(leaf, [0, 0, 0])
                    for at in range(band):
                        rows[at] |= row
        return {
            leaf: Hits(maybe, likely, surely, 0, likely, surely)
            for leaf, (maybe, likely, surely) in found.items()
        }

    def _perhaps(self, byline: Byline) -> set[Leaf]:
        """Those who may be meant by a byline."""
        leaves = set(self._named.perhaps(byline.name))
        if self._known:
            for one in (*byline.ids, *byline.standing.ids):
                leaves.update(entries(self._known.get(one)))
        return leaves


def _name_and_ids(leaf: Leaf) -> tuple[str, list[tuple[str, str]]]:
    """What a leaf asks for: most are but a name, and a query takes as long to be made as that to be filed."""
    _, name, *ids = json.loads(leaf)
    return name, [(scheme, value) for scheme, value in ids]


def _loaded(leaf: Leaf) -> ByAuthor:
    query = load(leaf)
    assert isinstance(query, ByAuthor)
    return query
