"""Estimates of how many other people may sign with the same name."""

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
"""Probability that two people with the same family name and initial have the same given name.

In arXiv's lists it is 0.008, and up to 0.1 for a common given name.
"""
MAX_RARE_NAMESAKES = 1 / 20
"""Expected number of namesakes from which a full name is no longer rare.

Rare names are those for which at most two given names with that initial are known.
"""
PAPERS_PER_PERSON = 5
"""Assumed number of papers of one person.

It converts the clusters that are not joined yet into a number of persons.
"""

MIN_COMMON_FAMILY = 70
"""Minimum number of given names known for a family name that counts as common."""
MAX_SINGLE_BEARER = 1
"""Maximum number of given names known for a family name so rare that a second bearer of a full name is improbable.

Robbins (1956) estimates how many more are to be expected in another sample of the same size: for something
seen x times, (x + 1) N(x + 1) / N(x), where N(x) is the number of family names seen with x given names. In
the corpus, N is 77,173, 13,169, 4,818, 2,442, so another sample has 0.34 further given names for a family
name seen with one, 1.1 for one seen with two, and 2.0 for one seen with three. Two people with the same
family name share their given name with a probability below 0.01 for the commonest given names (about 0.001 on
average: ``SAME_GIVEN_CHANCE`` of those with the same initial, who are one in twelve). So the probability of a
second bearer is below 0.0034 for a family name seen with one given name, and above ``MAX_ERROR_CHANCE`` (in
``persons``) from two on.
"""

MAX_SHORT_FULL_NAME = 10
"""Maximum length of a full name, in letters, that many people bear if its family name is common (``haowang``)."""

NamesakeEstimate = Callable[[int, int], float]
"""A function from the indexes of two bylines to the estimated number of other people who may sign as they do."""


class NamePopulation:
    """All people who sign with names of the given blocks.

    Args:
        names: as printed; the number of given names seen with a family name tells how rare a full name is.
        groups: minimum number of persons.
        counts: known numbers of given names; by default those of the corpus.
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
        """Return the expected number of namesakes of somebody with a full name of a block."""
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
        """Return True if a second bearer of a full name of the block is improbable."""
        return self._counts.count_in_family(name_block) <= MAX_SINGLE_BEARER


class NameAmbiguity:
    """The ambiguity of the names of some bylines.

    Args:
        names: the printed name of each byline.
        population: all names of their blocks.
    """

    def __init__(self, names: Sequence[str], population: NamePopulation) -> None:
        self._names = names
        self._full_matches = _find_full_matches(set(names))
        self._population = population

    def find_possible_names(self, first: int, second: int) -> AbstractSet[str]:
        """Return the names under which the people behind two bylines may sign.

        These are all names, unless the two bylines fully fit each other.
        """
        first_name, second_name = self._names[first], self._names[second]
        return (
            self._full_matches[first_name] | self._full_matches[second_name]
            if second_name in self._full_matches[first_name]
            else self._full_matches.keys()
        )

    def estimate_others(self, first: int, second: int, apparent_count: float) -> float:
        """Estimate how many other people may sign as two bylines do.

        Args:
            first: index of a byline.
            second: index of another byline.
            apparent_count: apparent number of other people; for a rare name it is reduced to the expected
                number.
        """
        name = self._names[first]
        if self._names[second] not in self._full_matches[name]:
            return apparent_count
        expected_count = self._population.estimate_namesakes(make_block_key(name))
        return (
            expected_count * min(apparent_count, 1) if expected_count < MAX_RARE_NAMESAKES else apparent_count
        )

    def has_single_bearer(self, first: int, second: int) -> bool:
        """Return True if the names of two bylines fully fit, and nobody else is likely to have that name."""
        name = self._names[first]
        return self._names[second] in self._full_matches[name] and self._population.has_single_bearer(
            make_block_key(name)
        )

    def is_only_given_name(self, first: int, second: int) -> bool:
        """Return True if the names of two bylines fully fit, and no other given name with that initial is known."""
        name = self._names[first]
        return (
            self._names[second] in self._full_matches[name]
            and self._population.estimate_namesakes(make_block_key(name)) <= SAME_GIVEN_CHANCE
        )

    def build_estimate(self, group_of: Iterable[int]) -> NamesakeEstimate:
        """Return an estimate of the number of other people from the clusters that contain the papers of each name.

        Args:
            group_of: the cluster of each byline.
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
    """Return, for each name, the names that fully fit it; that includes itself if its given name is written out."""
    names_by_key: dict[str, list[str]] = defaultdict(list)  # names that fit fully share a key
    unsure_by_block: dict[str, list[str]] = defaultdict(list)  # these may fit any name of their block
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
    """Return True if many people certainly bear a full name, even if the database has few of them."""
    return (
        len(fold_name(name)) <= MAX_SHORT_FULL_NAME
        and load_corpus_counts().count_in_family(make_block_key(name)) >= MIN_COMMON_FAMILY
    )
