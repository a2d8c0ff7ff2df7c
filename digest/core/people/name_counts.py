"""Number of distinct given names known for a family name, which tells how common names are."""

from __future__ import annotations

import re
from collections import ChainMap, defaultdict
from collections.abc import Iterable, Mapping, MutableMapping
from functools import lru_cache

from digest.core.names.fitting import extract_first_name, make_block_key
from digest.core.names.word_lists import load_words

_INITIAL_COUNT = re.compile(r"(\D)(\d*)")
"""An initial and the number of given names that begin with it; the number is omitted if it is 1."""

_INITIALS = "abcdefghijklmnopqrstuvwxyz"


_ObservedCounts = MutableMapping[str, dict[str, int]]


class NameCounts:
    """Numbers of distinct given names, by the blocks of the names.

    Args:
        encoded_counts: initials with their numbers, by the family part of a block: ``a12bk3``.
        observed: further numbers by family part and initial; the larger number counts.
    """

    def __init__(self, encoded_counts: Mapping[str, str], observed: _ObservedCounts | None = None) -> None:
        self._encoded_counts = encoded_counts
        self._observed = {} if observed is None else observed

    def add_names(self, names: Iterable[str]) -> NameCounts:
        """Return counts that include the names in a database, which may contain more bearers of a name.

        Args:
            names: as printed; duplicates are allowed.
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
        """Return the number of given names known in a block."""
        family, _, initial = name_block.rpartition("|")
        return self._get_family_counts(family).get(initial, 0)

    def count_in_family(self, name_block: str) -> int:
        """Return the number of given names known for the family name of a block, with any initial."""
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
    """Return the blocks of all names that have the same family name as a block."""
    family = name_block.rpartition("|")[0]
    return [f"{family}|{initial}" for initial in _INITIALS]


@lru_cache(maxsize=1 << 12)
def _parse_counts(encoded: str) -> Mapping[str, int]:
    return {initial: int(count or 1) for initial, count in _INITIAL_COUNT.findall(encoded)}


@lru_cache(maxsize=1)
def load_corpus_counts() -> NameCounts:
    """Load the table of the package; a family name that is not in it has at most one known given name."""
    lines = (entry.partition(":") for entry in load_words("digest.core.people", "common_surnames.txt"))
    return NameCounts({family: initials for family, _, initials in lines})
