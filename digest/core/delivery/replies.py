"""Classification of a server's reply to a message: sent, deferred or refused, and whose fault it is.

The first matching rule decides. A rule examines the step, the code (RFC 5321, section 4.2), the enhanced
status code (RFC 3463; the registry of RFC 5248) and known wordings (``wordings``), which have priority over
codes. The address is at fault only if the reply clearly says that it is wrong, gone or full. Everything about
spam, reputation, authentication or our server is our fault, whatever its codes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from re import Pattern

from digest.core.delivery.wordings import FULL, REPUTATION, SIZE, Topic, detect_topic, extract_words
from digest.model import Deferred, Fault, Receipt, Refused, Sent, Unknown


class Step(StrEnum):
    """The step of a transaction that a reply answers."""

    MAIL = "MAIL"
    RCPT = "RCPT"
    DATA = "DATA"
    MESSAGE = "MESSAGE"
    """The final dot; after it, the server may have the message, whatever its reply."""


def derive_receipt(step: Step, code: int, text: str) -> Receipt:
    """Return the receipt for a reply that ends a message's transaction.

    It is any reply to the message itself, or a negative reply to an earlier command.

    Args:
        step: the step that it answers.
        code: its three digits.
        text: the rest of it, in one line.
    """
    answer = f"{code} {text}".strip()
    if step is Step.MESSAGE and code < 400:
        return Sent(answer=answer) if 200 <= code < 300 else Unknown(answer=answer)
    if not 400 <= code < 600:  # a positive reply at this point means that we are out of step with the server
        return Deferred(answer=answer, fault=Fault.OURS)
    reply_key, words, topic = f"{step} {code} {extract_status(text)}", extract_words(text), detect_topic(text)
    matching_rule = next(rule for rule in _RULES if rule.is_match(reply_key, words, topic))
    return matching_rule.receipt_type(answer=answer, fault=matching_rule.fault)


def extract_status(text: str) -> str:
    """Return the enhanced status code of a reply, which may follow its code or ``#``, or be at the end (qmail).

    Returns:
        "-" if there is none.
    """
    match = re.match(r"(?:[245]\d\d[ -])?#?([245]\.[0-7]\.\d{1,3})\b", text) or re.search(
        r"\(#([245]\.[0-7]\.\d{1,3})\)", text
    )
    return match[1] if match else "-"


# --- words ----------------------------------------------------------------------------------------

_OUR_QUOTA = r"sending (?:quota|limit|rate)|(?:daily|message) quota|relay limit"
_RECIPIENT_RATE = (
    r"(?:user|recipient|mailbox)\b.{0,60}\breceiv(?:ing|ed) (?:e?mail|too much)|unavailable or access denied"
)
_MAYBE_OUR_FAULT = r"sender|your (?:host|server)"
_MAYBE_GONE = (
    r"(?:user|mailbox|recipient|account|address|addressee|alias|local part|customer)s?\b.{0,40}"
    r"\b(?:unavailable|invalid|not valid|rejected\.?$)|address rejected\.?$|"
    r"(?:no|inactive|unrouteable|unroutable|disabled)"
    r" (?:local |virtual |such |e-?mail |destination )?(?:user|mailbox|recipient|account|address|alias|local part|person)"
)
"""Words that are about the address, unless a code says otherwise."""
_GREYLISTING = r"gr[ae]y-?list"
_RATE = r"too (?:many|much|fast|quickly)|throttl|\brate\b|limit|excessive|unusual|volume|busy|slow down|deferred due"
_SERVER_STORAGE = r"system (?:storage|resources)|disk (?:space|full)"


# --- rules ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _ReplyRule:
    """A rule for replies.

    Attributes:
        receipt_type: the class of the resulting receipt.
        fault: whose fault it is.
        key_pattern: matches the beginning of ``RCPT 550 5.1.1``, with ``-`` if there is no enhanced status
            code.
        word_pattern: is searched in the words of the reply.
        topic: the required topic of the words; None for any.
    """

    receipt_type: type[Deferred | Refused]
    fault: Fault
    key_pattern: Pattern[str]
    word_pattern: Pattern[str]
    topic: Topic | None

    def is_match(self, reply_key: str, words: str, topic: Topic | None) -> bool:
        """Return True if the rule applies to a reply."""
        is_topic_match = self.topic is None or self.topic is topic
        return is_topic_match and bool(self.key_pattern.match(reply_key) and self.word_pattern.search(words))


def _make_rule(
    receipt_type: type[Deferred | Refused],
    fault: Fault,
    key_pattern: str,
    word_pattern: str = "",
    *,
    topic: Topic | None = None,
) -> _ReplyRule:
    return _ReplyRule(receipt_type, fault, re.compile(rf"(?:{key_pattern})"), re.compile(word_pattern), topic)


_ANY_CODE, _TEMPORARY, _PERMANENT = r"\w+ \d+ ", r"\w+ 4\d\d ", r"\w+ 5\d\d "
_RULES = (
    # Errors of the connection, the login or the account (RFC 5321, 3.8; RFC 4954, 6; RFC 3207, 4; RFC 5248, 2.4).
    _make_rule(Deferred, Fault.OURS, r"\w+ (?:421|432|454|525|530|534|535|538) "),
    _make_rule(Deferred, Fault.OURS, _ANY_CODE, _OUR_QUOTA),
    # Too many messages at once for a recipient or a domain; some servers call this a permanent failure.
    _make_rule(Deferred, Fault.ADDRESS, _ANY_CODE, _RECIPIENT_RATE),
    _make_rule(Deferred, Fault.DOMAIN, _PERMANENT, r"frequency limit"),
    # A negative reply to MAIL cannot be about the recipient: it is about the message's size or form, or about us.
    _make_rule(Refused, Fault.OURS, r"MAIL 5\d\d 5\.(?:3\.4|2\.3|5\.\d|6\.\d)|MAIL (?:50\d|555) "),
    _make_rule(Refused, Fault.OURS, r"MAIL 5", SIZE),
    _make_rule(Deferred, Fault.OURS, r"MAIL "),
    # DATA is refused with these words after RCPT was refused, whose reply counts.
    _make_rule(Refused, Fault.OURS, r"DATA 5", r"no valid recipients"),
    # A full mailbox can be emptied, so it is always a temporary failure.
    _make_rule(Deferred, Fault.ADDRESS, rf"{_ANY_CODE}[245]\.2\.2$"),
    # --- permanent failures: first unambiguous words, then codes, then ambiguous words
    _make_rule(Refused, Fault.OURS, _PERMANENT, topic=Topic.SENDER),
    _make_rule(Refused, Fault.OURS, rf"{_PERMANENT}[245]\.(?:6\.|3\.4$|2\.3$|1\.[78]$)"),
    _make_rule(Refused, Fault.OURS, _PERMANENT, topic=Topic.SIZE),
    _make_rule(Deferred, Fault.ADDRESS, _PERMANENT, topic=Topic.FULL),
    _make_rule(Refused, Fault.ADDRESS, _PERMANENT, topic=Topic.TRANSIENT),
    _make_rule(Refused, Fault.ADDRESS, _PERMANENT, topic=Topic.NO_DOMAIN),
    _make_rule(Refused, Fault.ADDRESS, _PERMANENT, topic=Topic.NO_ADDRESS),
    _make_rule(Refused, Fault.OURS, rf"{_PERMANENT}[245]\.7\."),
    _make_rule(Refused, Fault.ADDRESS, rf"{_PERMANENT}[245]\.(?:1\.(?:[123469]|10)|2\.[14])$"),
    _make_rule(Refused, Fault.OURS, _PERMANENT, _MAYBE_OUR_FAULT),
    _make_rule(Refused, Fault.ADDRESS, _PERMANENT, topic=Topic.CLOSED),
    _make_rule(Refused, Fault.ADDRESS, _PERMANENT, _MAYBE_GONE),
    # 521 is sent by a host that never accepts mail (RFC 7504).
    _make_rule(Refused, Fault.ADDRESS, r"RCPT 521 [245]\.3\.2$"),
    # 551 and 553 are about the mailbox's name, 552 is about its storage (RFC 5321, 4.2.3), 556 about a domain that
    # accepts no mail (RFC 7504), X.1.0 and X.2.0 about an address, and X.4.Y about the route to it.
    _make_rule(Deferred, Fault.ADDRESS, r"\w+ 552 -"),
    _make_rule(Refused, Fault.ADDRESS, rf"RCPT (?:551|553|556) |{_PERMANENT}[245]\.(?:1\.0$|2\.0$|4\.)"),
    _make_rule(Refused, Fault.OURS, _PERMANENT),
    # --- temporary failures
    _make_rule(Deferred, Fault.ADDRESS, _TEMPORARY, _GREYLISTING),
    _make_rule(
        Deferred,
        Fault.OURS,
        _TEMPORARY,
        r"client host|reverse (?:hostname|dns)|\bhelo\b|\brelay|sender (?:address|verify)",
    ),
    _make_rule(Deferred, Fault.OURS, rf"{_TEMPORARY}[245]\.(?:3\.|1\.[78]$)"),
    _make_rule(Deferred, Fault.OURS, _TEMPORARY, _SERVER_STORAGE),
    _make_rule(Deferred, Fault.DOMAIN, rf"{_TEMPORARY}[245]\.7\."),
    _make_rule(Deferred, Fault.ADDRESS, rf"{_TEMPORARY}[245]\.[12]\."),
    _make_rule(Deferred, Fault.ADDRESS, _TEMPORARY, FULL),
    _make_rule(Deferred, Fault.OURS, _TEMPORARY, r"time-?d? ?out"),
    _make_rule(Deferred, Fault.DOMAIN, rf"{_TEMPORARY}[245]\.4\."),
    _make_rule(Deferred, Fault.DOMAIN, _TEMPORARY, f"{_RATE}|{REPUTATION}"),
    _make_rule(Deferred, Fault.ADDRESS, _TEMPORARY),
)
