"""Lines: the connections of the ways out that a file uses."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from digest import plugins
from digest.config import Destination, RelaySettings, SendmailSettings, Settings
from digest.config.delivery.destinations import read_destination
from digest.ports import Line


class Part(NamedTuple):
    """Which of the connections are those of one of several processes, which share them."""

    number: int = 0
    of: int = 1


ALL = Part()
_AT_ONCE = 4
"""Connections to services that have nothing to do with each other: one that is slow holds up no other."""


def make_lines(settings: Settings) -> tuple[Line, ...]:
    """The ways out that the file's digests use; nothing is connected yet.

    Raises:
        ConfigError: an option is wrong.
    """
    return lines_to(settings, [to for digest in settings.digests for to in digest.destinations])


def all_ways(settings: Settings) -> tuple[Destination, ...]:
    """Where anything goes that a file declares: its digests and its notices."""
    of_digests = [to for digest in settings.digests for to in digest.destinations]
    return tuple(dict.fromkeys((*of_digests, *settings.operator.notify)))


def way_to(settings: Settings, text: str) -> Destination:
    """A destination as somebody wrote it: as lists show it, its whole address, or one that the file does not have.

    Raises:
        ConfigError: it is none.
    """
    known = [to for to in all_ways(settings) if text in {to.address, to.secret_url}]
    if known:
        return known[0]
    to = read_destination(text)
    if to.channel in {"maildir", "files"}:
        return replace(to, address=str(settings.output / Path(to.address).expanduser()))
    return to


def lines_to(settings: Settings, destinations: Sequence[Destination]) -> tuple[Line, ...]:
    """The ways out to some destinations, and all for mail; nothing is connected yet.

    Raises:
        ConfigError: an option is wrong.
    """
    lines: list[Line] = []
    for name in sorted({to.channel for to in destinations} - {"smtp"}):
        some = [to for to in destinations if to.channel == name]
        urls = {to.address: to.secret_url for to in some if to.secret_url}
        secrets = {to.address: to.secret for to in some if to.secret}
        options = {key: value for key, value in (("urls", urls), ("secrets", secrets)) if value}
        lines += [_line(name, "", options)] * (_AT_ONCE if urls else 1)
    return (*lines, *_by_mail(settings))


def part_of(lines: Sequence[Line], part: Part) -> tuple[Line, ...]:
    """The lines of one of several processes: connections to a server are shared, all else everybody has."""
    number, of = part
    return tuple(
        line for server, some in _by_server(lines).items() for line in (some[number::of] if server else some)
    )


def most_parts(lines: Sequence[Line]) -> int:
    """Among how many processes lines can be shared so that each has one to every server that is no stand-by."""
    return min(
        (len(some) for server, some in _by_server(lines).items() if server and not some[0].stand_by),
        default=sys.maxsize,
    )


def _by_server(lines: Sequence[Line]) -> Mapping[str, list[Line]]:
    found: dict[str, list[Line]] = defaultdict(list)
    for line in lines:
        found[line.server].append(line)
    return found


def _by_mail(settings: Settings) -> list[Line]:
    if settings.sendmail:
        return [_program(settings.sendmail)]
    relays = settings.smtp.relays if settings.smtp else ()
    return [line for relay in relays for line in _relay_lines(relay, relays)]


def _program(sendmail: SendmailSettings) -> Line:
    """A program is a server of the mail of all digests, as another machine is."""
    options = {"command": sendmail.command, "timeout": sendmail.timeout}
    return _line("smtp", sendmail.command[0], options, by="sendmail")


def _relay_lines(relay: RelaySettings, relays: Sequence[RelaySettings]) -> tuple[Line, ...]:
    """A server's connections: all of them for the one of most weight and for a stand-by, else their share."""
    most = max(one.weight for one in relays)
    share = relay.weight / most if relay.weight else 1.0
    names = ("host", "port", "security", "username", "password", "ca_file", "timeout")
    options = {name: getattr(relay, name) for name in names}
    places = max(1, round(relay.connections * share))
    line = _line("smtp", f"{relay.host}:{relay.port}", options, stand_by=not relay.weight)
    return (replace(line, places=places),) * places


def _line(
    name: str, server: str, options: Mapping[str, object], *, stand_by: bool = False, by: str = ""
) -> Line:
    """A line of a channel, which is made by the plug-in of that name, or by another one."""
    plugin = plugins.load("channels", by or name)
    plugins.build(plugin, options)  # what is wrong in them is told now
    return Line(channel=name, server=server, make=partial(plugins.build, plugin, options), stand_by=stand_by)
