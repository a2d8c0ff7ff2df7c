"""Receipts for HTTP statuses of services."""

from __future__ import annotations

from datetime import timedelta

from digest.model import Deferred, Fault, Refused

_BUSY_STATUSES = frozenset({408, 425, 429})
_GONE_STATUSES = frozenset({404, 410})
_PERMANENT_STATUSES = frozenset({400, 405, 406, 411, 413, 414, 415, 422, 501, 505})


def classify_status(status: int, answer: str, retry_after: timedelta | None) -> Deferred | Refused:
    """Return the receipt for a status that is no success.

    Args:
        status: the status; 0 for an unknown one.
        answer: the words of the service.
        retry_after: how long a busy service asks us to wait; None if it does not say.
    """
    if status in _PERMANENT_STATUSES:
        return Refused(answer=answer, fault=Fault.OURS)
    if status in _GONE_STATUSES:
        return Refused(answer=answer)
    if status in _BUSY_STATUSES or status >= 500:
        return Deferred(answer=answer, fault=Fault.DOMAIN, retry_after=retry_after)
    return Deferred(answer=answer)
