"""Cursor of a route of records: the state between pages and between requests, stored as text.

It has two independent series: that of new records, and the backfill of requested days.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import Any, Generic, TypeVar

Progress = TypeVar("Progress")
"""The progress of a series: a frozen dataclass of texts and numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cursor(Generic[Progress]):
    """The state of a section.

    Attributes:
        done: up to where the series of new records is complete; "" before its first end.
        current: the progress of the series of new records; None if it has ended.
        backfill: the progress of the backfill; None if there is none.
        by_day: whether the request belongs to the backfill.
    """

    done: str = ""
    current: Progress | None = None
    backfill: Progress | None = None
    by_day: bool = False

    @property
    def active(self) -> Progress | None:
        """The progress of the series that the request belongs to."""
        return self.backfill if self.by_day else self.current

    def replace_progress(self, progress: Progress | None) -> Cursor[Progress]:
        """Return a cursor with another progress of the active series; None if it has ended."""
        return replace(self, backfill=progress) if self.by_day else replace(self, current=progress)

    @property
    def text(self) -> str:
        """The stored form; "" if there is no state."""
        state = {name: value for name, value in asdict(self).items() if value}
        return json.dumps(state, sort_keys=True) if state else ""


def read_cursor(text: str, progress_class: type[Progress]) -> Cursor[Progress]:
    """Parse a cursor; an incompatible one of another release counts as empty.

    Args:
        text: the stored form.
        progress_class: the class of the progress.
    """
    try:
        state: dict[str, Any] = json.loads(text or "{}")
        for name in ("current", "backfill"):
            if name in state:
                state[name] = progress_class(**state[name])
        return Cursor(**state)
    except (ValueError, TypeError, AttributeError):
        return Cursor()
