"""One HTTP request, with its limits and short retries; the only module that has an HTTP client."""

from __future__ import annotations

import socket
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from urllib.parse import quote
from weakref import WeakSet

import httpx
import stamina
import stamina.instrumentation

from digest import __version__
from digest.core.retry import imposed_pause
from digest.ports import Request, Response

DEADLINE = 60.0
"""For the whole of an answer, in seconds: a host that sends a byte a second would hold us for ever."""
_TIMEOUT = httpx.Timeout(20.0, connect=10.0)
_IN_ADDRESSES = "@:/?&=+,;~%#"
"""What may stand in an e-mail or web address besides letters and digits."""
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
        deadline: for the whole of an answer, in seconds.
    """

    def __init__(self, contact: str = "", *, deadline: float = DEADLINE) -> None:
        # A header is ASCII in one line, and an address can have other letters.
        about = f" (+{quote(contact, safe=_IN_ADDRESSES)})" if contact else ""
        self._client = httpx.Client(
            headers={"User-Agent": f"papers-digest/{__version__}{about}", "Accept-Encoding": "gzip"},
            timeout=_TIMEOUT,
            follow_redirects=True,
            max_redirects=5,
        )
        self._deadline = deadline
        self._streams: WeakSet[Any] = WeakSet()

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
        except (httpx.InvalidURL, UnicodeError) as error:
            return Trouble(message=f"there can be no such address ({error})")
        raise AssertionError("the loop above returns or raises")

    def _once(self, url: str, headers: dict[str, str], max_bytes: int) -> Answer:
        late = threading.Event()
        timer = threading.Timer(self._deadline, self._hang_up, [late])
        timer.daemon = True
        timer.start()
        extensions = {"trace": partial(self._note_connection, late)}
        try:
            with self._client.stream("GET", url, headers=headers, extensions=extensions) as answer:
                return _judged(answer, max_bytes, late)
        except (httpx.HTTPError, _UnusableError):
            if late.is_set():
                raise _UnusableError(f"its answer was not whole after {self._deadline:g} seconds") from None
            raise
        finally:
            timer.cancel()

    def _note_connection(self, late: threading.Event, event: str, info: Mapping[str, Any]) -> None:
        """What httpcore tells of a request's course: new connections are kept, to be hung up."""
        if late.is_set() and event.endswith(".connect_tcp.started"):
            raise _UnusableError("it is too late")
        if event.endswith((".connect_tcp.complete", ".start_tls.complete")):
            self._streams.add(info["return_value"])

    def _hang_up(self, late: threading.Event) -> None:
        """End what is under way: httpx's own timeouts begin anew with every byte, in the headers too."""
        late.set()
        for stream in list(self._streams):
            with suppress(OSError):
                stream.get_extra_info("socket").shutdown(socket.SHUT_RDWR)


def _judged(answer: httpx.Response, max_bytes: int, late: threading.Event) -> Answer:
    """An answer whose headers have come."""
    if answer.status_code == 304:
        if not answer.request.headers.keys() & {"if-none-match", "if-modified-since"}:
            raise _UnusableError("it says that nothing changed, and we have nothing yet (HTTP 304)")
        return Unchanged()
    if answer.status_code in _BUSY:
        raise _BusyError(answer.status_code, _asked_pause(answer))
    if answer.status_code == 403:
        # arXiv's terms: go on after "access denied" and it is an attack.
        return Trouble(message="it denies access (HTTP 403)", pause=timedelta(hours=6))
    body = _read(answer, max_bytes)
    if late.is_set():  # where a body ends with its connection, being hung up looks like its end
        raise _UnusableError("it is too late")
    return Got(
        response=Response(
            status=answer.status_code,
            headers=tuple((name.lower(), value) for name, value in answer.headers.items()),
            body=body,
        ),
        etag=_validator(answer, "etag"),
        last_modified=_validator(answer, "last-modified"),
    )


def _validator(answer: httpx.Response, name: str) -> str:
    """What we send back as it came; "" for one that could not go into a header again."""
    value = answer.headers.get(name, "")
    return value if value.isascii() and value.isprintable() else ""


def _again(error: Exception) -> bool | timedelta:
    if isinstance(error, _BusyError):
        if error.pause is None:
            return True
        return error.pause if error.pause < _SHORT else False
    return isinstance(error, httpx.TransportError)


def _asked_pause(answer: httpx.Response) -> timedelta | None:
    header = answer.headers.get("retry-after")
    return imposed_pause(header, datetime.now(UTC)) if header else None


def _read(answer: httpx.Response, max_bytes: int) -> bytes:
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
    return bytes(body)


def _unzipped(chunks: Iterator[bytes], max_bytes: int) -> Iterator[bytes]:
    unzip = _gunzip()
    for chunk in chunks:
        rest = chunk
        while rest:
            if unzip.eof:  # one more member: a file can have several (RFC 1952, section 2.2)
                unzip = _gunzip()
            try:
                yield unzip.decompress(rest, max_bytes + 1)
            except zlib.error as error:
                raise _UnusableError("its answer is not the gzip that it says") from error
            rest = unzip.unused_data if unzip.eof else unzip.unconsumed_tail
    if not unzip.eof:
        raise _UnusableError("its answer breaks off")


def _gunzip() -> zlib._Decompress:
    return zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)


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
