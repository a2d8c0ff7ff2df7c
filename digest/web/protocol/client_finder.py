"""Who asks: the address of a client behind a reverse proxy, which X-Forwarded-For tells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from ipaddress import IPv6Address, ip_address
from typing import Any

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware


class ClientFinder:
    """Passes requests on with the address of their client.

    Args:
        api: the application.
        proxies: addresses and networks of the reverse proxies whose header is believed.
        notify: gets a sentence about the first other one that sends the header.
    """

    def __init__(self, api: Any, proxies: Sequence[str], notify: Callable[[str], None]) -> None:
        self._finder = ProxyHeadersMiddleware(api, trusted_hosts=list(proxies))
        self._notify = notify
        self._has_warned = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Respond to an ASGI request."""
        if scope["type"] == "http" and scope.get("client"):
            host, port = scope["client"]
            scope["client"] = (_unmap(host), port)
            self._warn_of_ignored(scope)
        await self._finder(scope, receive, send)

    def _warn_of_ignored(self, scope: Any) -> None:
        host = scope["client"][0]
        if self._has_warned or host in self._finder.trusted_hosts:
            return
        if any(name == b"x-forwarded-for" for name, _ in scope["headers"]):
            self._has_warned = True
            self._notify(
                f"Requests from {host} say for whom they are (X-Forwarded-For), which is not believed. If that is your web server, add its address to [site] proxies; otherwise all its readers share one limit."
            )


def _unmap(host: str) -> str:
    """Return an IPv4 address in its own form if a socket for both families gives it as IPv6 (RFC 4291, section 2.5.5.2)."""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return str(mapped or host)
