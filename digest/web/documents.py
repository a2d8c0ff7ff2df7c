"""Documents of providers that our site fetches because of what somebody posts to it: certificates, and confirmations.

Whoever knows a topic's name can name any certificate of SNS. So fetches are limited in number, and what is known is not
fetched again.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from urllib.parse import urlsplit

from digest.errors import PassingError, ReportError

MOST_FETCHES = 10
"""Fetches in each ``PERIOD``. SNS has one certificate in a region, for a year."""
PERIOD = 600.0
"""Seconds; for so long nobody fetches again what its host refused."""
MOST_AT_ONCE = 2
"""Fetches under way; each takes one of the few threads that answer readers."""
_MOST_DOCUMENTS = 32
_LARGEST_DOCUMENT = 100_000
"""Bytes."""
_PATIENCE = 10.0
"""Seconds for each step of a fetch."""
_BUSY = frozenset({408, 425, 429})

Fetch = Callable[[str], bytes]


class Documents:
    """Documents by their addresses. Threads share it."""

    def __init__(self, fetch: Fetch, *, clock: Callable[[], float] = time.monotonic) -> None:
        """None is known yet.

        Args:
            fetch: fetches one; raises as ``fetch_document`` does.
            clock: counts seconds.
        """
        self._fetch = fetch
        self._clock = clock
        self._documents: dict[str, bytes] = {}
        self._refusals: dict[str, tuple[float, ReportError]] = {}
        self._fetches: deque[float] = deque(maxlen=MOST_FETCHES)  # when the last ones began
        self._under_way = 0
        self._lock = threading.Lock()

    def get(self, url: str) -> bytes:
        """The document at an address, fetched if it is not known yet.

        Raises:
            PassingError: it cannot be had now, or too much was fetched of late.
            ReportError: it cannot be had at all.
        """
        with self._lock:
            if (document := self._documents.get(url)) is not None:
                return document
            self._begin(url, self._clock())
        try:
            document = self._fetch(url)
        except ReportError as error:
            if not isinstance(error, PassingError):
                with self._lock:
                    self._refusals[url] = (self._clock() + PERIOD, error)
            raise
        finally:
            with self._lock:
                self._under_way -= 1
        with self._lock:
            if len(self._documents) >= _MOST_DOCUMENTS:
                del self._documents[next(iter(self._documents))]
            self._documents[url] = document
        return document

    def _begin(self, url: str, now: float) -> None:
        """Note a fetch that begins, if it may."""
        self._refusals = {
            known: (until, error) for known, (until, error) in self._refusals.items() if until > now
        }
        if url in self._refusals:
            raise ReportError(str(self._refusals[url][1]))
        is_much = len(self._fetches) == MOST_FETCHES and now - self._fetches[0] < PERIOD
        if is_much or self._under_way >= MOST_AT_ONCE:
            raise PassingError(
                "it names a document that is not known yet, and too many such ones were named of late"
            )
        self._fetches.append(now)
        self._under_way += 1


def fetch_document(url: str) -> bytes:
    """Fetch a document of a provider's.

    Raises:
        PassingError: it cannot be had now.
        ReportError: it cannot be had at all.
    """
    import httpx

    if urlsplit(url).scheme != "https":
        raise ReportError("it names an address that is not https")
    body = bytearray()
    try:
        with (
            httpx.Client(timeout=_PATIENCE, follow_redirects=False) as client,
            client.stream("GET", url) as answer,
        ):
            if answer.status_code != 200:
                raise explain_status(url, answer.status_code)
            for piece in answer.iter_bytes():
                body += piece
                if len(body) > _LARGEST_DOCUMENT:
                    raise ReportError(f"{url} is longer than any document that we read")
    except httpx.InvalidURL as error:
        raise ReportError(f"{url} is no address: {error}") from error
    except httpx.HTTPError as error:
        raise PassingError(f"{url} cannot be had: {str(error) or type(error).__name__}") from error
    return bytes(body)


def explain_status(url: str, status: int) -> ReportError:
    """What it means that a document was not given.

    Args:
        url: its address.
        status: of the answer, which is not 200.
    """
    kind = PassingError if status in _BUSY or status >= 500 else ReportError
    return kind(f"{url} answered HTTP {status}")
