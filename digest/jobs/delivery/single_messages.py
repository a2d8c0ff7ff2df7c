"""Delivery of one message at once, outside of editions: notices to the operator, and links that somebody waits for."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress

from digest.config import Destination, Settings
from digest.errors import StoreError
from digest.jobs.delivery.channels import make_connections_to
from digest.model import Deferred, Message, Receipt
from digest.ports import Connection
from digest.store.database.engine import Store
from digest.store.delivery import connections
from digest.store.workers.workers import read_database_time

_MAX_WAIT_SECONDS = 20.0
"""How long a message waits for a connection, in seconds; a process that has several gives one back within a batch."""
_RETRY_SECONDS = 0.2


def deliver_at_once(
    store: Store, settings: Settings, channel: str, destinations: list[Destination], message: Message
) -> Receipt | None:
    """Deliver a message by the first connection of a channel that takes or refuses it.

    Args:
        store: the store, in which processes share the connections of a server.
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
        with lease_connection(store, connection) as is_leased:
            if not is_leased:
                last_receipt = Deferred(answer=f"all connections to {connection.server} are in use")
                continue
            with closing(connection.make_channel()) as open_channel:
                for _, receipt in open_channel.deliver([message]):
                    last_receipt = receipt
                    if not isinstance(receipt, Deferred):
                        return receipt
    return last_receipt


@contextmanager
def lease_connection(store: Store, connection: Connection) -> Iterator[bool]:
    """Hold the lease of one connection to a server within the block; processes that deliver editions give one back.

    Args:
        store: the store.
        connection: the connection.

    Yields:
        Whether there is a lease: also if the server has no limit, and if the store cannot be written, because a notice may
        be about just that.
    """
    if not connection.max_connections:
        yield True
        return
    token = connections.make_urgent_token(secrets.randbits(62))
    try:
        yield _wait_for_lease(store, connection, token)
    finally:
        with suppress(StoreError), store.begin_write() as tx:
            connections.release_all(tx, token)


def _wait_for_lease(store: Store, connection: Connection, token: int) -> bool:
    deadline = time.monotonic() + _MAX_WAIT_SECONDS
    while True:
        try:
            with store.begin_write() as tx:
                reserved, _ = connections.reserve(
                    tx,
                    token,
                    read_database_time(tx),
                    server=connection.server,
                    max_connections=connection.max_connections,
                    requested=1,
                    in_use=0,
                )
        except StoreError:
            return True
        if reserved or time.monotonic() > deadline:
            return bool(reserved)
        time.sleep(_RETRY_SECONDS)
