"""Classification of IP addresses as public or internal, for the SSRF guard."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

_SPECIAL_V4_NETWORKS = tuple(
    map(
        IPv4Network,
        (
            "0.0.0.0/8",  # this network; on Linux, 0.0.0.0 is the local host
            "10.0.0.0/8",
            "100.64.0.0/10",  # carrier-grade NAT; one cloud's metadata
            "127.0.0.0/8",
            "168.63.129.16/32",  # one cloud's metadata, although it is a public address
            "169.254.0.0/16",  # link-local; most clouds' metadata
            "172.16.0.0/12",
            "192.0.0.0/24",  # protocol assignments; one cloud's metadata
            "192.0.2.0/24",  # documentation
            "192.88.99.0/24",  # 6to4 relays
            "192.168.0.0/16",
            "198.18.0.0/15",  # benchmarks
            "198.51.100.0/24",  # documentation
            "203.0.113.0/24",  # documentation
            "224.0.0.0/4",  # multicast
            "240.0.0.0/4",  # reserved; broadcast
        ),
    )
)
_GLOBAL_UNICAST_V6 = IPv6Network("2000::/3")
"""The only allocated range; forms that embed IPv4 are outside it (mapped, compatible, NAT64) or listed below."""
_SPECIAL_V6_NETWORKS = tuple(
    map(
        IPv6Network,
        (
            "2001::/23",  # protocol assignments: Teredo, benchmarks, ORCHID
            "2001:db8::/32",  # documentation
            "2002::/16",  # 6to4, which embeds any IPv4 address
            "3fff::/20",  # documentation
        ),
    )
)


def is_public(address: str) -> bool:
    """Return True if an address is public: reachable by anybody, and not part of an internal network.

    See the registries iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry. An
    address in an unusual notation (decimal, octal, with a zone) does not count as public.

    Args:
        address: IPv4 or IPv6, as a resolver returns it.
    """
    try:
        v4 = IPv4Address(address)
    except ValueError:
        return _is_public_v6(address)
    return not any(v4 in network for network in _SPECIAL_V4_NETWORKS)


def _is_public_v6(address: str) -> bool:
    try:
        v6 = IPv6Address(address)
    except ValueError:
        return False
    if v6.scope_id is not None:
        return False
    return v6 in _GLOBAL_UNICAST_V6 and not any(v6 in network for network in _SPECIAL_V6_NETWORKS)
