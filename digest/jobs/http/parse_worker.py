"""The worker process that parses untrusted documents; ``parse_process`` starts it.

It only imports what it needs for parsing: each pull of feeds waits for its start, and importing the HTTP
client would take half of that time.
"""

from __future__ import annotations

import pickle
import signal
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from digest.core.fetching.formats.any_feed import read_any_feed
from digest.ports import Request, Response, Source

_SAMPLES = (
    b"<rss version='2.0'><channel><item><title>T</title><description>&lt;b&gt;T</description></item></channel></rss>",
    b"<rss><channel><item><author>a@b.c (A)</author><pubDate>Fri, 12 Jun 2026 04:00 GMT</pubDate></item></channel></rss>",
    b"<feed><entry><title>T</title><updated>2026-06-12T04:00:00Z</updated>",
    b'{"version": "https://jsonfeed.org/version/1.1", "items": [{"id": "1", "content_html": "<b>T"}]}',
)
"""Documents to parse at the start: well-formed ones, a broken one, and JSON.

The time for imports and for compiling patterns then does not count for the first document.
"""
MAX_MEMORY_BYTES = 2_000_000_000
"""Memory limit of the process, in bytes; a feed of 10 MB takes a quarter of it."""


def serve(descriptor: int) -> None:
    """Parse documents until the parent process closes the pipe.

    Args:
        descriptor: the file descriptor of the pipe to the parent process.
    """
    import resource

    with suppress(ValueError, OSError):  # some systems have no such limit
        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    for sample in _SAMPLES:
        read_any_feed(sample, content_type="", address="https://example.org/", subject="A sample")
    with Connection(descriptor) as pipe, suppress(EOFError, OSError):
        while True:
            task = pickle.loads(pipe.recv_bytes())  # noqa: S301 - from the parent process
            pipe.send_bytes(_read_and_encode(*task))


def _read_and_encode(source: Source, request: Request, response: Response, seconds: float) -> bytes:
    """Return the pickled page or exception; the system ends this process if it exceeds the CPU time in seconds."""
    result: Any
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        result = source.read(request, response)
    except Exception as error:  # noqa: BLE001 - the parent process reports it
        result = error
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    try:
        return pickle.dumps(result)
    except Exception:  # noqa: BLE001 - an exception may contain objects that cannot be pickled
        return pickle.dumps(RuntimeError(repr(result)[:500]))
