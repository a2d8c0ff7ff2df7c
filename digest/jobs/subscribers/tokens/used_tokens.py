"""Collects what API tokens read, and when they are used, to write it once a second instead of at each request."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from digest.core.subscribers.api_tokens import ApiToken
from digest.errors import StoreError
from digest.jobs.subscribers.tokens.api_tokens import make_token_actor
from digest.store.database.engine import Store, Transaction
from digest.store.operations.audit import Actor, AuditAction, count_readings
from digest.store.subscribers.tokens import api_tokens as rows


class _Use(NamedTuple):
    """A kind of use of a token in an hour; without an action, only that it was used."""

    token: int
    actor: Actor
    action: AuditAction | None
    hour: datetime


class UsedTokens:
    """Counts requests with tokens in memory, so that what only reads writes nothing and waits for nobody who writes.

    Threads use it at the same time.

    Args:
        store: the store.
        clock: returns the time, UTC.
    """

    def __init__(self, store: Store, clock: Callable[[], datetime]) -> None:
        self._store = store
        self._clock = clock
        self._lock = threading.Lock()
        self._unsaved: Counter[_Use] = Counter()

    def note(self, token: ApiToken, action: AuditAction | None) -> None:
        """Note that a token is used.

        Args:
            token: the token.
            action: what it reads; None if it changes something, which is recorded with the change.
        """
        hour = self._clock().replace(minute=0, second=0, microsecond=0)
        if action is None and token.used_at == hour:
            return
        with self._lock:
            self._unsaved[_Use(token.id, make_token_actor(token), action, hour)] += 1

    def save(self) -> None:
        """Save what was noted; if the store is busy, the next call does it."""
        with self._lock:
            uses, self._unsaved = self._unsaved, Counter()
        if not uses:
            return
        try:
            with self._store.begin_write() as tx:
                _save_uses(tx, uses)
        except StoreError:
            with self._lock:
                self._unsaved.update(uses)


def _save_uses(tx: Transaction, uses: Counter[_Use]) -> None:
    """Save uses reader by reader, in the same order in all processes, so that none waits for another in a circle."""
    subscribers = sorted({use.actor.subscriber for use in uses if use.actor.subscriber is not None})
    present = {subscriber for subscriber in subscribers if rows.lock_reader(tx, subscriber)}
    for use, amount in uses.items():
        if use.actor.subscriber not in present:
            continue  # the reader has deleted everything since
        rows.record_use(tx, use.token, use.hour)
        if use.action is not None:
            count_readings(tx, use.actor, use.action, f"token {use.token}", amount, use.hour)
