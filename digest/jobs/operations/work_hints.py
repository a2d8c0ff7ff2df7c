"""Hints to workers of all that is due, found in the tables: what a lost hint should have told, too."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from digest.store.database.engine import Transaction
from digest.store.delivery import outbox
from digest.store.editions import runs
from digest.store.matching import matches
from digest.store.workers import hints, workers


def defer_due_hints(tx: Transaction, now: datetime) -> None:
    """Defer hints of what is to be matched, composed and delivered.

    Args:
        tx: a writing transaction.
        now: the current time, UTC.
    """
    if not hints.are_used(tx):
        return
    if matches.has_unmatched(tx):
        hints.defer_hint(tx, hints.MATCH)
    hints.defer_hint(tx, hints.COMPOSE_ALERTS, runs.count_ready_shards(tx, alerts=True))
    # A run without shards, or whose last one was composed by a worker that died then, is marked as composed by such a task.
    unmarked_count = int(runs.has_finished(tx))
    hints.defer_hint(tx, hints.COMPOSE, max(runs.count_ready_shards(tx, alerts=False), unmarked_count))
    worker_counts = Counter(channel for worker in workers.list_workers(tx) for channel in worker.channels)
    for channel in sorted(outbox.list_waiting_channels(tx)):
        if outbox.is_alert_due(tx, channel, now):
            hints.defer_hint(tx, hints.make_alert_hint(channel))
        if outbox.is_any_due(tx, channel, now):
            hints.defer_hint(tx, hints.make_delivery_hint(channel), max(1, worker_counts[channel]))
