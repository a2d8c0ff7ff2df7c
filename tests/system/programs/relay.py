"""A port on loopback that leads to a Unix socket, for clients that cannot see the socket."""

from __future__ import annotations

import socket
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True


@contextmanager
def relay_to(path: str) -> Iterator[int]:
    """Pass on connections to a Unix socket within the block, and yield the port."""

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            with socket.socket(socket.AF_UNIX) as server:
                server.connect(path)
                back = threading.Thread(target=_copy, args=(server, self.request), daemon=True)
                back.start()
                _copy(self.request, server)
                back.join()

    with _Server(("127.0.0.1", 0), Handler) as relay:
        threading.Thread(target=relay.serve_forever, daemon=True).start()
        try:
            yield relay.server_address[1]
        finally:
            relay.shutdown()


def _copy(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)
