"""How many others may have signed as bylines are signed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property, lru_cache
from itertools import chain, combinations_with_replacement, product

from digest.core.names.fitting import (
    NameMatch,
    fold_name,
    make_block_key,
    make_full_keys,
    match_names,
)
from digest.core.people.name_counts import NameCounts, load_corpus_counts

SAME_GIVEN_CHANCE = 1 / 50
"""The chance that of two people with one family name and initial one has the given name of the other: in arXiv's
lists it is 0.008, and for a common given name up to 0.1."""
MAX_RARE_NAMESAKES = 1 / 20
"""A full name of which less than so many other bearers are to be expected is rare: two given names with its initial are
known before its family name, or fewer."""
PAPERS_PER_PERSON = 5
"""A person signs so many papers or more: those that nothing has joined so far are of so many fewer persons."""

MIN_COMMON_FAMILY = 70
"""Before a common family name so many different given names are known."""
MAX_SINGLE_BEARER = 1
"""Before a family name that is so rare no more given names are known: a second bearer of a full name is improbable.

Robbins (1956) estimates how many more are to be expected in another sample of the size of the first: of what has been
seen x times, (x + 1) N(x + 1) / N(x), where N(x) is how many family names have been seen with x given names. In the
corpus N is 77,173, 13,169, 4,818, 2,442, so of a family name seen with one given name 0.34 others are to be expected,
with two 1.1, with three 2.0. Of two people with one family name one has the given name of the other with a chance
below 0.01 for the commonest given names (about 0.001 on average: SAME_GIVEN of those with the same initial, who are
one in twelve). So the chance of a second bearer is below 0.0034 for one, and above TOLERATED from two on."""

MAX_SHORT_FULL_NAME = 10
"""A full name of so few letters before a common family name (``haowang``, ``zhengzhang``) is borne by many."""

NamesakeEstimate = Callable[[int, int], float]
"""How many others may have signed as two bylines, by their places in a row, are signed."""


class NamePopulation:
    """All who sign with names of the blocks in question.

    Args:
        names: as printed: how many given names a family name is seen with tells how rare a full name is.
        groups: so many persons they are at least.
        counts: how many given names are known elsewhere; by default in the corpus.
    """

    def __init__(self, names: Iterable[str], *, groups: int = 0, counts: NameCounts | None = None) -> None:
        self.groups = groups
        self._names = names
        self._base_counts = counts or load_corpus_counts()
        self._expected_by_block: dict[str, float] = {}

    @cached_property
    def _counts(self) -> NameCounts:
        return self._base_counts.add_names(self._names)

    def estimate_namesakes(self, name_block: str) -> float:
        """How many namesakes the bearer of a full name of a block is to expect."""
        expected_count = self._expected_by_block.get(name_block)
        if expected_count is None:
            is_common_family = self._counts.count_in_family(name_block) >= MIN_COMMON_FAMILY
            expected_count = (
                MAX_RARE_NAMESAKES
                if is_common_family
                else max(1, self._counts.count_in_block(name_block)) * SAME_GIVEN_CHANCE
            )
            self._expected_by_block[name_block] = expected_count
        return expected_count

    def has_single_bearer(self, name_block: str) -> bool:
        """Whether a second bearer of a full name of a block is improbable."""
        return self._counts.count_in_family(name_block) <= MAX_SINGLE_BEARER


class NameAmbiguity:
    """Who may have signed as bylines are signed.

    Args:
        names: of the bylines, as printed.
        population: all of their blocks.
    """

    def __init__(self, names: Sequence[str], population: NamePopulation) -> None:
        self._names = names
        self._full_matches = _find_full_matches(set(names))
        self._population = population

    def find_possible_names(self, first: int, second: int) -> AbstractSet[str]:
        """The names of all that may have signed as two bylines are: every name, unless both are written out."""
        first_name, second_name = self._names[first], self._names[second]
        return (
            self._full_matches[first_name] | self._full_matches[second_name]
            if second_name in self._full_matches[first_name]
            else self._full_matches.keys()
        )

    def estimate_others(self, first: int, second: int, apparent_count: float) -> float:
        """How many others may have signed as two bylines are.

        Args:
            first: a byline's place.
            second: another one's.
            apparent_count: how many others there seem to be; of a rare name no more are believed than are to be expected.
        """
        name = self._names[first]
        if self._names[second] not in self._full_matches[name]:
            return apparent_count
        expected_count = self._population.estimate_namesakes(make_block_key(name))
        return (
            expected_count * min(apparent_count, 1) if expected_count < MAX_RARE_NAMESAKES else apparent_count
        )

    def has_single_bearer(self, first: int, second: int) -> bool:
        """Whether two bylines fit each other fully, and nobody else is likely to sign so."""
        name = self._names[first]
        return self._names[second] in self._full_matches[name] and self._population.has_single_bearer(
            make_block_key(name)
        )

    def is_only_given_name(self, first: int, second: int) -> bool:
        """Whether two bylines fit each other fully, and no other given name with that initial is known."""
        name = self._names[first]
        return (
            self._names[second] in self._full_matches[name]
            and self._population.estimate_namesakes(make_block_key(name)) <= SAME_GIVEN_CHANCE
        )

    def build_estimate(self, group_of: Iterable[int]) -> NamesakeEstimate:
        """How many others there are, judged by how many groups the papers of a name are in.

        Args:
            group_of: the group of each byline.
        """
        groups_by_name: dict[str, set[int]] = defaultdict(set)
        for name, group in zip(self._names, group_of, strict=True):
            groups_by_name[name].add(group)
        total_groups = max(self._population.groups, len(set[int]().union(*groups_by_name.values())))
        group_counts = {
            name: len(set[int]().union(*(groups_by_name[matching_name] for matching_name in matching_names)))
            for name, matching_names in self._full_matches.items()
        }

        names = self._names
        estimates: dict[tuple[str, str], float] = {}

        def estimate_others(first: int, second: int) -> float:
            name_pair = first_name, second_name = names[first], names[second]
            estimate = estimates.get(name_pair)
            if estimate is None:
                group_count = (
                    max(group_counts[first_name], group_counts[second_name])
                    if second_name in self._full_matches[first_name]
                    else total_groups
                )
                estimate = estimates[name_pair] = self.estimate_others(
                    first, second, (group_count - 1) / PAPERS_PER_PERSON
                )
            return estimate

        return estimate_others


def _find_full_matches(names: AbstractSet[str]) -> dict[str, set[str]]:
    """Of each name those that fit it fully: itself, too, if it is written out."""
    names_by_key: dict[str, list[str]] = defaultdict(list)  # by keys of which those have one in common
    unsure_by_block: dict[str, list[str]] = defaultdict(list)  # by block: these may fit whoever is of it
    for name in names:
        for key in make_full_keys(name):
            names_by_key[key].append(name)
            if key == make_block_key(name):
                unsure_by_block[key].append(name)
    names_by_block: dict[str, list[str]] = defaultdict(list)
    for name in names:
        names_by_block[make_block_key(name)].append(name)
    matches: dict[str, set[str]] = {name: set() for name in names}
    pairs = chain(
        *(combinations_with_replacement(similar_names, 2) for similar_names in names_by_key.values()),
        *(
            product(unsure_names, names_by_block[name_block])
            for name_block, unsure_names in unsure_by_block.items()
        ),
    )
    for first, second in pairs:
        if match_names(first, second) is NameMatch.FULL:
            matches[first].add(second)
            matches[second].add(first)
    return matches


@lru_cache(maxsize=1 << 14)
def is_common(name: str) -> bool:
    """Whether many are sure to bear a full name, however few of them a store knows of."""
    return (
        len(fold_name(name)) <= MAX_SHORT_FULL_NAME
        and load_corpus_counts().count_in_family(make_block_key(name)) >= MIN_COMMON_FAMILY
    )
