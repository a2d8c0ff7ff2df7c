"""Several processes that compose and deliver from one PostgreSQL, beside one process that does the same work.

A morning is prepared once, up to the point where the editions of a run can be composed, and copied for each measurement.
``digest compose`` and ``digest deliver`` then run as one process and as four, which share the work through the database alone,
as on several machines. What as many commands without work take is subtracted from their CPU, and shown apart: a command starts
for each step, a worker once for many days. Mails go over loopback to a sink.

One process also composes the same run on SQLite. Its CPU includes that of the database, so on PostgreSQL that of the server is
added.

Sixteen processes that only claim and mark show how many deliveries the database takes. At last, the statements of a morning are
compared with those of one with a tenth of the subscribers: the time of none may grow, but with the rows that it returns.

``DIGEST_BENCHMARK_SUBSCRIBERS=200000`` measures that many.
"""

from __future__ import annotations

import multiprocessing
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, LiteralString

import psutil
import psycopg
from sqlalchemy import ColumnElement, func, select

from benchmarks.measure import Result, Row, children, recorded
from benchmarks.mix import available
from benchmarks.sink import Sink, sink
from benchmarks.whole_day import CONFIG, CONNECTIONS, DAY, FEED, LIMIT, MORNING, add_subscribers
from digest.config import DeliverySettings
from digest.demo.publisher import Publisher, replace_body
from digest.jobs.delivery.claims.claim_cursor import ClaimCursor
from digest.jobs.delivery.claims.send_rate import SendRate
from digest.model import Delivery, Sent
from digest.store.database.engine import open_store
from digest.store.database.tables.digests import deliveries, editions
from digest.store.delivery import receipts
from tests.support.postgres import Postgres, make_driver_address, start_postgres

if TYPE_CHECKING:
    from multiprocessing.synchronize import Barrier

SUBSCRIBERS = int(os.environ.get("DIGEST_BENCHMARK_SUBSCRIBERS", "20000"))
WORKERS = 4
CLAIMANTS = 16
CLAIM_SIZE = 160
"""Deliveries in a claim of sixteen connections."""
WANTED_RATIO = 1 / 1.3
"""CPU of one process divided by that of all workers together, each without what it takes to start."""
MAX_COST = 2.0
"""CPU of composing on PostgreSQL, server included, divided by that on SQLite, each without what it takes to start."""
MAX_SERVER_SHARE = 1.0
"""CPU of the server divided by that of the workers, without what they take to start."""
WANTED_CLAIMS = 10_000
"""Deliveries a second that all claimants claim and mark."""
MAX_GROWTH = 2.0
"""Growth of a statement's time for a row, with ten times as many subscribers, that is no more than noise."""
MIN_SECONDS = 0.01
"""Statements that take less than this in a whole morning are not compared."""
POSTGRES_PROGRAMS = Path("/usr/lib/postgresql/15/bin")
"""A server with the extension ``pg_stat_statements``, which the one from a wheel does not have."""


def run(*, small: bool) -> Result:
    """Measure both steps, claims alone, and the growth of statements."""
    title = "several processes that compose and deliver from one PostgreSQL"
    feeds = recorded(FEED)
    if feeds is None or not available():
        return Result(title=f"{title}: not run, the recorded listings are not here")
    (feed,) = feeds
    size, workers, claimants = (60, 2, 2) if small else (SUBSCRIBERS, WORKERS, CLAIMANTS)
    on_sqlite = measure_sqlite(size, feed)
    with start_server() as (server, has_extension):
        compares_statements = has_extension and not small
        earlier: Mapping[str, tuple[float, float]] = {}
        if compares_statements:
            with prepare_morning(server, max(20, size // 10), feed) as morning, morning.copy() as url:
                earlier = measure_statements(morning, url)
        with prepare_morning(server, size, feed) as morning:
            rows = [
                *compare_workers(morning, size, workers, on_sqlite),
                *measure_claims(morning, claimants),
            ]
            if compares_statements:
                with morning.copy() as url:
                    rows += compare_statements(earlier, measure_statements(morning, url))
    return Result(title=title, rows=tuple(rows))


# --- the morning ----------------------------------------------------------------------------------


@contextmanager
def start_server() -> Iterator[tuple[Postgres, bool]]:
    """Start a durable server with statistics of statements if the system has one, else the one of the tests."""
    if not POSTGRES_PROGRAMS.is_dir():
        with start_postgres() as server:
            yield server, False
        return
    with tempfile.TemporaryDirectory(prefix="digest-postgres-") as name:
        folder = Path(name)
        # It refuses to run as root.
        user = "postgres" if os.geteuid() == 0 else None
        if user:
            shutil.chown(folder, user)
        data = folder / "data"
        options = f"-k {folder} -c listen_addresses= -c shared_preload_libraries=pg_stat_statements"
        control = ["pg_ctl", "-D", str(data), "-w"]
        run_program(folder, user, "initdb", "-D", str(data), "-A", "trust", "-U", "digest")
        run_program(folder, user, *control, "-l", str(folder / "log"), "-o", options, "start")
        try:
            yield Postgres(f"postgresql+psycopg://digest@/postgres?host={folder}"), True
        finally:
            run_program(folder, user, *control, "-m", "immediate", "stop")


def run_program(folder: Path, user: str | None, name: str, *arguments: str) -> None:
    """Run a program of PostgreSQL as a user."""
    command = [str(POSTGRES_PROGRAMS / name), *arguments]
    subprocess.run(command, cwd=folder, user=user, stdout=subprocess.DEVNULL, check=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedMorning:
    """A folder with a configuration, and a database whose run waits to be composed."""

    folder: Path
    server: Postgres
    template: str
    mails: Sink

    @contextmanager
    def copy(self) -> Iterator[str]:
        """Make a copy of the database, and let the configuration name it; yields its URL."""
        url = self.server.create(self.template)
        try:
            write_config(self.folder, self.mails.port, url)
            yield url
        finally:
            self.server.drop(url)


def write_config(folder: Path, port: int, url: str, source_url: str = "http://127.0.0.1:9") -> None:
    """Write the configuration."""
    config = CONFIG.format(url=source_url, port=port, connections=WORKERS * CONNECTIONS, limit=LIMIT)
    (folder / "digest.toml").write_text(f'{config}\n[store]\nurl = "{url}"\n', encoding="utf-8")


@contextmanager
def prepare_morning(server: Postgres, size: int, feed: bytes) -> Iterator[PreparedMorning]:
    """Prepare a database in which the announcements of the day are matched."""
    with create_database(server) as url, prepare_day(url, size, feed) as day:
        match_announcements(day)
        execute(url, "VACUUM ANALYZE")
        yield PreparedMorning(folder=day.folder, server=server, template=url, mails=day.mails)


def match_announcements(day: PreparedDay) -> None:
    """Fetch the announcements of a day, and match them."""
    for command in ("pull", "match"):
        assert start_command(day.folder, command, "--now", MORNING).wait() == 0


@contextmanager
def create_database(server: Postgres) -> Iterator[str]:
    """Create an empty database, and drop it at the end; yields its URL."""
    url = server.create()
    try:
        yield url
    finally:
        server.drop(url)


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedDay:
    """A folder with a configuration, and a database as it was in the evening; the source has the announcements of the day."""

    folder: Path
    url: str
    mails: Sink


@contextmanager
def prepare_day(url: str, size: int, feed: bytes) -> Iterator[PreparedDay]:
    """Fill an empty database with subscribers who had everything until the evening, and let a source have the announcements.

    Args:
        url: the URL of the database.
        size: the number of subscribers.
        feed: the announcements of the day.
    """
    with (
        tempfile.TemporaryDirectory() as name,
        Publisher([], day=DAY, sections=["cs"]) as publisher,
        sink(Path(name)) as mails,
    ):
        folder = Path(name)
        write_config(folder, mails.port, url, publisher.url)
        publisher.day = DAY - timedelta(days=1)
        evening = f"{publisher.day}T07:31+01:00"
        for command in (["db", "upgrade"], ["run", "--now", evening]):
            assert start_command(folder, *command).wait() == 0
        store = open_store(url, datetime.now(UTC))
        add_subscribers(store, size)
        store.close()
        assert start_command(folder, "match", "--now", evening).wait() == 0
        publisher.day = DAY
        publisher.faults = {"cs": replace_body(feed, "application/rss+xml")}
        yield PreparedDay(folder=folder, url=url, mails=mails)


def start_command(folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
    """Start the command as pip installs it."""
    environ = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}
    command = [sys.executable, "-c", "from digest.cli import main; main()", *arguments]
    return subprocess.Popen(command, cwd=folder, env=environ, stdout=subprocess.DEVNULL)


def execute(url: str, statement: LiteralString) -> list[tuple[object, ...]]:
    """Run one statement outside a transaction; returns its rows."""
    with psycopg.connect(make_driver_address(url), autocommit=True) as connection:
        cursor = connection.execute(statement)
        return cursor.fetchall() if cursor.description else []


# --- one process and several ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class StepUsage:
    """What a step took.

    Attributes:
        cpu: CPU seconds of its processes.
        server_cpu: CPU seconds of the database server.
        wall: seconds by the clock.
        memory: the most that one process had in memory, in megabytes.
    """

    cpu: float
    server_cpu: float
    wall: float
    memory: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ComposedRun:
    """What it took to compose the run of the morning.

    Attributes:
        cpu: CPU seconds of the process, without what it takes to start.
        start: CPU seconds of a process without work.
        editions: the number of editions that were composed.
    """

    cpu: float
    start: float
    editions: int


def measure_sqlite(size: int, feed: bytes) -> ComposedRun:
    """Compose the run on SQLite by one process, measured as on PostgreSQL."""
    with tempfile.TemporaryDirectory() as name:
        url = f"sqlite:///{name}/digest.db"
        with prepare_day(url, size, feed) as day:
            match_announcements(day)
            start = run_step(day.folder, url, 1, "deliver").cpu
            cpu = run_step(day.folder, url, 1, "compose").cpu - start
            return ComposedRun(cpu=cpu, start=start, editions=count_editions(url))


def compare_workers(
    morning: PreparedMorning, size: int, workers: int, on_sqlite: ComposedRun
) -> Iterator[Row]:
    """Compare the CPU of both steps, without what the commands take that find nothing to do."""
    starts, usages = {}, {}
    for count in (1, workers):
        with morning.copy() as url:
            mails_before, sent_before = len(morning.mails.messages()), count_sent(url)
            usages["compose", count] = run_step(morning.folder, url, count, "compose")
            assert count_editions(url) == on_sqlite.editions, "PostgreSQL has other editions than SQLite"
            usages["deliver", count] = run_step(morning.folder, url, count, "deliver")
            starts[count] = run_step(morning.folder, url, count, "deliver").cpu
            messages = morning.mails.messages()[mails_before:]
            assert len(messages) == len(set(messages)), "a mail came twice"
            assert len(messages) == count_sent(url) - sent_before, "a mail is lost"
    for step in ("compose", "deliver"):
        work = f"{step}, {size:,} subscribers"
        alone = usages[step, 1].cpu - starts[1]
        if step == "compose":
            yield from compare_databases(work, alone, usages[step, 1].server_cpu, on_sqlite)
        for count in (1, workers):
            usage = usages[step, count]
            cpu = usage.cpu - starts[count]
            yield Row(
                work=work,
                candidate=f"{count} × {step}, without {starts[count]:.1f} s of start",
                seconds=cpu,
                times=alone / cpu,
                wanted=WANTED_RATIO if count > 1 else None,
            )
            yield Row(
                work=work,
                candidate=f"{count} × {step}, PostgreSQL's server",
                seconds=usage.server_cpu,
                times=cpu / max(usage.server_cpu, 0.01),  # it is counted in hundredths
                wanted=1 / MAX_SERVER_SHARE,
            )


def compare_databases(work: str, cpu: float, server_cpu: float, on_sqlite: ComposedRun) -> Iterator[Row]:
    """Compare the CPU of composing by one process on both databases."""
    yield Row(
        work=work,
        candidate=f"SQLite, without {on_sqlite.start:.1f} s of start",
        seconds=on_sqlite.cpu,
        times=1.0,
    )
    yield Row(
        work=work,
        candidate="PostgreSQL, server included",
        seconds=cpu + server_cpu,
        times=on_sqlite.cpu / (cpu + server_cpu),
        wanted=1 / MAX_COST,
    )


def run_step(folder: Path, url: str, count: int, command: str) -> StepUsage:
    """Run a command in several processes at once, and look at their memory four times a second."""
    read_server_cpu = make_server_clock(url)
    cpu, server_cpu, begun = children(), read_server_cpu(), time.perf_counter()
    processes = [start_command(folder, command, "--now", MORNING) for _ in range(count)]
    memory = 0.0
    while any(process.poll() is None for process in processes):
        memory = max(memory, *(measure_memory(process.pid) for process in processes))
        time.sleep(0.25)
    wall = time.perf_counter() - begun
    assert not any(process.returncode for process in processes), f"{command} failed"
    time.sleep(0.2)  # until the server has waited for their backends
    return StepUsage(
        cpu=children() - cpu, server_cpu=read_server_cpu() - server_cpu, wall=wall, memory=memory
    )


def measure_memory(pid: int) -> float:
    """Return the resident megabytes of a process, or 0 if it has ended."""
    with suppress(psutil.NoSuchProcess):
        return float(psutil.Process(pid).memory_info().rss) / 1e6
    return 0.0


def make_server_clock(url: str) -> Callable[[], float]:
    """Return a function that returns the CPU seconds of a database's server; 0 for SQLite, which has none."""
    if url.startswith("sqlite:"):
        return lambda: 0.0
    postmaster = find_postmaster(url)
    return lambda: measure_server(postmaster)


def find_postmaster(url: str) -> psutil.Process:
    """Return the first process of the server."""
    with psycopg.connect(make_driver_address(url)) as connection:
        parent = psutil.Process(connection.info.backend_pid).parent()
    assert parent is not None
    return parent


def measure_server(postmaster: psutil.Process) -> float:
    """Return the CPU seconds of a server, those of ended backends included."""
    times = postmaster.cpu_times()
    total = times.user + times.system + times.children_user + times.children_system
    for process in postmaster.children():
        with suppress(psutil.NoSuchProcess):
            times = process.cpu_times()
            total += times.user + times.system
    return float(total)


def count_sent(url: str) -> int:
    """Return the number of deliveries that were sent."""
    return count_rows(url, deliveries.c.state == "sent")


def count_editions(url: str) -> int:
    """Return the number of editions that were composed."""
    return count_rows(url, editions.c.skipped == "")


def count_rows(url: str, condition: ColumnElement[bool]) -> int:
    """Return the number of rows for which a condition holds."""
    store = open_store(url, datetime.now(UTC))
    try:
        with store.begin_read() as tx:
            return tx.execute(select(func.count()).where(condition)).scalar_one()
    finally:
        store.close()


# --- claims alone ---------------------------------------------------------------------------------


def measure_claims(morning: PreparedMorning, claimants: int) -> Iterator[Row]:
    """Let many processes claim and mark everything, without a mail."""
    with morning.copy() as url:
        run_step(morning.folder, url, 1, "compose")
        context = multiprocessing.get_context("spawn")
        barrier = context.Barrier(claimants + 1)
        processes = [
            context.Process(target=claim_everything, args=(url, number, barrier), daemon=True)
            for number in range(1, claimants + 1)
        ]
        for process in processes:
            process.start()
        barrier.wait()
        begun = time.perf_counter()
        barrier.wait()
        wall = time.perf_counter() - begun
        for process in processes:
            process.join()
        assert not any(process.exitcode for process in processes)
        count = count_sent(url)
    yield Row(
        work=f"claim and mark, {claimants} at once",
        candidate=f"{count / wall:,.0f} a second, against {WANTED_CLAIMS:,}",
        seconds=wall,
        times=count / wall / WANTED_CLAIMS,
        wanted=1.0,
        clock="wall",
    )


def claim_everything(url: str, token: int, barrier: Barrier) -> None:
    """Claim and mark until nothing is left, as a dispatcher does."""
    store, now = open_store(url, datetime.now(UTC)), datetime.fromisoformat(MORNING)
    send_rate = SendRate(settings=DeliverySettings(), machine_clock=lambda: datetime.now(UTC))
    cursor, receipt = ClaimCursor(send_rate=send_rate, token=token), Sent(answer="250 2.0.0 taken")
    with store.begin_read() as tx:
        tx.exec_driver_sql("SELECT 1")
    barrier.wait()
    claimed: tuple[Delivery, ...] = ()
    while True:
        with store.begin_write() as tx:
            receipts.record_receipts(tx, [(delivery, receipt) for delivery in claimed], now)
            claimed = cursor.claim_ordinary(tx, "smtp", CLAIM_SIZE, now).deliveries
        if not claimed:
            break
    barrier.wait()
    store.close()


# --- statements -----------------------------------------------------------------------------------


def measure_statements(morning: PreparedMorning, url: str) -> Mapping[str, tuple[float, float]]:
    """Compose and deliver by one process; return the milliseconds for a row or call of each statement, and in all."""
    execute(url, "CREATE EXTENSION pg_stat_statements")
    execute(url, "SELECT pg_stat_statements_reset()")
    run_step(morning.folder, url, 1, "compose")
    run_step(morning.folder, url, 1, "deliver")
    rows = execute(
        url,
        "SELECT query, total_exec_time, greatest(rows, calls) FROM pg_stat_statements s"
        " JOIN pg_database d ON d.oid = s.dbid AND d.datname = current_database()",
    )
    totals: defaultdict[str, float] = defaultdict(float)
    counts: defaultdict[str, int] = defaultdict(int)
    for query, total, count in rows:
        statement = shorten_lists(str(query))
        totals[statement] += float(str(total))
        counts[statement] += int(str(count))
    return {statement: (total / counts[statement], total) for statement, total in totals.items()}


def shorten_lists(query: str) -> str:
    """Return a statement without line breaks and with lists of any length alike, for which PostgreSQL has a statement each."""
    text = re.sub(r"\$\d+", "$", " ".join(query.split()))
    for element in (r"\$(?:::\w+)?", r"\([^()]*\)"):
        text = re.sub(rf"({element})(?:, \1)*", r"\1", text)
    return text


def compare_statements(
    earlier: Mapping[str, tuple[float, float]], later: Mapping[str, tuple[float, float]]
) -> Iterator[Row]:
    """Compare the time of each statement for a row with that of a morning with a tenth of the subscribers."""
    lasting = {query for query, (_, total) in later.items() if total > MIN_SECONDS * 1000}
    growths = {query: later[query][0] / earlier[query][0] for query in lasting & earlier.keys()}
    assert growths, "no statement was compared"
    misses = {query: growth for query, growth in growths.items() if growth > MAX_GROWTH}
    work, met = "statements, 10 × the subscribers", len(growths) - len(misses)
    yield Row(
        work=work,
        candidate=f"{met} of {len(growths)} take at most {MAX_GROWTH:g} × the time for a row",
        seconds=sum(later[query][1] for query in growths) / 1000,
        times=met / len(growths),
        wanted=1.0,
        clock="server",
    )
    for query in sorted(misses, key=lambda query: -misses[query]):
        yield Row(
            work=work,
            candidate=f"{earlier[query][0] * 1000:.0f} to {later[query][0] * 1000:.0f} µs: {abbreviate(query)}",
            seconds=later[query][1] / 1000,
            times=1 / misses[query],
            wanted=1 / MAX_GROWTH,
            clock="server",
        )
    for query in sorted(lasting - earlier.keys()):
        yield Row(
            work=work,
            candidate=f"not compared, it runs only now: {abbreviate(query)}",
            seconds=later[query][1] / 1000,
            times=1.0,
            clock="server",
        )


def abbreviate(query: str) -> str:
    """Return the beginning of a statement, and its end, in which similar statements differ."""
    return query if len(query) <= 160 else f"{query[:60]} … {query[-100:]}"
