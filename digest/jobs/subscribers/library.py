"""What the store can say of a library's papers that are known by title only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from digest.core.subscribers.library import Entry, folded_title
from digest.model import PaperKey
from digest.store.database.engine import Store
from digest.store.papers.titles import keys_by_title

_LEAST_WORDS = 3
"""A title of fewer is that of too many papers."""


def proposed(store: Store, entries: Sequence[Entry]) -> Mapping[str, tuple[PaperKey, ...]]:
    """The papers of the store that have an entry's title, by the entry's place.

    They may be that paper; a title alone says nothing for sure.
    """
    wanted = {entry.place: folded_title(entry.title) for entry in entries}
    told = {place: title for place, title in wanted.items() if title.count(" ") + 1 >= _LEAST_WORDS}
    if not told:
        return {}
    with store.reading() as tx:
        found = keys_by_title(tx, frozenset(told.values()))
    return {place: found[title] for place, title in told.items() if title in found}
