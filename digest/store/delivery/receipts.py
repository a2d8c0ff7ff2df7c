"""Receipts of claimed deliveries, recorded in the outbox."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import cache
from types import MappingProxyType
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Text,
    Update,
    and_,
    bindparam,
    case,
    false,
    func,
    literal_column,
    null,
    update,
)

from digest.core.delivery.retries import DEFAULT_POLICY, MAX_ANSWER, RetryMode, RetryPolicy, apply_receipt
from digest.model import BLAME_MESSAGE, Delivery, Receipt, Sent
from digest.store.database.dialect import execute_bulk, make_bulk_params, to_db
from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import deliveries


def record_receipts(
    tx: Transaction,
    receipts: Sequence[tuple[Delivery, Receipt]],
    now: datetime,
    retry_policy: RetryPolicy = DEFAULT_POLICY,
    *,
    retry_modes: Mapping[int, RetryMode] = MappingProxyType({}),
) -> None:
    """Record the receipts of claimed deliveries, with one statement for those that were sent.

    Args:
        tx: a writing transaction.
        receipts: the receipts; those of deliveries that another worker has claimed since are ignored.
        now: the time.
        retry_policy: how deferred messages are retried.
        retry_modes: how messages are retried that failed on our side, by delivery.
    """
    if not receipts:
        return
    sent, others = [], []
    for delivery, receipt in receipts:
        if isinstance(receipt, Sent):
            answer = receipt.answer[:MAX_ANSWER]
            sent.append({"number": delivery.id, "held_by": delivery.token, "answer_now": answer})
        else:
            mode = retry_modes.get(delivery.id, RetryMode())
            tried = apply_receipt(delivery, receipt, now, retry_policy, mode)
            row = {f"new_{name}": getattr(tried, name) for name in _UPDATED_COLUMNS}
            others.append({"number": delivery.id, "held_by": delivery.token, **row})
    if sent:
        execute_bulk(tx, _build_sent_update(tx.dialect.name), sent, {"now": to_db(tx, now)})
    if others:
        tx.execute(_build_receipt_update(), others)


def _is_leased_by(number: ColumnElement[int], token: ColumnElement[int]) -> ColumnElement[bool]:
    """Build the condition that nobody else has claimed a delivery; an expired lease does no harm until somebody does."""
    state = deliveries.c.state.in_([literal_column("'leased'"), literal_column("'ready'")])
    return and_(deliveries.c.id == number, deliveries.c.lease_token == token, state)


_RELEASED_LEASE = {"lease_until": null(), "paced": false()}


@cache
def _build_sent_update(database: str) -> Update:
    params = make_bulk_params(database, number=BigInteger(), held_by=BigInteger(), answer_now=Text())
    answer_columns = {"answer": params["answer_now"], "sent_at": bindparam("now")}
    state_columns: dict[str, Any] = {"state": literal_column("'sent'"), "blame": literal_column("''")}
    return (
        update(deliveries)
        .where(_is_leased_by(params["number"], params["held_by"]))
        .values(_RELEASED_LEASE | state_columns | answer_columns)
    )


@cache
def _build_receipt_update() -> Update:
    values: dict[str, Any] = {name: bindparam(f"new_{name}") for name in _UPDATED_COLUMNS}
    is_leased = _is_leased_by(bindparam("number"), bindparam("held_by"))
    return update(deliveries).where(is_leased).values(_RELEASED_LEASE | values)


_UPDATED_COLUMNS = (
    "state", "due_at", "attempts", "unknown", "answer", "blame", "expires_at", "failed_at",
)  # fmt: skip


def count_attempts(
    tx: Transaction,
    claimed: Sequence[Delivery],
    now: datetime,
    retry_policy: RetryPolicy,
    *,
    immediate_ids: Collection[int] = frozenset(),
) -> None:
    """Count the attempts of deliveries that failed at a server, now that it has accepted later messages.

    Args:
        tx: a writing transaction.
        claimed: the deliveries as they were claimed; those counted or claimed again since then are not
            changed.
        now: the time.
        retry_policy: how deferred messages are retried.
        immediate_ids: numbers of those that another server may take at once; their due time is not changed.
    """
    if claimed:
        rows = [
            {
                "number": delivery.id,
                "held_by": delivery.token,
                "counted": delivery.attempts,
                "again": now
                if delivery.id in immediate_ids
                else now + retry_policy.compute_pause(delivery.attempts),
                "expires": now + retry_policy.keep_trying,
                "now": now,
            }
            for delivery in claimed
        ]
        tx.execute(_build_count_update(), rows)


@cache
def _build_count_update() -> Update:
    is_waiting = deliveries.c.state == literal_column("'ready'")
    is_same = (deliveries.c.id == bindparam("number")) & (deliveries.c.lease_token == bindparam("held_by"))
    is_uncounted = deliveries.c.attempts == bindparam("counted") - 1
    # Its due time and expiry may have become later since it was claimed, so they are compared in the database.
    retry_at = bindparam("again", type_=deliveries.c.due_at.type)
    values: dict[str, Any] = {
        "blame": literal_column(f"'{BLAME_MESSAGE}'"),
        "attempts": bindparam("counted"),
        "due_at": case((deliveries.c.due_at < retry_at, retry_at), else_=deliveries.c.due_at),
        "expires_at": func.coalesce(
            deliveries.c.expires_at, bindparam("expires", type_=deliveries.c.expires_at.type)
        ),
        "failed_at": bindparam("now", type_=deliveries.c.failed_at.type),
    }
    return update(deliveries).where(is_same, is_waiting, is_uncounted).values(values)
