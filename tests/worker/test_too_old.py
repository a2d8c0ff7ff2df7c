"""Services on tables for which they are too old: they say so and stop, so that what starts them can start another release."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from pathlib import Path

import pytest
from sqlalchemy import text

from digest.store.database.engine import LATEST_MIGRATION, Store, open_store
from tests.store.conftest import NOW
from tests.support.notify_socket import NotifySocket
from tests.support.processes import start_command
from tests.support.timeouts import PATIENCE
from tests.worker.conftest import GatedServer, Lab, wait_until

pytestmark = pytest.mark.long

COMMANDS = [("worker", "--processes", "2"), ("serve", "--port", "0"), ("web", "--port", "0")]
MESSAGE = (
    f"(tables {LATEST_MIGRATION}), and this one is too old for it; install the new release here and start it"
)
"""What they say; their tables are not changed here, only the note."""


def exclude_this_release(store: Store) -> None:
    """Say that the tables are those of a later release, on which this one cannot work."""
    with store.begin_write() as tx:
        tx.execute(text("UPDATE notes SET value = '9998' WHERE name = 'compatible_since'"))


@pytest.fixture
def readers() -> Sequence[str]:
    return [f"{number}@example.org" for number in range(240)]


@pytest.fixture
def site_lab(lab: Lab) -> Lab:
    """A lab with a site."""
    site = '[site]\nurl = "https://digest.example.org"\n'
    assert lab.config.count("[site]\n") == 1
    lab.workspace.write(lab.config.replace("[site]\n", site))
    lab.workspace.run("apply")
    return lab


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_a_service_that_is_too_old_for_the_tables_says_so_and_stops(
    site_lab: Lab,
    postgres_url: str,
    command: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = open_store(postgres_url, NOW)
    with NotifySocket(tmp_path) as manager:
        monkeypatch.setenv("NOTIFY_SOCKET", manager.address)
        with start_command(site_lab.workspace, *command) as process:
            manager.read_until("READY=1")
            wait_until(lambda: {worker["command"] for worker in site_lab.status()["workers"]} == {command[0]})
            exclude_this_release(store)
            output, _ = process.communicate(timeout=PATIENCE)
        manager.read_until("STOPPING=1")
    with store.begin_read() as tx:
        left = list(tx.execute(text("SELECT command FROM workers")))
    store.close()

    assert process.returncode == 1
    assert MESSAGE in output
    assert "Traceback" not in output
    assert left == []


def test_a_service_that_is_too_old_ends_its_batches_and_leaves_the_rest(
    site_lab: Lab, postgres_url: str, server: GatedServer
) -> None:
    server.seconds = 0.5  # with four connections, 240 mails take 30 s
    store = open_store(postgres_url, NOW)
    with start_command(site_lab.workspace, "serve", "--port", "0") as process:
        wait_until(lambda: len(server.received) > 2)
        exclude_this_release(store)
        output, _ = process.communicate(timeout=PATIENCE)
    with store.begin_read() as tx:
        rows = tx.execute(text("SELECT state, count(*) AS number FROM deliveries GROUP BY state")).all()
    store.close()

    states = {row.state: row.number for row in rows}
    assert MESSAGE in output
    assert states.keys() == {"ready", "sent"}
    assert states["sent"] == len(server.received) == len(site_lab.count_mails())


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_a_service_that_is_too_old_does_not_start(
    site_lab: Lab, postgres_url: str, command: tuple[str, ...]
) -> None:
    store = open_store(postgres_url, NOW)
    exclude_this_release(store)
    with store.begin_write() as tx:
        tx.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    try:
        result = site_lab.workspace.run(*command, status=1)
    finally:
        with store.begin_write() as tx:  # the database is used again
            tx.execute(text(f"UPDATE alembic_version SET version_num = '{LATEST_MIGRATION}'"))
        store.close()

    assert "(tables 9999), and this one is too old for it" in result.output


def test_a_signal_stops_a_service_as_usual_before_it_notices(site_lab: Lab, postgres_url: str) -> None:
    store = open_store(postgres_url, NOW)
    with start_command(site_lab.workspace, "web", "--port", "0") as process:
        wait_until(lambda: site_lab.status()["workers"])
        exclude_this_release(store)
        process.send_signal(signal.SIGTERM)
        output, _ = process.communicate(timeout=PATIENCE)
    store.close()

    assert process.returncode == 0, output
