"""DNS client of ``digest check``; it distinguishes a record that does not exist from a server that does not answer."""

from __future__ import annotations

import ipaddress
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from digest.core.delivery.dns.records import NoAnswerError
from digest.errors import ConfigError

if TYPE_CHECKING:
    from dns.rdata import Rdata
    from dns.resolver import Resolver

_SERVER_PATTERN = re.compile(
    r"(?:\[([0-9A-Fa-f:.]+)\]|([0-9.]+)|([0-9A-Fa-f:]*:[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*))(?::(\d{1,5}))?"
)


class DnsClient:
    """Client of a name server, which caches answers and sends no more queries after one was not answered.

    Args:
        server: ``ADDRESS`` or ``ADDRESS:PORT`` of the name server; "" for those of this machine.
        timeout: time limit of a query, in seconds; short, because a person is waiting.

    Attributes:
        server: the name server, as given.

    Raises:
        ConfigError: ``server`` is not an address.
    """

    def __init__(self, server: str = "", timeout: float = 5.0) -> None:
        self.server = server
        self._timeout = timeout
        self._address = _read_server(server) if server else ("", 0)
        self._no_answer_reason = ""
        self.look_up = lru_cache(maxsize=None)(self._resolve_name)

    def _resolve_name(self, name: str, kind: str) -> tuple[str, ...]:
        """Return the records of a name, sorted; none if the name does not exist.

        Raises:
            NoAnswerError: the name server did not answer, and why.
        """
        import dns.exception  # imported here because it is slow, and only `digest check` needs it
        import dns.resolver

        if self._no_answer_reason:
            raise NoAnswerError(self._no_answer_reason)
        try:
            answer = self._make_resolver().resolve(name, kind, raise_on_no_answer=False, search=False)
        except dns.resolver.NXDOMAIN:
            return ()
        except dns.resolver.NoNameservers:
            raise NoAnswerError(f"no name server answers queries for {name}") from None
        except (dns.exception.Timeout, dns.resolver.NoResolverConfiguration, OSError):
            self._no_answer_reason = f"{self.server or 'the name server of this machine'} does not answer"
            raise NoAnswerError(self._no_answer_reason) from None
        except (dns.exception.DNSException, UnicodeError):
            return ()  # not a valid DNS name
        return tuple(sorted(_format_record(record) for record in answer))

    def _make_resolver(self) -> Resolver:
        import dns.resolver

        resolver = dns.resolver.Resolver(configure=not self.server)
        if self.server:
            resolver.nameservers, resolver.port = [self._address[0]], self._address[1]
        resolver.lifetime = self._timeout
        return resolver


def _format_record(record: Rdata) -> str:
    """Return a record as text; names have no final dot."""
    strings = getattr(record, "strings", None)
    if strings is not None:
        return b"".join(strings).decode("utf-8", "replace")
    return record.to_text().rstrip(".")


def _read_server(text: str) -> tuple[str, int]:
    match = _SERVER_PATTERN.fullmatch(text)
    address, port = (match[1] or match[2] or match[3], int(match[4] or 53)) if match else ("", 0)
    try:
        address = str(ipaddress.ip_address(address))
    except ValueError:
        port = 0
    if not 0 < port < 65536:
        raise ConfigError(
            f"{text!r} is not a name server; write its address, such as 9.9.9.9 or 127.0.0.1:5353"
        )
    return address, port
