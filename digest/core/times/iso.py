"""Instants as JSON of others writes them (RFC 3339)."""

from __future__ import annotations

import re
from datetime import UTC, datetime

_EXTRA_DIGITS = re.compile(r"(\.\d{6})\d+")


def parse_instant(text: str) -> datetime | None:
    """An instant; UTC where it has no offset, None where it is none. What is finer than a microsecond is left away."""
    try:
        parsed = datetime.fromisoformat(_EXTRA_DIGITS.sub(r"\1", text))
        return (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
