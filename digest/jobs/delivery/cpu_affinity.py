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

_BIND_SECONDS = 5.0
"""Seconds until the system may choose a core anew: somebody else may have come to this one."""
_STAT_PATH = Path("/proc/thread-self/stat")
_CORE_FIELD = 36
"""Of what stands behind the thread's name in there: the core that it was last on (proc_pid_stat(5), field 39)."""


class CpuAffinity:
    """Keeps the thread that makes it on one core, and others with it. Where the system has no such thing, it does nothing."""

    def __init__(self) -> None:
        self._all_cores = os.sched_getaffinity(0) if hasattr(os, "sched_setaffinity") else set[int]()
        self._bound_until: float | None = None

    def bind_threads(self, threads: Iterable[Thread]) -> None:
        """To be called again and again: every few seconds all may go anywhere until the next call, and are gathered there.

        Args:
            threads: those that are to be where this one is; what they start is, too.
        """
        now = time.monotonic()
        if self._bound_until is None:
            self._bound_until = now + _BIND_SECONDS
            self._bind({_read_current_core()} & self._all_cores, threads)
        elif now >= self._bound_until:
            self.release_threads(threads)

    def release_threads(self, threads: Iterable[Thread]) -> None:
        """Let them go anywhere."""
        self._bound_until = None
        self._bind(self._all_cores, threads)

    def _bind(self, cores: set[int], threads: Iterable[Thread]) -> None:
        if len(self._all_cores) < 2 or not cores:
            return
        for thread_id in (0, *(thread.native_id for thread in threads if thread.is_alive())):
            with suppress(OSError):  # it has just ended, or nobody may do this here
                os.sched_setaffinity(thread_id or 0, cores)


def _read_current_core() -> int:
    """The core that this thread is on; -1 where nobody tells."""
    with suppress(OSError, ValueError, IndexError):
        return int(
            _STAT_PATH.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[_CORE_FIELD]
        )
    return -1
