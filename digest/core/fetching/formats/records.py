"""Parsing of records one by one, so that an invalid record affects no others."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date
from typing import TypeVar

from digest.errors import SourceError

Record = TypeVar("Record")
Value = TypeVar("Value")


def read_each(
    records: Iterable[Record],
    parse: Callable[[Record], Value | None],
    *,
    title: str,
    describe: Callable[[Record], str] | None = None,
) -> tuple[list[Value], list[str]]:
    """Parse each record on its own.

    Args:
        records: records in any format, each of any shape.
        parse: returns the value of a record, or None if something is missing.
        title: the name of the service, for messages.
        describe: returns a sentence about a record in which something is missing; by default, such a record
            is omitted silently.

    Returns:
        The values in the order of the records, and a sentence about each record that cannot be parsed.

    Raises:
        SourceError: no record can be parsed; then the whole answer has another format.
    """
    values: list[Value] = []
    unread: list[str] = []
    broken_count = 0
    for record in records:
        try:
            value = parse(record)
            sentence = describe(record) if value is None and describe else ""
        except MemoryError:
            raise
        except Exception as error:  # noqa: BLE001 - a record can contain anything
            value, sentence = None, f"A record of {title} cannot be read: {error!r:.200}."
            broken_count += 1
        if value is not None:
            values.append(value)
        elif sentence:
            unread.append(sentence)
    if broken_count and not values:
        raise SourceError(f"None of {broken_count} records of {title} can be read. {unread[0]}")
    return values, unread


def is_plausible(day: date) -> bool:
    """Return True if a day is plausible as date of publication; clocks that were never set say 1970 or earlier."""
    return 1971 <= day.year < 2100
