"""Backups by SQLite and by pg_dump, and what a restore refuses."""

from __future__ import annotations

import os
import signal
import stat
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psutil
import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import make_url, text

from digest.errors import ConfigError, StoreError
from digest.store.backups.backup_files import back_up, restore
from digest.store.database.dialect import make_engine
from digest.store.database.engine import (
    LATEST_MIGRATION,
    Store,
    Transaction,
    migrate_to,
    open_store,
    read_version,
)
from digest.store.database.migrations import make_config as make_migration_settings
from tests.store.factories import NOW, make_due_edition
from tests.support.postgres import Postgres, find_programs
from tests.support.processes import start_command
from tests.support.timeouts import PATIENCE
from tests.support.workspace import Workspace, make_config

PASSWORD = "correct-horse-battery"


@pytest.fixture(autouse=True)
def programs(monkeypatch: pytest.MonkeyPatch) -> None:
    put_first_in_path(monkeypatch, find_programs())


def put_first_in_path(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


@pytest.fixture
def empty_url(request: pytest.FixtureRequest, store_url: str, tmp_path: Path) -> str:
    """The URL of a place of the same kind in which no database is yet."""
    if store_url.startswith("sqlite"):
        return f"sqlite:///{tmp_path}/restored.db"
    return str(request.getfixturevalue("bare_postgres_url"))


def count_deliveries(url: str) -> int:
    with closing(open_store(url, NOW)) as store, store.begin_read() as tx:
        return int(tx.execute(text("SELECT count(*) FROM deliveries")).scalar_one())


def get_url(store: Store) -> str:
    return store.engine.url.render_as_string(hide_password=False)


def do_nothing(_tx: Transaction) -> None:
    """Prepare no rows."""


def list_names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_a_backup_is_private_and_complete_and_replaces_an_earlier_one(
    store: Store, empty_url: str, tmp_path: Path
) -> None:
    make_due_edition(store, 3)
    target = tmp_path / "saved.backup"
    target.write_text("an earlier one", encoding="utf-8")
    target.chmod(0o644)

    size = back_up(get_url(store), target)
    version = restore(empty_url, target, do_nothing)

    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert size == target.stat().st_size
    assert not [name for name in list_names(tmp_path) if name.startswith(".saved")]
    assert version == LATEST_MIGRATION
    assert count_deliveries(empty_url) == 3


def test_nothing_is_restored_over_a_database(store: Store, store_url: str, tmp_path: Path) -> None:
    make_due_edition(store, 3)
    target = tmp_path / "saved.backup"
    back_up(get_url(store), target)

    with pytest.raises(StoreError, match=r"where no database is|into an empty database"):
        restore(store_url, target, do_nothing)

    assert count_deliveries(store_url) == 3


@pytest.mark.parametrize("size", [40, -2000, "half"], ids=str)
def test_a_backup_that_was_cut_off_leaves_the_database_empty(
    store: Store, empty_url: str, tmp_path: Path, size: int | str
) -> None:
    make_due_edition(store, 200)
    target = tmp_path / "saved.backup"
    back_up(get_url(store), target)
    content = target.read_bytes()
    target.write_bytes(content[: len(content) // 2 if isinstance(size, str) else size])

    with pytest.raises(StoreError):
        restore(empty_url, target, do_nothing)

    assert_empty(empty_url)


def test_rows_that_cannot_be_prepared_leave_a_database_that_nobody_can_use(
    store: Store, empty_url: str, tmp_path: Path
) -> None:
    target = tmp_path / "saved.backup"
    back_up(get_url(store), target)

    def fail(_tx: Transaction) -> None:
        raise StoreError("the disk is full")

    with pytest.raises(StoreError, match="the disk is full"):
        restore(empty_url, target, fail)

    if not empty_url.startswith("sqlite"):
        with pytest.raises(StoreError, match="not those of this release"):
            open_store(empty_url, NOW)
    else:
        assert_empty(empty_url)


def assert_empty(url: str) -> None:
    if url.startswith("sqlite"):
        folder = Path(str(make_url(url).database)).parent
        assert not [name for name in list_names(folder) if "restored.db" in name]
        return
    engine = make_engine(url)
    with engine.connect() as connection:
        count = "SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace"
        assert connection.execute(text(count)).scalar_one() == 0
    engine.dispose()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"hello", "is not a backup"),
        (b"", "is not a backup"),
        (b"PGDMP", "is a backup of PostgreSQL, but"),
    ],
    ids=str,
)
def test_another_file_is_no_backup(tmp_path: Path, content: bytes, message: str) -> None:
    source = tmp_path / "other"
    source.write_bytes(content)

    with pytest.raises(StoreError, match=message):
        restore(f"sqlite:///{tmp_path}/restored.db", source, do_nothing)


def test_a_log_of_another_database_is_not_applied_to_the_restored_one(tmp_path: Path) -> None:
    path = tmp_path / "digest.db"
    with closing(open_store(f"sqlite:///{path}", NOW)) as store:
        back_up(get_url(store), tmp_path / "saved.backup")
    path.unlink()
    (tmp_path / "digest.db-wal").write_bytes(b"left behind")

    with pytest.raises(StoreError, match=r"move .*digest\.db-wal away"):
        restore(f"sqlite:///{path}", tmp_path / "saved.backup", do_nothing)


def test_a_backup_of_a_later_release_is_refused(tmp_path: Path) -> None:
    path, target = tmp_path / "digest.db", tmp_path / "saved.backup"
    with closing(open_store(f"sqlite:///{path}", NOW)) as store:
        with store.begin_write() as tx:
            tx.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        back_up(get_url(store), target)

    with pytest.raises(StoreError, match="of a newer digest"):
        restore(f"sqlite:///{tmp_path}/restored.db", target, do_nothing)


# --- PostgreSQL only ------------------------------------------------------------------------------


@pytest.fixture
def postgres_store(postgres_url: str) -> Iterator[Store]:
    """A store whose URL has a password, which the server of the tests does not ask for."""
    url = make_url(postgres_url).set(password=PASSWORD)
    store = open_store(url.render_as_string(hide_password=False), NOW)
    yield store
    store.close()


def write_program(folder: Path, text_of_program: str) -> None:
    folder.mkdir()
    program = folder / "pg_dump"
    program.write_text(f"#!/bin/sh\n{text_of_program}", encoding="utf-8")
    program.chmod(0o755)


SLOW = """
[ "$1" = --version ] && exec {real} "$@"
for argument; do case "$argument" in --file=*) echo half > "${{argument#--file=}}";; esac; done
env > {folder}/environment
touch {folder}/begun
{wait}
exec {real} "$@"
"""


def test_the_password_is_in_no_process_list_and_the_size_is_reported(
    postgres_store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = find_programs() / "pg_dump"
    write_program(tmp_path / "slow", SLOW.format(real=real, folder=tmp_path, wait="sleep 1"))
    put_first_in_path(monkeypatch, tmp_path / "slow")
    lines: list[str] = []
    sizes: list[int] = []

    def look(size: int) -> None:
        sizes.append(size)
        lines.extend(" ".join(child.cmdline()) for child in psutil.Process().children(recursive=True))

    back_up(get_url(postgres_store), tmp_path / "saved.backup", look)

    assert any("pg_dump" in line for line in lines)
    assert not [line for line in lines if PASSWORD in line]
    assert f"PGPASSWORD={PASSWORD}" in (tmp_path / "environment").read_text("utf-8")
    assert sizes
    assert sizes[0] == len("half\n")


def test_jobs_are_left_out_of_a_backup(postgres_store: Store, bare_postgres_url: str, tmp_path: Path) -> None:
    with postgres_store.begin_write() as tx:
        tx.execute(text("INSERT INTO procrastinate_jobs (queue_name, task_name) VALUES ('tick', 'tick')"))
    back_up(get_url(postgres_store), tmp_path / "saved.backup")

    restore(bare_postgres_url, tmp_path / "saved.backup", do_nothing)

    with closing(open_store(bare_postgres_url, NOW)) as store, store.begin_read() as tx:
        for table in ("procrastinate_jobs", "procrastinate_events"):
            assert tx.execute(text(f"SELECT count(*) FROM {table}")).scalar_one() == 0


def test_a_missing_or_older_pg_dump_says_what_to_install(
    postgres_store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(StoreError, match="pg_dump of PostgreSQL is not on PATH; install"):
        back_up(get_url(postgres_store), tmp_path / "saved.backup")

    write_program(tmp_path / "old", 'echo "pg_dump (PostgreSQL) 9.6.24"')
    monkeypatch.setenv("PATH", str(tmp_path / "old"))
    with pytest.raises(StoreError, match=r"PostgreSQL 9, which cannot back up .* postgresql-client-\d+"):
        back_up(get_url(postgres_store), tmp_path / "saved.backup")

    assert list_names(tmp_path) == {"old"}


def test_a_program_that_fails_is_quoted_without_the_password(
    postgres_store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = find_programs() / "pg_dump"
    failing = f'[ "$1" = --version ] && exec {real} "$@"\necho "pg_dump: error: no space" >&2\nexit 1'
    write_program(tmp_path / "failing", failing)
    put_first_in_path(monkeypatch, tmp_path / "failing")

    with pytest.raises(StoreError, match="pg_dump failed: pg_dump: error: no space") as raised:
        back_up(get_url(postgres_store), tmp_path / "saved.backup")

    assert PASSWORD not in str(raised.value)
    assert list_names(tmp_path) == {"failing"}


def test_a_key_with_a_password_is_not_shown_on_the_command_line(postgres_url: str, tmp_path: Path) -> None:
    url = make_url(postgres_url).update_query_dict({"sslpassword": "secret"})
    with pytest.raises(ConfigError, match="sslpassword"):
        back_up(url.render_as_string(hide_password=False), tmp_path / "saved.backup")


def test_connections_of_a_pooler_are_left_alone(postgres_url: str, tmp_path: Path) -> None:
    url = make_url(postgres_url).update_query_dict({"pooler": "transaction"})
    with pytest.raises(StoreError, match="the server's own address"):
        back_up(url.render_as_string(hide_password=False), tmp_path / "saved.backup")


@pytest.mark.parametrize(
    ("number", "status"),
    [(signal.SIGINT, 130), (signal.SIGTERM, 130), (signal.SIGKILL, -signal.SIGKILL)],
    ids=str,
)
def test_a_backup_that_is_stopped_leaves_no_file_under_its_name(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals, status: int
) -> None:
    real = find_programs() / "pg_dump"
    slow = SLOW.format(real=real, folder=tmp_path, wait=f"exec sleep {PATIENCE:.0f}")
    write_program(tmp_path / "slow", slow)
    put_first_in_path(monkeypatch, tmp_path / "slow")
    workspace = Workspace(tmp_path)
    workspace.write(make_config("http://127.0.0.1:9", store=postgres_url))
    target = tmp_path / "saved.backup"

    with start_command(workspace, "db", "backup", str(target)) as process:
        until = time.monotonic() + PATIENCE
        while not (tmp_path / "begun").exists():
            assert time.monotonic() < until
            assert process.poll() is None, process.communicate()
            time.sleep(0.02)
        (child,) = psutil.Process(process.pid).children()
        process.send_signal(number)
        if number is signal.SIGKILL:
            process.wait()
            child.kill()
        output, _ = process.communicate(timeout=PATIENCE)

    assert process.returncode == status, output
    assert not target.exists()
    if number is not signal.SIGKILL:
        assert not child.is_running()
        assert not [name for name in list_names(tmp_path) if name.startswith(".saved")]


def test_a_dump_of_another_program_is_refused(bare_postgres_url: str, tmp_path: Path) -> None:
    engine = make_engine(bare_postgres_url)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE theirs (id integer)"))
    assert read_version(engine) is None
    back_up(bare_postgres_url, tmp_path / "theirs.backup")
    with engine.begin() as connection:
        connection.execute(text("DROP TABLE theirs"))

    with pytest.raises(StoreError, match="not of a database of digest"):
        restore(bare_postgres_url, tmp_path / "theirs.backup", do_nothing)
    engine.dispose()
    assert_empty(bare_postgres_url)


def test_a_backup_of_an_earlier_release_is_upgraded(
    bare_postgres_url: str, postgres: Postgres, tmp_path: Path
) -> None:
    earlier = str(
        ScriptDirectory.from_config(make_migration_settings()).get_revision(LATEST_MIGRATION).down_revision
    )
    engine = make_engine(bare_postgres_url)
    migrate_to(engine, earlier)
    back_up(bare_postgres_url, tmp_path / "saved.backup")
    engine.dispose()
    url = postgres.create()

    version = restore(url, tmp_path / "saved.backup", do_nothing)

    assert version == earlier
    open_store(url, NOW).close()
    postgres.drop(url)
