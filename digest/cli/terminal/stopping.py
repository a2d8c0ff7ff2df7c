"""What SIGINT (Ctrl-C) and SIGTERM do to a command: who stops a service, a container or a job means what Ctrl-C means."""

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
    """The command was told to stop.

    A class of its own: of a KeyboardInterrupt itself that passes through ``exec`` of a text, by which dataclasses are
    made while modules are imported, CPython notes that nobody handled it, whoever does later. Where it was started
    with ``-m`` it then kills itself by SIGINT at its end, whatever the exit status (``run_eval_code_obj`` in
    pythonrun.c, ``Py_RunMain`` in main.c).
    """


class StopSignals:
    """What both do to this process: until a command begins they end it, then they stop it, and at its end they do nothing.

    Attributes:
        is_stop_requested: whether the command was told to stop.
    """

    def __init__(self) -> None:
        self.is_stop_requested = False
        # What a shell starts in its background is born deaf to Ctrl-C, and so it stays.
        is_ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
        self._numbers = (signal.SIGTERM,) if is_ignored else (signal.SIGTERM, signal.SIGINT)
        self._set_handler(signal.SIG_DFL)

    def run_until_stopped(self, work: Callable[[], T]) -> T:
        """Work until it is done, or told to stop.

        Raises:
            Stopped: it was told to stop; or libraries were by that, and said so in words of their own.
        """
        try:
            try:
                self._set_handler(self._raise_interrupt)
                return work()
            finally:
                self._set_handler(
                    signal.SIG_IGN
                )  # what there is to say is said, and what is open closed, in any case
        except CommandInterrupt:
            self._set_handler(signal.SIG_IGN)  # it, or a second one, came just before that
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
    """Let both wait: libraries that are being imported would make an error of their own of a stop, or drop it."""
    if os.name != "posix":
        yield
        return
    previous_mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous_mask)
