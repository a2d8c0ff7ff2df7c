"""Threads of which Python lets one run at a time, kept together on one core.

The system wakes a thread on whichever core has nothing to do, and there all that the others have just used is out of
reach of its caches. Lines that wake each other on two cores take a sixth more CPU for a mail than on one, and more time.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from threading import Thread

_STAYS = 5.0
"""Seconds until the system may choose a core anew: somebody else may have come to this one."""
_STAT = Path("/proc/thread-self/stat")
_CORE = 36
"""Of what stands behind the thread's name in there: the core that it was last on (proc_pid_stat(5), field 39)."""


class OneCore:
    """Keeps the thread that makes it on one core, and others with it. Where the system has no such thing, it does nothing."""

    def __init__(self) -> None:
        self._all = os.sched_getaffinity(0) if hasattr(os, "sched_setaffinity") else set[int]()
        self._until: float | None = None

    def gather(self, threads: Iterable[Thread]) -> None:
        """To be called again and again: every few seconds all may go anywhere until the next call, and are gathered there.

        Args:
            threads: those that are to be where this one is; what they start is, too.
        """
        now = time.monotonic()
        if self._until is None:
            self._until = now + _STAYS
            self._bind({_here()} & self._all, threads)
        elif now >= self._until:
            self.let_go(threads)

    def let_go(self, threads: Iterable[Thread]) -> None:
        """Let them go anywhere."""
        self._until = None
        self._bind(self._all, threads)

    def _bind(self, cores: set[int], threads: Iterable[Thread]) -> None:
        if len(self._all) < 2 or not cores:
            return
        for one in (0, *(thread.native_id for thread in threads if thread.is_alive())):
            with suppress(OSError):  # it has just ended, or nobody may do this here
                os.sched_setaffinity(one or 0, cores)


def _here() -> int:
    """The core that this thread is on; -1 where nobody tells."""
    with suppress(OSError, ValueError, IndexError):
        return int(_STAT.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[_CORE])
    return -1
