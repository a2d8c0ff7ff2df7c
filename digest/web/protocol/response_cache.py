"""What is rendered once and sent many times: bodies with their tags, plain and compressed, ready to be sent."""

from __future__ import annotations

import gzip
import hashlib
import threading
import time
from collections.abc import Callable, Iterable, MutableMapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Any, NamedTuple

from digest.web.protocol.conditions import takes_gzip, unchanged

Sent = MutableMapping[str, Any]
"""A message of ASGI (https://asgi.readthedocs.io/en/latest/specs/www.html): a status with headers, or a body."""

SAFETY = (
    # No scripts, and nothing from elsewhere; a template of the operator's own may show a picture.
    (
        b"content-security-policy",
        b"; ".join(
            (
                b"default-src 'none'",
                b"style-src 'unsafe-inline'",
                b"img-src 'self' data:",
                b"form-action 'self'",
                b"base-uri 'none'",
                b"frame-ancestors 'none'",
            )
        ),
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),  # else every paper's site would learn the address of the page
    (b"x-robots-tag", b"noindex"),
)
"""On every answer: the addresses are nobody else's business."""

_FOR_304 = {b"etag", b"vary", b"cache-control"}
"""What a client that has it must be told, and no more: it keeps the other headers (RFC 9110, section 15.4.5)."""


class Answer(NamedTuple):
    """What is sent for a request.

    Attributes:
        start: status and headers.
        lines: the headers as they go over the line, and the empty line behind them.
    """

    start: Sent
    body: Sent
    lines: bytes


class Variant(NamedTuple):
    """One way to send it.

    Attributes:
        whole: it, all of it.
        same: for a client that has it already.
    """

    etag: str
    whole: Answer
    same: Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Something rendered.

    Attributes:
        modified: when it changed last, UTC; None if that is not known.
        size: bytes that it takes.
    """

    modified: datetime | None
    plain: Variant
    zipped: Variant
    size: int


def kept(
    body: bytes, *, media_type: str, modified: datetime | None, fresh_for: int, shared: bool = False
) -> Kept:
    """Make something ready to be sent; the same bytes give the same tags.

    Args:
        body: all of it.
        media_type: its Content-Type.
        modified: when it changed last, UTC; None if that is not known.
        fresh_for: seconds that a client need not ask again.
        shared: it is for everybody, so that caches between may keep it, too.
    """
    mark = hashlib.sha256(body).hexdigest()[:24]
    small = gzip.compress(body, 9, mtime=0)
    common = [
        (b"content-type", media_type.encode()),
        (b"cache-control", f"{'public' if shared else 'private'}, max-age={fresh_for}".encode()),
        (b"vary", b"Accept-Encoding"),
        *SAFETY,
    ]
    if modified is not None:
        common.append((b"last-modified", format_datetime(modified.astimezone(UTC), usegmt=True).encode()))
    return Kept(
        modified=modified,
        plain=_variant(body, f'"{mark}"', common),
        # Other bytes, so another tag (RFC 9110, section 8.8.3.3).
        zipped=_variant(small, f'"{mark}-gz"', [*common, (b"content-encoding", b"gzip")]),
        size=len(body) + len(small),
    )


def _variant(body: bytes, etag: str, common: list[tuple[bytes, bytes]]) -> Variant:
    headers = [*common, (b"etag", etag.encode())]
    length = (b"content-length", str(len(body)).encode())
    same = [(name, value) for name, value in headers if name in _FOR_304]
    return Variant(etag, whole=_answer(200, [*headers, length], body), same=_answer(304, same, b""))


def _answer(status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> Answer:
    return Answer(
        start={"type": "http.response.start", "status": status, "headers": headers},
        body={"type": "http.response.body", "body": body},
        lines=header_lines(headers) + b"\r\n",
    )


def header_lines(headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Headers as they go over the line."""
    return b"".join([b"%b: %b\r\n" % header for header in headers])


def answer(found: Kept, headers: Iterable[tuple[bytes, bytes]]) -> Answer:
    """What to send for a request to see something: it, or that the client has it.

    Args:
        found: what is there.
        headers: of the request, names in small letters.
    """
    tags = since = None
    codings = b""
    for name, value in headers:
        if name == b"if-none-match":
            tags = value if tags is None else tags + b"," + value
        elif name == b"if-modified-since":
            since = value
        elif name == b"accept-encoding":
            codings = codings + b"," + value if codings else value
    variant = found.zipped if takes_gzip(codings.decode("latin-1")) else found.plain
    if (tags is None and since is None) or not unchanged(
        tags.decode("latin-1") if tags is not None else None,
        since.decode("latin-1") if since is not None else None,
        variant.etag,
        found.modified,
    ):
        return variant.whole
    return variant.same


class _Place(NamedTuple):
    """Where something stands: what it was made from, and until when nobody need look whether it is stale."""

    found: Kept
    version: object
    until: float


class Shelf:
    """What was rendered, by path: that which was asked for last, as much as there is room for.

    Threads put things on it, while the loop that answers requests takes them from it.
    """

    def __init__(
        self,
        *,
        most_bytes: int = 64_000_000,
        look_every: float = 1.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """An empty one.

        Args:
            most_bytes: how much there is room for.
            look_every: seconds until it is looked again whether something is stale.
            clock: counts seconds.
        """
        self._most_bytes = most_bytes
        self._look_every = look_every
        self._clock = clock
        self._places: dict[str, _Place] = {}  # what was looked at last stands last
        self._size = 0
        self._lock = threading.Lock()

    def fresh(self, path: str) -> Kept | None:
        """What stands there and needs no look; None where somebody must look."""
        place = self._places.get(path)
        return place.found if place is not None and self._clock() < place.until else None

    def looked(self, path: str, version: object, render: Callable[[], Kept]) -> Kept:
        """What stands there, rendered anew only if it was made from something else: once, however many ask.

        The same bytes keep the date of when they were first made.

        Args:
            path: where.
            version: what it is to be made from now.
            render: makes it.
        """
        with self._lock:
            before = self._places.get(path)
            found = before.found if before is not None and before.version == version else render()
            if before is not None and found.plain.etag == before.found.plain.etag:
                found = before.found
            self._put(path, _Place(found, version, self._clock() + self._look_every))
        return found

    def _put(self, path: str, place: _Place) -> None:
        before = self._places.pop(path, None)
        self._size += place.found.size - (before.found.size if before is not None else 0)
        self._places[path] = place
        while self._size > self._most_bytes:
            self._size -= self._places.pop(next(iter(self._places))).found.size
