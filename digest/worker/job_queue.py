"""The lanes of a worker process: Procrastinate takes hints from the database and runs their tasks, one at a time in each lane.

Pulls have a lane of their own, because they mostly wait for hosts. A lane whose connection is lost, or whose tables were
emptied, begins again; nothing is kept but hints.
"""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

from procrastinate import App as JobApp
from procrastinate import PsycopgConnector

from digest.errors import StoreError
from digest.store.database.dialect import format_conninfo, is_pooled
from digest.store.workers.hints import Queue
from digest.worker.tasks import WorkerTasks

_EACH_MINUTE = "* * * * *"
_POLL_SECONDS = 5.0
"""Seconds between two looks for hints, beside those that notifications bring."""
_RESTART_SECONDS = 2.0
"""Seconds until a lane begins again that has lost the database."""
_WATCH_SECONDS = 1.0
"""Seconds between two looks whether the process is to end, or more urgent work waits."""
_TASKS = (
    *("tick", "pull", "enrich", "match", "compose", "compose_alerts"),
    *("deliver", "deliver_alerts", "publish"),
)
_log = logging.getLogger(__name__)


async def run_lanes(tasks: WorkerTasks, url: str) -> None:
    """Take hints and run their tasks, until SIGTERM or SIGINT; running tasks then end after their batches.

    Args:
        tasks: the tasks.
        url: the address of the database. If it is that of a pooler, hints are found within ``_POLL_SECONDS``; otherwise
            the server tells of them.
    """
    lanes = [
        asyncio.create_task(_run_lane(tasks, url, queues))
        for queues in ([Queue.TICK.value] if tasks.ticks else [], tasks.pull_queues, tasks.main_queues)
        if queues
    ]
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, tasks.close)
    while not tasks.closing.is_set():
        await asyncio.sleep(_WATCH_SECONDS)
        with suppress(StoreError):  # a task reports it
            await asyncio.to_thread(tasks.watch)
    tasks.close()  # also if it was the parent process that set the event
    for lane in lanes:
        lane.cancel()
    await asyncio.gather(*lanes, return_exceptions=True)


async def _run_lane(tasks: WorkerTasks, url: str, queues: Sequence[str]) -> None:
    while not tasks.closing.is_set():
        job_app = make_job_app(url, tasks.run_task, ticks=Queue.TICK in queues)
        try:
            async with job_app.open_async():
                await job_app.run_worker_async(
                    queues=queues,
                    concurrency=1,
                    fetch_job_polling_interval=_POLL_SECONDS,
                    delete_jobs="always",
                    listen_notify=not is_pooled(url),
                    install_signal_handlers=False,
                )
        except asyncio.CancelledError:
            return
        except Exception as error:  # noqa: BLE001 - of the driver, the pool or Procrastinate
            _log.info("the job queue cannot be reached: %s", error)
        await asyncio.sleep(_RESTART_SECONDS)


def make_job_app(url: str, run_task: Callable[[str, str], None], *, ticks: bool) -> JobApp:
    """Make the application of Procrastinate.

    Args:
        url: the address of the database.
        run_task: gets the name of a task and its subject.
        ticks: whether to defer a tick each minute; of several processes that do, one succeeds.
    """
    prepare_threshold = None if is_pooled(url) else 5
    connector = PsycopgConnector(
        conninfo=format_conninfo(url),
        min_size=1,
        max_size=4,
        kwargs={"prepare_threshold": prepare_threshold},
    )
    job_app = JobApp(connector=connector)
    for name in _TASKS:
        job_app.task(name=name)(partial(_run_job, run_task, name))
    if ticks:

        def tick(timestamp: int) -> None:  # noqa: ARG001 - Procrastinate gives the minute
            run_task("tick", "")

        queue = Queue.TICK
        task = job_app.task(name="tick_of_minute", queue=queue.value, priority=queue.priority)(tick)
        job_app.periodic(cron=_EACH_MINUTE)(task)
    return job_app


def _run_job(run_task: Callable[[str, str], None], name: str, subject: str = "") -> None:
    run_task(name, subject)
