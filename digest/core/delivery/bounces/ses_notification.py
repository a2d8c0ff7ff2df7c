"""Parser for notifications of Amazon SES about mails, as it publishes them to an SNS topic.

They arrive signed as a request to our site (``bounces/ses``), or unsigned as a mail, if an address subscribes
to the topic (https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from digest.core.delivery.bounces.address_status import parse_bounce
from digest.core.times.iso import parse_instant
from digest.errors import ReportError
from digest.model import BounceClass, MatchKeys, Report


def read_notification(text: str) -> tuple[Report, ...]:
    """Return a report for each recipient in a notification; its author is not verified here.

    Args:
        text: a JSON object at the beginning; in a mail, SNS appends lines of its own.

    Raises:
        ReportError: the text does not begin with a JSON object.
    """
    notification = _parse_object(text)
    if _get_text(notification, "Type") == "Notification":  # a mail may contain the envelope of SNS
        notification = _parse_object(_get_text(notification, "Message"))
    return tuple(_make_reports(notification))


def _parse_object(text: str) -> Mapping[str, Any]:
    try:
        parsed, _ = json.JSONDecoder(strict=False).raw_decode(text.lstrip())
    except (ValueError, RecursionError) as error:
        raise ReportError("it is not JSON") from error
    if not isinstance(parsed, dict):
        raise ReportError("it is not a JSON object")
    return parsed


def _make_reports(notification: Mapping[str, Any]) -> Iterator[Report]:
    match notification.get("notificationType") or notification.get("eventType"):
        case "Bounce":
            bounce_fields = _get_object(notification, "bounce")
            for recipient in _list_objects(bounce_fields, "bouncedRecipients"):
                bounce_class, status, answer = _derive_bounce_class(bounce_fields, recipient)
                report = Report(
                    bounce_class=bounce_class, status=status, answer=answer, at=_read_timestamp(bounce_fields)
                )
                yield replace(report, match_keys=_collect_match_keys(notification, recipient))
        case "Complaint":
            complaint = _get_object(notification, "complaint")
            kind = _get_text(complaint, "complaintFeedbackType")
            bounce_class = _NO_COMPLAINT.get(kind, BounceClass.COMPLAINT)
            for recipient in _list_objects(complaint, "complainedRecipients"):
                answer = (
                    f"a report of {kind or 'abuse'} by {_get_text(complaint, 'userAgent') or 'Amazon SES'}"
                )
                report = Report(bounce_class=bounce_class, answer=answer, at=_read_timestamp(complaint))
                yield replace(report, match_keys=_collect_match_keys(notification, recipient))
        case "Reject":
            answer = "Amazon SES found a virus in it"
            yield Report(
                bounce_class=BounceClass.OURS, answer=answer, match_keys=_collect_match_keys(notification, {})
            )


_NO_COMPLAINT = {"not-spam": BounceClass.NOTHING, "auth-failure": BounceClass.OURS, "virus": BounceClass.OURS}
_MESSAGE_FAULTS = frozenset({"MessageTooLarge", "ContentRejected", "AttachmentRejected"})


def _derive_bounce_class(
    bounce_fields: Mapping[str, Any], recipient: Mapping[str, Any]
) -> tuple[BounceClass, str, str]:
    """Return class, status code and words of a bounce: from the recipient's server's reply, or else from its type."""
    kind, detail = _get_text(bounce_fields, "bounceType"), _get_text(bounce_fields, "bounceSubType")
    status, diagnostic = _get_text(recipient, "status"), _get_text(recipient, "diagnosticCode")
    by_type = f"{kind} bounce: {detail}"
    if detail in {"Suppressed", "OnAccountSuppressionList"}:
        return BounceClass.CLOSED, status, diagnostic or "it is on Amazon's suppression list"
    if not status and not diagnostic:
        return _derive_class_by_type(kind, detail), "", by_type
    bounce_class, code, answer = parse_bounce(status, diagnostic.partition(";")[2].strip() or diagnostic)
    if kind != "Permanent" and bounce_class in {BounceClass.GONE, BounceClass.CLOSED}:
        bounce_class = BounceClass.SOFT  # Amazon classifies it as temporary
    return bounce_class, code, answer or by_type


def _derive_class_by_type(kind: str, detail: str) -> BounceClass:
    if detail in _MESSAGE_FAULTS:
        return BounceClass.OURS
    if kind == "Permanent":
        return BounceClass.GONE if detail == "NoEmail" else BounceClass.CLOSED
    # Out-of-office replies are reported as transient bounces without a reply of a server.
    return BounceClass.NOTHING if (kind, detail) == ("Transient", "General") else BounceClass.SOFT


def _read_timestamp(event: Mapping[str, Any]) -> datetime | None:
    return parse_instant(_get_text(event, "timestamp"))


def _collect_match_keys(notification: Mapping[str, Any], recipient: Mapping[str, Any]) -> MatchKeys:
    mail = _get_object(notification, "mail")
    headers = {
        _get_text(header, "name").lower(): _get_text(header, "value")
        for header in _list_objects(mail, "headers")
    }
    links = re.findall(r"/unsubscribe/([\w-]{1,32}\.[\w-]{24})(?![\w-])", headers.get("list-unsubscribe", ""))
    return MatchKeys(
        senders=tuple(filter(None, (_get_text(mail, "source"),))),
        message_ids=tuple(filter(None, (headers.get("message-id", ""),))),
        unsubscribe_tokens=tuple(links),
        recipients=tuple(filter(None, (_get_text(recipient, "emailAddress"),))),
    )


def _get_text(fields: Mapping[str, Any], key: str) -> str:
    value = fields.get(key)
    return value if isinstance(value, str) else ""


def _get_object(fields: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = fields.get(key)
    return value if isinstance(value, dict) else {}


def _list_objects(fields: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    value = fields.get(key)
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []
