"""One address that leads to two databases."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress

import pytest
from sqlalchemy.engine import make_url

from digest.errors import OtherDatabaseError
from digest.store.database.engine import Store, open_store
from tests.store.conftest import NOW


class Proxy:
    """A TCP proxy on loopback that passes connections on to one database after another.

    Attributes:
        port: its port.
    """

    def __init__(self, path: str, databases: list[str]) -> None:
        self._path = path
        self._databases = databases
        self._sockets: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            for number in range(1_000):
                client, _ = self._listener.accept()
                server = socket.socket(socket.AF_UNIX)
                self._sockets += [client, server]
                server.connect(self._path)
                database = self._databases[number % len(self._databases)]
                threading.Thread(target=self._pass_on, args=(client, server, database), daemon=True).start()
                threading.Thread(target=self._pass_on, args=(server, client, ""), daemon=True).start()

    @staticmethod
    def _pass_on(one: socket.socket, other: socket.socket, database: str) -> None:
        with suppress(OSError):
            while data := one.recv(65536):
                if database and b"database\0" in data:
                    other.sendall(replace_database(data, database))
                    database = ""
                else:
                    other.sendall(data)
            other.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Take no more connections, and end those that are open."""
        self._listener.shutdown(socket.SHUT_RDWR)
        for entry in (self._listener, *self._sockets):
            entry.close()


def replace_database(message: bytes, database: str) -> bytes:
    """Change the database of a StartupMessage (PostgreSQL, section 55.7)."""
    parts = message[8:].split(b"\0")
    parts[parts.index(b"database") + 1] = database.encode()
    body = b"\0".join(parts)
    return struct.pack("!I", len(body) + 8) + message[4:8] + body


@contextmanager
def open_proxied(postgres_url: str, databases: list[str]) -> Iterator[Store]:
    """A store behind a proxy without encryption; "" stands for its own database."""
    url = make_url(postgres_url)
    assert url.database is not None
    path = f"{url.query['host']}/.s.PGSQL.{url.port or 5432}"
    with closing(Proxy(path, [name or url.database for name in databases])) as proxy:
        proxied = url.set(
            host="127.0.0.1", port=proxy.port, query={"sslmode": "disable", "gssencmode": "disable"}
        )
        store = open_store(proxied.render_as_string(hide_password=False), NOW)
        yield store
        store.close()


def test_many_connections_to_one_database_are_fine(postgres_url: str) -> None:
    with open_proxied(postgres_url, [""]) as store:
        store.check_address()


def test_an_address_that_leads_to_two_databases_is_noticed_before_anything_is_done_there(
    postgres_url: str,
) -> None:
    with open_proxied(postgres_url, ["", "", "", "postgres"]) as store:
        with pytest.raises(OtherDatabaseError, match="two databases answer"):
            store.check_address()
        with pytest.raises(OtherDatabaseError), ExitStack() as stack:
            for _ in range(8):
                stack.enter_context(store.begin_read())
