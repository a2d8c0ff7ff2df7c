"""What readers may make us ask: public web servers, and nothing in our own network.

A name is looked up once for each request, all its addresses are judged, and the connection goes to one
of those: a name that answers otherwise the next time leads nowhere.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from dataclasses import dataclass

import httpx

from digest.core.fetching.addresses import is_public

_PORTS = {"http": 80, "https": 443}


class RequestBlockedError(Exception):
    """An address is not asked; the message says why."""


def resolve_host(host: str, port: int) -> tuple[str, ...]:
    """All addresses of a host, as the machine's resolver gives them, each once."""
    address_infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(socket_address[0]) for *_, socket_address in address_infos))


def is_public_web(address: str, port: int) -> bool:
    """Whether an address and port are those of a web server that anybody can ask."""
    return port in _PORTS.values() and is_public(address)


@dataclass(frozen=True, slots=True, kw_only=True)
class SsrfGuard:
    """Judges where a request may go.

    Attributes:
        resolve: gives all addresses of a host at a port.
        is_allowed: judges an address and a port.
    """

    resolve: Callable[[str, int], tuple[str, ...]] = resolve_host
    is_allowed: Callable[[str, int], bool] = is_public_web

    def list_addresses(self, url: httpx.URL) -> tuple[str, ...]:
        """What to connect to for a URL, one after the other until one answers.

        Raises:
            RefusedError: one of its addresses is not public: then none of them is asked.
            OSError: the host has no address.
        """
        port = url.port or _PORTS[url.scheme]
        resolved_addresses = self.resolve(url.raw_host.decode("ascii"), port)
        if not all(self.is_allowed(address, port) for address in resolved_addresses):
            raise RequestBlockedError(
                f"no request is sent to {url.host}: it is not a web server on the public internet, at port 80 or 443"
            )
        return resolved_addresses
