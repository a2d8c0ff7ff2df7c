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
from digest.helpers import helped
from digest.jobs import cycle
from digest.jobs.cycle import Happening, Steps
from digest.jobs.delivery.channels import make_lines
from digest.jobs.delivery.dispatcher import Dispatch
from digest.jobs.delivery.server_evidence import ServerPaused
from digest.jobs.editions.compose import Waiting
from digest.store.delivery.rates import forget_troubles
from digest.store.editions.held_runs import HeldRun

Tell = Callable[[Happening | DigestError], None]

_COLLECT_EVERY = 3600.0
"""Seconds between two looks for garbage: each takes 0.2 s."""
_WISHES = frozenset({signal.SIGTERM, signal.SIGINT, signal.SIGHUP})


def postpone_signals() -> None:
    """Let SIGTERM, SIGINT and SIGHUP wait, until ``tick_until_signal`` hears them.

    Blocked from now on, in all threads that begin later, and waited for: then none interrupts a cycle, none comes twice
    into one handler, and none is lost between two files, nor where SIGHUP is ignored (nohup).
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, _WISHES)


def tick_until_signal(app: App, *, every: int, tell: Tell, passed: Callable[[], None]) -> bool:
    """Run a cycle at once and then at each tick, until SIGTERM, SIGINT or SIGHUP; a cycle under way is finished.

    The signals have been postponed. What a cycle composed is delivered beside it: an hour of sending holds up no pull
    and no alert.

    Args:
        app: what to work on; its file has been applied.
        every: seconds between ticks.
        tell: is told what happens, and what goes wrong; the next tick goes on.
        passed: is called at the end of each pass of deliveries.

    Returns:
        Whether to begin again with the file as it is now: SIGHUP, and it can be used.
    """
    # That a tick falls into a cycle that is still under way is no news.
    logging.getLogger("apscheduler").setLevel(logging.ERROR)
    stop = threading.Event()
    with app.store.writing() as tx:
        forget_troubles(tx)  # who starts it has seen to them
    with app.steps(stop) as own, helped(app, own, stop) as steps:
        delivering = Delivering(steps, stop, every, tell, passed)
        scheduler = BackgroundScheduler(timezone="UTC")
        job = scheduler.add_job(
            tick,
            "interval",
            args=[app, replace(steps, deliver=delivering.nudge), tell],
            seconds=every,
            next_run_time=datetime.now(UTC),
            coalesce=True,
            max_instances=1,
            misfire_grace_time=None,
        )
        watch = threading.Thread(target=keep_ticking, args=(job, every, stop), name="watch")
        delivering.start()
        scheduler.start()
        watch.start()
        try:
            wish = signal.sigwait(_WISHES)
            while wish == signal.SIGHUP and not _usable(app, tell):
                wish = signal.sigwait(_WISHES)
        finally:
            stop.set()
            watch.join()
            scheduler.shutdown(wait=True)
            delivering.end()
            cycle.end(app.store)
    return wish == signal.SIGHUP


def keep_ticking(job: Job, every: int, stop: threading.Event) -> None:
    """See that ticks go on and that garbage does not pile up, until it is to stop.

    The scheduler goes by the clock: one that is set back by a year would have it wait for a year. And commands let garbage
    lie, for they soon end; here it would lie for days.

    Args:
        job: what ticks.
        every: seconds between ticks.
        stop: set to end it.
    """
    collected = time.monotonic()
    while not stop.wait(every):
        now = datetime.now(UTC)
        if job.next_run_time > now + timedelta(seconds=2 * every):
            job.modify(next_run_time=now)
        if time.monotonic() - collected > _COLLECT_EVERY:
            gc.collect()
            collected = time.monotonic()


def tick(app: App, steps: Steps, tell: Tell) -> None:
    """One cycle, unless another process is at it; what waits is left to the next tick."""
    try:
        if cycle.begin(app.store, app.clock()) is not None:
            return
        for happening in cycle.cycle(steps, wait=True, patient=_leave):
            tell(happening)
            cycle.begin(app.store, app.clock())  # it goes on, so its lease does
    except DigestError as error:
        tell(error)
    except Exception as error:
        if not is_out_of_memory(error):
            raise
        forget_frames(error)
        tell(OutOfMemoryError())


class Delivering(threading.Thread):
    """Delivers what is due, at each tick and as soon as something was composed.

    Args:
        steps: its verb is one of these.
        stop: set to end it, and the pass that is under way.
        every: seconds between two passes.
        tell: is told what happens; that a server or a run is still as it was is no news.
        passed: is called at the end of each pass.
    """

    def __init__(
        self, steps: Steps, stop: threading.Event, every: int, tell: Tell, passed: Callable[[], None]
    ) -> None:
        super().__init__(name="delivering")
        self._steps = steps
        self._stop_asked = stop
        self._every = every
        self._tell = tell
        self._passed = passed
        self._due = threading.Event()
        self._known: set[Dispatch] = set()

    def nudge(self) -> Iterator[Dispatch]:
        """Something was composed: the cycle goes on, and the next pass begins at once."""
        self._due.set()
        yield from ()

    def end(self) -> None:
        """Wait for the end of the pass under way, which was asked to stop."""
        self._due.set()
        self.join()

    def run(self) -> None:
        """Pass after pass."""
        while not self._stop_asked.is_set():
            self._due.clear()
            try:
                self._pass()
            except DigestError as error:
                self._tell(error)
            except Exception as error:
                if is_out_of_memory(error):
                    forget_frames(error)
                    self._tell(OutOfMemoryError())
                else:
                    logging.getLogger(__name__).exception("a pass of delivering failed; the next one goes on")
            self._due.wait(self._every)

    def _pass(self) -> None:
        known: set[Dispatch] = set()
        try:
            for one in self._steps.deliver():
                if isinstance(one, ServerPaused | HeldRun):
                    known.add(one)
                    if one in self._known:
                        continue
                self._tell(one)
        finally:
            self._passed()
        self._known = known


def _leave(_waiting: tuple[Waiting, ...]) -> bool:
    return False


def _usable(app: App, tell: Tell) -> bool:
    """Whether the file can be used as it is now; if not, the old one stays."""
    try:
        with open_app(app.settings.path, None, os.environ) as fresh:
            make_lines(fresh.settings)
    except DigestError as error:
        tell(error)
        return False
    return True
