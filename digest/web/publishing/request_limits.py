"""Limits of requests: what is not in the cache is counted before it is looked up, and refused above a rate."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from fastapi import Request
from starlette.exceptions import HTTPException

from digest.jobs.publishing.request_limiter import RequestLimiter

_COUNTED = "digest.counted"
"""Key in the state of a request: what it has been counted as."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestLimits:
    """The limits of public pages and of the API.

    Attributes:
        limiter: counts the requests.
    """

    limiter: RequestLimiter

    def count_page(self, request: Request) -> None:
        """Count a page that has to be looked up.

        Raises:
            HTTPException: its network has had too many; status 429.
        """
        _count_once(request, "page", self.limiter.take_page)

    def count_search(self, request: Request) -> None:
        """Count a search.

        Raises:
            HTTPException: there were too many of its network, or of all; status 429.
        """
        _count_once(request, "search", self.limiter.take_search)

    def count_token_use(self, subscriber: int) -> None:
        """Count a request with an API token, by the number of its reader.

        Raises:
            HTTPException: there were too many with tokens of this reader; status 429.
        """
        _refuse(self.limiter.take_token_use(subscriber))


def _count_once(request: Request, kind: str, take: Callable[[str], timedelta | None]) -> None:
    """Count a request, unless the replica has counted it and left it to the primary."""
    counted: set[str] = request.scope.setdefault("state", {}).setdefault(_COUNTED, set())
    if kind not in counted:
        _refuse(take(_get_host(request)))
        counted.add(kind)


def _get_host(request: Request) -> str:
    return request.client.host if request.client else ""


def _refuse(wait: timedelta | None) -> None:
    if wait is not None:
        # RFC 9110, section 10.2.3: whole seconds
        raise HTTPException(429, headers={"retry-after": str(math.ceil(wait.total_seconds()))})
