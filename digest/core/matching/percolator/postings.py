"""Files of one or of many: most keys have one entry, and a set for each would take five times the memory."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, TypeVar

_Key = TypeVar("_Key", bound=Hashable)


def put(file: dict[_Key, Any], key: _Key, entry: Hashable) -> None:
    """File an entry, no set, under a key."""
    there = file.setdefault(key, entry)
    if there is entry:
        return
    if isinstance(there, set):
        there.add(entry)
    elif there != entry:
        file[key] = {there, entry}


def take(file: dict[_Key, Any], key: _Key, entry: Hashable) -> None:
    """Take an entry out from under a key; nothing happens if it is not there."""
    there = file.get(key)
    if isinstance(there, set):
        there.discard(entry)
        if len(there) == 1:
            file[key] = there.pop()
    elif there == entry:
        del file[key]


def entries(there: Any) -> Iterable[Any]:
    """What is filed under one key: an entry, a set of them, or None."""
    if isinstance(there, set):
        return there
    return () if there is None else (there,)


# --- rows of keys ---------------------------------------------------------------------------------

END = " "
"""The key, in the file behind some keys, of what is filed under these alone; it is no word's key."""


def put_row(file: dict[str, Any], keys: Sequence[str], entry: Hashable) -> None:
    """File an entry under two keys or more, one behind the other: a file of files, as far as it branches."""
    *before, last = keys
    for key in before:
        there = file.get(key)
        if not isinstance(there, dict):
            there = file[key] = {} if there is None else {END: there}
        file = there
    there = file.get(last)
    if isinstance(there, dict):
        put(there, END, entry)
    else:
        put(file, last, entry)


def take_row(file: dict[str, Any], keys: Sequence[str], entry: Hashable) -> None:
    """Take an entry out from under two keys or more."""
    key, *behind = keys
    there = file.get(key)
    if not isinstance(there, dict):
        take(file, key, entry)
        return
    if behind:
        take_row(there, behind, entry)
    else:
        take(there, END, entry)
    if not there:
        del file[key]
