"""Which addresses of the internet are anybody's, and which could be ours."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

_SPECIAL_V4_NETWORKS = tuple(
    map(
        IPv4Network,
        (
            "0.0.0.0/8",  # this network: Linux takes 0.0.0.0 for itself
            "10.0.0.0/8",
            "100.64.0.0/10",  # behind a provider's NAT; one cloud's metadata
            "127.0.0.0/8",
            "168.63.129.16/32",  # one cloud's metadata, at a public address
            "169.254.0.0/16",  # link-local; most clouds' metadata
            "172.16.0.0/12",
            "192.0.0.0/24",  # protocols; one cloud's metadata
            "192.0.2.0/24",  # for books
            "192.88.99.0/24",  # 6to4 relays
            "192.168.0.0/16",
            "198.18.0.0/15",  # benchmarks
            "198.51.100.0/24",  # for books
            "203.0.113.0/24",  # for books
            "224.0.0.0/4",  # multicast
            "240.0.0.0/4",  # reserved; broadcast
        ),
    )
)
_GLOBAL_UNICAST_V6 = IPv6Network("2000::/3")
"""The only part that is given out. What disguises IPv4 lies elsewhere (mapped, compatible, NAT64), or below."""
_SPECIAL_V6_NETWORKS = tuple(
    map(
        IPv6Network,
        (
            "2001::/23",  # protocols: Teredo, benchmarks, identifiers that are no addresses
            "2001:db8::/32",  # for books
            "2002::/16",  # 6to4: any IPv4 address within
            "3fff::/20",  # for books
        ),
    )
)


def is_public(address: str) -> bool:
    """Whether an address is one that anybody on the internet can be asked at.

    The registries of special addresses: iana.org/assignments/iana-ipv4-special-registry and -ipv6-.
    What is written in another form than the usual one (decimal, octal, with a zone) is not.

    Args:
        address: IPv4 or IPv6, as a resolver gives it.
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
