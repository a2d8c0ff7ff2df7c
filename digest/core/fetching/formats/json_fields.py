"""Tolerant access to JSON answers: a field that is missing or of another type is empty."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any

from digest.core.text.cleaning import normalize_line
from digest.errors import SourceError
from digest.model import Signal
from digest.ports import Response

_ISO_DATE = re.compile(
    r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?", re.ASCII
)
_REASON_FIELDS = ("error", "message", "detail", "reason")
"""Fields in which services explain a refusal."""
_MAX_REASON_LENGTH = 300
_MAX_DIGITS = 30
"""Maximum number of digits of a number; counts, and milliseconds since 1970, have fewer."""


def parse_answer(response: Response, subject: str) -> Any:
    """Return the parsed content of a response.

    Args:
        response: a response of any status.
        subject: what was requested; errors begin with it.

    Raises:
        SourceError: the request was refused, or the response is not JSON; bot checks send a web page with
            status 200.
    """
    try:
        answer = read_json(response.body)
    except (ValueError, RecursionError):
        answer = None
    if response.status != 200:
        explanation = _find_reason(answer) or _read_plain_text(response)
        reason = f": {explanation}" if explanation else ", without a reason that could be read"
        raise SourceError(f"{subject} was refused (HTTP {response.status}){reason}.")
    if answer is None:
        raise SourceError(f"{subject} was expected, but {_describe_kind(response)} arrived.")
    return answer


def read_json(body: bytes) -> Any:
    """Parse JSON; a number with too many digits becomes None, and affects no other field.

    Raises:
        ValueError: the text is not JSON.
        RecursionError: it is nested too deeply.
    """
    return json.loads(body, strict=False, parse_int=_parse_int)


def _parse_int(digits: str) -> int | None:
    """Parse a number; one of more than 4,300 digits would otherwise make Python reject the whole document."""
    return int(digits) if len(digits) <= _MAX_DIGITS else None


def _find_reason(answer: object) -> str:
    """Return the reason for a refusal, or ""."""
    fields = to_table(answer)
    for name in _REASON_FIELDS:
        value = fields.get(name)
        if isinstance(value, dict):
            return _find_reason(value)
        if isinstance(value, list):
            value = next((to_line(to_table(entry).get("message")) for entry in value), "")
        if text := to_line(value):
            return text[:_MAX_REASON_LENGTH].rstrip(".")
    return ""


def _read_plain_text(response: Response) -> str:
    content_type = dict(response.headers).get("content-type", "")
    if not content_type.startswith("text/plain"):
        return ""
    return normalize_line(response.body[:_MAX_REASON_LENGTH].decode(errors="replace")).rstrip(".")


def _describe_kind(response: Response) -> str:
    return "a web page" if b"<html" in response.body[:2000].lower() else "something else"


def to_table(value: object) -> Mapping[str, Any]:
    """Return an object; an empty one for other types."""
    return value if isinstance(value, dict) else {}


def to_rows(value: object) -> Sequence[Any]:
    """Return a list; an empty one for other types, and a list of one for an object, as converters from XML write it."""
    if isinstance(value, dict):
        return (value,) if value else ()
    return value if isinstance(value, list) else ()


def to_line(value: object) -> str:
    """Return a text in one line without control characters; "" for other types."""
    return normalize_line(value) if isinstance(value, str) else ""


def to_count(value: object) -> int | None:
    """Return a plausible count; None for other values."""
    return value if type(value) is int and 0 <= value < 10**12 else None


def make_signals(counts: Mapping[str, object], *, subject: str, source: str, day: date) -> Iterator[Signal]:
    """Yield a signal for each value that is a count.

    Args:
        counts: the value of each kind, which may be no number.
        subject: the paper or person.
        source: the source of the numbers.
        day: the day of the numbers.
    """
    for kind, count in counts.items():
        if (number := to_count(count)) is not None:
            yield Signal(subject=subject, kind=kind, source=source, day=day, value=float(number))


def to_day(value: object) -> date | None:
    """Return a date, or that of an instant in UTC, or None; it may lack leading zeros (``2026-9-7``)."""
    if not isinstance(value, str) or not (match := _ISO_DATE.fullmatch(value)):
        return None
    try:
        if match.end(3) == len(value):
            day = date(int(match[1]), int(match[2]), int(match[3]))
        else:
            instant = datetime.fromisoformat(value)
            day = (instant if instant.tzinfo is None else instant.astimezone(UTC)).date()
    except (ValueError, OverflowError):
        return None
    # The first and the last year are excluded, so that the days before and after always exist.
    return day if date.min.year < day.year < date.max.year else None
