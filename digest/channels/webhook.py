"""Editions as signed JSON, posted to programs: ``to = [{ webhook = "https://…", secret = "${NAME}" }]``.

They are signed according to https://www.standardwebhooks.com: an id that is the same at each attempt, the
time of the attempt, and an HMAC-SHA256 of both with the body. ``http.client`` is used directly because it
shows whether a request had been sent completely when a connection broke: if not, the message did not arrive;
if so, it may have arrived.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import http.client
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from queue import Empty, SimpleQueue
from typing import ClassVar, TypeVar, cast
from urllib.parse import urlsplit

from digest import __version__, ports
from digest.core.times.retry import parse_retry_after
from digest.errors import ChannelError, DigestError, HostBlockedError
from digest.model import (
    AddressKind,
    Deferred,
    Document,
    Fault,
    Message,
    MessageForm,
    Receipt,
    Refused,
    Sent,
    Unknown,
)
from digest.redaction import redact_answer

_MAX_ANSWER_LENGTH = 300
"""Maximum length of the excerpt of a response body in a receipt, in characters."""
_PERMANENT_STATUSES = frozenset({400, 405, 406, 411, 413, 414, 415, 422, 501, 505})
"""Statuses that the same request would always get again (RFC 9110, section 15)."""
_BUSY_STATUSES = frozenset({408, 425, 429, 502, 503, 504})
_MAX_PLACES = 3
"""Number of addresses of a reader's host that are tried."""
_MIN_SECONDS = 0.1
"""Minimum time limit of an attempt to connect, in seconds."""
_REQUEST_SECONDS = 1.0
"""Time of an attempt that is left for the request when the connection stands, in seconds.

A request without an answer may have arrived, and is repeated; a connection that is given up is not.
"""
_READER_PAUSE = timedelta(minutes=15)
"""How long webhooks of a reader are put off whose others took too long."""
_LOOKUP_PAUSE = timedelta(minutes=1)
"""How long a delivery is put off if the database does not give its address."""
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel(ports.Channel):
    """Posts documents, each over its own connection, because a server may close an idle one without notice.

    Attributes:
        urls: the whole URLs, by the public address of the destination.
        secrets: the signing secrets, by the public address of the destination.
        address_book: the addresses of readers; None if only those of the file are used.
        ca_file: certificates to trust instead of the system's; "" for the system's.
        timeout: time limit for a request and its response together, in seconds.
        reader_timeout: time limit for a whole attempt at a webhook of a reader, with the look-up of its host, in seconds:
            it must not occupy the connections of others for long.
        max_reader_seconds: time of this connection after which further webhooks of readers are put off, in seconds: those
            of the same reader for the rest of the pass, those of all readers for the rest of the batch.
        clock: returns the current time for signatures, in seconds since 1970.
    """

    form: ClassVar[MessageForm] = MessageForm.JSON
    address_kind: ClassVar[AddressKind] = AddressKind.URL

    urls: Mapping[str, str] = field(repr=False)
    secrets: Mapping[str, str] = field(repr=False)
    address_book: ports.AddressBook | None = None
    ca_file: str = ""
    timeout: float = 30.0
    reader_timeout: float = 10.0
    max_reader_seconds: float = 30.0
    clock: Callable[[], float] = time.time
    _spent_seconds: dict[int, float] = field(default_factory=dict, init=False, repr=False)  # by reader

    def deliver(self, messages: Sequence[Message]) -> Iterator[tuple[Message, Receipt]]:
        """Post each document; a failure of one host does not affect the others.

        Those of the file come first, so that they do not wait for hosts that readers chose; these have
        ``max_reader_seconds`` together, and what they leave is put off.
        """
        documents_of_readers = []
        for message in messages:
            if not isinstance(message, Document):
                raise TypeError(f"the channel webhook accepts documents, not {type(message).__name__}")
            if self._may_be_of_reader(message):
                documents_of_readers.append(message)
            else:
                yield message, self._post_document(message)
        deadline = _Deadline(self.max_reader_seconds)
        for document in documents_of_readers:
            if deadline.get_seconds_spent() < self.max_reader_seconds:
                yield document, self._post_document(document)
            else:
                answer = "webhooks of other readers took too long"
                yield document, Deferred(answer=answer, fault=Fault.OURS, is_local=True)

    def _may_be_of_reader(self, document: Document) -> bool:
        try:
            return (
                self.address_book is not None and self.address_book.find_entry(document.delivery) is not None
            )
        except DigestError:
            return True

    def check(self) -> str:
        """Connect to each host without sending a request, because even an empty one could have an effect."""
        reachable = []
        for address, url in self.urls.items():
            try:
                connection = self._connect(url)
            except OSError as error:
                raise ChannelError(f"{address} cannot be reached: {_describe_error(error)}") from None
            connection.close()
            reachable.append(address)
        return (
            f"{', '.join(reachable)} can be reached; `digest preview NAME --to {reachable[0]}` sends a test"
            if reachable
            else "ready for destinations of readers"
        )

    def close(self) -> None:
        """Do nothing: the channel holds no resources."""

    # --- requests ---------------------------------------------------------------------------------

    def _post_document(self, document: Document) -> Receipt:
        try:
            entry = self.address_book.find_entry(document.delivery) if self.address_book else None
        except DigestError as error:
            answer = f"its address cannot be looked up: {error}"
            return Deferred(answer=answer, fault=Fault.OURS, retry_after=_LOOKUP_PAUSE, is_local=True)
        if entry is not None:
            return Refused(answer=entry.obstacle) if entry.obstacle else self._post_to_reader(document, entry)
        url = self.urls.get(document.address)
        if url is None:
            return Deferred(answer="the configuration no longer has this webhook, or its address has changed")
        secret = self.secrets[document.address]
        receipt = self._post_to(url, secret, document, self._connect, lambda: self.timeout)
        # The response may repeat the request, and everything after the host can be a password.
        url_parts = urlsplit(url)
        return replace(receipt, answer=redact_answer(receipt.answer, url_parts.path, url_parts.query, secret))

    def _post_to_reader(self, document: Document, entry: ports.BookEntry) -> Receipt:
        """Post a document to an address that a reader chose: to a public host, or not at all.

        Nothing that the host says is kept but the status: it may repeat the edition, and operators see answers.
        """
        spent = self._spent_seconds.get(entry.reader, 0.0)
        if spent >= self.max_reader_seconds:
            answer = "other webhooks of its reader took too long"
            return Deferred(answer=answer, fault=Fault.OURS, retry_after=_READER_PAUSE, is_local=True)
        deadline = _Deadline(self.reader_timeout)
        connect = partial(self._connect_to_reader, deadline)
        try:
            receipt = self._post_to(
                entry.url, entry.secret, document, connect, deadline.get_seconds_left, keeps_body=False
            )
        except HostBlockedError as error:
            receipt = Refused(answer=str(error))
        finally:
            self._spent_seconds[entry.reader] = spent + deadline.get_seconds_spent()
        # The file's programs accept our requests, so a server that does not (405, 501) is no receiver of webhooks.
        return replace(receipt, fault=Fault.ADDRESS) if isinstance(receipt, Refused) else receipt

    def _post_to(
        self,
        url: str,
        secret: str,
        document: Document,
        connect: Callable[[str], http.client.HTTPConnection],
        get_seconds_left: Callable[[], float],
        *,
        keeps_body: bool = True,
    ) -> Receipt:
        headers = {
            "Content-Type": "application/json; charset=utf-8",
            "User-Agent": f"digest/{__version__}",
            "Connection": "close",
            **make_signature_headers(document.idempotency_key, int(self.clock()), document.content, secret),
        }
        try:
            connection = connect(url)
        except OSError as error:
            return Deferred(answer=f"it cannot be reached: {_describe_error(error)}", fault=Fault.DOMAIN)
        try:
            with _limit_time(connection.sock, get_seconds_left()):
                return _send_request(connection, url, headers, document.content, keeps_body=keeps_body)
        finally:
            connection.close()

    def _connect(self, url: str) -> http.client.HTTPConnection:
        connection = self._make_connection(url)
        connection.connect()
        return connection

    def _connect_to_reader(self, deadline: _Deadline, url: str) -> http.client.HTTPConnection:
        """Connect to one of the addresses that the address book has checked, whatever a second look-up would return.

        Raises:
            HostBlockedError: the host is not public.
            OSError: it cannot be reached in time.
        """
        assert self.address_book is not None
        connection = self._make_connection(url)
        # It must not look up the host and connect by itself, not even after the server has closed the connection.
        connection.auto_open = 0
        resolve = partial(self.address_book.resolve_host, connection.host, connection.port)
        places = _call_in_time(resolve, deadline.get_connect_seconds())
        plain_socket = _connect_to_any(places, deadline.get_connect_seconds())
        try:
            tls_socket = self._start_tls(plain_socket, connection.host, deadline.get_connect_seconds())
        except BaseException:
            plain_socket.close()
            raise
        tls_socket.settimeout(deadline.get_seconds_left())
        connection.sock = tls_socket
        return connection

    def _start_tls(self, plain_socket: socket.socket, host: str, seconds: float) -> ssl.SSLSocket:
        """Start TLS, and check the certificate, within this time."""
        plain_socket.settimeout(seconds)
        tls_socket = _make_tls_context(self.ca_file).wrap_socket(
            plain_socket, server_hostname=host, do_handshake_on_connect=False
        )
        try:
            with _limit_time(tls_socket, seconds):
                tls_socket.do_handshake()
        except BaseException:
            tls_socket.close()
            raise
        return tls_socket

    def _make_connection(self, url: str) -> http.client.HTTPConnection:
        parts = urlsplit(url)
        assert parts.hostname is not None
        if parts.scheme != "https":
            return http.client.HTTPConnection(parts.hostname, parts.port, timeout=self.timeout)
        context = _make_tls_context(self.ca_file)
        return http.client.HTTPSConnection(parts.hostname, parts.port, timeout=self.timeout, context=context)


class _Deadline:
    """The time limit of a whole attempt, part of which is reserved for the request.

    Args:
        seconds: the limit, from now on.
    """

    def __init__(self, seconds: float) -> None:
        self._started_at = time.monotonic()
        self._seconds = seconds
        self._reserve = min(_REQUEST_SECONDS, seconds / 4)

    def get_seconds_spent(self) -> float:
        """Return how long the attempt has lasted, in seconds."""
        return time.monotonic() - self._started_at

    def get_seconds_left(self) -> float:
        """Return the time that is left for the request, in seconds: never less than the reserve."""
        return max(self._reserve, self._seconds - self.get_seconds_spent())

    def get_connect_seconds(self) -> float:
        """Return the time that is left until the connection must stand, in seconds.

        Raises:
            TimeoutError: none is left.
        """
        seconds_left = self._seconds - self._reserve - self.get_seconds_spent()
        if seconds_left <= 0:
            raise TimeoutError
        return seconds_left


def _call_in_time(function: Callable[[], _T], seconds: float) -> _T:
    """Return what a function returns, which has no time limit of its own; it is abandoned when the time is over.

    Raises:
        TimeoutError: the time is over.
        Exception: what the function raises.
    """
    results: SimpleQueue[tuple[_T | None, Exception | None]] = SimpleQueue()

    def call() -> None:
        try:
            results.put((function(), None))
        except Exception as error:  # noqa: BLE001 - raised in the thread that waits
            results.put((None, error))

    threading.Thread(target=call, name="look-up", daemon=True).start()
    try:
        value, error = results.get(timeout=seconds)
    except Empty:
        raise TimeoutError from None
    if error is not None:
        raise error
    return cast("_T", value)


def _connect_to_any(places: Sequence[tuple[str, int]], seconds: float) -> socket.socket:
    """Connect to the first address that answers.

    Args:
        places: the addresses; the first ones are tried, each with an equal share of the time that is left.
        seconds: the time of all together, in seconds.

    Raises:
        OSError: none does.
    """
    deadline = time.monotonic() + seconds
    last_error = OSError("it has no address")
    tried_places = places[:_MAX_PLACES]
    for index, place in enumerate(tried_places):
        share = (deadline - time.monotonic()) / (len(tried_places) - index)
        try:
            return socket.create_connection(place, max(_MIN_SECONDS, share))
        except OSError as error:
            last_error = error
    raise last_error


@contextmanager
def _limit_time(sock: socket.socket, seconds: float) -> Iterator[None]:
    """Shut a socket down if the block takes longer: its own timeout starts again with each byte."""
    timer = threading.Timer(seconds, _shut_down, [sock])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@cache
def _make_tls_context(ca_file: str) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=ca_file or None)


def _send_request(
    connection: http.client.HTTPConnection,
    url: str,
    headers: Mapping[str, str],
    content: bytes,
    *,
    keeps_body: bool,
) -> Receipt:
    parts = urlsplit(url)
    path = f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"
    try:
        connection.request("POST", path, body=content, headers=dict(headers))
    except OSError as error:
        return Deferred(
            answer=f"the connection broke before the whole request was sent: {_describe_error(error)}",
            fault=Fault.DOMAIN,
        )
    try:
        response = connection.getresponse()
    except (OSError, http.client.HTTPException) as error:
        return Unknown(answer=f"there was no answer: {_describe_error(error)}")
    body = b""
    if keeps_body:
        with suppress(OSError, http.client.HTTPException):
            body = response.read(4 * _MAX_ANSWER_LENGTH)
    return classify_response(
        response.status, response.headers.get("Retry-After", ""), body.decode(errors="replace")
    )


def classify_response(status: int, retry_after_header: str, body: str) -> Receipt:
    """Return the receipt for a response.

    Args:
        status: the HTTP status.
        retry_after_header: the value of the header Retry-After, or "".
        body: the body, or its beginning.
    """
    excerpt = " ".join("".join(character if character.isprintable() else " " for character in body).split())[
        :_MAX_ANSWER_LENGTH
    ]
    answer = f"HTTP {status} {excerpt}".strip()
    if 200 <= status < 300:
        return Sent(answer=f"HTTP {status}")
    if status == 410:
        return Refused(answer=answer)
    if status in _PERMANENT_STATUSES:
        return Refused(answer=answer, fault=Fault.OURS)
    # Retry-After can be a date, which is compared with our clock.
    retry_after = parse_retry_after(retry_after_header, datetime.now(UTC))
    if status in _BUSY_STATUSES:
        return Deferred(answer=answer, fault=Fault.DOMAIN, retry_after=retry_after)
    return Deferred(answer=answer, retry_after=retry_after)


def make_signature_headers(number: str, timestamp: int, content: bytes, secrets: str) -> dict[str, str]:
    """Return the headers that identify and sign a request (Standard Webhooks 1.0).

    Args:
        number: the id of the document.
        timestamp: the time of this attempt, in seconds since 1970; receivers reject requests with old
            timestamps.
        content: the body.
        secrets: one secret, or several separated by spaces; there is one signature for each.
    """
    signed_content = f"{number}.{timestamp}.".encode() + content
    signatures = (
        hmac.new(_decode_secret(entry), signed_content, hashlib.sha256).digest() for entry in secrets.split()
    )
    return {
        "webhook-id": number,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(f"v1,{base64.b64encode(entry).decode()}" for entry in signatures),
    }


def _decode_secret(secret: str) -> bytes:
    """Return the bytes of a secret, which is in base64 if it has the prefix ``whsec_``."""
    encoded = secret.removeprefix("whsec_")
    return secret.encode() if encoded == secret else base64.b64decode(f"{encoded}{'=' * (-len(encoded) % 4)}")


def _shut_down(sock: socket.socket) -> None:
    with suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)


def _describe_error(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "it took too long"
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted ({error.verify_message})"
    if isinstance(error, http.client.HTTPException) and not isinstance(error, OSError):
        return f"its answer is not valid HTTP ({type(error).__name__})"  # its text repeats the answer
    return (error.strerror if isinstance(error, OSError) else "") or str(error) or type(error).__name__
