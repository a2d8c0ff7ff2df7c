"""The seconds that this process has waited for locks of the database, and held them, by kind of lock.

Counted in memory where locks are taken; heartbeats save them (``digest/jobs/workers.py``). Waits include the statement that
takes the lock, about a millisecond for a lock that is free.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from enum import StrEnum
from typing import NamedTuple


class LockKind(StrEnum):
    """A kind of lock, as metrics name it."""

    WRITE = "write"
    """SQLite's only writer."""
    PLANNING = "planning"
    INGEST = "ingest"
    ERASURE = "erasure"
    BOUNCES = "bounces"
    MAILBOXES = "mailboxes"
    SLOTS = "slots"
    DIGESTS = "digests"
    RATES = "rates"
    CONNECTIONS = "connections"


class LockTime(NamedTuple):
    """Seconds spent with locks of one kind.

    Attributes:
        waited: until they were taken.
        held: from then on until they were returned; 0 for locks of rows, which are returned with everything else.
    """

    waited: float = 0.0
    held: float = 0.0


_times: dict[LockKind, LockTime] = {}
_guard = threading.Lock()


def get_lock_times() -> Mapping[LockKind, LockTime]:
    """Return the seconds since this process started, of the kinds that it has used."""
    with _guard:
        return dict(_times)


def measure_wait(kind: LockKind | None) -> AbstractContextManager[None]:
    """Count the time of a block that takes a lock, also if it gets none.

    Args:
        kind: the kind of the lock; None if the block takes none.
    """
    return _measure(kind, lambda seconds: LockTime(waited=seconds))


def measure_hold(kind: LockKind | None) -> AbstractContextManager[None]:
    """Count the time of a block that has a lock.

    Args:
        kind: the kind of the lock; None if the block has none.
    """
    return _measure(kind, lambda seconds: LockTime(held=seconds))


@contextmanager
def _measure(kind: LockKind | None, make_time: Callable[[float], LockTime]) -> Iterator[None]:
    began_at = time.monotonic()
    try:
        yield
    finally:
        if kind is not None:
            _add(kind, make_time(time.monotonic() - began_at))


def _add(kind: LockKind, time_spent: LockTime) -> None:
    with _guard:
        waited, held = _times.get(kind, LockTime())
        _times[kind] = LockTime(waited + time_spent.waited, held + time_spent.held)
