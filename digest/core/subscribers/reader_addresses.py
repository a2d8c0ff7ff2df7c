"""Addresses of chats and webhooks that readers type, as the services show them.

Whoever types an address must not choose where the site connects to, beyond the service. So an address of a chat is
taken apart, and a new one is made of its parts in the syntax of Apprise; nothing else of what was typed is in it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from digest.core.fetching.addresses import is_public
from digest.core.subscribers.own_digest import EditError, EditMistake, ReaderService

MAX_ADDRESS = 2_000
"""Maximum length of an address, in characters."""
_MAX_HOST = 253
"""Maximum length of a host name (RFC 1035, section 2.3.4, without the final dot)."""
_URL = re.compile(r"(?i:https)://([^/?#]*)([^?#]*)((?:\?[^#]*)?)")
_URL_CHARACTERS = re.compile(r"[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=%-]*")
"""The characters of an address (RFC 3986, section 2)."""
_AUTHORITY = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^:@\[\]]+)(?::443)?")
_HOST_NAME = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?")
"""A name with a dot. Its last label begins with a letter, so that it is no number that a resolver takes for an address."""
_IP_ADDRESS = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderAddress:
    """An address that a reader typed, valid and in its canonical form.

    Attributes:
        service: what it is an address of.
        url: the address: of a webhook ``https://…``, of a chat in the syntax of Apprise.
    """

    service: ReaderService
    url: str = field(repr=False)


_SLACK_PATH = re.compile(r"/services/([A-Za-z0-9]{1,64})/([A-Za-z0-9]{1,64})/([A-Za-z0-9]{1,128})/?")
_DISCORD_PATH = re.compile(r"/api(?:/v\d{1,2})?/webhooks/(\d{15,21})/([A-Za-z0-9_-]{20,128})/?")
_NTFY_PATH = re.compile(r"/([A-Za-z0-9_-]{1,64})/?")
_CHATS: Mapping[str, tuple[ReaderService, re.Pattern[str], str]] = {
    "hooks.slack.com": (ReaderService.SLACK, _SLACK_PATH, "slack://{}/{}/{}"),
    "discord.com": (ReaderService.DISCORD, _DISCORD_PATH, "discord://{}/{}"),
    "discordapp.com": (ReaderService.DISCORD, _DISCORD_PATH, "discord://{}/{}"),
    "ntfy.sh": (ReaderService.NTFY, _NTFY_PATH, "ntfys://ntfy.sh/{}"),
}
"""Service, path and canonical address of a chat, by the host in the address that the service shows."""


def parse_reader_address(typed: str, offered: Collection[str]) -> ReaderAddress:
    """Return the chat or webhook that a reader typed the address of.

    Args:
        typed: the text; spaces around it are ignored.
        offered: the services that the file allows.

    Raises:
        EditError: it is no such address, or one of a service that is not offered.
    """
    text = typed.strip()
    if len(text) > MAX_ADDRESS:
        raise EditError(EditMistake.LONG_ADDRESS)
    if not text or not _URL_CHARACTERS.fullmatch(text):
        raise EditError(EditMistake.NO_ADDRESS)
    match = _URL.fullmatch(text)
    if match is None:
        raise EditError(EditMistake.WEBHOOK_FORM if "://" in text else EditMistake.NO_ADDRESS)
    host = _read_host(match[1])
    address = (
        _read_chat(host, match[2], match[3]) if host in _CHATS else _read_webhook(host, *match.groups()[1:])
    )
    if address.service not in offered:
        raise EditError(EditMistake.NOT_OFFERED)
    return address


def _read_host(authority: str) -> str:
    """Return the host in lower case, of an authority without a login and without another port than 443."""
    match = _AUTHORITY.fullmatch(authority)
    if match is None:
        raise EditError(EditMistake.WEBHOOK_FORM if authority else EditMistake.NO_ADDRESS)
    return match[1].lower()


def _read_chat(host: str, path: str, query: str) -> ReaderAddress:
    service, pattern, canonical_form = _CHATS[host]
    match = None if query else pattern.fullmatch(path)
    if match is None:
        raise EditError(EditMistake.NO_ADDRESS)
    return ReaderAddress(service=service, url=canonical_form.format(*match.groups()))


def _read_webhook(host: str, path: str, query: str) -> ReaderAddress:
    if _IP_ADDRESS.fullmatch(host):
        if not is_public(host.strip("[]")):
            raise EditError(EditMistake.NOT_PUBLIC)
    elif len(host) > _MAX_HOST or not _HOST_NAME.fullmatch(host):
        raise EditError(EditMistake.NOT_PUBLIC)
    return ReaderAddress(service=ReaderService.WEBHOOK, url=f"https://{host}{path or '/'}{query}")
