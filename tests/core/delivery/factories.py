"""Deliveries as rows, for decisions that are made on rows alone."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from digest.model import Delivery

NOW = datetime(2026, 6, 12, 5, 30, tzinfo=UTC)


def make_delivery(number: int, **values: Any) -> Delivery:
    """A delivery that was never attempted, with other values where they are given."""
    delivery = Delivery(
        id=number,
        edition=1,
        destination=number,
        run=1,
        digest="first",
        period="2026-06-12",
        channel="smtp",
        address=f"{number}@example.org",
        domain="example.org",
        form="",
        state="leased",
        due_at=NOW,
        main_query=0,
        paced=False,
        attempts=1,
        unknown=0,
        message_id=f"<{number}@example.org>",
        answer="",
        blame="",
        expires_at=None,
        failed_at=None,
        sent_at=None,
        token=1,
    )
    return delivery._replace(**values)
