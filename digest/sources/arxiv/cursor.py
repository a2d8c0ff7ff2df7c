"""What a route of records remembers from page to page and from ask to ask, as the text that is kept for it.

There are two series that must not disturb each other: that of all that is new, and a backfill's of days that
somebody asked for.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import Any, Generic, TypeVar

Progress = TypeVar("Progress")
"""How far a series is: a frozen dataclass of texts and numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cursor(Generic[Progress]):
    """What is remembered of a section.

    Attributes:
        done: up to where all that is new has come; "" before a series has ended.
        current: the series of all that is new, if one is under way.
        backfill: the one of days that were asked for, if one is under way.
        by_day: the request is the backfill's.
    """

    done: str = ""
    current: Progress | None = None
    backfill: Progress | None = None
    by_day: bool = False

    @property
    def active(self) -> Progress | None:
        """The series that the request belongs to."""
        return self.backfill if self.by_day else self.current

    def replace_progress(self, progress: Progress | None) -> Cursor[Progress]:
        """The same with another state of the active series; None where it has ended."""
        return replace(self, backfill=progress) if self.by_day else replace(self, current=progress)

    @property
    def text(self) -> str:
        """To be kept; "" where there is nothing to remember."""
        state = {name: value for name, value in asdict(self).items() if value}
        return json.dumps(state, sort_keys=True) if state else ""


def read_cursor(text: str, progress_class: type[Progress]) -> Cursor[Progress]:
    """Read a cursor; one that another release wrote in another way counts as none.

    Args:
        text: as kept.
        progress_class: of its series.
    """
    try:
        state: dict[str, Any] = json.loads(text or "{}")
        for name in ("current", "backfill"):
            if name in state:
                state[name] = progress_class(**state[name])
        return Cursor(**state)
    except (ValueError, TypeError, AttributeError):
        return Cursor()
