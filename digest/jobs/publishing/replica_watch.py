"""Tell the operator about a replica that is not used."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import count

from digest.store.database.engine import Store
from digest.store.database.replica import Replica
from digest.store.operations import notices

NOTICE_NAME = "replica"
_MAX_WAIT = 5.0
"""How long a command waits for a replica that is behind, in seconds."""
_MIN_CHECKS = 3
"""How often it looks in any case: the first check proves that it is a replica, and the others that it moves."""
_CHECK_INTERVAL = 0.2
"""Seconds between its checks."""
_PATIENCE = timedelta(minutes=1)
"""How long a trouble lasts before it is reported: a replica that was restarted is back by then."""


def describe_trouble(trouble: str) -> str:
    """Return a sentence about what is wrong with the replica."""
    return (
        f"The primary serves all pages, because the replica at [store] read_url cannot be used: {trouble}. "
        "The web servers keep checking it; `digest check` checks it once."
    )


def find_trouble(replica: Replica, timeout: float = _MAX_WAIT) -> str:
    """Return what is wrong with a replica; "" if it can be used.

    Args:
        replica: the replica.
        timeout: how long to wait until it has caught up with a busy primary, in seconds.

    Raises:
        StoreError: the primary does not answer.
    """
    deadline = time.monotonic() + timeout
    for check_count in count(1):
        replica.check(replica.read_primary())
        is_over = check_count >= _MIN_CHECKS and time.monotonic() > deadline
        if not replica.trouble or replica.has_failed or is_over:
            break
        time.sleep(_CHECK_INTERVAL)
    return replica.trouble


class ReplicaWatch:
    """Records a notice if the replica cannot be used for a while; the operator gets it at most once a day.

    Args:
        replica: the replica.
        store: the store of the primary.
        clock: returns the time, UTC.
    """

    def __init__(self, replica: Replica, store: Store, clock: Callable[[], datetime]) -> None:
        self.replica = replica
        self._store = store
        self._clock = clock
        self._due_at: datetime | None = None

    def note_trouble(self) -> None:
        """Look at what the last check has found.

        Raises:
            StoreError: the primary does not answer.
        """
        trouble, now = self.replica.trouble, self._clock()
        if not trouble:
            self._due_at = None
        elif self._due_at is None:
            self._due_at = now + _PATIENCE
        elif now >= self._due_at:
            with self._store.begin_write() as tx:
                notices.record_notice(tx, NOTICE_NAME, describe_trouble(trouble), now)
            self._due_at = now + notices.REPEAT_INTERVAL
