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
from digest.core.delivery.chat import Markup, messages
from digest.errors import ChannelError, ConfigError
from digest.model import Blame, Chat, Deferred, Form, Message, Receipt, Refused, Sent, Span, Unknown
from digest.redaction import redact_answer

if TYPE_CHECKING:
    from apprise import NotifyBase

_LONGEST = {"ntfy": 2_300, "ntfys": 2_300, "workflow": 20_000, "workflows": 20_000}
"""Bytes of a message where a service takes another number than Apprise thinks: Apprise makes a file of what has
more than 8,000 characters as JSON, in which a letter of two bytes has six; Teams takes 28 KB."""
_MARKUP = {
    **dict.fromkeys(
        ("mmost", "mmosts", "zulip"), Markup.MARKDOWN
    ),  # their texts are in it, whatever Apprise says
    **dict.fromkeys(("json", "jsons", "xml", "xmls", "form", "forms"), Markup.TEXT),
    "slack": Markup.MRKDWN,
}
_FORMATS = {Markup.MRKDWN: Markup.MARKDOWN.value}
"""What Apprise is told where it knows no such markup: of Slack it makes the rest itself."""

_STATUS = re.compile(r"\berror\s*=\s*(\d{3})\b")
_WAIT = re.compile(r"retry[ _]after[\"'\s:]{1,6}(\d{1,6}(?:\.\d{1,6})?)", re.IGNORECASE)
_NOT_SENT = re.compile(
    r"Failed to establish a new connection|Failed to resolve|NameResolutionError|ConnectTimeout"
    r"|CERTIFICATE_VERIFY_FAILED|Tunnel connection failed|No route to host|\b(?:registering|logging in|login)\b"
)
"""What shows that nobody heard of a message; a proxy's name stands also before answers that were lost."""
_BROKEN = re.compile(r"(?:Socket|I/O|HTTP) Exception: (.*)", re.DOTALL)
_BUSY = frozenset({408, 425, 429})
_GONE = frozenset({404, 410})
_NEVER = frozenset({400, 405, 406, 411, 413, 414, 415, 422, 501, 505})
_UNSAID = timedelta(minutes=15)
"""How long who is asked too often is left alone where he may have said so in a header, which the log does not have."""
_NEEDED = "for chats and push, Apprise is needed: pip install apprise"


@dataclass(slots=True, kw_only=True)
class Channel(ports.Channel):
    """Says what is to be said, each service by itself; for one thread at a time.

    Attributes:
        urls: where to, as Apprise has it, by the address that a destination is known by.
        timeout: for a message and its answer, in seconds.
    """

    form: ClassVar[Form] = Form.CHAT

    urls: Mapping[str, str] = field(repr=False)
    timeout: float = 30.0
    _services: dict[str, Any] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        if importlib.util.find_spec("apprise") is None:
            raise ConfigError(_NEEDED)

    def deliver(self, messages: Sequence[Message]) -> Iterator[tuple[Message, Receipt]]:
        """Say each chat, in one message or in several; what one service does is not told of another."""
        for message in messages:
            if not isinstance(message, Chat):
                raise TypeError(f"the channel notify takes chats, not {type(message).__name__}")
            yield message, self._said(message)

    def check(self) -> str:
        """Let Apprise read each address: whether somebody is there can only be told by saying something."""
        for shown in self.urls:
            self._service(shown)
        names = ", ".join(f"{shown} ({self._service(shown).service_name})" for shown in self.urls)
        return f"{names}; `digest preview NAME --to` sends a test"

    def close(self) -> None:
        """Nothing is held."""
        self._services.clear()

    # --- saying -----------------------------------------------------------------------------------

    def _said(self, chat: Chat) -> Receipt:
        if chat.address not in self.urls:
            return Deferred(answer="this file has no such address, or it is another one now")
        try:
            service = self._service(chat.address)
        except ChannelError as error:
            return Refused(answer=str(error), blame=Blame.OURS)
        url = self.urls[chat.address]
        parts = _written(chat, service, url.partition("://")[0].lower())
        for place, part in enumerate(parts[chat.begun :], start=chat.begun):
            told = self._told(service, part)
            if not isinstance(told, Sent):
                told = replace(told, answer=redact_answer(told.answer, url))
                return told if isinstance(told, Refused) else replace(told, parts=place)
        return Sent(answer=f"in {len(parts)} messages" if len(parts) > 1 else "")

    def _told(self, service: NotifyBase, part: _Part) -> Receipt:
        from apprise import Apprise, NotifyFormat
        from apprise.result import AppriseResultStatus

        chats = Apprise(asset=service.asset)
        chats.add(service)
        result = chats.notify(
            body=part.body,
            title=part.title,
            body_format=NotifyFormat(_FORMATS.get(part.markup, part.markup.value)),
            timeout=self.timeout,
            log_level=logging.DEBUG,
        )
        if result.status is AppriseResultStatus.SUCCESS:
            return Sent()
        if result.status is AppriseResultStatus.TIMEOUT:
            return Unknown(answer=f"there was no answer within {self.timeout:g} seconds")
        return judged([(one.level, one.message) for one in result.logs()])

    def _service(self, shown: str) -> NotifyBase:
        if shown not in self._services:
            self._services[shown] = _made(shown, self.urls[shown])
        made: NotifyBase = self._services[shown]
        return made


def _made(shown: str, url: str) -> NotifyBase:
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
            f"Apprise cannot read the address {shown}: see https://appriseit.com/services/ for how it is written"
        )
    return service


# --- what is said ---------------------------------------------------------------------------------


class _Part(NamedTuple):
    """One message."""

    title: str
    body: str
    markup: Markup


def _written(chat: Chat, service: NotifyBase, scheme: str) -> list[_Part]:
    """The messages; where a service has no titles that are plain text, the title is the first line."""
    markup = _MARKUP.get(scheme) or _markup_of(service)
    longest = _LONGEST.get(scheme) or int(service.body_maxlen)
    most = service.title_maxlen if markup is Markup.TEXT else 0
    if not most:
        first = (Span(chat.title, strong=True),)
        return [
            _Part("", body, markup)
            for body in messages(replace(chat, opening=(first, *chat.opening)), markup, longest)
        ]
    told = messages(chat, markup, longest - most)
    places = [f" ({place}/{len(told)})" if len(told) > 1 else "" for place in range(1, len(told) + 1)]
    return [
        _Part(f"{chat.title[: most - len(place)]}{place}", body or chat.title, markup)
        for place, body in zip(places, told, strict=True)
    ]


def _markup_of(service: NotifyBase) -> Markup:
    """What a service has most of; Telegram refuses Markdown that it does not like, and says so of no HTML of ours."""
    known = {one.value for one in (Markup.HTML, Markup.MARKDOWN) if _resolved(service, one) == one.value}
    return Markup.HTML if "html" in known else Markup.MARKDOWN if known else Markup.TEXT


def _resolved(service: NotifyBase, markup: Markup) -> str:
    from apprise import NotifyFormat

    return str(service.resolve_format(NotifyFormat(markup.value)).value)


# --- what was answered ----------------------------------------------------------------------------


def judged(lines: Sequence[tuple[str, str]]) -> Deferred | Refused | Unknown:
    """The receipt for a no of Apprise.

    Args:
        lines: what it wrote into its log: level and message.
    """
    told = [message for level, message in lines if level in {"WARNING", "ERROR", "CRITICAL"}]
    answer = " ".join("".join(sign if sign.isprintable() else " " for sign in "; ".join(told)).split())[:300]
    everything = "\n".join(message for _, message in lines)
    broken = _BROKEN.search(everything)
    status = _STATUS.findall(" ".join(told))
    if not status and broken:
        if _NOT_SENT.search(f"{broken[1]} {answer}"):
            return Deferred(answer=answer, blame=Blame.DOMAIN)
        return Unknown(answer=answer)
    return _judged(int(status[-1]) if status else 0, answer or "Apprise does not say why", everything)


def _judged(status: int, answer: str, everything: str) -> Deferred | Refused:
    if status in _NEVER:
        return Refused(answer=answer, blame=Blame.OURS)
    if status in _GONE:
        return Refused(answer=answer)
    if status in _BUSY or status >= 500:
        wait = _WAIT.search(everything)
        unsaid = _UNSAID if status == 429 else None
        wanted = timedelta(seconds=min(float(wait[1]), 86_400)) if wait else unsaid
        return Deferred(answer=answer, blame=Blame.DOMAIN, wanted=wanted)
    return Deferred(answer=answer)
