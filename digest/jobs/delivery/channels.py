"""The connections of the channels that a configuration uses."""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from digest import plugins
from digest.config import DeliverySettings, Destination, RelaySettings, SendmailSettings, Settings
from digest.config.delivery.destinations import read_destination
from digest.core.subscribers.own_digest import ReaderService
from digest.model import AddressKind, MessageForm
from digest.ports import AddressBook, Connection


class ProcessShare(NamedTuple):
    """The number of one of several processes that share the connections, and how many there are."""

    number: int = 0
    total: int = 1


class ReaderDestinations(NamedTuple):
    """The services that readers can use, and the addresses that they added; None if nothing is sent there."""

    services: tuple[str, ...] = ()
    address_book: AddressBook | None = None

    @property
    def channels(self) -> frozenset[str]:
        """The channels of these services."""
        return frozenset(_READER_CHANNELS[service] for service in self.services)


SINGLE_PROCESS = ProcessShare()
_NO_READERS = ReaderDestinations()
_CONNECTIONS_PER_SERVICE = 4
"""Connections to independent services, so that a slow one does not delay the others."""
_MAX_LOCAL_PROCESSES = 4
"""Maximum number of processes of a machine, unless the file sets it."""


_WEBHOOK = "webhook"
_READER_CHANNELS: Mapping[str, str] = {
    ReaderService.WEBHOOK: _WEBHOOK,
    ReaderService.SLACK: "notify",
    ReaderService.DISCORD: "notify",
    ReaderService.NTFY: "notify",
}
"""The channels of the chats and webhooks that readers can add to their digests, by service."""


def make_connections(settings: Settings, address_book: AddressBook | None = None) -> tuple[Connection, ...]:
    """Make the connections of the channels that digests use, of the file and of readers; nothing is connected yet.

    Args:
        settings: the configuration.
        address_book: the addresses of readers; None if nothing is sent.

    Raises:
        ConfigError: an option is wrong.
    """
    return make_connections_to(
        settings,
        [destination for digest in settings.digests for destination in digest.destinations],
        find_reader_destinations(settings, address_book),
    )


def find_reader_destinations(settings: Settings, address_book: AddressBook | None) -> ReaderDestinations:
    """Return what the file allows readers to add."""
    return ReaderDestinations(settings.signup.destinations if settings.signup else (), address_book)


def list_destinations(settings: Settings) -> tuple[Destination, ...]:
    """List all destinations of a file, of its digests and its notices."""
    digest_destinations = [destination for digest in settings.digests for destination in digest.destinations]
    return tuple(dict.fromkeys((*digest_destinations, *settings.operator.notify)))


def find_destination(settings: Settings, text: str) -> Destination:
    """Find a destination by its address as lists show it or in full; it need not be in the file.

    Raises:
        ConfigError: the text is not a destination.
    """
    declared = [
        destination
        for destination in list_destinations(settings)
        if text in {destination.address, destination.secret_url}
    ]
    if declared:
        return declared[0]
    destination = read_destination(text)
    if destination.kind is AddressKind.FOLDER:
        destination = replace(destination, address=str(settings.output / destination.address))
    place = destination.channel, destination.address
    return next(
        (entry for entry in list_destinations(settings) if (entry.channel, entry.address) == place),
        destination,
    )


def list_reporting_channels(names: Iterable[str]) -> frozenset[str]:
    """Select the channels whose messages name missed editions: those of mails."""
    mail_forms = {MessageForm.MAIL, MessageForm.STORED_MAIL}
    return frozenset(name for name in names if plugins.load_channel(name).form in mail_forms)


def make_connections_to(
    settings: Settings, destinations: Sequence[Destination], readers: ReaderDestinations = _NO_READERS
) -> tuple[Connection, ...]:
    """Make the connections to some destinations, those to readers, and all for mail; nothing is connected yet.

    Raises:
        ConfigError: an option is wrong.
    """
    connections: list[Connection] = []
    others = [destination for destination in destinations if destination.kind is not AddressKind.MAILBOX]
    for channel in sorted({destination.channel for destination in others} | readers.channels):
        urls = {
            destination.address: destination.secret_url
            for destination in others
            if destination.channel == channel and destination.secret_url
        }
        options = _list_channel_options(channel, others, urls, readers)
        has_services = bool(urls) or channel in readers.channels
        connections += [_make_connection(channel, "", options)] * (
            _CONNECTIONS_PER_SERVICE if has_services else 1
        )
    return (*connections, *_make_mail_connections(settings))


def _list_channel_options(
    channel: str, destinations: Sequence[Destination], urls: Mapping[str, str], readers: ReaderDestinations
) -> Mapping[str, object]:
    """Return the options of a channel: the addresses and secrets of the file, and access to those of readers."""
    secrets = {
        destination.address: destination.secret
        for destination in destinations
        if destination.channel == channel and destination.secret
    }
    if channel not in _READER_CHANNELS.values():
        return {key: value for key, value in (("urls", urls), ("secrets", secrets)) if value}
    options: dict[str, object] = {"urls": urls}
    options |= {"secrets": secrets} if channel == _WEBHOOK else {"services": readers.services}
    return options | ({"address_book": readers.address_book} if readers.address_book else {})


def list_channels(connections: Iterable[Connection]) -> tuple[str, ...]:
    """List the channels of connections."""
    return tuple(sorted({connection.channel for connection in connections}))


def is_local(channel: str) -> bool:
    """Whether a channel writes into folders of one machine."""
    return plugins.load_channel(channel).address_kind is AddressKind.FOLDER


def select_channel(connections: Sequence[Connection], channel: str | None) -> Sequence[Connection]:
    """Select the connections of a channel; None for those of all channels."""
    return [connection for connection in connections if channel in {None, connection.channel}]


def select_share(connections: Sequence[Connection], share: ProcessShare) -> tuple[Connection, ...]:
    """Select the connections of one of several processes: its part of those to each server, and all others."""
    number, total = share
    return tuple(
        connection
        for server, server_connections in _group_by_server(connections).items()
        for connection in (server_connections[number::total] if server else server_connections)
    )


def count_shares(connections: Sequence[Connection]) -> int:
    """Count among how many processes the connections can be shared so that each has one to every regular server."""
    return min(
        (
            len(server_connections)
            for server, server_connections in _group_by_server(connections).items()
            if server and not server_connections[0].is_stand_by
        ),
        default=sys.maxsize,
    )


def count_local_processes(settings: DeliverySettings) -> int:
    """Return the number of processes among which this machine may divide a large run."""
    return settings.processes or min(_MAX_LOCAL_PROCESSES, os.cpu_count() or 1)


def _group_by_server(connections: Sequence[Connection]) -> Mapping[str, list[Connection]]:
    by_server: dict[str, list[Connection]] = defaultdict(list)
    for connection in connections:
        by_server[connection.server].append(connection)
    return by_server


def _make_mail_connections(settings: Settings) -> list[Connection]:
    if settings.sendmail:
        return [_make_program_connection(settings.sendmail)]
    relays = settings.smtp.relays if settings.smtp else ()
    return [connection for relay in relays for connection in _make_relay_connections(relay, relays)]


def _make_program_connection(sendmail: SendmailSettings) -> Connection:
    """Make the connection to a local program that takes the mail of all digests."""
    options = {"command": sendmail.command, "timeout": sendmail.timeout}
    return _make_connection("smtp", sendmail.command[0], options, plugin_name="sendmail")


def _make_relay_connections(relay: RelaySettings, relays: Sequence[RelaySettings]) -> tuple[Connection, ...]:
    """Make the connections to a server: all of them for the highest weight and for a stand-by, else a share by weight."""
    max_weight = max(other_relay.weight for other_relay in relays)
    share = relay.weight / max_weight if relay.weight else 1.0
    names = ("host", "port", "security", "username", "password", "ca_file", "timeout")
    options = {name: getattr(relay, name) for name in names}
    connection_count = max(1, round(relay.connections * share))
    connection = _make_connection("smtp", f"{relay.host}:{relay.port}", options, stand_by=not relay.weight)
    return (replace(connection, max_connections=connection_count),) * connection_count


def _make_connection(
    channel: str, server: str, options: Mapping[str, object], *, stand_by: bool = False, plugin_name: str = ""
) -> Connection:
    """Make a connection of a channel, by the plug-in of that name or by another one."""
    plugin = plugins.load("channels", plugin_name or channel)
    plugins.build(plugin, options)  # reports wrong options now
    return Connection(
        channel=channel,
        server=server,
        make_channel=partial(plugins.build, plugin, options),
        is_stand_by=stand_by,
    )
