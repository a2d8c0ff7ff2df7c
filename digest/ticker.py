"""The ticker: APScheduler calls a cycle each minute, and decides nothing.

What is due is in the tables: a tick that is lost or doubled changes nothing. Schedules are never given
to APScheduler: its cron triggers skip and double days where clocks change.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from datetime import UTC, datetime

from apscheduler.schedulers.blocking import BlockingScheduler

from digest.app import App, make_sources
from digest.config import read_settings
from digest.errors import DigestError
from digest.jobs import cycle
from digest.jobs.compose import Waiting
from digest.jobs.cycle import Happening, Steps

Tell = Callable[[Happening | DigestError], None]


def tick_until_signal(app: App, *, every: int, tell: Tell) -> bool:
    """Run a cycle at once and then at each tick, until SIGTERM, SIGINT or SIGHUP; a cycle under way is finished.

    Args:
        app: what to work on; its file has been applied.
        every: seconds between ticks.
        tell: is told what happens, and what goes wrong; the next tick goes on.

    Returns:
        Whether to begin again with the file as it is now: SIGHUP, and it can be read.
    """
    scheduler = BlockingScheduler(timezone="UTC")
    again = False

    def stop(number: int, _frame: object) -> None:
        nonlocal again
        again = number == signal.SIGHUP
        if not again or _readable(app, tell):
            scheduler.shutdown(wait=True)

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, stop)
    with app.steps() as steps:
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
        try:
            scheduler.start()
        finally:
            cycle.end(app.store)
    return again


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


def _readable(app: App, tell: Tell) -> bool:
    """Whether the file can be read as it is now; if not, the old one stays."""
    try:
        make_sources(read_settings(app.settings.path, os.environ))
    except DigestError as error:
        tell(error)
        return False
    return True
