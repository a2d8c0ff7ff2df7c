"""A PostgreSQL on a simulated machine, reached by others through a proxy and by the test through its socket."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, LiteralString

import psycopg
from psycopg import sql

from tests.support.postgres import find_programs
from tests.system.programs.commit_proxy import CommitProxy, run_commit_proxy
from tests.system.programs.network_hosts import NetworkHost

DATABASE = "digest"
"""The database that the machines work on."""
_PORT = 6432
_USER = "nobody"
"""The system user that runs the server, which refuses to run as root."""
_OPTIONS = ("fsync=off", "full_page_writes=off", "listen_addresses=", "max_wal_size=256MB", "timezone=UTC")
"""No data is lost without ``fsync`` unless the whole machine fails; a server that is killed has written to the kernel."""


@dataclass(frozen=True, slots=True)
class PostgresHost:
    """A machine with a server.

    Attributes:
        host: the machine.
        proxy: what others connect to.
    """

    host: NetworkHost
    proxy: CommitProxy

    @property
    def url(self) -> str:
        """The address of the database for other machines."""
        return f"postgresql+psycopg://digest@{self.host.address}:{_PORT}/{DATABASE}"

    @property
    def local_url(self) -> str:
        """The address of the database for the test, which no cut of a network concerns."""
        return f"postgresql+psycopg://digest@/{DATABASE}?host={self.host.disk}"

    def start(self) -> None:
        """Start the server."""
        options = " ".join(
            f"-c {option}" for option in (*_OPTIONS, f"unix_socket_directories={self.host.disk}")
        )
        _run_program(
            self.host,
            "pg_ctl",
            "start",
            "-w",
            "-s",
            "-l",
            f"{self.host.disk}/log",
            "-o",
            options,
            *_data(self.host),
        )

    def stop(self, mode: str) -> None:
        """Stop the server: ``fast`` ends its sessions, ``immediate`` leaves it to the next start to recover."""
        _run_program(self.host, "pg_ctl", "stop", "-w", "-s", "-m", mode, *_data(self.host))

    def restart(self, mode: str) -> None:
        """Stop the server and start it again, with room on its disk, as somebody would do who looks after it."""
        self.host.free_disk()
        if self.is_running():
            self.stop(mode)
        self.start()

    def free_disk(self) -> None:
        """Free what filled its disk, and start the server if it has ended of that."""
        self.host.free_disk()
        if not self.is_running():
            self.start()

    def is_running(self) -> bool:
        """Whether there is a server."""
        try:
            _run_program(self.host, "pg_ctl", "status", *_data(self.host))
        except subprocess.CalledProcessError:
            return False
        return True

    def execute(
        self, statement: LiteralString | sql.Composed, *, database: str = DATABASE
    ) -> list[tuple[Any, ...]]:
        """Run a statement in a database; returns its rows."""
        address = f"host={self.host.disk} dbname={database} user=digest"
        with psycopg.connect(address, autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    def try_to_execute(self, statement: LiteralString) -> bool:
        """Run a statement; returns whether it succeeded, which it does not while the server is in trouble."""
        try:
            self.execute(statement)
        except psycopg.OperationalError:
            return False
        return True

    def count(self, statement: LiteralString) -> int | None:
        """Return the number that a statement finds; None if the server does not answer."""
        try:
            ((number,),) = self.execute(statement)
        except psycopg.OperationalError:
            return None
        return int(number)

    def copy_database(self, source: str, target: str) -> None:
        """Copy a database that nobody is connected to."""
        names = map(sql.Identifier, (target, source))
        self.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(*names), database="postgres")

    def rename_database(self, source: str, target: str) -> None:
        """Rename a database that nobody is connected to."""
        names = map(sql.Identifier, (source, target))
        self.execute(sql.SQL("ALTER DATABASE {} RENAME TO {}").format(*names), database="postgres")


@contextmanager
def run_postgres_on(host: NetworkHost) -> Iterator[PostgresHost]:
    """Make a server with an empty database on a machine, and run it within the block."""
    _run_program(
        host, "initdb", "-A", "trust", "-U", "digest", "--locale=C.UTF-8", "-E", "UTF8", *_data(host)
    )
    with run_commit_proxy(host, _PORT, f"{host.disk}/.s.PGSQL.5432") as proxy:
        server = PostgresHost(host, proxy)
        server.start()
        server.copy_database("template1", DATABASE)
        try:
            yield server
        finally:
            server.stop("immediate")


def _data(host: NetworkHost) -> tuple[str, str]:
    return "-D", f"{host.disk}/data"


def _run_program(host: NetworkHost, name: str, *arguments: str) -> None:
    """Run a program of PostgreSQL on a machine."""
    program: Path = find_programs() / name
    user = ["setpriv", f"--reuid={_USER}", "--clear-groups", "--"]
    command = host.make_command([*user, str(program), *arguments], own_processes=False)
    subprocess.run(command, cwd=host.disk, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
