"""What a server's reply means for one message: taken, later, never; and whose fault it is.

Decided by the first rule that fits; a rule looks at the step, the code (RFC 5321, section 4.2), the enhanced
status code (RFC 3463; the registry of RFC 5248) and words that servers are known to use (``wordings``). The words decide
over the codes. Nobody is blamed for what is not clearly said of them: a reader only where the address is said to be
wrong, gone or full; all that speaks of spam, reputation, authentication or our server is ours, whatever its numbers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from re import Pattern

from digest.core.delivery.wordings import FULL, REPUTATION, SIZE, Topic, topic_of, words_of
from digest.model import Blame, Deferred, Receipt, Refused, Sent, Unknown


class Step(StrEnum):
    """What a reply answers."""

    MAIL = "MAIL"
    RCPT = "RCPT"
    DATA = "DATA"
    MESSAGE = "MESSAGE"
    """The final dot: after it, the server may have the message whatever it says."""


def judged(step: Step, code: int, text: str) -> Receipt:
    """The receipt for a reply that ends a message's transaction: any to the message itself, else a no.

    Args:
        step: what it answers.
        code: its three digits.
        text: the rest of it, all lines in one.
    """
    answer = f"{code} {text}".strip()
    if step is Step.MESSAGE and code < 400:
        return Sent(answer=answer) if 200 <= code < 300 else Unknown(answer=answer)
    if not 400 <= code < 600:  # a yes that is none: we and the server are not at the same place
        return Deferred(answer=answer, blame=Blame.OURS)
    number, words, topic = f"{step} {code} {status_of(text)}", words_of(text), topic_of(text)
    fitting = next(rule for rule in _RULES if rule.fits(number, words, topic))
    return fitting.kind(answer=answer, blame=fitting.blame)


def status_of(text: str) -> str:
    """The enhanced status code of a reply, with or without its code; some write ``#`` before it, qmail writes it behind.

    Returns:
        "-" if there is none.
    """
    found = re.match(r"(?:[245]\d\d[ -])?#?([245]\.[0-7]\.\d{1,3})\b", text) or re.search(
        r"\(#([245]\.[0-7]\.\d{1,3})\)", text
    )
    return found[1] if found else "-"


# --- words ----------------------------------------------------------------------------------------

_OUR_QUOTA = r"sending (?:quota|limit|rate)|(?:daily|message) quota|relay limit"
_TOO_MUCH_FOR_ONE = (
    r"(?:user|recipient|mailbox)\b.{0,60}\breceiv(?:ing|ed) (?:e?mail|too much)|unavailable or access denied"
)
_VAGUELY_ABOUT_US = r"sender|your (?:host|server)"
_VAGUELY_GONE = (
    r"(?:user|mailbox|recipient|account|address|addressee|alias|local part|customer)s?\b.{0,40}"
    r"\b(?:unavailable|invalid|not valid|rejected\.?$)|address rejected\.?$|"
    r"(?:no|inactive|unrouteable|unroutable|disabled)"
    r" (?:local |virtual |such |e-?mail |destination )?(?:user|mailbox|recipient|account|address|alias|local part|person)"
)
"""What is only believed of an address where no code says otherwise."""
_LATER_FOR_STRANGERS = r"gr[ae]y-?list"
_RATE = r"too (?:many|much|fast|quickly)|throttl|\brate\b|limit|excessive|unusual|volume|busy|slow down|deferred due"
_OUR_MACHINE = r"system (?:storage|resources)|disk (?:space|full)"


# --- rules ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Rule:
    """What to make of replies.

    Attributes:
        number: fits the beginning of ``RCPT 550 5.1.1``, with ``-`` where there is no enhanced status code.
        words: is found in what is said.
        topic: what that is about; None where the rule does not ask.
    """

    kind: type[Deferred | Refused]
    blame: Blame
    number: Pattern[str]
    words: Pattern[str]
    topic: Topic | None

    def fits(self, number: str, words: str, topic: Topic | None) -> bool:
        """Whether the rule decides about a reply."""
        about = self.topic is None or self.topic is topic
        return about and bool(self.number.match(number) and self.words.search(words))


def _rule(
    kind: type[Deferred | Refused],
    blame: Blame,
    number: str,
    words: str = "",
    *,
    topic: Topic | None = None,
) -> _Rule:
    return _Rule(kind, blame, re.compile(rf"(?:{number})"), re.compile(words), topic)


_ANY, _NOW, _NO = r"\w+ \d+ ", r"\w+ 4\d\d ", r"\w+ 5\d\d "
_RULES = (
    # The connection, the login, the account (RFC 5321, 3.8; RFC 4954, 6; RFC 3207, 4; RFC 5248, 2.4).
    _rule(Deferred, Blame.OURS, r"\w+ (?:421|432|454|525|530|534|535|538) "),
    _rule(Deferred, Blame.OURS, _ANY, _OUR_QUOTA),
    # Too much at once, for one recipient or for all of a domain, whether it is said as "later" or as "never".
    _rule(Deferred, Blame.ADDRESS, _ANY, _TOO_MUCH_FOR_ONE),
    _rule(Deferred, Blame.DOMAIN, _NO, r"frequency limit"),
    # A no to MAIL cannot be about the recipient: about the message if it is its size or form, else about us.
    _rule(Refused, Blame.OURS, r"MAIL 5\d\d 5\.(?:3\.4|2\.3|5\.\d|6\.\d)|MAIL (?:50\d|555) "),
    _rule(Refused, Blame.OURS, r"MAIL 5", SIZE),
    _rule(Deferred, Blame.OURS, r"MAIL "),
    # DATA is answered so where RCPT was refused: what that said is what counts.
    _rule(Refused, Blame.OURS, r"DATA 5", r"no valid recipients"),
    # A full mailbox can be emptied, so it is never more than a "later".
    _rule(Deferred, Blame.ADDRESS, rf"{_ANY}[245]\.2\.2$"),
    # --- never: first what the words say beyond doubt, then what the codes say, then what is only hinted at
    _rule(Refused, Blame.OURS, _NO, topic=Topic.SENDER),
    _rule(Refused, Blame.OURS, rf"{_NO}[245]\.(?:6\.|3\.4$|2\.3$|1\.[78]$)"),
    _rule(Refused, Blame.OURS, _NO, topic=Topic.SIZE),
    _rule(Deferred, Blame.ADDRESS, _NO, topic=Topic.FULL),
    _rule(Refused, Blame.ADDRESS, _NO, topic=Topic.PASSING),
    _rule(Refused, Blame.ADDRESS, _NO, topic=Topic.NO_DOMAIN),
    _rule(Refused, Blame.ADDRESS, _NO, topic=Topic.NO_ADDRESS),
    _rule(Refused, Blame.OURS, rf"{_NO}[245]\.7\."),
    _rule(Refused, Blame.ADDRESS, rf"{_NO}[245]\.(?:1\.(?:[123469]|10)|2\.[14])$"),
    _rule(Refused, Blame.OURS, _NO, _VAGUELY_ABOUT_US),
    _rule(Refused, Blame.ADDRESS, _NO, topic=Topic.CLOSED),
    _rule(Refused, Blame.ADDRESS, _NO, _VAGUELY_GONE),
    # 521 of a host that never takes mail (RFC 7504).
    _rule(Refused, Blame.ADDRESS, r"RCPT 521 [245]\.3\.2$"),
    # 551 and 553 speak of the mailbox's name, 552 of its storage (RFC 5321, 4.2.3); 556 of a domain without
    # mail (RFC 7504); X.1.0 and X.2.0 of an address and X.4.Y of the way to it.
    _rule(Deferred, Blame.ADDRESS, r"\w+ 552 -"),
    _rule(Refused, Blame.ADDRESS, rf"RCPT (?:551|553|556) |{_NO}[245]\.(?:1\.0$|2\.0$|4\.)"),
    _rule(Refused, Blame.OURS, _NO),
    # --- later
    _rule(Deferred, Blame.ADDRESS, _NOW, _LATER_FOR_STRANGERS),
    _rule(
        Deferred,
        Blame.OURS,
        _NOW,
        r"client host|reverse (?:hostname|dns)|\bhelo\b|\brelay|sender (?:address|verify)",
    ),
    _rule(Deferred, Blame.OURS, rf"{_NOW}[245]\.(?:3\.|1\.[78]$)"),
    _rule(Deferred, Blame.OURS, _NOW, _OUR_MACHINE),
    _rule(Deferred, Blame.DOMAIN, rf"{_NOW}[245]\.7\."),
    _rule(Deferred, Blame.ADDRESS, rf"{_NOW}[245]\.[12]\."),
    _rule(Deferred, Blame.ADDRESS, _NOW, FULL),
    _rule(Deferred, Blame.OURS, _NOW, r"time-?d? ?out"),
    _rule(Deferred, Blame.DOMAIN, rf"{_NOW}[245]\.4\."),
    _rule(Deferred, Blame.DOMAIN, _NOW, f"{_RATE}|{REPUTATION}"),
    _rule(Deferred, Blame.ADDRESS, _NOW),
)
