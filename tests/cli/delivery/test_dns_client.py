from __future__ import annotations

import socket
from contextlib import suppress

import pytest

from digest.cli.delivery.dns_client import DnsClient
from digest.core.delivery.dns.records import NoAnswerError
from digest.errors import ConfigError
from tests.fakes.name_server import NameServer
from tests.support.cases import for_each_case

TABLE = {
    "lab.example TXT": ['"v=spf1 a:mx.exa" "mple -all"', '"other"'],
    "lab.example MX": ["10 mx.example.", "5 first.example."],
    "none.example MX": ["0 ."],
    "mx.example A": ["203.0.113.7"],
    "mx.example AAAA": ["2001:db8::7"],
    "7.113.0.203.in-addr.arpa PTR": ["mx.example."],
    "sick.example TXT": ["broken"],
}


@for_each_case(
    ("name", "kind", "records"),
    [
        ("lab.example", "TXT", ("other", "v=spf1 a:mx.example -all")),
        ("lab.example", "MX", ("10 mx.example", "5 first.example")),
        ("none.example", "MX", ("0 ",)),
        ("mx.example", "A", ("203.0.113.7",)),
        ("mx.example", "AAAA", ("2001:db8::7",)),
        ("7.113.0.203.in-addr.arpa", "PTR", ("mx.example",)),
        ("lab.example", "AAAA", ()),
        ("nobody.example", "TXT", ()),
        ("a..example", "TXT", ()),
        (f"{'a' * 64}.example", "TXT", ()),
    ],
)
def test_what_dns_has_is_told_as_text(name: str, kind: str, records: tuple[str, ...]) -> None:
    with NameServer(TABLE) as server:
        assert DnsClient(server.address).look_up(name, kind) == records


def test_each_question_is_asked_once() -> None:
    with NameServer(TABLE) as server:
        dns_client = DnsClient(server.address)
        for _ in range(3):
            dns_client.look_up("mx.example", "A")

        assert server.questions == ["mx.example A"]


def test_a_name_that_a_server_fails_at_is_no_name_that_is_not_there() -> None:
    with NameServer(TABLE) as server:
        dns_client = DnsClient(server.address)
        with pytest.raises(NoAnswerError, match=r"no name server answers queries for sick\.example"):
            dns_client.look_up("sick.example", "TXT")

        assert dns_client.look_up("mx.example", "A") == ("203.0.113.7",)


def test_a_server_that_is_silent_is_waited_for_once() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent:
        silent.bind(("127.0.0.1", 0))
        place = "{}:{}".format(*silent.getsockname())
        dns_client = DnsClient(place, timeout=0.2)
        with pytest.raises(NoAnswerError, match=f"{place} does not answer"):
            dns_client.look_up("mx.example", "A")
        silent.settimeout(0)
        with suppress(BlockingIOError):
            while silent.recv(4096):
                pass

        with pytest.raises(NoAnswerError, match="does not answer"):
            dns_client.look_up("lab.example", "TXT")
        with pytest.raises(BlockingIOError):
            silent.recv(4096)


@for_each_case("server", ["localhost", "1.2.3", "127.0.0.1:", "127.0.0.1:99999", "a b", "[::1", "[::1]:x"])
def test_what_is_no_name_server_is_told(server: str) -> None:
    with pytest.raises(ConfigError, match=r"is not a name server; write its address, such as 9\.9\.9\.9"):
        DnsClient(server)


@for_each_case("server", ["9.9.9.9", "127.0.0.1:5353", "2620:fe::9", "[2620:fe::9]", "[::1]:5353"])
def test_name_servers_are_written_with_and_without_a_port(server: str) -> None:
    assert DnsClient(server).server == server
