"""Notices: what the operator is to know of, each trouble at most once a day; what tells it is in the module operator."""

from __future__ import annotations

from datetime import datetime

from digest.store import notices
from digest.store.engine import Transaction


def notice(tx: Transaction, name: str, text: str, now: datetime) -> None:
    """Let the operator know of a trouble, once a day however often this is called.

    Args:
        tx: a writing transaction.
        name: what tells the trouble from others, and does not change with the time: ``server:smtp.example.org``.
        text: it, in whole sentences that say what to do; it may hold no secret.
        now: the time.
    """
    notices.note(tx, name, text, now)
