"""Queue of the threads of one process that want to write to the same database."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(slots=True, eq=False)
class Turn:
    """One thread's place in the queue.

    Attributes:
        came_at: when the thread came, by the monotonic clock.
        blocked_since: since when no thread of the queue could write although one tried; as long as that, this one has
            in effect waited for another process.
        has_begun: whether its transaction has begun; who begins it says so.
        thread: whose place it is.
        called: can be acquired when it is the first.
    """

    came_at: float = field(default_factory=time.monotonic)
    blocked_since: float = 0.0
    has_begun: bool = False
    thread: int = field(default_factory=threading.get_ident)
    called: threading.Lock = field(default_factory=threading.Lock)


class WriterQueue:
    """Lets one thread at a time write, in the order in which the threads came.

    SQLite's own lock knows no order: whoever tries at the right moment gets it, so of many threads some wait until they
    time out, although no other process is writing. A plain ``threading.Lock`` knows no order, either.
    """

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._turns: deque[Turn] = deque()
        self._written_at = 0.0

    def __len__(self) -> int:
        """How many threads wait or write."""
        return len(self._turns)

    @contextmanager
    def turn(self) -> Iterator[Turn]:
        """Wait until all that came before are done; the next one follows when the block ends.

        Raises:
            RuntimeError: the thread is writing already; it would wait for itself.
        """
        turn = Turn()
        try:
            self._join(turn)
            turn.called.acquire()
            turn.blocked_since = max(turn.came_at, self._written_at)
            yield turn
        finally:
            self._leave(turn)

    def _join(self, turn: Turn) -> None:
        turn.called.acquire()
        with self._guard:
            if any(one.thread == turn.thread for one in self._turns):
                raise RuntimeError("a transaction that writes begins within another one of the same thread")
            self._turns.append(turn)
            if self._turns[0] is turn:
                turn.called.release()

    def _leave(self, turn: Turn) -> None:
        """Take a thread out, wherever it stands: one that is interrupted while it waits is not the first."""
        with self._guard:
            if turn not in self._turns:
                return
            if turn.has_begun:
                self._written_at = time.monotonic()
            was_first = self._turns[0] is turn
            self._turns.remove(turn)
            if was_first and self._turns:
                self._turns[0].called.release()
