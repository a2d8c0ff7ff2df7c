"""Instants as JSON of others writes them (RFC 3339)."""

from __future__ import annotations

import re
from datetime import UTC, datetime

_TOO_FINE = re.compile(r"(\.\d{6})\d+")


def instant(text: str) -> datetime | None:
    """An instant; UTC where it has no offset, None where it is none. What is finer than a microsecond is left away."""
    try:
        at = datetime.fromisoformat(_TOO_FINE.sub(r"\1", text))
        return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
