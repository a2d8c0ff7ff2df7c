"""Amazon SES through an SNS topic: ``[[bounces.provider]]`` with ``use = "ses"``.

SNS signs its messages and names the address of the certificate. Both are trusted only if the topic is ours
and the address belongs to SNS in the topic's region
(https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html).
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

from digest import ports
from digest.core.delivery.bounces.ses_notification import read_notification
from digest.core.times.iso import parse_instant
from digest.errors import OptionError, ReportError
from digest.model import Report

_TOPIC = re.compile(
    r"arn:(aws|aws-cn|aws-us-gov):sns:([a-z]{2}(?:-[a-z]+)+-\d):\d{12}:[\w-]{1,256}(?:\.fifo)?"
)
_CERTIFICATE = re.compile(r"[A-Za-z0-9_.-]{1,200}\.pem")
"""The path of a certificate, without a query: any query would make another address of the same certificate."""
_MIN_SIGNATURE_BYTES, _MAX_SIGNATURE_BYTES = 128, 1024
"""Size limits of a signature, in bytes: RSA keys of 1,024 to 8,192 bits."""
_MAX_AGE, _MAX_CLOCK_LEAD = timedelta(days=2), timedelta(minutes=15)
"""Maximum age of a message, and how far its time may be ahead of our clock.

SNS retries for hours while we do not answer.
"""

_SIGNED_FIELDS = {
    "Notification": ("Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"),
    "SubscriptionConfirmation": (
        *("Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"),
    ),
}
_SIGNED_FIELDS["UnsubscribeConfirmation"] = _SIGNED_FIELDS["SubscriptionConfirmation"]
"""The signed fields of each type of message, in the order in which they are signed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider(ports.Provider):
    """Amazon SES.

    Attributes:
        topic: the ARN of the topic to which it publishes bounces and complaints.
    """

    topic: str

    def __post_init__(self) -> None:
        if not _TOPIC.fullmatch(self.topic):
            raise OptionError(
                "write the topic's ARN, such as arn:aws:sns:eu-west-1:123456789012:bounces", "topic"
            )

    def read_reports(
        self, request: ports.PostedRequest, now: datetime, fetch: Callable[[str], bytes]
    ) -> tuple[Report, ...]:
        """Read the reports in a message of SNS, and confirm a new subscription to our topic."""
        message = _parse_object(request.body)
        kind = _get_text(message, "Type")
        if kind not in _SIGNED_FIELDS:
            raise ReportError(
                "it is not an SNS message; raw message delivery must be off, because it is not signed"
            )
        if _get_text(message, "TopicArn") != self.topic:
            raise ReportError("its topic is not that of [[bounces.provider]]")
        sent_at = parse_instant(_get_text(message, "Timestamp"))
        if sent_at is None or not now - _MAX_AGE < sent_at < now + _MAX_CLOCK_LEAD:
            raise ReportError(
                "its time is too far from ours: somebody repeats an old message, or our clock is wrong"
            )
        signature = _decode_signature(message)
        url = self._require_sns_address(_get_text(message, "SigningCertURL"))
        if not _CERTIFICATE.fullmatch(url.partition("//")[2].partition("/")[2]):
            raise ReportError("its certificate address is not valid")
        _verify_signature(message, kind, signature, fetch(url), now)
        if kind == "SubscriptionConfirmation":
            self._confirm(message, fetch)
            return ()
        if kind == "UnsubscribeConfirmation":
            raise ReportError(
                f"the subscription to {self.topic} has ended; bounces are not reported until you subscribe again"
            )
        return tuple(
            replace(report, is_trusted=True) for report in read_notification(_get_text(message, "Message"))
        )

    def _confirm(self, message: Mapping[str, Any], fetch: Callable[[str], bytes]) -> None:
        """Request the address that confirms the subscription, which must name our topic as the signed message does."""
        url = self._require_sns_address(_get_text(message, "SubscribeURL"))
        parameters = parse_qs(urlsplit(url).query)
        if parameters.get("Action") != ["ConfirmSubscription"] or parameters.get("TopicArn") != [self.topic]:
            raise ReportError("its confirmation address is not for a subscription to our topic")
        fetch(url)

    def _require_sns_address(self, url: str) -> str:
        """Return an address of SNS in our topic's region.

        Raises:
            ReportError: it is an address of another host.
        """
        match = _TOPIC.fullmatch(self.topic)
        assert match is not None
        domain_suffix = ".cn" if match[1] == "aws-cn" else ""
        try:
            url_parts = urlsplit(url)
            origin = (url_parts.scheme, url_parts.netloc)
        except ValueError:
            origin = ("", "")
        if origin != ("https", f"sns.{match[2]}.amazonaws.com{domain_suffix}"):
            raise ReportError("its address is not one of SNS in the topic's region")
        return url


def _decode_signature(message: Mapping[str, Any]) -> bytes:
    """Return the signature, so that no certificate is fetched for a message that cannot be verified.

    Raises:
        ReportError: there is no valid signature, or its version is unknown.
    """
    version = _get_text(message, "SignatureVersion")
    if version not in {"1", "2"}:
        raise ReportError(f"its signature version {version!r} is not supported")
    try:
        signature = base64.b64decode(_get_text(message, "Signature"), validate=True)
    except (ValueError, binascii.Error):
        signature = b""
    if not _MIN_SIGNATURE_BYTES <= len(signature) <= _MAX_SIGNATURE_BYTES:
        raise ReportError("its signature cannot be read")
    return signature


def _verify_signature(
    message: Mapping[str, Any], kind: str, signature: bytes, certificate_pem: bytes, now: datetime
) -> None:
    """Verify the signature with the certificate, for signature version 1 (SHA-1) or 2 (SHA-256).

    Raises:
        ReportError: the signature is wrong, or the certificate is unreadable, not valid at this time, or not
            for RSA.
    """
    # The import is slow and only needed for SNS.
    from cryptography import x509
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import padding, rsa

    signed_text = "".join(
        f"{key}\n{message[key]}\n" for key in _SIGNED_FIELDS[kind] if isinstance(message.get(key), str)
    )
    try:
        certificate = x509.load_pem_x509_certificate(certificate_pem)
        key = certificate.public_key()
    except ValueError as error:
        raise ReportError("its certificate cannot be read") from error
    if not certificate.not_valid_before_utc <= now <= certificate.not_valid_after_utc:
        raise ReportError("its certificate is not valid at this time")
    if not isinstance(key, rsa.RSAPublicKey):
        raise ReportError("its certificate is not for RSA")
    hash_algorithm = hashes.SHA1() if message["SignatureVersion"] == "1" else hashes.SHA256()  # noqa: S303 - what signature version 1 is
    try:
        key.verify(signature, signed_text.encode(), padding.PKCS1v15(), hash_algorithm)
    except InvalidSignature as error:
        raise ReportError("its signature is wrong") from error


# --- untrusted JSON -------------------------------------------------------------------------------


def _parse_object(body: bytes) -> Mapping[str, Any]:
    try:
        message = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise ReportError("it is not JSON") from error
    if not isinstance(message, dict):
        raise ReportError("it is not a JSON object")
    return message


def _get_text(message: Mapping[str, Any], key: str) -> str:
    value = message.get(key)
    return value if isinstance(value, str) else ""
