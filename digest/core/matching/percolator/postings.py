"""Posting lists of one entry or many: most keys have one entry, and a set for each would take five times the memory."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, TypeVar

_Key = TypeVar("_Key", bound=Hashable)


def add_posting(postings: dict[_Key, Any], key: _Key, entry: Hashable) -> None:
    """Add an entry, which must not be a set, to the posting list of a key."""
    existing = postings.setdefault(key, entry)
    if existing is entry:
        return
    if isinstance(existing, set):
        existing.add(entry)
    elif existing != entry:
        postings[key] = {existing, entry}


def remove_posting(postings: dict[_Key, Any], key: _Key, entry: Hashable) -> None:
    """Remove an entry from the posting list of a key; nothing happens if it is not in it."""
    existing = postings.get(key)
    if isinstance(existing, set):
        existing.discard(entry)
        if len(existing) == 1:
            postings[key] = existing.pop()
    elif existing == entry:
        del postings[key]


def list_postings(stored_entries: Any) -> Iterable[Any]:
    """Return the entries of a posting list, which is stored as an entry, a set of entries, or None."""
    if isinstance(stored_entries, set):
        return stored_entries
    return () if stored_entries is None else (stored_entries,)


# --- sequences of keys ----------------------------------------------------------------------------

PHRASE_END = " "
"""Key in a node of the trie for the entries whose sequence of keys ends at the node; no word has this key."""


def add_phrase(postings: dict[str, Any], keys: Sequence[str], entry: Hashable) -> None:
    """Add an entry to a trie, under a sequence of at least two keys.

    A node is a dictionary by key. If no longer sequence continues after the last key, the posting list takes
    the place of the node.
    """
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
    """Remove an entry from a trie, from under a sequence of at least two keys."""
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
