"""An unchanged file of 20,000 digests, applied again: nothing is written.

The limit is half a second of CPU. What comes before it in each `digest run` is shown beside it: reading the TOML alone, and
reading the file with all its checks.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tomllib import loads

from sqlalchemy import insert, select

from benchmarks.measure import Result, Row, cpu_seconds
from digest.config import Settings, read_settings
from digest.jobs.operations.sync_config import apply_config
from digest.store.database.engine import Store, open_store
from digest.store.database.tables.digests import declarations, digests
from digest.store.subscribers.config_sync import hash_declaration

DIGESTS = 20_000
APPLIED = "digest, applied again"
LIMIT = 0.5
"""CPU seconds that applying may take."""
NOW = datetime(2026, 6, 12, 5, 30, tzinfo=UTC)
HEAD = """
[[source]]
use = "arxiv"
categories = ["cs.LG"]

[smtp]
host = "localhost"
security = "none"
from = "digest@example.org"
"""
DIGEST = """
[[digest]]
name = "reader-{number}"
to = ["reader-{number}@example.org"]
schedule = "weekdays 07:30"
timezone = "Europe/Berlin"
keywords = ["mixture of experts", "word{word} cache"]
authors = ["Wei Wang{author}"]
"""


def run(*, small: bool) -> Result:
    """Measure a file that was applied before."""
    number, repeats = (100, 1) if small else (DIGESTS, 5)
    with tempfile.TemporaryDirectory(prefix="digest-benchmark-") as folder:
        path, database = Path(folder) / "digest.toml", Path(folder) / "digest.db"
        each = (DIGEST.format(number=one, word=one % 2000, author=one % 300) for one in range(number))
        path.write_text(HEAD + "".join(each), "utf-8")
        text, settings = path.read_text("utf-8"), read_settings(path, {})
        store = open_store(settings.store, NOW)
        _apply_all(store, settings)
        candidates = {
            APPLIED: lambda: apply_config(store, settings, {}, NOW, allows_other_file=False),
            "tomllib alone": lambda: loads(text),
        }
        with closing(sqlite3.connect(database)) as other:
            before = _version(other)
            taken = cpu_seconds(candidates, repeats=repeats)
            assert _version(other) == before, "it was written to"
        taken |= cpu_seconds({"the file read and checked": lambda: read_settings(path, {})}, repeats=1)
        store.close()
    return Result(title="an unchanged file applied again", rows=tuple(_rows(f"{number:,} digests", taken)))


def _apply_all(store: Store, settings: Settings) -> None:
    """Bring a store to where applying a file leaves it, as far as the next time looks at it; that itself takes minutes."""
    first, *others = settings.digests
    apply_config(store, replace(settings, digests=(first,)), {}, NOW, allows_other_file=False)
    with store.begin_write() as tx:
        like = dict(tx.execute(select(digests)).mappings().one())
        like.pop("id")
        tx.execute(insert(digests), [like | {"name": one.name} for one in others])
        numbers = {name: number for number, name in tx.execute(select(digests.c.id, digests.c.name))}
        kept = [{"digest_id": numbers[one.name], "hash": hash_declaration(one)} for one in others]
        tx.execute(insert(declarations), kept)


def _version(connection: sqlite3.Connection) -> int:
    """Another number after somebody else wrote to the database."""
    version: int = connection.execute("PRAGMA data_version").fetchone()[0]
    return version


def _rows(work: str, taken: Mapping[str, float]) -> Iterator[Row]:
    yield Row(work=work, candidate="the limit", seconds=LIMIT, times=1.0)
    for name, seconds in taken.items():
        wanted = 1.0 if name == APPLIED else None
        yield Row(work=work, candidate=name, seconds=seconds, times=LIMIT / seconds, wanted=wanted)
