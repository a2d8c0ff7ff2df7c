"""Parsing of untrusted documents in a worker process, with a limit of CPU time for each document.

Some documents keep parsers busy for hours: they compare thousands of attributes, blank lines or keywords with
each other. No list of such cases is complete, so the time itself is limited. The process is started for the
first such document of a pull and ends with the pull.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Self

from digest.errors import SourceError
from digest.jobs.http.fetch import ClosedError
from digest.jobs.http.parse_worker import MAX_MEMORY_BYTES, serve
from digest.ports import Page, Request, Response, Source

SECONDS_PER_MEGABYTE = 5.0
"""CPU time for a million bytes, in seconds; recorded feeds take 0.3 to 1.8 s."""
MIN_SECONDS = 0.25
"""CPU time for a document of less than 50 kB, in seconds.

Each document has a fixed cost of one or two milliseconds, which for the shortest ones is more than 5 s a
megabyte. Recorded feeds of up to 30 kB take 68 ms or less on a slow machine, and there are slower machines.
"""
_STOP_TIMEOUT = 5.0
"""Time in which the process has to end, in seconds."""


def compute_time_limit(body: bytes) -> float:
    """Return the CPU time that a document may take, in seconds."""
    return max(MIN_SECONDS, SECONDS_PER_MEGABYTE * len(body) / 1e6)


class ParseProcess:
    """Parses answers of sources; several threads may use it, one at a time.

    Documents of trusted sources are parsed in this process, and so are all documents if the system has no
    limits of CPU time (Windows).
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._pipe: Connection | None = None
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def read_response(self, source: Source, request: Request, response: Response) -> Page:
        """Parse an answer, as ``source.read`` does.

        Raises:
            SourceError: as for ``source.read``; or parsing takes too long or too much memory, or no process
                can be started.
            ClosedError: the process was ended meanwhile.
            Exception: whatever a bug in the source raised.
        """
        if not source.is_untrusted or os.name != "posix":
            return source.read(request, response)
        with self._lock:
            answer = self._request_page(source, request, response)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def close(self) -> None:
        """End the process, even while it parses for another thread."""
        self._closed = True
        if process := self._process:
            process.kill()
            process.wait()
        with self._lock:
            if self._pipe is not None:
                self._pipe.close()
                self._pipe = None

    def _request_page(self, source: Source, request: Request, response: Response) -> Page | Exception:
        if self._closed:
            raise ClosedError
        seconds = compute_time_limit(response.body)
        pipe = self._send_task(pickle.dumps((source, request, response, seconds)), source)
        try:
            answer: Page | Exception = pipe.recv()
        except (EOFError, OSError):
            return self._describe_end(source, response, seconds)
        if isinstance(answer, MemoryError):
            return SourceError(
                f"{source.title} sent a document of {len(response.body):,} bytes that takes more than {MAX_MEMORY_BYTES / 1e9:g} GB of memory to read; it was ignored."
            )
        return answer

    def _send_task(self, task: bytes, source: Source) -> Connection:
        """Send a task to the process, or to a new one if it ended while it was idle."""
        if self._pipe is not None:
            with suppress(OSError):
                self._pipe.send_bytes(task)
                return self._pipe
            self._stop_process()
        if self._closed:
            raise ClosedError
        try:
            self._pipe = self._start_process()
        except OSError as error:
            message = f"The process to read the document of {source.title} could not be started: {error}."
            raise SourceError(message) from None
        with suppress(OSError):  # a failure shows when the answer is received
            self._pipe.send_bytes(task)
        return self._pipe

    def _start_process(self) -> Connection:
        own_end, worker_end = Pipe()
        with worker_end:
            # Not by multiprocessing, which would import the main module again; that would double the time.
            self._process = subprocess.Popen(  # noqa: S603 - our own module
                [sys.executable, "-c", f"from {serve.__module__} import serve; serve({worker_end.fileno()})"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                pass_fds=[worker_end.fileno()],
                start_new_session=True,  # Ctrl-C reaches all processes of a terminal, but we end this one
            )
        if self._closed:
            self._process.kill()
        return own_end

    def _stop_process(self) -> int | None:
        """End the process and return its status; a new process parses the next document."""
        pipe, process, status = self._pipe, self._process, None
        if pipe is not None:
            pipe.close()
        if process is not None:
            try:
                status = process.wait(_STOP_TIMEOUT)
            except subprocess.TimeoutExpired:
                process.kill()
                status = process.wait()
        self._process, self._pipe = None, None
        return status

    def _describe_end(self, source: Source, response: Response, seconds: float) -> SourceError:
        """Explain why the process ended without an answer."""
        status = self._stop_process()
        if self._closed:
            raise ClosedError
        if status == -signal.SIGPROF:
            return SourceError(
                f"{source.title} sent a document of {len(response.body):,} bytes that takes more than {seconds:g} s of CPU time to read; it was ignored."
            )
        return SourceError(
            f"{source.title} sent a document that crashed the reading process (status {status})."
        )
