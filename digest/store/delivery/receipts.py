"""What the answer to a delivery changes: it is over, or due again at some time."""

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
"""How long a message waits that a server was in trouble with; and one that may be what it fails at."""
_NO_DELAY = timedelta(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """How long what the other side puts off is tried.

    Attributes:
        keep_trying: from its first failure that was not ours.
        jitter: from 0 to 1, by chance, so that what was put off together does not come again together.
    """

    keep_trying: timedelta = timedelta(days=2)
    jitter: Callable[[], float] = float


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryMode:
    """How a message is tried again that a server was in trouble with.

    Attributes:
        counts_attempt: the server takes others, so the message itself is at fault.
        is_already_counted: an attempt counted in this pass already, at another server; a pass counts one.
        is_immediate: it is due again at once: another server takes it, or all messages wait for this one.
        expires_by_clock: no outage delays the time at which it is given up.
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
    """Keep what the other side answered, all of it in one statement.

    Args:
        tx: a writing transaction.
        receipts: of deliveries that were claimed; those that another has claimed since are left to it.
        now: the time.
        retry_policy: with what is put off.
        retry_modes: how those are tried again that a server was in trouble with, by delivery.
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
    """Whether a receipt ends a delivery badly: it is refused, or given up."""
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
    """A lease that ended while we could not write is no harm as long as nobody has taken it over."""
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
    """What a receipt changes, other than that of a message that was sent."""
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
    # What it waited beyond its time was our doing: we were not running, or could not send.
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
    """After trouble of our own it is a suspect and goes behind those that wait already; the attempt does not count."""
    attempts = delivery.attempts - 1
    pause = _SUSPECT_RETRY_DELAY if delivery.is_suspect else _OUTAGE_RETRY_DELAY
    if mode.is_already_counted:  # the server that counted it wants its pause, too
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
    """Where the server took others, the attempt counts; from the first such one on, time runs by the clock."""
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
    """Count the attempts of deliveries that a server failed at, now that it took others after them.

    Args:
        tx: a writing transaction.
        claimed: as they were claimed; what was counted, or claimed by others, since then is left as it is.
        now: the time.
        retry_policy: with what is put off.
        immediate_ids: of those that another server may take at once; they keep their time.
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
    # The pause and the expiry that it has now may be later than those it was claimed with.
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
