"""Addresses that readers gave lead to public web servers and nowhere else."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
import stamina
import trustme

from digest.jobs.http.fetch import Fetcher
from digest.jobs.http.fetch_results import FetchFailure, FetchFailureState, FetchResult
from digest.jobs.http.ssrf_guard import RequestBlockedError, SsrfGuard, is_public_web, resolve_host
from tests.jobs.hosts import (
    LoopbackHost,
    answer_moved,
    answer_redirect,
    answer_with,
    fetch_url,
    get_body,
    get_error,
    get_request_header,
    open_fetcher,
)
from tests.support.cases import for_each_case

BODY = b"<rss/>"
OUTSIDE, INSIDE = "127.0.0.1", "127.0.0.2"
"""In these tests the first is as good as public, and the second is not."""

NAMES = {
    "public.example": ("93.184.216.34", "2606:2800:220:1::1"),
    "inside.example": ("10.0.0.5",),
    "mixed.example": ("93.184.216.34", "10.0.0.5"),
    "mixed6.example": ("2606:2800:220:1::1", "::1"),
    "metadata.google.internal": ("169.254.169.254",),
    "127.0.0.1.nip.example": ("127.0.0.1",),
    "metadata6.example": ("fd00:ec2::254",),
    "mapped.example": ("::ffff:10.0.0.5",),
    "nat64.example": ("64:ff9b::7f00:1",),
    "linklocal.example": ("fe80::1%2",),
}


def known_names(host: str, port: int) -> tuple[str, ...]:
    """These names, and what is an address already in any way that the resolver knows, without a network."""
    named = NAMES.get(host.removesuffix(".").lower())
    if named:
        return named
    if host.lower().removesuffix(".").split(".")[-1] == "localhost":
        return ("127.0.0.1", "::1")
    results = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
    return tuple(str(place[0]) for *_, place in results)


def only_outside(address: str, _: int) -> bool:
    return address == OUTSIDE


def answering(*answers: tuple[str, ...]) -> Callable[[str, int], tuple[str, ...]]:
    """A resolver that gives one answer after another, whoever is asked for."""
    left: Iterator[tuple[str, ...]] = iter(answers)
    return lambda _host, _port: next(left)


def refused(answer: FetchResult) -> str:
    assert isinstance(answer, FetchFailure), answer
    assert answer.state is FetchFailureState.UNUSABLE
    assert "public internet" in answer.message
    return answer.message


@pytest.fixture(scope="module")
def misled_fetcher() -> Iterator[Fetcher]:
    """One for whom all names lead inside."""
    with open_fetcher(guard=SsrfGuard(resolve=lambda _host, _port: ("10.0.0.5",))) as asking:
        yield asking


@pytest.fixture
def at_once() -> Iterator[None]:
    """No retries."""
    with stamina.set_testing(True, attempts=1):
        yield


# --- where an address leads -----------------------------------------------------------------------

LEAD_INSIDE = [
    *(f"http://{host}/" for host in NAMES if host != "public.example"),
    "http://localhost/",
    "http://LOCALHOST/",
    "http://localhost./",
    "http://a.localhost/",
    "https://localhost/",
    "http://localhost:80/feed.xml?a=b#c",
    "http://inside.example./",
    "http://INSIDE.example/",
    # this machine
    "http://127.0.0.1/",
    "http://127.0.0.1:443/",
    "http://127.255.255.254/",
    "http://127.1/",
    "http://127.0.1/",
    "http://2130706433/",
    "http://017700000001/",
    "http://0x7f000001/",
    "http://0x7f.0.0.1/",
    "http://0x7f.1/",
    "http://00000177.1/",
    "http://127.0.0.0x1/",
    "http://127。0。0。1/",
    "http://0/",
    "http://0.0.0.0/",
    "http://0x0/",
    "http://[::]/",
    "http://[::1]/",
    "http://[0:0:0:0:0:0:0:1]/",
    "http://[0000::0001]/",
    # our network
    "http://10.0.0.1/",
    "http://10.1/",
    "http://167772161/",
    "http://172.16.0.1/",
    "http://172.31.255.255/",
    "http://192.168.0.1/",
    "http://192.168.257/",
    "http://0xc0a80001/",
    "http://3232235521/",
    "http://100.64.0.1/",
    "http://[fc00::1]/",
    "http://[fd12:3456::1]/",
    "http://[fe80::1]/",
    "http://[fec0::1]/",
    # what clouds tell about a machine
    "http://169.254.169.254/latest/meta-data/",
    "http://169.254.170.2/v2/credentials",
    "http://2852039166/",
    "http://0xa9fea9fe/",
    "http://169.254.43518/",
    "http://100.100.100.200/",
    "http://168.63.129.16/",
    "http://192.0.0.192/",
    "http://[fd00:ec2::254]/",
    # IPv4 in disguise
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[::ffff:a9fe:a9fe]/",
    "http://[::127.0.0.1]/",
    "http://[::ffff:0:127.0.0.1]/",
    "http://[2002:7f00:1::]/",
    "http://[2002:a9fe:a9fe::1]/",
    "http://[2001:0:7f00:1::1]/",
    "http://[64:ff9b::127.0.0.1]/",
    "http://[64:ff9b::a9fe:a9fe]/",
    "http://[64:ff9b:1::7f00:1]/",
    # reserved
    "http://198.18.0.1/",
    "http://192.0.2.1/",
    "http://203.0.113.1/",
    "http://224.0.0.1/",
    "http://255.255.255.255/",
    "http://[ff02::1]/",
    "http://[2001:db8::1]/",
    # public, but not where the web is
    "http://public.example:22/",
    "http://public.example:8080/",
    "http://public.example:6379/",
    "https://public.example:25/",
    "http://93.184.216.34:11211/",
]


@for_each_case("url", LEAD_INSIDE)
def test_an_address_that_leads_inside_or_to_no_web_server_is_not_asked(url: str) -> None:
    with pytest.raises(RequestBlockedError, match="not a web server on the public internet"):
        SsrfGuard(resolve=known_names).list_addresses(httpx.URL(url))


NOT_OF_THE_WEB = [
    "file:///etc/passwd",
    "ftp://public.example/",
    "gopher://127.0.0.1:6379/_FLUSHALL",
    "dict://127.0.0.1:11211/stats",
    "data:text/xml,<rss/>",
    "javascript:alert(1)",
    "//public.example/",
    "/etc/passwd",
    "http:///etc/passwd",
    "http://",
    "https:public.example",
    "http://public.example:99999/",
    "http://public.example:-80/",
    "http://[::1/",
    "http://0177.0.0.1/",
    "http://0177.0.0.01/",
    "http://0251.0376.0251.0376/",
    "http://①②⑦.⓪.⓪.①/",
    "http://public.example\r\nHost: inside.example/",
    "http://public.example\t.inside.example/",
    "http://user:secret@public.example/",
    "http://public.example@10.0.0.5/",
    "http://public.example:80@10.0.0.5/",
    "http://10.0.0.5\\@public.example/",
    "",
]


@for_each_case("url", NOT_OF_THE_WEB)
def test_an_address_that_is_none_of_the_web_is_not_even_looked_up(url: str) -> None:
    def look_up(host: str, port: int) -> tuple[str, ...]:
        raise AssertionError(f"{host}:{port} was looked up")

    answer = fetch_url(url, by_reader=True, guard=SsrfGuard(resolve=look_up))

    assert isinstance(answer, FetchFailure)
    assert answer.state is FetchFailureState.UNUSABLE
    assert "secret" not in answer.message


@pytest.mark.parametrize(
    "url", ["http://public.example/a", "https://public.example/", "http://93.184.216.34/"]
)
def test_a_public_web_server_may_be_asked_at_all_its_addresses(url: str) -> None:
    addresses = SsrfGuard(resolve=known_names).list_addresses(httpx.URL(url))

    assert addresses[0] == "93.184.216.34"


@for_each_case(("port", "expected"), [(80, True), (443, True), (0, False), (8443, False), (25, False)])
def test_the_web_is_at_two_ports(port: int, *, expected: bool) -> None:
    assert is_public_web("93.184.216.34", port) is expected
    assert not is_public_web("10.0.0.5", port)


def test_the_machines_resolver_gives_each_address_once() -> None:
    assert resolve_host("127.0.0.1", 80) == ("127.0.0.1",)
    assert resolve_host("0x7f.1", 80) == ("127.0.0.1",)


# --- the connection -------------------------------------------------------------------------------


def test_by_default_a_reader_cannot_make_us_ask_this_machine() -> None:
    with LoopbackHost(answer_with(BODY)) as host:
        refused(fetch_url(host.url, by_reader=True))
        assert get_body(fetch_url(host.url)) == BODY  # the operator can
        assert len(host.requests) == 1


def test_the_address_that_was_judged_is_the_one_that_is_asked() -> None:
    guard = SsrfGuard(resolve=answering((OUTSIDE,), (INSIDE,)), is_allowed=only_outside)
    with LoopbackHost(answer_with(BODY)) as host:
        assert get_body(fetch_url(host.make_url("feeds.example"), by_reader=True, guard=guard)) == BODY
        assert get_request_header(host, "host") == f"feeds.example:{host.port}"
        refused(fetch_url(host.make_url("feeds.example"), by_reader=True, guard=guard))
        assert len(host.requests) == 1


def test_a_name_with_one_address_inside_is_not_asked_at_the_others() -> None:
    guard = SsrfGuard(resolve=answering((OUTSIDE, INSIDE)), is_allowed=only_outside)
    with LoopbackHost(answer_with(BODY)) as host:
        refused(fetch_url(host.make_url("feeds.example"), by_reader=True, guard=guard))
        assert not host.requests


def test_each_redirect_is_judged_anew() -> None:
    def resolve(host: str, _: int) -> tuple[str, ...]:
        return (INSIDE if "inside" in host else OUTSIDE,)

    with LoopbackHost(answer_with(b"the secret")) as inner:
        for redirect in (answer_redirect, answer_moved):
            to = inner.make_url("inside.example")
            with LoopbackHost(redirect("/on"), redirect(to)) as host:
                url = fetch_url(
                    host.make_url("feeds.example"),
                    by_reader=True,
                    guard=SsrfGuard(resolve=resolve, is_allowed=only_outside),
                )
                assert "no request is sent to inside.example" in refused(url)
                assert len(host.requests) == 2
        assert not inner.requests


def test_a_name_that_turns_inside_between_two_redirects_leads_nowhere() -> None:
    guard = SsrfGuard(resolve=answering((OUTSIDE,), (INSIDE,)), is_allowed=only_outside)
    with LoopbackHost(answer_redirect("/rss/cs.LG"), answer_with(b"the secret")) as host:
        refused(fetch_url(host.make_url("feeds.example"), by_reader=True, guard=guard))
        assert len(host.requests) == 1


@pytest.mark.usefixtures("at_once")
def test_a_host_of_several_addresses_is_asked_at_the_next_where_one_does_not_answer() -> None:
    both = SsrfGuard(resolve=answering((INSIDE, OUTSIDE)), is_allowed=lambda _address, _port: True)
    with LoopbackHost(answer_with(BODY)) as host:
        assert get_body(fetch_url(host.make_url("feeds.example"), by_reader=True, guard=both)) == BODY


@pytest.mark.usefixtures("at_once")
def test_a_name_that_nobody_knows_is_said() -> None:
    def unknown(_host: str, _port: int) -> tuple[str, ...]:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    for resolve, message in (
        (unknown, "the name of its host cannot be resolved; is this machine offline?"),
        (answering(()), "it cannot be reached (it has no address)"),
    ):
        answer = fetch_url("http://feeds.example/", by_reader=True, guard=SsrfGuard(resolve=resolve))
        assert isinstance(answer, FetchFailure)
        assert answer.state is FetchFailureState.AWAY
        assert answer.message == message


# --- encryption, proxies --------------------------------------------------------------------------


@pytest.fixture
def feeds_context(
    authority: trustme.CA, authority_file: Path, monkeypatch: pytest.MonkeyPatch
) -> ssl.SSLContext:
    """A server's, with a certificate for feeds.example that we trust."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("feeds.example").configure_cert(context)
    monkeypatch.setenv("SSL_CERT_FILE", str(authority_file))
    return context


OUTSIDE_ONLY = SsrfGuard(resolve=lambda _host, _port: (OUTSIDE,), is_allowed=only_outside)


def test_the_certificate_is_checked_for_the_name_and_not_the_address(feeds_context: ssl.SSLContext) -> None:
    named: list[str] = []
    feeds_context.sni_callback = lambda _socket, name, _context: named.append(name)
    with LoopbackHost(answer_with(BODY), context=feeds_context) as host:
        assert get_body(fetch_url(host.make_url("feeds.example"), by_reader=True, guard=OUTSIDE_ONLY)) == BODY
        with stamina.set_testing(True, attempts=1):
            wrong = get_error(fetch_url(host.make_url("other.example"), by_reader=True, guard=OUTSIDE_ONLY))

    assert "certificate" in wrong
    assert named == ["feeds.example", "other.example"]


def test_a_reader_is_not_led_from_https_to_http(feeds_context: ssl.SSLContext) -> None:
    with LoopbackHost(answer_with(BODY)) as plain:
        to = plain.make_url("feeds.example")
        with LoopbackHost(answer_redirect(to), context=feeds_context) as host:
            answer = fetch_url(host.make_url("feeds.example"), by_reader=True, guard=OUTSIDE_ONLY)
            assert "from https to unencrypted http" in get_error(answer)
        assert not plain.requests


def test_a_proxy_of_the_environment_is_for_the_operator_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_PROXY", "no_proxy", "ALL_PROXY", "all_proxy", "HTTP_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with LoopbackHost(answer_with(b"by the proxy")) as proxy, LoopbackHost(answer_with(BODY)) as host:
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.port}")
        assert get_body(fetch_url(host.url)) == b"by the proxy"
        assert proxy.requests[0].startswith(f"GET {host.url} HTTP/1.1")
        assert get_body(fetch_url(host.make_url("feeds.example"), by_reader=True, guard=OUTSIDE_ONLY)) == BODY
        assert len(proxy.requests) == 1
