"""SSRF guard: addresses given by readers may lead to public web servers, but not into a private network.

A name is resolved once for each request, all its addresses are checked, and the connection is made to one of
these. So it does not help an attacker that a second lookup returns other addresses.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from dataclasses import dataclass

import httpx

from digest.core.fetching.addresses import is_public

_PORTS = {"http": 80, "https": 443}


class RequestBlockedError(Exception):
    """An address must not be requested; the message says why."""


def resolve_host(host: str, port: int) -> tuple[str, ...]:
    """Resolve a host name; return each of its addresses once."""
    address_infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(socket_address[0]) for *_, socket_address in address_infos))


def is_public_web(address: str, port: int) -> bool:
    """Whether an address and port are those of a public web server."""
    return port in _PORTS.values() and is_public(address)


@dataclass(frozen=True, slots=True, kw_only=True)
class SsrfGuard:
    """Checks where a request may go.

    Attributes:
        resolve: returns all addresses of a host at a port.
        is_allowed: whether a connection to an address and port is allowed.
    """

    resolve: Callable[[str, int], tuple[str, ...]] = resolve_host
    is_allowed: Callable[[str, int], bool] = is_public_web

    def list_addresses(self, url: httpx.URL) -> tuple[str, ...]:
        """Return the addresses of a URL's host, to be tried in this order.

        Raises:
            RequestBlockedError: one of the addresses is not public; then none of them may be used.
            OSError: the host has no address.
        """
        port = url.port or _PORTS[url.scheme]
        resolved_addresses = self.resolve(url.raw_host.decode("ascii"), port)
        if not all(self.is_allowed(address, port) for address in resolved_addresses):
            raise RequestBlockedError(
                f"no request is sent to {url.host}: it is not a web server on the public internet, at port 80 or 443"
            )
        return resolved_addresses
