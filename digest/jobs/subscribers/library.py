"""Find stored papers for entries of a library that have a title only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from digest.core.subscribers.library import LibraryEntry, fold_title
from digest.model import PaperKey
from digest.store.database.engine import Store
from digest.store.papers.titles import find_keys_by_title

_MIN_TITLE_WORDS = 3
"""Minimum length of a title, in words; a shorter title is that of too many papers."""


def find_candidates(store: Store, entries: Sequence[LibraryEntry]) -> Mapping[str, tuple[PaperKey, ...]]:
    """Find the papers with the titles of entries, by place of the entry.

    They are only candidates: a title alone does not identify a paper.
    """
    titles = {entry.place: fold_title(entry.title) for entry in entries}
    specific_titles = {
        entry_place: title
        for entry_place, title in titles.items()
        if title.count(" ") + 1 >= _MIN_TITLE_WORDS
    }
    if not specific_titles:
        return {}
    with store.begin_read() as tx:
        keys_by_folded_title = find_keys_by_title(tx, frozenset(specific_titles.values()))
    return {
        entry_place: keys_by_folded_title[title]
        for entry_place, title in specific_titles.items()
        if title in keys_by_folded_title
    }
