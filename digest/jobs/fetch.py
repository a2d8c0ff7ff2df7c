"""One HTTP request, with its limits and short retries; the only module that has an HTTP client."""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import httpx
import stamina
import stamina.instrumentation

from digest import __version__
from digest.core.retry import imposed_pause
from digest.ports import Request, Response

DEADLINE = 60.0
"""For the whole of an answer, in seconds: a host that sends a byte a second would hold us for ever."""
_TIMEOUT = httpx.Timeout(20.0, connect=10.0)
_SHORT = timedelta(seconds=30)
"""Longer pauses are the ledger's, not a sleep's."""
_BUSY = frozenset({406, 429, 500, 502, 503, 504})
"""Answers that mean "later"; arXiv's edge says 406 under load."""

# A retry is no news; what came of it is told.
stamina.instrumentation.set_on_retry_hooks([])


@dataclass(frozen=True, slots=True, kw_only=True)
class Got:
    """A whole answer, for its source to read."""

    response: Response
    etag: str
    last_modified: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unchanged:
    """The host says that nothing changed since the last whole answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """No answer to read.

    Attributes:
        message: what happened, to go behind the source's name.
        pause: how long the host wants not to be asked; None if it did not say.
    """

    message: str
    pause: timedelta | None = None


Answer = Got | Unchanged | Trouble


class _BusyError(Exception):
    """The host said "later"."""

    def __init__(self, status: int, pause: timedelta | None) -> None:
        super().__init__(f"HTTP {status}")
        self.pause = pause


class _UnusableError(Exception):
    """The answer cannot be used as it is."""


class Fetcher:
    """Asks hosts, one request at a time.

    Args:
        contact: the operator's address or page for the User-Agent; "" for none.
    """

    def __init__(self, contact: str = "") -> None:
        about = f" (+{contact})" if contact else ""
        self._client = httpx.Client(
            headers={"User-Agent": f"papers-digest/{__version__}{about}", "Accept-Encoding": "gzip"},
            timeout=_TIMEOUT,
            follow_redirects=True,
            max_redirects=5,
        )

    def close(self) -> None:
        """Let go of the connections."""
        self._client.close()

    def get(self, request: Request, *, etag: str, last_modified: str, max_bytes: int) -> Answer:
        """Ask, up to three times where the host is busy or away for a moment.

        Args:
            request: what to ask.
            etag: the validator of the last whole answer, "" if none; so is ``last_modified``.
            last_modified: see ``etag``.
            max_bytes: a longer answer is given up.
        """
        headers = {"Accept": request.accept}
        if etag:
            headers["If-None-Match"] = etag
        if last_modified:
            headers["If-Modified-Since"] = last_modified
        try:
            for attempt in stamina.retry_context(
                on=_again, attempts=3, timeout=_SHORT, wait_initial=0.5, wait_max=10.0
            ):
                with attempt:
                    return self._once(request.url, headers, max_bytes)
        except _BusyError as busy:
            return Trouble(message=f"it answered {busy}", pause=busy.pause)
        except _UnusableError as unusable:
            return Trouble(message=str(unusable))
        except httpx.HTTPError as error:
            return Trouble(message=_in_words(error))
        raise AssertionError("the loop above returns or raises")

    def _once(self, url: str, headers: dict[str, str], max_bytes: int) -> Answer:
        ends = time.monotonic() + DEADLINE
        with self._client.stream("GET", url, headers=headers) as answer:
            if answer.status_code == 304:
                return Unchanged()
            if answer.status_code in _BUSY:
                raise _BusyError(answer.status_code, _asked_pause(answer))
            if answer.status_code == 403:
                # arXiv's terms: go on after "access denied" and it is an attack.
                return Trouble(message="it denies access (HTTP 403)", pause=timedelta(hours=6))
            body = _read(answer, max_bytes, ends)
            return Got(
                response=Response(
                    status=answer.status_code,
                    headers=tuple((name.lower(), value) for name, value in answer.headers.items()),
                    body=body,
                ),
                etag=answer.headers.get("etag", ""),
                last_modified=answer.headers.get("last-modified", ""),
            )


def _again(error: Exception) -> bool | timedelta:
    if isinstance(error, _BusyError):
        if error.pause is None:
            return True
        return error.pause if error.pause < _SHORT else False
    return isinstance(error, httpx.TransportError)


def _asked_pause(answer: httpx.Response) -> timedelta | None:
    header = answer.headers.get("retry-after")
    return imposed_pause(header, datetime.now(UTC)) if header else None


def _read(answer: httpx.Response, max_bytes: int, ends: float) -> bytes:
    """The body, decompressed under the cap: a small answer can unpack to any size."""
    encoding = answer.headers.get("content-encoding", "identity").strip().lower()
    if encoding in {"gzip", "x-gzip"}:
        chunks = _unzipped(answer.iter_raw(), max_bytes)
    elif encoding == "identity":
        chunks = answer.iter_raw()
    else:
        raise _UnusableError(f"it answered in {encoding!r}, which was not asked for")
    body = bytearray()
    for chunk in chunks:
        body += chunk
        if len(body) > max_bytes:
            raise _UnusableError(f"its answer is longer than {max_bytes:,} bytes")
        if time.monotonic() > ends:
            raise _UnusableError(f"its answer was not whole after {DEADLINE:.0f} seconds")
    return bytes(body)


def _unzipped(chunks: Iterator[bytes], max_bytes: int) -> Iterator[bytes]:
    unzip = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    for chunk in chunks:
        rest = chunk
        while rest:
            try:
                yield unzip.decompress(rest, max_bytes + 1)
            except zlib.error as error:
                raise _UnusableError("its answer is not the gzip that it says") from error
            rest = unzip.unconsumed_tail
    if not unzip.eof:
        raise _UnusableError("its answer breaks off")


_WORDS: tuple[tuple[type[httpx.HTTPError], str], ...] = (
    (httpx.ConnectTimeout, "it cannot be reached (no connection within 10 seconds)"),
    (httpx.ConnectError, "it cannot be reached"),
    (httpx.TimeoutException, "it did not answer in time"),
    (httpx.RemoteProtocolError, "its answer breaks off"),
    (httpx.TooManyRedirects, "it redirects in a circle"),
)


def _in_words(error: httpx.HTTPError) -> str:
    words = next((words for kind, words in _WORDS if isinstance(error, kind)), "the request failed")
    return f"{words} ({error})" if str(error) else words


Clock = Callable[[], datetime]
"""Gives the time, UTC; simulated where a command has ``--now``."""
