"""Exports of a reader's data by an operator. Nothing is changed, but the audit log names them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from digest.store.database.engine import Store
from digest.store.operations.audit import Actor, AuditAction, record_change


@contextmanager
def record_export(store: Store, actor: Actor, reader: int, now: datetime) -> Iterator[None]:
    """Record an export, unless saving it, which the caller does meanwhile, fails.

    Args:
        store: the store.
        actor: the operator who exports.
        reader: the number of the subscriber.
        now: the current time, UTC.
    """
    with store.begin_write() as tx:
        record_change(tx, actor, AuditAction.EXPORT_READER, f"subscriber {reader}", 1, now)
        yield
