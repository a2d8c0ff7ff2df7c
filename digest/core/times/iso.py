"""Parsing of instants in JSON (RFC 3339)."""

from __future__ import annotations

import re
from datetime import UTC, datetime

_EXTRA_DIGITS = re.compile(r"(\.\d{6})\d+")


def parse_instant(text: str) -> datetime | None:
    """Parse an instant into UTC, truncated to microseconds; return None if it is invalid.

    An instant without an offset is taken as UTC.
    """
    try:
        parsed = datetime.fromisoformat(_EXTRA_DIGITS.sub(r"\1", text))
        return (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
