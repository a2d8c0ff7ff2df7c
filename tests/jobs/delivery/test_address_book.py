"""Where webhooks of readers may be connected to: hosts all of whose addresses are public, resolved once."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from digest.app import open_app
from digest.channels.notify import Channel as NotifyChannel
from digest.channels.webhook import Channel as WebhookChannel
from digest.errors import HostBlockedError
from digest.jobs.delivery.channels import make_connections
from digest.jobs.delivery.readers.address_book import StoredAddressBook
from digest.jobs.http.ssrf_guard import SsrfGuard
from digest.store.database.engine import Store
from tests.jobs.delivery.test_destinations import SMALL
from tests.support.cases import for_each_case

PUBLIC, PUBLIC_V6 = "93.184.216.34", "2606:2800:220:1::1"
INTERNAL = [
    *("127.0.0.1", "127.255.255.254", "0.0.0.0", "10.0.0.5", "172.16.0.1", "192.168.1.1"),
    *("169.254.169.254", "100.64.0.1", "100.100.100.200", "168.63.129.16", "192.0.0.192", "198.18.0.1"),
    *("224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fe80::1%2", "fc00::1", "fd00:ec2::254"),
    *("::ffff:10.0.0.5", "::ffff:93.184.216.34", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::a00:1"),
    *("2002:7f00:1::", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "ff02::1"),
]


def make_book(
    *answers: str, resolve: Callable[[str, int], tuple[str, ...]] | None = None
) -> StoredAddressBook:
    """An address book whose resolver gives these addresses for every host."""
    guard = SsrfGuard(resolve=resolve or (lambda _host, _port: answers))
    return StoredAddressBook(store=cast("Store", None), load_keys=tuple, allowed=("webhook",), guard=guard)


def test_all_addresses_of_a_public_host_may_be_connected_to() -> None:
    assert make_book(PUBLIC, PUBLIC_V6).resolve_host("lab.example.org", 443) == [
        (PUBLIC, 443),
        (PUBLIC_V6, 443),
    ]


@for_each_case("address", INTERNAL)
def test_an_internal_address_is_blocked_alone_and_beside_public_ones(address: str) -> None:
    for answers in ((address,), (PUBLIC, address), (address, PUBLIC), (PUBLIC, PUBLIC_V6, address)):
        with pytest.raises(HostBlockedError, match="not a web server on the public internet"):
            make_book(*answers).resolve_host("lab.example.org", 443)


@pytest.mark.parametrize("port", [22, 25, 8080, 6379])
def test_other_ports_are_blocked(port: int) -> None:
    with pytest.raises(HostBlockedError):
        make_book(PUBLIC).resolve_host("lab.example.org", port)


@for_each_case("host", ["localhost", "127.0.0.1", "::1", "10.0.0.1", "169.254.169.254", "0.0.0.0"])
def test_without_an_injected_resolver_this_machine_is_blocked(host: str) -> None:
    book = StoredAddressBook(store=cast("Store", None), load_keys=tuple, allowed=("webhook",))

    with pytest.raises(HostBlockedError):
        book.resolve_host(host, 443)


def test_a_host_is_resolved_once_so_that_a_second_answer_does_not_count() -> None:
    answers = iter([(PUBLIC,), ("127.0.0.1",)])
    book = make_book(resolve=lambda _host, _port: next(answers))

    assert book.resolve_host("rebinding.example.org", 443) == [(PUBLIC, 443)]
    with pytest.raises(HostBlockedError):
        book.resolve_host("rebinding.example.org", 443)


# --- connections ----------------------------------------------------------------------------------


def test_the_channels_of_readers_exist_without_one_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "digest.toml"
    signup = '[signup]\ndestinations = ["slack", "webhook"]\n'
    site = '[site]\ntitle = "Lab"\nurl = "https://digest.example.org"\n'
    smtp = '[smtp]\nhost = "127.0.0.1"\nsecurity = "none"\nfrom = "digest@example.org"\n'
    text = SMALL.replace("{url}", f"sqlite:///{tmp_path}/digest.db").replace("{to}", '"files:out"')
    text = text.replace('[site]\ntitle = "Lab"\n', site).replace("{more}", signup + smtp)
    file.write_text(text, encoding="utf-8")
    file.chmod(0o600)
    with open_app(file, None, {}) as app:
        book = app.address_book
        connections = make_connections(app.settings, book)
    by_channel = {connection.channel: connection for connection in connections}
    assert {"notify", "webhook"} <= by_channel.keys()
    for name in ("notify", "webhook"):
        channel = by_channel[name].make_channel()
        assert isinstance(channel, NotifyChannel | WebhookChannel)
        assert (channel.urls, channel.address_book) == ({}, book)


def test_only_chats_that_need_apprise_ask_for_it() -> None:
    script = (
        "import importlib.util, sys\n"
        "find = importlib.util.find_spec\n"
        "importlib.util.find_spec = lambda name, *more: None if name == 'apprise' else find(name, *more)\n"
        "from digest.channels.notify import Channel\n"
        "Channel(urls={}, services=('slack', 'webhook'))\n"
        "Channel(urls={}, services=('slack', 'ntfy'))\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )

    assert run.returncode == 1
    assert "pip install apprise" in run.stderr
    assert run.stderr.count("line 6") == 1
