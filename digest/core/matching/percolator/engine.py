"""Standing queries, kept once and matched once: many queries and many papers at a time.

``Engine.match`` gives what ``digest.core.matching.evaluate`` would give for each query and paper, without the evidence.
Queries come in by ``add_compiled`` (``query.compile_query`` is how the store keeps them), without being read again.

A query is parts (*leaves*: a phrase, a person, a category …) joined by AND, OR and NOT. A leaf is kept once, however
many queries have it, and is filed by what a paper must have to fit it. A query is filed under one leaf, or under one
of each of its alternatives. So a day's papers find the leaves that fit any of them, these find the queries, and
what has nothing to do with the day is never touched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from json import JSONDecoder
from typing import Any

from digest.core.language.query import Query, compile_query
from digest.core.matching.bitmaps import (
    MatchBitmaps,
    build_sure_matches,
    intersect_matches,
    make_bitmap,
    unite_matches,
)
from digest.core.matching.percolator.author_index import AuthorIndex, WantedAuthors
from digest.core.matching.percolator.fact_index import FactIndex
from digest.core.matching.percolator.postings import add_posting, list_postings, remove_posting
from digest.core.matching.percolator.term_index import TermIndex
from digest.core.papers.document import Byline, PaperDocument

__all__ = ["Engine", "WantedAuthors"]

CompiledLeaf = str
"""A part of a query that has no parts, compiled."""
_Node = CompiledLeaf | tuple[Any, ...]
"""A leaf; or a sign (``&``, ``|``, ``!``) and the nodes that it is about."""


class Engine:
    """Standing queries, by their numbers."""

    def __init__(self) -> None:
        self._queries: dict[int, _Node] = {}
        self._use_counts: dict[CompiledLeaf, int] = {}
        self._queries_by_sufficient_leaf: dict[CompiledLeaf, Any] = {}
        """The numbers of the queries that fit all that a leaf fits: they are this leaf, or leaves joined by OR."""
        self._queries_by_required_leaf: dict[CompiledLeaf, Any] = {}
        """The numbers of the other queries to be looked at where a leaf fits."""
        self._unindexed: set[int] = set()
        """Queries that a paper can fit by what it has not."""
        self._term_indexes = {name: TermIndex() for name in ("", "comment", "journal", "institution")}
        self._author_index = AuthorIndex()
        self._fact_index = FactIndex()

    def __len__(self) -> int:
        return len(self._queries)

    def __contains__(self, number: object) -> bool:
        return number in self._queries

    @property
    def wanted_authors(self) -> WantedAuthors:
        """Who is asked for: whose standings the documents should have."""
        return self._author_index.wanted_authors

    # what is asked

    def add(self, number: int, query: Query) -> None:
        """Keep a query, in the place of one that has this number."""
        self.add_compiled(number, compile_query(query))

    def add_compiled(self, number: int, text: str) -> None:
        """Keep a query that ``compiled`` made a text of, in the place of one that has this number."""
        if number in self._queries:
            self.remove(number)
        query, _ = _parse_node(text, 0)
        self._queries[number] = query
        for leaf in _list_leaves(query):
            use_count = self._use_counts.get(leaf, 0)
            self._use_counts[leaf] = use_count + 1
            if not use_count:
                self._get_index(leaf).add(leaf)
        required_leaves = _choose_required_leaves(query)
        if required_leaves is None:
            self._unindexed.add(number)
        postings = self._queries_by_sufficient_leaf if _is_plain_or(query) else self._queries_by_required_leaf
        for leaf in required_leaves or ():
            add_posting(postings, leaf, number)

    def remove(self, number: int) -> None:
        """Keep a query no more.

        Raises:
            KeyError: there is none of this number.
        """
        query = self._queries.pop(number)
        postings = self._queries_by_sufficient_leaf if _is_plain_or(query) else self._queries_by_required_leaf
        for leaf in _choose_required_leaves(query) or ():
            remove_posting(postings, leaf, number)
        self._unindexed.discard(number)
        for leaf in _list_leaves(query):
            self._use_counts[leaf] -= 1
            if not self._use_counts[leaf]:
                del self._use_counts[leaf]
                self._get_index(leaf).remove(leaf)

    def _get_index(self, leaf: CompiledLeaf) -> TermIndex | AuthorIndex | FactIndex:
        kind = leaf[2]
        if kind in "cf":
            return self._fact_index
        return (
            self._author_index
            if kind == "a"
            else self._term_indexes.get(_get_field(leaf), self._term_indexes[""])
        )

    # what fits

    def match(self, documents: Sequence[PaperDocument]) -> Iterator[tuple[int, MatchBitmaps]]:
        """What each query fits, by its number; what fits nothing is left out.

        Args:
            documents: at most some thousands: a row of bits is kept for each leaf that fits any.
        """
        return self._combine_leaves(self._match_leaves(documents), (1 << len(documents)) - 1)

    def match_signed(
        self,
        bylines_by_position: Mapping[int, Iterable[Byline]],
        leaf_matches: Mapping[CompiledLeaf, MatchBitmaps],
    ) -> Iterator[tuple[int, MatchBitmaps]]:
        """The same where only the persons are left to be looked for.

        Args:
            bylines_by_position: by the place of a paper, who signed it.
            leaf_matches: what all other leaves fit, by a leaf as ``compiled`` makes it.
        """
        return self._combine_leaves(
            {**leaf_matches, **self._author_index.match_bylines(bylines_by_position)},
            make_bitmap(bylines_by_position),
        )

    def _combine_leaves(
        self, leaf_matches: Mapping[CompiledLeaf, MatchBitmaps], all_papers: int
    ) -> Iterator[tuple[int, MatchBitmaps]]:
        """What each query fits, by what its leaves fit; ``all_papers`` is the row of all papers."""
        query_matches: dict[int, MatchBitmaps] = {}
        undecided = set(self._unindexed)
        for leaf, matches in leaf_matches.items():
            for number in list_postings(self._queries_by_sufficient_leaf.get(leaf)):
                query_matches[number] = (
                    unite_matches(query_matches[number], matches) if number in query_matches else matches
                )
            undecided.update(list_postings(self._queries_by_required_leaf.get(leaf)))
        yield from query_matches.items()
        for number in undecided:
            if (matched := _match_node(self._queries[number], leaf_matches, all_papers)) and matched[0]:
                yield number, matched

    def _match_leaves(self, documents: Sequence[PaperDocument]) -> dict[CompiledLeaf, MatchBitmaps]:
        """The leaves that fit any paper."""
        leaf_matches = self._author_index.match_bylines(
            {position: paper_document.bylines for position, paper_document in enumerate(documents)}
        )
        for leaf, bitmap in self._fact_index.match_documents(documents).items():
            leaf_matches[leaf] = build_sure_matches(bitmap)
        for name, term_index in self._term_indexes.items():
            if name:
                bitmaps = term_index.match_texts([document.texts[name] for document in documents])
                leaf_matches.update((leaf, build_sure_matches(bitmap)) for leaf, bitmap in bitmaps.items())
        texts = [document.texts[name] for name in ("abstract", "title") for document in documents]
        size = len(documents)
        all_papers = (1 << size) - 1
        for leaf, bitmap in self._term_indexes[""].match_texts(texts).items():
            title = bitmap >> size
            abstract = bitmap & all_papers if title else bitmap
            if leaf[_FIELD_START] == '"':
                leaf_matches[leaf] = (
                    build_sure_matches(title | abstract, title) if title else build_sure_matches(bitmap)
                )
            elif title and _get_field(leaf) == "title":
                leaf_matches[leaf] = build_sure_matches(title, title)
            elif abstract and _get_field(leaf) == "abstract":
                leaf_matches[leaf] = build_sure_matches(abstract)
        return leaf_matches


# --- queries as they are kept ---------------------------------------------------------------------

_decode = JSONDecoder().raw_decode


def _parse_node(text: str, start: int) -> tuple[_Node, int]:
    """The node that a compiled query has at a place, and where it ends."""
    operator = text[start + 2]
    if operator not in "&|!":
        if not start:
            return text, len(text)
        _, end = _decode(text, start)
        return text[start:end], end
    nodes = []
    end = start + 4
    while text[end] == ",":
        node, end = _parse_node(text, end + 1)
        nodes.append(node)
    nodes.sort(key=_is_joined)
    return (operator, *nodes), end + 1


def _is_joined(node: _Node) -> bool:
    """Leaves come first: most of what fits nothing is told by these."""
    return not isinstance(node, str)


_FIELD_START = len('["p","')
"""Where the field of words begins: it stands behind their kind."""


def _get_field(leaf: CompiledLeaf) -> str:
    return leaf[_FIELD_START : leaf.index('"', _FIELD_START)]


def _list_leaves(node: _Node) -> Sequence[CompiledLeaf]:
    if isinstance(node, str):
        return (node,)
    leaves: list[CompiledLeaf] = []
    for inner in node[1:]:
        if isinstance(inner, str):
            leaves.append(inner)
        else:
            leaves += _list_leaves(inner)
    return leaves


def _is_plain_or(node: _Node) -> bool:
    """Whether it fits all that any of its leaves fits."""
    return isinstance(node, str) or (node[0] == "|" and not any(map(_is_joined, node[1:])))


def _choose_required_leaves(node: _Node) -> Sequence[CompiledLeaf] | None:
    """Leaves of which one fits every paper that this fits, as few and rare as can be; None if there are none."""
    if isinstance(node, str):
        return (node,)
    operator, *nodes = node
    if operator == "!":
        return None
    alternatives = [_choose_required_leaves(part) for part in nodes]
    if operator == "|":
        all_leaves = [leaf for leaves in alternatives for leaf in leaves or ()]
        return None if None in alternatives else tuple(dict.fromkeys(all_leaves))
    return min((leaves for leaves in alternatives if leaves), key=_estimate_matches, default=None)


def _estimate_matches(leaves: Sequence[CompiledLeaf]) -> float:
    """Roughly how many papers fit: few have a certain author, fewer a long phrase than a short word."""
    return sum([_MATCH_ESTIMATES.get(leaf[:4]) or 100_000 / len(leaf) ** 3 for leaf in leaves])


_MATCH_ESTIMATES = {'["a"': 1.0, '["c"': 40.0, '["f"': 40.0}


# --- the algebra of hits --------------------------------------------------------------------------


def _match_node(
    node: _Node, leaf_matches: Mapping[CompiledLeaf, MatchBitmaps], all_papers: int
) -> MatchBitmaps | None:
    """What a node fits; None, or no place, where that is nothing."""
    if isinstance(node, str):
        return leaf_matches.get(node)
    operator = node[0]
    if operator == "!":
        negated = _match_node(node[1], leaf_matches, all_papers)
        return build_sure_matches(all_papers & ~negated[1] if negated else all_papers)
    join = intersect_matches if operator == "&" else unite_matches
    matches = None
    for part in node[1:]:
        part_matches = (
            leaf_matches.get(part) if isinstance(part, str) else _match_node(part, leaf_matches, all_papers)
        )
        if part_matches is None:
            if operator == "&":
                return None
        else:
            matches = join(matches, part_matches) if matches else part_matches
    return matches
