"""One process of a worker: what it may do by its own file and by the applied one, and its lanes."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace

from digest.app import App
from digest.errors import ConfigError, StoreError
from digest.jobs.cycle import ReportEvent
from digest.jobs.fetching.ledger import has_all_sources, select_declared_sources
from digest.jobs.operations.sync_config import read_applied
from digest.jobs.workers import WorkerProfile
from digest.store.database.migrations.job_tables import is_current
from digest.store.workers import hints
from digest.store.workers.hints import ENRICH, Queue, name_queue
from digest.worker.job_queue import run_lanes
from digest.worker.tasks import WorkerTasks


def require_workers_store(app: App) -> None:
    """Check that workers can work on the store of an app.

    Raises:
        ConfigError: it is SQLite, or Procrastinate is not installed.
        StoreError: the tables of Procrastinate are those of another release.
    """
    with app.store.begin_read() as tx:
        if not hints.are_used(tx):
            raise ConfigError(
                "digest worker needs PostgreSQL, because many processes write at the same time; "
                'set [store] url = "postgresql+psycopg://…", or use digest serve'
            )
        if not is_current(tx):
            raise StoreError(
                "the tables of the job queue are not those of this release; run `digest db upgrade`"
            )


def run_worker(
    app: App,
    queues: Sequence[str],
    closing: threading.Event,
    report: ReportEvent,
    finish_report: Callable[[], None] = lambda: None,
) -> bool:
    """Work until SIGTERM, SIGINT or ``closing``; what is under way then ends within seconds.

    Args:
        app: the app; its file is not applied.
        queues: the queues that it serves.
        closing: set from outside to end it.
        report: receives events and errors.
        finish_report: called at the end of each pass of deliveries, as for ``run_until_signal`` of ``digest.ticker``.

    Returns:
        Whether another file was applied meanwhile, so that it must start again.

    Raises:
        TooOldError: the tables were upgraded by a newer release, for which this one is too old.
    """
    with app.store.begin_read() as tx:
        applied = read_applied(tx)
        sources = select_declared_sources(tx, app.sources)
        has_all = has_all_sources(tx, sources)
    app = replace(app, sources=sources)
    pull_queues = _list_pull_queues(app) if Queue.PULL in queues else []
    main_queues = _list_main_queues(app, queues)
    tick_queues = [Queue.TICK.value] if has_all else []  # otherwise something due would be overlooked
    stop = threading.Event()
    profile = WorkerProfile(command="worker", queues=(*tick_queues, *main_queues, *pull_queues))
    with app.open_worker(profile, stop, closing) as (steps, heartbeat):
        tasks = WorkerTasks(
            app=replace(app, clock=heartbeat.correct_clock(app.clock)),
            steps=steps,
            heartbeat=heartbeat,
            pull_queues=pull_queues,
            main_queues=main_queues,
            ticks=has_all,
            report=report,
            finish_report=finish_report,
            applied=applied,
            stop=stop,
            closing=closing,
        )
        with app.store.begin_write() as tx:
            hints.defer_hint(tx, hints.TICK)
        asyncio.run(run_lanes(tasks, app.settings.listen_url or app.settings.store))
    if tasks.newer_tables is not None:
        raise tasks.newer_tables
    return tasks.is_outdated


def _list_pull_queues(app: App) -> list[str]:
    names = [name_queue(Queue.PULL, name) for name in app.sources]
    return [*names, ENRICH.queue_name] if app.enrichers else names


def _list_main_queues(app: App, queues: Sequence[str]) -> list[str]:
    names = [queue for queue in queues if queue not in {Queue.TICK, Queue.PULL, Queue.DELIVER}]
    channels = app.list_channels(has_folders=Queue.PUBLISH in queues)
    for queue in (Queue.ALERT, Queue.DELIVER):
        names += [name_queue(queue, channel) for channel in channels if queue in queues]
    return names
