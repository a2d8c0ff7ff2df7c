"""Probabilities that the papers of two namesakes have something in common by coincidence.

A common name says little, and so does a co-author, workplace or field that many share. What two papers have
in common is therefore weighed by how often two namesakes would share it.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from anyascii import anyascii

# --- co-authors -----------------------------------------------------------------------------------

SAME_NAME_CHANCE = 1e-4
"""Probability that an author of one paper and an author of another have the same name but are different people.

In arXiv's lists of a year it is 1.4e-5 over all fields and cultures. It is set higher, because where several
people share a name, the names around it are shared, too.
"""
MAX_SHORT_NAME = 8
"""Maximum length of a folded name, in letters, that counts half, because many bear it (``weiwang``, ``johnlee``)."""
MAX_PERSONAL_COAUTHORS = 50
"""Maximum number of co-authors who are taken to know each other; more are a collaboration or a company's report."""
MIN_COLLABORATION_OVERLAP = 0.5
"""Minimum common fraction of the shorter of two long lists of authors for both to be of the same collaboration."""
MAX_NEIGHBOURS = 40
"""Maximum number of following papers of each co-author that a paper is compared with, which keeps the work linear."""


def compute_coauthor_chances(coauthor_lists: Sequence[frozenset[str]]) -> Iterator[tuple[float, int, int]]:
    """Yield pairs of papers with co-authors in common, and the probability of that if two namesakes wrote them.

    Args:
        coauthor_lists: the folded names of the co-authors, paper by paper.

    Yields:
        The probability, and the indexes of two papers in ``coauthor_lists``, the lower one first.
    """
    short_lists = [
        index for index, names in enumerate(coauthor_lists) if len(names) <= MAX_PERSONAL_COAUTHORS
    ]
    long_lists = [index for index, names in enumerate(coauthor_lists) if len(names) > MAX_PERSONAL_COAUTHORS]
    for (first, second), common in _count_common_coauthors(coauthor_lists, short_lists).items():
        yield (
            _estimate_overlap_chance(common, len(coauthor_lists[first]) * len(coauthor_lists[second])),
            first,
            second,
        )
    for first, second in _find_same_collaboration(coauthor_lists, long_lists):
        yield 0.0, first, second


def _count_common_coauthors(
    coauthor_lists: Sequence[frozenset[str]], papers: Iterable[int]
) -> dict[tuple[int, int], float]:
    """Count the co-authors that pairs of papers have in common; short names count half."""
    papers_by_name: dict[str, list[int]] = defaultdict(list)
    for paper in papers:
        for name in coauthor_lists[paper]:
            papers_by_name[name].append(paper)
    common: dict[tuple[int, int], float] = defaultdict(float)
    for name, paper_numbers in papers_by_name.items():
        weight = 0.5 if len(name) <= MAX_SHORT_NAME else 1.0
        for index, first in enumerate(paper_numbers):
            for second in paper_numbers[index + 1 : index + 1 + MAX_NEIGHBOURS]:
                common[first, second] += weight
    return common


@lru_cache(maxsize=1 << 14)
def _estimate_overlap_chance(count: float, pair_count: int) -> float:
    """Estimate the probability that at least ``count`` of the pairs are equal: first term of the Poisson tail."""
    expected = pair_count * SAME_NAME_CHANCE
    return min(1.0, math.pow(expected, count) / math.gamma(count + 1))


def _find_same_collaboration(
    coauthor_lists: Sequence[frozenset[str]], papers: Iterable[int]
) -> Iterator[tuple[int, int]]:
    newest_papers: list[int] = []
    for paper in papers:
        for index, newest_paper in enumerate(newest_papers):
            first_names, second_names = coauthor_lists[newest_paper], coauthor_lists[paper]
            if len(first_names & second_names) >= MIN_COLLABORATION_OVERLAP * min(
                len(first_names), len(second_names)
            ):
                yield newest_paper, paper
                newest_papers[index] = paper
                break
        else:
            newest_papers.append(paper)


# --- workplaces -----------------------------------------------------------------------------------

SAME_WORKPLACE_CHANCE = 1 / 50
"""Probability that two namesakes work at the same institution.

Namesakes mostly live in one country, and those compared work in one field, in which the largest institutions
have a few percent of the people.
"""
_PARTS = re.compile(r"[,;|/()]|\s-\s|\s&\s|\band\b")
_INSTITUTION = re.compile(
    "univ|instit|colle|academ|polyte|laborat|corpor|hospit|centre|center|research|schule"
)
_SUBDIVISION = re.compile(
    r"(?:dep|dept|department|sch|school|fac|faculty|div|division|lab|laboratory|group|team|chair|unit|program|key)\b"
)
_WORD = re.compile("[a-z0-9]+")
_STOP_WORDS = frozenset(
    {"the", "of", "for", "at", "in", "and", "de", "la", "del", "der", "des", "di", "du", "et"}
)


@lru_cache(maxsize=1 << 14)
def extract_workplaces(affiliation: str) -> frozenset[str]:
    """Return the institutions in an affiliation, folded, without departments, towns and countries.

    The most general part is the most reliable: universities are preferred to their institutes. If no part is
    recognizable as an institution, the first one counts. A department alone is not a workplace, because every
    university has the same ones.
    """
    part_words = [_WORD.findall(anyascii(part).lower()) for part in _PARTS.split(affiliation)]
    telling_parts = [
        " ".join(word for word in part if word not in _STOP_WORDS) for part in part_words if part
    ]
    universities = [part for part in telling_parts if "univ" in part]
    institution_parts = [part for part in telling_parts if part and not _SUBDIVISION.match(part)]
    named_institutions = [part for part in institution_parts if _INSTITUTION.search(part)]
    return frozenset(universities or named_institutions or institution_parts[:1])


# --- fields ---------------------------------------------------------------------------------------

SAME_CATEGORY_CHANCE = 1 / 50
"""Probability that papers of two namesakes have the same primary category, unless it is a crowded one."""
SAME_CROWDED_CHANCE = 1 / 5
CROWDED_CATEGORIES = frozenset({"cs.AI", "cs.CL", "cs.CV", "cs.LG", "cs.RO"})
"""Categories so large that sharing one says little.

Where they are followed, two thirds of the announced papers have one of them as primary category.
"""
ANY_CATEGORY_CHANCE = 1 / 4
"""Probability that two papers have any category in common; 0.22 in the corpus."""


def compute_category_chance(first: Sequence[str], second: Sequence[str]) -> float:
    """Return the probability of what the categories of two papers have in common; 1 if they share none."""
    if first and second and first[0] == second[0]:
        return SAME_CROWDED_CHANCE if first[0] in CROWDED_CATEGORIES else SAME_CATEGORY_CHANCE
    return 1.0 if set(first).isdisjoint(second) else ANY_CATEGORY_CHANCE
