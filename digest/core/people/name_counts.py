"""How many given names are known before a family name: how common names are."""

from __future__ import annotations

import re
from collections import ChainMap, defaultdict
from collections.abc import Iterable, Mapping, MutableMapping
from functools import lru_cache

from digest.core.names.fitting import extract_first_name, make_block_key
from digest.core.names.word_lists import load_words

_INITIAL_COUNT = re.compile(r"(\D)(\d*)")
"""An initial and the number of given names that begin with it, which is left out where it is 1."""

_INITIALS = "abcdefghijklmnopqrstuvwxyz"


_ObservedCounts = MutableMapping[str, dict[str, int]]


class NameCounts:
    """Distinct given names, by the blocks of the names.

    Args:
        encoded_counts: by the family part of a block, the initials with their numbers: ``a12bk3``.
        observed: by family part and initial, numbers that are known besides; the larger one counts.
    """

    def __init__(self, encoded_counts: Mapping[str, str], observed: _ObservedCounts | None = None) -> None:
        self._encoded_counts = encoded_counts
        self._observed = {} if observed is None else observed

    def add_names(self, names: Iterable[str]) -> NameCounts:
        """The same with names of a store, which may know more bearers of a name.

        Args:
            names: as printed; each may come several times.
        """
        given_names: dict[str, set[str]] = defaultdict(set)
        for name in set(names):
            if given_name := extract_first_name(name):
                given_names[make_block_key(name)].add(given_name)
        observed: dict[str, dict[str, int]] = {}
        for name_block, block_names in given_names.items():
            family, _, initial = name_block.rpartition("|")
            family_counts = observed.setdefault(family, dict(self._observed.get(family, {})))
            family_counts[initial] = max(len(block_names), family_counts.get(initial, 0))
        return NameCounts(self._encoded_counts, ChainMap(observed, self._observed))

    def count_in_block(self, name_block: str) -> int:
        """How many given names are known in a block."""
        family, _, initial = name_block.rpartition("|")
        return self._get_family_counts(family).get(initial, 0)

    def count_in_family(self, name_block: str) -> int:
        """How many given names are known before the family name of a block, whatever their initials are."""
        return sum(self._get_family_counts(name_block.rpartition("|")[0]).values())

    def _get_family_counts(self, family: str) -> Mapping[str, int]:
        corpus_counts = _parse_counts(self._encoded_counts.get(family, ""))
        observed_counts = self._observed.get(family)
        if not observed_counts:
            return corpus_counts
        return {
            initial: max(corpus_counts.get(initial, 0), observed_counts.get(initial, 0))
            for initial in corpus_counts.keys() | observed_counts
        }


def list_family_blocks(name_block: str) -> list[str]:
    """The blocks of all names with the family name of a block."""
    family = name_block.rpartition("|")[0]
    return [f"{family}|{initial}" for initial in _INITIALS]


@lru_cache(maxsize=1 << 12)
def _parse_counts(encoded: str) -> Mapping[str, int]:
    return {initial: int(count or 1) for initial, count in _INITIAL_COUNT.findall(encoded)}


@lru_cache(maxsize=1)
def load_corpus_counts() -> NameCounts:
    """The numbers of the table that is shipped; a family name that it lacks is known with one given name or none."""
    lines = (entry.partition(":") for entry in load_words("digest.core.people", "common_surnames.txt"))
    return NameCounts({family: initials for family, _, initials in lines})
