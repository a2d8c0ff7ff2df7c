"""Fetch documents that posted messages name: certificates, and confirmations of subscriptions.

Whoever knows the name of a topic can name any certificate of SNS. So the number of fetches is limited, and
documents are cached.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from urllib.parse import urlsplit

from digest.errors import ReportError, TransientReportError

MAX_FETCHES = 10
"""Maximum number of fetches in each ``FETCH_PERIOD``. SNS has one certificate in a region, for a year."""
FETCH_PERIOD = 600.0
"""The period of the limit, in seconds; a document that its host refused is not fetched again in this period."""
MAX_CONCURRENT_FETCHES = 2
"""Maximum number of concurrent fetches; each occupies one of the few threads that answer readers."""
_MAX_DOCUMENTS = 32
_MAX_DOCUMENT_BYTES = 100_000
"""Maximum size of a document, in bytes."""
_TIMEOUT_SECONDS = 10.0
"""Timeout of each step of a fetch, in seconds."""
_BUSY_STATUSES = frozenset({408, 425, 429})

FetchDocument = Callable[[str], bytes]


class DocumentCache:
    """A cache of documents by address, which limits fetches. It is thread-safe."""

    def __init__(self, fetch: FetchDocument, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Make an empty cache.

        Args:
            fetch: fetches a document; raises the exceptions of ``fetch_document``.
            clock: returns seconds.
        """
        self._fetch = fetch
        self._clock = clock
        self._documents: dict[str, bytes] = {}
        self._refusals: dict[str, tuple[float, ReportError]] = {}
        self._fetch_times: deque[float] = deque(maxlen=MAX_FETCHES)  # when the last ones began
        self._active_count = 0
        self._lock = threading.Lock()

    def get(self, url: str) -> bytes:
        """Return the document at an address, fetching it if it is not in the cache.

        Raises:
            TransientReportError: it cannot be fetched now, or there were too many fetches recently.
            ReportError: it cannot be fetched at all.
        """
        with self._lock:
            if (document := self._documents.get(url)) is not None:
                return document
            self._begin_fetch(url, self._clock())
        try:
            document = self._fetch(url)
        except ReportError as error:
            if not isinstance(error, TransientReportError):
                with self._lock:
                    self._refusals[url] = (self._clock() + FETCH_PERIOD, error)
            raise
        finally:
            with self._lock:
                self._active_count -= 1
        with self._lock:
            if len(self._documents) >= _MAX_DOCUMENTS:
                del self._documents[next(iter(self._documents))]
            self._documents[url] = document
        return document

    def _begin_fetch(self, url: str, now: float) -> None:
        """Record the start of a fetch, if it is allowed.

        Raises:
            TransientReportError: there are or were too many fetches.
            ReportError: the host refused the document recently.
        """
        self._refusals = {
            refused_url: (until, error)
            for refused_url, (until, error) in self._refusals.items()
            if until > now
        }
        if url in self._refusals:
            raise ReportError(str(self._refusals[url][1]))
        is_over_limit = len(self._fetch_times) == MAX_FETCHES and now - self._fetch_times[0] < FETCH_PERIOD
        if is_over_limit or self._active_count >= MAX_CONCURRENT_FETCHES:
            raise TransientReportError(
                "it names an unknown document, and too many unknown documents were named recently"
            )
        self._fetch_times.append(now)
        self._active_count += 1


def fetch_document(url: str) -> bytes:
    """Fetch a document of a provider.

    Raises:
        TransientReportError: it cannot be fetched now.
        ReportError: it cannot be fetched at all.
    """
    import httpx

    if urlsplit(url).scheme != "https":
        raise ReportError("it names an address that is not https")
    body = bytearray()
    try:
        with (
            httpx.Client(timeout=_TIMEOUT_SECONDS, follow_redirects=False) as client,
            client.stream("GET", url) as response,
        ):
            if response.status_code != 200:
                raise make_status_error(url, response.status_code)
            for chunk in response.iter_bytes():
                body += chunk
                if len(body) > _MAX_DOCUMENT_BYTES:
                    raise ReportError(f"{url} is too long")
    except httpx.InvalidURL as error:
        raise ReportError(f"{url} is not a valid address: {error}") from error
    except httpx.HTTPError as error:
        raise TransientReportError(
            f"{url} cannot be fetched: {str(error) or type(error).__name__}"
        ) from error
    return bytes(body)


def make_status_error(url: str, status: int) -> ReportError:
    """Make the exception for a document that was not returned.

    Args:
        url: its address.
        status: the HTTP status, which is not 200.
    """
    error_class = TransientReportError if status in _BUSY_STATUSES or status >= 500 else ReportError
    return error_class(f"{url} answered HTTP {status}")
