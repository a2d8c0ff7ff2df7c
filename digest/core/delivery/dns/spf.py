"""SPF (RFC 7208): what a domain's record says about who may send for it, as far as an operator has to know.

Macros are not worked out: what holds one fits nobody here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

Look = Callable[[str, str], tuple[str, ...]]
"""Gives the records of a name, of a kind (``TXT``, ``MX``, ``A``, ``AAAA``, ``PTR``), as text; none where there are none."""
Address = IPv4Address | IPv6Address

_MOST_LOOKS = 10
"""RFC 7208, section 4.6.4."""
_TERM = re.compile(r"([+?~-]?)(all|include|a|mx|ptr|ip4|ip6|exists)((?:[:/].*)?)", re.IGNORECASE)
_MODIFIER = re.compile(r"([A-Za-z][A-Za-z0-9_.-]*)=(.*)")
_LOOKING = frozenset({"include", "a", "mx", "ptr", "exists"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Spf:
    """What a domain says about who may send for it.

    Attributes:
        record: "" if there is none.
        mistake: why servers do not go by it, or what lets in whom it should not; "" if nothing.
        admitted: those of the addresses asked about that may send.
    """

    record: str = ""
    mistake: str = ""
    admitted: tuple[Address, ...] = ()


class _Wrong(Exception):  # noqa: N818 - never leaves this module
    """A record that servers do not go by; says why."""


def spf_of(domain: str, addresses: Sequence[Address], look: Look) -> Spf:
    """Read a domain's record, and those that it leads to.

    Args:
        domain: behind the @ of an envelope's sender.
        addresses: that may want to send.
        look: asks DNS.
    """
    reading = _Reading(look)
    try:
        record = reading.record(domain)
        if not record:
            return Spf()
        wide = any(term.lower() in {"all", "+all"} for term in record.split()[1:])
        mistake = "it ends in +all, which lets the whole world send in your name; write -all" if wide else ""
        reading.walk(domain, record)
        admitted = tuple(one for one in addresses if _Reading(look).passes(domain, one))
    except _Wrong as wrong:
        return Spf(record=" ".join(_records(domain, look)), mistake=str(wrong))
    return Spf(record=record, mistake=mistake, admitted=admitted)


def _records(domain: str, look: Look) -> list[str]:
    """All records of a domain that are meant to be SPF's."""
    return [
        one for one in look(domain, "TXT") if one.lower() == "v=spf1" or one.lower().startswith("v=spf1 ")
    ]


@dataclass(slots=True)
class _Reading:
    """Follows a record; counts what a server would have to look up."""

    look: Look
    looks: int = field(default=0, init=False)

    def record(self, domain: str) -> str:
        found = _records(domain, self.look)
        if len(found) > 1:
            raise _Wrong(
                f"{domain} has {len(found)} SPF records, and servers then go by none: join them into one"
            )
        return found[0] if found else ""

    def walk(self, domain: str, record: str) -> None:
        """Go through all of it, whoever sends, and raise what is wrong."""
        for _, name, value in self._terms(record):
            if name in {"include", "redirect"}:
                self.walk(value, self._led_to(domain, value))

    def passes(self, domain: str, address: Address) -> bool:
        """Whether an address may send."""
        record = self._led_to(domain, domain)
        elsewhere = ""
        for qualifier, name, value in self._terms(record):
            if name == "redirect":
                elsewhere = value
            elif self._fits(name, value, domain, address):
                return qualifier in {"", "+"}
        return bool(elsewhere) and self.passes(elsewhere, address)

    def _led_to(self, domain: str, target: str) -> str:
        if "%" in target:
            return "v=spf1"
        record = self.record(target)
        if not record:
            raise _Wrong(f"the record of {domain} leads to {target}, which has none; take that out")
        return record

    def _terms(self, record: str) -> list[tuple[str, str, str]]:
        """The parts of a record: qualifier, name, and what stands behind it."""
        found = []
        for term in record.split()[1:]:
            if mechanism := _TERM.fullmatch(term):
                qualifier, name, value = mechanism[1], mechanism[2].lower(), mechanism[3]
                found.append((qualifier, name, value.removeprefix(":")))
            elif modifier := _MODIFIER.fullmatch(term):
                found.append(("", modifier[1].lower(), modifier[2]))
            else:
                raise _Wrong(
                    f"{term!r} in it is nothing that SPF knows, so servers go by none of it; mend that"
                )
            self.looks += found[-1][1] in {*_LOOKING, "redirect"}
            if self.looks > _MOST_LOOKS:
                raise _Wrong(
                    f"it makes servers look up more than {_MOST_LOOKS} names, so they give up; "
                    "take out what you do not send through"
                )
        return found

    def _fits(self, name: str, value: str, domain: str, address: Address) -> bool:
        match name:
            case "all":
                return True
            case "ip4" | "ip6":
                return _within(address, value)
            case "include":
                return self.passes(value, address)
            case "a" | "mx":
                host, _, length = value.partition("/")
                hosts = [host or domain]
                if name == "mx":
                    hosts = [one.split()[-1] for one in self.look(hosts[0], "MX")]
                length = (
                    length.rpartition("/")[2]
                    if address.version == 6 and "//" in value
                    else length.split("/")[0]
                )
                return any(_within(address, f"{one}/{length}" if length else one) for one in self._all(hosts))
        return False  # `exists` and `ptr` need more than we know; so does what RFC 7208 does not name

    def _all(self, hosts: Sequence[str]) -> list[str]:
        known = [host for host in hosts if host and "%" not in host]
        return [one for host in known for kind in ("A", "AAAA") for one in self.look(host, kind)]


def _within(address: Address, network: str) -> bool:
    try:
        return address in ip_network(network, strict=False)
    except ValueError:
        raise _Wrong(f"{network!r} in it is no network, so servers go by none of it; mend that") from None


def addresses_of(host: str, look: Look) -> tuple[Address, ...]:
    """The addresses of a host; its own if it is one."""
    try:
        return (ip_address(host.strip("[]")),)
    except ValueError:
        return tuple(ip_address(one) for kind in ("A", "AAAA") for one in look(host, kind))
