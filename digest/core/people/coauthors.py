"""Co-authors of a person, weighted by how closely they work together."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from digest.core.names.fitting import fold_name
from digest.core.people.persons import BylinePlace

MAX_AUTHORS = 30
"""Maximum number of authors of a paper that counts; on longer lists not everybody works with everybody."""


class Coauthor(NamedTuple):
    """A co-author; two people with the same printed name among the co-authors of a person count as one.

    Attributes:
        name: the name on the newest common paper.
        place: the byline on that paper.
        papers: the number of common papers.
        weight: the sum of 1/(n - 1) over the common papers, where n is their number of authors.
    """

    name: str
    place: BylinePlace
    papers: int
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Coauthorship:
    """The co-authors of a person.

    Attributes:
        coauthors: the co-authors, closest first.
        pairs: numbers of papers that the person wrote together with two of them, by their indexes, lower one first.
        skipped_papers: the number of papers with too many authors to count.
    """

    coauthors: tuple[Coauthor, ...]
    pairs: Mapping[tuple[int, int], int]
    skipped_papers: int


def weigh_coauthors(
    own_places: Sequence[BylinePlace], names_by_paper: Mapping[int, Sequence[str]], limit: int
) -> Coauthorship:
    """Weigh the co-authors of a person.

    Each paper counts 1/(n - 1) for each co-author, so that all co-authors of a paper together count as one
    (M. E. J. Newman, Scientific collaboration networks II, Physical Review E 64, 016132, 2001, equation 2).

    Args:
        own_places: the bylines of the person, oldest paper first.
        names_by_paper: the printed names of the authors in order; of a paper with more than ``MAX_AUTHORS``, at least
            one more than these.
        limit: the maximum number of co-authors.
    """
    weights: dict[str, float] = defaultdict(float)
    papers: Counter[str] = Counter()
    newest: dict[str, tuple[str, BylinePlace]] = {}
    teams: list[frozenset[str]] = []
    skipped = 0
    for paper, own_position in own_places:
        names = names_by_paper[paper]
        if len(names) > MAX_AUTHORS:
            skipped += 1
            continue
        others = {
            fold_name(name): (name, (paper, position))
            for position, name in enumerate(names)
            if position != own_position and fold_name(name)
        }
        newest |= others
        papers.update(others.keys())
        for key in others:
            weights[key] += 1 / (len(names) - 1)
        teams.append(frozenset(others))
    closest = sorted(weights, key=lambda key: (-weights[key], -papers[key], newest[key][0]))[:limit]
    indexes = {key: index for index, key in enumerate(closest)}
    return Coauthorship(
        coauthors=tuple(Coauthor(*newest[key], papers[key], weights[key]) for key in closest),
        pairs=_count_pairs(teams, indexes),
        skipped_papers=skipped,
    )


def _count_pairs(teams: Sequence[frozenset[str]], indexes: Mapping[str, int]) -> dict[tuple[int, int], int]:
    pairs: Counter[tuple[int, int]] = Counter()
    for team in teams:
        pairs.update(combinations(sorted(indexes[key] for key in team if key in indexes), 2))
    return dict(pairs)
