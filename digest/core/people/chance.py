"""How easily the papers of two namesakes would have in common what two papers have in common.

That a name is the same says little where many bear it, and that a co-author, a workplace or a field is the same
says little where these are common. So what is in common is weighed by how often it would be so by chance.
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
"""The chance that an author of one paper and an author of another have the same name without being the same.

In arXiv's lists of a year it is 1.4e-5 over all fields and cultures; where one name is borne by several, so are the
names around it."""
MAX_SHORT_NAME = 8
"""A folded name of so few letters (``weiwang``, ``johnlee``) is borne by so many that it counts half."""
MAX_PERSONAL_COAUTHORS = 50
"""With more co-authors than these nobody knows them all: a collaboration, or a company's report."""
MIN_COLLABORATION_OVERLAP = 0.5
"""Of two long lists that have such a part of the shorter one in common the authors are the same."""
MAX_NEIGHBOURS = 40
"""A paper is compared with so many next ones of each co-author, so that the work grows as the papers do."""


def compute_coauthor_chances(coauthor_lists: Sequence[frozenset[str]]) -> Iterator[tuple[float, int, int]]:
    """For papers with co-authors in common: the chance of that if two namesakes wrote them.

    Args:
        coauthor_lists: the folded names of the co-authors, paper by paper.

    Yields:
        The chance, and the places of two papers in ``coauthor_lists``, the lower one first.
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
    """How many co-authors two papers have in common, short names counting half."""
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
    """About the chance that so many, or more, of so many pairs of names are the same (the first term of Poisson's tail)."""
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
"""The chance that two namesakes work at one institution: they are mostly of one country, and here of one field, in which
the largest have some in a hundred."""
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
    """The institutions that an affiliation names, folded, without departments, towns and countries.

    The most general part tells most: a university before its institutes. Where no part says what it is, the first
    one is taken; departments alone are no workplace, for every university has the same.
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
"""The chance that papers of two namesakes have the same primary category, if it is not a crowded one."""
SAME_CROWDED_CHANCE = 1 / 5
CROWDED_CATEGORIES = frozenset({"cs.AI", "cs.CL", "cs.CV", "cs.LG", "cs.RO"})
"""The primary categories of two papers in three that are announced where these are followed."""
ANY_CATEGORY_CHANCE = 1 / 4
"""The chance that two papers have any category in common: in the corpus it is 0.22."""


def compute_category_chance(first: Sequence[str], second: Sequence[str]) -> float:
    """The chance of the categories that two papers have in common; 1 if they have none."""
    if first and second and first[0] == second[0]:
        return SAME_CROWDED_CHANCE if first[0] in CROWDED_CATEGORIES else SAME_CATEGORY_CHANCE
    return 1.0 if set(first).isdisjoint(second) else ANY_CATEGORY_CHANCE
