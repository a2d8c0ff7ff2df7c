"""Which papers are one: they are known by the same id, and nobody said that it is not theirs.

Nothing is rewritten for it: which papers are one follows from the claims each time anew, so taking a claim
away undoes what it did, and no more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from digest.core.papers.identity.ids import make_page_key, parse_arxiv_id, parse_doi
from digest.model import Paper, PaperKey

_MAX_SHARING_PAPERS = 5
"""More papers do not share an id: a preprint, its publication, and what a few sources make of them are fewer."""


class Claim(NamedTuple):
    """That a paper is known by an id.

    Attributes:
        paper: the key that its source uses.
        scheme: ``arxiv``, ``doi``, ``url``, or another that a source knows papers by.
        value: the id, as all sources write it.
    """

    paper: PaperKey
    scheme: str
    value: str


def list_claims(paper: Paper) -> tuple[Claim, ...]:
    """All ids that a paper may be known by, each once: that of its key first.

    What is no id of its scheme is left out.
    """
    key_scheme, _, key_value = paper.key.partition(":")
    candidates = [(key_scheme, key_value), ("doi", paper.doi), *paper.ids]
    normalized_ids = [
        normalized_id
        for scheme, value in candidates
        if value and (normalized_id := _normalize_id(scheme.strip().lower(), value.strip()))
    ]
    return tuple(Claim(paper.key, scheme, value) for scheme, value in dict.fromkeys(normalized_ids))


def _normalize_id(scheme: str, value: str) -> tuple[str, str] | None:
    """An id as all sources write it; what somebody calls a DOI may be an arXiv id."""
    if scheme in {"arxiv", "doi"}:
        if arxiv_paper := parse_arxiv_id(value):
            return "arxiv", arxiv_paper[0]
        doi_value = parse_doi(value) if scheme == "doi" else None
        return ("doi", doi_value) if doi_value else None
    if scheme == "url" and (key := make_page_key(value)):
        return "url", key.removeprefix("url:")
    return (scheme, value) if value else None


def find_roots(
    claims: Iterable[Claim], rejected: Iterable[tuple[PaperKey, str, str]]
) -> dict[PaperKey, PaperKey]:
    """Which papers are one: those that share an id, and those that share one with these.

    Papers that together would have two arXiv ids are not made one at all. arXiv gives a work one id, so
    somebody is wrong: the same DOI stands on two papers, or a source took one paper for another. Nobody can
    tell who, and two works in one are worse than one work shown twice. For the same reason an id that many papers
    claim is nobody's: a feed printed that of its journal on each of its entries.

    Args:
        claims: what papers are known by.
        rejected: those claims that count for nothing, because somebody said that they are wrong.

    Returns:
        Every paper of the claims with the least key of those that it is one with, itself included.
    """
    rejected_claims = set(rejected)
    accepted_by_claim = {claim: claim not in rejected_claims for claim in claims}
    papers_by_id: dict[tuple[str, str], list[PaperKey]] = defaultdict(list)
    for claim, is_accepted in accepted_by_claim.items():
        if is_accepted:
            papers_by_id[claim.scheme, claim.value].append(claim.paper)
    arxiv_ids: dict[PaperKey, set[str]] = {claim.paper: set() for claim in accepted_by_claim}
    for (scheme, value), papers in papers_by_id.items():
        for paper in papers if scheme == "arxiv" else ():
            arxiv_ids[paper].add(value)
    root_of: dict[PaperKey, PaperKey] = {}
    linked_papers = [papers for papers in papers_by_id.values() if len(papers) <= _MAX_SHARING_PAPERS]
    for group in _group_papers(arxiv_ids, linked_papers):
        has_several_arxiv_ids = (
            len({value for paper in group for value in _get_arxiv_ids(paper, arxiv_ids[paper])}) > 1
        )
        root = min(group)
        root_of.update({paper: paper if has_several_arxiv_ids else root for paper in group})
    return root_of


def _get_arxiv_ids(paper: PaperKey, claimed_ids: set[str]) -> set[str]:
    """A paper whose key is an arXiv id has that one, even if it was set apart."""
    return claimed_ids | {paper.removeprefix("arxiv:")} if paper.startswith("arxiv:") else claimed_ids


def _group_papers(
    papers: Iterable[PaperKey], linked_papers: Iterable[list[PaperKey]]
) -> Iterator[set[PaperKey]]:
    """Parts papers so that all that are linked, over however many others, are together."""
    links: dict[PaperKey, set[PaperKey]] = {paper: set() for paper in papers}
    for first, *others in linked_papers:
        for other in others:
            links[first].add(other)
            links[other].add(first)
    for paper in list(links):
        group, frontier = set[PaperKey](), {paper} if paper in links else set()
        while frontier:
            group |= frontier
            frontier = {other for member in frontier for other in links.pop(member)} - group
        if group:
            yield group
