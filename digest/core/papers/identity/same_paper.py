"""Records of the same paper: those that share an ID, unless somebody rejected it.

Nothing is rewritten. The groups are computed from the claims each time, so if a claim is removed, exactly its
effect is undone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from digest.core.papers.identity.ids import make_page_key, parse_arxiv_id, parse_doi
from digest.model import Paper, PaperKey

_MAX_SHARING_PAPERS = 5
"""Maximum number of papers that can share an ID: a preprint, its publication, and records of a few sources."""


class Claim(NamedTuple):
    """A claim that a paper has an ID.

    Attributes:
        paper: the key that the source of the paper uses.
        scheme: ``arxiv``, ``doi``, ``url``, or another scheme of a source.
        value: the ID in canonical form.
    """

    paper: PaperKey
    scheme: str
    value: str


def list_claims(paper: Paper) -> tuple[Claim, ...]:
    """Return all IDs of a paper, each once, beginning with that of its key; invalid IDs are omitted."""
    key_scheme, _, key_value = paper.key.partition(":")
    candidates = [(key_scheme, key_value), ("doi", paper.doi), *paper.ids]
    normalized_ids = [
        normalized_id
        for scheme, value in candidates
        if value and (normalized_id := _normalize_id(scheme.strip().lower(), value.strip()))
    ]
    return tuple(Claim(paper.key, scheme, value) for scheme, value in dict.fromkeys(normalized_ids))


def _normalize_id(scheme: str, value: str) -> tuple[str, str] | None:
    """Return an ID in canonical form; the DOI of a source may be an arXiv ID."""
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
    """Group the papers that share an ID, directly or through other papers.

    Papers that would have two arXiv IDs together are not grouped at all. arXiv gives a work one ID, so some
    source is wrong: the same DOI is on two papers, or one paper was mistaken for another. It is impossible to
    tell which, and two works shown as one are worse than one work shown twice. For the same reason, an ID
    that many papers claim is ignored: a feed may print the ID of its journal on each entry.

    Args:
        claims: the IDs of the papers.
        rejected: claims that are ignored because somebody declared them wrong.

    Returns:
        For each paper of the claims, the lowest key of its group, which includes itself.
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
    """Return the arXiv IDs of a paper, including that in its key, even if its claim was rejected."""
    return claimed_ids | {paper.removeprefix("arxiv:")} if paper.startswith("arxiv:") else claimed_ids


def _group_papers(
    papers: Iterable[PaperKey], linked_papers: Iterable[list[PaperKey]]
) -> Iterator[set[PaperKey]]:
    """Yield the connected components of the papers."""
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
