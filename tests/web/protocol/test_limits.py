"""A client that reaches us directly cannot take memory, time or connections from others."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from urllib.parse import urlsplit

import pytest

from digest.demo.publisher import Publisher
from digest.web.protocol.limited_protocol import ClientLimits
from tests.support.timeouts import PATIENCE
from tests.support.workspace import Workspace
from tests.web.conftest import THURSDAY, Site, send_raw, serve_workspace

QUICK_LIMITS = ClientLimits(
    head_seconds=0.2, body_seconds=0.4, waiting_per_address=8, grace_seconds=0.0, poll_interval=0.05
)


@pytest.fixture
def strict_site(workspace: Workspace, source: Publisher) -> Iterator[Site]:
    """A site with the same limits, of less time and fewer connections."""
    source.day = THURSDAY
    with serve_workspace(workspace, source, limits=QUICK_LIMITS) as site:
        yield site


def connect(site: Site, source: str = "127.0.0.1") -> socket.socket:
    """A connection, from one of the addresses of loopback."""
    host, _, port = site.server_url.removeprefix("http://").rpartition(":")
    return socket.create_connection((host, int(port)), timeout=PATIENCE, source_address=(source, 0))


def read_all(connection: socket.socket) -> bytes:
    """What comes until the server closes."""
    content = b""
    with suppress(ConnectionResetError):
        while chunk := connection.recv(65536):
            content += chunk
    return content


def send(site: Site, *parts: bytes) -> bytes:
    """Send all of it, or as much as is taken, and read what comes."""
    with connect(site) as connection:
        with suppress(ConnectionError):
            for part in parts:
                connection.sendall(part)
        return read_all(connection)


@pytest.fixture(params=["a feed that is ready", "a page"])
def path(request: pytest.FixtureRequest, shared_site: Site) -> str:
    if request.param == "a page":
        return "/"
    shared_site.get(shared_site.make_feed_url())
    return urlsplit(shared_site.make_feed_url()).path


def request(path: str, *lines: str) -> bytes:
    return "\r\n".join([f"GET {path} HTTP/1.1", "Host: x", *lines, "Connection: close", "", ""]).encode()


def test_a_head_may_have_a_hundred_fields_and_32_kb(shared_site: Site, path: str) -> None:
    fields = [f"X-{number}: y" for number in range(98)]
    assert send_raw(shared_site, request(path, *fields)).startswith(b"HTTP/1.1 200 ")
    assert send_raw(shared_site, request(path, "X: " + "y" * 31_000)).startswith(b"HTTP/1.1 200 ")

    assert send_raw(shared_site, request(path, *fields, "X: y")).startswith(b"HTTP/1.1 431 ")
    assert send_raw(shared_site, request(path, "X: " + "y" * 32_000)).startswith(b"HTTP/1.1 431 ")
    assert send_raw(shared_site, request("/" + "y" * 32_000)).startswith(b"HTTP/1.1 431 ")


@pytest.mark.parametrize("piece", [b"y" * 10_000, b"X-Y: z\r\n" * 1_000], ids=["one field", "fields"])
def test_a_head_that_does_not_end_is_refused_early(shared_site: Site, piece: bytes) -> None:
    sent = 0
    with connect(shared_site) as connection, suppress(ConnectionError):
        connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX: ")
        while sent < 300_000_000:
            connection.sendall(piece)
            sent += len(piece)

    assert sent < 20_000_000  # what the buffers of both sides hold


def test_two_hosts_are_a_mistake(shared_site: Site, path: str) -> None:
    assert send_raw(shared_site, request(path, "Host: x")).startswith(b"HTTP/1.1 400 ")


def test_a_request_names_its_host_unless_it_is_of_the_time_before_hosts(shared_site: Site, path: str) -> None:
    nameless = f"GET {path} HTTP/1.1\r\nConnection: close\r\n\r\n".encode()
    assert send_raw(shared_site, nameless).startswith(b"HTTP/1.1 400 ")
    assert send_raw(shared_site, nameless.replace(b"HTTP/1.1", b"HTTP/1.0")).startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize("begun", [b"", b"\r\n", b"GET / HT", b"GET / HTTP/1.1\r\nHost: x\r\n"])
def test_a_head_that_does_not_come_is_not_waited_for(strict_site: Site, begun: bytes) -> None:
    assert send(strict_site, begun).startswith(b"HTTP/1.1 408 ")


def test_a_body_that_does_not_come_is_not_waited_for(strict_site: Site) -> None:
    before = strict_site.load_state()
    path = urlsplit(strict_site.make_manage_url()).path
    form = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n"

    assert send(strict_site, f"POST {path} HTTP/1.1\r\nHost: x\r\n{form}\r\nact".encode()) == b""
    assert strict_site.load_state() == before


def test_hundreds_of_half_open_connections_shut_nobody_out(shared_site: Site) -> None:
    with ExitStack() as stack:
        for _ in range(520):
            stack.enter_context(connect(shared_site)).sendall(b"GET / HTTP/1.1\r\n")

        assert shared_site.get("/").status_code == 200


def test_an_address_keeps_only_so_many_connections_that_wait(workspace: Workspace, source: Publisher) -> None:
    source.day = THURSDAY
    limits = ClientLimits(waiting_per_address=8, grace_seconds=0.0, poll_interval=0.05)
    with serve_workspace(workspace, source, limits=limits) as site, ExitStack() as stack:
        waiting = [stack.enter_context(connect(site)) for _ in range(20)]

        assert [read_all(connection) for connection in waiting[:12]] == [b""] * 12
        for connection in waiting[12:]:
            connection.sendall(request("/"))
            assert read_all(connection).startswith(b"HTTP/1.1 200 ")
