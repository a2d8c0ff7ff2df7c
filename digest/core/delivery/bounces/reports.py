"""Reads mail that came back: delivery status notifications, complaints, and what older servers write in their own words.

RFC 3464 (delivery status), RFC 5965 (complaints), RFC 3834 (what machines answer). Anything can come to an address that
mails are sent from, so nothing here is believed: it is only said what a mail says, and by which clues it may be about
one of ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes, message_from_string
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message
from email.utils import parsedate_to_datetime

from digest.core.delivery.bounces.address_status import bounce
from digest.core.delivery.bounces.ses_notification import read_notification
from digest.core.delivery.replies import Step
from digest.core.delivery.wordings import Topic, topic_of
from digest.errors import ReportError
from digest.model import Clues, Finding, Report

_MOST_PARTS = 50
_MOST_CLUES = 50
_LONGEST_ANSWER, _LONGEST_FIELD, _LONGEST_HEADER, _LONGEST_TEXT = 500, 2_000, 10_000, 20_000
"""Characters that are looked at: patterns take long on what is made for that."""
_ADDRESS = re.compile(r"[^\s<>()\[\],;:\"@]{1,64}@[^\s<>()\[\],;:\"@]{1,255}")
_TO = ("Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To", "X-Delivered-To", "To", "Cc")
"""Where servers write whom a mail came to; the first is the surest."""

_FROM_SYSTEM = re.compile(
    r"mailer-?daemon|post_?master|mail delivery|mail system|system administrator|mail administrator|no-?reply-?bounce|"
    r"mdaemon",
    re.IGNORECASE,
)
_RETURNED = re.compile(
    r"undeliver|(?:not|n't) (?:be )?deliver|delivery (?:status|fail|report|problem|has failed|notification|error)|returned mail|"
    r"return(?:ed|ing) to sender|failure notice|mail (?:delivery )?fail|delivery to .* (?:failed|delayed)|"
    r"message (?:could not be|not) delivered|unable to deliver|trouble delivering|did not (?:reach|receive)|"
    r"n[o']t able to deliver|non-?delivery|has been returned because|failed recipients|failed mail|automatically rejected|"
    r"error (?:sending|delivering) your (?:mail|message)|invalid user address|mail (?:system )?error|message status|mail rejected|"
    r"(?:un|nicht )zustellbar|konnte nicht zugestellt|non remis|non distribu|[ée]chec de (?:la )?(?:remise|distribution)|"
    r"no se (?:puede|pudo|ha podido) entregar|no entregad|devuelto|n[ãa]o (?:foi )?entregue|devolvid|"
    r"mancat[ao] (?:recapito|consegna)|impossibile (?:recapitare|consegnare)|niet (?:bezorgd|afgeleverd)|"
    r"недоставлен|не доставлен|не может быть доставлено|退信|无法投递|無法投遞|无法送达|未送达|投递失败|"
    r"配信でき|配信不能|配送でき|送信でき|エラー",
    re.IGNORECASE,
)
_DELAYED = re.compile(
    r"\bdelay|warning|will (?:keep|continue) (?:re)?try|still being|verzögert", re.IGNORECASE
)
_STILL_TRIED = re.compile(
    r"attempts will continue|(?:will|shall) (?:continue|keep) (?:to )?(?:be )?(?:re)?tr(?:y|ied)|need to re-?send|warning message only",
    re.IGNORECASE,
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
    text = _text(message, parts)
    report = _complaint(message, parts, text) or _status(parts, text) or _in_words(message, text) or _NOTHING
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
    """A header in one line. Bytes that are not ASCII are read as UTF-8 (RFC 6532), and ISO-2022-JP as what it is."""
    value = next((value for key, value in message.raw_items() if key.lower() == name.lower()), "")
    raw = str(value)[:_LONGEST_HEADER].encode("utf-8", "surrogateescape")
    text = raw.decode("iso2022_jp" if b"\x1b$" in raw else "utf-8", "replace")
    return " ".join(text.split())[:_LONGEST_FIELD]


def _subject(message: Message) -> str:
    """The subject in plain text, whichever way it is coded (RFC 2047)."""
    coded = _header(message, "Subject")
    try:
        return str(make_header(decode_header(coded)))
    except (LookupError, ValueError, HeaderParseError):
        return coded


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


def _complaint(message: Message, parts: list[Message], text: str) -> Report | None:
    """A report of RFC 5965, or what large providers send in its place.

    Outlook.com sends a mail of ours with whom it was to in its header, Apple Mail a mail that a reader's click on
    "unsubscribe" makes, and Amazon SES a notification that a topic passes on by mail.
    """
    if _header(message, "X-Apple-Unsubscribe").lower() == "true":
        return Report(finding=Finding.COMPLAINT, answer="Apple Mail asks to unsubscribe its reader")
    if text.lstrip().startswith("{"):
        with suppress(ReportError):
            return next(iter(read_notification(text)), None)
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


def _status(parts: list[Message], text: str) -> Report | None:
    """The worst that a delivery status notification says of a recipient; None where the mail is none."""
    for part in parts:
        if part.get_content_type() in {"message/delivery-status", "message/global-delivery-status"}:
            told = [_of_recipient(block, text) for block in _blocks(part)]
            found = [one for one in told if one is not None]
            if found:
                return min(found, key=lambda one: _WORST.index(one.finding))
    return None


_WORST = (
    *(Finding.GONE, Finding.CLOSED, Finding.SOFT, Finding.DOMAIN, Finding.OURS),
    Finding.COMPLAINT,
    Finding.NOTHING,
)


def _of_recipient(block: Message, text: str) -> Report | None:
    """What is said of one recipient; None where a block is about the message as a whole.

    OpenSMTPD and Gmail at times give ``Status: 5.0.0`` and no diagnosis, and the reason only in the text for people;
    Postfix says only there that it was MAIL that was refused.
    """
    recipient = (_typed(block, "Final-Recipient") or _typed(block, "Original-Recipient")).strip("<>")
    action, status = _header(block, "Action").lower(), _header(block, "Status")
    if not (action or status):
        return None
    clues = Clues(recipients=(recipient,) if recipient else ())
    diagnostic, reason = _typed(block, "Diagnostic-Code"), _reason(text, recipient)
    is_failed = action.startswith("fail") or (action not in _NOT_FAILED and status.startswith("5"))
    if not is_failed:
        return Report(finding=Finding.NOTHING, status=status[:9], answer=diagnostic or reason, clues=clues)
    finding, code, said = bounce(status, diagnostic or reason or status, _step(reason))
    return _report(finding, code, said, clues, recipient)


def _report(finding: Finding, status: str, said: str, clues: Clues, recipient: str) -> Report:
    """A report; a name that cannot be found is soft where it is not the recipient's domain, but a relay's or an MX."""
    named = _NOT_FOUND.search(said) if finding is Finding.CLOSED else None
    host = (named[1] or named[2]) if named else ""
    if host and host.lower().rstrip(".") != recipient.rpartition("@")[2].lower():
        finding = Finding.SOFT
    return Report(finding=finding, status=status, answer=said, clues=clues)


_NOT_FOUND = re.compile(
    r"(?i)\bname service error for (?:name=)?([\w.-]+)|"
    r"\b(?:host|domain)(?: name)?:? ([\w-]+(?:\.[\w-]+)+):? (?:is )?(?:not found|unknown|does not exist)"
)


_NOT_FAILED = frozenset({"delayed", "delivered", "relayed", "expanded"})
"""What else RFC 3464 (section 2.3.3) knows; OpenSMTPD calls a failure an error."""


def _step(said: str) -> Step:
    """What was refused, as Exim and Postfix say it: a no to MAIL cannot be about the recipient."""
    return Step.MAIL if _TO_MAIL.search(said) else Step.RCPT


_TO_MAIL = re.compile(
    r"(?i)\b(?:after|in\s+reply\s+to|response\s+to)\s+(?:the\s+)?(?:pipelined\s+)?mail\s+from\b"
)


def _typed(block: Message, name: str) -> str:
    """A field that begins with a type: ``rfc822; me@example.org``."""
    value = _header(block, name)
    kind, mark, rest = value.partition(";")
    return rest.strip() if mark and re.fullmatch(r"[\w -]{1,40}", kind) else value


# --- in words -------------------------------------------------------------------------------------

_COPY = re.compile(
    r"(?im)^[-|=*]+ *(?:below this line|this is a copy|(?:the )?(?:headers?|body|original)\b|your (?:original )?message\b|"
    r"unsent message|returned m|message (?:headers?|text|body|follow)|begin\b|start of|old message).*|"
    r"^[ \t]*(?:below is a copy|here is a copy|included is a copy|a copy of (?:the|your)|begin forwarded|old message|"
    r"(?:the )?original message follows|message headers? follow).*|"
    r"^[> \t]*(?:received: (?:from|by)|return-path: *<|list-unsubscribe:|dkim-signature:).*|"
    r"^-{10,}$|^(?:original message|message header)s?(?: follows?)?[:.]?\s*$"
)
"""Where the report ends and the mail that it returns begins."""
_MAY_BE_COPY = re.compile(
    r"(?im)^[-=_*]{3}(?!.*\b(?:transcript|session|address|recipient|reason|error|fail|diagnos)).*[-=_*]{3}[ \t]*$|^>(?!>>)|"
    r"^[ \t]*(?:(?:text|content|body|beginning|start) of )?(?:the |your |this )?(?:original |returned |sent )?"
    r"(?:message|e?-?mail)(?: content| text| body)?(?: was| is| reads)? ?:[ \t]*$|"
    r"^[ \t]*(?:original|(?:urspr(?:ü|ue)ngliche|ihre)[ -](?:nachricht|e?-?mail)(?: lautete?)?|message d'origine|"
    r"(?:mensaje|mensagem) original|messaggio originale|oorspronkelijk bericht|исходное (?:сообщение|письмо)|"
    r"原始?邮件|元のメッセージ) ?[:：][ \t]*$"
)
"""What may be that, behind the beginning of a report: some have a title between such lines."""
_CODES = (
    re.compile(r"(?<![\d.])[45]\d\d[ -]+#?[245]\.\d{1,3}\.\d{1,3}.*", re.DOTALL),
    re.compile(r"\(#[245]\.\d\.\d{1,3}\).*", re.DOTALL),
    re.compile(r"(?<=[:'\">])\s*[45]\d\d[ -:](?=[^\d\s]).*", re.DOTALL),
    re.compile(r"(?m)^[^\w\n]{0,20}[45]\d\d[ -](?=[^\d\s]|- ).*", re.DOTALL),
)


def _in_words(message: Message, text: str) -> Report | None:
    """A mail that came back without a delivery status, as qmail and older servers write it; None for any other."""
    subject, failed = _subject(message), _header(message, "X-Failed-Recipients")
    text = _without_copy(text)
    if not failed and not _is_returned(message, subject, text):
        return None
    known = _addresses(failed)[:1] or _FAILED.findall(text)[:_MOST_CLUES]
    clues = Clues(recipients=tuple(known))
    is_late = _DELAYED.search(subject) or _STILL_TRIED.search(text[:_BEGINNING])
    if is_late and topic_of(subject) is not Topic.NO_ADDRESS:
        return Report(finding=Finding.NOTHING, answer=subject, clues=clues)
    if fields := _fields_in_text(text):
        return _of_recipient(fields, text)
    recipient = next(iter(known or _addresses(text)), "")
    diagnosis = _diagnosis(text, recipient)[:_LONGEST_ANSWER]
    finding, status, said = bounce("", diagnosis, _step(_reason(text, recipient)))
    return _report(finding, status, said, clues, recipient)


def _without_copy(text: str) -> str:
    """A text for people as far as it is sure to be a report, without lines that quote the header of our mail."""
    text = _COPY.split(text, maxsplit=1)[0]
    ends = (found.start() for found in _MAY_BE_COPY.finditer(text))
    return _QUOTED_HEADER.sub("", text[: next((end for end in ends if text[:end].strip()), len(text))])


_FAILED = re.compile(rf"(?m)^<({_ADDRESS.pattern})>:")
"""Where qmail and Postfix name those that failed."""


def _is_returned(message: Message, subject: str, text: str) -> bool:
    """Whether a mail says that it is one of ours that came back: a system sent it, and says so.

    Automatic answers of people have an empty return path, too, so that is not enough. What a person passes on or answers
    is none.
    """
    path = _header(message, "Return-Path")
    in_subject, in_text = _RETURNED.search(subject), _RETURNED.search(text[:_BEGINNING])
    if _FROM_SYSTEM.search(_header(message, "From")) or "mailer-daemon" in path.lower():
        return bool(in_subject or in_text) or topic_of(subject) is Topic.NO_ADDRESS
    if path == "<>":
        return bool(in_subject)
    own = _PASSED_ON.sub("", subject)
    return bool(in_subject and in_text) and (own == subject or not _RETURNED.match(own))


_PASSED_ON = re.compile(r"(?i)^(?:(?:re|aw|fwd?|wg|tr|rv)\s*:\s*)+")
_BEGINNING = 1_500
"""Characters in which a report says that it is one."""


def _fields_in_text(text: str) -> Message | None:
    """The fields of a delivery status that stand in the text itself; None where there are none."""
    begin = re.search(r"(?im)^(?:final|original)-recipient:|^action: *failed", text)
    if begin is None:
        return None
    fields = message_from_string(text[begin.start() :])
    return fields if "Action" in fields and "Status" in fields else None


def _diagnosis(text: str, recipient: str) -> str:
    """What a report in words gives as the reason: a reply with its code, else what it says of the recipient."""
    reason = _reason(text, recipient)
    is_telling = topic_of(reason) is not None or _REPLIES.search(reason) is not None
    # Where the copy of our mail begins may not be seen, so what stands with the address counts first.
    place = reason if is_telling else text
    told = next((found for pattern in _CODES if (found := pattern.search(place))), None)
    if told is None:
        return reason or text
    if told[0].startswith("(#"):
        return _said_around(place, told.start())
    return told[0].strip().partition("\n\n")[0]


def _reason(text: str, recipient: str) -> str:
    """What a text for people says of a recipient, from where it is named on: a reply with its code, else the first words.

    What follows may be our mail, whose titles may say anything, and nothing is sure to say where that begins. So one
    paragraph is read, and one more where the first says no more than that a mail came back.
    """
    text = _without_copy(text)
    place = text.lower().find(recipient.lower()) if recipient else -1
    if place < 0:
        return ""
    text = text[text.rfind("\n", 0, place) + 1 :]
    blocks = (_of_first(block, recipient) for block in re.split(r"\n\s*\n", text))
    reasons = [block for block in blocks if block][:_MOST_PARAGRAPHS]
    with_code = next((block for block in reasons if any(code.search(block) for code in _CODES)), "")
    first, second = (*reasons, "", "")[:2]
    if topic_of(first) or not (with_code or _RETURNED.search(first)):
        return first
    return with_code or (second if topic_of(second) else first)


def _of_first(block: str, recipient: str) -> str:
    """A paragraph without the address; where others that failed have lines of their own, without these."""
    lines = block.strip().split("\n")
    ends = (
        at
        for at, line in enumerate(lines)
        if at and (it := _ADDRESS.match(line.strip("<> "))) and it[0] != recipient
    )
    mine = "\n".join(lines[: next(ends, len(lines))])
    at = mine.lower().find(recipient.lower())
    without = mine if at < 0 else mine[:at] + mine[at + len(recipient) :]
    return without.strip("<>\"': \t\n")


_QUOTED_HEADER = re.compile(
    r"(?im)^[> \t]*(?:to|cc|from|date|sent|message-id)[ \t]*:.*\n?|"
    r"^[> \t]*(?:subject|betreff|objet|asunto|oggetto|assunto|件名|主题)[ \t]*:.*\n?(?:[> \t]+(?![\w-]+[ \t]*:)\S.*\n?)*"
)
"""What quotes the header of our mail, whose subject may say anything, on several lines too."""
_REPLIES = re.compile(r"(?<![\w.])(?:[45]\d\d[ -]|#?[245]\.\d\.\d{1,3}\b)")
_MOST_PARAGRAPHS = 4
"""So far behind the address its reason is looked for."""


def _said_around(text: str, place: int) -> str:
    """The paragraph that a code of qmail's ends."""
    begin = text.rfind("\n\n", 0, place) + 2 if "\n\n" in text[:place] else 0
    return text[begin : place + 12]


def _text(message: Message, parts: list[Message]) -> str:
    """The first part in words; where parts cannot be told apart, because they are marked wrong, all of them."""
    for kind in ("text/plain", "text/html"):
        for part in parts:
            if part.get_content_type() == kind and not part.is_multipart():
                text = _decoded(part)
                return _words_of_page(text) if kind == "text/html" else text
    broken = (
        part for part in parts if part.get_content_maintype() == "multipart" and not part.is_multipart()
    )
    return _decoded(next(broken, message))


def _words_of_page(page: str) -> str:
    """What an HTML page says: a paragraph for each block, and a line of dashes where a mail may be quoted."""
    page = _QUOTE.sub("\n\n----------\n\n", " ".join(page.split()))
    return re.sub(r"<[a-z/!][^<>]*>", " ", _BLOCK.sub("\n\n", _BREAK.sub("\n", page)))


_QUOTE = re.compile(r"(?i)<(?:hr|blockquote)\b[^<>]*>")
_BLOCK = re.compile(r"(?i)</?(?:p|div|table|tr|ul|ol|li|dl|dt|dd|h[1-6]|pre|center|section|article)\b[^<>]*>")
_BREAK = re.compile(r"(?i)<br\b[^<>]*>")


def _decoded(part: Message) -> str:
    """The text of a part; a charset that is wrong or unknown is read as UTF-8."""
    raw = _bytes(part)[:_LONGEST_TEXT]
    charset = "iso2022_jp" if b"\x1b$" in raw else part.get_content_charset("utf-8")
    try:
        text = raw.decode(charset)
    except (LookupError, ValueError):
        text = raw.decode("utf-8", "replace")
    return text.replace("\r\n", "\n")


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
