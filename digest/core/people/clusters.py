"""Bylines put together step by step, never against what parts them."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from digest.core.names.fitting import NameFit, block, name_fit

Ids = frozenset[tuple[str, str]]


class Traits(NamedTuple):
    """What can part one byline, or one group of them, from another.

    Attributes:
        papers: the papers' numbers.
        names: as printed.
        ids: pairs of scheme and value.
    """

    papers: frozenset[int]
    names: frozenset[str]
    ids: Ids


class Groups:
    """Which bylines are together; they are known by their places in a row, from 0.

    Args:
        traits: of each byline.
        apart: pairs of bylines that somebody said are not one person's.
    """

    def __init__(self, traits: Iterable[Traits], apart: Iterable[tuple[int, int]]) -> None:
        self._traits = list(traits)
        self._root = list(range(len(self._traits)))
        self._members = {index: [index] for index in self._root}
        self._apart: list[set[int]] = [set() for _ in self._root]
        for one, other in apart:
            self._apart[one].add(other)
            self._apart[other].add(one)

    def all(self) -> list[list[int]]:
        """The groups and their members, in order."""
        return sorted(sorted(members) for members in self._members.values())

    def of(self, index: int) -> int:
        """The member that stands for a byline's group, until that grows."""
        root = self._root
        while root[index] != index:
            root[index] = index = root[root[index]]
        return index

    def size(self, index: int) -> int:
        """How many bylines are in a byline's group."""
        return len(self._members[self.of(index)])

    def join_said(self, one: int, other: int) -> bool:
        """Make two groups one because somebody said so; only that somebody said the contrary parts them."""
        one, other = self.of(one), self.of(other)
        return one != other and other not in self._apart[one] and self._unite(one, other)

    def join_by_id(self, one: int, other: int) -> bool:
        """Make two groups one because of an id, whatever their names are."""
        return self._join(one, other, named=False)

    def join(self, one: int, other: int) -> bool:
        """Make two groups one unless something parts them.

        Returns:
            Whether they are one that were not.
        """
        return self._join(one, other, named=True)

    def _join(self, one: int, other: int, *, named: bool) -> bool:
        one, other = self.of(one), self.of(other)
        if one == other or other in self._apart[one]:
            return False
        a, b = self._traits[one], self._traits[other]
        parted = not a.papers.isdisjoint(b.papers) or _contradict(a.ids, b.ids)
        if parted or (named and not _names_fit(a.names, b.names)):
            return False
        return self._unite(one, other)

    def _unite(self, one: int, other: int) -> bool:
        into, gone = (one, other) if len(self._members[one]) >= len(self._members[other]) else (other, one)
        self._root[gone] = into
        self._members[into] += self._members.pop(gone)
        a, b = self._traits[into], self._traits[gone]
        self._traits[into] = Traits(a.papers | b.papers, a.names | b.names, a.ids | b.ids)
        for stranger in self._apart[gone]:
            self._apart[stranger].discard(gone)
            self._apart[stranger].add(into)
        self._apart[into] |= self._apart[gone]
        return True


def _contradict(ids: Ids, others: Ids) -> bool:
    """Whether both have ids of a scheme, and none of them in common."""
    if not ids or not others:
        return False
    schemes = {scheme for scheme, _ in ids} & {scheme for scheme, _ in others}
    return any(not any(id_ in others for id_ in ids if id_[0] == scheme) for scheme in schemes)


def _names_fit(names: AbstractSet[str], others: AbstractSet[str]) -> bool:
    """Whether any name of the one fits one of the other, and none goes against one of its own block.

    A group that an id or somebody made may have names of several blocks; a byline with either of them fits it.
    """
    if names == others:
        return True
    pairs = [(name, other, name_fit(name, other)) for name in names for other in others]
    if any(fit is NameFit.NOT and block(name) == block(other) for name, other, fit in pairs):
        return False
    return any(fit is not NameFit.NOT for _, _, fit in pairs)
