"""Rates of requests to the public pages: of one network, and of all searches together.

They are kept like the rates of delivery (``digest.core.delivery.throttling.rates``), but what a rate allows in
its period may come at once: people open ten pages in a moment and then read.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from digest.core.delivery.throttling.rates import Rate

_IPV4_PREFIX, _IPV6_PREFIX = 24, 48
"""Length of the prefix that one customer, school or company usually has, in bits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestRates:
    """The rates of the public pages; None for no limit. What is in the cache does not count.

    Attributes:
        pages: pages that one network may request, searches among them.
        searches: searches of one network.
        all_searches: searches of all networks together.
    """

    pages: Rate | None
    searches: Rate | None
    all_searches: Rate | None


_MINUTE = timedelta(minutes=1)
DEFAULT_REQUEST_RATES = RequestRates(
    pages=Rate(300, _MINUTE), searches=Rate(120, _MINUTE), all_searches=Rate(1_200, _MINUTE)
)
"""A lab behind one address reads and types its searches; all searches together take about half of a core."""
LOOPBACK_ADDRESSES = ("127.0.0.1", "::1")
"""The machine itself, where a reverse proxy usually runs."""


def name_network(host: str) -> str:
    """Return the network of a client, by which its requests are counted.

    Args:
        host: its address, ``192.0.2.7`` or ``2001:db8::7``.

    Returns:
        ``192.0.2.0/24`` or ``2001:db8::/48``; "" for the machine itself and for what is no address: a reverse
        proxy that does not tell its clients would be limited for all of them.
    """
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return ""
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    if address.is_loopback:
        return ""
    prefix = _IPV4_PREFIX if isinstance(address, IPv4Address) else _IPV6_PREFIX
    return str(ip_network((address, prefix), strict=False))


def compute_wait(rate: Rate, spent_to: datetime, now: datetime) -> timedelta:
    """Return how long the next request must wait; zero or less if it may be answered now.

    Args:
        rate: the rate.
        spent_to: the instant up to which it is spent.
        now: the current time.
    """
    return spent_to + rate.compute_interval() - now - rate.per


def spend(rate: Rate, spent_to: datetime, now: datetime, requests: int) -> datetime:
    """Return the instant up to which a rate is spent after some requests, never further ahead than its period.

    So nobody waits for longer than that: not after a clock was set back, not after a stricter rate was changed in
    the file, and not when what was counted while the store was locked is added at once.

    Args:
        rate: the rate.
        spent_to: the instant up to which it was spent.
        now: the current time.
        requests: the number of requests.
    """
    return min(max(spent_to, now) + requests * rate.compute_interval(), now + rate.per)
