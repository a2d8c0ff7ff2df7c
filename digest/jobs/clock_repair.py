"""A clock that was wrong: find out which one, and take back what one that was ahead has left."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from enum import Enum

from digest.core import ledger
from digest.errors import ConfigError
from digest.ports import Source
from digest.store import clock, clock_repair, notices
from digest.store import ledger as rows
from digest.store.engine import Transaction

_EARLIEST = datetime(2026, 1, 1, tzinfo=UTC)
"""No release is older: a clock that says so was never set."""
_TOLERANCE = timedelta(minutes=1)
"""Clocks of two machines differ by less all the time."""


class ClockState(Enum):
    """What the latest time in the database says about the clock here."""

    RIGHT = "right"
    DIFFERENT = "different"
    """Another clock is ahead of it, or it was set back, by so little that it may be either."""
    BEHIND = "behind"
    WAS_AHEAD = "was ahead"
    """It is right, and one that was ahead wrote to the database before."""


def judge(tx: Transaction, now: datetime) -> ClockState:
    """Say what is known about the clock here.

    Which of two clocks is wrong is told by the days that sources announce: these are dated by clocks of their own.

    Args:
        tx: a transaction.
        now: the time by the clock here.
    """
    if not clock.was_set_back(tx, now, socket.gethostname()):
        seen = clock.latest_seen(tx)
        differs = seen is not None and seen > now + _TOLERANCE
        return ClockState.DIFFERENT if differs else ClockState.RIGHT
    announced = rows.last_announced(tx)
    is_behind = now < _EARLIEST or (
        announced is not None and announced > (now + timedelta(days=1)).astimezone(UTC).date()
    )
    return ClockState.BEHIND if is_behind else ClockState.WAS_AHEAD


def warning(state: ClockState, now: datetime, seen: datetime | None) -> str:
    """What a state means, in sentences; "" where the clock is right."""
    here = f"the clock here says {now.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
    latest = f"the latest time in the database is {seen:%Y-%m-%d %H:%M} UTC" if seen else ""
    match state:
        case ClockState.RIGHT:
            return ""
        case ClockState.DIFFERENT:
            return (
                f"{here}, and {latest}: two clocks differ, or one was set back. What was due by the other clock is not "
                "done again, and what is due next waits for the clock here"
            )
        case ClockState.BEHIND:
            return (
                f"{here}, and that is behind: {latest}, and the days that sources announced, or the age of this release, say so, "
                "too. Set the clock; where you give the time by `--now`, give a later one"
            )
        case ClockState.WAS_AHEAD:
            return (
                f"a clock was ahead: {latest}, and {here}. `digest run` and `digest serve` go by the clock here: schedules "
                "fire at their next time, days that have not come are removed until they come, and what was put off to a "
                "later time is tried now. What was told is not told again. If it is the clock here that is wrong, set it first"
            )


def demand_clock(tx: Transaction, now: datetime) -> None:
    """Refuse to work by a clock that is behind: nothing would go out, and nobody would know why.

    Raises:
        ConfigError: it is.
    """
    state = judge(tx, now)
    if state is ClockState.BEHIND:
        raise ConfigError(warning(state, now, clock.latest_seen(tx)))


def note_time(tx: Transaction, sources: Mapping[str, Source], now: datetime) -> None:
    """Note the time; where a clock was ahead before, take back what it left first, and tell the operator.

    Args:
        tx: a planning transaction.
        sources: those of the configuration, by name.
        now: the time.
    """
    repair(tx, sources, now)
    clock.see(tx, now, socket.gethostname())


def repair(tx: Transaction, sources: Mapping[str, Source], now: datetime) -> None:
    """Take back what a clock that was ahead has left, and tell the operator; where none was, nothing is written.

    Args:
        tx: a planning transaction.
        sources: those of the configuration, by name.
        now: the time.
    """
    host = socket.gethostname()
    state = judge(tx, now)
    if state in {ClockState.WAS_AHEAD, ClockState.BEHIND}:
        notices.note(tx, "clock", f"A clock is wrong: {warning(state, now, clock.latest_seen(tx))}.", now)
    if state is ClockState.WAS_AHEAD:
        first_days = {name: ledger.first_day(source.calendar, now) for name, source in sources.items()}
        clock_repair.repair(tx, now, first_days)
        clock.reset(tx, now, host)
