"""The turns at which hosts were asked, as the store granted them: what happens on the way to a host is not in them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

_LOG = """
    CREATE TABLE turns_for_tests (bucket TEXT, next_at TEXT);
    CREATE TRIGGER log_turns AFTER UPDATE OF busy_until ON buckets WHEN new.busy_until IS NOT NULL
    BEGIN INSERT INTO turns_for_tests VALUES (new.name, new.next_at); END;
"""


def log_turns(database: Path) -> None:
    """Let a SQLite database note every turn that is granted from now on; it must have our tables."""
    with closing(sqlite3.connect(database)) as connection:
        connection.executescript(_LOG)


def measure_gaps_between_turns(database: Path) -> list[timedelta]:
    """Give the time from each turn of the one host that was asked to the next one."""
    with closing(sqlite3.connect(database)) as connection:
        rows = connection.execute("SELECT bucket, next_at FROM turns_for_tests ORDER BY rowid").fetchall()
    assert len({bucket for bucket, _ in rows}) == 1
    # A turn sets `next_at` to its own time and the pace, so their differences are those of the turns.
    return [later - sooner for sooner, later in pairwise(datetime.fromisoformat(at) for _, at in rows)]
