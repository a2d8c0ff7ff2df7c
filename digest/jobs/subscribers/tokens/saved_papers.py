"""Saved papers, changed by programs with API tokens. Each change is one transaction with its entry of the audit log."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from digest.core.subscribers.opinions import Opinion
from digest.jobs.subscribers.opinions import find_root_number
from digest.jobs.subscribers.own_digests import require_own_digest
from digest.model import PaperKey
from digest.store.database.engine import Store, Transaction
from digest.store.operations.audit import Actor, AuditAction, record_change
from digest.store.subscribers import opinions


class UnknownPaperError(Exception):
    """The database has no such paper."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedPaperEditor:
    """Saves and removes papers of one reader.

    Attributes:
        store: the store.
        subscriber: the number of the reader.
        actor: the token.
        now: the current time, UTC.
    """

    store: Store
    subscriber: int
    actor: Actor
    now: datetime

    def save(self, digest_id: int, key: PaperKey) -> None:
        """Save a paper in a digest; a repetition changes nothing.

        Raises:
            NotOwnError: the digest belongs to somebody else, or to nobody.
            UnknownPaperError: the database has no such paper.
        """
        with self._begin_change(digest_id) as tx:
            paper = find_root_number(tx, key)
            if paper is None:
                raise UnknownPaperError
            if Opinion.SAVED not in opinions.load_opinions(tx, digest_id, paper):
                opinions.save_opinion(tx, digest_id, paper, Opinion.SAVED, queries=(), at=self.now)
                self._record(tx, AuditAction.SAVE_PAPER, digest_id)

    def remove(self, digest_id: int, key: PaperKey) -> None:
        """Remove a paper from the saved ones; one that is not saved is ignored.

        Raises:
            NotOwnError: as for ``save``.
        """
        with self._begin_change(digest_id) as tx:
            paper = find_root_number(tx, key)
            if paper is not None and Opinion.SAVED in opinions.load_opinions(tx, digest_id, paper):
                opinions.withdraw_opinions(tx, digest_id, paper, [Opinion.SAVED])
                self._record(tx, AuditAction.REMOVE_SAVED_PAPER, digest_id)

    def _record(self, tx: Transaction, action: AuditAction, digest_id: int) -> None:
        record_change(tx, self.actor, action, f"digest {digest_id}", 1, self.now)

    @contextmanager
    def _begin_change(self, digest_id: int) -> Iterator[Transaction]:
        with self.store.begin_write() as tx:
            require_own_digest(tx, self.subscriber, digest_id)
            opinions.lock_digest(tx, digest_id)
            yield tx
