"""Workers on four machines and their database on a fifth, and random faults of all of them: readers notice nothing of it.

The machines are network namespaces with processes, disks and clocks of their own. They sleep from one due time to the next, so
that a week takes minutes. The same week in peace, by one process, says what every reader must have in the end.
"""

from __future__ import annotations

import math
import os
import random
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import LiteralString

import pytest

from digest.demo.publisher import Publisher
from tests.simulation.fault_plan import REPEATING, Fault, FaultKind, plan_faults
from tests.simulation.many_digests import SECTIONS, load_editions
from tests.simulation.repeats import MailConnection, count_repeats
from tests.simulation.zone_week import (
    BEGINNING,
    ZONES,
    Servers,
    add_zone_readers,
    get_feed_day,
    list_due_times,
    make_week_config,
    make_week_papers,
)
from tests.support.seeds import get_seed
from tests.support.timeouts import PATIENCE
from tests.system.programs.machine_clocks import MachineClocks
from tests.system.programs.machine_faults import Site, WorkerMachine, make_digest_command
from tests.system.programs.network_hosts import NetworkHost, make_network
from tests.system.programs.postgres_host import DATABASE, run_postgres_on
from tests.system.programs.recording_mail_server import Arrival, RecordingMailServer
from tests.worker.conftest import wait_until

pytestmark = [pytest.mark.system, pytest.mark.timeout(5400)]

READERS = int(os.environ.get("DIGEST_TEST_READERS", "120"))
DAYS = int(os.environ.get("DIGEST_TEST_DAYS", "1"))
FAULTS = int(os.environ.get("DIGEST_TEST_FAULTS", "12"))
ZONE_COUNT = int(os.environ.get("DIGEST_TEST_ZONES", "3"))
STOP_SECONDS = float(os.environ.get("DIGEST_TEST_STOP", "80"))
"""How long a stop lasts; others take over what a machine has leased within 75 seconds."""
WORKERS = 4
CONNECTIONS = 2
"""To the mail server, of all machines together."""
BATCH = 10
"""Messages that may be under way on a connection: what a fault can repeat at most."""
WORK_SECONDS = 8.0
"""How long the mails of a due time take if one machine sends them all, so that faults find them under way."""
QUEUE_DELETIONS = 3
"""How often the tables of the job queue are emptied, at every third due time at most: it takes a minute to notice."""
EMPTY_QUEUE: LiteralString = """
    TRUNCATE procrastinate_jobs, procrastinate_events, procrastinate_periodic_defers, procrastinate_workers CASCADE
"""
DEFER_TICK: LiteralString = """
    INSERT INTO procrastinate_jobs (queue_name, task_name, priority, args) VALUES ('tick', 'tick', 6, '{}')
"""
"""Lets some worker look at once what is due, instead of within a minute."""
DUE_RUNS: LiteralString = """
    SELECT (SELECT count(*) FROM slots WHERE next_fire_at <= clock_timestamp())
        + (SELECT count(*) FROM runs WHERE state NOT IN ('composed', 'merged'))
"""
OPEN_WORK: LiteralString = f"""
    SELECT (SELECT count(*) FROM deliveries WHERE state <> 'sent') + ({DUE_RUNS})
"""
STALL_SECONDS = 25.0
"""Seconds without a mail after which all machines sleep for a while: what is left is due later."""
STALL_SLEEP = timedelta(minutes=5)
MAX_STALLS = 10
"""How often they may sleep so, for each due time."""
POLL_SECONDS = 0.05
NEXT_SECONDS = 5
"""Seconds between a due time and the end of the sleep before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Week:
    """What happens in both weeks.

    Attributes:
        due_times: when editions are due.
        publisher: announces papers.
        clocks: the clocks of all machines.
        mails: gets all mails.
    """

    due_times: Sequence[datetime]
    publisher: Publisher
    clocks: MachineClocks
    mails: RecordingMailServer

    def sleep_until(self, instant: datetime) -> None:
        """Let all machines sleep until an instant, unless it is over."""
        if instant > self.clocks.get_time():
            self.clocks.sleep_until(instant)
        self.publisher.day = get_feed_day(self.clocks.get_time())


@dataclass(frozen=True, slots=True, kw_only=True)
class Peace:
    """What the week brings in peace: the mails by due time."""

    arrivals: Sequence[Sequence[Arrival]]

    @property
    def mails(self) -> Sequence[Arrival]:
        """All mails."""
        return [arrival for arrivals in self.arrivals for arrival in arrivals]


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="digest-machines-") as name:
        path = Path(name)
        path.chmod(0o755)  # the database's server is not root
        yield path


@contextmanager
def build_site(folder: Path, logs: Path) -> Iterator[tuple[Week, Site]]:
    """Make the machines, what they need around them, and their database with all readers."""
    zones = ZONES[:ZONE_COUNT]
    with ExitStack() as stack:
        network = stack.enter_context(make_network(folder))
        clocks = stack.enter_context(MachineClocks(folder))
        clocks.sleep_until(BEGINNING)
        mails = RecordingMailServer(network.address)
        stack.enter_context(mails)
        papers = make_week_papers(DAYS)
        publisher = stack.enter_context(
            Publisher(papers, day=get_feed_day(BEGINNING), sections=SECTIONS, host=network.address)
        )
        hosts = [
            network.add_host(number, _make_environment(clocks, number), disk_size="4m")
            for number in range(1, WORKERS + 1)
        ]
        number = WORKERS + 1
        database_host = network.add_host(number, clocks.get_variables(number), disk_size="2g")
        server = stack.enter_context(run_postgres_on(database_host))
        config = make_week_config(
            Servers(server.url, publisher.url, network.address, mails.port), zones, CONNECTIONS
        )
        workers = [_make_worker(host, config, logs, publishes=host is hosts[0]) for host in hosts]
        workers[0].run("db", "upgrade")
        workers[0].run("apply")
        add_zone_readers(server.local_url, READERS)
        workers[0].run("run")  # everybody's first edition
        mails.arrivals.clear()
        site = stack.enter_context(Site(workers=workers, server=server, clocks=clocks))
        due_times = list_due_times(zones, DAYS)
        yield Week(due_times=due_times, publisher=publisher, clocks=clocks, mails=mails), site


def _make_environment(clocks: MachineClocks, number: int) -> dict[str, str]:
    root = str(Path(__file__).parents[2])
    return {**clocks.get_variables(number), "PYTHONPATH": root, "PYTHONUNBUFFERED": "1"}


def _make_worker(host: NetworkHost, config: str, logs: Path, *, publishes: bool) -> WorkerMachine:
    (host.disk / "digest.toml").write_text(config, encoding="utf-8")
    queues = "alert,pull,match,compose,deliver" + ",publish" * publishes
    command = [*make_digest_command(host), "worker", "--queues", queues, "--log-format", "json"]
    return WorkerMachine(host, command, logs / f"{host.address}.log")


# --- peace ----------------------------------------------------------------------------------------


def live_in_peace(week: Week, site: Site) -> Peace:
    """Let one machine do everything, one command at each due time."""
    arrivals = []
    for due_time in week.due_times:
        week.sleep_until(due_time + timedelta(seconds=NEXT_SECONDS))
        site.workers[0].run("run")
        arrivals.append(tuple(week.mails.arrivals))
        week.mails.arrivals.clear()
    return Peace(arrivals=arrivals)


# --- faults ---------------------------------------------------------------------------------------


@dataclass(slots=True, kw_only=True)
class Disturbance:
    """The week with faults.

    Attributes:
        stalls: how often all machines slept because nothing was left to do but later.
    """

    week: Week
    site: Site
    stalls: int = 0
    _arrived: set[tuple[str, str]] = field(default_factory=set)
    _read: int = 0

    def live(self, expected: set[tuple[str, str]], faults: Sequence[Fault], *, empties_queue: bool) -> None:
        """Wait for the mails of a due time, with faults meanwhile.

        Args:
            expected: all mails that must have arrived then.
            faults: the faults.
            empties_queue: whether the tables of the job queue are emptied, too.
        """
        began_at = progress_at = time.monotonic()
        first, waiting = self._count(), list(faults)
        statement = EMPTY_QUEUE if empties_queue else DEFER_TICK
        while not self.site.server.try_to_execute(statement):
            self.site.tend()
            time.sleep(POLL_SECONDS)
        while waiting or not expected <= self._arrived or self._has_due_runs():
            self.site.tend()
            now, before = time.monotonic(), len(self._arrived)
            arrived = self._count() - first
            if len(self._arrived) > before or self.site.has_faults:
                progress_at = now
            seconds = now - began_at
            # Some mails may have come before the machines woke up, by a clock that was ahead.
            mails = math.inf if expected <= self._arrived else arrived
            for fault in [one for one in waiting if one.is_due(mails, seconds)]:
                waiting.remove(fault)
                print(f"{seconds:6.1f} s, {arrived} mails: {fault}", flush=True)  # noqa: T201
                arrivals = self.week.mails.arrivals
                self.site.throw(fault, arrivals[-1].address if arrivals else "")
            if now - progress_at > STALL_SECONDS:
                lost = expected - self._arrived
                assert not lost or self.site.server.count(OPEN_WORK) != 0, f"never sent: {sorted(lost)}"
                self.stalls += 1
                assert self.stalls < MAX_STALLS * len(self.week.due_times), "nothing goes on any more"
                self.week.sleep_until(self.week.clocks.get_time() + STALL_SLEEP)
                progress_at = now
            time.sleep(POLL_SECONDS)

    def _has_due_runs(self) -> bool:
        """Whether editions are due that have not been composed."""
        return self.site.server.count(DUE_RUNS) != 0

    def _count(self) -> int:
        fresh = self.week.mails.arrivals[self._read :]
        self._read += len(fresh)
        self._arrived.update(arrival.key for arrival in fresh)
        return len(self._arrived)


# --- the test -------------------------------------------------------------------------------------


def test_random_faults_of_five_machines_change_nothing_for_readers(folder: Path, tmp_path: Path) -> None:
    seed = get_seed()
    chance = random.Random(seed)
    with build_site(folder, tmp_path) as (week, site):
        server = site.server
        server.copy_database(DATABASE, "beginning")
        began_at = time.monotonic()
        peace = live_in_peace(week, site)
        print(f"peace: {time.monotonic() - began_at:.0f} s", flush=True)  # noqa: T201
        server.rename_database(DATABASE, "peace")
        server.rename_database("beginning", DATABASE)
        server.stop("fast")
        week.clocks.sleep_until(BEGINNING)
        server.start()

        mail_counts = [len(arrivals) for arrivals in peace.arrivals]
        calm = max(number for number, count in enumerate(mail_counts) if count)
        faulty_counts = [*mail_counts[:calm], 0, *mail_counts[calm + 1 :]]
        plan = plan_faults(chance, FAULTS, faulty_counts, WORKERS, STOP_SECONDS)
        deletions = set(chance.sample(range(len(plan)), min(QUEUE_DELETIONS, -(-len(plan) // 3))))
        for worker in site.workers:
            worker.start()
        wait_until(lambda: server.execute("SELECT count(*) FROM workers") == [(WORKERS,)])
        disturbance = Disturbance(week=week, site=site)
        began_at, expected = time.monotonic(), set[tuple[str, str]]()
        for number, (due_time, faults) in enumerate(zip(week.due_times, plan, strict=True)):
            week.mails.seconds = WORK_SECONDS * CONNECTIONS / max(1, mail_counts[number])
            week.sleep_until(due_time + timedelta(seconds=NEXT_SECONDS))
            expected |= {arrival.key for arrival in peace.arrivals[number]}
            print(f"{due_time:%a %H:%M} UTC, {mail_counts[number]} mails", flush=True)  # noqa: T201
            if number == calm:
                site.end_faults()
                # The server closes connections of machines that were cut off after five minutes.
                wait_until(lambda: week.mails.open_connections == 0, 2 * PATIENCE)
                week.mails.most_at_once = 0
            disturbance.live(expected, faults, empties_queue=number in deletions)
        assert 1 <= week.mails.most_at_once <= CONNECTIONS, "the machines share the server's connections"
        print(f"faults: {time.monotonic() - began_at:.0f} s", flush=True)  # noqa: T201
        wait_until_settled(site)
        for worker in site.workers:
            worker.stop()
        assert_readers_have_the_same(peace.mails, week.mails.arrivals)
        repeats = assert_repeats_allowed(week.mails.arrivals, site.counts)
        peaceful_url = server.local_url.replace(f"/{DATABASE}?", "/peace?")
        assert load_editions(server.local_url) == load_editions(peaceful_url)
    summary = (
        f"{sum(site.counts.values())} faults and {len(deletions)} emptied queues, {len(peace.mails)} mails"
    )
    drops = len(site.server.proxy.dropped)
    assert drops or not any(kind is FaultKind.DROP for kind, _ in site.counts)
    print(f"{summary}, {drops} commits dropped, {repeats} repeats, {disturbance.stalls} waits for later")  # noqa: T201


def wait_until_settled(site: Site) -> None:
    """Wait until the database knows that everything was sent."""
    statement: LiteralString = "SELECT count(*) FROM deliveries WHERE state <> 'sent'"

    def is_settled() -> bool:
        site.tend()
        return site.server.count(statement) == 0

    wait_until(is_settled)


def assert_readers_have_the_same(peaceful: Sequence[Arrival], disturbed: Sequence[Arrival]) -> None:
    """Everybody got the same mails with the same papers, whatever came again."""
    counts = Counter(arrival.key for arrival in peaceful)
    assert set(counts.values()) == {1}
    expected = {arrival.key: arrival.papers for arrival in peaceful}
    assert {arrival.key for arrival in disturbed} == expected.keys()
    for arrival in disturbed:
        assert arrival.papers == expected[arrival.key], arrival
    papers_by_reader = Counter((arrival.recipient, paper) for arrival in peaceful for paper in arrival.papers)
    assert set(papers_by_reader.values()) == {1}, "a week in peace brings each paper once"


def assert_repeats_allowed(arrivals: Sequence[Arrival], counts: Counter[tuple[FaultKind, str]]) -> int:
    """What came again is the same mail, at most a batch of each connection that a fault explains; returns how many."""
    fault_counts = Counter[str]()
    for (kind, address), count in counts.items():
        fault_counts[address] += count * (kind in REPEATING)
    copies: dict[tuple[str, str], list[Arrival]] = {}
    for arrival in arrivals:
        copies.setdefault(arrival.key, []).append(arrival)
    repeated = [same for same in copies.values() if len(same) > 1]
    for same in repeated:
        assert len({arrival.content_hash for arrival in same}) == 1, "a repeat is the same mail, byte by byte"
    repeats = count_repeats(
        [[MailConnection(arrival.address, arrival.connection) for arrival in same] for same in repeated],
        fault_counts,
        BATCH,
    )
    assert max(repeats.values(), default=0) <= BATCH, f"more than a batch of one connection: {repeats}"
    for address, connections in Counter(address for address, _ in repeats).items():
        allowed = CONNECTIONS * fault_counts[address]
        assert connections <= allowed, f"mails of {address} came again that no fault explains: {repeats}"
    return repeats.total()
