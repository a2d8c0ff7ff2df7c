"""Postmark: ``[[bounces.provider]]`` with ``use = "postmark"``.

Its webhooks for bounces, spam complaints and subscription changes; it signs nothing, and says who it is by the user name
and password in the webhook's address (https://postmarkapp.com/developer/webhooks/webhooks-overview).
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
from digest.core.delivery.bounces.address_status import bounce
from digest.core.delivery.bounces.reports import clues_in
from digest.core.times.iso import instant
from digest.errors import OptionError, ReportError
from digest.model import Clues, Finding, Report

_SHORTEST = 12

_TYPES = {
    "HardBounce": Finding.CLOSED,
    "BadEmailAddress": Finding.GONE,
    "ManuallyDeactivated": Finding.CLOSED,
    "SoftBounce": Finding.SOFT,
    "DnsError": Finding.SOFT,
    "Unknown": Finding.SOFT,
    "Blocked": Finding.OURS,
    "SpamNotification": Finding.OURS,
    "VirusNotification": Finding.OURS,
    "DMARCPolicy": Finding.OURS,
    "SpamComplaint": Finding.COMPLAINT,
}
"""What its types of bounces say where the server's own words are not passed on; the others say nothing of an address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider(ports.Provider):
    """Postmark.

    Attributes:
        username: as in the webhook's address, ``https://USERNAME:PASSWORD@digest.example.org/bounces/postmark``.
    """

    username: str
    password: str = field(repr=False)

    def __post_init__(self) -> None:
        if len(self.password) < _SHORTEST:
            raise OptionError(
                f"who guesses it can suppress every reader: take {_SHORTEST} characters or more, "
                "as `openssl rand -hex 16` gives them",
                "password",
            )

    def reports(
        self,
        posted: ports.Posted,
        now: datetime,  # noqa: ARG002 - the port's
        fetch: Callable[[str], bytes],  # noqa: ARG002 - the port's
    ) -> tuple[Report, ...]:
        """What a webhook says."""
        if not self._is_known(dict(posted.headers).get("authorization", "")):
            raise ReportError(
                "it has not the user name and password that [[bounces.provider]] has for Postmark"
            )
        try:
            told = json.loads(posted.body)
        except (ValueError, RecursionError) as error:
            raise ReportError("it is no JSON") from error
        if not isinstance(told, dict):
            raise ReportError("it is not what Postmark's webhooks look like")
        match told.get("RecordType"):
            case "Bounce" | "SpamComplaint":
                return (_bounce(told),)
            case "SubscriptionChange" if _is_unsubscribed(told):
                return (_unsubscribed(told),)
            case _:
                return ()

    def _is_known(self, header: str) -> bool:
        """Basic authentication (RFC 7617), compared in a time that does not depend on what is wrong."""
        kind, _, coded = header.partition(" ")
        try:
            login = base64.b64decode(coded.strip(), validate=True)
        except (binascii.Error, ValueError):
            login = b""
        own = f"{self.username}:{self.password}".encode()
        return hmac.compare_digest(login, own) and kind.lower() == "basic"


def _bounce(told: Mapping[str, Any]) -> Report:
    kind, said = _text(told, "Type"), _text(told, "Details") or _text(told, "Description")
    finding, status = _TYPES.get(kind, Finding.NOTHING), ""
    if finding in {Finding.CLOSED, Finding.SOFT} and kind not in {"ManuallyDeactivated", "DnsError"}:
        by_words, status, _ = bounce("", said)
        if status or by_words is Finding.GONE:
            finding = by_words if kind == "HardBounce" else _milder(by_words)
    return Report(
        finding=finding,
        status=status,
        answer=said or kind,
        clues=_clues(told, _text(told, "Email")),
        trusted=True,
        at=instant(_text(told, "BouncedAt")),
    )


def _milder(finding: Finding) -> Finding:
    """What may pass, says Postmark."""
    return Finding.SOFT if finding in {Finding.GONE, Finding.CLOSED} else finding


def _is_unsubscribed(told: Mapping[str, Any]) -> bool:
    by_reader = told.get("Origin") == "Recipient" and told.get("SuppressionReason") == "ManualSuppression"
    return by_reader and told.get("SuppressSending") is True


def _unsubscribed(told: Mapping[str, Any]) -> Report:
    return Report(
        finding=Finding.COMPLAINT,
        answer="unsubscribed at Postmark",
        clues=_clues(told, _text(told, "Recipient")),
        trusted=True,
        at=instant(_text(told, "ChangedAt")),
    )


def _clues(told: Mapping[str, Any], recipient: str) -> Clues:
    """Postmark takes our return path and Message-ID away; ``Content``, if it is asked for, has what came back."""
    content = _text(told, "Content").encode(errors="replace")
    return clues_in(content, (recipient,), (_text(told, "From"),))


def _text(told: Mapping[str, Any], key: str) -> str:
    value = told.get(key)
    return value if isinstance(value, str) else ""
