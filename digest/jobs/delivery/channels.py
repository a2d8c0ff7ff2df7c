"""Lines: the connections of the ways out that a file uses."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from digest import plugins
from digest.config import Destination, RelaySettings, SendmailSettings, Settings
from digest.config.delivery.destinations import read_destination
from digest.model import AddressKind, MessageForm
from digest.ports import Connection


class ProcessShare(NamedTuple):
    """Which of the connections are those of one of several processes, which share them."""

    number: int = 0
    total: int = 1


SINGLE_PROCESS = ProcessShare()
_CONNECTIONS_PER_SERVICE = 4
"""Connections to services that have nothing to do with each other: one that is slow holds up no other."""


def make_connections(settings: Settings) -> tuple[Connection, ...]:
    """The ways out that the file's digests use; nothing is connected yet.

    Raises:
        ConfigError: an option is wrong.
    """
    return make_connections_to(
        settings, [destination for digest in settings.digests for destination in digest.destinations]
    )


def list_destinations(settings: Settings) -> tuple[Destination, ...]:
    """Where anything goes that a file declares: its digests and its notices."""
    digest_destinations = [destination for digest in settings.digests for destination in digest.destinations]
    return tuple(dict.fromkeys((*digest_destinations, *settings.operator.notify)))


def find_destination(settings: Settings, text: str) -> Destination:
    """A destination as somebody wrote it: as lists show it, its whole address, or one that the file does not have.

    Raises:
        ConfigError: it is none.
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
        return replace(destination, address=str(settings.output / Path(destination.address).expanduser()))
    return destination


def list_reporting_channels(names: Iterable[str]) -> frozenset[str]:
    """Of some channels those whose messages name the editions that were missed: mails."""
    mail_forms = {MessageForm.MAIL, MessageForm.STORED_MAIL}
    return frozenset(name for name in names if plugins.load_channel(name).form in mail_forms)


def make_connections_to(settings: Settings, destinations: Sequence[Destination]) -> tuple[Connection, ...]:
    """The ways out to some destinations, and all for mail; nothing is connected yet.

    Raises:
        ConfigError: an option is wrong.
    """
    connections: list[Connection] = []
    others = [destination for destination in destinations if destination.kind is not AddressKind.MAILBOX]
    for channel in sorted({destination.channel for destination in others}):
        channel_destinations = [destination for destination in others if destination.channel == channel]
        urls = {
            destination.address: destination.secret_url
            for destination in channel_destinations
            if destination.secret_url
        }
        secrets = {
            destination.address: destination.secret
            for destination in channel_destinations
            if destination.secret
        }
        options = {key: value for key, value in (("urls", urls), ("secrets", secrets)) if value}
        connections += [_make_connection(channel, "", options)] * (_CONNECTIONS_PER_SERVICE if urls else 1)
    return (*connections, *_make_mail_connections(settings))


def select_share(connections: Sequence[Connection], share: ProcessShare) -> tuple[Connection, ...]:
    """The lines of one of several processes: connections to a server are shared, all else everybody has."""
    number, total = share
    return tuple(
        connection
        for server, server_connections in _group_by_server(connections).items()
        for connection in (server_connections[number::total] if server else server_connections)
    )


def count_shares(connections: Sequence[Connection]) -> int:
    """Among how many processes lines can be shared so that each has one to every server that is no stand-by."""
    return min(
        (
            len(server_connections)
            for server, server_connections in _group_by_server(connections).items()
            if server and not server_connections[0].is_stand_by
        ),
        default=sys.maxsize,
    )


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
    """A program is a server of the mail of all digests, as another machine is."""
    options = {"command": sendmail.command, "timeout": sendmail.timeout}
    return _make_connection("smtp", sendmail.command[0], options, plugin_name="sendmail")


def _make_relay_connections(relay: RelaySettings, relays: Sequence[RelaySettings]) -> tuple[Connection, ...]:
    """A server's connections: all of them for the one of most weight and for a stand-by, else their share."""
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
    """A line of a channel, which is made by the plug-in of that name, or by another one."""
    plugin = plugins.load("channels", plugin_name or channel)
    plugins.build(plugin, options)  # what is wrong in them is told now
    return Connection(
        channel=channel,
        server=server,
        make_channel=partial(plugins.build, plugin, options),
        is_stand_by=stand_by,
    )
