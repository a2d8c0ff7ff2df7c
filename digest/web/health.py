"""Handlers for what watches the service."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import Response

from digest.errors import StoreError
from digest.store.database.engine import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthRoutes:
    """The handlers."""

    store: Store

    def show_alive(self) -> Response:
        """Return 200: the process answers."""
        return _make_state("ok", 200)

    def show_ready(self) -> Response:
        """Return 200 if the database answers, or 503."""
        try:
            with self.store.begin_read():
                return _make_state("ok", 200)
        except StoreError:
            return _make_state("the database does not answer", 503)


def _make_state(text: str, status: int) -> Response:
    return Response(f"{text}\n", status, {"cache-control": "no-store"}, "text/plain")
