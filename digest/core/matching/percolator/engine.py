"""Standing queries, kept once and matched once: many queries and many papers at a time.

``Engine.match`` gives what ``digest.core.matching.evaluate`` would give for each query and paper, without the evidence.
Queries come in by ``add_compiled`` (``query.compiled`` is how the store keeps them), without being read again.

A query is parts (*leaves*: a phrase, a person, a category …) joined by AND, OR and NOT. A leaf is kept once, however
many queries have it, and is filed by what a paper must have to fit it. A query is filed under one leaf, or under one
of each of its alternatives. So a day's papers find the leaves that fit any of them, these find the queries, and
what has nothing to do with the day is never touched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from json import JSONDecoder
from typing import Any

from digest.core.language.query import Query, compiled
from digest.core.matching.bitmaps import Hits, both, either, row_of, surely
from digest.core.matching.percolator.author_index import AskedPeople, Wanted
from digest.core.matching.percolator.fact_index import AskedFacts
from digest.core.matching.percolator.postings import entries, put, take
from digest.core.matching.percolator.term_index import AskedWords
from digest.core.papers.document import Byline, Document

__all__ = ["Engine", "Wanted"]

Leaf = str
"""A part of a query that has no parts, compiled."""
_Node = Leaf | tuple[Any, ...]
"""A leaf; or a sign (``&``, ``|``, ``!``) and the nodes that it is about."""


class Engine:
    """Standing queries, by their numbers."""

    def __init__(self) -> None:
        self._queries: dict[int, _Node] = {}
        self._uses: dict[Leaf, int] = {}
        self._enough: dict[Leaf, Any] = {}
        """The numbers of the queries that fit all that a leaf fits: they are this leaf, or leaves joined by OR."""
        self._under: dict[Leaf, Any] = {}
        """The numbers of the other queries to be looked at where a leaf fits."""
        self._unfiled: set[int] = set()
        """Queries that a paper can fit by what it has not."""
        self._words = {name: AskedWords() for name in ("", "comment", "journal", "institution")}
        self._people = AskedPeople()
        self._facts = AskedFacts()

    def __len__(self) -> int:
        return len(self._queries)

    def __contains__(self, number: object) -> bool:
        return number in self._queries

    @property
    def people(self) -> Wanted:
        """Who is asked for: whose standings the documents should have."""
        return self._people.wanted

    # what is asked

    def add(self, number: int, query: Query) -> None:
        """Keep a query, in the place of one that has this number."""
        self.add_compiled(number, compiled(query))

    def add_compiled(self, number: int, text: str) -> None:
        """Keep a query that ``compiled`` made a text of, in the place of one that has this number."""
        if number in self._queries:
            self.remove(number)
        query, _ = _read(text, 0)
        self._queries[number] = query
        for leaf in _leaves(query):
            uses = self._uses.get(leaf, 0)
            self._uses[leaf] = uses + 1
            if not uses:
                self._file(leaf).put(leaf)
        under = _under(query)
        if under is None:
            self._unfiled.add(number)
        file = self._enough if _is_any(query) else self._under
        for leaf in under or ():
            put(file, leaf, number)

    def remove(self, number: int) -> None:
        """Keep a query no more.

        Raises:
            KeyError: there is none of this number.
        """
        query = self._queries.pop(number)
        file = self._enough if _is_any(query) else self._under
        for leaf in _under(query) or ():
            take(file, leaf, number)
        self._unfiled.discard(number)
        for leaf in _leaves(query):
            self._uses[leaf] -= 1
            if not self._uses[leaf]:
                del self._uses[leaf]
                self._file(leaf).take(leaf)

    def _file(self, leaf: Leaf) -> AskedWords | AskedPeople | AskedFacts:
        kind = leaf[2]
        if kind in "cf":
            return self._facts
        return self._people if kind == "a" else self._words.get(_field(leaf), self._words[""])

    # what fits

    def match(self, documents: Sequence[Document]) -> Iterator[tuple[int, Hits]]:
        """What each query fits, by its number; what fits nothing is left out.

        Args:
            documents: at most some thousands: a row of bits is kept for each leaf that fits any.
        """
        return self._joined(self._found(documents), (1 << len(documents)) - 1)

    def match_signed(
        self, signed_by: Mapping[int, Iterable[Byline]], known: Mapping[Leaf, Hits]
    ) -> Iterator[tuple[int, Hits]]:
        """The same where only the persons are left to be looked for.

        Args:
            signed_by: by the place of a paper, who signed it.
            known: what all other leaves fit, by a leaf as ``compiled`` makes it.
        """
        return self._joined({**known, **self._people.rows(signed_by)}, row_of(signed_by))

    def _joined(self, found: Mapping[Leaf, Hits], every: int) -> Iterator[tuple[int, Hits]]:
        """What each query fits, by what its leaves fit; ``every`` is the row of all papers."""
        fits: dict[int, Hits] = {}
        joined = set(self._unfiled)
        for leaf, hits in found.items():
            for number in entries(self._enough.get(leaf)):
                fits[number] = either(fits[number], hits) if number in fits else hits
            joined.update(entries(self._under.get(leaf)))
        yield from fits.items()
        for number in joined:
            if (fit := _hits(self._queries[number], found, every)) and fit[0]:
                yield number, fit

    def _found(self, documents: Sequence[Document]) -> dict[Leaf, Hits]:
        """The leaves that fit any paper."""
        found = self._people.rows({place: one.bylines for place, one in enumerate(documents)})
        for leaf, row in self._facts.rows(documents).items():
            found[leaf] = surely(row)
        for name, words in self._words.items():
            if name:
                rows = words.rows([document.texts[name] for document in documents])
                found.update((leaf, surely(row)) for leaf, row in rows.items())
        texts = [document.texts[name] for name in ("abstract", "title") for document in documents]
        size = len(documents)
        every = (1 << size) - 1
        for leaf, row in self._words[""].rows(texts).items():
            title = row >> size
            abstract = row & every if title else row
            if leaf[_FIELD] == '"':
                found[leaf] = surely(title | abstract, title) if title else surely(row)
            elif title and _field(leaf) == "title":
                found[leaf] = surely(title, title)
            elif abstract and _field(leaf) == "abstract":
                found[leaf] = surely(abstract)
        return found


# --- queries as they are kept ---------------------------------------------------------------------

_decoded = JSONDecoder().raw_decode


def _read(text: str, start: int) -> tuple[_Node, int]:
    """The node that a compiled query has at a place, and where it ends."""
    sign = text[start + 2]
    if sign not in "&|!":
        if not start:
            return text, len(text)
        _, end = _decoded(text, start)
        return text[start:end], end
    nodes = []
    end = start + 4
    while text[end] == ",":
        node, end = _read(text, end + 1)
        nodes.append(node)
    nodes.sort(key=_is_joined)
    return (sign, *nodes), end + 1


def _is_joined(node: _Node) -> bool:
    """Leaves come first: most of what fits nothing is told by these."""
    return not isinstance(node, str)


_FIELD = len('["p","')
"""Where the field of words begins: it stands behind their kind."""


def _field(leaf: Leaf) -> str:
    return leaf[_FIELD : leaf.index('"', _FIELD)]


def _leaves(node: _Node) -> Sequence[Leaf]:
    if isinstance(node, str):
        return (node,)
    found: list[Leaf] = []
    for inner in node[1:]:
        if isinstance(inner, str):
            found.append(inner)
        else:
            found += _leaves(inner)
    return found


def _is_any(node: _Node) -> bool:
    """Whether it fits all that any of its leaves fits."""
    return isinstance(node, str) or (node[0] == "|" and not any(map(_is_joined, node[1:])))


def _under(node: _Node) -> Sequence[Leaf] | None:
    """Leaves of which one fits every paper that this fits, as few and rare as can be; None if there are none."""
    if isinstance(node, str):
        return (node,)
    sign, *nodes = node
    if sign == "!":
        return None
    below = [_under(inner) for inner in nodes]
    if sign == "|":
        every = [leaf for leaves in below for leaf in leaves or ()]
        return None if None in below else tuple(dict.fromkeys(every))
    return min((leaves for leaves in below if leaves), key=_commonness, default=None)


def _commonness(leaves: Sequence[Leaf]) -> float:
    """Roughly how many papers fit: few have a certain author, fewer a long phrase than a short word."""
    return sum([_COMMON.get(leaf[:4]) or 100_000 / len(leaf) ** 3 for leaf in leaves])


_COMMON = {'["a"': 1.0, '["c"': 40.0, '["f"': 40.0}


# --- the algebra of hits --------------------------------------------------------------------------


def _hits(node: _Node, found: Mapping[Leaf, Hits], every: int) -> Hits | None:
    """What a node fits; None, or no place, where that is nothing."""
    if isinstance(node, str):
        return found.get(node)
    sign = node[0]
    if sign == "!":
        inner = _hits(node[1], found, every)
        return surely(every & ~inner[1] if inner else every)
    join = both if sign == "&" else either
    hits = None
    for one in node[1:]:
        other = found.get(one) if isinstance(one, str) else _hits(one, found, every)
        if other is None:
            if sign == "&":
                return None
        else:
            hits = join(hits, other) if hits else other
    return hits
