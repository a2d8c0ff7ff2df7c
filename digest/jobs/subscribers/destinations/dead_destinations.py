"""Chats and webhooks of readers that no longer exist are stopped, so that nobody posts to a dead address for ever."""

from __future__ import annotations

from datetime import UTC, datetime

from digest.store.database import clock
from digest.store.database.engine import Store
from digest.store.subscribers.destinations.own_destinations import list_dead
from digest.store.subscribers.subscribers import stop_destination

_MAX_FAILURES = 5
"""Number of editions in a row that fail because of the other side until a destination is stopped."""
_NOTE = "dead_destinations_on"


def stop_dead_destinations(store: Store, now: datetime) -> None:
    """Stop the destinations of readers whose last five editions were refused or given up; once a day.

    The page of the digest tells the reader, who can add the address again: failures before that no longer count.
    """
    today = now.astimezone(UTC).date().isoformat()
    with store.begin_read() as tx:
        if clock.read_note(tx, _NOTE) == today:
            return
        dead = list_dead(tx, _MAX_FAILURES)
    with store.begin_write() as tx:
        # A reader may have added one again, or a delivery may have arrived, since the look without a lock.
        for destination in list_dead(tx, _MAX_FAILURES, among=dead):
            stop_destination(tx, destination)
        clock.set_note(tx, _NOTE, today)
