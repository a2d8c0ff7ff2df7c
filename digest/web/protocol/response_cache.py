"""The cache of rendered responses: bodies with their ETags, plain and compressed, ready to be sent."""

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
"""An ASGI message (https://asgi.readthedocs.io/en/latest/specs/www.html): a status with headers, or a body."""

SAFETY_HEADERS = (
    # No scripts, and nothing from other hosts; the operator's templates may show pictures.
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
    (b"referrer-policy", b"no-referrer"),  # otherwise the site of every paper would learn the page's address
    (b"x-robots-tag", b"noindex"),
)
"""Security headers of every response; addresses must not leak, since they are secrets."""

ENTRY_BYTES = 1_000
"""Memory of an entry besides its response and path, roughly, in bytes: objects and the version."""

DOCUMENT_SAFETY_HEADERS = (
    # A document for programs loads nothing.
    (b"content-security-policy", b"default-src 'none'; base-uri 'none'; frame-ancestors 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
)
"""Security headers of the documents of the API."""

PUBLIC_SAFETY_HEADERS = (
    # Style and script are files of this site, so nothing inline is needed; the script requests pages of this
    # site only; the logo is a data URI.
    (
        b"content-security-policy",
        b"; ".join(
            (
                b"default-src 'none'",
                b"script-src 'self'",
                b"connect-src 'self'",
                b"style-src 'self'",
                b"img-src 'self' data:",
                b"form-action 'self'",
                b"base-uri 'none'",
                b"frame-ancestors 'none'",
            )
        ),
    ),
    (b"x-content-type-options", b"nosniff"),
    # What people read is nobody else's business; with `no-referrer`, browsers would send `Origin: null` with the
    # forms of our own pages (Fetch standard, "append a request `Origin` header").
    (b"referrer-policy", b"same-origin"),
)
"""Security headers of public pages, which search engines may index."""

_NOT_MODIFIED_HEADERS = {b"etag", b"vary", b"cache-control"}
"""Headers that a "not modified" response must have; the client keeps the others (RFC 9110, section 15.4.5)."""


class AsgiResponse(NamedTuple):
    """The messages of a response.

    Attributes:
        start: status and headers.
        body: the body.
        header_bytes: the headers as they are sent, with the empty line after them.
    """

    start: AsgiMessage
    body: AsgiMessage
    header_bytes: bytes


class Variant(NamedTuple):
    """A response in one encoding.

    Attributes:
        etag: its ETag.
        full: the complete response.
        not_modified: the response for a client that already has it.
    """

    etag: str
    full: AsgiResponse
    not_modified: AsgiResponse


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedResponse:
    """A rendered response.

    Attributes:
        modified: the time of the last change, UTC; None if it is unknown.
        plain: the response without compression.
        gzipped: the compressed response.
        size: its size in memory, in bytes.
    """

    modified: datetime | None
    plain: Variant
    gzipped: Variant
    size: int


def make_cached_response(
    body: bytes,
    *,
    media_type: str,
    modified: datetime | None,
    fresh_seconds: int,
    is_shared: bool = False,
    is_immutable: bool = False,
    safety_headers: Iterable[tuple[bytes, bytes]] = SAFETY_HEADERS,
) -> CachedResponse:
    """Make a response that is ready to be sent; the same bytes give the same ETags.

    Args:
        body: the complete body.
        media_type: its Content-Type.
        modified: the time of the last change, UTC; None if it is unknown.
        fresh_seconds: seconds in which a client need not request it again.
        is_shared: whether it is public, so that shared caches may store it, too.
        is_immutable: whether it never changes, so that a client need not ask even if the reader reloads (RFC 8246).
        safety_headers: its security headers.
    """
    fingerprint = hashlib.sha256(body).hexdigest()[:24]
    compressed = gzip.compress(body, 9, mtime=0)
    cache_directives = [b"public" if is_shared else b"private", b"max-age=%d" % fresh_seconds]
    if is_immutable:
        cache_directives.append(b"immutable")
    common_headers = [
        (b"content-type", media_type.encode()),
        (b"cache-control", b", ".join(cache_directives)),
        (b"vary", b"Accept-Encoding"),
        *safety_headers,
    ]
    if modified is not None:
        common_headers.append(
            (b"last-modified", format_datetime(modified.astimezone(UTC), usegmt=True).encode())
        )
    return CachedResponse(
        modified=modified,
        plain=_make_variant(body, f'"{fingerprint}"', common_headers),
        # The bytes differ, so the ETag must differ, too (RFC 9110, section 8.8.3.3).
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
    """Format headers as they are sent."""
    return b"".join([b"%b: %b\r\n" % header for header in headers])


def choose_response(cached: CachedResponse, headers: Iterable[tuple[bytes, bytes]]) -> AsgiResponse:
    """Choose the response to a request: plain or compressed, in full or "not modified".

    Args:
        cached: the cached response.
        headers: the headers of the request, with names in lower case.
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
    """A cache entry: the response, the version of its data, and the time until which it need not be checked."""

    response: CachedResponse
    version: object
    fresh_until: float


class ResponseCache:
    """A cache of rendered responses by path and query, limited in size, which evicts the least recently checked ones.

    Threads add entries, while the event loop reads them.

    Attributes:
        hits: the number of responses of ``get_fresh``.
    """

    def __init__(
        self,
        *,
        max_bytes: int = 64_000_000,
        check_interval: float = 1.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Make an empty cache.

        Args:
            max_bytes: maximum size of all responses, in bytes.
            check_interval: seconds after which the version of an entry is checked again.
            clock: returns seconds.
        """
        self.hits = 0
        self._max_bytes = max_bytes
        self._check_interval = check_interval
        self._clock = clock
        self._entries: dict[str, _CacheEntry] = {}  # least recently checked first
        self._size = 0
        self._lock = threading.Lock()

    def get_fresh(self, path: str) -> CachedResponse | None:
        """Return the response of a path if it need not be checked; None otherwise."""
        entry = self._entries.get(path)
        if entry is None or self._clock() >= entry.fresh_until:
            return None
        self.hits += 1
        return entry.response

    def get_current(self, path: str, version: object) -> CachedResponse | None:
        """Return the response of a path if it was rendered from this version; None otherwise.

        Args:
            path: the path.
            version: the current version of the data that it is rendered from.
        """
        with self._lock:
            entry = self._entries.get(path)
            if entry is None or entry.version != version:
                return None
            self._store(path, entry._replace(fresh_until=self._clock() + self._check_interval))
            return entry.response

    def get_or_render(
        self, path: str, version: object, render: Callable[[], CachedResponse]
    ) -> CachedResponse:
        """Return the cached response, or render it if its version differs, once for all concurrent requests.

        A response with the same bytes keeps its previous modification time.

        Args:
            path: the path.
            version: the current version of the data that it is rendered from.
            render: renders the response.
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
        self._size += _measure(path, entry) - (_measure(path, previous) if previous is not None else 0)
        self._entries[path] = entry
        while self._size > self._max_bytes:
            oldest = next(iter(self._entries))
            self._size -= _measure(oldest, self._entries.pop(oldest))


def _measure(path: str, entry: _CacheEntry) -> int:
    """Return the memory that an entry takes, in bytes: a long path with a short response counts, too."""
    return entry.response.size + len(path) + ENTRY_BYTES
