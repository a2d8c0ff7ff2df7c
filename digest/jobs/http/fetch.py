"""One HTTP request, with limits and short retries; the only module with an HTTP client for sources and enrichers."""

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
from digest.core.fetching.limits import parse_limits
from digest.core.fetching.public_addresses import make_public_address
from digest.core.times.http_time import compute_freshness_lifetime, parse_http_date
from digest.jobs.http.body_limit import BodyError, BrokenOffError, read_body
from digest.jobs.http.fetch_errors import OFFLINE, describe_error, find_failed_lookup, read_refusal
from digest.jobs.http.fetch_results import (
    Fetched,
    FetchFailure,
    FetchFailureState,
    FetchResult,
    NotModified,
    PermanentlyGone,
    Validators,
)
from digest.jobs.http.ssrf_guard import RequestBlockedError, SsrfGuard
from digest.ports import Request, Response
from digest.redaction import register_tokens

DEADLINE_SECONDS = 60.0
"""Deadline of a whole response, in seconds, because a host that sends one byte a second never times out."""
_TIMEOUT = httpx.Timeout(20.0, connect=10.0)
_ADDRESS_CHARACTERS = "@:/?&=+,;~%#"
"""Characters of an e-mail or web address that are not escaped in the User-Agent, besides letters and digits."""
_MAX_RETRY_WAIT = 30.0
"""Maximum wait before a retry, in seconds; for longer pauses the ledger plans another request."""
_UNRESOLVED_SECONDS = 60.0
"""Period in which a host name that could not be resolved is not looked up again, in seconds."""
_ALL_HOSTS = "*"
"""Stands for all host names if none can be resolved."""
_MAX_REDIRECTS = 5
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_PERMANENT_REDIRECTS = frozenset({301, 308})
_METHOD_PRESERVING = frozenset({307, 308})
"""Redirects that preserve the method; the others turn a POST into a GET (RFC 9110, section 15.4)."""
_CREDENTIALS = frozenset({"authorization", "cookie", "x-api-key"})
"""Headers whose values are secrets."""
# No keep-alive: requests to a host are seconds apart, and it may close an idle connection just as we use it.
_CONNECTION_LIMITS = httpx.Limits(max_keepalive_connections=0)

Clock = Callable[[], datetime]
"""Returns the time, UTC; simulated if a command has ``--now``."""

# Retries are not logged; only the final result is reported.
stamina.instrumentation.set_on_retry_hooks([])


_TRANSIENT_STATES = frozenset({FetchFailureState.AWAY, FetchFailureState.CUT_OFF})
"""Failures that may be over a moment later."""


class ClosedError(Exception):
    """The fetcher was closed meanwhile; the outcome of the request is unknown."""


class _TroubleError(Exception):
    """A failed request, with its outcome."""

    def __init__(self, trouble: FetchFailure, *, is_retryable: bool = False) -> None:
        super().__init__(trouble.message)
        self.trouble = trouble
        self.is_retryable = is_retryable


class _OpenConnections:
    """The connections of one attempt, which another thread can close.

    The timeouts of httpx restart with every byte, even within the headers.
    """

    def __init__(self) -> None:
        self.was_cut = threading.Event()
        self._streams: list[Any] = []

    def record_event(self, event: str, info: Mapping[str, Any]) -> None:
        """Collect new connections from the trace events of httpcore."""
        if event.endswith((".connect_tcp.complete", ".start_tls.complete")):
            self._streams.append(info["return_value"])
            if self.was_cut.is_set():
                self.close_all()

    def close_all(self) -> None:
        """Close all connections, and those that are opened from now on."""
        self.was_cut.set()
        for stream in list(self._streams):
            with suppress(OSError):
                stream.get_extra_info("socket").shutdown(socket.SHUT_RDWR)


@dataclass(slots=True)
class _Call:
    """One call of ``Fetcher.fetch``.

    Attributes:
        min_interval: the minimum number of seconds between two requests.
        next_at: when the next request may begin, in seconds of ``time.monotonic``.
    """

    request: Request
    validators: Validators
    max_bytes: int
    min_interval: float
    next_at: float = 0.0

    def defer_next(self, seconds: float) -> None:
        """Defer the next request by a number of seconds, but at least by the minimum interval."""
        self.next_at = max(self.next_at, time.monotonic() + max(seconds, self.min_interval))

    def build_headers(self, url: httpx.URL) -> dict[str, str]:
        """Return the headers for an address; secret ones are only sent to the origin of the original request."""
        conditional = {
            "Accept": self.request.accept,
            "If-None-Match": self.validators.etag,
            "If-Modified-Since": self.validators.last_modified,
        }
        present = {name: value for name, value in conditional.items() if value}
        return present | dict(self.request.headers) if self._is_requested_origin(url) else present

    def add_parameters(self, url: httpx.URL) -> httpx.URL:
        """Return an address with the secret parameters, if it has the origin of the original request."""
        parameters = dict(self.request.parameters)
        return url.copy_merge_params(parameters) if parameters and self._is_requested_origin(url) else url

    def remove_parameters(self, url: httpx.URL) -> httpx.URL:
        """Return an address of a redirect without the secret parameters, which the host may have repeated."""
        for name, _ in self.request.parameters:
            url = url.copy_remove_param(name)
        return url

    def _is_requested_origin(self, url: httpx.URL) -> bool:
        requested_url = httpx.URL(self.request.url)
        return (url.scheme, url.netloc) == (requested_url.scheme, requested_url.netloc)


def _load_tls_context() -> ssl.SSLContext:
    """Load the trusted certificates from ``SSL_CERT_FILE`` and ``SSL_CERT_DIR``; without these, those of httpx."""
    paths = (os.environ.get("SSL_CERT_FILE", ""), os.environ.get("SSL_CERT_DIR", ""))
    return _read_certificates(tuple((path, _read_change_time(path)) for path in paths if path))


def _read_change_time(path: str) -> int:
    """Return when a file or folder was changed, in nanoseconds; 0 if it does not exist, which httpx will report."""
    try:
        return Path(path).stat().st_mtime_ns
    except OSError:
        return 0


@lru_cache(maxsize=2)
def _read_certificates(_files: tuple[tuple[str, int], ...]) -> ssl.SSLContext:
    """Read the certificates once for each state of the files, which takes 25 ms; httpx reads the variables."""
    return httpx.create_ssl_context()


class Fetcher:
    """Makes requests; several threads may use it at the same time.

    Args:
        contact: the operator's address or page for the User-Agent; "" for none.
        deadline: the deadline of a whole response, in seconds.
        guard: checks where addresses given by readers lead.
    """

    def __init__(
        self, contact: str = "", *, deadline: float = DEADLINE_SECONDS, guard: SsrfGuard | None = None
    ) -> None:
        # A header must be one line of ASCII, and an address may have other characters.
        contact_note = f" (+{quote(contact, safe=_ADDRESS_CHARACTERS)})" if contact else ""
        client_options: dict[str, Any] = {
            "headers": {
                "User-Agent": f"papers-digest/{__version__}{contact_note}",
                "Accept-Encoding": "gzip",
            },
            "timeout": _TIMEOUT,
            "limits": _CONNECTION_LIMITS,
            "verify": _load_tls_context(),
        }
        self._operator_client = httpx.Client(**client_options)
        # No proxy: it would resolve the name again, past the SSRF guard.
        self._reader_client = httpx.Client(**client_options, trust_env=False)
        self._guard = guard or SsrfGuard()
        self._deadline = deadline
        self._closed = threading.Event()
        self._lock = threading.Lock()
        self._open_calls: set[_OpenConnections] = set()
        self._unresolved_hosts: dict[str, tuple[float, FetchFailure]] = {}

    def close(self) -> None:
        """Abort all requests; each raises ``ClosedError`` in its thread."""
        self._closed.set()
        with self._lock:
            open_calls = list(self._open_calls)
        for connections in open_calls:
            connections.close_all()

    def wait(self, seconds: float) -> None:
        """Sleep until the time is over or the fetcher is closed.

        Raises:
            ClosedError: the fetcher was closed.
        """
        if self._closed.wait(seconds):
            raise ClosedError

    def find_unresolved(self, url: str) -> FetchFailure | None:
        """Return the failure of a recent lookup of an address's host; None if a request is worthwhile.

        A lookup without an answer takes up to half a minute, and a file may have dozens of sections.
        """
        host = httpx.URL(url).host
        if host == "localhost" or _is_ip_address(host):
            return None
        for name in (host, _ALL_HOSTS):
            unresolved = self._unresolved_hosts.get(name)
            if unresolved is not None and time.monotonic() < unresolved[0]:
                return unresolved[1]
        return None

    def fetch(
        self, request: Request, validators: Validators, *, max_bytes: int, min_interval: float = 0.0
    ) -> FetchResult:
        """Make a request, up to three times if the host is temporarily busy or unreachable.

        Args:
            request: the request.
            validators: the validators of the last complete answer from the same address.
            max_bytes: the maximum size of the body, in bytes.
            min_interval: the minimum number of seconds between two requests, including redirects and retries.

        Raises:
            ClosedError: the fetcher was closed.
        """
        # Tokens from a login are not in the configuration, and hosts repeat what they were given.
        register_tokens(
            part
            for name, value in request.headers
            if name.lower() in _CREDENTIALS
            for part in (value, value.rpartition(" ")[2])
        )
        call = _Call(request, validators, max_bytes, min_interval)
        try:
            for attempt in stamina.retry_context(
                on=_is_retryable, attempts=3, timeout=_MAX_RETRY_WAIT, wait_initial=0.5, wait_max=2.0
            ):
                with attempt:
                    return self._try_fetch(call)
        except _TroubleError as error:
            return error.trouble
        raise AssertionError("the loop above returns or raises")

    # --- one attempt

    def _try_fetch(self, call: _Call) -> FetchResult:
        """Make one attempt, following redirects; all failures become one kind of error."""
        connections = _OpenConnections()
        try:
            with self._limit_time(connections):
                return self._follow_redirects(call, connections)
        except _TroubleError:
            raise
        except Exception as error:
            if self._closed.is_set():
                raise ClosedError from error
            if connections.was_cut.is_set():
                message = f"its answer was not complete after {self._deadline:g} seconds"
                raise _TroubleError(FetchFailure(message=message, state=FetchFailureState.CUT_OFF)) from error
            trouble = describe_error(error)
            if trouble is None:
                raise
            is_lookup = find_failed_lookup(error) is not None
            if is_lookup:
                host = _ALL_HOSTS if trouble.message == OFFLINE else httpx.URL(call.request.url).host
                self._unresolved_hosts[host] = (time.monotonic() + _UNRESOLVED_SECONDS, trouble)
            raise _TroubleError(
                trouble, is_retryable=trouble.state in _TRANSIENT_STATES and not is_lookup
            ) from error

    @contextmanager
    def _limit_time(self, connections: _OpenConnections) -> Iterator[None]:
        timer = threading.Timer(self._deadline, connections.close_all)
        timer.daemon = True
        with self._lock:
            if self._closed.is_set():
                raise ClosedError
            self._open_calls.add(connections)
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            with self._lock:
                self._open_calls.discard(connections)

    def _follow_redirects(self, call: _Call, connections: _OpenConnections) -> FetchResult:
        """Make a request, and follow its redirects."""
        url = _check_url(httpx.URL(call.request.url), None, call)
        is_permanent = True
        for hop in range(_MAX_REDIRECTS + 1):
            with self._open_answer(call, url, connections) as answer:
                target = _find_redirect(answer, url, call.request.method)
                if target is None:
                    moved_to = str(url) if hop and is_permanent else ""
                    return _evaluate_answer(answer, call, str(url), moved_to, connections)
                is_permanent = is_permanent and answer.status_code in _PERMANENT_REDIRECTS
            url = _check_url(call.remove_parameters(target), url, call)
        raise RequestBlockedError(f"it redirects in a loop, or more than {_MAX_REDIRECTS} times")

    @contextmanager
    def _open_answer(
        self, call: _Call, url: httpx.URL, connections: _OpenConnections
    ) -> Iterator[httpx.Response]:
        """Make one request when the minimum interval has passed, and return the response with its headers."""
        self.wait(max(call.next_at - time.monotonic(), 0))
        try:
            with closing(self._send_request(call, url, connections)) as answer:
                yield answer
        finally:
            call.defer_next(0)

    def _send_request(self, call: _Call, url: httpx.URL, connections: _OpenConnections) -> httpx.Response:
        extensions: dict[str, Any] = {"trace": connections.record_event}
        headers = call.build_headers(url)
        if not call.request.is_reader_url:
            request = self._operator_client.build_request(
                call.request.method,
                call.add_parameters(url),
                headers=headers,
                content=call.request.content or None,
                extensions=extensions,
            )
            return self._operator_client.send(request, stream=True)
        headers["Host"] = url.netloc.decode("ascii")
        extensions["sni_hostname"] = url.raw_host.decode("ascii")
        error: Exception = OSError("it has no address")
        for address in self._guard.list_addresses(url):
            address_url = url.copy_with(host=address)
            request = self._reader_client.build_request(
                "GET", address_url, headers=headers, extensions=extensions
            )
            try:
                return self._reader_client.send(request, stream=True)
            except (httpx.ConnectError, httpx.ConnectTimeout) as connect_error:
                error = connect_error
        raise error


def _is_ip_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


# --- addresses ------------------------------------------------------------------------------------


def _check_url(url: httpx.URL, redirected_from: httpx.URL | None, call: _Call) -> httpx.URL:
    """Return an address without its fragment if it may be requested, or raise an error.

    Args:
        url: the address.
        redirected_from: the address that redirected to it; None for the original one.
        call: the call.

    Raises:
        RequestBlockedError: it must not be requested.
    """
    if url.userinfo:
        raise RequestBlockedError(
            f"no request is sent to {url.host}: the address contains a user name or password"
        )
    if url.scheme not in {"http", "https"} or not url.host:
        raise RequestBlockedError(
            f"this is not a valid address ({make_public_address(str(url))}): it must begin with https:// or http://"
        )
    if url.port is not None and not 0 < url.port < 65536:
        raise RequestBlockedError(
            f"this is not a valid address ({make_public_address(str(url))}): a port must be between 1 and 65535"
        )
    if (
        call.request.is_reader_url
        and redirected_from is not None
        and (redirected_from.scheme, url.scheme) == ("https", "http")
    ):
        raise RequestBlockedError(f"it redirects from https to unencrypted http, at {url.host}")
    return url.copy_with(fragment=None)


def _find_redirect(answer: httpx.Response, url: httpx.URL, method: str) -> httpx.URL | None:
    """Return the target of a redirect; None if the response is not a redirect."""
    if answer.status_code not in _REDIRECTS:
        return None
    if method != "GET" and answer.status_code not in _METHOD_PRESERVING:
        raise RequestBlockedError(f"it redirects a POST request as a GET request (HTTP {answer.status_code})")
    if "location" not in answer.headers:
        raise RequestBlockedError(f"it redirects without saying where to (HTTP {answer.status_code})")
    return url.join(answer.headers["location"])


# --- answers --------------------------------------------------------------------------------------


def _evaluate_answer(
    answer: httpx.Response, call: _Call, url: str, moved_to: str, connections: _OpenConnections
) -> FetchResult:
    """Evaluate a response that is not a redirect and whose headers have been read."""
    status = answer.status_code
    now = parse_http_date(answer.headers.get("date", "")) or datetime.now(UTC)
    if status == 410:
        return PermanentlyGone(message="it is permanently gone (HTTP 410)")
    trouble = read_refusal(status, answer.headers, now)
    if trouble is not None:
        raise _make_refusal_error(trouble, call)
    is_success = status < 400
    unchanged = NotModified(
        moved_to=moved_to if is_success else "",
        limits=parse_limits(answer.headers, now),
        fresh_for=compute_freshness_lifetime(answer.headers, now) if is_success else None,
    )
    if status == 304:
        if not (call.validators.etag or call.validators.last_modified):
            raise BodyError("it answered that nothing has changed, but there is no earlier answer (HTTP 304)")
        return unchanged
    body = read_body(answer, call.max_bytes)
    if (
        connections.was_cut.is_set()
    ):  # a body without a length ends with the connection, so our own closing of it looks like the end
        raise BrokenOffError
    validators = _read_validators(answer, body)
    if validators.body_hash and validators.body_hash == call.validators.body_hash:
        return unchanged
    headers = tuple((name.lower(), value) for name, value in answer.headers.items())
    return Fetched(
        response=Response(status=status, headers=headers, body=body, url=url),
        validators=validators,
        moved_to=unchanged.moved_to,
        limits=unchanged.limits,
        fresh_for=unchanged.fresh_for,
    )


def _read_validators(answer: httpx.Response, body: bytes) -> Validators:
    """Return the validators of a response; none if it is a refusal."""
    if not answer.is_success:
        return Validators()
    return Validators(
        etag=_read_validator(answer, "etag"),
        last_modified=_read_validator(answer, "last-modified"),
        body_hash=hashlib.blake2b(body, digest_size=16).hexdigest(),
    )


def _read_validator(answer: httpx.Response, name: str) -> str:
    """Return a validator as it was received; "" if it cannot be sent in a header."""
    value = answer.headers.get(name, "")
    return value if value.isascii() and value.isprintable() else ""


# --- failures -------------------------------------------------------------------------------------


def _is_retryable(error: Exception) -> bool:
    return isinstance(error, _TroubleError) and error.is_retryable


def _make_refusal_error(trouble: FetchFailure, call: _Call) -> _TroubleError:
    """Make the error of a refusal, which can be retried in this call if the host asks for a short pause only."""
    pause_seconds = [
        pause.total_seconds() for pause in (trouble.pause, trouble.limits.pace) if pause is not None
    ]
    call.defer_next(max(pause_seconds, default=0.0))
    is_transient = trouble.state in {FetchFailureState.BUSY, FetchFailureState.THROTTLED}
    return _TroubleError(
        trouble, is_retryable=is_transient and call.next_at - time.monotonic() < _MAX_RETRY_WAIT
    )
