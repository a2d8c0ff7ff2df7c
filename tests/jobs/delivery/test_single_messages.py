"""Messages that cannot wait share the connections of their server with everything else."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from digest.config import Settings, read_settings
from digest.jobs.delivery import single_messages
from digest.jobs.delivery.channels import make_connections
from digest.jobs.delivery.single_messages import deliver_at_once, lease_connection
from digest.model import Deferred, Mail, Sent
from digest.store.database.engine import Store, open_store
from digest.store.delivery import connections
from digest.testing.mail_server import MailServer
from tests.store.conftest import NOW, store, store_url

__all__ = ["store", "store_url"]

CONFIG = """
[smtp]
host = "127.0.0.1"
port = {port}
security = "none"
from = "digest@example.org"
connections = {connections}
"""
MESSAGE = Mail(
    delivery=0,
    message_id="<1@example.org>",
    recipient="me@example.org",
    sender="digest@example.org",
    content=b"Subject: Hello\r\n\r\nHello\r\n",
)
LIMIT = 2


@pytest.fixture
def server() -> Iterator[MailServer]:
    with MailServer() as server:
        yield server


def read(tmp_path: Path, server: MailServer, limit: int = LIMIT) -> Settings:
    file = tmp_path / "digest.toml"
    file.write_text(CONFIG.format(port=server.port, connections=limit))
    return read_settings(file, {})


def reserve_all(
    store: Store,
    server: MailServer,
    in_use: int,
    limit: int = LIMIT,
    token: int = 5,
    *,
    now: datetime | None = None,
) -> tuple[int, int]:
    """A worker that delivers editions asks for all connections, and keeps those that it uses."""
    with store.begin_write() as tx:
        return connections.reserve(
            tx,
            token,
            now or datetime.now(UTC),
            server=f"127.0.0.1:{server.port}",
            max_connections=limit,
            requested=limit,
            in_use=in_use,
        )


def test_a_message_goes_out_while_there_is_a_connection(
    store: Store, tmp_path: Path, server: MailServer
) -> None:
    settings = read(tmp_path, server)

    assert isinstance(deliver_at_once(store, settings, "smtp", [], MESSAGE), Sent)
    assert len(server.received) == 1
    assert reserve_all(store, server, 0) == (LIMIT, LIMIT)  # nothing is left of its lease


def test_a_message_waits_while_all_connections_are_in_use(
    store: Store, tmp_path: Path, server: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(single_messages, "_MAX_WAIT_SECONDS", 0.3)
    assert reserve_all(store, server, 0) == (LIMIT, LIMIT)

    receipt = deliver_at_once(store, read(tmp_path, server), "smtp", [], MESSAGE)

    assert isinstance(receipt, Deferred)
    assert "are in use" in receipt.answer
    assert server.connections == 0


def test_a_message_waits_for_connections_by_the_clock_of_the_database(
    store: Store, tmp_path: Path, server: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    database_time = datetime.now(UTC) + timedelta(minutes=10)
    monkeypatch.setattr(single_messages, "_MAX_WAIT_SECONDS", 0.3)
    monkeypatch.setattr(single_messages, "read_database_time", lambda _: database_time)
    assert reserve_all(store, server, 0, now=database_time) == (LIMIT, LIMIT)

    assert isinstance(deliver_at_once(store, read(tmp_path, server), "smtp", [], MESSAGE), Deferred)
    assert server.connections == 0


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_whoever_delivers_editions_gives_a_connection_to_a_message_that_cannot_wait(
    store: Store, tmp_path: Path, server: MailServer, limit: int
) -> None:
    settings = read(tmp_path, server, limit)
    (connection,) = set(make_connections(settings))
    reserve_all(store, server, 0, limit)
    with store.begin_write() as tx:
        connections.reserve(
            tx,
            connections.make_urgent_token(9),
            datetime.now(UTC),
            server=connection.server,
            max_connections=limit,
            requested=1,
            in_use=0,
        )

    held, share = reserve_all(store, server, in_use=limit, limit=limit)
    assert (held, share) == (limit, limit // 2)  # it closes one when its batch is done
    assert reserve_all(store, server, in_use=limit - 1, limit=limit)[0] == limit - 1
    with store.begin_write() as tx:
        connections.release_all(tx, connections.make_urgent_token(9))
    with lease_connection(store, connection) as is_leased:
        assert is_leased


def test_a_message_goes_out_although_the_store_cannot_be_written(tmp_path: Path, server: MailServer) -> None:
    store = open_store(f"sqlite:///{tmp_path}/digest.db", NOW)
    with store.begin_write() as tx:
        tx.exec_driver_sql("DROP TABLE leases")

    assert isinstance(deliver_at_once(store, read(tmp_path, server), "smtp", [], MESSAGE), Sent)
    store.close()
