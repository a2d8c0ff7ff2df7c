"""Who sends without end, reads nothing or comes again and again costs others neither memory nor their answer."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.web.protocol.limited_protocol import ClientLimits
from tests.web.conftest import Site
from tests.web.one_page import REQUEST, OnePageServer, receive, request_page
from tests.web.protocol.test_limits import connect, read_all

MUCH = 300_000_000
BUFFERS = 20_000_000
"""Bytes that the buffers of both sides hold at most."""
CHUNKED = "Transfer-Encoding: chunked\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n"


@pytest.fixture(scope="module")
def shared_server() -> Iterator[OnePageServer]:
    with OnePageServer() as server:
        yield server


@pytest.fixture
def server() -> Iterator[OnePageServer]:
    with OnePageServer() as server:
        yield server


def request(path: str, *lines: str, method: str = "GET", body: bytes = b"") -> bytes:
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: x", *lines, "", ""]).encode() + body


def read_until(connection: socket.socket, end: bytes) -> None:
    content = b""
    while not content.endswith(end):
        chunk = connection.recv(4096)
        assert chunk
        content += chunk


def is_answered(server: OnePageServer, source: str) -> bool:
    """Whether a new connection from an address gets an answer."""
    with server.connect(source) as connection:
        return request_page(connection).startswith(b"HTTP/1.1 200 ")


def queued(server: OnePageServer) -> int:
    """Requests that are parsed and wait for another one."""
    return sum(len(connection.pipeline) for connection in server.connections)


# --- requests that are sent ahead -----------------------------------------------------------------


def test_a_request_is_parsed_when_the_one_before_it_is_answered(server: OnePageServer) -> None:
    number = 5_000
    with server.connect() as connection:
        connection.settimeout(0)
        stream = request("/held") + REQUEST * number
        while stream:
            with suppress(BlockingIOError):
                stream = stream[connection.send(stream) :]
            assert is_answered(server, "127.0.0.1")  # so the server has seen what was sent
            assert queued(server) == 0
            if server.paths[0] == "/held":
                server.release.set()
            with suppress(BlockingIOError):
                connection.recv(4096)
    assert server.paths[0] == "/held"


def test_requests_whose_answers_nobody_reads_are_not_taken(server: OnePageServer) -> None:
    sent = blocked = 0
    with server.connect() as connection:
        connection.settimeout(0)
        while blocked < 20 and sent < MUCH:
            try:
                sent += connection.send(REQUEST * 2_000)
                blocked = 0
            except BlockingIOError:
                blocked += 1
            assert is_answered(server, "127.0.0.1")
            assert queued(server) == 0
    assert sent < BUFFERS


@pytest.mark.parametrize("path", ["/", "/ready"])
def test_thousands_of_requests_over_one_connection_are_answered(server: OnePageServer, path: str) -> None:
    with server.connect() as connection:
        for _ in range(2_000):
            connection.sendall(request(path))
            read_until(connection, b"\r\n\r\nok")
        assert queued(server) == 0
        connection.sendall(request(path) * 200 + request("/last", "Connection: close"))
        assert read_all(connection).count(b"HTTP/1.1 200 ") == 201


REQUESTS = {
    "/a": request("/a"),
    "/b": request("/b", "Content-Length: 12", method="POST", body=b"\r\n\r\nGET / \r\n"),
    "/c": request(
        "/c", "Transfer-Encoding: chunked", method="POST", body=b"4\r\n\r\n\r\n\r\n0\r\nX: y\r\n\r\n"
    ),
}


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(sorted(REQUESTS)), min_size=1, max_size=8), st.data())
def test_however_the_network_cuts_them_requests_are_answered_in_their_order(
    shared_server: OnePageServer, paths: list[str], data: st.DataObject
) -> None:
    stream = b"".join(REQUESTS[path] for path in paths)
    cuts = data.draw(st.lists(st.integers(0, len(stream)), max_size=6).map(sorted))
    shared_server.requests.clear()
    with shared_server.connect() as connection:
        for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
            connection.sendall(stream[start:end])
            assert is_answered(shared_server, "127.0.0.1")
            assert queued(shared_server) <= 1
        connection.sendall(request("/last", "Connection: close"))
        answers = read_all(connection)

    asked = [(scope["path"], body) for scope, body in shared_server.requests if scope["path"] != "/"]
    bodies = {"/a": b"", "/b": b"\r\n\r\nGET / \r\n", "/c": b"\r\n\r\n"}
    assert asked == [*((path, bodies[path]) for path in paths), ("/last", b"")]
    assert answers.count(b"HTTP/1.1 200 ") == len(paths) + 1


def test_a_body_of_empty_lines_holds_nobody_up(server: OnePageServer) -> None:
    body = b"\r\n" * 50_000
    with server.connect() as connection, server.connect() as other:
        other.sendall(REQUEST)
        read_until(other, b"ok")

        def send() -> None:
            connection.sendall(request("/much", f"Content-Length: {len(body)}", method="POST") + body[:8_000])
            other.sendall(request("/other"))

        server.run_while_loop_is_held(send, "is_waiting")
        connection.sendall(body[8_000:])
        assert receive(other).startswith(b"HTTP/1.1 200 ")
        assert receive(connection).startswith(b"HTTP/1.1 200 ")
    assert server.requests[-1][1] == body


def test_what_is_sent_behind_a_question_for_another_protocol_is_no_request(server: OnePageServer) -> None:
    lines = ("Connection: upgrade", "Upgrade: x", "Content-Length: 5")
    with server.connect() as connection:
        connection.sendall(request("/first", *lines, method="POST"))
        read_until(connection, b"\r\n\r\nok")
        with suppress(ConnectionError):
            connection.sendall(REQUEST)
        assert read_all(connection) == b""
    assert server.paths == ["/first"]


# --- what stands around a body --------------------------------------------------------------------


@pytest.mark.parametrize("route", ["it reads what is posted", "it reads nothing"])
@pytest.mark.parametrize(
    ("begun", "piece"),
    [
        (b"0\r\n", b"X: " + b"y" * 1_000 + b"\r\n"),
        (b"0\r\nX: ", b"y" * 10_000),
        (b"5;", b"y" * 10_000),
        (b"", b"0" * 10_000),
        (b"", b"1\r\ny\r\n" * 2_000),
    ],
    ids=["fields behind it", "one field behind it", "an extension", "a size", "chunks of a byte"],
)
def test_what_stands_around_a_body_has_the_limit_of_a_head(
    shared_site: Site, route: str, begun: bytes, piece: bytes
) -> None:
    path = urlsplit(shared_site.make_manage_url()).path if route == "it reads what is posted" else "/"
    sent = 0
    with connect(shared_site) as connection, suppress(ConnectionError):
        connection.sendall(f"POST {path} HTTP/1.1\r\nHost: x\r\n{CHUNKED}".encode() + begun)
        while sent < MUCH:
            connection.sendall(piece)
            sent += len(piece)

    assert sent < BUFFERS


def test_empty_lines_are_not_taken_for_ever(server: OnePageServer) -> None:
    sent = 0
    with server.connect() as connection, suppress(ConnectionError):
        assert request_page(connection)
        while sent < MUCH:
            connection.sendall(b"\r\n" * 5_000)
            sent += 10_000

    assert sent < BUFFERS


def test_fields_behind_a_body_are_none_of_its_head(server: OnePageServer) -> None:
    with server.connect() as connection:
        connection.sendall(
            request("/", "Transfer-Encoding: chunked", method="POST", body=b"1\r\ny\r\n0\r\nHost: z\r\n\r\n")
        )
        assert receive(connection).startswith(b"HTTP/1.1 200 ")
    [(scope, body)] = server.requests
    assert body == b"y"
    assert [value for name, value in scope["headers"] if name == b"host"] == [b"x"]


# --- who waits ------------------------------------------------------------------------------------


def test_an_empty_line_does_not_keep_a_connection() -> None:
    with (
        OnePageServer(ClientLimits(head_seconds=0.2, poll_interval=0.05)) as server,
        server.connect() as connection,
    ):
        connection.sendall(request("/"))
        read_until(connection, b"ok")
        connection.sendall(b"\r\n")
        assert read_all(connection).startswith(b"HTTP/1.1 408 ")


@pytest.mark.parametrize("path", ["/", "/ready"])
def test_a_connection_without_another_request_is_closed(path: str) -> None:
    with OnePageServer(keep_alive=1) as server, server.connect() as connection:
        connection.sendall(request(path))
        assert read_all(connection).endswith(b"\r\n\r\nok")


@pytest.mark.parametrize("lines", [(), ("Connection: close",)], ids=["it stays", "it closes"])
def test_an_answer_that_nobody_reads_is_not_kept(lines: tuple[str, ...]) -> None:
    with (
        OnePageServer(ClientLimits(write_seconds=0.2, poll_interval=0.05)) as server,
        socket.socket() as connection,
    ):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
        connection.connect(server.address)
        connection.sendall(request("/large", *lines))
        while not server.requests or server.connections:
            pass  # until the server has closed it
        assert len(read_all(connection)) < 30_000


# --- who comes again and again --------------------------------------------------------------------


def test_one_address_shuts_nobody_out_with_connections_that_say_nothing(shared_site: Site) -> None:
    with ExitStack() as stack:
        for _ in range(10):
            for _ in range(120):
                stack.enter_context(connect(shared_site))
            for source in ("127.0.0.2", "127.0.0.1"):  # somebody else, and who is behind the same address
                with connect(shared_site, source) as connection:
                    assert request_page(connection).startswith(b"HTTP/1.1 200 ")


def test_many_addresses_shut_nobody_out_with_connections_that_say_nothing() -> None:
    limits = ClientLimits(waiting_per_address=8, waiting=20, connections=60, poll_interval=3_600.0)
    with OnePageServer(limits) as server, ExitStack() as stack:
        quiet = stack.enter_context(server.connect("127.0.1.1"))
        for turn in range(5):
            for number in range(2, 12):
                for _ in range(8):
                    stack.enter_context(server.connect(f"127.0.1.{number}"))
            assert is_answered(server, "127.0.0.2"), turn
            assert len(server.connections) <= 61
        assert request_page(quiet).startswith(b"HTTP/1.1 200 ")  # the addresses with the most lose theirs


def test_one_address_cannot_have_all_requests_that_are_answered() -> None:
    with OnePageServer(ClientLimits(answering=8)) as server, ExitStack() as stack:
        mine = [stack.enter_context(server.connect("127.0.0.1")) for _ in range(16)]
        other = stack.enter_context(server.connect("127.0.0.2"))

        def send() -> None:
            for connection in mine:
                connection.sendall(request("/held"))
            other.sendall(REQUEST)

        server.run_while_loop_is_held(send, "is_waiting")
        # Though most of mine are refused in the same moment.
        assert receive(other).startswith(b"HTTP/1.1 200 ")
        server.release.set()
        answers = [receive(connection)[:13] for connection in mine]
        assert answers.count(b"HTTP/1.1 200 ") == 4
        assert answers.count(b"HTTP/1.1 503 ") == 12


def test_requests_sent_ahead_do_not_keep_the_places_of_others() -> None:
    with OnePageServer(ClientLimits(answering=8)) as server, ExitStack() as stack:
        for _ in range(16):
            connection = stack.enter_context(server.connect("127.0.0.1"))
            connection.settimeout(0)
            with suppress(BlockingIOError):
                connection.send(REQUEST * 2_000)
        assert [is_answered(server, "127.0.0.2") for _ in range(20)] == [True] * 20
