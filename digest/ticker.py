"""The ticker: APScheduler calls a cycle each minute, and decides nothing.

What is due is in the tables: a tick that is lost or doubled changes nothing. Schedules are never given
to APScheduler: its cron triggers skip and double days where clocks change.
"""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Callable
from datetime import UTC, datetime

from apscheduler.schedulers.background import BackgroundScheduler

from digest.app import App, make_lines, open_app
from digest.errors import DigestError
from digest.jobs import cycle
from digest.jobs.compose import Waiting
from digest.jobs.cycle import Happening, Steps

Tell = Callable[[Happening | DigestError], None]

_WISHES = frozenset({signal.SIGTERM, signal.SIGINT, signal.SIGHUP})


def tick_until_signal(app: App, *, every: int, tell: Tell) -> bool:
    """Run a cycle at once and then at each tick, until SIGTERM, SIGINT or SIGHUP; a cycle under way is finished.

    Args:
        app: what to work on; its file has been applied.
        every: seconds between ticks.
        tell: is told what happens, and what goes wrong; the next tick goes on.

    Returns:
        Whether to begin again with the file as it is now: SIGHUP, and it can be used.
    """
    # Blocked from now on, in all threads, and waited for: then none interrupts a cycle, none comes
    # twice into one handler, and none is lost between two files.
    signal.pthread_sigmask(signal.SIG_BLOCK, _WISHES)
    # That a tick falls into a cycle that is still under way is no news.
    logging.getLogger("apscheduler").setLevel(logging.ERROR)
    with app.steps() as steps:
        scheduler = BackgroundScheduler(timezone="UTC")
        scheduler.add_job(
            tick,
            "interval",
            args=[app, steps, tell],
            seconds=every,
            next_run_time=datetime.now(UTC),
            coalesce=True,
            max_instances=1,
            misfire_grace_time=None,
        )
        scheduler.start()
        try:
            wish = signal.sigwait(_WISHES)
            while wish == signal.SIGHUP and not _usable(app, tell):
                wish = signal.sigwait(_WISHES)
        finally:
            scheduler.shutdown(wait=True)
            cycle.end(app.store)
    return wish == signal.SIGHUP


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
