"""Upgrades of a PostgreSQL on which others work."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime
from pathlib import Path

import pytest
from sqlalchemy import Connection, insert, inspect, text

from digest.store.database import clock, dialect, migrations
from digest.store.database.compatibility import COMPATIBLE_NOTE, exclude_older
from digest.store.database.dialect import make_engine
from digest.store.database.engine import (
    LATEST_MIGRATION,
    Store,
    migrate_to,
    read_compatible_since,
    read_version,
    upgrade,
)
from digest.store.database.migrations import job_tables
from digest.store.database.tables import processes as process_tables
from digest.store.workers import workers
from digest.store.workers.workers import Worker
from tests.store.factories import find_schema_differences
from tests.support.postgres import Postgres
from tests.support.workspace import Workspace

VERSIONS = Path(migrations.__file__).parent / "versions"
BEFORE = "0036"


@pytest.fixture
def old_store(postgres: Postgres) -> Iterator[Store]:
    """A database of the last release."""
    url = postgres.create()
    engine = make_engine(url)
    migrate_to(engine, BEFORE)
    yield Store(engine)
    engine.dispose()
    postgres.drop(url)


def format_url(store: Store) -> str:
    return store.engine.url.render_as_string(hide_password=False)


def list_differences(store: Store) -> list[object]:
    with store.begin_read() as tx:
        return find_schema_differences(tx)


def test_an_upgrade_that_was_stopped_between_two_migrations_goes_on(old_store: Store) -> None:
    migrate_to(old_store.engine, "0039")
    assert read_version(old_store.engine) == "0039"

    upgrade(old_store.engine)

    assert read_version(old_store.engine) == LATEST_MIGRATION
    assert list_differences(old_store) == []


def test_an_index_whose_creation_was_stopped_is_created_again(old_store: Store) -> None:
    with old_store.begin_write() as tx:
        tx.execute(text("CREATE INDEX ix_digests_standing ON digests (id)"))
        tx.execute(
            text("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'ix_digests_standing'::regclass")
        )

    upgrade(old_store.engine)

    assert list_differences(old_store) == []


_LOCKED = """
    SELECT relation::regclass::text FROM pg_locks JOIN pg_class ON pg_class.oid = relation
    WHERE pid = pg_backend_pid() AND mode = 'AccessExclusiveLock' AND relkind = 'r'
"""


def test_no_migration_keeps_one_table_locked_while_it_waits_for_another(
    old_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    earlier_tables: set[str] = set()
    locked: dict[str, set[str]] = {}
    begin, end = dialect.begin_rebuilding, dialect.end_rebuilding

    def note_tables(connection: Connection) -> None:
        begin(connection)
        earlier_tables.update(inspect(connection).get_table_names())

    def note_locks(connection: Connection) -> None:
        version = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar_one()
        locked[version] = earlier_tables & set(connection.exec_driver_sql(_LOCKED).scalars())
        end(connection)

    monkeypatch.setattr(migrations, "begin_rebuilding", note_tables)
    monkeypatch.setattr(migrations, "end_rebuilding", note_locks)

    upgrade(old_store.engine)

    assert locked[LATEST_MIGRATION] == {"shards"}
    assert {version: tables for version, tables in locked.items() if len(tables) > 1} == {}


def test_others_read_and_write_while_an_upgrade_waits_for_a_table(
    old_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrations, "_LOCK_SECONDS", 1)
    monkeypatch.setattr(migrations, "_PAUSE_SECONDS", 0.2)
    thread = threading.Thread(target=upgrade, args=(old_store.engine,))
    with old_store.begin_read() as reader:
        reader.execute(text("SELECT count(*) FROM deliveries"))  # no migration may change the table meanwhile
        thread.start()
        for _ in range(4):
            with old_store.begin_write() as tx:
                tx.execute(text("SET LOCAL statement_timeout = '60s'"))
                tx.execute(text("UPDATE deliveries SET attempts = 0"))
        assert read_version(old_store.engine) != LATEST_MIGRATION
    thread.join()

    assert read_version(old_store.engine) == LATEST_MIGRATION


def test_an_upgrade_that_is_there_already_changes_nothing(old_store: Store) -> None:
    upgrade(old_store.engine)
    upgrade(old_store.engine)

    assert list_differences(old_store) == []


def make_worker(now: datetime) -> Worker:
    """A process of another release."""
    return Worker(token=7, holder="there:1", command="web", release="0", started_at=now, heartbeat_at=now)


def test_an_upgrade_that_older_releases_cannot_follow_first_waits_for_the_end_of_their_processes(
    old_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    migrate_to(old_store.engine, "0043")
    with old_store.begin_write() as tx:
        clock.set_note(tx, COMPATIBLE_NOTE, "0037")
        now = workers.read_database_time(tx)
        columns = {name: text for name, text in asdict(make_worker(now)).items() if name != "lock_times"}
        tx.execute(insert(process_tables.workers).values(**columns | {"queues": "", "channels": ""}))
    monkeypatch.setattr("digest.store.database.engine.COMPATIBLE_SINCE", "0044")
    thread = threading.Thread(target=upgrade, args=(old_store.engine,))
    thread.start()
    try:
        while read_compatible_since(old_store.engine) != "0044":
            time.sleep(0.05)
        time.sleep(1)
        version_before = read_version(old_store.engine)
    finally:
        with old_store.begin_write() as tx:
            workers.remove_worker(tx, 7)
        thread.join()

    assert version_before == "0043"
    assert read_version(old_store.engine) == LATEST_MIGRATION


def test_an_upgrade_does_not_wait_for_processes_that_can_go_on_or_are_dead(old_store: Store) -> None:
    upgrade(old_store.engine)
    with old_store.begin_write() as tx:
        now = workers.read_database_time(tx)
        workers.save_worker(tx, make_worker(now))
    began_at = time.monotonic()
    exclude_older(old_store.engine, "0037")
    with old_store.begin_write() as tx:
        workers.save_worker(tx, make_worker(now - workers.DEAD_AFTER))
    exclude_older(old_store.engine, "9998")

    assert time.monotonic() - began_at < workers.DEAD_AFTER.total_seconds() / 2
    assert read_compatible_since(old_store.engine) == "9998"


def test_a_release_lowers_nothing_that_a_later_one_said(old_store: Store) -> None:
    upgrade(old_store.engine)
    with old_store.begin_write() as tx:
        clock.set_note(tx, COMPATIBLE_NOTE, "9998")

    upgrade(old_store.engine)

    assert read_compatible_since(old_store.engine) == "9998"


def test_tables_of_the_newest_migration_get_those_of_a_newer_job_queue(
    old_store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    upgrade(old_store.engine)
    schema, scripts = job_tables._find_scripts()
    newer = tmp_path / "99.99.99_01_post_more.sql"
    newer.write_text("CREATE TABLE procrastinate_more (id bigint)", encoding="utf-8")
    monkeypatch.setattr(job_tables, "_find_scripts", lambda: (schema, [*scripts, newer]))
    config = tmp_path / "digest.toml"
    config.write_text(f'[store]\nurl = "{format_url(old_store)}"\n', encoding="utf-8")
    with old_store.begin_read() as tx:
        assert not job_tables.is_current(tx)

    Workspace(tmp_path).run("db", "upgrade")

    with old_store.begin_read() as tx:
        assert job_tables.is_current(tx)
        assert tx.dialect.has_table(tx, "procrastinate_more")


@pytest.mark.parametrize("script", sorted(VERSIONS.glob("0*.py")), ids=lambda script: script.stem)
def test_a_migration_that_creates_indexes_beside_others_holds_no_lock_meanwhile(script: Path) -> None:
    """Whoever waits for that lock may be the one for whom the new index waits, and PostgreSQL would not see it."""
    text = script.read_text("utf-8")

    assert "migrations.online" not in text or "from alembic import op" not in text
