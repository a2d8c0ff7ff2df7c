"""Persons whose pages people open: the next cycle asks the enrichers about them.

A page is only read, so opening it writes nothing; the site saves now and then whose pages were opened.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime

from digest.core.publishing.public_person import PublicPerson
from digest.errors import StoreError
from digest.model import PaperKey, SubjectKind
from digest.store import enrichments
from digest.store.database.engine import Store

_MAX_UNSAVED = 1_000
"""Maximum number of subjects that wait to be saved; a crawler opens more pages than any quota allows."""


class OpenedPersons:
    """Collects the persons whose pages were opened.

    Args:
        store: the store.
        clock: returns the time, UTC.
    """

    def __init__(self, store: Store, clock: Callable[[], datetime]) -> None:
        self._store = store
        self._clock = clock
        self._lock = threading.Lock()
        self._unsaved: set[tuple[SubjectKind, PaperKey]] = set()

    def note(self, person: PublicPerson) -> None:
        """Note that the page of a person was opened."""
        subjects = list_subjects(person)
        with self._lock:
            if len(self._unsaved) + len(subjects) <= _MAX_UNSAVED:
                self._unsaved |= subjects

    def save(self) -> None:
        """Save what was noted; if the store is busy, the next call does it."""
        with self._lock:
            subjects, self._unsaved = self._unsaved, set()
        if not subjects:
            return
        try:
            with self._store.begin_write() as tx:
                enrichments.save_opened(tx, subjects, self._clock())
        except StoreError:
            with self._lock:
                self._unsaved |= subjects


def list_subjects(person: PublicPerson) -> set[tuple[SubjectKind, PaperKey]]:
    """Return what services can be asked about a person: the IDs, or a paper that leads to them."""
    ids = {(SubjectKind.PERSON, PaperKey(f"{entry.scheme}:{entry.value}")) for entry in person.ids}
    return ids or {(SubjectKind.PAPER, entry.paper.key) for entry in person.person_papers[:1]}
