"""Standing queries: many queries are matched with many papers at a time.

``Engine.match`` returns what ``digest.core.matching.evaluate`` returns for each query and paper, without the
evidence. Queries are added by ``add_compiled`` in the form in which they are stored
(``query.compile_query``), without parsing.

A query consists of *leaves* (a phrase, a person, a category …) joined by AND, OR and NOT. A leaf is stored
once, however many queries contain it, and is indexed by what a matching paper must contain. A query is
indexed under one of its leaves, or under one leaf of each of its alternatives. So a day's papers lead to the
leaves that match any of them, these lead to the queries, and queries that have nothing to do with the day are
never touched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from json import JSONDecoder
from typing import Any

from digest.core.language.query import CompiledLeaf, Query, compile_query
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
from digest.core.papers.document import SECONDARY_TEXT_FIELDS, Byline, PaperDocument

__all__ = ["Engine", "WantedAuthors"]

_Node = CompiledLeaf | tuple[Any, ...]
"""A leaf; or an operator (``&``, ``|``, ``!``) and its operands."""


class Engine:
    """Standing queries, by number."""

    def __init__(self) -> None:
        self._queries: dict[int, _Node] = {}
        self._use_counts: dict[CompiledLeaf, int] = {}
        self._queries_by_sufficient_leaf: dict[CompiledLeaf, Any] = {}
        """Numbers of the queries that match whatever a leaf matches: they are this leaf, or leaves joined by OR."""
        self._queries_by_required_leaf: dict[CompiledLeaf, Any] = {}
        """Numbers of the other queries, which are evaluated if a leaf matches."""
        self._unindexed: set[int] = set()
        """Numbers of the queries that a paper can match by what it lacks."""
        self._term_indexes = {name: TermIndex() for name in ("", *SECONDARY_TEXT_FIELDS)}
        self._author_index = AuthorIndex()
        self._fact_index = FactIndex()

    def __len__(self) -> int:
        return len(self._queries)

    def __contains__(self, number: object) -> bool:
        return number in self._queries

    @property
    def wanted_authors(self) -> WantedAuthors:
        """The persons in all queries; documents should have the standings of their bylines."""
        return self._author_index.wanted_authors

    # queries

    def add(self, number: int, query: Query) -> None:
        """Add a query; it replaces any query with this number."""
        self.add_compiled(number, compile_query(query))

    def add_compiled(self, number: int, text: str) -> None:
        """Add a query that ``compile_query`` compiled; it replaces any query with this number."""
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
        """Remove a query.

        Raises:
            KeyError: there is no query with this number.
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

    # matching

    def match(self, documents: Sequence[PaperDocument]) -> Iterator[tuple[int, MatchBitmaps]]:
        """Yield the number and the matches of each query that matches any document.

        Args:
            documents: at most some thousands, because each leaf that matches any has a bitmap of them.
        """
        return self._combine_leaves(self._match_leaves(documents), (1 << len(documents)) - 1)

    def match_signed(
        self,
        bylines_by_position: Mapping[int, Iterable[Byline]],
        leaf_matches: Mapping[CompiledLeaf, MatchBitmaps],
    ) -> Iterator[tuple[int, MatchBitmaps]]:
        """Yield what ``match`` yields, if the matches of all leaves except persons are known already.

        Args:
            bylines_by_position: bylines of each paper, by its position.
            leaf_matches: matches of all other leaves, by leaf as compiled by ``compile_query``.
        """
        return self._combine_leaves(
            {**leaf_matches, **self._author_index.match_bylines(bylines_by_position)},
            make_bitmap(bylines_by_position),
        )

    def _combine_leaves(
        self, leaf_matches: Mapping[CompiledLeaf, MatchBitmaps], all_papers: int
    ) -> Iterator[tuple[int, MatchBitmaps]]:
        """Yield the matches of each query, combined from those of its leaves.

        ``all_papers`` is the bitmap of all papers.
        """
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
        """Return the matches of each leaf that matches any paper."""
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


# --- query trees ----------------------------------------------------------------------------------

_decode = JSONDecoder().raw_decode


def _parse_node(text: str, start: int) -> tuple[_Node, int]:
    """Return the node at a position of a compiled query, and where it ends."""
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
    """Whether a node has operands. Leaves are sorted first, because they rule out most queries that do not match."""
    return not isinstance(node, str)


_FIELD_START = len('["p","')
"""Position of the field in a compiled text leaf: after its kind."""


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
    """Whether a node matches everything that any of its leaves matches."""
    return isinstance(node, str) or (node[0] == "|" and not any(map(_is_joined, node[1:])))


def _choose_required_leaves(node: _Node) -> Sequence[CompiledLeaf] | None:
    """Return leaves such that every paper that a node matches also matches at least one of them.

    They are as few and as rare as possible. Return None if there are none.
    """
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
    """Estimate how many papers leaves match: an author matches few, and a long phrase fewer than a short word."""
    return sum([_MATCH_ESTIMATES.get(leaf[:4]) or 100_000 / len(leaf) ** 3 for leaf in leaves])


_MATCH_ESTIMATES = {'["a"': 1.0, '["c"': 40.0, '["f"': 40.0}


# --- evaluation of query trees --------------------------------------------------------------------


def _match_node(
    node: _Node, leaf_matches: Mapping[CompiledLeaf, MatchBitmaps], all_papers: int
) -> MatchBitmaps | None:
    """Return the matches of a node; None or empty bitmaps if there are none."""
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
