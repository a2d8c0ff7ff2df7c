"""The web server: it runs in a thread beside the ticker's, until told to stop."""

from __future__ import annotations

import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Thread

import uvicorn

from digest.errors import ListenError
from digest.web.protocol.cached_protocol import make_cached_protocol
from digest.web.protocol.limited_protocol import ClientLimits
from digest.web.site import Site

_BACKLOG = 1024
"""Maximum number of connections that wait to be accepted, for example while the server restarts."""
_MAX_OPEN_FILES = 65_536
"""Maximum number of open files and connections of this process, as far as the system allows it."""
_IDLE_SECONDS = 75
"""Timeout of an idle connection, in seconds.

It is longer than that of reverse proxies (nginx: 60), so that they close the connection first.
"""
_UNRESPONSIVE_SECONDS = 20.0
"""How long the event loop may be busy with one thing, in seconds, before the server counts as hung."""
_SHUTDOWN_SECONDS = 5
"""Time in which responses under way must end at shutdown, in seconds."""


def listen(endpoint: str) -> socket.socket:
    """Open a listening socket; connections wait until the server accepts them.

    Args:
        endpoint: ``127.0.0.1:8080`` or ``[::1]:8080``; port 0 stands for any free port.

    Raises:
        ListenError: it is not possible to listen there.
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
def serve_site(
    listener: socket.socket, site: Site, limits: ClientLimits | None = None
) -> Iterator[Callable[[], bool]]:
    """Serve the site at a socket within the block; the socket stays open after it.

    Yields a check whether the server handles requests.

    Args:
        listener: the socket.
        site: the application.
        limits: the limits of clients; None for the default ones.
    """
    _raise_open_file_limit()
    config = uvicorn.Config(
        site,
        http=make_cached_protocol(site.response_cache, site.prefix, site.may_be_cached, limits),
        loop="auto",
        ws="none",
        interface="asgi3",
        lifespan="on",
        log_config=None,
        log_level="error",  # invalid requests of strangers are not worth logging
        access_log=False,  # addresses are secrets
        proxy_headers=False,
        server_header=False,
        backlog=_BACKLOG,
        timeout_keep_alive=_IDLE_SECONDS,
        timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
    )
    server = _Server(config)
    # A daemon thread does not delay the exit of a process that is stopped while it starts.
    thread = Thread(target=_run_server, args=(server, listener.dup()), name="web", daemon=True)
    thread.start()
    try:
        yield lambda: thread.is_alive() and server.is_responsive()
    finally:
        server.should_exit = True
        thread.join()


class _Server(uvicorn.Server):
    """A server whose event loop can be watched from other threads."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._ticked_at = time.monotonic()

    async def on_tick(self, counter: int) -> bool:
        """Note that the event loop works; uvicorn calls this ten times a second."""
        self._ticked_at = time.monotonic()
        return await super().on_tick(counter)

    def is_responsive(self) -> bool:
        """Whether the event loop has worked a moment ago."""
        return time.monotonic() - self._ticked_at < _UNRESPONSIVE_SECONDS


def _raise_open_file_limit() -> None:
    """Raise the limit of open files, because at the limit libuv closes new connections without a response.

    Systems start processes with a low limit (1,024 or 256) for programs that use ``select``, and allow them
    to raise it.
    """
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    soft_limit, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    new_limit = _MAX_OPEN_FILES if hard_limit == resource.RLIM_INFINITY else min(_MAX_OPEN_FILES, hard_limit)
    if soft_limit != resource.RLIM_INFINITY and soft_limit < new_limit:
        with suppress(OSError, ValueError):  # some systems have a further, lower limit
            resource.setrlimit(resource.RLIMIT_NOFILE, (new_limit, hard_limit))


def _run_server(server: uvicorn.Server, listener: socket.socket) -> None:
    # The main thread waits for signals; outside of it, uvicorn installs no handlers.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT, signal.SIGHUP})
    with listener:
        server.run(sockets=[listener])
