"""What a bounce says of an address, and what follows from several: when it rests, when nothing goes there any more.

A reply, a delivery status notification and a provider's request are all judged by the rules of ``replies``: whose
fault it is; here is added how much it says of the address (RFC 3463 and the registry of RFC 5248). Only what says clearly
that there is no such address, or says twice that it is closed, ends in a suppression; whatever may pass by itself makes it
rest at most, and what blames us does nothing to it.
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
"""Bad mailbox, system, syntax, moved without an address, null MX (RFC 3463, section 3.2; RFC 7505, section 4)."""
_CLOSED_STATUS = re.compile(r"[245]\.(?:1\.[1-9]\d*|2\.[1-9]\d*)")
"""An address or a mailbox that something else than its name is wrong with."""
_ROUTING_STATUS, _SYSTEM_STATUS = re.compile(r"[245]\.4\.\d+"), re.compile(r"[245]\.3\.\d+")


def derive_bounce_class(receipt: Receipt) -> BounceClass:
    """What it says of an address that a message to it ended so."""
    if not isinstance(receipt, Refused | Deferred):
        return BounceClass.NOTHING
    status = extract_status(receipt.answer)
    if isinstance(receipt, Refused) and receipt.fault is Fault.ADDRESS:
        return _derive_refusal_class(status, receipt.answer)
    if receipt.fault is Fault.ADDRESS:
        return BounceClass.SOFT
    is_our_fault = receipt.fault is Fault.OURS
    # Who had taken it for us could not find a way on, or gave up after days: no fault of ours.
    if _ROUTING_STATUS.fullmatch(status) and receipt.answer.startswith("4"):
        return BounceClass.SOFT
    if _SYSTEM_STATUS.fullmatch(status) and not status.endswith(".3.4"):
        return BounceClass.DOMAIN
    return BounceClass.OURS if is_our_fault else BounceClass.DOMAIN


def _derive_refusal_class(status: str, answer: str) -> BounceClass:
    """How final a refusal is that is about the address: by its words, and by its status where they do not say."""
    topic, is_gone = detect_topic(answer), bool(_GONE_STATUS.fullmatch(status))
    if topic is Topic.TRANSIENT or is_temporary(answer):
        return BounceClass.SOFT
    if topic is Topic.NO_DOMAIN:  # one that lapsed is often renewed within days
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
    """What a delivery status says (RFC 3464, sections 2.3.4 and 2.3.6).

    Args:
        status: its ``Status`` field, or "".
        diagnostic: its ``Diagnostic-Code`` field without the type, or words that stand in its place.
        step: what was refused, if that is known.

    Returns:
        The finding, the enhanced status code or "", and what was said.
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
    if own_status.startswith("4") and code >= 500:  # given up after days, says who had it last
        code = 450
    receipt = derive_receipt(step, code, text)
    status = own_status if inner_status == "-" else inner_status
    says_nothing = (
        not reply and (not own_status or own_status.endswith(".0.0")) and detect_topic(diagnosis) is None
    )
    if says_nothing and isinstance(receipt, Refused) and receipt.fault is Fault.OURS:
        return BounceClass.SOFT, status, diagnosis or own_status  # it came back, and nobody says why
    return derive_bounce_class(receipt), status, diagnosis or own_status


_MAX_LENGTH = 2_000
"""Characters of a diagnosis that are looked at."""
_REPLY = re.compile(r"(?<![\d.#-])([45]\d\d)(?=[ -]|$)[ -]?")
_STATUS = re.compile(r"[245]\.\d{1,3}\.\d{1,3}")


# --- several --------------------------------------------------------------------------------------


class AddressStatus(StrEnum):
    """What becomes of an address."""

    ACTIVE = "goes on"
    SUSPENDED = "rests"
    SUPPRESSED = "suppressed"


@dataclass(frozen=True, slots=True, kw_only=True)
class BounceScore:
    """How an address stands.

    Attributes:
        bounces: soft ones that count now: each later message that stood takes one away, and so does time.
        days: on how many days they were.
    """

    bounces: int
    days: int


SUSPENSION_BOUNCES, SUSPENSION_DAYS = 5, 3
"""An address rests from so many soft bounces on so many days on."""
BOUNCE_LIFETIME = timedelta(days=14)
"""How long a soft bounce counts."""
DELIVERED_AFTER = timedelta(days=6)
"""A message that was taken so long ago and did not come back has arrived: servers try for five days."""
SUSPENSION_PERIOD = timedelta(days=7)
CLOSED_PERIOD = timedelta(days=30)
"""An address that is said to be closed on two days within this time is gone."""

BounceMark = tuple[datetime, BounceClass]
"""A bounce, and when it was."""


def score_bounces(
    marks: Sequence[BounceMark], delivered_at: Sequence[datetime], now: datetime
) -> BounceScore:
    """How an address stands.

    Args:
        marks: its bounces that nobody forgave.
        delivered_at: when messages went to it that did not come back.
        now: the time.
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
    """What becomes of an address after a bounce.

    Args:
        bounce_class: what that says.
        marks: its bounces that nobody forgave, this one too.
        delivered_at: when messages went to it that did not come back.
        now: the time.
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
