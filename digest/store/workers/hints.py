"""Hints: jobs of Procrastinate on the same PostgreSQL, each of which says "there may be work of this kind".

The tables decide what there is to do, so losing, doubling or delaying hints changes nothing but the time until somebody looks.
They are deferred in the transaction that makes the work, so nobody looks before it is there. SQLite has none: its processes
look at every tick.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import text

from digest.store.database.dialect import has_job_queue
from digest.store.database.engine import Transaction

_MAX_NAME_BYTES = 63 - len("procrastinate_queue_v1#")
"""Maximum length of the name of a queue: it is part of the name of a channel of NOTIFY, which has 63 bytes at most."""
MAX_WAITING = 64
"""Maximum number of equal hints that wait: more would only start workers that find nothing left."""


class Queue(StrEnum):
    """The queues, those with the most urgent work first.

    Links that somebody waits for are in none: the process that answers the request sends them itself.
    """

    ALERT = "alert"
    TICK = "tick"
    PULL = "pull"
    MATCH = "match"
    COMPOSE = "compose"
    DELIVER = "deliver"
    PUBLISH = "publish"

    @property
    def priority(self) -> int:
        """The priority of its hints; higher ones are taken first."""
        return len(Queue) - list(Queue).index(self)


@dataclass(frozen=True, slots=True)
class Hint:
    """There may be work for a task.

    Attributes:
        queue: the queue.
        task: the name of the task.
        subject: the source to pull from, or the channel to deliver by; "" for tasks without any.
    """

    queue: Queue
    task: str
    subject: str = ""

    @property
    def queue_name(self) -> str:
        """The name of its queue in Procrastinate: each source and channel has its own, which not every worker serves."""
        return name_queue(self.queue, self.subject)


TICK = Hint(Queue.TICK, "tick")
MATCH = Hint(Queue.MATCH, "match")
PUBLISH = Hint(Queue.PUBLISH, "publish")
COMPOSE = Hint(Queue.COMPOSE, "compose")
COMPOSE_ALERTS = Hint(Queue.ALERT, "compose_alerts")
ENRICH = Hint(Queue.PULL, "enrich")


def make_pull_hint(source: str) -> Hint:
    """Return the hint that something of a source may be due."""
    return Hint(Queue.PULL, "pull", source)


def make_delivery_hint(channel: str) -> Hint:
    """Return the hint that deliveries of a channel may be due."""
    return Hint(Queue.DELIVER, "deliver", channel)


def make_alert_hint(channel: str) -> Hint:
    """Return the hint that deliveries of alerts by a channel may be due."""
    return Hint(Queue.ALERT, "deliver_alerts", channel)


def name_queue(queue: Queue, subject: str) -> str:
    """Return the name of a queue in Procrastinate, with a hash instead of a long subject."""
    name = f"{queue.value}:{subject}" if subject else queue.value
    if len(name.encode()) <= _MAX_NAME_BYTES:
        return name
    return f"{queue.value}:{hashlib.blake2b(subject.encode(), digest_size=12).hexdigest()}"


_DEFER = text(
    """
    SELECT procrastinate_defer_jobs_v1(ARRAY(
        SELECT ROW(
            CAST(:queue AS varchar), CAST(:task AS varchar), CAST(:priority AS integer), NULL, NULL,
            CAST(:arguments AS jsonb), NULL
        )::procrastinate_job_to_defer_v1
        FROM generate_series(1, LEAST(CAST(:count AS integer), CAST(:most AS integer)) - (
            SELECT count(*) FROM procrastinate_jobs
            WHERE status = 'todo' AND queue_name = :queue AND task_name = :task AND args = CAST(:arguments AS jsonb)
        ))
    ))
    """
)
# A comparison with `queueing_lock` would abort our transaction if another one defers the same hint.
_HAS_MORE_URGENT = text(
    """
    SELECT EXISTS(
        SELECT 1 FROM procrastinate_jobs
        WHERE status = 'todo' AND queue_name = ANY(:queues)
            AND (priority > :priority OR (:with_equal AND priority = :priority AND queue_name <> :own))
    )
    """
)
_FORGET_DEAD = text("DELETE FROM procrastinate_jobs WHERE status <> 'todo' AND worker_id IS NULL")
_COUNT_WAITING = text(
    "SELECT queue_name, count(*) FROM procrastinate_jobs WHERE status = 'todo' GROUP BY queue_name"
)

_FIND_OLDEST = text(
    """
    SELECT oldest.queue_name, EXTRACT(EPOCH FROM clock_timestamp() - events.at)
    FROM (
        SELECT queue_name, min(id) AS id FROM procrastinate_jobs WHERE status = 'todo' GROUP BY queue_name
    ) AS oldest
    JOIN procrastinate_events AS events ON events.job_id = oldest.id AND events.type = 'deferred'
    """
)


def are_used(tx: Transaction) -> bool:
    """Whether this database has hints: PostgreSQL has, SQLite has not."""
    return has_job_queue(tx)


def defer_hint(tx: Transaction, hint: Hint, count: int = 1) -> None:
    """Defer a hint until a number of equal ones wait, in the transaction that makes the work; does nothing on SQLite.

    Args:
        tx: a writing transaction; if it is rolled back, the hints are gone.
        hint: the hint.
        count: how many are to wait, one for each worker that could help; at most ``MAX_WAITING`` are.
    """
    if count < 1 or not are_used(tx):
        return
    tx.execute(
        _DEFER,
        {
            "queue": hint.queue_name,
            "task": hint.task,
            "priority": hint.queue.priority,
            "arguments": json.dumps({"subject": hint.subject}),
            "count": count,
            "most": MAX_WAITING,
        },
    )


def has_more_urgent(tx: Transaction, hint: Hint, served: Sequence[str], *, with_equal: bool = False) -> bool:
    """Whether a hint waits that is more urgent than another one, in one of the queues that a worker serves.

    Args:
        tx: a transaction.
        hint: the hint that the worker works on.
        served: the names of the queues that it serves.
        with_equal: whether hints of other queues that are as urgent count, too.
    """
    if not are_used(tx):
        return False
    params = {"priority": hint.queue.priority, "own": hint.queue_name, "queues": list(served)}
    return bool(tx.execute(_HAS_MORE_URGENT, params | {"with_equal": with_equal}).scalar_one())


def forget_dead(tx: Transaction) -> None:
    """Remove hints that a worker had taken which no longer exists; what they told of is found in the tables."""
    if are_used(tx):
        tx.execute(_FORGET_DEAD)


def count_waiting(tx: Transaction) -> dict[str, int]:
    """Return the number of waiting hints by queue; none on SQLite."""
    if not are_used(tx):
        return {}
    return {queue: int(count) for queue, count in tx.execute(_COUNT_WAITING)}


def find_oldest_waiting(tx: Transaction) -> dict[str, float]:
    """Return how long the oldest hint of each queue has been waiting, in seconds; none on SQLite.

    At most ``MAX_WAITING`` equal hints wait, so this does not take longer with a larger backlog.
    """
    if not are_used(tx):
        return {}
    return {queue: float(seconds) for queue, seconds in tx.execute(_FIND_OLDEST)}
