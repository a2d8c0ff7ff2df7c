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

from digest.core.delivery.replies import Step, judged, status_of
from digest.core.delivery.wordings import Topic, says_later, topic_of
from digest.model import Blame, Deferred, Finding, Receipt, Refused

# --- one bounce -----------------------------------------------------------------------------------

_GONE = re.compile(r"[245]\.1\.(?:[1236]|10)")
"""Bad mailbox, system, syntax, moved without an address, null MX (RFC 3463, section 3.2; RFC 7505, section 4)."""
_SAYS_CLOSED = re.compile(r"[245]\.(?:1\.[1-9]\d*|2\.[1-9]\d*)")
"""An address or a mailbox that something else than its name is wrong with."""
_ROUTING, _THEIR_SYSTEM = re.compile(r"[245]\.4\.\d+"), re.compile(r"[245]\.3\.\d+")


def finding_of(receipt: Receipt) -> Finding:
    """What it says of an address that a message to it ended so."""
    if not isinstance(receipt, Refused | Deferred):
        return Finding.NOTHING
    status = status_of(receipt.answer)
    if isinstance(receipt, Refused) and receipt.blame is Blame.ADDRESS:
        return _never(status, receipt.answer)
    if receipt.blame is Blame.ADDRESS:
        return Finding.SOFT
    by_us = receipt.blame is Blame.OURS
    # Who had taken it for us could not find a way on, or gave up after days: no fault of ours.
    if _ROUTING.fullmatch(status) and receipt.answer.startswith("4"):
        return Finding.SOFT
    if _THEIR_SYSTEM.fullmatch(status) and not status.endswith(".3.4"):
        return Finding.DOMAIN
    return Finding.OURS if by_us else Finding.DOMAIN


def _never(status: str, answer: str) -> Finding:
    """How final a refusal is that is about the address: by its words, and by its status where they do not say."""
    topic, is_gone = topic_of(answer), bool(_GONE.fullmatch(status))
    if topic is Topic.PASSING or says_later(answer):
        return Finding.SOFT
    if topic is Topic.NO_DOMAIN:  # one that lapsed is often renewed within days
        return Finding.GONE if is_gone else Finding.CLOSED
    if topic is Topic.CLOSED:
        return Finding.CLOSED
    if topic is Topic.NO_ADDRESS:
        return Finding.CLOSED if _SAYS_CLOSED.fullmatch(status) and not is_gone else Finding.GONE
    if is_gone:
        return Finding.GONE
    if _ROUTING.fullmatch(status):
        return Finding.CLOSED if "recipient address rejected" in answer.lower() else Finding.SOFT
    return Finding.CLOSED


def bounce(status: str, diagnostic: str, step: Step = Step.RCPT) -> tuple[Finding, str, str]:
    """What a delivery status says (RFC 3464, sections 2.3.4 and 2.3.6).

    Args:
        status: its ``Status`` field, or "".
        diagnostic: its ``Diagnostic-Code`` field without the type, or words that stand in its place.
        step: what was refused, if that is known.

    Returns:
        The finding, the enhanced status code or "", and what was said.
    """
    said = " ".join(diagnostic[:_LONGEST].split())
    found = _REPLY.search(said)
    code, text = (int(found[1]), said[found.end() :].strip()) if found else (0, said)
    told = _STATUS.match(status.strip())
    own = told[0] if told else ""
    if not code:
        code = 450 if own.startswith("4") else 550
    inner = status_of(text)
    if inner == "-" and own and not own.endswith(".0.0"):
        text, inner = f"{own} {text}".strip(), own
    if own.startswith("4") and code >= 500:  # given up after days, says who had it last
        code = 450
    receipt = judged(step, code, text)
    status = own if inner == "-" else inner
    says_nothing = not found and (not own or own.endswith(".0.0")) and topic_of(said) is None
    if says_nothing and isinstance(receipt, Refused) and receipt.blame is Blame.OURS:
        return Finding.SOFT, status, said or own  # it came back, and nobody says why
    return finding_of(receipt), status, said or own


_LONGEST = 2_000
"""Characters of a diagnosis that are looked at."""
_REPLY = re.compile(r"(?<![\d.#-])([45]\d\d)(?=[ -]|$)[ -]?")
_STATUS = re.compile(r"[245]\.\d{1,3}\.\d{1,3}")


# --- several --------------------------------------------------------------------------------------


class Fate(StrEnum):
    """What becomes of an address."""

    GOES_ON = "goes on"
    RESTS = "rests"
    SUPPRESSED = "suppressed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """How an address stands.

    Attributes:
        bounces: soft ones that count now: each later message that stood takes one away, and so does time.
        days: on how many days they were.
    """

    bounces: int
    days: int


MOST_BOUNCES, LEAST_DAYS = 5, 3
"""An address rests from so many soft bounces on so many days on."""
COUNTS_FOR = timedelta(days=14)
"""How long a soft bounce counts."""
STANDS_AFTER = timedelta(days=6)
"""A message that was taken so long ago and did not come back has arrived: servers try for five days."""
RESTS_FOR = timedelta(days=7)
CLOSED_WITHIN = timedelta(days=30)
"""An address that is said to be closed on two days within this time is gone."""

Mark = tuple[datetime, Finding]
"""A bounce, and when it was."""


def score(marks: Sequence[Mark], stood: Sequence[datetime], now: datetime) -> Score:
    """How an address stands.

    Args:
        marks: its bounces that nobody forgave.
        stood: when messages went to it that did not come back.
        now: the time.
    """
    since = now - COUNTS_FOR
    told = [(at, True) for at, finding in marks if finding is Finding.SOFT and at > since]
    told += [(at, False) for at in stood if since < at <= now - STANDS_AFTER]
    counting: list[date] = []
    for at, bounced in sorted(told):
        if bounced:
            counting.append(at.date())
        elif counting:
            counting.pop(0)
    return Score(bounces=len(counting), days=len(set(counting)))


def fate(last: Finding, marks: Sequence[Mark], stood: Sequence[datetime], now: datetime) -> Fate:
    """What becomes of an address after a bounce.

    Args:
        last: what that says.
        marks: its bounces that nobody forgave, this one too.
        stood: when messages went to it that did not come back.
        now: the time.
    """
    if last is Finding.GONE:
        return Fate.SUPPRESSED
    if last is Finding.CLOSED:
        since = now - CLOSED_WITHIN
        days = {at.date() for at, finding in marks if finding is Finding.CLOSED and at > since}
        return Fate.SUPPRESSED if len(days) > 1 else Fate.GOES_ON
    standing = score(marks, stood, now)
    rests = last is Finding.SOFT and standing.bounces >= MOST_BOUNCES and standing.days >= LEAST_DAYS
    return Fate.RESTS if rests else Fate.GOES_ON
