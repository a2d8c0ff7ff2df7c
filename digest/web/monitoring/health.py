"""Handlers for what watches the service."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from fastapi import Response

from digest.errors import StoreError
from digest.jobs.http.fetch import Clock
from digest.store.database.engine import Store
from digest.store.operations import cycles


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthRoutes:
    """The handlers.

    Attributes:
        store: the store.
        clock: returns the time, UTC.
    """

    store: Store
    clock: Clock

    def show_alive(self) -> Response:
        """Return 200: the process answers."""
        return _make_state("ok", 200)

    def show_ready(self) -> Response:
        """Return 200 if the database answers, or 503, and when the last cycle ended."""
        try:
            with self.store.begin_read() as tx:
                last_cycle = cycles.load_last_cycle(tx)
        except StoreError:
            return _make_state("the database does not answer", 503)
        if last_cycle is None:
            return _make_state("ok\nlast cycle: none yet", 200)
        age = max(self.clock() - last_cycle.ended_at, timedelta())
        return _make_state(f"ok\nlast cycle: {age.total_seconds():.0f} s ago", 200)


def _make_state(text: str, status: int) -> Response:
    return Response(f"{text}\n", status, {"cache-control": "no-store"}, "text/plain")
