"""Parser for returned mails: delivery status notifications, complaints, and free-text reports of older servers.

RFC 3464 (delivery status), RFC 5965 (complaints), RFC 3834 (automatic replies). Anybody can send mail to a
return path, so the content is not trusted: the result is what a mail says, and which keys may match it to one
of our mails.
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

from digest.core.delivery.bounces.address_status import parse_bounce
from digest.core.delivery.bounces.ses_notification import read_notification
from digest.core.delivery.replies import Step
from digest.core.delivery.wordings import Topic, detect_topic
from digest.errors import ReportError
from digest.model import BounceClass, MatchKeys, Report

_MAX_PARTS = 50
_MAX_MATCH_KEYS = 50
_MAX_ANSWER_LENGTH, _MAX_FIELD_LENGTH, _MAX_HEADER_LENGTH, _MAX_TEXT_LENGTH = 500, 2_000, 10_000, 20_000
"""Maximum numbers of characters that are examined; patterns are slow on malicious texts."""
_ADDRESS = re.compile(r"[^\s<>()\[\],;:\"@]{1,64}@[^\s<>()\[\],;:\"@]{1,255}")
_RECIPIENT_HEADERS = (
    "Delivered-To",
    "X-Original-To",
    "Envelope-To",
    "X-Envelope-To",
    "X-Delivered-To",
    "To",
    "Cc",
)
"""Headers in which servers record the recipient, the most reliable first."""

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
_STILL_RETRIED = re.compile(
    r"attempts will continue|(?:will|shall) (?:continue|keep) (?:to )?(?:be )?(?:re)?tr(?:y|ied)|need to re-?send|warning message only",
    re.IGNORECASE,
)
_NO_COMPLAINT = {
    "not-spam": BounceClass.NOTHING,
    "auth-failure": BounceClass.OURS,
    "virus": BounceClass.OURS,
    "dmarc": BounceClass.OURS,
}
"""Types of reports (RFC 5965, RFC 6591) that are not made by readers; all other types are complaints."""


def read_returned_mail(content: bytes) -> Report:
    """Parse a mail that came to one of our addresses.

    Args:
        content: the whole mail, or its beginning.
    """
    message = message_from_bytes(content)
    parts = list(_list_parts(message))
    text = _read_text(message, parts)
    report = (
        _read_complaint(message, parts, text)
        or _read_delivery_status(parts, text)
        or _read_plain_report(message, text)
        or _NO_REPORT
    )
    match_keys = _collect_match_keys(message, content, report.match_keys)
    answer = "".join(character if character.isprintable() else " " for character in report.answer)
    return replace(
        report, match_keys=match_keys, answer=answer[:_MAX_ANSWER_LENGTH].strip(), at=_read_date(message)
    )


_NO_REPORT = Report(bounce_class=BounceClass.NOTHING)


def _list_parts(message: Message) -> Iterator[Message]:
    for number, part in enumerate(message.walk()):
        if number == _MAX_PARTS:
            return
        yield part


def _read_header(message: Message, name: str) -> str:
    """Return a header in one line, decoded from UTF-8 (RFC 6532) or ISO-2022-JP."""
    value = next((value for key, value in message.raw_items() if key.lower() == name.lower()), "")
    raw = str(value)[:_MAX_HEADER_LENGTH].encode("utf-8", "surrogateescape")
    text = raw.decode("iso2022_jp" if b"\x1b$" in raw else "utf-8", "replace")
    return " ".join(text.split())[:_MAX_FIELD_LENGTH]


def _read_subject(message: Message) -> str:
    """Return the subject as plain text, decoded from encoded words (RFC 2047)."""
    encoded = _read_header(message, "Subject")
    try:
        return str(make_header(decode_header(encoded)))
    except (LookupError, ValueError, HeaderParseError):
        return encoded


def _find_addresses(value: str) -> list[str]:
    """Return the addresses in a header; the standard library's parser can recurse deeply on malicious headers."""
    return _ADDRESS.findall(value[:_MAX_HEADER_LENGTH])[:_MAX_MATCH_KEYS]


def _read_date(message: Message) -> datetime | None:
    try:
        at = parsedate_to_datetime(_read_header(message, "Date")[:100])
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at


# --- complaints -----------------------------------------------------------------------------------


def _read_complaint(message: Message, parts: list[Message], text: str) -> Report | None:
    """Parse a report of RFC 5965, or what large providers send instead; return None for other mails.

    Outlook.com returns our mail with the recipient in a header. Apple Mail sends a mail when a reader clicks
    "unsubscribe". Amazon SES sends a notification, which a topic forwards as a mail.
    """
    if _read_header(message, "X-Apple-Unsubscribe").lower() == "true":
        return Report(bounce_class=BounceClass.COMPLAINT, answer="Apple Mail asks to unsubscribe its reader")
    if text.lstrip().startswith("{"):
        with suppress(ReportError):
            return next(iter(read_notification(text)), None)
    for part in parts:
        if part.get_content_type() == "message/feedback-report":
            fields = _read_fields(part)
            kind = fields.get("feedback-type", "").lower()
            bounce_class = _NO_COMPLAINT.get(kind, BounceClass.COMPLAINT)
            recipients = tuple(filter(None, (fields.get("original-rcpt-to", "").strip("<>"),)))
            answer = f"a report of {kind or 'abuse'} by {fields.get('user-agent') or _read_header(message, 'From')}"
            senders = (fields.get("original-mail-from", "").strip("<>"),)
            return Report(
                bounce_class=bounce_class,
                answer=answer,
                match_keys=MatchKeys(recipients=recipients, senders=senders),
            )
        if recipient := _read_header(part, "X-HmXmrOriginalRecipient"):
            answer = f"a complaint by {_read_header(message, 'From')}"
            return Report(
                bounce_class=BounceClass.COMPLAINT,
                answer=answer,
                match_keys=MatchKeys(recipients=(recipient,)),
            )
    return None


def _read_fields(part: Message) -> dict[str, str]:
    """Return the fields of a part that consists of fields."""
    return {
        name.lower(): " ".join(str(value).split())
        for block in _read_blocks(part)
        for name, value in block.items()
    }


def _read_blocks(part: Message) -> list[Message]:
    """Return the blocks of fields in a part; they are sometimes encoded, which RFC 3464, section 2.1, forbids."""
    payload = part.get_payload()
    blocks = (
        [message for message in payload if isinstance(message, Message)] if isinstance(payload, list) else []
    )
    encoding = _read_header(part, "Content-Transfer-Encoding").lower()
    if encoding in {"base64", "quoted-printable"}:
        plain = Message()
        plain["Content-Transfer-Encoding"] = encoding
        plain.set_payload("\n\n".join(block.as_string().strip() for block in blocks))
        blocks = [message_from_bytes(text) for text in re.split(rb"\r?\n\r?\n", _read_payload(plain))]
    return blocks[:_MAX_PARTS]


# --- delivery status ------------------------------------------------------------------------------


def _read_delivery_status(parts: list[Message], text: str) -> Report | None:
    """Return the most severe status of a recipient in a delivery status notification; None for other mails."""
    for part in parts:
        if part.get_content_type() in {"message/delivery-status", "message/global-delivery-status"}:
            statuses = [_read_recipient_status(block, text) for block in _read_blocks(part)]
            reports = [report for report in statuses if report is not None]
            if reports:
                return min(reports, key=lambda report: _SEVERITY_ORDER.index(report.bounce_class))
    return None


_SEVERITY_ORDER = (
    *(BounceClass.GONE, BounceClass.CLOSED, BounceClass.SOFT, BounceClass.DOMAIN, BounceClass.OURS),
    BounceClass.COMPLAINT,
    BounceClass.NOTHING,
)


def _read_recipient_status(block: Message, text: str) -> Report | None:
    """Return the status of one recipient; None if a block is about the whole message.

    OpenSMTPD and Gmail sometimes send ``Status: 5.0.0`` without a diagnostic, and explain the reason only in
    the free text. Postfix says only there that MAIL was refused.
    """
    recipient = (
        _read_typed_field(block, "Final-Recipient") or _read_typed_field(block, "Original-Recipient")
    ).strip("<>")
    action, status = _read_header(block, "Action").lower(), _read_header(block, "Status")
    if not (action or status):
        return None
    match_keys = MatchKeys(recipients=(recipient,) if recipient else ())
    diagnostic, reason = _read_typed_field(block, "Diagnostic-Code"), _find_reason(text, recipient)
    is_failed = action.startswith("fail") or (action not in _NOT_FAILED and status.startswith("5"))
    if not is_failed:
        return Report(
            bounce_class=BounceClass.NOTHING,
            status=status[:9],
            answer=diagnostic or reason,
            match_keys=match_keys,
        )
    bounce_class, status_code, answer = parse_bounce(
        status, diagnostic or reason or status, _detect_step(reason)
    )
    return _make_report(bounce_class, status_code, answer, match_keys, recipient)


def _make_report(
    bounce_class: BounceClass, status: str, answer: str, match_keys: MatchKeys, recipient: str
) -> Report:
    """Return a report; if the name of a relay or MX cannot be resolved, and not the recipient's domain, it is soft."""
    match = _NOT_FOUND.search(answer) if bounce_class is BounceClass.CLOSED else None
    host = (match[1] or match[2]) if match else ""
    if host and host.lower().rstrip(".") != recipient.rpartition("@")[2].lower():
        bounce_class = BounceClass.SOFT
    return Report(bounce_class=bounce_class, status=status, answer=answer, match_keys=match_keys)


_NOT_FOUND = re.compile(
    r"(?i)\bname service error for (?:name=)?([\w.-]+)|"
    r"\b(?:host|domain)(?: name)?:? ([\w-]+(?:\.[\w-]+)+):? (?:is )?(?:not found|unknown|does not exist)"
)


_NOT_FAILED = frozenset({"delayed", "delivered", "relayed", "expanded"})
"""Other actions of RFC 3464, section 2.3.3; OpenSMTPD calls a failure an error."""


def _detect_step(text: str) -> Step:
    """Return the refused step, as Exim and Postfix report it; a refusal of MAIL cannot be about the recipient."""
    return Step.MAIL if _REPLY_TO_MAIL.search(text) else Step.RCPT


_REPLY_TO_MAIL = re.compile(
    r"(?i)\b(?:after|in\s+reply\s+to|response\s+to)\s+(?:the\s+)?(?:pipelined\s+)?mail\s+from\b"
)


def _read_typed_field(block: Message, name: str) -> str:
    """Return a field without its type: ``rfc822; me@example.org``."""
    value = _read_header(block, name)
    type_name, separator, remainder = value.partition(";")
    return remainder.strip() if separator and re.fullmatch(r"[\w -]{1,40}", type_name) else value


# --- free-text reports ----------------------------------------------------------------------------

_COPY_START = re.compile(
    r"(?im)^[-|=*]+ *(?:below this line|this is a copy|(?:the )?(?:headers?|body|original)\b|your (?:original )?message\b|"
    r"unsent message|returned m|message (?:headers?|text|body|follow)|begin\b|start of|old message).*|"
    r"^[ \t]*(?:below is a copy|here is a copy|included is a copy|a copy of (?:the|your)|begin forwarded|old message|"
    r"(?:the )?original message follows|message headers? follow).*|"
    r"^[> \t]*(?:received: (?:from|by)|return-path: *<|list-unsubscribe:|dkim-signature:).*|"
    r"^-{10,}$|^(?:original message|message header)s?(?: follows?)?[:.]?\s*$"
)
"""The beginning of the returned mail after the report."""
_POSSIBLE_COPY_START = re.compile(
    r"(?im)^[-=_*]{3}(?!.*\b(?:transcript|session|address|recipient|reason|error|fail|diagnos)).*[-=_*]{3}[ \t]*$|^>(?!>>)|"
    r"^[ \t]*(?:(?:text|content|body|beginning|start) of )?(?:the |your |this )?(?:original |returned |sent )?"
    r"(?:message|e?-?mail)(?: content| text| body)?(?: was| is| reads)? ?:[ \t]*$|"
    r"^[ \t]*(?:original|(?:urspr(?:ü|ue)ngliche|ihre)[ -](?:nachricht|e?-?mail)(?: lautete?)?|message d'origine|"
    r"(?:mensaje|mensagem) original|messaggio originale|oorspronkelijk bericht|исходное (?:сообщение|письмо)|"
    r"原始?邮件|元のメッセージ) ?[:：][ \t]*$"
)
"""A possible beginning of the returned mail; at the start of a report, such lines may surround its title."""
_REPLY_PATTERNS = (
    re.compile(r"(?<![\d.])[45]\d\d[ -]+#?[245]\.\d{1,3}\.\d{1,3}.*", re.DOTALL),
    re.compile(r"\(#[245]\.\d\.\d{1,3}\).*", re.DOTALL),
    re.compile(r"(?<=[:'\">])\s*[45]\d\d[ -:](?=[^\d\s]).*", re.DOTALL),
    re.compile(r"(?m)^[^\w\n]{0,20}[45]\d\d[ -](?=[^\d\s]|- ).*", re.DOTALL),
)


def _read_plain_report(message: Message, text: str) -> Report | None:
    """Parse a bounce without a delivery status, as qmail and older servers send it; return None for other mails."""
    subject, failed_header = _read_subject(message), _read_header(message, "X-Failed-Recipients")
    text = _strip_copy(text)
    if not failed_header and not _is_returned(message, subject, text):
        return None
    recipients = _find_addresses(failed_header)[:1] or _FAILED_ADDRESS.findall(text)[:_MAX_MATCH_KEYS]
    match_keys = MatchKeys(recipients=tuple(recipients))
    is_late = _DELAYED.search(subject) or _STILL_RETRIED.search(text[:_BEGINNING_LENGTH])
    if is_late and detect_topic(subject) is not Topic.NO_ADDRESS:
        return Report(bounce_class=BounceClass.NOTHING, answer=subject, match_keys=match_keys)
    if fields := _find_fields_in_text(text):
        return _read_recipient_status(fields, text)
    recipient = next(iter(recipients or _find_addresses(text)), "")
    diagnosis = _find_diagnosis(text, recipient)[:_MAX_ANSWER_LENGTH]
    bounce_class, status, answer = parse_bounce("", diagnosis, _detect_step(_find_reason(text, recipient)))
    return _make_report(bounce_class, status, answer, match_keys, recipient)


def _strip_copy(text: str) -> str:
    """Return the part of a text that certainly belongs to the report, without quoted headers of our mail."""
    text = _COPY_START.split(text, maxsplit=1)[0]
    ends = (match.start() for match in _POSSIBLE_COPY_START.finditer(text))
    return _QUOTED_HEADER.sub("", text[: next((end for end in ends if text[:end].strip()), len(text))])


_FAILED_ADDRESS = re.compile(rf"(?m)^<({_ADDRESS.pattern})>:")
"""A line in which qmail or Postfix names a failed recipient."""


def _is_returned(message: Message, subject: str, text: str) -> bool:
    """Return True if a mail is a bounce: a mail system sent it, and it says so.

    An empty return path is not sufficient, because automatic replies also have one. Mails that a person
    forwards or replies to do not count.
    """
    return_path = _read_header(message, "Return-Path")
    in_subject, in_text = _RETURNED.search(subject), _RETURNED.search(text[:_BEGINNING_LENGTH])
    if _FROM_SYSTEM.search(_read_header(message, "From")) or "mailer-daemon" in return_path.lower():
        return bool(in_subject or in_text) or detect_topic(subject) is Topic.NO_ADDRESS
    if return_path == "<>":
        return bool(in_subject)
    bare_subject = _PASSED_ON.sub("", subject)
    return bool(in_subject and in_text) and (bare_subject == subject or not _RETURNED.match(bare_subject))


_PASSED_ON = re.compile(r"(?i)^(?:(?:re|aw|fwd?|wg|tr|rv)\s*:\s*)+")
_BEGINNING_LENGTH = 1_500
"""Number of characters that are searched for a statement that a message is a bounce."""


def _find_fields_in_text(text: str) -> Message | None:
    """Return the fields of a delivery status within the text itself; None if there are none."""
    match = re.search(r"(?im)^(?:final|original)-recipient:|^action: *failed", text)
    if match is None:
        return None
    fields = message_from_string(text[match.start() :])
    return fields if "Action" in fields and "Status" in fields else None


def _find_diagnosis(text: str, recipient: str) -> str:
    """Return the reason in a free-text report: a reply with its code, or else the words about the recipient."""
    reason = _find_reason(text, recipient)
    is_specific = detect_topic(reason) is not None or _REPLY_CODE.search(reason) is not None
    # The beginning of our mail may not be recognized, so the words next to the address have priority.
    source = reason if is_specific else text
    match = next((candidate for pattern in _REPLY_PATTERNS if (candidate := pattern.search(source))), None)
    if match is None:
        return reason or text
    if match[0].startswith("(#"):
        return _extract_paragraph(source, match.start())
    return match[0].strip().partition("\n\n")[0]


def _find_reason(text: str, recipient: str) -> str:
    """Return what a free text says after a recipient's address: a reply with its code, or else the first words.

    The following text may be our mail, whose titles may contain any words, and its beginning cannot be
    detected reliably. So only one paragraph is used, or a second one if the first only says that a mail was
    returned.
    """
    text = _strip_copy(text)
    position = text.lower().find(recipient.lower()) if recipient else -1
    if position < 0:
        return ""
    text = text[text.rfind("\n", 0, position) + 1 :]
    blocks = (_strip_address(block, recipient) for block in re.split(r"\n\s*\n", text))
    reasons = [block for block in blocks if block][:_MAX_PARAGRAPHS]
    with_code = next((block for block in reasons if any(code.search(block) for code in _REPLY_PATTERNS)), "")
    first_reason, second_reason = (*reasons, "", "")[:2]
    if detect_topic(first_reason) or not (with_code or _RETURNED.search(first_reason)):
        return first_reason
    return with_code or (second_reason if detect_topic(second_reason) else first_reason)


def _strip_address(block: str, recipient: str) -> str:
    """Return a paragraph without the address, and without the lines of other failed recipients."""
    lines = block.strip().split("\n")
    ends = (
        index
        for index, line in enumerate(lines)
        if index and (match := _ADDRESS.match(line.strip("<> "))) and match[0] != recipient
    )
    paragraph = "\n".join(lines[: next(ends, len(lines))])
    index = paragraph.lower().find(recipient.lower())
    remainder = paragraph if index < 0 else paragraph[:index] + paragraph[index + len(recipient) :]
    return remainder.strip("<>\"': \t\n")


_QUOTED_HEADER = re.compile(
    r"(?im)^[> \t]*(?:to|cc|from|date|sent|message-id)[ \t]*:.*\n?|"
    r"^[> \t]*(?:subject|betreff|objet|asunto|oggetto|assunto|件名|主题)[ \t]*:.*\n?(?:[> \t]+(?![\w-]+[ \t]*:)\S.*\n?)*"
)
"""Quoted headers of our mail; the subject may contain any words, and continue on further lines."""
_REPLY_CODE = re.compile(r"(?<![\w.])(?:[45]\d\d[ -]|#?[245]\.\d\.\d{1,3}\b)")
_MAX_PARAGRAPHS = 4
"""Maximum number of paragraphs after the address in which the reason is searched."""


def _extract_paragraph(text: str, position: int) -> str:
    """Return the paragraph that ends with a status code of qmail."""
    start = text.rfind("\n\n", 0, position) + 2 if "\n\n" in text[:position] else 0
    return text[start : position + 12]


def _read_text(message: Message, parts: list[Message]) -> str:
    """Return the first text part; the whole body if the parts cannot be separated because of a wrong boundary."""
    for kind in ("text/plain", "text/html"):
        for part in parts:
            if part.get_content_type() == kind and not part.is_multipart():
                text = _decode_part(part)
                return _convert_html(text) if kind == "text/html" else text
    unparsed_parts = (
        part for part in parts if part.get_content_maintype() == "multipart" and not part.is_multipart()
    )
    return _decode_part(next(unparsed_parts, message))


def _convert_html(page: str) -> str:
    """Convert HTML to text: a paragraph for each block, and a line of dashes before a possibly quoted mail."""
    page = _QUOTE.sub("\n\n----------\n\n", " ".join(page.split()))
    return re.sub(r"<[a-z/!][^<>]*>", " ", _BLOCK.sub("\n\n", _BREAK.sub("\n", page)))


_QUOTE = re.compile(r"(?i)<(?:hr|blockquote)\b[^<>]*>")
_BLOCK = re.compile(r"(?i)</?(?:p|div|table|tr|ul|ol|li|dl|dt|dd|h[1-6]|pre|center|section|article)\b[^<>]*>")
_BREAK = re.compile(r"(?i)<br\b[^<>]*>")


def _decode_part(part: Message) -> str:
    """Decode the text of a part; as UTF-8 if its charset is wrong or unknown."""
    raw = _read_payload(part)[:_MAX_TEXT_LENGTH]
    charset = "iso2022_jp" if b"\x1b$" in raw else part.get_content_charset("utf-8")
    try:
        text = raw.decode(charset)
    except (LookupError, ValueError):
        text = raw.decode("utf-8", "replace")
    return text.replace("\r\n", "\n")


def _read_payload(part: Message) -> bytes:
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


# --- match keys -----------------------------------------------------------------------------------

_RETURN_PATH = re.compile(rb"[\w.-]{1,64}\+\d{1,19}\.[A-Za-z2-7]{29}@[\w.-]{1,255}")
_MESSAGE_ID = re.compile(rb"(?im)^[> ]*message-id:\s*(<[^<>\s]{3,250}>)")
_UNSUBSCRIBE = re.compile(rb"/unsubscribe/([\w-]{1,32}\.[\w-]{24})(?![\w-])")


def _collect_match_keys(message: Message, content: bytes, existing: MatchKeys) -> MatchKeys:
    """Return the keys in a mail: the addresses that it was sent to, and anything quoted from our mail."""
    delivered_to = [
        address
        for name in _RECIPIENT_HEADERS
        for value in message.get_all(name, [])
        for address in _find_addresses(str(value))
    ]
    senders = (*delivered_to, *existing.senders)
    return find_match_keys(content, existing.recipients, senders)


def find_match_keys(content: bytes, recipients: Sequence[str], senders: Sequence[str] = ()) -> MatchKeys:
    """Return the keys of our mail that a text quotes.

    Args:
        content: the text.
        recipients: the known recipients of our mail.
        senders: further envelope senders.
    """
    all_senders = (*senders, *_find_distinct(_RETURN_PATH, content))
    return MatchKeys(
        senders=tuple(dict.fromkeys(address for address in all_senders if address))[:_MAX_MATCH_KEYS],
        message_ids=tuple(_find_distinct(_MESSAGE_ID, content)),
        unsubscribe_tokens=tuple(_find_distinct(_UNSUBSCRIBE, content)),
        recipients=tuple(address for address in recipients if address),
    )


def _find_distinct(pattern: re.Pattern[bytes], content: bytes) -> Iterator[str]:
    matches: dict[bytes, None] = {}
    for match in pattern.finditer(content):
        matches[match[match.lastindex or 0]] = None
        if len(matches) == _MAX_MATCH_KEYS:
            break
    return (text.decode("ascii", "replace") for text in matches)
