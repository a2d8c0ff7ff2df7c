"""Limits of requests as a dependency of routes: what exceeds a rate is refused before anything is looked up."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import timedelta

from fastapi import Request
from starlette.exceptions import HTTPException

from digest.jobs.publishing.request_limiter import RequestLimiter


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestLimits:
    """The dependencies. They are coroutines because they wait for nothing, so they need no thread.

    Attributes:
        limiter: counts the requests.
    """

    limiter: RequestLimiter

    async def check_page(self, request: Request) -> None:
        """Let a request for a page pass, or raise ``HTTPException`` with status 429."""
        _refuse(self.limiter.take_page(_get_host(request)))

    async def check_search(self, request: Request) -> None:
        """Let a search pass, or raise ``HTTPException`` with status 429."""
        _refuse(self.limiter.take_search(_get_host(request)))


def _get_host(request: Request) -> str:
    return request.client.host if request.client else ""


def _refuse(wait: timedelta | None) -> None:
    if wait is not None:
        # RFC 9110, section 10.2.3: whole seconds
        raise HTTPException(429, headers={"retry-after": str(math.ceil(wait.total_seconds()))})
