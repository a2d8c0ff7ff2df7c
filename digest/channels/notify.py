"""Editions to chats and phones by Apprise: ``to = ["slack://…"]``, or any other address that it knows.

Apprise says yes or no, and writes what happened into a log: its lines are read here, and go nowhere else, for there are
secrets in them. It has no deadline unless it is given one, and follows redirects, by which a POST becomes a GET that
is answered with 200: it does not here. It can split a long text, but knows nothing of papers: we do that ourselves.
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
"""Bytes of a message where a service takes another number than Apprise thinks: Apprise makes a file of what has
more than 8,000 characters as JSON, in which a letter of two bytes has six; Teams takes 28 KB."""
_MARKUP_BY_SCHEME = {
    **dict.fromkeys(
        ("mmost", "mmosts", "zulip"), Markup.MARKDOWN
    ),  # their texts are in it, whatever Apprise says
    **dict.fromkeys(("json", "jsons", "xml", "xmls", "form", "forms"), Markup.TEXT),
    "slack": Markup.MRKDWN,
}
_APPRISE_FORMATS = {Markup.MRKDWN: Markup.MARKDOWN.value}
"""What Apprise is told where it knows no such markup: of Slack it makes the rest itself."""

_STATUS = re.compile(r"\berror\s*=\s*(\d{3})\b")
_RETRY_AFTER = re.compile(r"retry[ _]after[\"'\s:]{1,6}(\d{1,6}(?:\.\d{1,6})?)", re.IGNORECASE)
_NOT_SENT = re.compile(
    r"Failed to establish a new connection|Failed to resolve|NameResolutionError|ConnectTimeout"
    r"|CERTIFICATE_VERIFY_FAILED|Tunnel connection failed|No route to host|\b(?:registering|logging in|login)\b"
)
"""What shows that nobody heard of a message; a proxy's name stands also before answers that were lost."""
_CONNECTION_ERROR = re.compile(r"(?:Socket|I/O|HTTP) Exception: (.*)", re.DOTALL)
_BUSY_STATUSES = frozenset({408, 425, 429})
_GONE_STATUSES = frozenset({404, 410})
_PERMANENT_STATUSES = frozenset({400, 405, 406, 411, 413, 414, 415, 422, 501, 505})
_DEFAULT_RETRY_AFTER = timedelta(minutes=15)
"""How long who is asked too often is left alone where he may have said so in a header, which the log does not have."""
_APPRISE_MISSING = "chats and push need Apprise; run pip install apprise"


@dataclass(slots=True, kw_only=True)
class Channel(ports.Channel):
    """Says what is to be said, each service by itself; for one thread at a time.

    Attributes:
        urls: where to, as Apprise has it, by the address that a destination is known by.
        timeout: for a message and its answer, in seconds.
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
        """Say each chat, in one message or in several; what one service does is not told of another."""
        for message in messages:
            if not isinstance(message, Chat):
                raise TypeError(f"the channel notify accepts chats, not {type(message).__name__}")
            yield message, self._send_chat(message)

    def check(self) -> str:
        """Let Apprise read each address: whether somebody is there can only be told by saying something."""
        for address in self.urls:
            self._get_service(address)
        descriptions = ", ".join(
            f"{address} ({self._get_service(address).service_name})" for address in self.urls
        )
        return f"{descriptions}; `digest preview NAME --to` sends a test"

    def close(self) -> None:
        """Nothing is held."""
        self._services.clear()

    # --- saying -----------------------------------------------------------------------------------

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
    """What Apprise makes of an address.

    Raises:
        ChannelError: nothing.
    """
    # Imported here: it takes a second of CPU.
    from apprise import Apprise, AppriseAsset

    log = logging.getLogger("apprise")
    log.propagate = False
    log.setLevel(logging.DEBUG)
    if not log.handlers:
        log.addHandler(logging.NullHandler())
    logging.getLogger("urllib3").setLevel(logging.INFO)  # below that it tells addresses
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


# --- what is said ---------------------------------------------------------------------------------


class _ChatPart(NamedTuple):
    """One message."""

    title: str
    body: str
    markup: Markup


def _split_chat(chat: Chat, service: NotifyBase, scheme: str) -> list[_ChatPart]:
    """The messages; where a service has no titles that are plain text, the title is the first line."""
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
    """What a service has most of; Telegram refuses Markdown that it does not like, and says so of no HTML of ours."""
    formats = {
        markup.value
        for markup in (Markup.HTML, Markup.MARKDOWN)
        if _resolve_format(service, markup) == markup.value
    }
    return Markup.HTML if "html" in formats else Markup.MARKDOWN if formats else Markup.TEXT


def _resolve_format(service: NotifyBase, markup: Markup) -> str:
    from apprise import NotifyFormat

    return str(service.resolve_format(NotifyFormat(markup.value)).value)


# --- what was answered ----------------------------------------------------------------------------


def classify_failure(lines: Sequence[tuple[str, str]]) -> Deferred | Refused | Unknown:
    """The receipt for a no of Apprise.

    Args:
        lines: what it wrote into its log: level and message.
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
