"""Times in the headers of HTTP responses."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

_DIRECTIVE = re.compile(r'([a-z-]+)\s*(?:=\s*"?([^",]*))?')
_NUMBER = re.compile(r"\d{1,9}")
_UNCACHEABLE = frozenset({"no-store", "no-cache"})


def parse_http_date(text: str) -> datetime | None:
    """Parse an HTTP date (RFC 9110, section 5.6.7) into UTC; return None if it is invalid."""
    try:
        parsed = parsedate_to_datetime(text)
        return parsed.replace(tzinfo=UTC) if parsed.tzinfo is None else parsed.astimezone(UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def compute_freshness_lifetime(headers: Mapping[str, str], now: datetime) -> timedelta | None:
    """Return how long a response stays fresh, from ``Cache-Control`` or ``Expires``, minus its ``Age``.

    See RFC 9111, section 4.2. This is a private cache, so ``s-maxage`` is ignored.

    Args:
        headers: names in lower case.
        now: the current time, by the clock that wrote the dates of the response.

    Returns:
        A positive time, or None if the headers contain none or the response is stale at once.
    """
    directives = dict(_DIRECTIVE.findall(headers.get("cache-control", "").lower()))
    if directives.keys() & _UNCACHEABLE:
        return None
    if "max-age" in directives:
        lifetime = _parse_seconds(directives["max-age"])
    else:
        expires_at = parse_http_date(headers.get("expires", ""))
        lifetime = expires_at - now if expires_at else timedelta(0)
    remaining = lifetime - _parse_seconds(headers.get("age", ""))
    return remaining if remaining > timedelta(0) else None


def _parse_seconds(text: str) -> timedelta:
    """Parse a number of seconds; an invalid one is zero, which makes a response stale (RFC 9111, section 4.2.1)."""
    match = _NUMBER.fullmatch(text.strip())
    return timedelta(seconds=int(match[0])) if match else timedelta(0)
