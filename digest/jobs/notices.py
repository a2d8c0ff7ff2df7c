"""Notices: what the operator is told of by the ways of ``[operator] notify``, each trouble at most once a day.

``note → due → channels → told``
A trouble is noted where it shows, in the transaction that finds it or in one of its own; it is told at the end of a
pass, and tried again later where a way cannot be used. No notice ever stops anything.
"""

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
