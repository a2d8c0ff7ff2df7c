"""How many given names are known before a family name: how common names are."""

from __future__ import annotations

import re
from collections import ChainMap, defaultdict
from collections.abc import Iterable, Mapping, MutableMapping
from functools import lru_cache

from digest.core.names.fitting import block, first_name
from digest.core.people.common_surnames import FAMILY_NAMES

_COUNT = re.compile(r"(\D)(\d*)")
"""An initial and the number of given names that begin with it, which is left out where it is 1."""

_INITIALS = "abcdefghijklmnopqrstuvwxyz"


_Seen = MutableMapping[str, dict[str, int]]


class NameCounts:
    """Distinct given names, by the blocks of the names.

    Args:
        rows: by the family part of a block, the initials with their numbers: ``a12bk3``.
        seen: by family part and initial, numbers that are known besides; the larger one counts.
    """

    def __init__(self, rows: Mapping[str, str], seen: _Seen | None = None) -> None:
        self._rows = rows
        self._seen = {} if seen is None else seen

    def with_names(self, names: Iterable[str]) -> NameCounts:
        """The same with names of a store, which may know more bearers of a name.

        Args:
            names: as printed; each may come several times.
        """
        given: dict[str, set[str]] = defaultdict(set)
        for name in set(names):
            if first := first_name(name):
                given[block(name)].add(first)
        seen: dict[str, dict[str, int]] = {}
        for where, firsts in given.items():
            family, _, initial = where.rpartition("|")
            its = seen.setdefault(family, dict(self._seen.get(family, {})))
            its[initial] = max(len(firsts), its.get(initial, 0))
        return NameCounts(self._rows, ChainMap(seen, self._seen))

    def of_block(self, where: str) -> int:
        """How many given names are known in a block."""
        family, _, initial = where.rpartition("|")
        return self._of_family(family).get(initial, 0)

    def of_family(self, where: str) -> int:
        """How many given names are known before the family name of a block, whatever their initials are."""
        return sum(self._of_family(where.rpartition("|")[0]).values())

    def _of_family(self, family: str) -> Mapping[str, int]:
        known = _numbers(self._rows.get(family, ""))
        seen = self._seen.get(family)
        if not seen:
            return known
        return {initial: max(known.get(initial, 0), seen.get(initial, 0)) for initial in known.keys() | seen}


def blocks_of_family(where: str) -> list[str]:
    """The blocks of all names with the family name of a block."""
    family = where.rpartition("|")[0]
    return [f"{family}|{initial}" for initial in _INITIALS]


@lru_cache(maxsize=1 << 12)
def _numbers(row: str) -> Mapping[str, int]:
    return {initial: int(number or 1) for initial, number in _COUNT.findall(row)}


@lru_cache(maxsize=1)
def counts_of_corpus() -> NameCounts:
    """The numbers of the table that is shipped; a family name that it lacks is known with one given name or none."""
    rows = (row.partition(":") for row in FAMILY_NAMES.split())
    return NameCounts({family: initials for family, _, initials in rows})
