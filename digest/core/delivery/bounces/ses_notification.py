"""What Amazon SES says became of a mail: the notifications that it publishes to an SNS topic.

They come signed to our site (``bounces/ses``), or unsigned in a mail, where the topic has an address among its subscribers
(https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from digest.core.delivery.bounces.address_status import bounce
from digest.core.times.iso import instant
from digest.errors import ReportError
from digest.model import Clues, Finding, Report


def read_notification(text: str) -> tuple[Report, ...]:
    """What a notification says, a report for each recipient. Nothing here proves who wrote it.

    Args:
        text: begins with one JSON object; in a mail, SNS puts lines of its own behind it.

    Raises:
        ReportError: it begins with something else.
    """
    told = _object(text)
    if _text(told, "Type") == "Notification":  # a mail may have the message of SNS around it
        told = _object(_text(told, "Message"))
    return tuple(_reports(told))


def _object(text: str) -> Mapping[str, Any]:
    try:
        told, _ = json.JSONDecoder(strict=False).raw_decode(text.lstrip())
    except (ValueError, RecursionError) as error:
        raise ReportError("it is no JSON") from error
    if not isinstance(told, dict):
        raise ReportError("it is no JSON object")
    return told


def _reports(told: Mapping[str, Any]) -> Iterator[Report]:
    match told.get("notificationType") or told.get("eventType"):
        case "Bounce":
            bounced = _inner(told, "bounce")
            for recipient in _list(bounced, "bouncedRecipients"):
                finding, status, said = _finding(bounced, recipient)
                about = Report(finding=finding, status=status, answer=said, at=_at(bounced))
                yield replace(about, clues=_clues(told, recipient))
        case "Complaint":
            complaint = _inner(told, "complaint")
            kind = _text(complaint, "complaintFeedbackType")
            finding = _NO_COMPLAINT.get(kind, Finding.COMPLAINT)
            for recipient in _list(complaint, "complainedRecipients"):
                said = f"a report of {kind or 'abuse'} by {_text(complaint, 'userAgent') or 'Amazon SES'}"
                about = Report(finding=finding, answer=said, at=_at(complaint))
                yield replace(about, clues=_clues(told, recipient))
        case "Reject":
            said = "Amazon SES found a virus in it"
            yield Report(finding=Finding.OURS, answer=said, clues=_clues(told, {}))


_NO_COMPLAINT = {"not-spam": Finding.NOTHING, "auth-failure": Finding.OURS, "virus": Finding.OURS}
_ABOUT_THE_MESSAGE = frozenset({"MessageTooLarge", "ContentRejected", "AttachmentRejected"})


def _finding(bounced: Mapping[str, Any], recipient: Mapping[str, Any]) -> tuple[Finding, str, str]:
    """By what the recipient's server said; where that is not passed on, by the type of bounce."""
    kind, detail = _text(bounced, "bounceType"), _text(bounced, "bounceSubType")
    status, diagnostic = _text(recipient, "status"), _text(recipient, "diagnosticCode")
    by_type = f"{kind} bounce: {detail}"
    if detail in {"Suppressed", "OnAccountSuppressionList"}:
        return Finding.CLOSED, status, diagnostic or "it is on Amazon's suppression list"
    if not status and not diagnostic:
        return _of_type(kind, detail), "", by_type
    finding, code, said = bounce(status, diagnostic.partition(";")[2].strip() or diagnostic)
    if kind != "Permanent" and finding in {Finding.GONE, Finding.CLOSED}:
        finding = Finding.SOFT  # it may pass, says Amazon
    return finding, code, said or by_type


def _of_type(kind: str, detail: str) -> Finding:
    if detail in _ABOUT_THE_MESSAGE:
        return Finding.OURS
    if kind == "Permanent":
        return Finding.GONE if detail == "NoEmail" else Finding.CLOSED
    # Out-of-office answers are told as transient bounces without a word of a server.
    return Finding.NOTHING if (kind, detail) == ("Transient", "General") else Finding.SOFT


def _at(about: Mapping[str, Any]) -> datetime | None:
    return instant(_text(about, "timestamp"))


def _clues(told: Mapping[str, Any], recipient: Mapping[str, Any]) -> Clues:
    mail = _inner(told, "mail")
    headers = {_text(one, "name").lower(): _text(one, "value") for one in _list(mail, "headers")}
    links = re.findall(r"/unsubscribe/([\w-]{1,32}\.[\w-]{24})(?![\w-])", headers.get("list-unsubscribe", ""))
    return Clues(
        senders=tuple(filter(None, (_text(mail, "source"),))),
        message_ids=tuple(filter(None, (headers.get("message-id", ""),))),
        links=tuple(links),
        recipients=tuple(filter(None, (_text(recipient, "emailAddress"),))),
    )


def _text(told: Mapping[str, Any], key: str) -> str:
    value = told.get(key)
    return value if isinstance(value, str) else ""


def _inner(told: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = told.get(key)
    return value if isinstance(value, dict) else {}


def _list(told: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    value = told.get(key)
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
