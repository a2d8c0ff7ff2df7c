"""What the answer to a delivery changes: it is over, or due again at some time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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

from digest.core.times.retry import delivery_pause, unknown_pause
from digest.model import Blame, Deferred, Receipt, Refused, Sent, Unknown
from digest.store.database.dialect import as_kept, of_each, run_for_each
from digest.store.database.digest_tables import deliveries
from digest.store.database.engine import Transaction
from digest.store.delivery.outbox import MESSAGE, Delivery

MOST_UNKNOWN = 2
"""How often a message that may have arrived is sent again."""
_AGAIN_OURS, _AGAIN_SUSPECT = timedelta(minutes=1), timedelta(minutes=30)
"""How long a message waits that a server was in trouble with; and one that may be what it fails at."""
_NOTHING = timedelta(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long what the other side puts off is tried.

    Attributes:
        keep_trying: from its first failure that was not ours.
        jitter: from 0 to 1, by chance, so that what was put off together does not come again together.
    """

    keep_trying: timedelta = timedelta(days=2)
    jitter: Callable[[], float] = float


@dataclass(frozen=True, slots=True, kw_only=True)
class Retry:
    """How a message is tried again that a server was in trouble with.

    Attributes:
        counts_attempt: the server takes others, so the message itself is at fault.
        follows_count: an attempt counted in this pass already, at another server; a pass counts one.
        is_immediate: it is due again at once: another server takes it, or all messages wait for this one.
        expires_by_clock: no outage delays the time at which it is given up.
    """

    counts_attempt: bool = False
    follows_count: bool = False
    is_immediate: bool = False
    expires_by_clock: bool = False


def mark(
    tx: Transaction,
    receipts: Sequence[tuple[Delivery, Receipt]],
    now: datetime,
    patience: Patience = Patience(),
    *,
    retries: Mapping[int, Retry] = MappingProxyType({}),
) -> None:
    """Keep what the other side answered, all of it in one statement.

    Args:
        tx: a writing transaction.
        receipts: of deliveries that were claimed; those that another has claimed since are left to it.
        now: the time.
        patience: with what is put off.
        retries: how those are tried again that a server was in trouble with, by delivery.
    """
    if not receipts:
        return
    sent, others = [], []
    for delivery, receipt in receipts:
        if isinstance(receipt, Sent):
            told = receipt.answer[:500]
            sent.append({"number": delivery.id, "held_by": delivery.token, "answer_now": told})
        else:
            changes = _after(delivery, receipt, now, patience)
            if isinstance(receipt, Deferred) and receipt.blame is Blame.OURS:
                retry = retries.get(delivery.id, Retry())
                count = _count_attempt if retry.counts_attempt else _leave_uncounted
                changes |= count(delivery, now, patience, retry)
            others.append(_row(delivery) | changes)
    if sent:
        run_for_each(tx, _marked_sent(tx.dialect.name), sent, {"now": as_kept(tx, now)})
    if others:
        tx.execute(_marked(), others)


def is_over(delivery: Delivery, receipt: Receipt, now: datetime, patience: Patience) -> bool:
    """Whether a receipt ends a delivery badly: it is refused, or given up."""
    match receipt:
        case Refused():
            return True
        case Deferred(blame=Blame.ADDRESS | Blame.DOMAIN):
            return _put_off_by_others(delivery, now, patience, receipt.wanted).get("new_state") == "expired"
        case _:
            return False


def _ours(number: ColumnElement[int], token: ColumnElement[int]) -> ColumnElement[bool]:
    """A lease that ended while we could not write is no harm as long as nobody has taken it over."""
    state = deliveries.c.state.in_([literal_column("'leased'"), literal_column("'ready'")])
    return and_(deliveries.c.id == number, deliveries.c.lease_token == token, state)


_DONE = {"lease_until": null(), "paced": false()}


@cache
def _marked_sent(database: str) -> Update:
    each = of_each(database, number=BigInteger(), held_by=BigInteger(), answer_now=Text())
    told = {"answer": each["answer_now"], "sent_at": bindparam("now")}
    ended: dict[str, Any] = {"state": literal_column("'sent'"), "blame": literal_column("''")}
    return update(deliveries).where(_ours(each["number"], each["held_by"])).values(_DONE | ended | told)


@cache
def _marked() -> Update:
    values: dict[str, Any] = {name: bindparam(f"new_{name}") for name in _MARKED}
    mine = _ours(bindparam("number"), bindparam("held_by"))
    return update(deliveries).where(mine).values(_DONE | values)


_MARKED = ("state", "due_at", "attempts", "unknown", "answer", "blame", "expires_at", "sent_at")


def _row(delivery: Delivery) -> dict[str, Any]:
    return {
        "number": delivery.id,
        "held_by": delivery.token,
        "new_state": "ready",
        "new_due_at": delivery.due_at,
        "new_attempts": delivery.attempts,
        "new_unknown": delivery.unknown,
        "new_blame": "",
        "new_expires_at": delivery.expires_at,
        "new_sent_at": None,
    }


def _after(
    delivery: Delivery, receipt: Refused | Unknown | Deferred, now: datetime, patience: Patience
) -> dict[str, Any]:
    """What a receipt changes, other than that of a message that was sent."""
    told: dict[str, Any] = {"new_answer": receipt.answer[:500]}
    match receipt:
        case Refused():
            return told | {"new_state": "refused", "new_blame": receipt.blame.value}
        case Unknown():
            again = now + unknown_pause(delivery.attempts, patience.jitter())
            state = {"new_state": "unknown"} if delivery.unknown >= MOST_UNKNOWN else {"new_due_at": again}
            return told | state | {"new_unknown": delivery.unknown + 1}
        case Deferred(blame=Blame.OURS):
            return told
        case Deferred():
            return (
                told
                | {"new_blame": receipt.blame.value}
                | _put_off_by_others(delivery, now, patience, receipt.wanted)
            )


def _put_off_by_others(
    delivery: Delivery, now: datetime, patience: Patience, wanted: timedelta | None
) -> dict[str, Any]:
    # What it waited beyond its time was our doing: we were not running, or could not send.
    late = max(now - delivery.due_at, _NOTHING)
    expires = delivery.expires_at + late if delivery.expires_at else now + patience.keep_trying
    if now >= expires:
        return {"new_state": "expired", "new_expires_at": expires}
    again = now + delivery_pause(delivery.attempts, patience.jitter())
    return {"new_expires_at": expires, "new_due_at": max(min(again, expires), now + (wanted or _NOTHING))}


def _leave_uncounted(delivery: Delivery, now: datetime, patience: Patience, retry: Retry) -> dict[str, Any]:
    """After trouble of our own it is a suspect and goes behind those that wait already; the attempt does not count."""
    attempts = delivery.attempts - 1
    pause = _AGAIN_SUSPECT if delivery.is_suspect else _AGAIN_OURS
    if retry.follows_count:  # the server that counted it wants its pause, too
        pause = max(pause, delivery_pause(max(attempts, 1), patience.jitter()))
    again = now if retry.is_immediate else now + pause
    is_our_delay = not (retry.follows_count or retry.expires_by_clock)
    late = max(again - delivery.due_at, _NOTHING) if is_our_delay else _NOTHING
    return {
        "new_blame": delivery.blame if delivery.blame == MESSAGE else Blame.OURS.value,
        "new_attempts": attempts,
        "new_due_at": again,
        "new_expires_at": delivery.expires_at and delivery.expires_at + late,
    }


def _count_attempt(delivery: Delivery, now: datetime, patience: Patience, retry: Retry) -> dict[str, Any]:
    """Where the server took others, the attempt counts; from the first such one on, time runs by the clock."""
    expires = delivery.expires_at or now + patience.keep_trying
    again = now if retry.is_immediate else now + delivery_pause(delivery.attempts, patience.jitter())
    due_at = min(again, expires) if now < expires else again
    return {"new_blame": MESSAGE, "new_due_at": due_at, "new_expires_at": expires}


def count_attempts(tx: Transaction, claimed: Sequence[Delivery], now: datetime, patience: Patience) -> None:
    """Count the attempts of deliveries that a server failed at, now that it took others after them.

    Args:
        tx: a writing transaction.
        claimed: as they were claimed; what was counted, or claimed by others, since then is left as it is.
        now: the time.
        patience: with what is put off.
    """
    if claimed:
        rows = [
            {
                "number": delivery.id,
                "held_by": delivery.token,
                "counted": delivery.attempts,
                "again": now + delivery_pause(delivery.attempts, patience.jitter()),
                "expires": now + patience.keep_trying,
            }
            for delivery in claimed
        ]
        tx.execute(_counted(), rows)


@cache
def _counted() -> Update:
    is_waiting = deliveries.c.state == literal_column("'ready'")
    is_same = (deliveries.c.id == bindparam("number")) & (deliveries.c.lease_token == bindparam("held_by"))
    is_uncounted = deliveries.c.attempts == bindparam("counted") - 1
    # The pause and the expiry that it has now may be later than those it was claimed with.
    again = bindparam("again", type_=deliveries.c.due_at.type)
    values: dict[str, Any] = {
        "blame": literal_column(f"'{MESSAGE}'"),
        "attempts": bindparam("counted"),
        "due_at": case((deliveries.c.due_at < again, again), else_=deliveries.c.due_at),
        "expires_at": func.coalesce(
            deliveries.c.expires_at, bindparam("expires", type_=deliveries.c.expires_at.type)
        ),
    }
    return update(deliveries).where(is_same, is_waiting, is_uncounted).values(values)
