"""A first import of readers into an empty database: digests with their follows, and libraries; SQLite and PostgreSQL.

The peer is the driver alone: it writes the rows that the import left, ready made, into an empty database of the same
tables, by ``executemany`` on SQLite and by COPY with psycopg on PostgreSQL, in transactions of a few thousand rows. The CPU
of PostgreSQL's server process counts for both.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice
from json import dumps
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

from sqlalchemy.engine import Engine

from benchmarks.measure import Result, Row
from benchmarks.signup import make_public_digest
from digest.config import Destination, DigestSettings, FollowSettings, Settings, read_settings
from digest.core.subscribers.library.queries import build_library_query
from digest.core.subscribers.own_digest import OwnFollow
from digest.core.times.schedule import parse_schedule
from digest.jobs.operations.sync_config import apply_config
from digest.jobs.subscribers.own_digests import OwnDigestEditor
from digest.model import AddressKind, DigestOptions, PaperKey
from digest.store.database.dialect import make_engine
from digest.store.database.engine import Store, upgrade
from digest.store.subscribers.public_digests import NewSubscriber, subscribe_readers
from tests.support.postgres import start_postgres

DIGESTS = 100_000
LIBRARIES = 1_000
PAPERS = 1_000
"""Papers of a library."""
MOST = 1 / 3
"""The least share of the driver's speed: an import may take three times its CPU."""
TRANSACTION = 5_000
"""Rows in a transaction of the driver."""
NOW = datetime(2026, 6, 12, 5, 30, tzinfo=UTC)
TABLES = ("subscribers", "slots", "queries", "digests", "destinations", "follows", "declarations")
"""Tables that an import fills, each after those that it refers to."""
HEAD = """
[[source]]
use = "arxiv"
categories = ["cs.LG"]

[smtp]
host = "localhost"
security = "none"
from = "digest@example.org"

[[digest]]
name = "first"
to = ["first@example.org"]
schedule = "weekdays 07:30"
timezone = "UTC"
keywords = ["first"]
"""
PUBLIC_DIGEST = make_public_digest("public", ["first"])
"""The digest of each reader who imports a library on the site."""
Import = Callable[[Store], None]


def run(*, small: bool) -> Result:
    """Measure all imports on both databases."""
    readers, libraries, papers = (200, 3, 50) if small else (DIGESTS, LIBRARIES, PAPERS)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="digest-benchmark-")))
        (folder / "digest.toml").write_text(HEAD, "utf-8")
        settings = read_settings(folder / "digest.toml", {})
        server = stack.enter_context(start_postgres())
        urls = (f"sqlite:///{folder}/{number}.db" for number in range(100))
        imports = _make_imports(settings, readers, libraries, papers)
        rows = [
            *_measure("SQLite", imports, lambda: next(urls)),
            *_measure("PostgreSQL", imports, server.create),
        ]
    return Result(title="a first import", rows=tuple(rows))


# --- what is imported -----------------------------------------------------------------------------


def _make_imports(settings: Settings, readers: int, libraries: int, papers: int) -> Mapping[str, Import]:
    """Return the imports by name."""
    shared_words = [_make_digest(number, _make_follows(number)) for number in range(readers)]
    own_words = [_make_digest(number, _make_own_follows(number)) for number in range(readers // 10)]
    chance = Random(1)
    lists = [_make_library(chance, papers, libraries * papers // 10) for _ in range(libraries)]
    site_follows = [[OwnFollow(text=key, query=build_library_query(key)) for key in keys] for keys in lists]
    with_library = [_make_digest(number, _follow_library(keys)) for number, keys in enumerate(lists)]
    return {
        f"{readers:,} digests": lambda store: _apply(store, settings, shared_words),
        f"{readers // 10:,}, no query shared": lambda store: _apply(store, settings, own_words),
        f"{libraries:,} libraries": lambda store: _apply(store, settings, with_library),
        f"{libraries:,} on the site": lambda store: _import_on_site(store, site_follows),
    }


def _make_digest(number: int, follows: tuple[FollowSettings, ...]) -> DigestSettings:
    address = f"reader-{number}@example.org"
    zone = ("Europe/Berlin", "America/New_York", "Asia/Shanghai")[number % 3]
    return DigestSettings(
        name=f"reader-{number}",
        title=f"reader-{number}",
        destinations=(Destination(channel="smtp", kind=AddressKind.MAILBOX, address=address),),
        schedule=parse_schedule(f"weekdays {7 + number % 3:02}:{number % 4 * 15:02}", zone=zone),
        options=DigestOptions(timezone=zone),
        follows=follows,
    )


def _make_follows(number: int) -> tuple[FollowSettings, ...]:
    """Return 3.2 follows, on average; a few thousand queries are shared by all readers."""
    texts = ['"mixture of experts"', f'"word{number % 2000} cache"', f'author:"Wei Wang{number % 300}"']
    texts += [f"word{number % 700}"] if number % 5 == 0 else []
    return tuple(FollowSettings(text=text, query=text) for text in texts)


def _make_own_follows(number: int) -> tuple[FollowSettings, ...]:
    """Return follows that nobody else has."""
    texts = [f'"word{number} cache"', f'"cache word{number}"', f'author:"Wei Wang{number}"']
    return tuple(FollowSettings(text=text, query=text) for text in texts)


def _make_library(chance: Random, papers: int, known_papers: int) -> list[PaperKey]:
    numbers = chance.sample(range(known_papers), min(papers, known_papers))
    return [PaperKey(f"arxiv:20{1 + number // 50_000:02}.{1 + number % 50_000:05}") for number in numbers]


def _follow_library(keys: Sequence[PaperKey]) -> tuple[FollowSettings, ...]:
    return tuple(FollowSettings(text=key, query=build_library_query(key)) for key in keys)


def _apply(store: Store, settings: Settings, digests: Sequence[DigestSettings]) -> None:
    apply_config(store, replace(settings, digests=tuple(digests)), {}, NOW, allows_other_file=False)


def _import_on_site(store: Store, libraries: Sequence[Sequence[OwnFollow]]) -> None:
    """Let each of some readers import a library into a digest of their own."""
    readers = [
        NewSubscriber(address=f"reader-{number}@example.org", language="en", zone="UTC")
        for number in range(len(libraries))
    ]
    with store.begin_planning() as tx:
        subscribe_readers(tx, PUBLIC_DIGEST, readers, NOW, 0)
        owners = tx.exec_driver_sql("SELECT subscriber_id, id FROM digests ORDER BY id").all()
    for (subscriber, digest_id), follows in zip(owners, libraries, strict=True):
        OwnDigestEditor(store=store, subscriber=subscriber, now=NOW).import_follows(digest_id, follows)


# --- measurement ----------------------------------------------------------------------------------


def _measure(database: str, imports: Mapping[str, Import], make_url: Callable[[], str]) -> Iterator[Row]:
    for name, run_import in imports.items():
        store = _open_empty(make_url())
        clock = _make_clock(store.engine)
        begun = clock()
        run_import(store)
        ours = clock() - begun
        rows = _list_rows(store.engine)
        store.close()
        empty = _open_empty(make_url())
        clock = _make_clock(empty.engine)
        begun = clock()
        _write_rows(empty.engine, rows)
        driver = clock() - begun
        empty.close()
        count = sum(len(table_rows) for _, table_rows in rows.values())
        work = f"{database}, {name}"
        yield Row(work=work, candidate=f"the driver, {count:,} rows", seconds=driver, times=1.0)
        yield Row(
            work=work,
            candidate="digest",
            seconds=ours,
            times=driver / ours,
            wanted=MOST,
        )


def _open_empty(url: str) -> Store:
    engine = make_engine(url)
    upgrade(engine)
    engine.dispose()
    return Store(engine)


def _make_clock(engine: Engine) -> Callable[[], float]:
    """Return a function that counts the CPU seconds of this process and of its server process."""
    if engine.dialect.name == "sqlite":
        return process_time
    with engine.connect() as connection:
        server = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
    on_cpu = Path(f"/proc/{server}/schedstat")  # nanoseconds on a CPU come first (proc(5))
    return lambda: process_time() + int(on_cpu.read_text("utf-8").split()[0]) / 1e9


_Rows = Mapping[str, tuple[Sequence[str], Sequence[tuple[Any, ...]]]]
"""Columns and rows by table."""


def _list_rows(engine: Engine) -> _Rows:
    with engine.connect() as connection:
        cursors = {name: connection.exec_driver_sql(f"SELECT * FROM {name} ORDER BY 1") for name in TABLES}
        return {
            name: (list(cursor.keys()), [tuple(map(_to_driver_value, row)) for row in cursor])
            for name, cursor in cursors.items()
        }


def _to_driver_value(value: Any) -> Any:
    """Return the text of a list, which psycopg reads from a JSON column."""
    return dumps(value) if isinstance(value, list) else value


def _write_rows(engine: Engine, rows: _Rows) -> None:
    """Write all rows by the driver alone, through a connection that is configured as ours are."""
    raw = engine.raw_connection()
    driver = raw.driver_connection
    for name, (columns, table_rows) in rows.items():
        remaining = iter(table_rows)
        names = ", ".join(f'"{column}"' for column in columns)
        while portion := list(islice(remaining, TRANSACTION)):
            if isinstance(driver, sqlite3.Connection):
                places = ", ".join("?" * len(columns))
                driver.execute("BEGIN IMMEDIATE")
                driver.executemany(f"INSERT INTO {name} ({names}) VALUES ({places})", portion)
            else:
                assert driver is not None
                with driver.cursor().copy(f"COPY {name} ({names}) FROM STDIN") as copy:
                    for row in portion:
                        copy.write_row(row)
            driver.commit()
    raw.close()
