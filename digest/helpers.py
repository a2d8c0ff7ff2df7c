"""Helpers: processes that compose and deliver beside this one, where there is much to do: Python keeps one core busy.

They do what ``digest compose`` and ``digest deliver`` do, and take from the store what nobody else has taken: nothing
has to be told to them but which file to read and when all is composed, and one that is killed loses nothing. A
helper delivers when nothing is left for it to compose: mails that have much in common are made one after the other when
they are there.
What happens there is told here. That a paper fits is worked out once, by this process.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, NamedTuple

from digest.app import App, open_app
from digest.errors import DigestError, is_out_of_memory
from digest.jobs.cycle import Steps, release_dead
from digest.jobs.delivery.channels import ALL, Part, make_lines, most_parts
from digest.jobs.delivery.dispatcher import Delivered, Dispatch
from digest.redaction import filtered_streams, redact_output
from digest.store.delivery import outbox
from digest.store.editions import runs

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

_MUCH = 50_000
"""For so many digests a process more is worth what it makes a second time: the start, and pieces of mails.

By two processes the benchmark ``whole_day`` takes an eighth less by the clock for 20,000, and two fifths more CPU.
"""
_MOST = 4
"""Processes, where the file does not say how many."""
COMPOSED, STOP = "composed", "stop"
"""What helpers are told."""
_AT_ONCE = 20
"""Happenings that are told at once."""
_BREATH = 0.2
"""Seconds that the wish to stop may wait."""
_PATIENCE = 20.0
"""Seconds that a helper has to end in: a pack under way has ten."""


@contextmanager
def helped(
    app: App, steps: Steps, stop: threading.Event | None = None, *, much: int = _MUCH
) -> Iterator[Steps]:
    """The same verbs; where there is much to compose or to deliver, others help to deliver it.

    Args:
        app: what is worked on.
        steps: this process's verbs.
        stop: set to end composing and delivering.
        much: for so many digests to compose, and editions to deliver, a process more is begun.
    """
    helpers = _Helpers(app=app, steps=steps, stop=stop or threading.Event(), much=much)
    try:
        yield replace(steps, compose=helpers.compose, deliver=helpers.deliver)
    finally:
        helpers.end()


@dataclass(slots=True, kw_only=True)
class _Helpers:
    """The helpers of a process; none while there is little to do.

    Composing and delivering may be two threads: the one begins helpers, the other hears what they tell.
    """

    app: App
    steps: Steps
    stop: threading.Event
    much: int
    _begun: list[_Helper] = field(default_factory=list)
    _part: Part = ALL
    _heard: SimpleQueue[list[Dispatch] | _Helper] = field(default_factory=SimpleQueue)

    def compose(self) -> int:
        """Compose what is due."""
        if not self._begun:
            self._begin()
        try:
            return self.steps.compose()
        finally:
            for helper in self._begun:
                helper.all_composed()

    def deliver(self) -> Iterator[Dispatch]:
        """Deliver what is due; why servers and runs are held is told once, whoever found it."""
        told: set[Dispatch] = set()
        for one in self._told():
            if isinstance(one, Delivered):
                yield one
            elif one not in told:
                told.add(one)
                yield one

    def _told(self) -> Iterator[Dispatch]:
        lost = False
        for one in self.steps.deliver(self._part):
            yield one
            while not self._heard.empty():
                some, ended = self._hear()
                lost |= ended is not None and ended.is_lost()
                yield from some
        while self._begun:
            some, ended = self._hear()
            lost |= ended is not None and ended.is_lost()
            yield from some
        self._part = ALL
        if lost and not self.stop.is_set():
            release_dead(self.app.store)
            self.steps.compose()
            yield from self.steps.deliver()

    def _hear(self) -> tuple[list[Dispatch], _Helper | None]:
        """What helpers tell next, and who has ended."""
        while True:
            if self.stop.is_set():
                self.end()
            with suppress(Empty):
                heard = self._heard.get(timeout=_BREATH)
                if isinstance(heard, _Helper):
                    self._begun.remove(heard)
                    return [], heard
                return heard, None

    def _begin(self) -> None:
        """Begin as many as there is work for, and as can share the connections."""
        with self.app.store.reading() as tx:
            much = runs.to_compose(tx) + outbox.count_due(tx, self.app.clock())
        of = min(much // self.much + 1, self._most(), most_parts(make_lines(self.app.settings)))
        if of > 1:
            self._part = Part(0, of)
            self._begun += [_Helper(self.app, Part(number, of), self._heard) for number in range(1, of)]

    def _most(self) -> int:
        if os.name != "posix":
            return 1
        return self.app.settings.delivery.processes or min(_MOST, os.cpu_count() or 1)

    def end(self) -> None:
        """Let them end what is under way."""
        for helper in self._begun:
            helper.leave()
        for helper in self._begun:
            helper.gone()


class _Helper(threading.Thread):
    """A process that helps, and the thread that hears it.

    Args:
        app: what it works on.
        part: which of the connections are its.
        heard: where to say what it tells, and at last that it has ended.
    """

    def __init__(self, app: App, part: Part, heard: SimpleQueue[list[Dispatch] | _Helper]) -> None:
        import multiprocessing  # takes a cold run of one reader a tenth longer, which has no helpers

        super().__init__(name=f"helper {part.number}", daemon=True)
        self._heard = heard
        self._pipe, theirs = multiprocessing.Pipe()
        task = Task(
            config=app.settings.path,
            now=None if app.time_passes else app.clock(),
            environ=dict(app.environ),
            part=part,
            garbage=gc.get_threshold(),
        )
        spawning = multiprocessing.get_context("spawn")
        self._process: BaseProcess = spawning.Process(target=help_out, args=(task, theirs), daemon=True)
        # Ctrl-C reaches all processes of a terminal; who began this one tells it.
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self._process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        theirs.close()
        self.start()

    def run(self) -> None:
        """Hear it until it has ended."""
        with suppress(EOFError, OSError):
            while True:
                self._heard.put(self._pipe.recv())
        self._process.join()
        self._heard.put(self)

    def all_composed(self) -> None:
        """Let it end when it finds nothing more to deliver."""
        with suppress(OSError):
            self._pipe.send(COMPOSED)

    def leave(self) -> None:
        """Let it end what is under way."""
        with suppress(OSError):
            self._pipe.send(STOP)

    def gone(self) -> None:
        """Wait until it has ended; one that something holds up is killed: others have what it had."""
        self.join(_PATIENCE)
        if self.is_alive():
            self._process.kill()
            self.join()

    def is_lost(self) -> bool:
        """Whether it ended without being done."""
        return self._process.exitcode != 0


class Task(NamedTuple):
    """What a helper is told.

    Attributes:
        config: the file.
        now: the time to act at; None for the machine's clock.
        environ: for secrets.
        part: which of the connections are its.
        garbage: how often it is looked for.
    """

    config: Path
    now: datetime | None
    environ: Mapping[str, str]
    part: Part
    garbage: tuple[int, int, int]


def help_out(task: Task, pipe: Connection) -> None:
    """What a helper does: compose, and deliver until nothing is due, it is told to stop, or nobody is there to tell.

    Args:
        task: what it is told.
        pipe: to who began it.
    """
    gc.set_threshold(*task.garbage)
    gc.freeze()
    composed, stop = threading.Event(), threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    signal.pthread_sigmask(signal.SIG_SETMASK, {signal.SIGINT})
    threading.Thread(target=_heed, args=(pipe, composed, stop), daemon=True).start()
    try:
        with (
            filtered_streams(redact_output),
            open_app(task.config, task.now, task.environ) as app,
            app.steps(stop) as steps,
        ):
            steps.compose()
            told = _delivered(steps, task.part, composed)
            while some := list(islice(told, _AT_ONCE)):
                try:
                    pipe.send(some)
                except OSError:
                    stop.set()  # nobody is there any more: what is under way is ended
    except Exception as error:
        if not isinstance(error, DigestError) and not is_out_of_memory(error):
            raise
        sys.exit(1)  # who began it meets that as well, and tells it; or has memory enough, alone


def _delivered(steps: Steps, part: Part, composed: threading.Event) -> Iterator[Dispatch]:
    """Deliver what is due, until that is all there will be."""
    over = False
    while not over:
        over = composed.is_set()
        yield from steps.deliver(part)
        composed.wait(_BREATH)


def _heed(pipe: Connection, composed: threading.Event, stop: threading.Event) -> None:
    with suppress(EOFError, OSError):
        while pipe.recv() == COMPOSED:
            composed.set()
    stop.set()
    composed.set()
