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

from digest.web.protocol.conditions import accepts_gzip, is_unchanged

AsgiMessage = MutableMapping[str, Any]
"""A message of ASGI (https://asgi.readthedocs.io/en/latest/specs/www.html): a status with headers, or a body."""

SAFETY_HEADERS = (
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

_NOT_MODIFIED_HEADERS = {b"etag", b"vary", b"cache-control"}
"""What a client that has it must be told, and no more: it keeps the other headers (RFC 9110, section 15.4.5)."""


class AsgiResponse(NamedTuple):
    """What is sent for a request.

    Attributes:
        start: status and headers.
        header_bytes: the headers as they go over the line, and the empty line behind them.
    """

    start: AsgiMessage
    body: AsgiMessage
    header_bytes: bytes


class Variant(NamedTuple):
    """One way to send it.

    Attributes:
        full: it, all of it.
        not_modified: for a client that has it already.
    """

    etag: str
    full: AsgiResponse
    not_modified: AsgiResponse


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedResponse:
    """Something rendered.

    Attributes:
        modified: when it changed last, UTC; None if that is not known.
        size: bytes that it takes.
    """

    modified: datetime | None
    plain: Variant
    gzipped: Variant
    size: int


def make_cached_response(
    body: bytes, *, media_type: str, modified: datetime | None, fresh_seconds: int, is_shared: bool = False
) -> CachedResponse:
    """Make something ready to be sent; the same bytes give the same tags.

    Args:
        body: all of it.
        media_type: its Content-Type.
        modified: when it changed last, UTC; None if that is not known.
        fresh_seconds: seconds that a client need not ask again.
        is_shared: it is for everybody, so that caches between may keep it, too.
    """
    fingerprint = hashlib.sha256(body).hexdigest()[:24]
    compressed = gzip.compress(body, 9, mtime=0)
    common_headers = [
        (b"content-type", media_type.encode()),
        (b"cache-control", f"{'public' if is_shared else 'private'}, max-age={fresh_seconds}".encode()),
        (b"vary", b"Accept-Encoding"),
        *SAFETY_HEADERS,
    ]
    if modified is not None:
        common_headers.append(
            (b"last-modified", format_datetime(modified.astimezone(UTC), usegmt=True).encode())
        )
    return CachedResponse(
        modified=modified,
        plain=_make_variant(body, f'"{fingerprint}"', common_headers),
        # Other bytes, so another tag (RFC 9110, section 8.8.3.3).
        gzipped=_make_variant(
            compressed, f'"{fingerprint}-gz"', [*common_headers, (b"content-encoding", b"gzip")]
        ),
        size=len(body) + len(compressed),
    )


def _make_variant(body: bytes, etag: str, common_headers: list[tuple[bytes, bytes]]) -> Variant:
    headers = [*common_headers, (b"etag", etag.encode())]
    length = (b"content-length", str(len(body)).encode())
    not_modified_headers = [(name, value) for name, value in headers if name in _NOT_MODIFIED_HEADERS]
    return Variant(
        etag,
        full=_make_asgi_response(200, [*headers, length], body),
        not_modified=_make_asgi_response(304, not_modified_headers, b""),
    )


def _make_asgi_response(status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> AsgiResponse:
    return AsgiResponse(
        start={"type": "http.response.start", "status": status, "headers": headers},
        body={"type": "http.response.body", "body": body},
        header_bytes=format_headers(headers) + b"\r\n",
    )


def format_headers(headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Headers as they go over the line."""
    return b"".join([b"%b: %b\r\n" % header for header in headers])


def choose_response(cached: CachedResponse, headers: Iterable[tuple[bytes, bytes]]) -> AsgiResponse:
    """What to send for a request to see something: it, or that the client has it.

    Args:
        cached: what is there.
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
    variant = cached.gzipped if accepts_gzip(codings.decode("latin-1")) else cached.plain
    if (tags is None and since is None) or not is_unchanged(
        tags.decode("latin-1") if tags is not None else None,
        since.decode("latin-1") if since is not None else None,
        variant.etag,
        cached.modified,
    ):
        return variant.full
    return variant.not_modified


class _CacheEntry(NamedTuple):
    """Where something stands: what it was made from, and until when nobody need look whether it is stale."""

    response: CachedResponse
    version: object
    fresh_until: float


class ResponseCache:
    """What was rendered, by path: that which was asked for last, as much as there is room for.

    Threads put things on it, while the loop that answers requests takes them from it.
    """

    def __init__(
        self,
        *,
        max_bytes: int = 64_000_000,
        check_interval: float = 1.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """An empty one.

        Args:
            max_bytes: how much there is room for.
            check_interval: seconds until it is looked again whether something is stale.
            clock: counts seconds.
        """
        self._max_bytes = max_bytes
        self._check_interval = check_interval
        self._clock = clock
        self._entries: dict[str, _CacheEntry] = {}  # what was looked at last stands last
        self._size = 0
        self._lock = threading.Lock()

    def get_fresh(self, path: str) -> CachedResponse | None:
        """What stands there and needs no look; None where somebody must look."""
        entry = self._entries.get(path)
        return entry.response if entry is not None and self._clock() < entry.fresh_until else None

    def get_or_render(
        self, path: str, version: object, render: Callable[[], CachedResponse]
    ) -> CachedResponse:
        """What stands there, rendered anew only if it was made from something else: once, however many ask.

        The same bytes keep the date of when they were first made.

        Args:
            path: where.
            version: what it is to be made from now.
            render: makes it.
        """
        with self._lock:
            previous = self._entries.get(path)
            response = previous.response if previous is not None and previous.version == version else render()
            if previous is not None and response.plain.etag == previous.response.plain.etag:
                response = previous.response
            self._store(path, _CacheEntry(response, version, self._clock() + self._check_interval))
        return response

    def _store(self, path: str, entry: _CacheEntry) -> None:
        previous = self._entries.pop(path, None)
        self._size += entry.response.size - (previous.response.size if previous is not None else 0)
        self._entries[path] = entry
        while self._size > self._max_bytes:
            self._size -= self._entries.pop(next(iter(self._entries))).response.size
