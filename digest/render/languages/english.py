"""English texts for days, counts, enumerations and classes of bounces."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from digest.model import BounceClass

_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def format_long_day(day: date) -> str:
    """Format a day, ``Friday 12 June``, without strftime, which depends on the machine's language."""
    return f"{_WEEKDAYS[day.weekday()]} {day.day} {_MONTHS[day.month - 1]}"


def format_short_day(day: date) -> str:
    """Format a day: ``12 Jun``."""
    return f"{day.day} {format_short_month(day)}"


def format_short_month(day: date) -> str:
    """Format a month without its year: ``Jun``."""
    return _MONTHS[day.month - 1][:3]


def format_month(day: date) -> str:
    """Format a month: ``June 2026``."""
    return f"{_MONTHS[day.month - 1]} {day.year}"


def format_count(number: int, singular: str, plural: str = "") -> str:
    """Format a number with its noun: ``1 paper``, ``2 papers``, ``1,200 papers``."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def join_with_and(words: Sequence[str]) -> str:
    """Join words: ``a``, ``a and b``, ``a, b and c``."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


BOUNCE_MEANINGS = {
    BounceClass.GONE: "there is no such address",
    BounceClass.CLOSED: "its server says that it accepts no mail",
    BounceClass.SOFT: "a mail did not reach it",
    BounceClass.DOMAIN: "its server did not accept a mail",
    BounceClass.OURS: "a mail was refused for a reason on our side",
    BounceClass.COMPLAINT: "its reader complained",
    BounceClass.NOTHING: "nothing is wrong",
}
"""Descriptions of the classes of bounces."""
