"""Records of an answer, read one by one, so that one that cannot be read costs that record alone."""

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
    """Read each record by itself.

    Args:
        records: in any form, each of any shape.
        parse: returns what a record says, or None where something is missing.
        title: the service, as people know it.
        describe: returns a sentence about a record in which something is missing; by default it is left out silently.

    Returns:
        What was read, in the order of the records, and a sentence about each record that was not.

    Raises:
        SourceError: none can be read: then not a record is broken, but the whole answer has another form.
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
        except Exception as error:  # noqa: BLE001 - a record can hold what nobody has thought of
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
    """Whether something can have been published on a day; clocks that were never set say 1970 or earlier."""
    return 1971 <= day.year < 2100
