"""Postmark: ``[[bounces.provider]]`` with ``use = "postmark"``.

It reads Postmark's webhooks for bounces, spam complaints and subscription changes. They have no signature;
they are authenticated by the user name and password in the address of the webhook
(https://postmarkapp.com/developer/webhooks/webhooks-overview).
"""

from __future__ import annotations

import base64
import binascii
import hmac
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from digest import ports
from digest.core.delivery.bounces.address_status import parse_bounce
from digest.core.delivery.bounces.reports import find_match_keys
from digest.core.times.iso import parse_instant
from digest.errors import OptionError, ReportError
from digest.model import BounceClass, MatchKeys, Report

_MIN_PASSWORD_LENGTH = 12

_BOUNCE_CLASSES = {
    "HardBounce": BounceClass.CLOSED,
    "BadEmailAddress": BounceClass.GONE,
    "ManuallyDeactivated": BounceClass.CLOSED,
    "SoftBounce": BounceClass.SOFT,
    "DnsError": BounceClass.SOFT,
    "Unknown": BounceClass.SOFT,
    "Blocked": BounceClass.OURS,
    "SpamNotification": BounceClass.OURS,
    "VirusNotification": BounceClass.OURS,
    "DMARCPolicy": BounceClass.OURS,
    "SpamComplaint": BounceClass.COMPLAINT,
}
"""Bounce classes by Postmark's types; other types say nothing about an address.

The reply of the recipient's server, if Postmark passes it on, is more precise.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider(ports.Provider):
    """Postmark.

    Attributes:
        username: the user name in the webhook's address,
            ``https://USERNAME:PASSWORD@digest.example.org/bounces/postmark``.
        password: the password in that address, of at least 12 characters.
    """

    username: str
    password: str = field(repr=False)

    def __post_init__(self) -> None:
        if len(self.password) < _MIN_PASSWORD_LENGTH:
            raise OptionError(
                f"anyone who guesses it can suppress every reader; use at least {_MIN_PASSWORD_LENGTH} characters, for example from `openssl rand -hex 16`",
                "password",
            )

    def read_reports(
        self,
        request: ports.PostedRequest,
        now: datetime,  # noqa: ARG002 - the port's
        fetch: Callable[[str], bytes],  # noqa: ARG002 - the port's
    ) -> tuple[Report, ...]:
        """Read the report in the request of a webhook."""
        if not self._is_authenticated(dict(request.headers).get("authorization", "")):
            raise ReportError("its user name and password are not those of [[bounces.provider]]")
        try:
            event = json.loads(request.body)
        except (ValueError, RecursionError) as error:
            raise ReportError("it is not JSON") from error
        if not isinstance(event, dict):
            raise ReportError("it does not look like a Postmark webhook")
        match event.get("RecordType"):
            case "Bounce" | "SpamComplaint":
                return (_read_bounce(event),)
            case "SubscriptionChange" if _is_unsubscribed(event):
                return (_read_unsubscribe(event),)
            case _:
                return ()

    def _is_authenticated(self, header: str) -> bool:
        """Whether basic authentication (RFC 7617) is valid, in a time that does not depend on the difference."""
        kind, _, encoded = header.partition(" ")
        try:
            login = base64.b64decode(encoded.strip(), validate=True)
        except (binascii.Error, ValueError):
            login = b""
        expected_login = f"{self.username}:{self.password}".encode()
        return hmac.compare_digest(login, expected_login) and kind.lower() == "basic"


def _read_bounce(event: Mapping[str, Any]) -> Report:
    kind, details = _get_text(event, "Type"), _get_text(event, "Details") or _get_text(event, "Description")
    bounce_class, status = _BOUNCE_CLASSES.get(kind, BounceClass.NOTHING), ""
    if bounce_class in {BounceClass.CLOSED, BounceClass.SOFT} and kind not in {
        "ManuallyDeactivated",
        "DnsError",
    }:
        text_class, status, _ = parse_bounce("", details)
        if status or text_class is BounceClass.GONE:
            bounce_class = text_class if kind == "HardBounce" else _soften_class(text_class)
    return Report(
        bounce_class=bounce_class,
        status=status,
        answer=details or kind,
        match_keys=_find_match_keys(event, _get_text(event, "Email")),
        is_trusted=True,
        at=parse_instant(_get_text(event, "BouncedAt")),
    )


def _soften_class(bounce_class: BounceClass) -> BounceClass:
    """Return the class of a bounce that Postmark considers temporary: a permanent failure becomes a soft bounce."""
    return BounceClass.SOFT if bounce_class in {BounceClass.GONE, BounceClass.CLOSED} else bounce_class


def _is_unsubscribed(event: Mapping[str, Any]) -> bool:
    is_by_reader = (
        event.get("Origin") == "Recipient" and event.get("SuppressionReason") == "ManualSuppression"
    )
    return is_by_reader and event.get("SuppressSending") is True


def _read_unsubscribe(event: Mapping[str, Any]) -> Report:
    return Report(
        bounce_class=BounceClass.COMPLAINT,
        answer="unsubscribed at Postmark",
        match_keys=_find_match_keys(event, _get_text(event, "Recipient")),
        is_trusted=True,
        at=parse_instant(_get_text(event, "ChangedAt")),
    )


def _find_match_keys(event: Mapping[str, Any], recipient: str) -> MatchKeys:
    """Find the keys that match a report with its delivery.

    Postmark removes our return path and Message-ID. ``Content``, if the webhook includes it, has the original
    bounce.
    """
    content = _get_text(event, "Content").encode(errors="replace")
    return find_match_keys(content, (recipient,), (_get_text(event, "From"),))


def _get_text(event: Mapping[str, Any], key: str) -> str:
    value = event.get(key)
    return value if isinstance(value, str) else ""
