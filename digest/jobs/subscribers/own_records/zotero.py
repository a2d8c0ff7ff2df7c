"""Sends papers to a reader's Zotero library by its web API, with a key that the reader types each time.

The key is neither stored nor logged. Each paper has a key of its own there, so what was sent before is not added
again (https://www.zotero.org/support/dev/web_api/v3/write_requests, "versioned write requests").
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx

from digest import __version__
from digest.core.subscribers.own_records import ZoteroFailure
from digest.jobs.http.body_limit import BodyError, BrokenOffError, read_body
from digest.model import Paper
from digest.render.papers.zotero_items import make_zotero_item

_BATCH = 50
"""Number of items that Zotero takes in one request."""
_MAX_SENDS = 2
"""Maximum number of sends at the same time; each occupies one of the few threads that answer readers."""
_DEADLINE_SECONDS = 30.0
"""Time after which no further request of a send begins, in seconds."""
_MAX_ANSWER_BYTES = 8_000_000
"""Maximum size of an answer, in bytes; it repeats the items that were added."""
_MAX_USER_LENGTH, _MAX_KEY_LENGTH = 18, 64
_TIMEOUT = httpx.Timeout(15.0, connect=5.0)
_EXISTS = 412
"""Code of an item that is in the library already."""


class ZoteroError(Exception):
    """Papers did not get into a library, or not all of them. Sending them again adds the others.

    Attributes:
        failure: why.
    """

    def __init__(self, failure: ZoteroFailure) -> None:
        super().__init__(failure.value)
        self.failure = failure


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoteroLogin:
    """What a reader typed.

    Attributes:
        user: the number of the user.
        key: the API key.
    """

    user: str
    key: str = field(repr=False)


def read_login(user: str, key: str) -> ZoteroLogin:
    """Return what a reader typed, if it can be a login.

    Raises:
        ZoteroError: the number is none, or the key cannot be one.
    """
    user, key = user.strip(), key.strip()
    if not (user.isascii() and user.isdecimal() and len(user) <= _MAX_USER_LENGTH):
        raise ZoteroError(ZoteroFailure.NO_USER)
    if not (key.isascii() and key.isalnum() and len(key) <= _MAX_KEY_LENGTH):
        raise ZoteroError(ZoteroFailure.WRONG_KEY)
    return ZoteroLogin(user=user, key=key)


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoteroSender:
    """Sends papers; a few readers at the same time can use it.

    Attributes:
        url: the address of the API, without a final slash.
        clock: returns seconds.
    """

    url: str
    clock: Callable[[], float] = time.monotonic
    _sends: threading.BoundedSemaphore = field(
        default_factory=lambda: threading.BoundedSemaphore(_MAX_SENDS), repr=False
    )

    def send(self, papers: Sequence[Paper], login: ZoteroLogin) -> None:
        """Add papers to a library; those that are there stay as they are.

        Raises:
            ZoteroError: not all papers are in the library.
        """
        if not self._sends.acquire(blocking=False):
            raise ZoteroError(ZoteroFailure.BUSY)
        try:
            self._send_batches([make_zotero_item(paper) for paper in papers], login)
        finally:
            self._sends.release()

    def _send_batches(self, items: Sequence[dict[str, Any]], login: ZoteroLogin) -> None:
        end = self.clock() + _DEADLINE_SECONDS
        refused = False
        with httpx.Client(timeout=_TIMEOUT) as client:
            for start in range(0, len(items), _BATCH):
                if self.clock() > end:
                    raise ZoteroError(ZoteroFailure.BUSY)
                # A paper that Zotero does not accept must not keep out those after it.
                refused = not self._send_batch(client, items[start : start + _BATCH], login) or refused
        if refused:
            raise ZoteroError(ZoteroFailure.REFUSED)

    def _send_batch(self, client: httpx.Client, batch: Sequence[dict[str, Any]], login: ZoteroLogin) -> bool:
        """Send some items, and return whether all of them are in the library now."""
        headers = {
            "Zotero-API-Key": login.key,
            "Zotero-API-Version": "3",
            "Content-Type": "application/json",
            "Accept-Encoding": "gzip",
            "User-Agent": f"papers-digest/{__version__}",
        }
        content = json.dumps(batch, ensure_ascii=False).encode()
        try:
            with client.stream(
                "POST", f"{self.url}/users/{login.user}/items", headers=headers, content=content
            ) as answer:
                status, body = answer.status_code, read_body(answer, _MAX_ANSWER_BYTES)
        except (httpx.HTTPError, httpx.InvalidURL, OSError, BodyError, BrokenOffError):
            raise ZoteroError(ZoteroFailure.UNREACHABLE) from None  # the cause has the request, with the key
        if failure := _classify(status, body):
            raise ZoteroError(failure)
        return _has_all(body, len(batch))


def _classify(status: int, body: bytes) -> ZoteroFailure | None:
    """Return why a request failed; None if it did not."""
    match status:
        case 200:
            return None
        case 401 | 403:
            is_unknown = status == 401 or b"invalid key" in body[:200].lower()
            return ZoteroFailure.WRONG_KEY if is_unknown else ZoteroFailure.NO_ACCESS
        case 404:
            return ZoteroFailure.NO_USER
        case 408 | 409 | 429:  # 409: its owner is changing the library
            return ZoteroFailure.BUSY
        case _:
            return ZoteroFailure.UNREACHABLE if status >= 500 else ZoteroFailure.REFUSED


def _has_all(body: bytes, count: int) -> bool:
    """Return whether an answer says of each item that it is in the library."""
    try:
        answer = json.loads(body)
        present = {*answer["success"], *answer["unchanged"]}
        # PHP writes a mapping without entries as a list.
        present |= {index for index, failed in dict(answer["failed"]).items() if failed["code"] == _EXISTS}
    except (ValueError, LookupError, TypeError, AttributeError):
        raise ZoteroError(ZoteroFailure.UNREACHABLE) from None  # this is not Zotero
    return {str(index) for index in range(count)} <= present
