"""Editions as messages to chats and phones by Apprise: ``to = ["slack://…"]``, or another address that it supports.

Apprise only returns success or failure, and writes the details into a log. The log is parsed here and goes
nowhere else, because it contains secrets. Apprise has no deadline unless it is given one. Its redirects are
switched off: they turn a POST into a GET, which is answered with 200. Long texts are split here, because
Apprise would split them within papers.
"""

from __future__ import annotations

import importlib.util
import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from digest import ports
from digest.core.delivery.chat import Markup, make_messages
from digest.errors import ChannelError, ConfigError
from digest.model import (
    AddressKind,
    Chat,
    Deferred,
    Fault,
    Message,
    MessageForm,
    Receipt,
    Refused,
    Sent,
    Span,
    Unknown,
)
from digest.redaction import redact_answer

if TYPE_CHECKING:
    from apprise import NotifyBase

_MAX_BODY_BYTES = {"ntfy": 2_300, "ntfys": 2_300, "workflow": 20_000, "workflows": 20_000}
"""Maximum length of a message body, in bytes, for services that accept less than Apprise assumes.

ntfy: Apprise sends a message as a file if its JSON exceeds 8,000 characters, and there a letter of two bytes
takes six characters. Teams accepts 28 KB.
"""
_MARKUP_BY_SCHEME = {
    # Apprise reports plain text for these services, but they render Markdown.
    **dict.fromkeys(("mmost", "mmosts", "zulip"), Markup.MARKDOWN),
    **dict.fromkeys(("json", "jsons", "xml", "xmls", "form", "forms"), Markup.TEXT),
    "slack": Markup.MRKDWN,
}
_APPRISE_FORMATS = {Markup.MRKDWN: Markup.MARKDOWN.value}
"""Names of formats passed to Apprise for markups that it lacks; it converts this Markdown to Slack's markup itself."""

_STATUS = re.compile(r"\berror\s*=\s*(\d{3})\b")
_RETRY_AFTER = re.compile(r"retry[ _]after[\"'\s:]{1,6}(\d{1,6}(?:\.\d{1,6})?)", re.IGNORECASE)
_NOT_SENT = re.compile(
    r"Failed to establish a new connection|Failed to resolve|NameResolutionError|ConnectTimeout"
    r"|CERTIFICATE_VERIFY_FAILED|Tunnel connection failed|No route to host|\b(?:registering|logging in|login)\b"
)
"""Errors which show that the message was not sent. ``ProxyError`` is not among them: it also names a proxy that
lost the answer.
"""
_CONNECTION_ERROR = re.compile(r"(?:Socket|I/O|HTTP) Exception: (.*)", re.DOTALL)
_BUSY_STATUSES = frozenset({408, 425, 429})
_GONE_STATUSES = frozenset({404, 410})
_PERMANENT_STATUSES = frozenset({400, 405, 406, 411, 413, 414, 415, 422, 501, 505})
_DEFAULT_RETRY_AFTER = timedelta(minutes=15)
"""Pause after status 429 if the log names none; the service may have named one in a header, which the log lacks."""
_APPRISE_MISSING = "chats and push need Apprise; run pip install apprise"


@dataclass(slots=True, kw_only=True)
class Channel(ports.Channel):
    """Sends chats, each by its own service; for one thread at a time.

    Attributes:
        urls: the whole addresses in Apprise's syntax, by the public address of the destination.
        timeout: time limit for one message and its answer, in seconds.
    """

    form: ClassVar[MessageForm] = MessageForm.CHAT
    address_kind: ClassVar[AddressKind] = AddressKind.URL

    urls: Mapping[str, str] = field(repr=False)
    timeout: float = 30.0
    _services: dict[str, Any] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        if importlib.util.find_spec("apprise") is None:
            raise ConfigError(_APPRISE_MISSING)

    def deliver(self, messages: Sequence[Message]) -> Iterator[tuple[Message, Receipt]]:
        """Send each chat, in one message or several; a failure of one service does not affect the others."""
        for message in messages:
            if not isinstance(message, Chat):
                raise TypeError(f"the channel notify accepts chats, not {type(message).__name__}")
            yield message, self._send_chat(message)

    def check(self) -> str:
        """Let Apprise parse each address; only a message could show whether the service accepts it."""
        for address in self.urls:
            self._get_service(address)
        descriptions = ", ".join(
            f"{address} ({self._get_service(address).service_name})" for address in self.urls
        )
        return f"{descriptions}; `digest preview NAME --to` sends a test"

    def close(self) -> None:
        """Forget the parsed addresses."""
        self._services.clear()

    # --- sending ----------------------------------------------------------------------------------

    def _send_chat(self, chat: Chat) -> Receipt:
        if chat.address not in self.urls:
            return Deferred(answer="the configuration no longer has this address, or it has changed")
        try:
            service = self._get_service(chat.address)
        except ChannelError as error:
            return Refused(answer=str(error), fault=Fault.OURS)
        url = self.urls[chat.address]
        parts = _split_chat(chat, service, url.partition("://")[0].lower())
        for index, part in enumerate(parts[chat.sent_parts :], start=chat.sent_parts):
            receipt = self._send_part(service, part)
            if not isinstance(receipt, Sent):
                receipt = replace(receipt, answer=redact_answer(receipt.answer, url))
                return receipt if isinstance(receipt, Refused) else replace(receipt, sent_parts=index)
        return Sent(answer=f"in {len(parts)} messages" if len(parts) > 1 else "")

    def _send_part(self, service: NotifyBase, part: _ChatPart) -> Receipt:
        from apprise import Apprise, NotifyFormat
        from apprise.result import AppriseResultStatus

        apprise = Apprise(asset=service.asset)
        apprise.add(service)
        result = apprise.notify(
            body=part.body,
            title=part.title,
            body_format=NotifyFormat(_APPRISE_FORMATS.get(part.markup, part.markup.value)),
            timeout=self.timeout,
            log_level=logging.DEBUG,
        )
        if result.status is AppriseResultStatus.SUCCESS:
            return Sent()
        if result.status is AppriseResultStatus.TIMEOUT:
            return Unknown(answer=f"there was no answer within {self.timeout:g} seconds")
        return classify_failure([(entry.level, entry.message) for entry in result.logs()])

    def _get_service(self, address: str) -> NotifyBase:
        if address not in self._services:
            self._services[address] = _make_service(address, self.urls[address])
        service: NotifyBase = self._services[address]
        return service


def _make_service(address: str, url: str) -> NotifyBase:
    """Return Apprise's plug-in object for an address.

    Raises:
        ChannelError: Apprise cannot parse the address.
    """
    # Imported here because the import takes a second of CPU time.
    from apprise import Apprise, AppriseAsset

    log = logging.getLogger("apprise")
    log.propagate = False
    log.setLevel(logging.DEBUG)
    if not log.handlers:
        log.addHandler(logging.NullHandler())
    logging.getLogger("urllib3").setLevel(logging.INFO)  # its debug messages contain addresses
    asset = AppriseAsset(
        app_id="digest",
        app_desc="digest",
        app_url="",
        image_url_mask="",
        image_url_logo="",
        async_mode=False,
        storage_mode="memory",
        http_redirects=False,
    )
    service = Apprise.instantiate(url, asset=asset)
    if service is None:
        raise ChannelError(
            f"Apprise does not understand the address {address}; see https://appriseit.com/services/ for the syntax"
        )
    return service


# --- messages -------------------------------------------------------------------------------------


class _ChatPart(NamedTuple):
    """One message of a chat."""

    title: str
    body: str
    markup: Markup


def _split_chat(chat: Chat, service: NotifyBase, scheme: str) -> list[_ChatPart]:
    """Split a chat into messages; if the service has no plain-text titles, the title becomes the first line."""
    markup = _MARKUP_BY_SCHEME.get(scheme) or _choose_markup(service)
    max_body = _MAX_BODY_BYTES.get(scheme) or int(service.body_maxlen)
    max_title = service.title_maxlen if markup is Markup.TEXT else 0
    if not max_title:
        title_line = (Span(chat.title, strong=True),)
        return [
            _ChatPart("", body, markup)
            for body in make_messages(replace(chat, opening=(title_line, *chat.opening)), markup, max_body)
        ]
    bodies = make_messages(chat, markup, max_body - max_title)
    counters = [
        f" ({counter}/{len(bodies)})" if len(bodies) > 1 else "" for counter in range(1, len(bodies) + 1)
    ]
    return [
        _ChatPart(f"{chat.title[: max_title - len(counter)]}{counter}", body or chat.title, markup)
        for counter, body in zip(counters, bodies, strict=True)
    ]


def _choose_markup(service: NotifyBase) -> Markup:
    """Return the richest markup that a service supports: HTML, then Markdown, then plain text.

    HTML comes first because Telegram refuses Markdown that it cannot parse, and accepts our HTML.
    """
    formats = {
        markup.value
        for markup in (Markup.HTML, Markup.MARKDOWN)
        if _resolve_format(service, markup) == markup.value
    }
    return Markup.HTML if "html" in formats else Markup.MARKDOWN if formats else Markup.TEXT


def _resolve_format(service: NotifyBase, markup: Markup) -> str:
    from apprise import NotifyFormat

    return str(service.resolve_format(NotifyFormat(markup.value)).value)


# --- receipts -------------------------------------------------------------------------------------


def classify_failure(lines: Sequence[tuple[str, str]]) -> Deferred | Refused | Unknown:
    """Return the receipt for a failure reported by Apprise.

    Args:
        lines: pairs of level and message, from its log.
    """
    warnings = [message for level, message in lines if level in {"WARNING", "ERROR", "CRITICAL"}]
    answer = " ".join(
        "".join(character if character.isprintable() else " " for character in "; ".join(warnings)).split()
    )[:300]
    log_text = "\n".join(message for _, message in lines)
    connection_error = _CONNECTION_ERROR.search(log_text)
    statuses = _STATUS.findall(" ".join(warnings))
    if not statuses and connection_error:
        if _NOT_SENT.search(f"{connection_error[1]} {answer}"):
            return Deferred(answer=answer, fault=Fault.DOMAIN)
        return Unknown(answer=answer)
    return _classify_status(
        int(statuses[-1]) if statuses else 0, answer or "Apprise gives no reason", log_text
    )


def _classify_status(status: int, answer: str, log_text: str) -> Deferred | Refused:
    if status in _PERMANENT_STATUSES:
        return Refused(answer=answer, fault=Fault.OURS)
    if status in _GONE_STATUSES:
        return Refused(answer=answer)
    if status in _BUSY_STATUSES or status >= 500:
        match = _RETRY_AFTER.search(log_text)
        default_pause = _DEFAULT_RETRY_AFTER if status == 429 else None
        retry_after = timedelta(seconds=min(float(match[1]), 86_400)) if match else default_pause
        return Deferred(answer=answer, fault=Fault.DOMAIN, retry_after=retry_after)
    return Deferred(answer=answer)
