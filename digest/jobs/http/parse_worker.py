"""The worker process that reads documents of unknown makers, which `parse_process` starts.

It imports what reads documents and nothing else: each pull of feeds waits for its start, of which the imports of what
fetches would be half.
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
"""What they make the process import and compile is not the first document's time: well-formed, broken, and JSON."""
MAX_MEMORY_BYTES = 2_000_000_000
"""Bytes of the process; a feed of 10 MB takes a quarter of it."""


def serve(descriptor: int) -> None:
    """Read documents until nobody is there to send any.

    Args:
        descriptor: of the pipe to who started this process.
    """
    import resource

    with suppress(ValueError, OSError):  # not every system has it
        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    for sample in _SAMPLES:
        read_any_feed(sample, content_type="", address="https://example.org/", subject="A sample")
    with Connection(descriptor) as pipe, suppress(EOFError, OSError):
        while True:
            task = pickle.loads(pipe.recv_bytes())  # noqa: S301 - from who started this process
            pipe.send_bytes(_read_and_encode(*task))


def _read_and_encode(source: Source, request: Request, response: Response, seconds: float) -> bytes:
    """A page, or what was raised, as bytes; within so much CPU time, or the system ends this process."""
    result: Any
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        result = source.read(request, response)
    except Exception as error:  # noqa: BLE001 - it is told where the document came from
        result = error
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    try:
        return pickle.dumps(result)
    except Exception:  # noqa: BLE001 - errors can hold what cannot be sent
        return pickle.dumps(RuntimeError(repr(result)[:500]))
