"""A paper in a list of public pages that is not of one day."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from digest.model import Paper, Signal


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedPaper:
    """A paper in a list that is not of one day.

    Attributes:
        day: its day; that of a paper that was never announced here is the first of its month, None if even that is
            unknown.
        signals: the newest numbers about it.
    """

    paper: Paper
    day: date | None
    signals: tuple[Signal, ...]
