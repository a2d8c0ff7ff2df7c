"""Retries: what an unsuccessful attempt does to a delivery, which ends or is due again later."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from digest.core.times.retry import compute_delivery_pause, compute_unknown_pause
from digest.model import BLAME_MESSAGE, Deferred, Delivery, Fault, Receipt, Refused, Unknown

MAX_UNKNOWN = 2
"""How often a message that may have arrived is sent again."""
_OUTAGE_RETRY_DELAY, _SUSPECT_RETRY_DELAY = timedelta(minutes=1), timedelta(minutes=30)
"""Delay of a message after an outage of its server, and of a message that may have caused the failure."""
_NO_DELAY = timedelta(0)
MAX_ANSWER = 500
"""Number of characters of a server's answer that are stored."""


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

    def compute_pause(self, attempts: int) -> timedelta:
        """Return the pause after a number of attempts."""
        return compute_delivery_pause(attempts, self.jitter())


DEFAULT_POLICY = RetryPolicy()
"""Two days, without jitter."""


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


def apply_receipt(
    delivery: Delivery,
    receipt: Refused | Unknown | Deferred,
    now: datetime,
    retry_policy: RetryPolicy,
    mode: RetryMode = RetryMode(),
) -> Delivery:
    """Return a claimed delivery after an unsuccessful attempt: ended, or ready to be tried again.

    Args:
        delivery: the delivery as it was claimed.
        receipt: what became of the attempt.
        now: the time, UTC.
        retry_policy: how deferred messages are retried.
        mode: how it is retried if the failure is on our side.
    """
    tried = delivery._replace(state="ready", answer=receipt.answer[:MAX_ANSWER], blame="")
    match receipt:
        case Refused():
            return tried._replace(state="refused", blame=receipt.fault.value)
        case Unknown():
            return _apply_unknown(tried, now, retry_policy)
        case Deferred(is_local=True):
            return _put_off(tried._replace(blame=delivery.blame), now, receipt.retry_after)
        case Deferred(fault=Fault.OURS):
            tried = tried._replace(blame=delivery.blame)
            defer = _count_attempt if mode.counts_attempt else _defer_uncounted
            return defer(tried, now, retry_policy, mode)
        case Deferred():
            tried = tried._replace(blame=receipt.fault.value)
            return _defer_for_recipient(tried, now, retry_policy, receipt.retry_after)


def is_failed(delivery: Delivery, receipt: Receipt, now: datetime, retry_policy: RetryPolicy) -> bool:
    """Whether a receipt ends a delivery without success, because it is refused or given up."""
    match receipt:
        case Refused():
            return True
        case Deferred(fault=Fault.ADDRESS | Fault.DOMAIN, is_local=False):
            return apply_receipt(delivery, receipt, now, retry_policy).state == "expired"
        case _:
            return False


def _put_off(delivery: Delivery, now: datetime, retry_after: timedelta | None) -> Delivery:
    """Put off a delivery that nobody was asked to accept: neither the attempt nor the delay counts."""
    retry_at = now + (retry_after or _OUTAGE_RETRY_DELAY)
    own_delay = max(retry_at - delivery.due_at, _NO_DELAY)
    return delivery._replace(
        attempts=delivery.attempts - 1,
        due_at=retry_at,
        expires_at=delivery.expires_at and delivery.expires_at + own_delay,
    )


def _apply_unknown(delivery: Delivery, now: datetime, retry_policy: RetryPolicy) -> Delivery:
    repeated = delivery._replace(unknown=delivery.unknown + 1)
    if delivery.unknown >= MAX_UNKNOWN:
        return repeated._replace(state="unknown")
    return repeated._replace(due_at=now + compute_unknown_pause(delivery.attempts, retry_policy.jitter()))


def _defer_for_recipient(
    delivery: Delivery, now: datetime, retry_policy: RetryPolicy, retry_after: timedelta | None
) -> Delivery:
    # A delay after its due time is ours, because we were not running or could not send; it extends the expiry.
    own_delay = max(now - delivery.due_at, _NO_DELAY)
    expires_at = delivery.expires_at + own_delay if delivery.expires_at else now + retry_policy.keep_trying
    if now >= expires_at:
        return delivery._replace(state="expired", expires_at=expires_at)
    retry_at = now + retry_policy.compute_pause(delivery.attempts)
    due_at = max(min(retry_at, expires_at), now + (retry_after or _NO_DELAY))
    return delivery._replace(expires_at=expires_at, due_at=due_at)


def _defer_uncounted(
    delivery: Delivery, now: datetime, retry_policy: RetryPolicy, mode: RetryMode
) -> Delivery:
    """Defer a message after a failure on our side; the attempt does not count.

    It becomes a suspect, and goes behind the messages that wait already.
    """
    attempts = delivery.attempts - 1
    pause = _SUSPECT_RETRY_DELAY if delivery.is_suspect else _OUTAGE_RETRY_DELAY
    if mode.is_already_counted:  # keep the pause of the attempt that was counted as well
        pause = max(pause, retry_policy.compute_pause(max(attempts, 1)))
    retry_at = now if mode.is_immediate else now + pause
    is_our_delay = not (mode.is_already_counted or mode.expires_by_clock)
    own_delay = max(retry_at - delivery.due_at, _NO_DELAY) if is_our_delay else _NO_DELAY
    return delivery._replace(
        blame=delivery.blame if delivery.is_faulty else Fault.OURS.value,
        attempts=attempts,
        due_at=retry_at,
        expires_at=delivery.expires_at and delivery.expires_at + own_delay,
        failed_at=min(delivery.failed_at or now, now),
    )


def _count_attempt(delivery: Delivery, now: datetime, retry_policy: RetryPolicy, mode: RetryMode) -> Delivery:
    """Defer a message that failed at a server which accepts others; the attempt counts, and the expiry is fixed."""
    expires_at = delivery.expires_at or now + retry_policy.keep_trying
    retry_at = now if mode.is_immediate else now + retry_policy.compute_pause(delivery.attempts)
    return delivery._replace(
        blame=BLAME_MESSAGE,
        due_at=min(retry_at, expires_at) if now < expires_at else retry_at,
        expires_at=expires_at,
        failed_at=now,
    )
