"""One HTTP request, with its limits and short retries; the only module that has an HTTP client."""

from __future__ import annotations

import hashlib
import ipaddress
import os
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import stamina
import stamina.instrumentation

from digest import __version__
from digest.core.fetching.limits import limits_told
from digest.core.times.http_time import fresh_for, http_date
from digest.jobs.http.body_limit import BodyError, BrokenOffError, read_body
from digest.jobs.http.fetch_errors import OFFLINE, failed_lookup, refusal, trouble_of
from digest.jobs.http.fetch_results import Answer, Gone, Got, Known, Trouble, TroubleState, Unchanged
from digest.jobs.http.ssrf_guard import Guard, RefusedError
from digest.ports import Request, Response
from digest.redaction import register_tokens

DEADLINE = 60.0
"""For the whole of an answer, in seconds: a host that sends a byte a second would hold us for ever."""
_TIMEOUT = httpx.Timeout(20.0, connect=10.0)
_IN_ADDRESSES = "@:/?&=+,;~%#"
"""What may stand in an e-mail or web address besides letters and digits."""
_SHORT = 30.0
"""Seconds; longer pauses are the ledger's, not a sleep's."""
_UNRESOLVED_FOR = 60.0
"""Seconds for which a name that could not be looked up is not looked up again."""
_ALL_HOSTS = "*"
"""Stands for all names, where none can be looked up."""
_HOPS = 5
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_FOR_GOOD = frozenset({301, 308})
_SAME_METHOD = frozenset({307, 308})
"""The others turn a POST into a GET (RFC 9110, section 15.4)."""
# A connection each: hosts are asked seconds apart, and one that is kept may be closed as we use it.
_CREDENTIALS = frozenset({"authorization", "cookie", "x-api-key"})
"""Headers whose values are secrets."""
_CONNECTIONS = httpx.Limits(max_keepalive_connections=0)

Clock = Callable[[], datetime]
"""Gives the time, UTC; simulated where a command has ``--now``."""

# A retry is no news; what came of it is told.
stamina.instrumentation.set_on_retry_hooks([])


_PASSING = frozenset({TroubleState.AWAY, TroubleState.CUT_OFF})
"""Troubles that may be over a moment later."""


class ClosedError(Exception):
    """The fetcher was closed meanwhile; nothing is known of what was asked."""


class _TroubleError(Exception):
    """There is nothing to read, for now or at all."""

    def __init__(self, trouble: Trouble, *, again: bool = False) -> None:
        super().__init__(trouble.message)
        self.trouble = trouble
        self.again = again


class _Lines:
    """The connections of one try, to be hung up from another thread.

    httpx's own timeouts begin anew with every byte, in the headers too.
    """

    def __init__(self) -> None:
        self.cut = threading.Event()
        self._streams: list[Any] = []

    def note(self, event: str, info: Mapping[str, Any]) -> None:
        """Hear from httpcore how a request goes: new connections are kept."""
        if event.endswith((".connect_tcp.complete", ".start_tls.complete")):
            self._streams.append(info["return_value"])
            if self.cut.is_set():
                self.hang_up()

    def hang_up(self) -> None:
        """End what is under way, and what begins now."""
        self.cut.set()
        for stream in list(self._streams):
            with suppress(OSError):
                stream.get_extra_info("socket").shutdown(socket.SHUT_RDWR)


@dataclass(slots=True)
class _Call:
    """One call of ``get``.

    Attributes:
        pace: the least number of seconds between two requests.
        turn: when the next request may begin, by the monotonic clock.
    """

    request: Request
    known: Known
    max_bytes: int
    pace: float
    turn: float = 0.0

    def rest(self, seconds: float) -> None:
        """Keep the next request away for so long, at least for the pace."""
        self.turn = max(self.turn, time.monotonic() + max(seconds, self.pace))

    def headers(self, url: httpx.URL) -> dict[str, str]:
        """What an address is told; what is secret hears nobody but who was asked first."""
        wanted = {
            "Accept": self.request.accept,
            "If-None-Match": self.known.etag,
            "If-Modified-Since": self.known.last_modified,
        }
        said = {name: value for name, value in wanted.items() if value}
        return said | dict(self.request.headers) if self._is_asked(url) else said

    def with_parameters(self, url: httpx.URL) -> httpx.URL:
        """An address with what is secret in it, as it is asked."""
        more = dict(self.request.parameters)
        return url.copy_merge_params(more) if more and self._is_asked(url) else url

    def without_parameters(self, url: httpx.URL) -> httpx.URL:
        """An address that an answer tells, without what is secret: it may have repeated it."""
        for name, _ in self.request.parameters:
            url = url.copy_remove_param(name)
        return url

    def _is_asked(self, url: httpx.URL) -> bool:
        first = httpx.URL(self.request.url)
        return (url.scheme, url.netloc) == (first.scheme, first.netloc)


def _tls_context() -> ssl.SSLContext:
    """The trusted certificates: those of the two variables that OpenSSL knows, as they are now on the disk."""
    named = (os.environ.get("SSL_CERT_FILE", ""), os.environ.get("SSL_CERT_DIR", ""))
    return _read_certificates(tuple((path, _changed_at(path)) for path in named if path))


def _changed_at(path: str) -> int:
    """When a file or folder was changed, in nanoseconds; 0 if there is none, which is for httpx to judge."""
    try:
        return Path(path).stat().st_mtime_ns
    except OSError:
        return 0


@lru_cache(maxsize=2)
def _read_certificates(_files: tuple[tuple[str, int], ...]) -> ssl.SSLContext:
    """Read them, which takes 25 ms, once for each state of the files: httpx looks into the variables itself."""
    return httpx.create_ssl_context()


class Fetcher:
    """Asks hosts; several threads may use it at the same time.

    Args:
        contact: the operator's address or page for the User-Agent; "" for none.
        deadline: for the whole of an answer, in seconds.
        guard: judges where addresses of readers lead.
    """

    def __init__(self, contact: str = "", *, deadline: float = DEADLINE, guard: Guard | None = None) -> None:
        # A header is ASCII in one line, and an address can have other letters.
        about = f" (+{quote(contact, safe=_IN_ADDRESSES)})" if contact else ""
        common: dict[str, Any] = {
            "headers": {"User-Agent": f"papers-digest/{__version__}{about}", "Accept-Encoding": "gzip"},
            "timeout": _TIMEOUT,
            "limits": _CONNECTIONS,
            "verify": _tls_context(),
        }
        self._operators = httpx.Client(**common)
        # A proxy would look the name up again, and go where it likes.
        self._readers = httpx.Client(**common, trust_env=False)
        self._guard = guard or Guard()
        self._deadline = deadline
        self._closed = threading.Event()
        self._lock = threading.Lock()
        self._open: set[_Lines] = set()
        self._unresolved: dict[str, tuple[float, Trouble]] = {}

    def close(self) -> None:
        """End what is under way, in whatever thread: it raises ``ClosedError`` there."""
        self._closed.set()
        with self._lock:
            under_way = list(self._open)
        for lines in under_way:
            lines.hang_up()

    def sleep(self, seconds: float) -> None:
        """Wait, but not when nobody wants an answer any more.

        Raises:
            ClosedError: the fetcher was closed.
        """
        if self._closed.wait(seconds):
            raise ClosedError

    def unresolved(self, url: str) -> Trouble | None:
        """The trouble of an address whose host could not be looked up moments ago; None where it is worth asking.

        A lookup without an answer takes up to half a minute, and a file can have dozens of sections.
        """
        host = httpx.URL(url).host
        if host == "localhost" or _is_ip_address(host):
            return None
        for name in (host, _ALL_HOSTS):
            known = self._unresolved.get(name)
            if known is not None and time.monotonic() < known[0]:
                return known[1]
        return None

    def get(self, request: Request, known: Known, *, max_bytes: int, pace: float = 0.0) -> Answer:
        """Ask, up to three times where the host is busy or away for a moment.

        Args:
            request: what to ask.
            known: what is known of the last whole answer from the same address.
            max_bytes: a longer answer is given up.
            pace: the least number of seconds between two requests, also those of redirects and retries.

        Raises:
            ClosedError: the fetcher was closed.
        """
        # A token that a login gave is in no configuration, and hosts say back what they were given.
        register_tokens(
            part
            for name, value in request.headers
            if name.lower() in _CREDENTIALS
            for part in (value, value.rpartition(" ")[2])
        )
        call = _Call(request, known, max_bytes, pace)
        try:
            for attempt in stamina.retry_context(
                on=_again, attempts=3, timeout=_SHORT, wait_initial=0.5, wait_max=2.0
            ):
                with attempt:
                    return self._try(call)
        except _TroubleError as error:
            return error.trouble
        raise AssertionError("the loop above returns or raises")

    # --- one try

    def _try(self, call: _Call) -> Answer:
        """Ask once, wherever that leads; all that can go wrong becomes one kind of error."""
        lines = _Lines()
        try:
            with self._deadline_of(lines):
                return self._follow(call, lines)
        except _TroubleError:
            raise
        except Exception as error:
            if self._closed.is_set():
                raise ClosedError from error
            if lines.cut.is_set():
                message = f"its answer was not whole after {self._deadline:g} seconds"
                raise _TroubleError(Trouble(message=message, state=TroubleState.CUT_OFF)) from error
            trouble = trouble_of(error)
            if trouble is None:
                raise
            is_lookup = failed_lookup(error) is not None
            if is_lookup:
                host = _ALL_HOSTS if trouble.message == OFFLINE else httpx.URL(call.request.url).host
                self._unresolved[host] = (time.monotonic() + _UNRESOLVED_FOR, trouble)
            raise _TroubleError(trouble, again=trouble.state in _PASSING and not is_lookup) from error

    @contextmanager
    def _deadline_of(self, lines: _Lines) -> Iterator[None]:
        timer = threading.Timer(self._deadline, lines.hang_up)
        timer.daemon = True
        with self._lock:
            if self._closed.is_set():
                raise ClosedError
            self._open.add(lines)
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            with self._lock:
                self._open.discard(lines)

    def _follow(self, call: _Call, lines: _Lines) -> Answer:
        """Ask, and go where the answer points to."""
        url = _address(httpx.URL(call.request.url), None, call)
        moved = True
        for hop in range(_HOPS + 1):
            with self._ask(call, url, lines) as answer:
                target = _target(answer, url, call.request.method)
                if target is None:
                    final = str(url) if hop and moved else ""
                    return _judged(answer, call, str(url), final, lines)
                moved = moved and answer.status_code in _FOR_GOOD
            url = _address(call.without_parameters(target), url, call)
        raise RefusedError(f"it redirects in a circle, or more than {_HOPS} times")

    @contextmanager
    def _ask(self, call: _Call, url: httpx.URL, lines: _Lines) -> Iterator[httpx.Response]:
        """One request when it is its turn; gives the answer when its headers have come."""
        self.sleep(max(call.turn - time.monotonic(), 0))
        try:
            with closing(self._send(call, url, lines)) as answer:
                yield answer
        finally:
            call.rest(0)

    def _send(self, call: _Call, url: httpx.URL, lines: _Lines) -> httpx.Response:
        extensions: dict[str, Any] = {"trace": lines.note}
        headers = call.headers(url)
        if not call.request.by_reader:
            request = self._operators.build_request(
                call.request.method,
                call.with_parameters(url),
                headers=headers,
                content=call.request.content or None,
                extensions=extensions,
            )
            return self._operators.send(request, stream=True)
        headers["Host"] = url.netloc.decode("ascii")
        extensions["sni_hostname"] = url.raw_host.decode("ascii")
        error: Exception = OSError("it has no address")
        for address in self._guard.addresses(url):
            place = url.copy_with(host=address)
            request = self._readers.build_request("GET", place, headers=headers, extensions=extensions)
            try:
                return self._readers.send(request, stream=True)
            except (httpx.ConnectError, httpx.ConnectTimeout) as failed:
                error = failed
        raise error


def _is_ip_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


# --- addresses ------------------------------------------------------------------------------------


def _address(url: httpx.URL, before: httpx.URL | None, call: _Call) -> httpx.URL:
    """An address that can be asked, without what is not sent; ``before`` is where it was redirected from."""
    if url.userinfo:
        raise RefusedError(f"{url.host} is not asked: its address has a name or password in it")
    if url.scheme not in {"http", "https"} or not url.host:
        raise RefusedError(f"there can be no such address ({url}): it must begin with https:// or http://")
    if url.port is not None and not 0 < url.port < 65536:
        raise RefusedError(f"there can be no such address ({url}): a port is between 1 and 65535")
    if call.request.by_reader and before is not None and (before.scheme, url.scheme) == ("https", "http"):
        raise RefusedError(f"it redirects from https to http, to {url.host}, where anybody can listen")
    return url.copy_with(fragment=None)


def _target(answer: httpx.Response, url: httpx.URL, method: str) -> httpx.URL | None:
    """Where an answer redirects to; None for one that does not."""
    if answer.status_code not in _REDIRECTS:
        return None
    if method != "GET" and answer.status_code not in _SAME_METHOD:
        raise RefusedError(
            f"it redirects what was posted to an address for reading (HTTP {answer.status_code})"
        )
    if "location" not in answer.headers:
        raise RefusedError(f"it redirects and does not say where (HTTP {answer.status_code})")
    return url.join(answer.headers["location"])


# --- answers --------------------------------------------------------------------------------------


def _judged(answer: httpx.Response, call: _Call, url: str, moved_to: str, lines: _Lines) -> Answer:
    """An answer whose headers have come and that does not redirect."""
    status = answer.status_code
    now = http_date(answer.headers.get("date", "")) or datetime.now(UTC)
    if status == 410:
        return Gone(message="it is gone for good (HTTP 410)")
    trouble = refusal(status, answer.headers, now)
    if trouble is not None:
        raise _later(trouble, call)
    good = status < 400
    unchanged = Unchanged(
        moved_to=moved_to if good else "",
        limits=limits_told(answer.headers, now),
        fresh_for=fresh_for(answer.headers, now) if good else None,
    )
    if status == 304:
        if not (call.known.etag or call.known.last_modified):
            raise BodyError("it says that nothing changed, and we have nothing yet (HTTP 304)")
        return unchanged
    body = read_body(answer, call.max_bytes)
    if lines.cut.is_set():  # where a body ends with its connection, being hung up looks like its end
        raise BrokenOffError
    known = _known(answer, body)
    if known.body_hash and known.body_hash == call.known.body_hash:
        return unchanged
    headers = tuple((name.lower(), value) for name, value in answer.headers.items())
    return Got(
        response=Response(status=status, headers=headers, body=body, url=url),
        known=known,
        moved_to=unchanged.moved_to,
        limits=unchanged.limits,
        fresh_for=unchanged.fresh_for,
    )


def _known(answer: httpx.Response, body: bytes) -> Known:
    """What an answer leaves for the next time: nothing, if it is a refusal."""
    if not answer.is_success:
        return Known()
    return Known(
        etag=_validator(answer, "etag"),
        last_modified=_validator(answer, "last-modified"),
        body_hash=hashlib.blake2b(body, digest_size=16).hexdigest(),
    )


def _validator(answer: httpx.Response, name: str) -> str:
    """What we send back as it came; "" for one that could not go into a header again."""
    value = answer.headers.get(name, "")
    return value if value.isascii() and value.isprintable() else ""


# --- troubles -------------------------------------------------------------------------------------


def _again(error: Exception) -> bool:
    return isinstance(error, _TroubleError) and error.again


def _later(trouble: Trouble, call: _Call) -> _TroubleError:
    """A refusal; it is tried again within this call where the host asks for no more than a moment."""
    wishes = [wish.total_seconds() for wish in (trouble.pause, trouble.limits.pace) if wish is not None]
    call.rest(max(wishes, default=0.0))
    passing = trouble.state in {TroubleState.BUSY, TroubleState.THROTTLED}
    return _TroubleError(trouble, again=passing and call.turn - time.monotonic() < _SHORT)
