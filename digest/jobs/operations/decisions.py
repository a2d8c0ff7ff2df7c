"""Decisions of operators about runs and deliveries, by commands and on their pages; each change is in the audit log."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from digest.core.delivery.signup_links import LINK_LIFETIME, hash_token
from digest.store.database.engine import Store, Transaction
from digest.store.delivery import decisions
from digest.store.delivery.decisions import DeliveryFilter
from digest.store.editions import held_runs
from digest.store.operations.audit import Actor, AuditAction, record_change
from digest.store.subscribers.accounts import signups

_DROP_REASON = "an operator dropped it"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryChange:
    """What became of the deliveries that a filter matches.

    Attributes:
        changed: how many were changed.
        counts: if none was changed, how many the filter matches, by state.
        held_runs: the held runs that have some of them, which wait until they are released.
    """

    changed: int
    counts: dict[str, int]
    held_runs: tuple[int, ...] = ()


def retry_deliveries(
    store: Store, actor: Actor, delivery_filter: DeliveryFilter, now: datetime, key: str = ""
) -> DeliveryChange:
    """Make deliveries due at once that failed, or that wait for their next attempt.

    Args:
        store: the store.
        actor: who decides.
        delivery_filter: which deliveries; it must not be empty.
        now: the current time, UTC.
        key: the key of a form; of several calls with the same one, only the first one has an effect. "" for none.
    """
    with store.begin_write() as tx:
        if key and not signups.use_link(tx, hash_token(key), now + LINK_LIFETIME):
            return DeliveryChange(changed=0, counts={})
        runs = decisions.list_held_runs(tx, delivery_filter)
        changed = decisions.retry_deliveries(tx, delivery_filter, now)
        if changed:
            subject = _describe_subject(delivery_filter)
            record_change(tx, actor, AuditAction.RETRY_DELIVERIES, subject, changed, now)
        counts = {} if changed else decisions.count_by_state(tx, delivery_filter)
    return DeliveryChange(changed=changed, counts=counts, held_runs=runs)


def drop_deliveries(
    store: Store, actor: Actor, delivery_filter: DeliveryFilter, now: datetime
) -> DeliveryChange:
    """Drop waiting deliveries; if the filter has states or numbers, also those that failed.

    If the filter has nothing but a run, everything of that run that is not sent yet is dropped.
    """
    run = delivery_filter.run
    with store.begin_write() as tx:
        if run is not None and delivery_filter == DeliveryFilter(run=run):
            changed = _drop_run(tx, actor, run, now)
        else:
            changed = decisions.drop_deliveries(tx, delivery_filter, _DROP_REASON)
            subject = _describe_subject(delivery_filter)
            if changed:
                record_change(tx, actor, AuditAction.DROP_DELIVERIES, subject, changed, now)
        counts = {} if changed else decisions.count_by_state(tx, delivery_filter)
    return DeliveryChange(changed=changed, counts=counts)


def _drop_run(tx: Transaction, actor: Actor, run: int, now: datetime) -> int:
    is_held = any(held_run.id == run for held_run in held_runs.list_held_runs(tx))
    changed = held_runs.drop_run(tx, run, _DROP_REASON) or 0
    if changed or is_held:
        record_change(tx, actor, AuditAction.DROP_RUN, f"run {run}", changed, now)
    return changed


def drop_held_run(store: Store, actor: Actor, run: int, now: datetime) -> int | None:
    """Drop all deliveries of a held run that are not sent yet.

    Returns:
        The number of deliveries that were dropped; None if the run is not held.
    """
    with store.begin_write() as tx:
        if all(held_run.id != run for held_run in held_runs.list_held_runs(tx)):
            return None
        return _drop_run(tx, actor, run, now)


def release_run(store: Store, actor: Actor, run: int, now: datetime) -> int | None:
    """Continue a held run; it is not held again.

    Returns:
        The number of deliveries that were held; None if the run is not held.
    """
    with store.begin_write() as tx:
        changed = held_runs.release_run(tx, run)
        if changed is not None:
            record_change(tx, actor, AuditAction.RELEASE_RUN, f"run {run}", changed, now)
    return changed


def _describe_subject(delivery_filter: DeliveryFilter) -> str:
    if len(delivery_filter.ids) == 1:
        return f"delivery {delivery_filter.ids[0]}"
    return "" if delivery_filter.run is None else f"run {delivery_filter.run}"
