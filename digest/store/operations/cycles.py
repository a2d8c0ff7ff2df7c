"""When the last cycle began and ended."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from digest.store.database.clock import read_note, set_note
from digest.store.database.engine import Transaction

_NOTE = "last_cycle"


@dataclass(frozen=True, slots=True)
class CycleTimes:
    """The times of a cycle that has ended, UTC."""

    began_at: datetime
    ended_at: datetime


def record_cycle(tx: Transaction, times: CycleTimes) -> None:
    """Record a cycle, which replaces the one before."""
    set_note(tx, _NOTE, f"{times.began_at.isoformat()} {times.ended_at.isoformat()}")


def load_last_cycle(tx: Transaction) -> CycleTimes | None:
    """Return the last cycle; None if none has ended yet."""
    text = read_note(tx, _NOTE)
    return CycleTimes(*map(datetime.fromisoformat, text.split())) if text else None
