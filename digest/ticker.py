"""The ticker of `digest serve`: APScheduler starts a cycle at each tick, and makes no decisions.

The tables say what is due, so a lost or doubled tick changes nothing. APScheduler never gets the readers'
schedules, because its cron triggers skip or repeat days when clocks change.
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
from functools import partial

from apscheduler.job import Job
from apscheduler.schedulers.background import BackgroundScheduler

from digest.app import App, is_file_usable
from digest.errors import DigestError, OutOfMemoryError, forget_frames, is_out_of_memory
from digest.event_log import LogEvent, log_event
from digest.jobs import cycle
from digest.jobs.cycle import CycleSteps, ReportEvent
from digest.jobs.delivery.dispatcher import DispatchEvent
from digest.jobs.delivery.servers import ServerPaused
from digest.jobs.editions.compose import WaitingRun
from digest.jobs.workers import WorkerHeartbeat, WorkerProfile
from digest.service_manager import find_service_manager
from digest.store.delivery.rates import forget_server_failures
from digest.store.editions.held_runs import HeldRun
from digest.worker_processes import add_worker_processes

_COLLECT_INTERVAL = 3600.0
"""Interval of garbage collections, in seconds; one takes 0.2 s."""
_MAX_WAIT_SECONDS = 5.0
"""Longest time in seconds for which a service waits for a signal without a look at its heartbeat."""
_PINGS_PER_WATCHDOG = 3
"""How often a service tells that it is alive in the time after which it would be restarted."""
_CONTROL_SIGNALS = frozenset({signal.SIGTERM, signal.SIGINT, signal.SIGHUP})


def block_signals() -> None:
    """Block SIGTERM, SIGINT and SIGHUP until ``run_until_signal`` waits for them.

    They are blocked in all threads that start later. So no signal interrupts a cycle or re-enters a handler, and none is
    lost while the file is reloaded or if SIGHUP is ignored (nohup).
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, _CONTROL_SIGNALS)


def run_until_signal(
    app: App,
    *,
    interval: int,
    report: ReportEvent,
    on_pass_end: Callable[[], None],
    is_alive: Callable[[], bool],
) -> bool:
    """Run a cycle at once and then at each tick, until SIGTERM, SIGINT or SIGHUP; a running cycle is finished.

    ``block_signals`` must have been called. A thread delivers what a cycle composed: an hour of sending delays no pull and
    no alert.

    Args:
        app: the app; its file has been applied.
        interval: seconds between ticks.
        report: receives events and errors; the next tick continues after an error.
        on_pass_end: called at the end of each pass of deliveries.
        is_alive: whether what runs beside this works.

    Returns:
        Whether to start again with the current file: after SIGHUP, if the file is valid.

    Raises:
        TooOldError: the tables were upgraded by a newer release, for which this one is too old.
    """
    # A tick during a running cycle is not worth a log entry.
    logging.getLogger("apscheduler").setLevel(logging.ERROR)
    stop = threading.Event()
    with app.store.begin_write() as tx:
        forget_server_failures(tx)  # a start ends their pauses, as the operator may have fixed them
    with (
        app.open_worker(WorkerProfile(command="serve"), stop, stop) as (own_steps, heartbeat),
        add_worker_processes(app, own_steps, stop) as steps,
    ):
        delivery_thread = DeliveryThread(steps, stop, interval, report, on_pass_end)
        scheduler = BackgroundScheduler(timezone="UTC")
        cycle_steps = replace(steps, deliver=delivery_thread.request_pass)
        job = _add_ticks(scheduler, interval, partial(run_tick, app, cycle_steps, report))
        watch_thread = threading.Thread(target=keep_ticking, args=(job, interval, stop), name="watch")
        delivery_thread.start()
        scheduler.start()
        watch_thread.start()
        try:
            is_restarting = wait_for_signal(
                app, heartbeat, report, is_alive, watch_thread.is_alive, delivery_thread.is_alive
            )
        finally:
            stop.set()
            watch_thread.join()
            scheduler.shutdown(wait=True)
            delivery_thread.wait_closed()
            cycle.release_cycle(app.store)
    return is_restarting


def _add_ticks(scheduler: BackgroundScheduler, interval: int, run: Callable[[], None]) -> Job:
    """Add a job that runs at once and then at each interval, one at a time; missed ticks are made up for by one."""
    return scheduler.add_job(
        run,
        "interval",
        seconds=interval,
        next_run_time=datetime.now(UTC),
        coalesce=True,
        max_instances=1,
        misfire_grace_time=None,
    )


def wait_for_signal(
    app: App, heartbeat: WorkerHeartbeat, report: ReportEvent, *checks: Callable[[], bool]
) -> bool:
    """Wait for SIGTERM, SIGINT or SIGHUP, which ``block_signals`` has blocked, and tell the service manager about it.

    Args:
        app: the app.
        heartbeat: the heartbeat of this process, which notices newer tables.
        report: receives the errors of a file that is not valid.
        checks: tell whether the parts of the service work; if one does not, the service manager is left to restart it.

    Returns:
        Whether to start again with the current file: after SIGHUP, if the file is valid.

    Raises:
        TooOldError: the tables were upgraded by a newer release, for which this one is too old.
    """
    manager = find_service_manager(os.environ)
    manager.notify_ready()
    while True:
        ping_interval = manager.watchdog_seconds / _PINGS_PER_WATCHDOG or _MAX_WAIT_SECONDS
        received_signal = _wait_for_control_signal(min(ping_interval, _MAX_WAIT_SECONDS))
        if received_signal is None:
            if heartbeat.newer_tables is not None:
                manager.notify_stopping()
                raise heartbeat.newer_tables
            if all(check() for check in checks):
                manager.notify_alive()
        elif received_signal != signal.SIGHUP:
            manager.notify_stopping()
            return False
        else:
            manager.notify_reloading()
            if is_file_usable(app.settings.path, report):
                return True
            manager.notify_ready()


def _wait_for_control_signal(seconds: float) -> int | None:
    """Wait for a signal; after these seconds, return None."""
    info = signal.sigtimedwait(_CONTROL_SIGNALS, seconds)
    return info.si_signo if info else None


def keep_ticking(job: Job, interval: int, stop: threading.Event) -> None:
    """Keep the ticks going and collect garbage, until stopped.

    The scheduler follows the clock: if the clock is set back by a year, the next tick would come after a
    year. Commands almost switch off garbage collection because they end soon, but a service runs for months.

    Args:
        job: the job of the scheduler.
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
    """Run one cycle, unless another process runs one; waiting runs are left to the next tick."""
    try:
        began_at = app.clock()
        if cycle.claim_cycle(app.store, began_at) is not None:
            return
        for event in cycle.run_cycle(steps, wait=True, wait_for_retry=_skip_waiting):
            report(event)
            cycle.claim_cycle(app.store, app.clock())  # renews the lease while the cycle runs
        cycle.record_cycle(app.store, began_at, app.clock())
        seconds = (app.clock() - began_at).total_seconds()
        message = f"A cycle has ended after {seconds:.1f} s."
        log_event(LogEvent.CYCLE, message, level=logging.DEBUG, seconds=round(seconds, 3))
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
        steps: the steps of a cycle; the thread runs only ``deliver``.
        stop: set to end the thread and the running pass.
        interval: seconds between two passes.
        report: receives events; an unchanged pause or hold is reported once.
        on_pass_end: called at the end of each pass.
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
        """Request a pass after composing; the cycle continues, and the next pass starts at once."""
        self._due.set()
        yield from ()

    def wait_closed(self) -> None:
        """Wait for the end of the running pass, which was told to stop."""
        self._due.set()
        self.join()

    def run(self) -> None:
        """Run one pass after another."""
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
                    logging.getLogger(__name__).exception("a delivery pass failed; the next one continues")
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
