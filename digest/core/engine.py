"""Many queries and many papers at once. A STAND-IN until helper E's engine lands: it evaluates each pair.

E: overwrite this file. ``jobs/match`` uses ``add_compiled``, ``remove``, ``in``, ``len``, ``people`` and ``match``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from digest.core.document import Document
from digest.core.evaluate import evaluate
from digest.core.hits import Hits
from digest.core.names import block
from digest.core.query import And, ByAuthor, Not, Or, Query, load
from digest.model import Band


class Wanted(NamedTuple):
    """The persons that queries ask for: the blocks of their names, and their ids."""

    names: frozenset[str] = frozenset()
    ids: frozenset[tuple[str, str]] = frozenset()


class Engine:
    """Queries by number."""

    def __init__(self) -> None:
        self._queries: dict[int, Query] = {}

    def add(self, number: int, query: Query) -> None:
        """Ask this, too."""
        self._queries[number] = query

    def add_compiled(self, number: int, text: str) -> None:
        """Ask this, too."""
        self.add(number, load(text))

    def remove(self, number: int) -> None:
        """Ask it no more."""
        del self._queries[number]

    def __len__(self) -> int:
        return len(self._queries)

    def __contains__(self, number: object) -> bool:
        return number in self._queries

    @property
    def people(self) -> Wanted:
        """Whom the queries ask for."""
        authors = [leaf for query in self._queries.values() for leaf in _authors(query)]
        return Wanted(
            frozenset(block(leaf.name) for leaf in authors if leaf.name),
            frozenset(one for leaf in authors for one in leaf.ids),
        )

    def match(self, documents: Sequence[Document]) -> Iterator[tuple[int, Hits]]:
        """What each query fits."""
        for number, query in self._queries.items():
            rows = [0] * 6
            for place, one in enumerate(documents):
                fit = evaluate(query, one)
                if fit is None:
                    continue
                by = fit.by_author
                likely, surely = Band.LIKELY, Band.SURELY
                flags = True, fit.band >= likely, fit.band >= surely, fit.in_title, by >= likely, by >= surely
                rows = [row | flag << place for row, flag in zip(rows, flags, strict=True)]
            if rows[0]:
                yield number, Hits(*rows)


def _authors(query: Query) -> Iterator[ByAuthor]:
    match query:
        case ByAuthor():
            yield query
        case Not():
            yield from _authors(query.query)
        case And() | Or():
            for part in query.queries:
                yield from _authors(part)
