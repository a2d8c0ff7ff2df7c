"""An HTTP service that misbehaves as it is told to: by itself, over TLS, or as whatever host it is asked for by a proxy's CONNECT."""

from __future__ import annotations

import json
import socket
import ssl
import struct
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Self

import trustme

DROP = "drop"
"""In place of an answer: end the connection."""
RESET = "reset"
"""In place of an answer: die."""
SILENCE = "silence"
"""In place of an answer: nothing, for as long as the client stays."""
ENDLESS = "endless"
"""In place of an answer: a first line that never ends, a byte now and then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CannedAnswer:
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b"ok"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedRequest:
    method: str
    host: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


Behaviour = CannedAnswer | str


@dataclass(slots=True, kw_only=True)
class HttpService(AbstractContextManager["HttpService"]):
    """Answers what it is asked; knows all that it was asked.

    Attributes:
        answer: gives the answer to a request, or what is done in place of one.
        authority: who signs its certificates; None without TLS, but for CONNECT.
        name: the host of its certificate over TLS.
        requests: all requests.
    """

    answer: Callable[[RecordedRequest], Behaviour] = lambda _: CannedAnswer()
    authority: trustme.CA | None = None
    tls: bool = False
    name: str = "127.0.0.1"
    requests: list[RecordedRequest] = field(default_factory=list)
    _socket: socket.socket = field(default_factory=socket.socket)
    _open: list[socket.socket] = field(default_factory=list)
    _serving: threading.Thread = field(init=False)

    def __enter__(self) -> Self:
        self._socket.bind(("127.0.0.1", 0))
        self._socket.listen()
        self._serving = threading.Thread(target=self._accept, daemon=True)
        self._serving.start()
        return self

    def __exit__(self, *_: object) -> None:
        _close_socket(self._socket)
        self._serving.join()  # or it takes one more, which nobody closes
        for sock in self._open:
            _close_socket(sock)

    @property
    def port(self) -> int:
        return int(self._socket.getsockname()[1])

    def list_paths(self) -> list[str]:
        return [request.path for request in self.requests]

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                sock, _ = self._socket.accept()
                self._open.append(sock)
                threading.Thread(target=self._serve_connection, args=[sock], daemon=True).start()

    def _serve_connection(self, sock: socket.socket) -> None:
        with suppress(OSError, ValueError):
            self._serve_requests(self._wrap_tls(sock, self.name) if self.tls else sock, "")

    def _wrap_tls(self, sock: socket.socket, host: str) -> socket.socket:
        assert self.authority is not None
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.authority.issue_cert(host).configure_cert(context)
        sslsocket = context.wrap_socket(sock, server_side=True)
        self._open.append(sslsocket)
        return sslsocket

    def _serve_requests(self, sock: socket.socket, host: str) -> None:
        stream = sock.makefile("rb")
        while request := _read_request(stream, host):
            if request.method == "CONNECT":
                sock.sendall(b"HTTP/1.1 200 here\r\n\r\n")
                expected = request.path.partition(":")[0]
                self._serve_requests(self._wrap_tls(sock, expected), expected)
                return
            self.requests.append(request)
            if not _respond(sock, self.answer(request)):
                return


def _close_socket(sock: socket.socket) -> None:
    with suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)
    sock.close()


def _read_request(stream: BinaryIO, host: str) -> RecordedRequest | None:
    first = stream.readline().decode().split()
    if not first:
        return None
    headers = {}
    while line := stream.readline().strip():
        name, _, value = line.decode().partition(":")
        headers[name.lower()] = value.strip()
    body = stream.read(int(headers.get("content-length", "0")))
    return RecordedRequest(
        method=first[0], host=host or headers.get("host", ""), path=first[1], headers=headers, body=body
    )


def _respond(sock: socket.socket, say: Behaviour) -> bool:
    """Whether the connection goes on."""
    if isinstance(say, CannedAnswer):
        headers = "".join(f"{name}: {value}\r\n" for name, value in say.headers)
        head = f"HTTP/1.1 {say.status} so\r\nContent-Length: {len(say.body)}\r\n{headers}\r\n"
        sock.sendall(head.encode() + (b"" if say.status == 204 else say.body))
        return True
    if say == RESET:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    elif say == SILENCE:
        sock.recv(1)
    elif say == ENDLESS:
        sock.sendall(b"HTTP/1.")
        patience = threading.Event()
        while not patience.wait(0.02):
            sock.sendall(b"x")
    _close_socket(sock)
    return False


def answer_in_turn(*answers: Behaviour) -> Callable[[RecordedRequest], Behaviour]:
    """One answer after another; the last one for all that comes then."""
    left: list[Behaviour] = list(answers)
    return lambda _: left.pop(0) if len(left) > 1 else left[0]


def list_urls(requests: Sequence[RecordedRequest]) -> list[str]:
    return [f"{request.host}{request.path}" for request in requests]
