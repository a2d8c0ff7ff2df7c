"""Class of a bounce, and the status of an address after several: active, suspended or suppressed.

Replies, delivery status notifications and providers' requests are all classified by the rules of ``replies``,
which say whose fault it is. This module adds what that means for the address (RFC 3463 and the registry of
RFC 5248). An address is suppressed if a bounce clearly says that it does not exist, or if it is said to be
closed on two days. It is at most suspended for anything that may pass. Bounces that are our fault have no
effect.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum

from digest.core.delivery.replies import Step, derive_receipt, extract_status
from digest.core.delivery.wordings import Topic, detect_topic, is_temporary
from digest.model import BounceClass, Deferred, Fault, Receipt, Refused

# --- one bounce -----------------------------------------------------------------------------------

_GONE_STATUS = re.compile(r"[245]\.1\.(?:[1236]|10)")
"""Bad mailbox, system or syntax, moved without a new address, null MX (RFC 3463, section 3.2; RFC 7505, section 4)."""
_CLOSED_STATUS = re.compile(r"[245]\.(?:1\.[1-9]\d*|2\.[1-9]\d*)")
"""Other problems of an address or mailbox than its name."""
_ROUTING_STATUS, _SYSTEM_STATUS = re.compile(r"[245]\.4\.\d+"), re.compile(r"[245]\.3\.\d+")


def derive_bounce_class(receipt: Receipt) -> BounceClass:
    """Return what the result of a delivery says about the address."""
    if not isinstance(receipt, Refused | Deferred):
        return BounceClass.NOTHING
    status = extract_status(receipt.answer)
    if isinstance(receipt, Refused) and receipt.fault is Fault.ADDRESS:
        return _derive_refusal_class(status, receipt.answer)
    if receipt.fault is Fault.ADDRESS:
        return BounceClass.SOFT
    is_our_fault = receipt.fault is Fault.OURS
    # A server that had accepted the message found no route, or gave up after days, which is not our fault.
    if _ROUTING_STATUS.fullmatch(status) and receipt.answer.startswith("4"):
        return BounceClass.SOFT
    if _SYSTEM_STATUS.fullmatch(status) and not status.endswith(".3.4"):
        return BounceClass.DOMAIN
    return BounceClass.OURS if is_our_fault else BounceClass.DOMAIN


def _derive_refusal_class(status: str, answer: str) -> BounceClass:
    """Return the class of a refusal that is about the address: from its words, or else from its status."""
    topic, is_gone = detect_topic(answer), bool(_GONE_STATUS.fullmatch(status))
    if topic is Topic.TRANSIENT or is_temporary(answer):
        return BounceClass.SOFT
    if topic is Topic.NO_DOMAIN:  # a lapsed domain is often renewed within days
        return BounceClass.GONE if is_gone else BounceClass.CLOSED
    if topic is Topic.CLOSED:
        return BounceClass.CLOSED
    if topic is Topic.NO_ADDRESS:
        return BounceClass.CLOSED if _CLOSED_STATUS.fullmatch(status) and not is_gone else BounceClass.GONE
    if is_gone:
        return BounceClass.GONE
    if _ROUTING_STATUS.fullmatch(status):
        return BounceClass.CLOSED if "recipient address rejected" in answer.lower() else BounceClass.SOFT
    return BounceClass.CLOSED


def parse_bounce(status: str, diagnostic: str, step: Step = Step.RCPT) -> tuple[BounceClass, str, str]:
    """Parse a delivery status (RFC 3464, sections 2.3.4 and 2.3.6).

    Args:
        status: its ``Status`` field, or "".
        diagnostic: its ``Diagnostic-Code`` field without the type, or other words of explanation.
        step: the step that was refused, if it is known.

    Returns:
        The class, the enhanced status code or "", and the words.
    """
    diagnosis = " ".join(diagnostic[:_MAX_LENGTH].split())
    reply = _REPLY.search(diagnosis)
    code, text = (int(reply[1]), diagnosis[reply.end() :].strip()) if reply else (0, diagnosis)
    status_match = _STATUS.match(status.strip())
    own_status = status_match[0] if status_match else ""
    if not code:
        code = 450 if own_status.startswith("4") else 550
    inner_status = extract_status(text)
    if inner_status == "-" and own_status and not own_status.endswith(".0.0"):
        text, inner_status = f"{own_status} {text}".strip(), own_status
    if own_status.startswith("4") and code >= 500:  # the last server gave up after days of retries
        code = 450
    receipt = derive_receipt(step, code, text)
    status = own_status if inner_status == "-" else inner_status
    says_nothing = (
        not reply and (not own_status or own_status.endswith(".0.0")) and detect_topic(diagnosis) is None
    )
    if says_nothing and isinstance(receipt, Refused) and receipt.fault is Fault.OURS:
        return BounceClass.SOFT, status, diagnosis or own_status  # it was returned without a reason
    return derive_bounce_class(receipt), status, diagnosis or own_status


_MAX_LENGTH = 2_000
"""Maximum number of characters of a diagnostic that are parsed."""
_REPLY = re.compile(r"(?<![\d.#-])([45]\d\d)(?=[ -]|$)[ -]?")
_STATUS = re.compile(r"[245]\.\d{1,3}\.\d{1,3}")


# --- several bounces ------------------------------------------------------------------------------


class AddressStatus(StrEnum):
    """What happens to an address."""

    ACTIVE = "goes on"
    SUSPENDED = "rests"
    SUPPRESSED = "suppressed"


@dataclass(frozen=True, slots=True, kw_only=True)
class BounceScore:
    """The soft bounces of an address.

    Attributes:
        bounces: number of soft bounces that count now; each later delivered message cancels one, and they
            expire.
        days: number of days on which they occurred.
    """

    bounces: int
    days: int


SUSPENSION_BOUNCES, SUSPENSION_DAYS = 5, 3
"""Minimum number of soft bounces, and of days on which they occur, that suspend an address."""
BOUNCE_LIFETIME = timedelta(days=14)
"""Time for which a soft bounce counts."""
DELIVERED_AFTER = timedelta(days=6)
"""Time after which a message without a bounce counts as delivered; servers retry for five days."""
SUSPENSION_PERIOD = timedelta(days=7)
CLOSED_PERIOD = timedelta(days=30)
"""Maximum time between two reports, on different days, that an address is closed: it then counts as gone."""

BounceMark = tuple[datetime, BounceClass]
"""Time and class of a bounce."""


def score_bounces(
    marks: Sequence[BounceMark], delivered_at: Sequence[datetime], now: datetime
) -> BounceScore:
    """Return the score of an address.

    Args:
        marks: its bounces that were not forgiven.
        delivered_at: when messages were sent to it that did not bounce.
        now: the current time.
    """
    since = now - BOUNCE_LIFETIME
    events = [(at, True) for at, bounce_class in marks if bounce_class is BounceClass.SOFT and at > since]
    events += [(at, False) for at in delivered_at if since < at <= now - DELIVERED_AFTER]
    counted_days: list[date] = []
    for at, is_bounce in sorted(events):
        if is_bounce:
            counted_days.append(at.date())
        elif counted_days:
            counted_days.pop(0)
    return BounceScore(bounces=len(counted_days), days=len(set(counted_days)))


def decide_status(
    bounce_class: BounceClass, marks: Sequence[BounceMark], delivered_at: Sequence[datetime], now: datetime
) -> AddressStatus:
    """Return the status of an address after a bounce.

    Args:
        bounce_class: the class of the bounce.
        marks: the bounces of the address that were not forgiven, including this one.
        delivered_at: when messages were sent to it that did not bounce.
        now: the current time.
    """
    if bounce_class is BounceClass.GONE:
        return AddressStatus.SUPPRESSED
    if bounce_class is BounceClass.CLOSED:
        since = now - CLOSED_PERIOD
        days = {at.date() for at, marked_class in marks if marked_class is BounceClass.CLOSED and at > since}
        return AddressStatus.SUPPRESSED if len(days) > 1 else AddressStatus.ACTIVE
    score = score_bounces(marks, delivered_at, now)
    is_suspended = (
        bounce_class is BounceClass.SOFT
        and score.bounces >= SUSPENSION_BOUNCES
        and score.days >= SUSPENSION_DAYS
    )
    return AddressStatus.SUSPENDED if is_suspended else AddressStatus.ACTIVE
