"""Listens, and answers in a thread beside the ticker's, until told to stop."""

from __future__ import annotations

import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread

import uvicorn

from digest.errors import ListenError
from digest.web.protocol.cached_protocol import quick
from digest.web.protocol.limited_protocol import Limits
from digest.web.site import Site

_BACKLOG = 1024
"""Connections that wait while we begin again with a changed file."""
_OPEN_FILES = 65_536
"""Files and connections that this process may have open, as far as the system lets it have so many."""
_IDLE_SECONDS = 75
"""For how long a connection is kept without a request: longer than web servers in front keep theirs (nginx: 60), so that they end it."""
_LAST_SECONDS = 5
"""That an answer under way is given when we stop."""


def listen(where: str) -> socket.socket:
    """A socket that listens; who connects waits until somebody answers.

    Args:
        where: ``127.0.0.1:8080`` or ``[::1]:8080``; the port 0 is any that is free.

    Raises:
        ListenError: it cannot be had.
    """
    host, _, port = where.rpartition(":")
    try:
        family, kind, _, _, address = socket.getaddrinfo(
            host.strip("[]"), int(port), type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        door = socket.socket(family, kind)
    except OSError as error:
        raise ListenError(f"there is no {host} to listen at: {error.strerror}") from error
    try:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        door.bind(address)
        door.listen(_BACKLOG)
    except OSError as error:
        door.close()
        raise ListenError(
            f"{where} cannot be listened at: {error.strerror}; "
            "stop who has it, or take another by [site] listen, --host or --port"
        ) from error
    return door


@contextmanager
def answering(door: socket.socket, site: Site, limits: Limits | None = None) -> Iterator[None]:
    """Answer at a socket while the block lasts; the socket stays open behind it.

    Args:
        door: the socket.
        site: what answers.
        limits: what a client may take; None for the usual ones.
    """
    _raise_limit_of_open_files()
    config = uvicorn.Config(
        site,
        http=quick(site.shelf, site.prefix, limits),
        loop="auto",
        ws="none",
        interface="asgi3",
        lifespan="on",
        log_config=None,
        log_level="error",  # what strangers send that is no HTTP is no news
        access_log=False,  # addresses are secrets
        proxy_headers=False,
        server_header=False,
        backlog=_BACKLOG,
        timeout_keep_alive=_IDLE_SECONDS,
        timeout_graceful_shutdown=_LAST_SECONDS,
    )
    server = uvicorn.Server(config)
    # A daemon: who is told to stop while it starts ends without it.
    thread = Thread(target=_run, args=(server, door.dup()), name="web", daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.should_exit = True
        thread.join()


def _raise_limit_of_open_files() -> None:
    """Have room for connections: without it libuv accepts one and closes it at once, and its client gets an empty answer.

    Systems begin processes with a low limit (1,024 or 256), for programs that use ``select``, and let each raise it far.
    """
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _OPEN_FILES if most == resource.RLIM_INFINITY else min(_OPEN_FILES, most)
    if now != resource.RLIM_INFINITY and now < wanted:
        with suppress(OSError, ValueError):  # some systems have yet another limit
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def _run(server: uvicorn.Server, door: socket.socket) -> None:
    # Signals are for the main thread, which waits for them; outside it, uvicorn sets no handlers.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT, signal.SIGHUP})
    with door:
        server.run(sockets=[door])
