"""Worker processes that compose and deliver if there is much to do, because one Python process uses one core.

They do what ``digest compose`` and ``digest deliver`` do, and claim work from the store like any other
process. They only need the path of the file and a message when everything is composed, and a killed worker
loses nothing. A worker delivers when nothing is left to compose, so that similar mails are made one after the
other. This process reports its events. Matching is done once, by this process.
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
from digest.event_log import get_log_level, log_crashes, write_json_log
from digest.jobs.cycle import CycleSteps
from digest.jobs.delivery.channels import (
    SINGLE_PROCESS,
    ProcessShare,
    count_local_processes,
    count_shares,
    make_connections,
)
from digest.jobs.delivery.dispatcher import DispatchEvent
from digest.jobs.delivery.outbox import DeliveryAttempt
from digest.jobs.workers import release_dead_workers
from digest.redaction import filter_streams, redact_output
from digest.store.delivery import outbox
from digest.store.editions import runs

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

_WORK_PER_PROCESS = 50_000
"""Digests for which one more process pays off.

Each process repeats the start and the rendering of shared parts of mails. With two processes the benchmark
``whole_day`` takes an eighth less time for 20,000 digests, and two fifths more CPU.
"""
COMPOSED, STOP = "composed", "stop"
"""Messages to a worker process."""
_EVENTS_PER_MESSAGE = 20
"""Maximum number of events in one message of a worker process."""
_POLL_SECONDS = 0.2
"""Poll interval of the pipe, in seconds: the longest delay of a request to stop."""
_STOP_TIMEOUT_SECONDS = 20.0
"""Time in which a worker process must end, in seconds; a running batch may take ten."""


@contextmanager
def add_worker_processes(
    app: App,
    steps: CycleSteps,
    stop: threading.Event | None = None,
    *,
    work_per_process: int = _WORK_PER_PROCESS,
) -> Iterator[CycleSteps]:
    """Return the same steps, with worker processes that compose and deliver if there is much to do.

    Args:
        app: the app.
        steps: the steps of this process.
        stop: set to end composing and delivering.
        work_per_process: digests to compose and editions to deliver for which one more process is started.
    """
    pool = _ProcessPool(
        app=app, steps=steps, stop=stop or threading.Event(), work_per_process=work_per_process
    )
    try:
        yield replace(steps, compose=pool.compose, deliver=pool.deliver)
    finally:
        pool.close()


@dataclass(slots=True, kw_only=True)
class _ProcessPool:
    """The worker processes of this process; none while there is little to do.

    Composing and delivering may run in two threads: the first starts workers, the second receives their events.
    """

    app: App
    steps: CycleSteps
    stop: threading.Event
    work_per_process: int
    _running: list[_WorkerProcess] = field(default_factory=list)
    _share: ProcessShare = SINGLE_PROCESS
    _messages: SimpleQueue[list[DispatchEvent] | _WorkerProcess] = field(default_factory=SimpleQueue)

    def compose(self) -> int:
        """Compose what is due."""
        if not self._running:
            self._start_processes()
        try:
            return self.steps.compose()
        finally:
            for process in self._running:
                process.notify_composed()

    def deliver(self) -> Iterator[DispatchEvent]:
        """Deliver what is due; a pause or hold is reported once, even if several processes found it."""
        reported: set[DispatchEvent] = set()
        for event in self._collect_events():
            if isinstance(event, DeliveryAttempt):
                yield event
            elif event not in reported:
                reported.add(event)
                yield event

    def _collect_events(self) -> Iterator[DispatchEvent]:
        is_any_lost = False
        for event in self.steps.deliver(share=self._share):
            yield event
            while not self._messages.empty():
                events, ended_process = self._receive_events()
                is_any_lost |= ended_process is not None and ended_process.is_lost()
                yield from events
        while self._running:
            events, ended_process = self._receive_events()
            is_any_lost |= ended_process is not None and ended_process.is_lost()
            yield from events
        self._share = SINGLE_PROCESS
        if is_any_lost and not self.stop.is_set():
            release_dead_workers(self.app.store)
            self.steps.compose()
            yield from self.steps.deliver()

    def _receive_events(self) -> tuple[list[DispatchEvent], _WorkerProcess | None]:
        """Receive the next events of workers, or the worker that ended."""
        while True:
            if self.stop.is_set():
                self.close()
            with suppress(Empty):
                message = self._messages.get(timeout=_POLL_SECONDS)
                if isinstance(message, _WorkerProcess):
                    self._running.remove(message)
                    return [], message
                return message, None

    def _start_processes(self) -> None:
        """Start as many workers as the amount of work and the number of connections allow."""
        max_processes = min(self._get_max_processes(), count_shares(make_connections(self.app.settings)))
        # Without a limit, counting takes 0.1 s with a million deliveries.
        enough_work = self.work_per_process * max_processes
        with self.app.store.begin_read() as tx:
            work_count = runs.count_uncomposed(tx) + outbox.count_due(tx, self.app.clock(), enough_work)
        process_count = min(work_count // self.work_per_process + 1, max_processes)
        if process_count > 1:
            self._share = ProcessShare(0, process_count)
            self._running += [
                _WorkerProcess(self.app, ProcessShare(number, process_count), self._messages)
                for number in range(1, process_count)
            ]

    def _get_max_processes(self) -> int:
        if os.name != "posix":
            return 1
        return count_local_processes(self.app.settings.delivery)

    def close(self) -> None:
        """Let the workers finish their running batches."""
        for process in self._running:
            process.request_close()
        for process in self._running:
            process.wait_closed()


class _WorkerProcess(threading.Thread):
    """A worker process, and the thread that receives its events.

    Args:
        app: the app.
        share: its share of the connections.
        messages: the queue of its events, and finally of its end.
    """

    def __init__(
        self, app: App, share: ProcessShare, messages: SimpleQueue[list[DispatchEvent] | _WorkerProcess]
    ) -> None:
        import multiprocessing  # takes a tenth of a run for one reader, which needs no workers

        super().__init__(name=f"worker process {share.number}", daemon=True)
        self._messages = messages
        self._pipe, child_pipe = multiprocessing.Pipe()
        task = ProcessTask(
            config=app.settings.path,
            now=None if app.time_passes else app.clock(),
            environ=dict(app.environ),
            share=share,
            gc_thresholds=gc.get_threshold(),
            log_level=get_log_level(),
        )
        spawn_context = multiprocessing.get_context("spawn")
        self._process: BaseProcess = spawn_context.Process(
            target=run_worker_process, args=(task, child_pipe), daemon=True
        )
        # Ctrl-C reaches all processes of a terminal; the parent tells the worker to stop.
        previous_mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self._process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, previous_mask)
        child_pipe.close()
        self.start()

    def run(self) -> None:
        """Receive events until the process has ended."""
        with suppress(EOFError, OSError):
            while True:
                self._messages.put(self._pipe.recv())
        self._process.join()
        self._messages.put(self)

    def notify_composed(self) -> None:
        """Let the process end when it finds nothing more to deliver."""
        with suppress(OSError):
            self._pipe.send(COMPOSED)

    def request_close(self) -> None:
        """Let the process finish its running batches."""
        with suppress(OSError):
            self._pipe.send(STOP)

    def wait_closed(self) -> None:
        """Wait until the process has ended; a blocked one is killed, and other processes take over its work."""
        self.join(_STOP_TIMEOUT_SECONDS)
        if self.is_alive():
            self._process.kill()
            self.join()

    def is_lost(self) -> bool:
        """Whether the process failed."""
        return self._process.exitcode != 0


class ProcessTask(NamedTuple):
    """The task of a worker process.

    Attributes:
        config: the path of the configuration.
        now: the time to act at, UTC; None for the machine's clock.
        environ: the environment, for secrets.
        share: its share of the connections.
        gc_thresholds: the thresholds of garbage collection.
        log_level: the least level of the lines of a log as JSON; None if the log is not JSON.
    """

    config: Path
    now: datetime | None
    environ: Mapping[str, str]
    share: ProcessShare
    gc_thresholds: tuple[int, int, int]
    log_level: int | None = None


def run_worker_process(task: ProcessTask, pipe: Connection) -> None:
    """Run a worker process: compose, and deliver until nothing is due, it is told to stop, or its parent is gone.

    Args:
        task: the task.
        pipe: the pipe to the parent.
    """
    gc.set_threshold(*task.gc_thresholds)
    gc.freeze()
    composed, stop = threading.Event(), threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    signal.pthread_sigmask(signal.SIG_SETMASK, {signal.SIGINT})
    threading.Thread(target=_read_commands, args=(pipe, composed, stop), daemon=True).start()
    try:
        with (
            filter_streams(redact_output),
            write_json_log(task.log_level),
            log_crashes(),
            open_app(task.config, task.now, task.environ) as app,
            app.open_steps(stop) as steps,
        ):
            steps.compose()
            events = _deliver_until_composed(steps, task.share, composed)
            while event_batch := list(islice(events, _EVENTS_PER_MESSAGE)):
                try:
                    pipe.send(event_batch)
                except OSError:
                    stop.set()  # the parent is gone: running batches are finished
    except Exception as error:
        if not isinstance(error, DigestError) and not is_out_of_memory(error):
            raise
        sys.exit(1)  # the parent gets the same error and reports it, or has enough memory without workers


def _deliver_until_composed(
    steps: CycleSteps, share: ProcessShare, composed: threading.Event
) -> Iterator[DispatchEvent]:
    """Deliver what is due until everything is composed and delivered."""
    is_last_pass = False
    while not is_last_pass:
        is_last_pass = composed.is_set()
        yield from steps.deliver(share=share)
        composed.wait(_POLL_SECONDS)


def _read_commands(pipe: Connection, composed: threading.Event, stop: threading.Event) -> None:
    with suppress(EOFError, OSError):
        while pipe.recv() == COMPOSED:
            composed.set()
    stop.set()
    composed.set()
