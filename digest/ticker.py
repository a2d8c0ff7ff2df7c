"""The ticker: APScheduler calls a cycle each minute, and decides nothing.

What is due is in the tables: a tick that is lost or doubled changes nothing. Schedules are never given
to APScheduler: its cron triggers skip and double days where clocks change.
"""

from __future__ import annotations

import gc
import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from apscheduler.job import Job
from apscheduler.schedulers.background import BackgroundScheduler

from digest.app import App, open_app
from digest.errors import DigestError, OutOfMemoryError, forget_frames, is_out_of_memory
from digest.helpers import add_helpers
from digest.jobs import cycle
from digest.jobs.cycle import CycleEvent, CycleSteps
from digest.jobs.delivery.channels import make_connections
from digest.jobs.delivery.dispatcher import DispatchEvent
from digest.jobs.delivery.server_evidence import ServerPaused
from digest.jobs.editions.compose import WaitingRun
from digest.store.delivery.rates import forget_server_failures
from digest.store.editions.held_runs import HeldRun

ReportEvent = Callable[[CycleEvent | DigestError], None]

_COLLECT_INTERVAL = 3600.0
"""Seconds between two looks for garbage: each takes 0.2 s."""
_CONTROL_SIGNALS = frozenset({signal.SIGTERM, signal.SIGINT, signal.SIGHUP})


def block_signals() -> None:
    """Let SIGTERM, SIGINT and SIGHUP wait, until ``run_until_signal`` hears them.

    Blocked from now on, in all threads that begin later, and waited for: then none interrupts a cycle, none comes twice
    into one handler, and none is lost between two files, nor where SIGHUP is ignored (nohup).
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, _CONTROL_SIGNALS)


def run_until_signal(
    app: App, *, interval: int, report: ReportEvent, on_pass_end: Callable[[], None]
) -> bool:
    """Run a cycle at once and then at each tick, until SIGTERM, SIGINT or SIGHUP; a cycle under way is finished.

    The signals have been postponed. What a cycle composed is delivered beside it: an hour of sending holds up no pull
    and no alert.

    Args:
        app: what to work on; its file has been applied.
        interval: seconds between ticks.
        report: is told what happens, and what goes wrong; the next tick goes on.
        on_pass_end: is called at the end of each pass of deliveries.

    Returns:
        Whether to begin again with the file as it is now: SIGHUP, and it can be used.
    """
    # That a tick falls into a cycle that is still under way is no news.
    logging.getLogger("apscheduler").setLevel(logging.ERROR)
    stop = threading.Event()
    with app.store.begin_write() as tx:
        forget_server_failures(tx)  # who starts it has seen to them
    with app.open_steps(stop) as own_steps, add_helpers(app, own_steps, stop) as steps:
        delivery_thread = DeliveryThread(steps, stop, interval, report, on_pass_end)
        scheduler = BackgroundScheduler(timezone="UTC")
        job = scheduler.add_job(
            run_tick,
            "interval",
            args=[app, replace(steps, deliver=delivery_thread.request_pass), report],
            seconds=interval,
            next_run_time=datetime.now(UTC),
            coalesce=True,
            max_instances=1,
            misfire_grace_time=None,
        )
        watch_thread = threading.Thread(target=keep_ticking, args=(job, interval, stop), name="watch")
        delivery_thread.start()
        scheduler.start()
        watch_thread.start()
        try:
            received_signal = signal.sigwait(_CONTROL_SIGNALS)
            while received_signal == signal.SIGHUP and not _is_usable(app, report):
                received_signal = signal.sigwait(_CONTROL_SIGNALS)
        finally:
            stop.set()
            watch_thread.join()
            scheduler.shutdown(wait=True)
            delivery_thread.wait_closed()
            cycle.release_cycle(app.store)
    return received_signal == signal.SIGHUP


def keep_ticking(job: Job, interval: int, stop: threading.Event) -> None:
    """See that ticks go on and that garbage does not pile up, until it is to stop.

    The scheduler goes by the clock: one that is set back by a year would have it wait for a year. And commands let garbage
    lie, for they soon end; here it would lie for days.

    Args:
        job: what ticks.
        interval: seconds between ticks.
        stop: set to end it.
    """
    collected_at = time.monotonic()
    while not stop.wait(interval):
        now = datetime.now(UTC)
        if job.next_run_time > now + timedelta(seconds=2 * interval):
            job.modify(next_run_time=now)
        if time.monotonic() - collected_at > _COLLECT_INTERVAL:
            gc.collect()
            collected_at = time.monotonic()


def run_tick(app: App, steps: CycleSteps, report: ReportEvent) -> None:
    """One cycle, unless another process is at it; what waits is left to the next tick."""
    try:
        if cycle.claim_cycle(app.store, app.clock()) is not None:
            return
        for event in cycle.run_cycle(steps, wait=True, wait_for_retry=_skip_waiting):
            report(event)
            cycle.claim_cycle(app.store, app.clock())  # it goes on, so its lease does
    except DigestError as error:
        report(error)
    except Exception as error:
        if not is_out_of_memory(error):
            raise
        forget_frames(error)
        report(OutOfMemoryError())


class DeliveryThread(threading.Thread):
    """Delivers what is due, at each tick and as soon as something was composed.

    Args:
        steps: its verb is one of these.
        stop: set to end it, and the pass that is under way.
        interval: seconds between two passes.
        report: is told what happens; that a server or a run is still as it was is no news.
        on_pass_end: is called at the end of each pass.
    """

    def __init__(
        self,
        steps: CycleSteps,
        stop: threading.Event,
        interval: int,
        report: ReportEvent,
        on_pass_end: Callable[[], None],
    ) -> None:
        super().__init__(name="delivering")
        self._steps = steps
        self._stop_event = stop
        self._interval = interval
        self._report = report
        self._on_pass_end = on_pass_end
        self._due = threading.Event()
        self._reported_holds: set[DispatchEvent] = set()

    def request_pass(self) -> Iterator[DispatchEvent]:
        """Something was composed: the cycle goes on, and the next pass begins at once."""
        self._due.set()
        yield from ()

    def wait_closed(self) -> None:
        """Wait for the end of the pass under way, which was asked to stop."""
        self._due.set()
        self.join()

    def run(self) -> None:
        """Pass after pass."""
        while not self._stop_event.is_set():
            self._due.clear()
            try:
                self._run_pass()
            except DigestError as error:
                self._report(error)
            except Exception as error:
                if is_out_of_memory(error):
                    forget_frames(error)
                    self._report(OutOfMemoryError())
                else:
                    logging.getLogger(__name__).exception("a pass of delivering failed; the next one goes on")
            self._due.wait(self._interval)

    def _run_pass(self) -> None:
        holds: set[DispatchEvent] = set()
        try:
            for event in self._steps.deliver():
                if isinstance(event, ServerPaused | HeldRun):
                    holds.add(event)
                    if event in self._reported_holds:
                        continue
                self._report(event)
        finally:
            self._on_pass_end()
        self._reported_holds = holds


def _skip_waiting(_waiting: tuple[WaitingRun, ...]) -> bool:
    return False


def _is_usable(app: App, report: ReportEvent) -> bool:
    """Whether the file can be used as it is now; if not, the old one stays."""
    try:
        with open_app(app.settings.path, None, os.environ) as new_app:
            make_connections(new_app.settings)
    except DigestError as error:
        report(error)
        return False
    return True
