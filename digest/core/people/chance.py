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

SAME_NAME = 1e-4
"""The chance that an author of one paper and an author of another have the same name without being the same.

In arXiv's lists of a year it is 1.4e-5 over all fields and cultures; where one name is borne by several, so are the
names around it."""
SHORT_NAME = 8
"""A folded name of so few letters (``weiwang``, ``johnlee``) is borne by so many that it counts half."""
LONG_LIST = 50
"""With more co-authors than these nobody knows them all: a collaboration, or a company's report."""
SAME_COLLABORATION = 0.5
"""Of two long lists that have such a part of the shorter one in common the authors are the same."""
NEIGHBOURS = 40
"""A paper is compared with so many next ones of each co-author, so that the work grows as the papers do."""


def coauthor_chances(lists: Sequence[frozenset[str]]) -> Iterator[tuple[float, int, int]]:
    """For papers with co-authors in common: the chance of that if two namesakes wrote them.

    Args:
        lists: the folded names of the co-authors, paper by paper.

    Yields:
        The chance, and the places of two papers in ``lists``, the lower one first.
    """
    short = [index for index, names in enumerate(lists) if len(names) <= LONG_LIST]
    long = [index for index, names in enumerate(lists) if len(names) > LONG_LIST]
    for (one, other), common in _common(lists, short).items():
        yield _at_least(common, len(lists[one]) * len(lists[other])), one, other
    for one, other in _same_collaboration(lists, long):
        yield 0.0, one, other


def _common(lists: Sequence[frozenset[str]], papers: Iterable[int]) -> dict[tuple[int, int], float]:
    """How many co-authors two papers have in common, short names counting half."""
    signed: dict[str, list[int]] = defaultdict(list)
    for paper in papers:
        for name in lists[paper]:
            signed[name].append(paper)
    common: dict[tuple[int, int], float] = defaultdict(float)
    for name, its in signed.items():
        weight = 0.5 if len(name) <= SHORT_NAME else 1.0
        for place, one in enumerate(its):
            for other in its[place + 1 : place + 1 + NEIGHBOURS]:
                common[one, other] += weight
    return common


@lru_cache(maxsize=1 << 14)
def _at_least(count: float, pairs: int) -> float:
    """About the chance that so many, or more, of so many pairs of names are the same (the first term of Poisson's tail)."""
    expected = pairs * SAME_NAME
    return min(1.0, math.pow(expected, count) / math.gamma(count + 1))


def _same_collaboration(lists: Sequence[frozenset[str]], papers: Iterable[int]) -> Iterator[tuple[int, int]]:
    newest: list[int] = []
    for paper in papers:
        for place, known in enumerate(newest):
            one, other = lists[known], lists[paper]
            if len(one & other) >= SAME_COLLABORATION * min(len(one), len(other)):
                yield known, paper
                newest[place] = paper
                break
        else:
            newest.append(paper)


# --- workplaces -----------------------------------------------------------------------------------

SAME_WORKPLACE = 1 / 50
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
_NOT_TELLING = frozenset(
    {"the", "of", "for", "at", "in", "and", "de", "la", "del", "der", "des", "di", "du", "et"}
)


@lru_cache(maxsize=1 << 14)
def workplaces(affiliation: str) -> frozenset[str]:
    """The institutions that an affiliation names, folded, without departments, towns and countries.

    The most general part tells most: a university before its institutes. Where no part says what it is, the first
    one is taken; departments alone are no workplace, for every university has the same.
    """
    parts = [_WORD.findall(anyascii(part).lower()) for part in _PARTS.split(affiliation)]
    told = [" ".join(word for word in part if word not in _NOT_TELLING) for part in parts if part]
    universities = [part for part in told if "univ" in part]
    whole = [part for part in told if part and not _SUBDIVISION.match(part)]
    named = [part for part in whole if _INSTITUTION.search(part)]
    return frozenset(universities or named or whole[:1])


# --- fields ---------------------------------------------------------------------------------------

SAME_CATEGORY = 1 / 50
"""The chance that papers of two namesakes have the same primary category, if it is not a crowded one."""
SAME_CROWDED = 1 / 5
CROWDED = frozenset({"cs.AI", "cs.CL", "cs.CV", "cs.LG", "cs.RO"})
"""The primary categories of two papers in three that are announced where these are followed."""
ANY_CATEGORY = 1 / 4
"""The chance that two papers have any category in common: in the corpus it is 0.22."""


def category_chance(one: Sequence[str], other: Sequence[str]) -> float:
    """The chance of the categories that two papers have in common; 1 if they have none."""
    if one and other and one[0] == other[0]:
        return SAME_CROWDED if one[0] in CROWDED else SAME_CATEGORY
    return 1.0 if set(one).isdisjoint(other) else ANY_CATEGORY
