"""Since when the store has kept everything: what is older may have been removed."""

from __future__ import annotations

from datetime import UTC, date, datetime

from digest.store.database import clock
from digest.store.database.engine import Transaction

EDITIONS, LISTINGS = "editions_kept_since", "listings_kept_since"
"""Names of the notes."""


def editions_kept_since(tx: Transaction) -> datetime | None:
    """Return the instant before which editions may have been removed; None if none was."""
    return _read(tx, EDITIONS)


def listings_kept_since(tx: Transaction) -> date | None:
    """Return the day before which listings may have been removed; None if none was."""
    instant = _read(tx, LISTINGS)
    return instant.date() if instant else None


def note_removed(tx: Transaction, name: str, before: datetime) -> None:
    """Note that rows before an instant are being removed; the note never goes back."""
    noted = _read(tx, name)
    if noted is None or noted < before:
        clock.set_note(tx, name, before.astimezone(UTC).isoformat())


def _read(tx: Transaction, name: str) -> datetime | None:
    text = clock.note(tx, name)
    return datetime.fromisoformat(text) if text else None
