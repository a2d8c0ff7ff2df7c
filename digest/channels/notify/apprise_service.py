"""Messages to chats and phones by Apprise.

Apprise only returns success or failure, and writes the details into a log. The log is parsed here and goes
nowhere else, because it contains secrets. Apprise has no deadline unless it is given one. Its redirects are
switched off: they turn a POST into a GET, which is answered with 200. Long texts are split here, because
Apprise would split them within papers.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from digest.channels.notify.statuses import classify_status
from digest.core.delivery.chat import Markup, make_messages
from digest.errors import ChannelError
from digest.model import Chat, Deferred, Fault, Receipt, Refused, Sent, Span, Unknown

if TYPE_CHECKING:
    from apprise import NotifyBase

_MAX_BODY_BYTES = {
    "ntfy": 2_300,
    "ntfys": 2_300,
    "workflow": 20_000,
    "workflows": 20_000,
    "matrix": 20_000,
    "matrixs": 20_000,
    "slack": 7_500,
}
"""Maximum length of a message body, in bytes, for services that accept less than Apprise assumes.

ntfy: Apprise sends a message as a file if its JSON exceeds 8,000 characters, and there a letter of two bytes
takes six characters. Teams accepts 28 KB. Matrix accepts 64 KiB, and Apprise sends the text
without markup, too. Slack cuts the text of an attachment at 8,000 characters.
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
_ERROR_CODE = re.compile(r"\berror\s*=\s*(\d{1,6})\b")
_RETRY_AFTER = re.compile(r"retry[ _]after[\"'\s:]{1,6}(\d{1,6}(?:\.\d{1,6})?)", re.IGNORECASE)
_NOT_SENT = re.compile(
    r"Failed to establish a new connection|Failed to resolve|NameResolutionError|ConnectTimeout"
    r"|CERTIFICATE_VERIFY_FAILED|Tunnel connection failed|No route to host|\b(?:registering|logging in|login)\b"
)
"""Errors which show that the message was not sent. ``ProxyError`` is not among them: it also names a proxy that
lost the answer.
"""
_CONNECTION_ERROR = re.compile(r"(?:Socket|I/O|HTTP) Exception: (.*)", re.DOTALL)
_DEFAULT_RETRY_AFTER = timedelta(minutes=15)
"""Pause after status 429 if the log names none; the service may have named one in a header, which the log lacks."""


class AppriseService:
    """Sends chats by Apprise.

    Args:
        address: the public address of the destination.
        url: the whole address in Apprise's syntax.
        timeout: time limit for one message and its answer, in seconds.
        keeps_body: whether receipts may contain what the service answered, beside the status.

    Raises:
        ChannelError: Apprise cannot parse the address.
    """

    def __init__(self, address: str, url: str, timeout: float, *, keeps_body: bool = True) -> None:
        self._plugin = _make_plugin(address, url)
        self._scheme = url.partition("://")[0].lower()
        self._timeout = timeout
        self._keeps_body = keeps_body

    @property
    def name(self) -> str:
        """The name of the service."""
        return str(self._plugin.service_name)

    def make_requests(self, chat: Chat) -> Sequence[Callable[[], Receipt]]:
        """Return for each message of a chat, in order, the function that sends it."""
        return [partial(self._send, part) for part in _split_chat(chat, self._plugin, self._scheme)]

    def _send(self, part: _ChatPart) -> Receipt:
        from apprise import Apprise, NotifyFormat
        from apprise.result import AppriseResultStatus

        apprise = Apprise(asset=self._plugin.asset)
        apprise.add(self._plugin)
        result = apprise.notify(
            body=part.body,
            title=part.title,
            body_format=NotifyFormat(_APPRISE_FORMATS.get(part.markup, part.markup.value)),
            timeout=self._timeout,
            log_level=logging.DEBUG,
        )
        if result.status is AppriseResultStatus.SUCCESS:
            return Sent()
        if result.status is AppriseResultStatus.TIMEOUT:
            return Unknown(answer=f"there was no answer within {self._timeout:g} seconds")
        lines = [(entry.level, entry.message) for entry in result.logs()]
        return classify_failure(lines, keeps_words=self._keeps_body)


def _make_plugin(address: str, url: str) -> NotifyBase:
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
    plugin = Apprise.instantiate(url, asset=asset)
    if plugin is None:
        raise ChannelError(
            f"Apprise does not understand the address {address}; see https://appriseit.com/services/ for the syntax"
        )
    return plugin


# --- messages -------------------------------------------------------------------------------------


class _ChatPart(NamedTuple):
    """One message of a chat."""

    title: str
    body: str
    markup: Markup


def _split_chat(chat: Chat, plugin: NotifyBase, scheme: str) -> list[_ChatPart]:
    """Split a chat into messages; if the service has no plain-text titles, the title becomes the first line."""
    markup = _MARKUP_BY_SCHEME.get(scheme) or _choose_markup(plugin)
    max_body = _MAX_BODY_BYTES.get(scheme) or int(plugin.body_maxlen)
    max_title = plugin.title_maxlen if markup is Markup.TEXT else 0
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


def _choose_markup(plugin: NotifyBase) -> Markup:
    """Return the richest markup that a service supports: HTML, then Markdown, then plain text.

    HTML comes first because Telegram refuses Markdown that it cannot parse, and accepts our HTML.
    """
    formats = {
        markup.value
        for markup in (Markup.HTML, Markup.MARKDOWN)
        if _resolve_format(plugin, markup) == markup.value
    }
    return Markup.HTML if "html" in formats else Markup.MARKDOWN if formats else Markup.TEXT


def _resolve_format(plugin: NotifyBase, markup: Markup) -> str:
    from apprise import NotifyFormat

    return str(plugin.resolve_format(NotifyFormat(markup.value)).value)


# --- receipts -------------------------------------------------------------------------------------


def classify_failure(
    lines: Sequence[tuple[str, str]], *, keeps_words: bool = True
) -> Deferred | Refused | Unknown:
    """Return the receipt for a failure reported by Apprise.

    Args:
        lines: pairs of level and message, from its log.
        keeps_words: whether the answer of the receipt may contain words of the log, which may be those of the service.
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
            return Deferred(answer=answer if keeps_words else "it cannot be reached", fault=Fault.DOMAIN)
        return Unknown(answer=answer if keeps_words else "there was no answer")
    status = int(statuses[-1]) if statuses else 0
    if not keeps_words:
        codes = _ERROR_CODE.findall(" ".join(warnings))
        answer = f"HTTP {status}" if status else f"error {codes[-1]}" if codes else ""
    return classify_status(status, answer or "Apprise gives no reason", _find_retry_after(status, log_text))


def _find_retry_after(status: int, log_text: str) -> timedelta | None:
    match = _RETRY_AFTER.search(log_text)
    if match:
        return timedelta(seconds=min(float(match[1]), 86_400))
    return _DEFAULT_RETRY_AFTER if status == 429 else None
