"""What the headers of an answer say about times."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

_DIRECTIVE = re.compile(r'([a-z-]+)\s*(?:=\s*"?([^",]*))?')
_NUMBER = re.compile(r"\d{1,9}")
_NOT_KEPT = frozenset({"no-store", "no-cache"})


def http_date(text: str) -> datetime | None:
    """An instant, UTC, as headers write it (RFC 9110, section 5.6.7); None where it cannot be read."""
    try:
        found = parsedate_to_datetime(text)
        return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def fresh_for(headers: Mapping[str, str], now: datetime) -> timedelta | None:
    """How long an answer stays good, by its ``Cache-Control``, else its ``Expires``, less its ``Age``.

    RFC 9111, section 4.2. We keep for one, so ``s-maxage`` is not for us.

    Args:
        headers: names in lower case.
        now: by the clock that wrote the answer's dates.

    Returns:
        Longer than zero, or None where it says nothing or asks to come again at once.
    """
    told = dict(_DIRECTIVE.findall(headers.get("cache-control", "").lower()))
    if told.keys() & _NOT_KEPT:
        return None
    if "max-age" in told:
        lasts = _seconds(told["max-age"])
    else:
        until = http_date(headers.get("expires", ""))
        lasts = until - now if until else timedelta(0)
    left = lasts - _seconds(headers.get("age", ""))
    return left if left > timedelta(0) else None


def _seconds(text: str) -> timedelta:
    """What is no number of seconds counts as none: then an answer is stale (RFC 9111, section 4.2.1)."""
    found = _NUMBER.fullmatch(text.strip())
    return timedelta(seconds=int(found[0])) if found else timedelta(0)
