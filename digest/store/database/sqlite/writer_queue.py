"""FIFO queue of the threads of one process that want to write to the same database."""

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
"""Seconds after which a waiting thread checks whether the thread at the front is still alive."""


@dataclass(slots=True, eq=False)
class Waiter:
    """Place of one thread in the queue.

    Attributes:
        enqueued_at: when the thread joined the queue, in seconds of the monotonic clock.
        blocked_since: when the queue last made progress, by the same clock; since then, this thread has in
            effect waited for another process. Never before ``enqueued_at``.
        wrote: whether its transaction has begun; set by whoever opens the transaction.
        thread: the thread.
        admitted: set when the thread is at the front.
    """

    enqueued_at: float = field(default_factory=time.monotonic)
    blocked_since: float = field(init=False)
    wrote: bool = False
    thread: threading.Thread = field(default_factory=threading.current_thread)
    admitted: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.blocked_since = self.enqueued_at


class WriterQueue:
    """Queue that lets one thread at a time write, in order of arrival.

    SQLite's own lock is not fair: a thread gets it if it tries at the right moment, so with many threads some
    time out although no other process is writing. A plain ``threading.Lock`` is not fair, either.
    """

    def __init__(self) -> None:
        self._reset()
        _queues.add(self)

    def _reset(self) -> None:
        self._guard = threading.Lock()
        self._waiters: deque[Waiter] = deque()
        self._last_write_at = 0.0

    def __len__(self) -> int:
        """Number of threads that wait or write."""
        return len(self._waiters)

    @contextmanager
    def acquire(self) -> Iterator[Waiter]:
        """Wait until all earlier threads are done; when the block ends, the next thread is admitted.

        Raises:
            RuntimeError: the thread is writing already and would wait for itself.
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
        """Remove a thread at any position: a thread that is interrupted while it waits is not at the front."""
        with self._guard:
            if waiter not in self._waiters:
                return  # the thread did not join the queue, or the process was forked since
            if waiter.wrote:
                self._last_write_at = time.monotonic()
            self._waiters.remove(waiter)
            self._admit_first()

    def _admit_first(self) -> None:
        """Admit the first thread that is alive; threads that ended without leaving the queue are removed."""
        while self._waiters and not self._waiters[0].thread.is_alive():
            self._waiters.popleft()
        if self._waiters:
            self._waiters[0].admitted.set()


_queues: WeakSet[WriterQueue] = WeakSet()


def _reset_all() -> None:
    """Empty all queues in a forked process: at most one of the queued threads exists in it.

    The forking thread holds no place either, because its transaction belongs to the parent process.
    """
    for queue in _queues:
        queue._reset()  # noqa: SLF001 - of this module


if hasattr(os, "register_at_fork"):  # Windows has no fork
    os.register_at_fork(after_in_child=_reset_all)
