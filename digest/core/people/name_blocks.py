"""Names of a block by whose they can be: two that are written out and differ are never one person's.

A block of a common family name has thousands of bylines with hundreds of given names. Who has signed as Yang Wang is
worked out without those who sign as Yu Wang, as long as nobody who signs as Y. Wang has anything in common with them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable

from digest.core.names.fitting import NameFit, given_names, name_fit
from digest.core.people.ambiguity import PAPERS_OF_ONE, Crowd
from digest.core.people.chance import SAME_CATEGORY, workplaces
from digest.core.people.name_counts import NameCounts
from digest.core.people.persons import TOLERATED, Person, Signature, persons, with_coauthors


class Kin:
    """The names of a block.

    Args:
        names: all of it.
        counts: how many given names are known; by default in the corpus.
    """

    def __init__(self, names: Collection[str], counts: NameCounts | None = None) -> None:
        self._names = names
        self._counts = counts
        self._root: dict[str, str] = {}
        self._first: dict[str, str] = {}
        for name in set(names):
            first, *others = sorted(given_names(name)) or [""]
            self._first[name] = first
            for form in others:
                self._root[self._of(form)] = self._of(first)
        self._bearing: dict[str, set[str]] = defaultdict(set)
        for name, first in self._first.items():
            self._bearing[self._of(first) if first else ""].add(name)

    def _of(self, form: str) -> str:
        while (above := self._root.setdefault(form, form)) != form:
            form = above
        return form

    @property
    def short(self) -> Collection[str]:
        """Those of which nobody can tell whose they are, as such with initials."""
        return self._bearing.get("", ())

    def of(self, name: str) -> Collection[str]:
        """Those that can be the same person's as one that is written out; none for another one."""
        first = self._first[name]
        return self._bearing[self._of(first)] if first else ()

    @property
    def crowd(self) -> Crowd:
        """How many given names there are: of so many persons they are at least."""
        return Crowd(self._names, groups=len(self._bearing.keys() - {""}), counts=self._counts)


def persons_apart(
    those: Collection[Signature], strangers: Collection[Signature], crowd: Crowd
) -> tuple[Person, ...] | None:
    """Who signed with some names of a block, if that is the same whoever the others are.

    Args:
        those: the bylines of all names that can be one person's with one that is written out; without ids.
        strangers: the bylines of the block of which nobody can tell whose they are.
        crowd: the names of the block.

    Returns:
        None if it can hang on others.
    """
    others = (crowd.groups - 1) / PAPERS_OF_ONE
    if others * SAME_CATEGORY <= TOLERATED or _of_one_workplace(those, strangers) or _alike(those, strangers):
        return None
    every = sorted([*those, *strangers], key=lambda signature: signature.place)
    strange = {signature.place for signature in strangers}
    for chance, index, also in with_coauthors(every):
        one, other = every[index], every[also]
        if chance * others <= TOLERATED and not {one.place, other.place} <= strange:
            fit = name_fit(one.name, other.name)
            if fit is NameFit.INITIALS or (
                fit is NameFit.FULL and not strange.isdisjoint((one.place, other.place))
            ):
                return None
    return persons(those, crowd=crowd)


def _of_one_workplace(those: Iterable[Signature], strangers: Iterable[Signature]) -> bool:
    """Whether any of those has a workplace that somebody has who signs with another name."""
    named: dict[str, set[str]] = defaultdict(set)
    for one in those:
        for affiliation in one.affiliations:
            for place in workplaces(affiliation):
                named[place].add(one.name)
    at = {place for one in strangers for affiliation in one.affiliations for place in workplaces(affiliation)}
    return any(len(names) > 1 or place in at for place, names in named.items())


def _alike(those: Iterable[Signature], strangers: Iterable[Signature]) -> bool:
    """Whether any name fits one of those fully although it has an initial first, as ``J. Robert Oppenheimer``."""
    several = {one.name for one in strangers if len(_WORD.findall(one.name)) > _A_NAME}
    names = {one.name for one in those} if several else ()
    return any(name_fit(one, other) is NameFit.FULL for one in several for other in names)


_WORD = re.compile(r"\w+")
_A_NAME = 2
"""So many words have a given name and a family name."""
