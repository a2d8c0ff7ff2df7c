"""What is wrong with the workers of a database: files, clocks and releases that differ, and queues that nobody serves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from digest import __version__
from digest.jobs.operations.sync_config import read_applied
from digest.store.database.engine import Transaction
from digest.store.delivery import outbox
from digest.store.fetching import ledger
from digest.store.operations import notices
from digest.store.workers import workers
from digest.store.workers.hints import Queue, name_queue
from digest.store.workers.workers import Worker

_MAX_CLOCK_OFFSET = timedelta(seconds=60)
"""How far the clock of a machine may be from that of the database."""
_SERVE = "serve"
_WORKER = "worker"


class WorkerTrouble(NamedTuple):
    """Something that is wrong with workers.

    Attributes:
        name: the name of its notice.
        text: a sentence for the operator.
    """

    name: str
    text: str


def note_worker_troubles(tx: Transaction, now: datetime) -> None:
    """Record a notice for each trouble; the operator gets each at most once a day.

    Args:
        tx: a writing transaction.
        now: the current time, UTC.
    """
    for trouble in find_worker_troubles(tx):
        notices.record_notice(tx, trouble.name, trouble.text, now)


def find_worker_troubles(tx: Transaction) -> tuple[WorkerTrouble, ...]:
    """Find what is wrong with the workers that live."""
    now = workers.read_database_time(tx)
    living = [worker for worker in workers.list_workers(tx) if not worker.is_silent(now)]
    return (
        *_find_other_files(living, read_applied(tx)),
        *_find_wrong_clocks(living),
        *_find_other_releases(living),
        *_find_unserved_queues(tx, living),
    )


def _find_other_files(living: Sequence[Worker], applied: str) -> Iterator[WorkerTrouble]:
    content, _, location = applied.partition(" ")
    odd_workers = {worker.host: worker for worker in living if worker.file_hash not in {content, ""}}
    for host in sorted(odd_workers) if content else ():
        yield WorkerTrouble(
            f"worker file:{host}",
            f"`digest {odd_workers[host].command}` on {host} has another configuration file than {location}, which was applied. "
            "It asks only sources that this file declares too, and delivers only by servers of its own. "
            "Copy the file there, or run `digest apply` with the right one.",
        )


def _find_wrong_clocks(living: Sequence[Worker]) -> Iterator[WorkerTrouble]:
    offsets = {worker.host: worker.clock_offset for worker in living}
    for host, offset in sorted(offsets.items()):
        if abs(offset) > _MAX_CLOCK_OFFSET.total_seconds():
            direction = "ahead of" if offset > 0 else "behind"
            yield WorkerTrouble(
                f"worker clock:{host}",
                f"The clock of {host} is {abs(offset) / 60:.0f} minutes {direction} that of the database, "
                "so editions may go out at the wrong time; set it by NTP.",
            )


def _find_other_releases(living: Sequence[Worker]) -> Iterator[WorkerTrouble]:
    other_releases = {worker.host: worker.release for worker in living if worker.release != __version__}
    for host, release in sorted(other_releases.items()):
        yield WorkerTrouble(
            f"worker release:{host}",
            f"{host} runs digest {release}, and others run {__version__}; upgrade all of them.",
        )


def _find_unserved_queues(tx: Transaction, living: Sequence[Worker]) -> Iterator[WorkerTrouble]:
    """Find queues that no worker serves; there are none to serve if no worker takes hints."""
    if not any(worker.command == _WORKER for worker in living):
        return
    served = {queue for worker in living for queue in worker.queues}
    needed = {(queue, "") for queue in (Queue.ALERT, Queue.TICK, Queue.MATCH, Queue.COMPOSE)}
    needed |= {(Queue.PULL, section.source) for section in ledger.list_active_sections(tx)}
    servers = [worker for worker in living if worker.command == _SERVE]
    if servers:
        needed = set()  # they do all of this
        served |= {name_queue(Queue.DELIVER, channel) for worker in servers for channel in worker.channels}
    needed |= {(Queue.DELIVER, channel) for channel in outbox.list_waiting_channels(tx)}
    for queue, subject in sorted(needed):
        name = name_queue(queue, subject)
        if name not in served:
            yield WorkerTrouble(f"worker queue:{name}", _describe_unserved(queue, subject))


def _describe_unserved(queue: Queue, subject: str) -> str:
    match queue:
        case Queue.PULL:
            return f"No worker asks {subject}: no configuration file of a worker that serves `pull` has this source."
        case Queue.DELIVER:
            return (
                f"No worker delivers by {subject}: either no file has a server for it, or it writes into folders, "
                "which needs a worker with the queue `publish`."
            )
        case Queue.TICK:
            return "No worker decides what is due: none has a configuration file with all sources."
        case _:
            return f"No worker serves the queue `{queue}`; start one with `digest worker --queues {queue}`."
