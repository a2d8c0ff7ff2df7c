"""Keys of names in the index of papers: which names a person of a query may have signed with.

A printed name is filed under the spellings of its family name, each with the beginning of the given name if that is
spelled out, or else with its initial; in both orders.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from digest.core.matching.percolator.name_index import NameKeys, make_name_keys

_GIVEN_LENGTH = 4
"""Number of letters of a given name in a key. With one, a paper of a large collaboration would be a candidate for most
names; all letters would take 0.02 kB a paper more."""


class WantedKeys(NamedTuple):
    """The keys under which names that match a name are filed.

    Attributes:
        keys: keys.
        prefixes: beginnings of keys.
    """

    keys: frozenset[str]
    prefixes: frozenset[str]


def list_printed_keys(name: str) -> frozenset[str]:
    """Return the keys under which a printed name is filed."""
    return frozenset(
        key for keys in make_name_keys(name) for key in (*map(_shorten, keys.full), *keys.initial_only)
    )


def find_wanted_keys(name: str) -> WantedKeys:
    """Return the keys of all printed names that match a name at all."""
    exact: set[str] = set()
    prefixes: set[str] = set()
    for keys in make_name_keys(name):
        exact.update(map(_shorten, keys.full))
        exact.update(keys.initial_of_full)
        # An initial also matches given names that begin with it.
        exact.update(key for key in keys.initial_only if _is_group(key, keys))
        prefixes.update(_select_prefixes(keys))
    return WantedKeys(frozenset(exact), frozenset(prefixes))


def _select_prefixes(keys: NameKeys) -> Iterator[str]:
    """Yield the beginnings of keys that a name without a spelled-out given name matches.

    A family name alone has keys with every initial; all of them begin with the key that has none.
    """
    for key in keys.initial_only:
        family, _, initial = key.partition("|")
        if not _is_group(key, keys) and (not initial or f"{family}|" not in keys.initial_only):
            yield key


def _is_group(key: str, keys: NameKeys) -> bool:
    """Whether a key is that of a collaboration, whose name has no initials."""
    return key.endswith("|") and f"{key}a" not in keys.initial_only


def _shorten(key: str) -> str:
    family, _, given_name = key.partition("|")
    return f"{family}|{given_name[:_GIVEN_LENGTH]}"
