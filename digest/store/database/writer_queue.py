"""Queue of the threads of one process that want to write to the same database."""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from weakref import WeakSet

_LIVENESS_INTERVAL = 1.0
"""Seconds after which a thread that waits looks whether the one that writes still lives."""


@dataclass(slots=True, eq=False)
class Waiter:
    """One thread's place in the queue.

    Attributes:
        enqueued_at: when the thread came, by the monotonic clock, in seconds.
        blocked_since: since when no thread of the queue could write although one tried, by the same clock; for as long,
            this one has in effect waited for another process. Never before ``enqueued_at``.
        wrote: whether its transaction has begun; the owner of the transaction sets it.
        thread: the thread.
        admitted: set when it is the first.
    """

    enqueued_at: float = field(default_factory=time.monotonic)
    blocked_since: float = field(init=False)
    wrote: bool = False
    thread: threading.Thread = field(default_factory=threading.current_thread)
    admitted: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.blocked_since = self.enqueued_at


class WriterQueue:
    """Lets one thread at a time write, in the order in which the threads came.

    SQLite's own lock is not fair: whoever tries at the right moment gets it, so of many threads some wait until they time
    out, although no other process is writing. A plain ``threading.Lock`` is not fair, either.
    """

    def __init__(self) -> None:
        self._reset()
        _queues.add(self)

    def _reset(self) -> None:
        self._guard = threading.Lock()
        self._waiters: deque[Waiter] = deque()
        self._last_write_at = 0.0

    def __len__(self) -> int:
        """How many threads wait or write."""
        return len(self._waiters)

    @contextmanager
    def acquire(self) -> Iterator[Waiter]:
        """Wait until all threads that came before are done; the next one follows when the block ends.

        Raises:
            RuntimeError: the thread is writing already; it would wait for itself.
        """
        waiter = Waiter()
        try:
            self._enqueue(waiter)
            while not waiter.admitted.wait(_LIVENESS_INTERVAL):
                with self._guard:
                    self._admit_first()
            waiter.blocked_since = max(waiter.enqueued_at, self._last_write_at)
            yield waiter
        finally:
            self._remove(waiter)

    def _enqueue(self, waiter: Waiter) -> None:
        with self._guard:
            if any(queued.thread is waiter.thread for queued in self._waiters):
                raise RuntimeError("a transaction that writes begins within another one of the same thread")
            self._waiters.append(waiter)
            self._admit_first()

    def _remove(self, waiter: Waiter) -> None:
        """Remove a thread, wherever it stands: one that is interrupted while it waits is not the first."""
        with self._guard:
            if waiter not in self._waiters:
                return  # it never came, or the process was forked since
            if waiter.wrote:
                self._last_write_at = time.monotonic()
            self._waiters.remove(waiter)
            self._admit_first()

    def _admit_first(self) -> None:
        """Let the first thread write; one that ended without leaving is removed, as it never will."""
        while self._waiters and not self._waiters[0].thread.is_alive():
            self._waiters.popleft()
        if self._waiters:
            self._waiters[0].admitted.set()


_queues: WeakSet[WriterQueue] = WeakSet()


def _reset_all() -> None:
    """Empty all queues in a process that was forked: of the threads that stand in them it has one at the most.

    The one that forked holds nothing either: a transaction is its parent's.
    """
    for queue in _queues:
        queue._reset()  # noqa: SLF001 - of this module


if hasattr(os, "register_at_fork"):  # Windows has no fork
    os.register_at_fork(after_in_child=_reset_all)
