"""Which papers are one: they are known by the same id, and nobody said that it is not theirs.

Nothing is rewritten for it: which papers are one follows from the claims each time anew, so taking a claim
away undoes what it did, and no more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from digest.core.papers.identity.ids import arxiv_id, doi, page_key
from digest.model import Paper, PaperKey

_MOST_SHARE = 5
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


def claims_of(paper: Paper) -> tuple[Claim, ...]:
    """All ids that a paper may be known by, each once: that of its key first.

    What is no id of its scheme is left out.
    """
    key_scheme, _, key_value = paper.key.partition(":")
    written = [(key_scheme, key_value), ("doi", paper.doi), *paper.ids]
    found = [
        read for scheme, value in written if value and (read := _read(scheme.strip().lower(), value.strip()))
    ]
    return tuple(Claim(paper.key, scheme, value) for scheme, value in dict.fromkeys(found))


def _read(scheme: str, value: str) -> tuple[str, str] | None:
    """An id as all sources write it; what somebody calls a DOI may be an arXiv id."""
    if scheme in {"arxiv", "doi"}:
        if found := arxiv_id(value):
            return "arxiv", found[0]
        bare = doi(value) if scheme == "doi" else None
        return ("doi", bare) if bare else None
    if scheme == "url" and (key := page_key(value)):
        return "url", key.removeprefix("url:")
    return (scheme, value) if value else None


def roots(claims: Iterable[Claim], apart: Iterable[tuple[PaperKey, str, str]]) -> dict[PaperKey, PaperKey]:
    """Which papers are one: those that share an id, and those that share one with these.

    Papers that together would have two arXiv ids are not made one at all. arXiv gives a work one id, so
    somebody is wrong: the same DOI stands on two papers, or a source took one paper for another. Nobody can
    tell who, and two works in one are worse than one work shown twice. For the same reason an id that many papers
    claim is nobody's: a feed printed that of its journal on each of its entries.

    Args:
        claims: what papers are known by.
        apart: those claims that count for nothing, because somebody said that they are wrong.

    Returns:
        Every paper of the claims with the least key of those that it is one with, itself included.
    """
    wrong = set(apart)
    told = {claim: claim not in wrong for claim in claims}
    sharing: dict[tuple[str, str], list[PaperKey]] = defaultdict(list)
    for claim, counts in told.items():
        if counts:
            sharing[claim.scheme, claim.value].append(claim.paper)
    arxiv: dict[PaperKey, set[str]] = {claim.paper: set() for claim in told}
    for (scheme, value), papers in sharing.items():
        for paper in papers if scheme == "arxiv" else ():
            arxiv[paper].add(value)
    root_of: dict[PaperKey, PaperKey] = {}
    linked = [papers for papers in sharing.values() if len(papers) <= _MOST_SHARE]
    for group in _groups(arxiv, linked):
        several = len({value for paper in group for value in _arxiv_ids(paper, arxiv[paper])}) > 1
        least = min(group)
        root_of.update({paper: paper if several else least for paper in group})
    return root_of


def _arxiv_ids(paper: PaperKey, claimed: set[str]) -> set[str]:
    """A paper whose key is an arXiv id has that one, even if it was set apart."""
    return claimed | {paper.removeprefix("arxiv:")} if paper.startswith("arxiv:") else claimed


def _groups(papers: Iterable[PaperKey], linked: Iterable[list[PaperKey]]) -> Iterator[set[PaperKey]]:
    """Parts papers so that all that are linked, over however many others, are together."""
    links: dict[PaperKey, set[PaperKey]] = {paper: set() for paper in papers}
    for first, *others in linked:
        for other in others:
            links[first].add(other)
            links[other].add(first)
    for paper in list(links):
        group, ahead = set[PaperKey](), {paper} if paper in links else set()
        while ahead:
            group |= ahead
            ahead = {other for member in ahead for other in links.pop(member)} - group
        if group:
            yield group
