"""Editions as messages to chats and phones: ``to = ["slack://…"]``, or another address that Apprise supports.

Slack gets blocks, which Apprise cannot send; all other services go through Apprise.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Protocol

from digest import ports
from digest.channels.notify.apprise_service import AppriseService
from digest.channels.notify.slack_address import parse_slack_address
from digest.channels.notify.slack_service import SlackService
from digest.errors import ChannelError, ConfigError, DigestError
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
)
from digest.redaction import redact_answer

_SERVICES_WITHOUT_APPRISE = frozenset({"slack", "webhook"})
_APPRISE_MISSING = "chats and push need Apprise; run pip install apprise"


class Service(Protocol):
    """A service at one address."""

    @property
    def name(self) -> str:
        """Its name for people."""

    def make_requests(self, chat: Chat) -> Sequence[Callable[[], Receipt]]:
        """Return for each message of a chat, in order, the function that sends it."""


@dataclass(slots=True, kw_only=True)
class Channel(ports.Channel):
    """Sends chats, each by its own service; for one thread at a time.

    Attributes:
        urls: the whole addresses in Apprise's syntax, by the public address of the destination.
        address_book: the addresses of readers; None if only those of the file are used.
        services: the services of readers' chats.
        timeout: time limit for one message and its answer, in seconds.
        slack_interval: minimum time between two messages to the same address in Slack, in seconds
            (https://docs.slack.dev/apis/web-api/rate-limits).
    """

    form: ClassVar[MessageForm] = MessageForm.CHAT
    address_kind: ClassVar[AddressKind] = AddressKind.URL

    urls: Mapping[str, str] = field(repr=False)
    address_book: ports.AddressBook | None = None
    services: tuple[str, ...] = ()
    timeout: float = 30.0
    slack_interval: float = 1.0
    _services: dict[str, Service] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        needs_apprise = any(parse_slack_address(url) is None for url in self.urls.values())
        needs_apprise |= bool({*self.services} - _SERVICES_WITHOUT_APPRISE)
        if needs_apprise and importlib.util.find_spec("apprise") is None:
            raise ConfigError(_APPRISE_MISSING)

    def deliver(self, messages: Sequence[Message]) -> Iterator[tuple[Message, Receipt]]:
        """Send each chat, in one message or several; a failure of one service does not affect the others."""
        for message in messages:
            if not isinstance(message, Chat):
                raise TypeError(f"the channel notify accepts chats, not {type(message).__name__}")
            yield message, self._send_chat(message)

    def check(self) -> str:
        """Parse each address; only a message could show whether the service accepts it."""
        if not self.urls:
            return "ready for destinations of readers"
        descriptions = ", ".join(f"{address} ({self._get_service(address).name})" for address in self.urls)
        return f"{descriptions}; `digest preview NAME --to` sends a test"

    def close(self) -> None:
        """Forget the parsed addresses."""
        self._services.clear()

    def _send_chat(self, chat: Chat) -> Receipt:
        try:
            entry = self.address_book.find_entry(chat.delivery) if self.address_book else None
        except DigestError as error:
            answer = f"its address cannot be looked up: {error}"
            return Deferred(answer=answer, fault=Fault.OURS, sent_parts=chat.sent_parts, is_local=True)
        url = entry.url if entry else self.urls.get(chat.address)
        if entry is not None and entry.obstacle:
            return Refused(answer=entry.obstacle)
        if url is None:
            return Deferred(answer="the configuration no longer has this address, or it has changed")
        try:
            # The service of a reader's address is not remembered: another reader may have the same public address.
            # Of what a reader's chat answers only the status is kept: it may repeat the edition, and operators see it.
            service = (
                self._make_service(chat.address, url, keeps_body=False)
                if entry
                else self._get_service(chat.address)
            )
        except ChannelError as error:
            return Refused(answer=str(error), fault=Fault.OURS)
        return _send_messages(service, chat, url)

    def _get_service(self, address: str) -> Service:
        if address not in self._services:
            self._services[address] = self._make_service(address, self.urls[address])
        return self._services[address]

    def _make_service(self, address: str, url: str, *, keeps_body: bool = True) -> Service:
        """Make the service for an address.

        Raises:
            ChannelError: the address cannot be parsed.
        """
        if slack_address := parse_slack_address(url):
            return SlackService(slack_address, self.timeout, self.slack_interval, keeps_body=keeps_body)
        return AppriseService(address, url, self.timeout, keeps_body=keeps_body)


def _send_messages(service: Service, chat: Chat, url: str) -> Receipt:
    """Send the messages of a chat that were not sent yet, until one is not accepted; no receipt contains the address."""
    requests = service.make_requests(chat)
    for index, send in enumerate(requests[chat.sent_parts :], start=chat.sent_parts):
        receipt = send()
        if not isinstance(receipt, Sent):
            receipt = replace(receipt, answer=redact_answer(receipt.answer, url))
            return receipt if isinstance(receipt, Refused) else replace(receipt, sent_parts=index)
    return Sent(answer=f"in {len(requests)} messages" if len(requests) > 1 else "")
