"""The announcement day of a public service: several processes on one PostgreSQL, from the feed's bytes to accepted mail.

``digest pull`` and ``digest match`` run as one process, ``digest compose`` and ``digest deliver`` as several that share the work
through the database alone, as on several machines. What is measured: whether every digest that is due was delivered once, the
memory of the largest process, what the day adds to the database, and the CPU of a mail beside that of the server.

``DIGEST_BENCHMARK_SUBSCRIBERS=1000000`` measures that many.
"""

from __future__ import annotations

import os

from benchmarks.many_workers import (
    PreparedDay,
    StepUsage,
    count_sent,
    create_database,
    execute,
    prepare_day,
    run_step,
    start_server,
)
from benchmarks.measure import Result, Row, recorded
from benchmarks.mix import available
from benchmarks.whole_day import FEED

SUBSCRIBERS = int(os.environ.get("DIGEST_BENCHMARK_SUBSCRIBERS", "20000"))
PROCESSES = 2
MAX_MEMORY = 600
"""Megabytes of one process."""
MAX_SIZE = 1_500
"""Megabytes that a day may add to the database with a million subscribers."""
MILLION = 1_000_000
STEPS = {"pull": 1, "match": 1, "compose": PROCESSES, "deliver": PROCESSES}
"""The commands of the day, and the processes of each."""


def run(*, small: bool) -> Result:
    """Measure the steps of the day one after the other, and the database before and after it."""
    title = "the day of a public service, several processes on one PostgreSQL"
    feeds = recorded(FEED)
    if feeds is None or not available():
        return Result(title=f"{title}: not run, the recorded listings are not here")
    (feed,) = feeds
    size = 60 if small else SUBSCRIBERS
    with start_server() as (server, _), create_database(server) as url, prepare_day(url, size, feed) as day:
        before = measure_size(day.url)
        usages = {command: run_step(day.folder, day.url, count, command) for command, count in STEPS.items()}
        added = measure_size(day.url) - before
        mails = check_complete(day)
    return Result(title=f"{title}, {size:,} subscribers", rows=make_rows(size, usages, added, mails))


def measure_size(url: str) -> float:
    """Return the megabytes of a database after a vacuum."""
    execute(url, "VACUUM ANALYZE")
    ((size,),) = execute(url, "SELECT pg_database_size(current_database())")
    return int(str(size)) / 1e6


def check_complete(day: PreparedDay) -> int:
    """Assert that all runs are composed, and that each edition was sent, and taken once; return the number of mails."""
    messages = day.mails.messages()
    ((deliveries,),) = execute(day.url, "SELECT count(*) FROM deliveries")
    assert len(messages) == len(set(messages)) == count_sent(day.url) == deliveries, (
        "lost, repeated or waiting"
    )
    ((unfinished,),) = execute(
        day.url,
        "SELECT (SELECT count(*) FROM runs WHERE composed_at IS NULL) + (SELECT count(*) FROM shards WHERE state != 'done')"
        " + (SELECT count(*) FROM editions e WHERE skipped = ''"
        " AND NOT EXISTS (SELECT FROM deliveries d WHERE d.edition_id = e.id))",
    )
    assert unfinished == 0, f"{unfinished} runs, shards or editions that were not finished"
    return len(messages)


def make_rows(size: int, usages: dict[str, StepUsage], added: float, mails: int) -> tuple[Row, ...]:
    """Make a row for each step, for the memory and for the database."""
    rows = [
        Row(
            work=f"{command}, {STEPS[command]} at once",
            candidate=f"{usage.memory:,.0f} MB, {usage.wall:,.0f} s, {usage.server_cpu:,.1f} s server",
            seconds=usage.cpu,
            times=1.0,
        )
        for command, usage in usages.items()
    ]
    memory = max(usage.memory for usage in usages.values())
    cpu = sum(usage.cpu for usage in usages.values())
    rows += [
        Row(
            work="complete",
            candidate=f"{mails:,} mails, {cpu / mails * 1e6:,.0f} µs each",
            seconds=cpu,
            times=1.0,
        ),
        Row(
            work="the largest process",
            candidate=f"{memory:,.0f} MB, at most {MAX_MEMORY}",
            seconds=0,
            times=MAX_MEMORY / memory,
            wanted=1.0,
        ),
        Row(
            work="the database",
            candidate=f"{added:,.0f} MB more",
            seconds=0,
            times=MAX_SIZE / max(added, 1),
            wanted=1.0 if size >= MILLION else None,
        ),
    ]
    return tuple(rows)
