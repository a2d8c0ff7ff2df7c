from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address

from hypothesis import given
from hypothesis import strategies as st

from digest.core.fetching.addresses import is_public
from tests.support.cases import for_each_case

PUBLIC = [
    "1.1.1.1",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "93.184.216.34",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.0",
    "151.101.3.42",
    "168.63.129.15",
    "168.63.129.17",
    "169.253.255.255",
    "169.255.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "191.255.255.255",
    "192.0.1.0",
    "192.167.255.255",
    "192.169.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "2001:200::1",
    "2001:4860:4860::8888",
    "2003::1",
    "2606:4700:4700::1111",
    "2a04:4e42::",
    "3fff:1000::",
    "3ffe:ffff::1",
]
OURS = [
    # this machine
    "0.0.0.0",
    "0.1.2.3",
    "127.0.0.1",
    "127.1.2.3",
    "127.255.255.255",
    "::",
    "::1",
    # private
    "10.0.0.0",
    "10.255.255.255",
    "172.16.0.0",
    "172.31.255.255",
    "192.168.0.1",
    "192.168.255.255",
    "100.64.0.0",
    "100.127.255.255",
    "fc00::1",
    "fd12:3456:789a::1",
    "fdff:ffff::",
    "fec0::1",
    # link-local
    "169.254.0.0",
    "169.254.255.255",
    "fe80::1",
    "fe80::1%eth0",
    "febf::1",
    # what clouds tell about a machine
    "169.254.169.254",
    "169.254.170.2",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "fd00:ec2::254",
    "fd20:ce::254",
    # reserved, for books, for benchmarks
    "192.0.0.0",
    "192.0.0.255",
    "192.0.2.1",
    "192.88.99.1",
    "198.18.0.0",
    "198.19.255.255",
    "198.51.100.7",
    "203.0.113.9",
    "240.0.0.1",
    "255.255.255.255",
    "100::1",
    "2001:2::1",
    "2001:10::1",
    "2001:20::1",
    "2001:db8::1",
    "3fff::1",
    "4000::1",
    "5f00::1",
    # multicast
    "224.0.0.1",
    "239.255.255.255",
    "ff02::1",
    "ff0e::1",
    # other ways to write it, which a resolver never gives
    "127.1",
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "127.0.0.1.",
    "127.0.0.01",
    "[::1]",
    "localhost",
    "example.org",
    "",
    " 1.1.1.1",
    "1.1.1.1/32",
    "①.1.1.1",
]


@for_each_case("address", PUBLIC)
def test_an_address_of_the_internet_may_be_asked(address: str) -> None:
    assert is_public(address)


@for_each_case("address", OURS)
def test_an_address_that_could_be_ours_may_not(address: str) -> None:
    assert not is_public(address)


def disguises(v4: IPv4Address) -> dict[str, IPv6Address]:
    number = int(v4)
    return {
        "mapped (RFC 4291)": IPv6Address(0xFFFF << 32 | number),
        "compatible (RFC 4291)": IPv6Address(number),
        "translated (RFC 2765)": IPv6Address(0xFFFF << 48 | number),
        "6to4 (RFC 3056)": IPv6Address(0x2002 << 112 | number << 80 | 1),
        "Teredo server (RFC 4380)": IPv6Address(0x20010000 << 96 | number << 64 | 0xFFFFFFFF),
        "Teredo client (RFC 4380)": IPv6Address(0x20010000 << 96 | number ^ 0xFFFFFFFF),
        "NAT64 (RFC 6052)": IPv6Address(0x0064FF9B << 96 | number),
        "local NAT64 (RFC 8215)": IPv6Address(0x0064FF9B0001 << 80 | number),
    }


@given(st.ip_addresses(v=4))
def test_no_ipv4_address_gets_through_in_the_disguise_of_ipv6(v4: IPv4Address) -> None:
    assert [name for name, v6 in disguises(v4).items() if is_public(str(v6))] == []


@given(st.ip_addresses())
def test_what_may_be_asked_is_global_for_the_standard_library_too(address: IPv4Address | IPv6Address) -> None:
    assert address.is_global or not is_public(str(address))


@given(st.text())
def test_no_text_breaks_the_judgement(text: str) -> None:
    if is_public(text):
        ip_address(text)
