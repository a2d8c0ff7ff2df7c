"""A day as a whole: from the bytes of a real feed to mail that a server took, for one subscriber and for many.

The real command, a process of its own, does what ``digest run`` does in the morning: asks, reads, keeps, matches, composes,
renders and delivers, over loopback to a sink that takes everything. The peer in the same run is what an able engineer
writes in a day (``benchmarks.plain_digest``), for some of the same readers; how much of what either finds is found by both
stands beside it. Its seconds are reckoned for as many digests as were sent. At the end a run of ours is killed at
half time, and what the next one makes of it is counted.

``DIGEST_BENCHMARK_SUBSCRIBERS=200000`` shows that many, too.
"""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from random import Random

from sqlalchemy import insert, select

from benchmarks.measure import Result, Row, children, recorded
from benchmarks.mix import available, poisson, queries
from benchmarks.plain_digest import PlainDay, send_day
from benchmarks.sink import Sink, sink
from digest.demo.publisher import Publisher, replace_body
from digest.store.database.engine import Store, open_store
from digest.store.database.tables.digests import deliveries, destinations, digests, follows, subscribers
from digest.store.database.tables.digests import editions as edition_rows
from digest.store.editions import editions
from digest.store.matching import matches

SIZES = (1, 1_000, 20_000, 200_000)
MOST = int(os.environ.get("DIGEST_BENCHMARK_SUBSCRIBERS", "20000"))
KILLED = 2_000
"""Subscribers of the run that is killed."""
MANY = 200_000
"""From so many subscribers on it is judged: below, what is made once for all counts for too much."""
PEER, PEERS = "the plain program", 1_000
"""Readers that it serves: so many say what one takes."""
LEAST_SAME = 0.9
"""Of what either finds. It knows fewer forms of words and of names."""
FEED, DAY = "arxiv/rss_rendered/2026-03-17_rss_cs.xml", date(2026, 3, 17)
LIMIT = 20
CONNECTIONS = 8
CONFIG = """
[[source]]
use = "arxiv"
routes = ["rss"]
categories = ["cs"]
url = "{url}/rss/"
pace = 0

[smtp]
host = "127.0.0.1"
port = {port}
security = "none"
from = "Digest <digest@example.org>"
connections = {connections}

[delivery]
unusual = 0

[site]
url = "https://digest.example.org"

[[digest]]
name = "first"
to = ["first@example.org"]
schedule = "daily 07:30"
timezone = "Europe/Berlin"
limit = {limit}
queries = ["zyzzyva"]
"""
MORNING = f"{DAY}T07:31+01:00"
WANTED_TIMES, WANTED_SPEED = 5.0, 1_000


def run(*, small: bool) -> Result:
    """Measure each size, beside the straightforward way, and a run that is killed."""
    title = "a whole day, from the feed's bytes to accepted mail"
    feeds = recorded(FEED)
    if feeds is None or not available():
        return Result(title=f"{title}: not run, the recorded listings are not here")
    (feed,) = feeds
    rows: list[Row] = []
    for size in (50,) if small else [size for size in SIZES if size <= MOST]:
        with _morning(size, feed) as morning:
            done = _run(morning)
            rows += _rows(size, done, *_plainly(morning, feed))
    return Result(title=title, rows=(*rows, _killed(60 if small else KILLED, feed)))


def _rows(size: int, done: Done, plain: PlainDay, same: float) -> list[Row]:
    """What a run took, all its steps and its imports included, by what a digest takes the plain program."""
    work = f"{size:,} subscribers"
    each = done.cpu / max(done.mails, 1)
    by_peer = plain.seconds / len(plain.found) + plain.reading / max(done.mails, 1)
    assert same > LEAST_SAME, f"of what both find only {same:.0%} is found by both"
    return [
        Row(work=work, candidate=f"{PEER}, {same:.0%} the same", seconds=by_peer * done.mails, times=1.0),
        Row(
            work=work,
            candidate=f"{done.mails:,} digests, {each * 1e6:,.0f} µs each, {done.memory:,.0f} MB",
            seconds=done.cpu,
            times=by_peer / each,
            wanted=WANTED_TIMES if size >= MANY else None,
        ),
        Row(
            work=work,
            candidate=f"{done.mails / done.wall:,.0f} digests a second, against {WANTED_SPEED:,}",
            seconds=done.wall,
            times=done.mails / done.wall / WANTED_SPEED,
            wanted=1.0 if size >= MANY else None,
            clock="wall",
        ),
    ]


# --- the morning ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Morning:
    """A store with subscribers as it was the evening before, and a publisher with today's feed."""

    folder: Path
    sink: Sink

    @contextmanager
    def store(self) -> Iterator[Store]:
        """Its store."""
        opened = open_store(f"sqlite:///{self.folder}/digest.db", datetime.now(UTC))
        try:
            yield opened
        finally:
            opened.close()


@contextmanager
def _morning(size: int, feed: bytes) -> Iterator[Morning]:
    """The store is made, and its queries were matched with the day before."""
    with (
        tempfile.TemporaryDirectory() as name,
        Publisher([], day=DAY, sections=["cs"]) as publisher,
        sink(Path(name)) as mails,
    ):
        folder = Path(name)
        config = CONFIG.format(url=publisher.url, port=mails.port, connections=CONNECTIONS, limit=LIMIT)
        (folder / "digest.toml").write_text(config, encoding="utf-8")
        # The day before is known, or today could not be checked, and all would be told so.
        publisher.day = DAY - timedelta(days=1)
        evening = f"{publisher.day}T07:31+01:00"
        _digest(folder, "run", "--now", evening).wait()
        morning = Morning(folder=folder, sink=mails)
        with morning.store() as store:
            add_subscribers(store, size)
        _digest(folder, "match", "--now", evening).wait()
        publisher.day = DAY
        publisher.faults = {"cs": replace_body(feed, "application/rss+xml")}
        yield morning


def add_subscribers(store: Store, size: int) -> None:
    """Subscribers as they turn out: 1 + Poisson(2.2) follows each, some queries with many followers and most with few."""
    random = Random(3)
    texts = list(map(str, queries(max(10, size * 2 // 3))))
    wanted = [
        {
            int(len(texts) * random.random() ** 2): random.random() < 0.05
            for _ in range(1 + poisson(random, 2.2))
        }
        for _ in range(size)
    ]
    with store.begin_planning() as tx:
        numbers = matches.require_queries(tx, dict.fromkeys(texts, 0))
        (first,) = (row._asdict() for row in tx.execute(select(digests)))
        ids = range(first["id"] + 1, first["id"] + 1 + size)
        tx.execute(
            insert(subscribers), [{"id": number, "address": f"{number}@example.org"} for number in ids]
        )
        mine = {"made_by": "web", "name": "papers", "title": "New papers"}
        tx.execute(insert(digests), [first | mine | {"id": one, "subscriber_id": one} for one in ids])
        ways = [
            {"digest_id": one, "channel": "smtp", "address": f"{one}@example.org", "domain": "example.org"}
            for one in ids
        ]
        tx.execute(insert(destinations), [way | {"state": "active"} for way in ways])
        tx.execute(
            insert(follows),
            [
                {
                    "digest_id": one,
                    "query_id": numbers[texts[place]],
                    "text": texts[place],
                    "weight": 1.0,
                    "exclude": exclude and len(chosen) > 1,
                    "started_seq": 0,
                }
                for one, chosen in zip(ids, wanted, strict=True)
                for place, exclude in chosen.items()
            ],
        )


def _digest(folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
    """The command as pip installs it."""
    environ = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}
    code = "from digest.cli import main; main()"
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.Popen(command, cwd=folder, env=environ, stdout=subprocess.DEVNULL)


# --- ours -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What a run came to: seconds of CPU and by the clock, mails taken, and the most memory of all its processes in megabytes."""

    cpu: float
    wall: float
    mails: int
    memory: float


def _run(morning: Morning) -> Done:
    before, cpu, begun = len(morning.sink.messages()), children(), time.perf_counter()
    process = _digest(morning.folder, "run", "--now", MORNING)
    memory = 0.0
    while process.poll() is None:
        memory = max(memory, _megabytes(process.pid))
        with suppress(subprocess.TimeoutExpired):  # to look takes time that the run is then without
            process.wait(timeout=0.25)
    wall, cpu = time.perf_counter() - begun, children() - cpu
    assert process.returncode == 0, process.returncode
    return Done(cpu=cpu, wall=wall, mails=len(morning.sink.messages()) - before, memory=memory)


def _megabytes(pid: int) -> float:
    """What a process has in memory, and those that it started: of these without the files that it reads itself, too.

    What ``getrusage`` says of children is no less than what their parent had.
    """
    pages, _ = _pages(pid)
    for each, of_files in map(_pages, _started_by(pid)):
        pages += each - of_files
    return pages * resource.getpagesize() / 1e6


def _pages(pid: int) -> tuple[int, int]:
    """The pages that a process has in memory, and those of them that are of files: proc_pid_statm(5)."""
    try:
        _, resident, of_files, *_ = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()
    except (OSError, ValueError):
        return 0, 0  # it has ended
    return int(resident), int(of_files)


def _started_by(parent: int) -> Iterator[int]:
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, IndexError):  # it has ended
            # Behind the name, which may have blanks in it, are the state and the parent: proc_pid_stat(5).
            if int((folder / "stat").read_text(errors="replace").rpartition(")")[2].split()[1]) == parent:
                yield int(folder.name)


# --- the peer -------------------------------------------------------------------------------------


def _plainly(morning: Morning, feed: bytes) -> tuple[PlainDay, float]:
    """What the plain program does for some of the readers, and which share of what both find is found by both."""
    with morning.store() as store, store.begin_read() as tx:
        asked: dict[int, list[tuple[str, bool]]] = {}
        wanted = select(follows.c.digest_id, follows.c.text, follows.c.exclude).join(digests)
        mine = wanted.where(digests.c.made_by == "web").order_by(follows.c.digest_id)
        for row in tx.execute(mine):
            if row.digest_id not in asked and len(asked) == PEERS:
                break
            asked.setdefault(row.digest_id, []).append((row.text, row.exclude))
        statement = select(edition_rows.c.id, edition_rows.c.digest_id)
        chosen = list(tx.execute(statement.where(edition_rows.c.digest_id.in_(asked))))
        made = editions.load_editions(tx, [row.id for row in chosen])
    ours = {
        row.digest_id: {item.paper.key for item in (*made[row.id].items, *made[row.id].overflow)}
        for row in chosen
    }
    with tempfile.TemporaryDirectory() as folder:
        day = send_day(f"sqlite:///{folder}/plain.db", feed, asked, morning.sink.port)
    whole = asked.keys() - {row.digest_id for row in chosen if made[row.id].dropped}
    pairs = [
        {(reader, key) for reader in whole for key in each.get(reader, ())} for each in (ours, day.found)
    ]
    return day, len(pairs[0] & pairs[1]) / len(pairs[0] | pairs[1])


# --- killed at half time --------------------------------------------------------------------------


def _killed(size: int, feed: bytes) -> Row:
    """What a run that is killed, and the one after it, come to."""
    with _morning(size, feed) as morning:
        begun = children()
        first = _digest(morning.folder, "run", "--now", MORNING)
        half = size * 3 // 10  # about two in three readers get something
        while first.poll() is None and len(morning.sink.messages()) < half:
            time.sleep(0.005)
        first.send_signal(signal.SIGKILL)
        first.wait()
        at_the_kill = len(morning.sink.messages())
        assert _digest(morning.folder, "run", "--now", MORNING).wait() == 0
        taken = morning.sink.messages()
        with morning.store() as store, store.begin_read() as tx:
            due = select(destinations.c.address).join(deliveries).where(deliveries.c.state == "sent")
            expected = set(tx.execute(due).scalars())
        cpu = children() - begun
    copies = Counter(recipient for recipient, _ in taken)
    lost = len(expected - copies.keys())
    repeats = [recipient for recipient, count in copies.items() if count > 1]
    ids: Mapping[str, set[str]] = {one: {number for who, number in taken if who == one} for one in repeats}
    assert lost == 0, f"{lost} lost"
    assert all(len(numbers) == 1 for numbers in ids.values()), "a repeat has another Message-ID"
    assert len(taken) - len(copies) <= 10 * CONNECTIONS, "more than ten a connection came twice"
    return Row(
        work=f"killed after {at_the_kill:,} of {len(expected):,}",
        candidate=f"lost 0, repeated {len(taken) - len(copies)}, of {10 * CONNECTIONS} at most",
        seconds=cpu,
        times=1.0,
    )
