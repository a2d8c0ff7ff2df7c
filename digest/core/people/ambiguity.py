"""How many others may have signed as bylines are signed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property, lru_cache
from itertools import chain, combinations_with_replacement, product

from digest.core.names.fitting import (
    NameFit,
    block,
    folded,
    full_keys,
    name_fit,
)
from digest.core.people.name_counts import NameCounts, counts_of_corpus

SAME_GIVEN = 1 / 50
"""The chance that of two people with one family name and initial one has the given name of the other: in arXiv's
lists it is 0.008, and for a common given name up to 0.1."""
RARE = 1 / 20
"""A full name of which less than so many other bearers are to be expected is rare: two given names with its initial are
known before its family name, or fewer."""
PAPERS_OF_ONE = 5
"""A person signs so many papers or more: those that nothing has joined so far are of so many fewer persons."""

COMMON_FAMILY = 70
"""Before a common family name so many different given names are known."""
BEARERS_OF_ONE = 1
"""Before a family name that is so rare no more given names are known: a second bearer of a full name is improbable.

Robbins (1956) estimates how many more are to be expected in another sample of the size of the first: of what has been
seen x times, (x + 1) N(x + 1) / N(x), where N(x) is how many family names have been seen with x given names. In the
corpus N is 77,173, 13,169, 4,818, 2,442, so of a family name seen with one given name 0.34 others are to be expected,
with two 1.1, with three 2.0. Of two people with one family name one has the given name of the other with a chance
below 0.01 for the commonest given names (about 0.001 on average: SAME_GIVEN of those with the same initial, who are
one in twelve). So the chance of a second bearer is below 0.0034 for one, and above TOLERATED from two on."""

SHORT_FULL = 10
"""A full name of so few letters before a common family name (``haowang``, ``zhengzhang``) is borne by many."""

Others = Callable[[int, int], float]
"""How many others may have signed as two bylines, by their places in a row, are signed."""


class Crowd:
    """All who sign with names of the blocks in question.

    Args:
        names: as printed: how many given names a family name is seen with tells how rare a full name is.
        groups: so many persons they are at least.
        counts: how many given names are known elsewhere; by default in the corpus.
    """

    def __init__(self, names: Iterable[str], *, groups: int = 0, counts: NameCounts | None = None) -> None:
        self.groups = groups
        self._names = names
        self._known = counts or counts_of_corpus()
        self._expected: dict[str, float] = {}

    @cached_property
    def _counts(self) -> NameCounts:
        return self._known.with_names(self._names)

    def expected(self, where: str) -> float:
        """How many namesakes the bearer of a full name of a block is to expect."""
        found = self._expected.get(where)
        if found is None:
            common = self._counts.of_family(where) >= COMMON_FAMILY
            found = RARE if common else max(1, self._counts.of_block(where)) * SAME_GIVEN
            self._expected[where] = found
        return found

    def has_one_bearer(self, where: str) -> bool:
        """Whether a second bearer of a full name of a block is improbable."""
        return self._counts.of_family(where) <= BEARERS_OF_ONE


class Namesakes:
    """Who may have signed as bylines are signed.

    Args:
        names: of the bylines, as printed.
        crowd: all of their blocks.
    """

    def __init__(self, names: Sequence[str], crowd: Crowd) -> None:
        self._names = names
        self._alike = _fully_alike(set(names))
        self._crowd = crowd

    def alike(self, one: int, other: int) -> AbstractSet[str]:
        """The names of all that may have signed as two bylines are: every name, unless both are written out."""
        name, its = self._names[one], self._names[other]
        return self._alike[name] | self._alike[its] if its in self._alike[name] else self._alike.keys()

    def others(self, one: int, other: int, seen: float) -> float:
        """How many others may have signed as two bylines are.

        Args:
            one: a byline's place.
            other: another one's.
            seen: how many others there seem to be; of a rare name no more are believed than are to be expected.
        """
        name = self._names[one]
        if self._names[other] not in self._alike[name]:
            return seen
        expected = self._crowd.expected(block(name))
        return expected * min(seen, 1) if expected < RARE else seen

    def have_one_bearer(self, one: int, other: int) -> bool:
        """Whether two bylines fit each other fully, and nobody else is likely to sign so."""
        name = self._names[one]
        return self._names[other] in self._alike[name] and self._crowd.has_one_bearer(block(name))

    def are_alone_with_initial(self, one: int, other: int) -> bool:
        """Whether two bylines fit each other fully, and no other given name with that initial is known."""
        name = self._names[one]
        return self._names[other] in self._alike[name] and self._crowd.expected(block(name)) <= SAME_GIVEN

    def of_groups(self, group_of: Iterable[int]) -> Others:
        """How many others there are, judged by how many groups the papers of a name are in.

        Args:
            group_of: the group of each byline.
        """
        signed: dict[str, set[int]] = defaultdict(set)
        for name, group in zip(self._names, group_of, strict=True):
            signed[name].add(group)
        every = max(self._crowd.groups, len(set[int]().union(*signed.values())))
        so_signed = {
            name: len(set[int]().union(*(signed[its] for its in alike)))
            for name, alike in self._alike.items()
        }

        names = self._names
        known: dict[tuple[str, str], float] = {}

        def others(one: int, other: int) -> float:
            pair = name, its = names[one], names[other]
            found = known.get(pair)
            if found is None:
                groups = max(so_signed[name], so_signed[its]) if its in self._alike[name] else every
                found = known[pair] = self.others(one, other, (groups - 1) / PAPERS_OF_ONE)
            return found

        return others


def _fully_alike(names: AbstractSet[str]) -> dict[str, set[str]]:
    """Of each name those that fit it fully: itself, too, if it is written out."""
    near: dict[str, list[str]] = defaultdict(list)  # by keys of which those have one in common
    unsure: dict[str, list[str]] = defaultdict(list)  # by block: these may fit whoever is of it
    for name in names:
        for key in full_keys(name):
            near[key].append(name)
            if key == block(name):
                unsure[key].append(name)
    of_block: dict[str, list[str]] = defaultdict(list)
    for name in names:
        of_block[block(name)].append(name)
    alike: dict[str, set[str]] = {name: set() for name in names}
    pairs = chain(
        *(combinations_with_replacement(among, 2) for among in near.values()),
        *(product(those, of_block[where]) for where, those in unsure.items()),
    )
    for one, other in pairs:
        if name_fit(one, other) is NameFit.FULL:
            alike[one].add(other)
            alike[other].add(one)
    return alike


@lru_cache(maxsize=1 << 14)
def is_common(name: str) -> bool:
    """Whether many are sure to bear a full name, however few of them a store knows of."""
    return len(folded(name)) <= SHORT_FULL and counts_of_corpus().of_family(block(name)) >= COMMON_FAMILY
