"""Asking DNS: what is there, what is not, and what could not be asked."""

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

_SERVER = re.compile(
    r"(?:\[([0-9A-Fa-f:.]+)\]|([0-9.]+)|([0-9A-Fa-f:]*:[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*))(?::(\d{1,5}))?"
)


class Lookups:
    """Asks a name server; each question once, and none any more after one that had no answer.

    Args:
        server: ``ADDRESS`` or ``ADDRESS:PORT``; "" for those of this machine.
        patience: seconds for a question; a person is waiting.

    Attributes:
        server: as given.

    Raises:
        ConfigError: the server is none.
    """

    def __init__(self, server: str = "", patience: float = 5.0) -> None:
        self.server = server
        self._patience = patience
        self._address = _read_server(server) if server else ("", 0)
        self._silent = ""
        self.look = lru_cache(maxsize=None)(self._look)

    def _look(self, name: str, kind: str) -> tuple[str, ...]:
        """The records of a name.

        Raises:
            NoAnswerError: DNS could not be asked; says why.
        """
        import dns.exception  # slow, and for `digest check`
        import dns.resolver

        if self._silent:
            raise NoAnswerError(self._silent)
        try:
            found = self._resolver().resolve(name, kind, raise_on_no_answer=False, search=False)
        except dns.resolver.NXDOMAIN:
            return ()
        except dns.resolver.NoNameservers:
            raise NoAnswerError(f"no name server has an answer for {name}") from None
        except (dns.exception.Timeout, dns.resolver.NoResolverConfiguration, OSError):
            self._silent = f"{self.server or 'the name server of this machine'} does not answer"
            raise NoAnswerError(self._silent) from None
        except (dns.exception.DNSException, UnicodeError):
            return ()  # no name that DNS could have
        return tuple(sorted(_text(record) for record in found))

    def _resolver(self) -> Resolver:
        import dns.resolver

        resolver = dns.resolver.Resolver(configure=not self.server)
        if self.server:
            resolver.nameservers, resolver.port = [self._address[0]], self._address[1]
        resolver.lifetime = self._patience
        return resolver


def _text(record: Rdata) -> str:
    """What a record says; names without the dot at their end."""
    strings = getattr(record, "strings", None)
    if strings is not None:
        return b"".join(strings).decode("utf-8", "replace")
    return record.to_text().rstrip(".")


def _read_server(written: str) -> tuple[str, int]:
    found = _SERVER.fullmatch(written)
    address, port = (found[1] or found[2] or found[3], int(found[4] or 53)) if found else ("", 0)
    try:
        address = str(ipaddress.ip_address(address))
    except ValueError:
        port = 0
    if not 0 < port < 65536:
        raise ConfigError(f"{written!r} is no name server; write its address, as 9.9.9.9 or 127.0.0.1:5353")
    return address, port
