"""Late papers of an edition: those of days before the days that the edition waited for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date

from digest.model import Batch, Event


def find_first_days(batches: Iterable[Batch]) -> dict[str, date]:
    """Return the first day of each source that an edition waited for.

    A day that fills gradually is not counted: what is listed after the edition of such a day is in the next
    one and not late.
    """
    first_days: dict[str, date] = {}
    for batch in batches:
        if not batch.fills:
            first_days[batch.source] = min(batch.day, first_days.get(batch.source, batch.day))
    return first_days


def is_late(event: Event, first_days: Mapping[str, date]) -> bool:
    """Whether an event is of a day before the first day that its edition waited for."""
    day = first_days.get(event.source)
    return day is not None and event.day < day
