"""Trends: the votes that papers gained lately, and which of the papers become events."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta

from digest.model import Signal

TREND_SPAN, TREND_AGE = timedelta(days=7), timedelta(days=30)
"""Period in which votes are gained, and maximum age of a paper that is trending."""
MAX_TRENDING = 200
"""Maximum number of trending papers of a day."""
MAX_TRENDING_EVENTS = 20
"""Number of the first trending papers of a day for which ``trending`` events are made. An edition shows about as many; and
where people vote on some 50 papers a day, a paper among the first 20 of a month is one that many people noticed."""


def compute_gains(signals: Iterable[Signal], day: date) -> dict[str, Signal]:
    """Compute the votes that papers gained in the week up to a day.

    Args:
        signals: the votes of papers by source and day, from before the week on where there are any. A paper
            without an earlier number is taken to have had none.
        day: the last day of the week.

    Returns:
        By subject, the largest gain at one source; its day is that of the latest count. Subjects that gained
        nothing are omitted.
    """
    latest: dict[tuple[str, str], Signal] = {}
    before: dict[tuple[str, str], float] = {}
    for signal in sorted(signals, key=lambda signal: signal.day):
        if signal.day > day:
            continue
        place = signal.subject, signal.source
        latest[place] = signal
        if signal.day <= day - TREND_SPAN:
            before[place] = signal.value
    gains: dict[str, Signal] = {}
    for place, signal in latest.items():
        gain = signal.value - before.get(place, 0.0)
        if gain > 0 and (signal.subject not in gains or gains[signal.subject].value < gain):
            gains[signal.subject] = Signal(
                subject=signal.subject, kind=signal.kind, source=signal.source, day=signal.day, value=gain
            )
    return gains
