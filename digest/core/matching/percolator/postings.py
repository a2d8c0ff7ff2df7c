"""Files of one or of many: most keys have one entry, and a set for each would take five times the memory."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, TypeVar

_Key = TypeVar("_Key", bound=Hashable)


def add_posting(postings: dict[_Key, Any], key: _Key, entry: Hashable) -> None:
    """File an entry, no set, under a key."""
    existing = postings.setdefault(key, entry)
    if existing is entry:
        return
    if isinstance(existing, set):
        existing.add(entry)
    elif existing != entry:
        postings[key] = {existing, entry}


def remove_posting(postings: dict[_Key, Any], key: _Key, entry: Hashable) -> None:
    """Take an entry out from under a key; nothing happens if it is not there."""
    existing = postings.get(key)
    if isinstance(existing, set):
        existing.discard(entry)
        if len(existing) == 1:
            postings[key] = existing.pop()
    elif existing == entry:
        del postings[key]


def list_postings(stored_entries: Any) -> Iterable[Any]:
    """What is filed under one key: an entry, a set of them, or None."""
    if isinstance(stored_entries, set):
        return stored_entries
    return () if stored_entries is None else (stored_entries,)


# --- rows of keys ---------------------------------------------------------------------------------

PHRASE_END = " "
"""The key, in the file behind some keys, of what is filed under these alone; it is no word's key."""


def add_phrase(postings: dict[str, Any], keys: Sequence[str], entry: Hashable) -> None:
    """File an entry under two keys or more, one behind the other: a file of files, as far as it branches."""
    *leading_keys, last_key = keys
    for key in leading_keys:
        existing = postings.get(key)
        if not isinstance(existing, dict):
            existing = postings[key] = {} if existing is None else {PHRASE_END: existing}
        postings = existing
    existing = postings.get(last_key)
    if isinstance(existing, dict):
        add_posting(existing, PHRASE_END, entry)
    else:
        add_posting(postings, last_key, entry)


def remove_phrase(postings: dict[str, Any], keys: Sequence[str], entry: Hashable) -> None:
    """Take an entry out from under two keys or more."""
    key, *remaining_keys = keys
    existing = postings.get(key)
    if not isinstance(existing, dict):
        remove_posting(postings, key, entry)
        return
    if remaining_keys:
        remove_phrase(existing, remaining_keys, entry)
    else:
        remove_posting(existing, PHRASE_END, entry)
    if not existing:
        del postings[key]
