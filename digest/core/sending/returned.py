"""Reads mail that came back: delivery status notifications, complaints, and what older servers write in their own words.

RFC 3464 (delivery status), RFC 5965 (complaints), RFC 3834 (what machines answer). Anything can come to an address that
mails are sent from, so nothing here is believed: it is only said what a mail says, and by which clues it may be about
one of ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import Message
from email.utils import parsedate_to_datetime

from digest.core.sending.bounces import bounce
from digest.model import Clues, Finding, Report

_MOST_PARTS = 50
_MOST_CLUES = 50
_LONGEST_ANSWER, _LONGEST_FIELD, _LONGEST_HEADER, _LONGEST_TEXT = 500, 2_000, 10_000, 20_000
"""Characters that are looked at: patterns take long on what is made for that."""
_ADDRESS = re.compile(r"[^\s<>()\[\],;:\"@]{1,64}@[^\s<>()\[\],;:\"@]{1,255}")
_TO = ("Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To", "X-Delivered-To", "To", "Cc")
"""Where servers write whom a mail came to; the first is the surest."""

_FROM_SYSTEM = re.compile(
    r"mailer-?daemon|postmaster|mail delivery|mailerdaemon|no-?reply-?bounce", re.IGNORECASE
)
_RETURNED = re.compile(
    r"undeliver|not deliver|delivery (?:status|fail|report|problem|has failed|notification)|returned mail|return(?:ed|ing) to sender|"
    r"failure notice|mail (?:delivery )?fail|delivery to .* (?:failed|delayed)|message (?:could not be|not) delivered|"
    r"unzustellbar|mail system error|non remis",
    re.IGNORECASE,
)
_DELAYED = re.compile(
    r"\bdelay|warning|will (?:keep|continue) (?:re)?try|still being|verzögert", re.IGNORECASE
)
_NO_COMPLAINT = {
    "not-spam": Finding.NOTHING,
    "auth-failure": Finding.OURS,
    "virus": Finding.OURS,
    "dmarc": Finding.OURS,
}
"""Reports of RFC 5965 and RFC 6591 that no reader made; every other type is one of a reader."""


def read_returned(content: bytes) -> Report:
    """What a mail says that came to an address of ours.

    Args:
        content: the whole mail, or its beginning.
    """
    message = message_from_bytes(content)
    parts = list(_parts(message))
    report = _complaint(message, parts) or _status(parts) or _in_words(message, parts) or _NOTHING
    clues = _clues(message, content, report.clues)
    answer = "".join(sign if sign.isprintable() else " " for sign in report.answer)
    return replace(report, clues=clues, answer=answer[:_LONGEST_ANSWER].strip(), at=_date(message))


_NOTHING = Report(finding=Finding.NOTHING)


def _parts(message: Message) -> Iterator[Message]:
    for number, part in enumerate(message.walk()):
        if number == _MOST_PARTS:
            return
        yield part


def _header(message: Message, name: str) -> str:
    value = message.get(name)
    return "" if value is None else " ".join(str(value)[:_LONGEST_HEADER].split())[:_LONGEST_FIELD]


def _addresses(value: str) -> list[str]:
    """The addresses in a header, whatever else is there; the library's reader can be led into a deep recursion."""
    return _ADDRESS.findall(value[:_LONGEST_HEADER])[:_MOST_CLUES]


def _date(message: Message) -> datetime | None:
    try:
        at = parsedate_to_datetime(_header(message, "Date")[:100])
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at


# --- complaints -----------------------------------------------------------------------------------


def _complaint(message: Message, parts: list[Message]) -> Report | None:
    """A report of RFC 5965; or, as Outlook.com sends them, a mail of ours with whom it was to in its header."""
    for part in parts:
        if part.get_content_type() == "message/feedback-report":
            fields = _fields(part)
            kind = fields.get("feedback-type", "").lower()
            finding = _NO_COMPLAINT.get(kind, Finding.COMPLAINT)
            recipients = tuple(filter(None, (fields.get("original-rcpt-to", "").strip("<>"),)))
            said = f"a report of {kind or 'abuse'} by {fields.get('user-agent') or _header(message, 'From')}"
            senders = (fields.get("original-mail-from", "").strip("<>"),)
            return Report(finding=finding, answer=said, clues=Clues(recipients=recipients, senders=senders))
        if recipient := _header(part, "X-HmXmrOriginalRecipient"):
            said = f"a complaint by {_header(message, 'From')}"
            return Report(finding=Finding.COMPLAINT, answer=said, clues=Clues(recipients=(recipient,)))
    return None


def _fields(part: Message) -> dict[str, str]:
    """The fields of a part that is made of them."""
    return {
        name.lower(): " ".join(str(value).split()) for block in _blocks(part) for name, value in block.items()
    }


def _blocks(part: Message) -> list[Message]:
    """The blocks of fields that a part is made of. They may not be coded (RFC 3464, section 2.1), and are at times."""
    inner = part.get_payload()
    blocks = [one for one in inner if isinstance(one, Message)] if isinstance(inner, list) else []
    coding = _header(part, "Content-Transfer-Encoding").lower()
    if coding in {"base64", "quoted-printable"}:
        plain = Message()
        plain["Content-Transfer-Encoding"] = coding
        plain.set_payload("\n\n".join(block.as_string().strip() for block in blocks))
        blocks = [message_from_bytes(text) for text in re.split(rb"\r?\n\r?\n", _bytes(plain))]
    return blocks[:_MOST_PARTS]


# --- delivery status ------------------------------------------------------------------------------


def _status(parts: list[Message]) -> Report | None:
    """The worst that a delivery status notification says of a recipient; None where the mail is none."""
    for part in parts:
        if part.get_content_type() not in {"message/delivery-status", "message/global-delivery-status"}:
            continue
        told = [_of_recipient(block) for block in _blocks(part)]
        found = [one for one in told if one is not None]
        if found:
            return min(found, key=lambda one: _WORST.index(one.finding))
    return None


_WORST = (
    *(Finding.GONE, Finding.CLOSED, Finding.SOFT, Finding.DOMAIN, Finding.OURS),
    Finding.COMPLAINT,
    Finding.NOTHING,
)


def _of_recipient(block: Message) -> Report | None:
    """What is said of one recipient; None where a block is about the message as a whole."""
    recipient = _typed(block, "Final-Recipient") or _typed(block, "Original-Recipient")
    action, status = _header(block, "Action").lower(), _header(block, "Status")
    if not (action or status):
        return None
    clues = Clues(recipients=(recipient.strip("<>"),) if recipient else ())
    diagnostic = _typed(block, "Diagnostic-Code")
    is_failed = action.startswith("fail") if action else status.startswith("5")
    if not is_failed:
        return Report(finding=Finding.NOTHING, status=status[:9], answer=diagnostic, clues=clues)
    finding, code, said = bounce(status, diagnostic)
    return Report(finding=finding, status=code, answer=said, clues=clues)


def _typed(block: Message, name: str) -> str:
    """A field that begins with a type: ``rfc822; me@example.org``."""
    value = _header(block, name)
    kind, mark, rest = value.partition(";")
    return rest.strip() if mark and re.fullmatch(r"[\w -]{1,20}", kind) else value


# --- in words -------------------------------------------------------------------------------------

_COPY = re.compile(
    r"(?im)^-+ *(?:below this line|this is a copy|the (?:header|body|original)|original message|"
    r"your (?:original )?message|unsent message|returned message|message header|begin).*|"
    r"^-{10,}$|^(?:original message|message header)s?(?: follows?)?:?\s*$"
)
_CODES = (
    re.compile(r"(?<![\d.])[45]\d\d[ -]+#?[245]\.\d{1,3}\.\d{1,3}.*", re.DOTALL),
    re.compile(r"\(#[245]\.\d\.\d{1,3}\).*", re.DOTALL),
    re.compile(r"(?<=[:'\">])\s*[45]\d\d[ -](?=[^\d\s]).*", re.DOTALL),
    re.compile(r"(?m)^[^\w\n]{0,20}[45]\d\d[ -](?=[^\d\s]).*", re.DOTALL),
)


def _in_words(message: Message, parts: list[Message]) -> Report | None:
    """A mail that came back without a delivery status, as qmail and older servers write it; None for any other."""
    subject, failed = _header(message, "Subject"), _header(message, "X-Failed-Recipients")
    by_system = _FROM_SYSTEM.search(_header(message, "From")) or _header(message, "Return-Path") == "<>"
    if not failed and not (by_system and _RETURNED.search(subject)):
        return None
    text = _COPY.split(_text(parts)[:_LONGEST_TEXT], maxsplit=1)[0]
    clues = Clues(recipients=tuple(_addresses(failed)[:1]))
    if _DELAYED.search(subject):
        return Report(finding=Finding.NOTHING, answer=subject, clues=clues)
    told = next((found for pattern in _CODES if (found := pattern.search(text))), None)
    where = (
        _said_around(text, told.start()) if told and told[0].startswith("(#") else told[0] if told else text
    )
    finding, status, said = bounce("", where[:_LONGEST_ANSWER])
    return Report(finding=finding, status=status, answer=said, clues=clues)


def _said_around(text: str, place: int) -> str:
    """The paragraph that a code of qmail's ends."""
    begin = text.rfind("\n\n", 0, place) + 2 if "\n\n" in text[:place] else 0
    return text[begin : place + 12]


def _text(parts: list[Message]) -> str:
    """The first part in words."""
    for kind in ("text/plain", "text/html"):
        for part in parts:
            if part.get_content_type() == kind and not part.is_multipart():
                text = _bytes(part).decode("utf-8", "replace").replace("\r\n", "\n")
                return re.sub(r"<[a-z/!][^<>]*>", " ", text) if kind == "text/html" else text
    return ""


def _bytes(part: Message) -> bytes:
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


# --- clues ----------------------------------------------------------------------------------------

_RETURN_PATH = re.compile(rb"[\w.-]{1,64}\+\d{1,19}\.[A-Za-z2-7]{29}@[\w.-]{1,255}")
_MESSAGE_ID = re.compile(rb"(?im)^[> ]*message-id:\s*(<[^<>\s]{3,250}>)")
_UNSUBSCRIBE = re.compile(rb"/unsubscribe/([\w-]{1,32}\.[\w-]{24})(?![\w-])")


def _clues(message: Message, content: bytes, known: Clues) -> Clues:
    """Where it came to, and what it has of a mail of ours, wherever that stands in it."""
    came_to = [one for name in _TO for value in message.get_all(name, []) for one in _addresses(str(value))]
    senders = (*came_to, *known.senders)
    return clues_in(content, known.recipients, senders)


def clues_in(content: bytes, recipients: Sequence[str], senders: Sequence[str] = ()) -> Clues:
    """What a text has of a mail of ours, wherever that stands in it.

    Args:
        content: the text.
        recipients: whom the mail was for, as far as is known.
        senders: envelope senders that are known besides.
    """
    all_senders = (*senders, *_found(_RETURN_PATH, content))
    return Clues(
        senders=tuple(dict.fromkeys(one for one in all_senders if one))[:_MOST_CLUES],
        message_ids=tuple(_found(_MESSAGE_ID, content)),
        links=tuple(_found(_UNSUBSCRIBE, content)),
        recipients=tuple(one for one in recipients if one),
    )


def _found(pattern: re.Pattern[bytes], content: bytes) -> Iterator[str]:
    seen: dict[bytes, None] = {}
    for found in pattern.finditer(content):
        seen[found[found.lastindex or 0]] = None
        if len(seen) == _MOST_CLUES:
            break
    return (one.decode("ascii", "replace") for one in seen)
