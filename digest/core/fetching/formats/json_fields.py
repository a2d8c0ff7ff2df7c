"""Answers in JSON, as far as they can be trusted: what is not there, or of another kind, is empty."""

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
"""Where services say why they refuse."""
_MAX_REASON_LENGTH = 300
_MAX_DIGITS = 30
"""Digits of a number that is read; what is counted, and milliseconds since 1970, have fewer."""


def parse_answer(response: Response, subject: str) -> Any:
    """What an answer holds.

    Args:
        response: of any status.
        subject: what was asked for, to begin an error with.

    Raises:
        SourceError: it was refused, or it is no JSON: a bot check answers with a web page, and status 200.
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
    """Parse JSON; a number that is too long to be one of anything is None, and costs its field alone.

    Raises:
        ValueError: it is no JSON.
        RecursionError: it is nested too deeply.
    """
    return json.loads(body, strict=False, parse_int=_parse_int)


def _parse_int(digits: str) -> int | None:
    """Python refuses to read a number of more than 4,300 digits, and with it the whole document."""
    return int(digits) if len(digits) <= _MAX_DIGITS else None


def _find_reason(answer: object) -> str:
    """Why, as far as it is said."""
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
    """An object, empty if it is none."""
    return value if isinstance(value, dict) else {}


def to_rows(value: object) -> Sequence[Any]:
    """A list, empty if it is none; an object by itself is a list of one, as hosts write it that make JSON of XML."""
    if isinstance(value, dict):
        return (value,) if value else ()
    return value if isinstance(value, list) else ()


def to_line(value: object) -> str:
    """A text on one line, without markup and unseen characters; "" if it is none."""
    return normalize_line(value) if isinstance(value, str) else ""


def to_count(value: object) -> int | None:
    """A number of things; None if it is none that anybody could have counted."""
    return value if type(value) is int and 0 <= value < 10**12 else None


def make_signals(counts: Mapping[str, object], *, subject: str, source: str, day: date) -> Iterator[Signal]:
    """The numbers among what is told, by kind, each as a signal.

    Args:
        counts: what stands for each kind, a number or not.
        subject: of whom or what.
        source: who counts.
        day: of the numbers.
    """
    for kind, count in counts.items():
        if (number := to_count(count)) is not None:
            yield Signal(subject=subject, kind=kind, source=source, day=day, value=float(number))


def to_day(value: object) -> date | None:
    """A date, or that of an instant in UTC; also one that is not padded (``2026-9-7``)."""
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
    # In the first year and the last one there is not always a day before or after.
    return day if date.min.year < day.year < date.max.year else None
