"""Addresses that readers type lead to the service that they name, or are refused: never to a host of their choice."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import pytest
from apprise import Apprise
from hypothesis import example, given
from hypothesis import strategies as st

from digest.channels.notify.slack_address import parse_slack_address
from digest.core.fetching.addresses import is_public
from digest.core.subscribers.own_digest import EditError, EditMistake, ReaderService
from digest.core.subscribers.reader_addresses import MAX_ADDRESS, ReaderAddress, parse_reader_address
from tests.support.cases import for_each_case

ALL = tuple(service.value for service in ReaderService)
DISCORD_ID, DISCORD_TOKEN = "123456789012345678", "a-b_C3" * 11
SLACK = "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX"
HOSTS = {
    "slack": "hooks.slack.com",
    "discord": "discord.com",
    "ntfy": "ntfy.sh",
}


def parse(typed: str, offered: tuple[str, ...] = ALL) -> ReaderAddress | EditMistake:
    try:
        return parse_reader_address(typed, offered)
    except EditError as error:
        return error.mistake


def find_host(address: ReaderAddress) -> str:
    """The host to which a message to this address is posted, by the code that posts it."""
    if address.service is ReaderService.WEBHOOK:
        parts = urlsplit(address.url)
        assert (parts.scheme, parts.port, parts.username, parts.fragment) == ("https", None, None, "")
        return parts.hostname or ""
    if slack := parse_slack_address(address.url):
        assert (slack.token, slack.channel, slack.username) == ("", "", "")
        return urlsplit(slack.url).hostname or ""
    plugin: Any = Apprise.instantiate(address.url)
    assert plugin is not None
    # What Apprise posts to is in the plug-in: the fixed address of the service, or the host and its port.
    if address.service is ReaderService.DISCORD:
        return urlsplit(plugin.notify_url).hostname or ""
    assert (plugin.secure, plugin.port, plugin.user, plugin.password) == (True, None, None, None)
    return plugin.host if plugin.mode == "private" else urlsplit(plugin.cloud_notify_url).hostname or ""


@for_each_case(
    ("typed", "service", "url"),
    [
        (f" {SLACK}\n", "slack", f"slack://{SLACK.partition('services/')[2]}"),
        (f"{SLACK}/", "slack", f"slack://{SLACK.partition('services/')[2]}"),
        ("HTTPS://HOOKS.SLACK.COM:443/services/Ta/Bb/Cc", "slack", "slack://Ta/Bb/Cc"),
        (
            f"https://discord.com/api/webhooks/{DISCORD_ID}/{DISCORD_TOKEN}",
            "discord",
            f"discord://{DISCORD_ID}/{DISCORD_TOKEN}",
        ),
        (
            f"https://discordapp.com/api/v10/webhooks/{DISCORD_ID}/{DISCORD_TOKEN}",
            "discord",
            f"discord://{DISCORD_ID}/{DISCORD_TOKEN}",
        ),
        ("https://ntfy.sh/my_papers-1", "ntfy", "ntfys://ntfy.sh/my_papers-1"),
        ("https://Example.org", "webhook", "https://example.org/"),
        ("https://example.org:443/Hook?Key=a%20b", "webhook", "https://example.org/Hook?Key=a%20b"),
        ("https://xn--bcher-kva.example/h", "webhook", "https://xn--bcher-kva.example/h"),
        ("https://93.184.216.34/h", "webhook", "https://93.184.216.34/h"),
        ("https://[2606:2800:220:1::1]/h", "webhook", "https://[2606:2800:220:1::1]/h"),
    ],
)
def test_an_address_is_taken_as_the_service_shows_it(typed: str, service: str, url: str) -> None:
    address = parse(typed)

    assert isinstance(address, ReaderAddress)
    assert (address.service.value, address.url) == (service, url)
    assert find_host(address) == HOSTS.get(service, urlsplit(url).hostname)
    assert url not in repr(address)


@for_each_case(
    ("typed", "mistake"),
    [
        ("", EditMistake.NO_ADDRESS),
        ("my chat", EditMistake.NO_ADDRESS),
        ("ada@example.org", EditMistake.NO_ADDRESS),
        ("https://", EditMistake.NO_ADDRESS),
        ("https://example.org/a b", EditMistake.NO_ADDRESS),
        ("https://example.org/\x00", EditMistake.NO_ADDRESS),
        ("https://example.org/\r\nHost: other", EditMistake.NO_ADDRESS),
        ("https://bücher.example/", EditMistake.NO_ADDRESS),
        ("https://example.org\\@10.0.0.1/", EditMistake.NO_ADDRESS),
        ("http://example.org/hook", EditMistake.WEBHOOK_FORM),
        ("slack://T/B/C", EditMistake.WEBHOOK_FORM),
        ("ntfy://10.0.0.1/topic", EditMistake.WEBHOOK_FORM),
        ("file:///etc/passwd", EditMistake.WEBHOOK_FORM),
        ("https://example.org:8443/", EditMistake.WEBHOOK_FORM),
        ("https://example.org:80/", EditMistake.WEBHOOK_FORM),
        ("https://me:pw@example.org/", EditMistake.WEBHOOK_FORM),
        ("https://example.org@10.0.0.1/", EditMistake.WEBHOOK_FORM),
        ("https://example.org/#part", EditMistake.WEBHOOK_FORM),
        ("https://example.org/#", EditMistake.WEBHOOK_FORM),
        (f"https://example.org/{'a' * MAX_ADDRESS}", EditMistake.LONG_ADDRESS),
        *(
            (f"https://{host}/", EditMistake.NOT_PUBLIC)
            for host in (
                *("localhost", "intranet", "127.0.0.1", "10.0.0.5", "192.168.1.1", "169.254.169.254"),
                *("100.64.0.1", "0.0.0.0", "[::1]", "[::]", "[fd00:ec2::254]", "[fe80::1]"),
                *("[::ffff:10.0.0.5]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "2130706433", "0x7f000001"),
                *(
                    "127.1",
                    "0x7f.1",
                    "0177.0.0.1",
                    "1.2.3.4.5",
                    "999.1.1.1",
                    "example.org.",
                    "a..b",
                    "-a.org",
                ),
                *("hooks.slack.com.", f"{'a' * 64}.org", f"{'a.' * 130}org"),
            )
        ),
        # a service's host, and something else than the address of a chat
        ("https://hooks.slack.com/", EditMistake.NO_ADDRESS),
        ("https://hooks.slack.com/triggers/T/B/C", EditMistake.NO_ADDRESS),
        (f"{SLACK}/@10.0.0.1", EditMistake.NO_ADDRESS),
        (f"{SLACK}?footer=no", EditMistake.NO_ADDRESS),
        ("https://hooks.slack.com/services/T/B/C%2F..", EditMistake.NO_ADDRESS),
        (f"https://discord.com/api/webhooks/{DISCORD_ID}/{DISCORD_TOKEN}?thread=1", EditMistake.NO_ADDRESS),
        (f"https://discord.com/api/webhooks/10.0.0.1/{DISCORD_TOKEN}", EditMistake.NO_ADDRESS),
        ("https://ntfy.sh/", EditMistake.NO_ADDRESS),
        ("https://ntfy.sh/a/b", EditMistake.NO_ADDRESS),
        ("https://ntfy.sh/a?priority=5", EditMistake.NO_ADDRESS),
        ("https://ntfy.sh/a@10.0.0.1", EditMistake.NO_ADDRESS),
    ],
)
def test_what_is_no_such_address_is_refused_in_words(typed: str, mistake: EditMistake) -> None:
    assert parse(typed) is mistake


def test_only_what_the_file_allows_is_offered() -> None:
    assert parse(SLACK, ("webhook", "ntfy")) is EditMistake.NOT_OFFERED
    assert parse("https://example.org/hook", ("slack",)) is EditMistake.NOT_OFFERED
    assert parse("https://example.org/hook", ()) is EditMistake.NOT_OFFERED


PIECES = st.sampled_from(
    [
        *("https://", "http://", "HTTPS://", "hooks.slack.com", "discord.com", "ntfy.sh", "example.org"),
        *("/services/", "/api/webhooks/", DISCORD_ID, DISCORD_TOKEN, "T0/B0/X0", "127.0.0.1", "10.0.0.1"),
        *("[::1]", "localhost", "@", ":", ":443", ":22", "/", "//", "?", "#", "%2f", "%40", "\\", "..", " "),
        *("?mode=private", "&to=", "user:pass@", "topic", "\n", "\t", "。", "\u2044", "%00", "slack://"),
    ]
)
TYPED = st.one_of(st.text(), st.lists(PIECES, max_size=8).map("".join))


@given(TYPED)
@example("https://ntfy.sh/topic")
@example(f"https://discord.com/api/webhooks/{DISCORD_ID}/{DISCORD_TOKEN}")
@example(SLACK)
def test_whatever_is_typed_is_refused_or_goes_to_the_host_of_the_service(typed: str) -> None:
    address = parse(typed)
    if isinstance(address, EditMistake):
        return

    host = find_host(address)

    if address.service is ReaderService.WEBHOOK:
        assert host in typed.lower()
        assert host not in {"hooks.slack.com", "discord.com", "ntfy.sh", "localhost"}
        assert "." in host or is_public(host)
        assert not host.replace(".", "").isdecimal() or is_public(host)
    else:
        assert host == HOSTS[address.service.value]


@pytest.mark.parametrize("separator", ["/", "?"])
@given(TYPED.filter(lambda text: "#" not in text))
def test_nothing_behind_the_host_changes_where_a_webhook_goes(separator: str, more: str) -> None:
    address = parse(f"https://example.org{separator}{more}")

    assert isinstance(address, EditMistake) or find_host(address) == "example.org"
