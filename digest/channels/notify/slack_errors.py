"""Receipts for responses of Slack, by the names of its errors.

Those of incoming webhooks: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks; those of
bots: https://docs.slack.dev/reference/methods/chat.postMessage. A name says more than a status, which is 200 for
all errors of bots.
"""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import UTC, datetime

from digest.channels.notify.statuses import classify_status
from digest.core.times.retry import parse_retry_after
from digest.model import Deferred, Fault, Receipt, Refused, Sent, Unknown

_MAX_ANSWER_LENGTH = 300
"""Maximum length of the excerpt of a response body in a receipt, in characters."""
_MESSAGE_ERRORS = frozenset(
    {
        "invalid_arguments",
        "invalid_blocks",
        "invalid_blocks_format",
        "invalid_json",
        "invalid_payload",
        "missing_text_or_fallback_or_attachments",
        "msg_blocks_too_long",
        "msg_too_long",
        "no_text",
        "too_many_attachments",
    }
)
"""Slack does not accept the message."""
_ADDRESS_ERRORS = frozenset(
    {
        "account_inactive",
        "action_prohibited",
        "channel_is_archived",
        "channel_not_found",
        "invalid_auth",
        "invalid_token",
        "is_archived",
        "missing_scope",
        "no_active_hooks",
        "no_permission",
        "no_service",
        "no_service_id",
        "no_team",
        "not_allowed_token_type",
        "not_authed",
        "not_in_channel",
        "posting_to_general_channel_denied",
        "restricted_action",
        "team_disabled",
        "token_expired",
        "token_revoked",
        "user_not_found",
    }
)
"""The webhook, the bot or the channel no longer exists, or must not be used, until a person does something."""
_BUSY_ERRORS = frozenset(
    {"rate_limited", "ratelimited", "request_timeout", "rollup_error", "service_unavailable"}
)
"""Slack is in trouble, or wants fewer messages."""
_UNKNOWN_ERRORS = frozenset({"fatal_error", "internal_error"})
"""The message may have been posted, according to Slack."""
_KNOWN_ERRORS = _MESSAGE_ERRORS | _ADDRESS_ERRORS | _BUSY_ERRORS | _UNKNOWN_ERRORS


def classify_response(status: int, retry_after_header: str, body: str, *, keeps_body: bool = True) -> Receipt:
    """Return the receipt for a response.

    Args:
        status: the HTTP status.
        retry_after_header: the value of the header Retry-After, or "".
        body: of a webhook, ``ok`` or the name of an error; of a bot, JSON with these.
        keeps_body: whether the answer of the receipt may contain more of it than the name of a known error.
    """
    name = _read_name(body)
    if status == 200 and name == "ok":
        return Sent()
    excerpt = " ".join("".join(character if character.isprintable() else " " for character in body).split())
    words = name or excerpt
    if not (keeps_body or name in _KNOWN_ERRORS):
        words = ""
    answer = f"HTTP {status} {words}"[:_MAX_ANSWER_LENGTH].strip()
    if name in _MESSAGE_ERRORS:
        return Refused(answer=answer, fault=Fault.OURS)
    if name in _ADDRESS_ERRORS:
        return Refused(answer=answer)
    if name in _UNKNOWN_ERRORS or (status == 200 and not name):
        return Unknown(answer=answer)
    # Retry-After can be a date, which is compared with our clock.
    retry_after = parse_retry_after(retry_after_header, datetime.now(UTC))
    if name in _BUSY_ERRORS:
        return Deferred(answer=answer, fault=Fault.DOMAIN, retry_after=retry_after)
    return classify_status(status, answer, retry_after)


def _read_name(body: str) -> str:
    """Return ``ok`` or the name of the error in a body; "" if it has neither."""
    text = body.strip()
    if text.isidentifier():
        return text
    with suppress(ValueError, RecursionError):
        document = json.loads(text)
        if isinstance(document, dict):
            return "ok" if document.get("ok") is True else str(document.get("error", ""))
    return ""
