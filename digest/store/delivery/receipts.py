"""Effects of a receipt on its delivery: it ends, or is due again later."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
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

from digest.core.times.retry import compute_delivery_pause, compute_unknown_pause
from digest.model import BLAME_MESSAGE, Deferred, Delivery, Fault, Receipt, Refused, Sent, Unknown
from digest.store.database.dialect import execute_bulk, make_bulk_params, to_db
from digest.store.database.digest_tables import deliveries
from digest.store.database.engine import Transaction

MAX_UNKNOWN = 2
"""How often a message that may have arrived is sent again."""
_OUTAGE_RETRY_DELAY, _SUSPECT_RETRY_DELAY = timedelta(minutes=1), timedelta(minutes=30)
"""Delay of a message after an outage of its server, and of a message that may have caused the failure."""
_NO_DELAY = timedelta(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """How deferred messages are retried.

    Attributes:
        keep_trying: time from the first failure that was not our fault until a message is given up.
        jitter: returns a random number from 0 to 1, so that messages deferred together are not retried
            together.
    """

    keep_trying: timedelta = timedelta(days=2)
    jitter: Callable[[], float] = float


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryMode:
    """How a message is retried after a failure on our side of its server.

    Attributes:
        counts_attempt: whether the attempt counts, because the server accepts others and the message is at
            fault.
        is_already_counted: whether an attempt at another server was counted in this pass, which counts at
            most one.
        is_immediate: whether it is due at once, because another server takes it or all messages wait for it.
        expires_by_clock: whether the delay counts towards its expiry.
    """

    counts_attempt: bool = False
    is_already_counted: bool = False
    is_immediate: bool = False
    expires_by_clock: bool = False


def record_receipts(
    tx: Transaction,
    receipts: Sequence[tuple[Delivery, Receipt]],
    now: datetime,
    retry_policy: RetryPolicy = RetryPolicy(),
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
            answer = receipt.answer[:500]
            sent.append({"number": delivery.id, "held_by": delivery.token, "answer_now": answer})
        else:
            changes = _compute_changes(delivery, receipt, now, retry_policy)
            if isinstance(receipt, Deferred) and receipt.fault is Fault.OURS:
                mode = retry_modes.get(delivery.id, RetryMode())
                compute_changes = _count_attempt if mode.counts_attempt else _defer_uncounted
                changes |= compute_changes(delivery, now, retry_policy, mode)
            others.append(_build_row(delivery) | changes)
    if sent:
        execute_bulk(tx, _build_sent_update(tx.dialect.name), sent, {"now": to_db(tx, now)})
    if others:
        tx.execute(_build_receipt_update(), others)


def is_failed(delivery: Delivery, receipt: Receipt, now: datetime, retry_policy: RetryPolicy) -> bool:
    """Whether a receipt ends a delivery without success, because it is refused or given up."""
    match receipt:
        case Refused():
            return True
        case Deferred(fault=Fault.ADDRESS | Fault.DOMAIN):
            return (
                _defer_for_recipient(delivery, now, retry_policy, receipt.retry_after).get("new_state")
                == "expired"
            )
        case _:
            return False


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
    "state", "due_at", "attempts", "unknown", "answer", "blame", "expires_at", "failed_at", "sent_at",
)  # fmt: skip


def _build_row(delivery: Delivery) -> dict[str, Any]:
    return {
        "number": delivery.id,
        "held_by": delivery.token,
        "new_state": "ready",
        "new_due_at": delivery.due_at,
        "new_attempts": delivery.attempts,
        "new_unknown": delivery.unknown,
        "new_blame": "",
        "new_expires_at": delivery.expires_at,
        "new_failed_at": delivery.failed_at,
        "new_sent_at": None,
    }


def _compute_changes(
    delivery: Delivery, receipt: Refused | Unknown | Deferred, now: datetime, retry_policy: RetryPolicy
) -> dict[str, Any]:
    """Return the changes by a receipt, except those for a message that was sent."""
    answer: dict[str, Any] = {"new_answer": receipt.answer[:500]}
    match receipt:
        case Refused():
            return answer | {"new_state": "refused", "new_blame": receipt.fault.value}
        case Unknown():
            retry_at = now + compute_unknown_pause(delivery.attempts, retry_policy.jitter())
            state_change = (
                {"new_state": "unknown"} if delivery.unknown >= MAX_UNKNOWN else {"new_due_at": retry_at}
            )
            return answer | state_change | {"new_unknown": delivery.unknown + 1}
        case Deferred(fault=Fault.OURS):
            return answer
        case Deferred():
            return (
                answer
                | {"new_blame": receipt.fault.value}
                | _defer_for_recipient(delivery, now, retry_policy, receipt.retry_after)
            )


def _defer_for_recipient(
    delivery: Delivery, now: datetime, retry_policy: RetryPolicy, retry_after: timedelta | None
) -> dict[str, Any]:
    # A delay after its due time is ours, because we were not running or could not send; it extends the expiry.
    own_delay = max(now - delivery.due_at, _NO_DELAY)
    expires_at = delivery.expires_at + own_delay if delivery.expires_at else now + retry_policy.keep_trying
    if now >= expires_at:
        return {"new_state": "expired", "new_expires_at": expires_at}
    retry_at = now + compute_delivery_pause(delivery.attempts, retry_policy.jitter())
    return {
        "new_expires_at": expires_at,
        "new_due_at": max(min(retry_at, expires_at), now + (retry_after or _NO_DELAY)),
    }


def _defer_uncounted(
    delivery: Delivery, now: datetime, retry_policy: RetryPolicy, mode: RetryMode
) -> dict[str, Any]:
    """Defer a message after a failure on our side; the attempt does not count.

    It becomes a suspect, and goes behind the messages that wait already.
    """
    attempts = delivery.attempts - 1
    pause = _SUSPECT_RETRY_DELAY if delivery.is_suspect else _OUTAGE_RETRY_DELAY
    if mode.is_already_counted:  # keep the pause of the attempt that was counted as well
        pause = max(pause, compute_delivery_pause(max(attempts, 1), retry_policy.jitter()))
    retry_at = now if mode.is_immediate else now + pause
    is_our_delay = not (mode.is_already_counted or mode.expires_by_clock)
    own_delay = max(retry_at - delivery.due_at, _NO_DELAY) if is_our_delay else _NO_DELAY
    return {
        "new_blame": delivery.blame if delivery.blame == BLAME_MESSAGE else Fault.OURS.value,
        "new_attempts": attempts,
        "new_due_at": retry_at,
        "new_expires_at": delivery.expires_at and delivery.expires_at + own_delay,
        "new_failed_at": min(delivery.failed_at or now, now),
    }


def _count_attempt(
    delivery: Delivery, now: datetime, retry_policy: RetryPolicy, mode: RetryMode
) -> dict[str, Any]:
    """Defer a message that failed at a server which accepts others; the attempt counts, and the expiry is fixed."""
    expires_at = delivery.expires_at or now + retry_policy.keep_trying
    retry_at = (
        now if mode.is_immediate else now + compute_delivery_pause(delivery.attempts, retry_policy.jitter())
    )
    due_at = min(retry_at, expires_at) if now < expires_at else retry_at
    return {
        "new_blame": BLAME_MESSAGE,
        "new_due_at": due_at,
        "new_expires_at": expires_at,
        "new_failed_at": now,
    }


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
                else now + compute_delivery_pause(delivery.attempts, retry_policy.jitter()),
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
