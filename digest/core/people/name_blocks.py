"""Partition of a block by compatible given names: two different written-out given names are never one person's.

The block of a common family name has thousands of bylines with hundreds of given names. The persons who sign
as Yang Wang are computed without those who sign as Yu Wang, unless somebody who signs as Y. Wang has
something in common with them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable

from digest.core.names.fitting import NameMatch, find_given_names, match_names
from digest.core.people.ambiguity import PAPERS_PER_PERSON, NamePopulation
from digest.core.people.chance import SAME_CATEGORY_CHANCE, extract_workplaces
from digest.core.people.name_counts import NameCounts
from digest.core.people.persons import (
    MAX_ERROR_CHANCE,
    Person,
    Signature,
    find_coauthor_pairs,
    resolve_persons,
)


class NameBlock:
    """The names of a block, partitioned by compatible given names.

    Args:
        names: all names of the block.
        counts: known numbers of given names; by default those of the corpus.
    """

    def __init__(self, names: Collection[str], counts: NameCounts | None = None) -> None:
        self._names = names
        self._counts = counts
        self._parents: dict[str, str] = {}
        self._first_forms: dict[str, str] = {}
        for name in set(names):
            first_form, *other_forms = sorted(find_given_names(name)) or [""]
            self._first_forms[name] = first_form
            for form in other_forms:
                self._parents[self._find_root(form)] = self._find_root(first_form)
        self._names_by_root: dict[str, set[str]] = defaultdict(set)
        for name, first_form in self._first_forms.items():
            self._names_by_root[self._find_root(first_form) if first_form else ""].add(name)

    def _find_root(self, form: str) -> str:
        while (parent := self._parents.setdefault(form, form)) != form:
            form = parent
        return form

    @property
    def unresolved_names(self) -> Collection[str]:
        """Names that fit several given names, such as those with initials."""
        return self._names_by_root.get("", ())

    def find_compatible_names(self, name: str) -> Collection[str]:
        """Return the names that a person with the given full name may use; nothing for a name with initials."""
        first_form = self._first_forms[name]
        return self._names_by_root[self._find_root(first_form)] if first_form else ()

    @property
    def population(self) -> NamePopulation:
        """The population of the block; each part of the partition is at least one person."""
        return NamePopulation(self._names, groups=len(self._names_by_root.keys() - {""}), counts=self._counts)


def resolve_separately(
    signatures: Collection[Signature], strangers: Collection[Signature], population: NamePopulation
) -> tuple[Person, ...] | None:
    """Compute the persons behind some names of a block if the rest of the block cannot change the result.

    Args:
        signatures: the bylines of all names that are compatible with a written-out one; without IDs.
        strangers: the bylines of the block with unresolved names.
        population: the names of the block.

    Returns:
        The persons, or None if the result may depend on the rest of the block.
    """
    other_bearers = (population.groups - 1) / PAPERS_PER_PERSON
    if (
        other_bearers * SAME_CATEGORY_CHANCE <= MAX_ERROR_CHANCE
        or _has_shared_workplace(signatures, strangers)
        or _has_full_match(signatures, strangers)
    ):
        return None
    all_signatures = sorted([*signatures, *strangers], key=lambda signature: signature.place)
    stranger_places = {signature.place for signature in strangers}
    for chance, index, other_index in find_coauthor_pairs(all_signatures):
        first, second = all_signatures[index], all_signatures[other_index]
        if chance * other_bearers <= MAX_ERROR_CHANCE and not {first.place, second.place} <= stranger_places:
            name_match = match_names(first.name, second.name)
            if name_match is NameMatch.INITIALS or (
                name_match is NameMatch.FULL and not stranger_places.isdisjoint((first.place, second.place))
            ):
                return None
    return resolve_persons(signatures, population=population)


def _has_shared_workplace(signatures: Iterable[Signature], strangers: Iterable[Signature]) -> bool:
    """Return True if any workplace of the signatures occurs with two of their names, or with a stranger."""
    names_by_workplace: dict[str, set[str]] = defaultdict(set)
    for signature in signatures:
        for affiliation in signature.affiliations:
            for workplace in extract_workplaces(affiliation):
                names_by_workplace[workplace].add(signature.name)
    stranger_workplaces = {
        workplace
        for signature in strangers
        for affiliation in signature.affiliations
        for workplace in extract_workplaces(affiliation)
    }
    return any(
        len(names) > 1 or workplace in stranger_workplaces for workplace, names in names_by_workplace.items()
    )


def _has_full_match(signatures: Iterable[Signature], strangers: Iterable[Signature]) -> bool:
    """Return True if a stranger's name such as ``J. Robert Oppenheimer`` fully fits that of a signature."""
    long_names = {
        signature.name for signature in strangers if len(_WORD.findall(signature.name)) > _NAME_WORDS
    }
    names = {signature.name for signature in signatures} if long_names else ()
    return any(match_names(signature, other) is NameMatch.FULL for signature in long_names for other in names)


_WORD = re.compile(r"\w+")
_NAME_WORDS = 2
"""Number of words of a name with one given name and one family name."""
