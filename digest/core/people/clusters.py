"""Clusters of bylines, joined step by step under constraints (union-find)."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from digest.core.names.fitting import NameMatch, make_block_key, match_names

Ids = frozenset[tuple[str, str]]


class Traits(NamedTuple):
    """Properties that can distinguish two bylines, or two clusters.

    Attributes:
        papers: numbers of the papers.
        names: as printed.
        ids: pairs of scheme and value.
    """

    papers: frozenset[int]
    names: frozenset[str]
    ids: Ids


class BylineClusters:
    """Clusters of bylines; a byline is an index from 0, and each byline begins as a cluster of its own.

    Args:
        traits: the traits of each byline.
        separated: pairs of bylines that a statement assigns to different persons.
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
        """Return the sorted members of each cluster, in order of the first member."""
        return sorted(sorted(members) for members in self._members.values())

    def find_root(self, index: int) -> int:
        """Return the index that represents a byline's cluster; it can change when the cluster grows."""
        parents = self._parents
        while parents[index] != index:
            parents[index] = index = parents[parents[index]]
        return index

    def count_members(self, index: int) -> int:
        """Return the number of bylines in a byline's cluster."""
        return len(self._members[self.find_root(index)])

    def join_by_statement(self, first: int, second: int) -> bool:
        """Join two clusters because of a statement; only a statement to the contrary prevents it.

        Returns:
            True if two clusters became one.
        """
        first, second = self.find_root(first), self.find_root(second)
        return first != second and second not in self._separated[first] and self._merge(first, second)

    def join_by_id(self, first: int, second: int) -> bool:
        """Join two clusters because of a common ID, whatever their names are.

        Returns:
            True if two clusters became one.
        """
        return self._join(first, second, must_match_names=False)

    def join(self, first: int, second: int) -> bool:
        """Join two clusters unless their papers, IDs or names, or a statement, contradict it.

        Returns:
            True if two clusters became one.
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
    """Return True if both have IDs of one scheme, and none of these in common."""
    if not ids or not others:
        return False
    schemes = {scheme for scheme, _ in ids} & {scheme for scheme, _ in others}
    return any(not any(id_ in others for id_ in ids if id_[0] == scheme) for scheme in schemes)


def _has_matching_names(names: AbstractSet[str], others: AbstractSet[str]) -> bool:
    """Return True if any two names fit, and no two names of the same block conflict.

    A cluster that was joined by an ID or a statement may have names of several blocks; a byline fits it if it
    fits the names of one of them.
    """
    if names == others:
        return True
    pairs = [(name, other, match_names(name, other)) for name in names for other in others]
    if any(
        fit is NameMatch.NOT and make_block_key(name) == make_block_key(other) for name, other, fit in pairs
    ):
        return False
    return any(fit is not NameMatch.NOT for _, _, fit in pairs)
