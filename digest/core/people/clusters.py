"""Bylines put together step by step, never against what parts them."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from digest.core.names.fitting import NameMatch, make_block_key, match_names

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


class BylineClusters:
    """Which bylines are together; they are known by their places in a row, from 0.

    Args:
        traits: of each byline.
        separated: pairs of bylines that somebody said are not one person's.
    """

    def __init__(self, traits: Iterable[Traits], separated: Iterable[tuple[int, int]]) -> None:
        self._traits = list(traits)
        self._parents = list(range(len(self._traits)))
        self._members = {index: [index] for index in self._parents}
        self._separated: list[set[int]] = [set() for _ in self._parents]
        for first, second in separated:
            self._separated[first].add(second)
            self._separated[second].add(first)

    def list_clusters(self) -> list[list[int]]:
        """The groups and their members, in order."""
        return sorted(sorted(members) for members in self._members.values())

    def find_root(self, index: int) -> int:
        """The member that stands for a byline's group, until that grows."""
        parents = self._parents
        while parents[index] != index:
            parents[index] = index = parents[parents[index]]
        return index

    def count_members(self, index: int) -> int:
        """How many bylines are in a byline's group."""
        return len(self._members[self.find_root(index)])

    def join_by_statement(self, first: int, second: int) -> bool:
        """Make two groups one because somebody said so; only that somebody said the contrary parts them."""
        first, second = self.find_root(first), self.find_root(second)
        return first != second and second not in self._separated[first] and self._merge(first, second)

    def join_by_id(self, first: int, second: int) -> bool:
        """Make two groups one because of an id, whatever their names are."""
        return self._join(first, second, must_match_names=False)

    def join(self, first: int, second: int) -> bool:
        """Make two groups one unless something parts them.

        Returns:
            Whether they are one that were not.
        """
        return self._join(first, second, must_match_names=True)

    def _join(self, first: int, second: int, *, must_match_names: bool) -> bool:
        first, second = self.find_root(first), self.find_root(second)
        if first == second or second in self._separated[first]:
            return False
        first_traits, second_traits = self._traits[first], self._traits[second]
        is_separated = not first_traits.papers.isdisjoint(second_traits.papers) or _has_contradicting_ids(
            first_traits.ids, second_traits.ids
        )
        if is_separated or (
            must_match_names and not _has_matching_names(first_traits.names, second_traits.names)
        ):
            return False
        return self._merge(first, second)

    def _merge(self, first: int, second: int) -> bool:
        target, absorbed = (
            (first, second) if len(self._members[first]) >= len(self._members[second]) else (second, first)
        )
        self._parents[absorbed] = target
        self._members[target] += self._members.pop(absorbed)
        target_traits, absorbed_traits = self._traits[target], self._traits[absorbed]
        self._traits[target] = Traits(
            target_traits.papers | absorbed_traits.papers,
            target_traits.names | absorbed_traits.names,
            target_traits.ids | absorbed_traits.ids,
        )
        for separated_root in self._separated[absorbed]:
            self._separated[separated_root].discard(absorbed)
            self._separated[separated_root].add(target)
        self._separated[target] |= self._separated[absorbed]
        return True


def _has_contradicting_ids(ids: Ids, others: Ids) -> bool:
    """Whether both have ids of a scheme, and none of them in common."""
    if not ids or not others:
        return False
    schemes = {scheme for scheme, _ in ids} & {scheme for scheme, _ in others}
    return any(not any(id_ in others for id_ in ids if id_[0] == scheme) for scheme in schemes)


def _has_matching_names(names: AbstractSet[str], others: AbstractSet[str]) -> bool:
    """Whether any name of the one fits one of the other, and none goes against one of its own block.

    A group that an id or somebody made may have names of several blocks; a byline with either of them fits it.
    """
    if names == others:
        return True
    pairs = [(name, other, match_names(name, other)) for name in names for other in others]
    if any(
        fit is NameMatch.NOT and make_block_key(name) == make_block_key(other) for name, other, fit in pairs
    ):
        return False
    return any(fit is not NameMatch.NOT for _, _, fit in pairs)
