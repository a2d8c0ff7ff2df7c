"""Listens, and answers in a thread beside the ticker's, until told to stop."""

from __future__ import annotations

import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread

import uvicorn

from digest.errors import ListenError
from digest.web.protocol.cached_protocol import make_cached_protocol
from digest.web.protocol.limited_protocol import ClientLimits
from digest.web.site import Site

_BACKLOG = 1024
"""Connections that wait while we begin again with a changed file."""
_MAX_OPEN_FILES = 65_536
"""Files and connections that this process may have open, as far as the system lets it have so many."""
_IDLE_SECONDS = 75
"""For how long a connection is kept without a request: longer than web servers in front keep theirs (nginx: 60), so that they end it."""
_SHUTDOWN_SECONDS = 5
"""That an answer under way is given when we stop."""


def listen(endpoint: str) -> socket.socket:
    """A socket that listens; who connects waits until somebody answers.

    Args:
        endpoint: ``127.0.0.1:8080`` or ``[::1]:8080``; the port 0 is any that is free.

    Raises:
        ListenError: it cannot be had.
    """
    host, _, port = endpoint.rpartition(":")
    try:
        family, kind, _, _, address = socket.getaddrinfo(
            host.strip("[]"), int(port), type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind)
    except OSError as error:
        raise ListenError(f"cannot listen on {host}: {error.strerror}") from error
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        raise ListenError(
            f"cannot listen on {endpoint}: {error.strerror}; stop the program that uses it, or choose another address with [site] listen, --host or --port"
        ) from error
    return listener


@contextmanager
def serve_site(listener: socket.socket, site: Site, limits: ClientLimits | None = None) -> Iterator[None]:
    """Answer at a socket while the block lasts; the socket stays open behind it.

    Args:
        listener: the socket.
        site: what answers.
        limits: what a client may take; None for the usual ones.
    """
    _raise_open_file_limit()
    config = uvicorn.Config(
        site,
        http=make_cached_protocol(site.response_cache, site.prefix, limits),
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
        timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
    )
    server = uvicorn.Server(config)
    # A daemon: who is told to stop while it starts ends without it.
    thread = Thread(target=_run_server, args=(server, listener.dup()), name="web", daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.should_exit = True
        thread.join()


def _raise_open_file_limit() -> None:
    """Have room for connections: without it libuv accepts one and closes it at once, and its client gets an empty answer.

    Systems begin processes with a low limit (1,024 or 256), for programs that use ``select``, and let each raise it far.
    """
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    soft_limit, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    new_limit = _MAX_OPEN_FILES if hard_limit == resource.RLIM_INFINITY else min(_MAX_OPEN_FILES, hard_limit)
    if soft_limit != resource.RLIM_INFINITY and soft_limit < new_limit:
        with suppress(OSError, ValueError):  # some systems have yet another limit
            resource.setrlimit(resource.RLIMIT_NOFILE, (new_limit, hard_limit))


def _run_server(server: uvicorn.Server, listener: socket.socket) -> None:
    # Signals are for the main thread, which waits for them; outside it, uvicorn sets no handlers.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT, signal.SIGHUP})
    with listener:
        server.run(sockets=[listener])
