"""Files of one or of many: most keys have one entry, and a set for each would take five times the memory."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
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
