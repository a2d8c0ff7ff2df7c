"""Addresses of Slack in Apprise's syntax: an incoming webhook, or a bot and its channel.

Apprise accepts more: several channels, e-mail addresses, threads, workflows, templates. Those addresses are left
to it.
"""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import parse_qsl, unquote

_BOT_TOKEN = re.compile(r"(?:xoxe\.)?xox[abp]-[A-Za-z0-9-]+")
_WEBHOOK_TOKEN = re.compile(r"[A-Za-z0-9]+")
_CHANNEL = re.compile(r"[+#@]?[\w-]{1,80}")
_DEFAULT_CHANNEL = "#general"
"""Channel of a bot's address that names none, as in Apprise."""
_LOOKS = frozenset({"blocks", "footer", "image", "timestamp"})
"""Parameters that only change how Apprise's own messages look."""
_WEBHOOK_PARTS = 3


class SlackAddress(NamedTuple):
    """Where messages to Slack are posted.

    Attributes:
        url: the web address that receives them.
        token: the token of a bot; "" for a webhook.
        channel: the channel in Slack's own notation; "" for that of the webhook.
        username: the name that is shown as the sender; "" for that of the app.
    """

    url: str
    token: str = ""
    channel: str = ""
    username: str = ""

    @property
    def fields(self) -> dict[str, str]:
        """The fields of a message that name its channel and sender."""
        return {name: text for name, text in (("channel", self.channel), ("username", self.username)) if text}


def parse_slack_address(url: str) -> SlackAddress | None:
    """Parse an address; return None if it is not one of Slack, or is one that only Apprise understands."""
    scheme, _, remainder = url.partition("://")
    path, _, query = remainder.partition("?")
    parameters = {name for name, _ in parse_qsl(query, keep_blank_values=True)}
    first_part, *parts = [unquote(part) for part in path.split("/") if part] or [""]
    username, _, token = first_part.rpartition("@")
    if scheme.lower() != "slack" or parameters - _LOOKS:
        return None
    if _BOT_TOKEN.fullmatch(token):
        channel = _read_channel(parts or [_DEFAULT_CHANNEL])
        api_url = "https://slack.com/api/chat.postMessage"
        return SlackAddress(api_url, token, channel, username) if channel else None
    tokens, channels = [token, *parts[: _WEBHOOK_PARTS - 1]], parts[_WEBHOOK_PARTS - 1 :]
    channel = _read_channel(channels)
    if len(tokens) < _WEBHOOK_PARTS or not all(map(_WEBHOOK_TOKEN.fullmatch, tokens)):
        return None
    if channels and not channel:
        return None
    webhook_url = f"https://hooks.slack.com/services/{'/'.join(tokens)}"
    return SlackAddress(webhook_url, channel=channel, username=username)


def _read_channel(parts: list[str]) -> str:
    """Return the channel in Slack's notation; "" if there is not exactly one."""
    if len(parts) != 1 or not _CHANNEL.fullmatch(parts[0]):
        return ""
    [channel] = parts
    if channel[0] == "+":  # an id
        return channel[1:]
    return channel if channel[0] in "#@" else f"#{channel}"
