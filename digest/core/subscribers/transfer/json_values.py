"""JSON from outside: documents of bounded size, and values of the expected types."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from math import isfinite
from typing import Any

from digest.core.subscribers.transfer.imported import ImportContentError, ImportMistake

_MAX_VALUES = 2_000_000
"""Number of values of a document, so that one of 10 MB does not take a gigabyte."""
_MAX_NUMBER = 1_000_000
_YEARS = range(2000, 3000)
"""Years of instants; near the ends of the calendar, an instant has no local time in some zones."""


def require_few_values(text: str) -> None:
    """Refuse a JSON document that would take too much memory.

    Raises:
        ImportContentError: it has more than two million values.
    """
    if text.count(",") + text.count("[") + text.count("{") > _MAX_VALUES:
        raise ImportContentError(ImportMistake.TOO_MUCH)


def load_json(text: str) -> Any:
    """Parse a document.

    Raises:
        ImportContentError: it is no JSON, nested too deeply, or has too many values.
    """
    require_few_values(text)
    try:
        return json.loads(text)
    except RecursionError:
        raise ImportContentError(ImportMistake.UNREADABLE, "its brackets are nested too deeply") from None
    except ValueError as error:
        raise ImportContentError(ImportMistake.UNREADABLE, f"it is not JSON: {error}") from None


def get_mapping(value: object) -> Mapping[str, Any]:
    """Return a mapping; an empty one in place of another type."""
    return value if isinstance(value, dict) else {}


def get_list(value: object) -> list[Any]:
    """Return a list; an empty one in place of another type."""
    return value if isinstance(value, list) else []


def get_text(value: object) -> str:
    """Return a text; "" in place of another type."""
    return value if isinstance(value, str) else ""


def get_instant(value: object) -> datetime | None:
    """Return an instant, UTC; None in place of another type, and of one without a zone or far away."""
    try:
        instant = datetime.fromisoformat(get_text(value))
        return instant.astimezone(UTC) if instant.tzinfo and instant.year in _YEARS else None
    except (ValueError, OverflowError):
        return None


def get_bool(value: object, default: bool) -> bool:  # noqa: FBT001 - the value that a missing one has
    """Return a truth value; the default in place of another type."""
    return value if isinstance(value, bool) else default


def get_number(value: object, low: int, high: int, default: int) -> int:
    """Return an integer, brought between two limits; the default in place of another type."""
    if not isinstance(value, int) or isinstance(value, bool):
        return default
    return min(max(value, low), high)


def get_weight(value: object, low: float, high: float) -> float:
    """Return a number, brought between two limits; 1 in place of another type, and of what is no number."""
    if not isinstance(value, int | float) or isinstance(value, bool) or abs(value) > _MAX_NUMBER:
        return 1.0
    return min(max(float(value), low), high) if isfinite(value) else 1.0
