"""Workers and commands behind PgBouncer, which gives each transaction another connection."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from sqlalchemy.engine import make_url

from tests.support.processes import kill_at_end, start_command
from tests.support.timeouts import PATIENCE
from tests.worker.conftest import READERS, Lab, wait_until

pytestmark = pytest.mark.system

CONNECTIONS = 3
"""Connections of the pooler to the server: fewer than two workers use, so they get each other's."""
CONFIG = """
[databases]
* = host={socket} port={server_port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
pool_mode = transaction
default_pool_size = {connections}
auth_type = trust
auth_file = {users}
"""


@contextmanager
def start_pooler(postgres_url: str, folder: Path) -> Iterator[str]:
    """Start PgBouncer in transaction mode, and give the address of the database behind it."""
    url = make_url(postgres_url)
    socket_folder = Path(str(url.query["host"]))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    users = folder / "users.txt"
    users.write_text(f'"{url.username}" ""\n')
    config = folder / "pgbouncer.ini"
    config.write_text(
        CONFIG.format(
            socket=socket_folder,
            server_port=url.port or 5432,
            port=port,
            connections=CONNECTIONS,
            users=users,
        )
    )
    owner = socket_folder.owner()
    for path in (folder, users, config):
        shutil.chown(path, owner)
    program = shutil.which("pgbouncer") or "/usr/sbin/pgbouncer"
    command = [program, *(["-u", owner] if os.geteuid() == 0 else []), str(config)]
    with kill_at_end(subprocess.Popen(command, stderr=subprocess.DEVNULL)) as process:
        wait_until(lambda: is_open(port))
        yield url.set(host="127.0.0.1", port=port, query={"pooler": "transaction"}).render_as_string(
            hide_password=False
        )
        process.send_signal(signal.SIGINT)


def is_open(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
        return True
    return False


@pytest.fixture
def pooled_url(postgres_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("pgbouncer")
    for parent in (folder, *folder.parents[:2]):
        parent.chmod(0o755)
    with start_pooler(postgres_url, folder) as url:
        yield url


@pytest.mark.parametrize("listens", [False, True])
def test_workers_share_the_few_connections_of_a_pooler(
    lab: Lab, postgres_url: str, pooled_url: str, *, listens: bool
) -> None:
    pooled = lab.config.replace(postgres_url, pooled_url)
    assert pooled != lab.config
    if listens:
        pooled = pooled.replace("[store]", f'[store]\nlisten_url = "{postgres_url}"')
    lab.workspace.write(pooled)
    lab.workspace.run("apply", "--apply")
    with (
        start_command(lab.workspace, "worker", "--processes", "2") as first,
        start_command(lab.workspace, "worker") as second,
    ):
        wait_until(lambda: lab.count_states() == {"sent": len(READERS)})
        outputs = []
        for process in (first, second):
            process.send_signal(signal.SIGTERM)
            outputs.append(process.communicate(timeout=PATIENCE)[0])

    assert set(lab.count_mails().values()) == {1}
    assert all("Stopped. Nothing is lost" in output for output in outputs)
    assert not any("prepared statement" in output for output in outputs)


def test_a_service_works_behind_a_pooler(lab: Lab, postgres_url: str, pooled_url: str) -> None:
    lab.workspace.write(lab.config.replace(postgres_url, pooled_url))

    lab.workspace.run("run", "--apply", "--no-wait")

    assert set(lab.count_mails().values()) == {1}
    assert len(lab.count_mails()) == len(READERS)
