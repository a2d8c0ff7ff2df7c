"""Editions to programs, as signed JSON: ``to = [{ webhook = "https://…", secret = "${NAME}" }]``.

Signed as https://www.standardwebhooks.com says: an id that is the same at each attempt, the time of the attempt, and an
HMAC-SHA256 of both with the body. ``http.client`` is used as it is: it tells whether a request had been sent to its end
when a connection broke. Before that the other side does not have it, after it nobody knows.
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
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache
from typing import ClassVar
from urllib.parse import urlsplit

from digest import __version__, ports
from digest.core.times.retry import imposed_pause
from digest.errors import ChannelError
from digest.model import Blame, Deferred, Document, Form, Message, Receipt, Refused, Sent, Unknown
from digest.redaction import redact_answer

_READ = 300
"""Characters of an answer's body that are told."""
_NEVER = frozenset({400, 405, 406, 411, 413, 414, 415, 422, 501, 505})
"""What the same request would be told again for ever (RFC 9110, section 15)."""
_BUSY = frozenset({408, 425, 429, 502, 503, 504})


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel(ports.Channel):
    """Posts documents, each over a connection of its own: one that was kept may be gone without anybody's saying so.

    Attributes:
        urls: where documents go, by the address that their destination is known by.
        secrets: what they are signed with, by the same.
        ca_file: certificates to trust instead of the system's; "" for the system's.
        timeout: for the whole of a request and its answer, in seconds.
        clock: the time in seconds since 1970, which requests are signed with.
    """

    form: ClassVar[Form] = Form.JSON

    urls: Mapping[str, str] = field(repr=False)
    secrets: Mapping[str, str] = field(repr=False)
    ca_file: str = ""
    timeout: float = 30.0
    clock: Callable[[], float] = time.time

    def deliver(self, messages: Sequence[Message]) -> Iterator[tuple[Message, Receipt]]:
        """Post each document; what one host does is not told of another."""
        for message in messages:
            if not isinstance(message, Document):
                raise TypeError(f"the channel webhook takes documents, not {type(message).__name__}")
            yield message, self._posted(message)

    def check(self) -> str:
        """Connect to each host, and say nothing there: an empty request could be taken for something."""
        reached = []
        for shown, url in self.urls.items():
            try:
                connection = self._connected(url)
            except OSError as error:
                raise ChannelError(f"{shown} cannot be reached: {_told(error)}") from None
            connection.close()
            reached.append(shown)
        return (
            f"{', '.join(reached)} can be reached; `digest preview NAME --to {reached[0]}` posts a test"
            if reached
            else "no address"
        )

    def close(self) -> None:
        """Nothing is held."""

    # --- one request ------------------------------------------------------------------------------

    def _posted(self, document: Document) -> Receipt:
        url = self.urls.get(document.address)
        if url is None:
            return Deferred(answer="this file has no such webhook, or not with this address any more")
        headers = {
            "Content-Type": "application/json; charset=utf-8",
            "User-Agent": f"digest/{__version__}",
            "Connection": "close",
            **signed(document.number, int(self.clock()), document.content, self.secrets[document.address]),
        }
        try:
            connection = self._connected(url)
        except OSError as error:
            return Deferred(answer=f"it cannot be reached: {_told(error)}", blame=Blame.DOMAIN)
        # Each byte has its own time limit; who sends one now and then would hold us for ever.
        ending = threading.Timer(self.timeout, _shut, [connection.sock])
        ending.daemon = True
        ending.start()
        try:
            receipt = _answer(connection, url, headers, document.content)
            # Who answers may repeat what he was asked, and all behind the host can be a password.
            place = urlsplit(url)
            secret = (place.path, place.query, self.secrets[document.address])
            return replace(receipt, answer=redact_answer(receipt.answer, *secret))
        finally:
            ending.cancel()
            connection.close()

    def _connected(self, url: str) -> http.client.HTTPConnection:
        parts = urlsplit(url)
        assert parts.hostname is not None
        connection: http.client.HTTPConnection
        if parts.scheme == "https":
            connection = http.client.HTTPSConnection(
                parts.hostname, parts.port, timeout=self.timeout, context=_trusted(self.ca_file)
            )
        else:
            connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=self.timeout)
        connection.connect()
        return connection


@cache
def _trusted(ca_file: str) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=ca_file or None)


def _answer(
    connection: http.client.HTTPConnection, url: str, headers: Mapping[str, str], content: bytes
) -> Receipt:
    parts = urlsplit(url)
    path = f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"
    try:
        connection.request("POST", path, body=content, headers=dict(headers))
    except OSError as error:
        return Deferred(
            answer=f"the connection broke before all was sent: {_told(error)}", blame=Blame.DOMAIN
        )
    try:
        response = connection.getresponse()
    except (OSError, http.client.HTTPException) as error:
        return Unknown(answer=f"there was no answer: {_told(error)}")
    said = b""
    with suppress(OSError, http.client.HTTPException):
        said = response.read(4 * _READ)
    return judged(response.status, response.headers.get("Retry-After", ""), said.decode(errors="replace"))


def judged(status: int, retry_after: str, said: str) -> Receipt:
    """The receipt for an answer.

    Args:
        status: of HTTP.
        retry_after: the header, or "".
        said: the body, or its beginning.
    """
    words = " ".join("".join(sign if sign.isprintable() else " " for sign in said).split())[:_READ]
    answer = f"HTTP {status} {words}".strip()
    if 200 <= status < 300:
        return Sent(answer=f"HTTP {status}")
    if status == 410:
        return Refused(answer=answer)
    if status in _NEVER:
        return Refused(answer=answer, blame=Blame.OURS)
    # The other side's clock may be any, and so is ours for a moment.
    wanted = imposed_pause(retry_after, datetime.now(UTC))
    if status in _BUSY:
        return Deferred(answer=answer, blame=Blame.DOMAIN, wanted=wanted)
    return Deferred(answer=answer, wanted=wanted)


def signed(number: str, at: int, content: bytes, secrets: str) -> dict[str, str]:
    """The headers that say what a request is and whose (Standard Webhooks 1.0).

    Args:
        number: of the document.
        at: the time of this attempt, in seconds since 1970: who listens takes none that is old.
        content: the body.
        secrets: one, or several with blanks between them, of which each signs.
    """
    what = f"{number}.{at}.".encode() + content
    signatures = (hmac.new(_key(one), what, hashlib.sha256).digest() for one in secrets.split())
    return {
        "webhook-id": number,
        "webhook-timestamp": str(at),
        "webhook-signature": " ".join(f"v1,{base64.b64encode(one).decode()}" for one in signatures),
    }


def _key(secret: str) -> bytes:
    """The bytes of a secret: behind ``whsec_`` they are in base64."""
    coded = secret.removeprefix("whsec_")
    return secret.encode() if coded == secret else base64.b64decode(f"{coded}{'=' * (-len(coded) % 4)}")


def _shut(sock: socket.socket) -> None:
    with suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)


def _told(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "it took too long"
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted ({error.verify_message})"
    return (error.strerror if isinstance(error, OSError) else "") or str(error) or type(error).__name__
