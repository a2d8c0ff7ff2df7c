"""Dates since when the database is complete; older editions and listings may have been removed."""

from __future__ import annotations

from datetime import UTC, date, datetime

from digest.store.database import clock
from digest.store.database.engine import Transaction

EDITIONS_NOTE, LISTINGS_NOTE = "editions_kept_since", "listings_kept_since"
"""Names of the notes that store these dates."""


def read_editions_start(tx: Transaction) -> datetime | None:
    """Return the start of the period whose editions are complete; None if no edition was ever removed."""
    return _read_instant(tx, EDITIONS_NOTE)


def read_listings_start(tx: Transaction) -> date | None:
    """Return the first day whose listings are complete; None if no listing was ever removed."""
    instant = _read_instant(tx, LISTINGS_NOTE)
    return instant.date() if instant else None


def note_removed(tx: Transaction, name: str, before: datetime) -> None:
    """Record that rows before an instant are being removed; the recorded instant never decreases."""
    previous = _read_instant(tx, name)
    if previous is None or previous < before:
        clock.set_note(tx, name, before.astimezone(UTC).isoformat())


def _read_instant(tx: Transaction, name: str) -> datetime | None:
    text = clock.read_note(tx, name)
    return datetime.fromisoformat(text) if text else None
