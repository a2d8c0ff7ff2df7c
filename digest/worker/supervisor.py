"""The processes of a worker: as many as asked for, each started again when it ends unasked, or hangs."""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from digest.service_manager import ServiceManager, find_service_manager

_log = logging.getLogger(__name__)

RunProcess = Callable[..., None]
"""The work of a process; its last argument is an event that asks it to end."""

OUTDATED = 3
"""Exit status of a process that wants to begin again with the current configuration."""
TOO_OLD = 4
"""Exit status of a process that is too old for the tables; all of them are, and none is started again."""
_RESTART_PAUSES = (1.0, 2.0, 5.0, 10.0, 30.0)
"""Seconds until a process that failed is started again, the longer the more often it fails."""
_HEALTHY_SECONDS = 60.0
"""How long a process must have run, in seconds, so that its next failure counts as the first."""
_STOP_TIMEOUT_SECONDS = 18.0
"""Time in which processes must end, in seconds; a running batch may take ten, and a worker ends within twenty."""
_POLL_SECONDS = 0.5
_SIGN_SECONDS = 5.0
"""Time between two signs of life that a process gives, in seconds."""
_HANG_SECONDS = 90.0
"""Time without a sign of life after which a process is killed, in seconds; others have taken over its work by then."""


@dataclass(slots=True)
class _Slot:
    """A place for a process.

    Attributes:
        process: the process; None until it is started again.
        pipe: brings signs of life; closed when this process ends, in whatever way, and the other one ends then, too.
        heard_at: when the last sign came, by the monotonic clock, in seconds.
        began_at: when one was last started, by the monotonic clock, in seconds.
        failures: how often it failed in a row.
        start_at: when it is started again, by the monotonic clock, in seconds.
    """

    process: BaseProcess | None = None
    pipe: Connection | None = None
    heard_at: float = 0.0
    began_at: float = 0.0
    failures: int = 0
    start_at: float = 0.0


@dataclass(slots=True, kw_only=True)
class Supervisor:
    """Keeps processes running until it is told to stop.

    Attributes:
        run: the work of each process, which ``multiprocessing`` can import.
        arguments: its arguments, before the event that asks it to end.
        process_count: the number of processes.
        is_usable: whether the current file is valid; if it is not, the processes go on with the old one after SIGHUP.
    """

    run: RunProcess
    arguments: Sequence[Any]
    process_count: int
    is_usable: Callable[[], bool]
    _slots: list[_Slot] = field(default_factory=list, init=False)
    _signals: list[int] = field(default_factory=list, init=False)
    _is_too_old: bool = field(default=False, init=False)
    _manager: ServiceManager = field(default_factory=lambda: find_service_manager(os.environ), init=False)
    _is_ready: bool = field(default=False, init=False)
    _began_at: float = field(default_factory=time.monotonic, init=False)
    _pinged_at: float = field(default=0.0, init=False)
    _looked_at: float = field(default_factory=time.monotonic, init=False)

    def run_until_signal(self) -> bool:
        """Keep the processes running until SIGTERM or SIGINT; SIGHUP starts them again, with the current file.

        Returns:
            Whether it ended by a signal, and not because this release is too old for the tables.
        """
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, lambda received, _: self._signals.append(received))
        self._slots = [_Slot() for _ in range(self.process_count)]
        try:
            while not self._is_too_old and not {signal.SIGTERM, signal.SIGINT} & set(self._signals):
                if signal.SIGHUP in self._signals:
                    self._signals.remove(signal.SIGHUP)
                    if self.is_usable():
                        self._begin_reload()
                self._start_missing()
                self._notify_manager()
                wait([slot.process.sentinel for slot in self._slots if slot.process], _POLL_SECONDS)
                self._kill_hung()
                self._collect_ended()
        finally:
            self._stop()
        return not self._is_too_old

    def _begin_reload(self) -> None:
        self._manager.notify_reloading()
        self._is_ready, self._began_at = False, time.monotonic()
        self._terminate()

    def _notify_manager(self) -> None:
        """Tell the service manager that all processes have started with the current file, and that this one is alive."""
        if not self._is_ready and all(slot.began_at >= self._began_at for slot in self._slots):
            self._is_ready = True
            self._manager.notify_ready()
        now = time.monotonic()
        if now - self._pinged_at > self._manager.watchdog_seconds / 3:
            self._pinged_at = now
            self._manager.notify_alive()

    def _start_missing(self) -> None:
        for slot in self._slots:
            if slot.process is None and time.monotonic() >= slot.start_at:
                self._start(slot)

    def _start(self, slot: _Slot) -> None:
        context = get_context("spawn")
        child_pipe, slot.pipe = context.Pipe()
        slot.process = context.Process(
            target=run_child, args=(self.run, self.arguments, child_pipe, _SIGN_SECONDS)
        )
        # Ctrl-C reaches all processes of a terminal; this one tells the others to end.
        previous_mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
        try:
            slot.process.start()
            slot.began_at = slot.heard_at = time.monotonic()
        except OSError as error:  # no memory for another process, say; it is tried again
            _log.warning("A process of the worker cannot be started: %s", error)
            slot.process, slot.start_at = None, time.monotonic() + _RESTART_PAUSES[-1]
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, previous_mask)
            child_pipe.close()

    def _kill_hung(self) -> None:
        """Kill processes that give no sign of life, unless this one hung as well, as when the machine was suspended.

        It sees processes that are stopped or keep the interpreter busy, and not a thread that waits for ever.
        """
        now = time.monotonic()
        has_hung = now - self._looked_at > 10 * _POLL_SECONDS
        self._looked_at = now
        for slot in self._slots:
            if slot.process is None or slot.pipe is None:
                continue
            with suppress(EOFError, OSError):  # it has ended
                while slot.pipe.poll():
                    slot.pipe.recv()
                    slot.heard_at = now
            if has_hung:
                slot.heard_at = now
            elif now - slot.heard_at > _HANG_SECONDS:
                _log.warning(
                    "Process %s of the worker hangs; it is killed and started again.", slot.process.pid
                )
                slot.process.kill()
                slot.heard_at = now

    def _collect_ended(self) -> None:
        now = time.monotonic()
        for slot in self._slots:
            if slot.process is None or slot.process.exitcode is None:
                continue
            self._is_too_old |= slot.process.exitcode == TOO_OLD
            is_failure = slot.process.exitcode not in {0, OUTDATED}
            if not is_failure or now - slot.began_at > _HEALTHY_SECONDS:
                slot.failures = 0
            if is_failure:
                slot.start_at = now + _RESTART_PAUSES[min(slot.failures, len(_RESTART_PAUSES) - 1)]
                slot.failures += 1
            slot.process.close()
            slot.process = None

    def _terminate(self) -> None:
        for slot in self._slots:
            if slot.process is not None:
                slot.process.terminate()

    def _stop(self) -> None:
        self._manager.notify_stopping()
        self._terminate()
        deadline = time.monotonic() + _STOP_TIMEOUT_SECONDS
        for slot in self._slots:
            if slot.process is not None:
                slot.process.join(max(0.0, deadline - time.monotonic()))
                if slot.process.exitcode is None:
                    slot.process.kill()  # others take over its work
                    slot.process.join()


def run_child(run: RunProcess, arguments: Sequence[Any], pipe: Connection, sign_seconds: float) -> None:
    """Run the work of a process, give signs of life meanwhile, and ask it to end when its parent is gone.

    Args:
        run: the work.
        arguments: its arguments, before the event that asks it to end.
        pipe: the end of a pipe whose other end is with the parent, which sends nothing.
        sign_seconds: time between two signs of life, in seconds.
    """
    closing = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: closing.set())

    def wait_for_parent() -> None:
        with suppress(EOFError, OSError):
            while not pipe.poll(sign_seconds):
                pipe.send(None)
        closing.set()

    threading.Thread(target=wait_for_parent, daemon=True, name="parent").start()
    run(*arguments, closing)
