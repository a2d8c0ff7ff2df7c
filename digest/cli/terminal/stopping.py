"""SIGINT (Ctrl-C) and SIGTERM stop a command in the same way."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn, TypeVar

import click

if TYPE_CHECKING:
    from types import FrameType

T = TypeVar("T")


class CommandInterrupt(KeyboardInterrupt):
    """Raised when a signal stops the command.

    A class of its own, because CPython records a plain KeyboardInterrupt that passes through ``exec`` of a string (this
    is how dataclasses are made during imports) as unhandled, even if it is handled later. Started with ``-m``, it then
    kills itself by SIGINT at its end, whatever the exit status (``run_eval_code_obj`` in pythonrun.c, ``Py_RunMain`` in
    main.c).
    """


class StopSignals:
    """Handlers of both signals: they end the process until the command begins, then stop the command; afterwards they do nothing.

    Attributes:
        is_stop_requested: whether a signal has arrived.
    """

    def __init__(self) -> None:
        self.is_stop_requested = False
        # Shells start background jobs with SIGINT ignored; keep it so.
        is_ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
        self._numbers = (signal.SIGTERM,) if is_ignored else (signal.SIGTERM, signal.SIGINT)
        self._set_handler(signal.SIG_DFL)

    def run_until_stopped(self, work: Callable[[], T]) -> T:
        """Run work until it is done or a signal stops it.

        Raises:
            CommandInterrupt: a signal stopped it; also if a library turned that into an exception of its own.
        """
        try:
            try:
                self._set_handler(self._raise_interrupt)
                return work()
            finally:
                self._set_handler(signal.SIG_IGN)  # let final messages and clean-up complete
        except CommandInterrupt:
            self._set_handler(signal.SIG_IGN)  # the signal arrived just before the line above
            raise
        except (click.ClickException, click.exceptions.Exit):
            raise
        except Exception as error:
            if self.is_stop_requested:
                raise CommandInterrupt from error
            raise

    def _set_handler(self, handler: Callable[[int, FrameType | None], NoReturn] | signal.Handlers) -> None:
        for number in self._numbers:
            signal.signal(number, handler)

    def _raise_interrupt(self, _number: int, _frame: FrameType | None) -> NoReturn:
        self.is_stop_requested = True
        raise CommandInterrupt


@contextmanager
def block_signals() -> Iterator[None]:
    """Delay both signals during imports, because some libraries turn an interrupt into another error, or swallow it."""
    if os.name != "posix":
        yield
        return
    previous_mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous_mask)
