"""Delivery of one message at once, outside of editions: notices to the operator, and links that somebody waits for."""

from __future__ import annotations

from contextlib import closing

from digest.config import Destination, Settings
from digest.jobs.delivery.channels import make_connections_to
from digest.model import Deferred, Message, Receipt


def deliver_at_once(
    settings: Settings, channel: str, destinations: list[Destination], message: Message
) -> Receipt | None:
    """Deliver a message by the first connection of a channel that takes or refuses it.

    Args:
        settings: the servers.
        channel: the name of the channel.
        destinations: the destinations of a channel that has no server of its own; empty for mail.
        message: the message.

    Returns:
        The receipt: that of the first server which has taken or refused it, or may have taken it, or that of the
        last one; None if there is no server.

    Raises:
        ConfigError: an option of a channel is wrong.
    """
    last_receipt: Receipt | None = None
    for connection in dict.fromkeys(make_connections_to(settings, destinations)):
        if connection.channel != channel:
            continue
        with closing(connection.make_channel()) as open_channel:
            for _, receipt in open_channel.deliver([message]):
                last_receipt = receipt
                if not isinstance(receipt, Deferred):
                    return receipt
    return last_receipt
