"""What the headers of an answer say about times."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

_DIRECTIVE = re.compile(r'([a-z-]+)\s*(?:=\s*"?([^",]*))?')
_NUMBER = re.compile(r"\d{1,9}")
_UNCACHEABLE = frozenset({"no-store", "no-cache"})


def parse_http_date(text: str) -> datetime | None:
    """An instant, UTC, as headers write it (RFC 9110, section 5.6.7); None where it cannot be read."""
    try:
        parsed = parsedate_to_datetime(text)
        return parsed.replace(tzinfo=UTC) if parsed.tzinfo is None else parsed.astimezone(UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def compute_freshness_lifetime(headers: Mapping[str, str], now: datetime) -> timedelta | None:
    """How long an answer stays good, by its ``Cache-Control``, else its ``Expires``, less its ``Age``.

    RFC 9111, section 4.2. We keep for one, so ``s-maxage`` is not for us.

    Args:
        headers: names in lower case.
        now: by the clock that wrote the answer's dates.

    Returns:
        Longer than zero, or None where it says nothing or asks to come again at once.
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
    """What is no number of seconds counts as none: then an answer is stale (RFC 9111, section 4.2.1)."""
    match = _NUMBER.fullmatch(text.strip())
    return timedelta(seconds=int(match[0])) if match else timedelta(0)
