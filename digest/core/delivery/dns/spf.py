"""SPF (RFC 7208): what a domain's record says about who may send for it, as far as an operator has to know.

Macros are not worked out: what holds one fits nobody here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

DnsLookup = Callable[[str, str], tuple[str, ...]]
"""Gives the records of a name, of a kind (``TXT``, ``MX``, ``A``, ``AAAA``, ``PTR``), as text; none where there are none."""
Address = IPv4Address | IPv6Address

_MAX_LOOKUPS = 10
"""RFC 7208, section 4.6.4."""
_TERM = re.compile(r"([+?~-]?)(all|include|a|mx|ptr|ip4|ip6|exists)((?:[:/].*)?)", re.IGNORECASE)
_MODIFIER = re.compile(r"([A-Za-z][A-Za-z0-9_.-]*)=(.*)")
_LOOKUP_TERMS = frozenset({"include", "a", "mx", "ptr", "exists"})


@dataclass(frozen=True, slots=True, kw_only=True)
class SpfResult:
    """What a domain says about who may send for it.

    Attributes:
        record: "" if there is none.
        mistake: why servers do not go by it, or what lets in whom it should not; "" if nothing.
        allowed_addresses: those of the addresses asked about that may send.
    """

    record: str = ""
    mistake: str = ""
    allowed_addresses: tuple[Address, ...] = ()


class _SpfError(Exception):
    """A record that servers do not go by; says why."""


def read_spf(domain: str, addresses: Sequence[Address], lookup: DnsLookup) -> SpfResult:
    """Read a domain's record, and those that it leads to.

    Args:
        domain: behind the @ of an envelope's sender.
        addresses: that may want to send.
        lookup: asks DNS.
    """
    reader = _SpfReader(lookup)
    try:
        record = reader.find_record(domain)
        if not record:
            return SpfResult()
        allows_all = any(term.lower() in {"all", "+all"} for term in record.split()[1:])
        mistake = "it ends in +all, which lets anyone send in your name; write -all" if allows_all else ""
        reader.walk(domain, record)
        allowed_addresses = tuple(
            address for address in addresses if _SpfReader(lookup).is_allowed(domain, address)
        )
    except _SpfError as error:
        return SpfResult(record=" ".join(_find_records(domain, lookup)), mistake=str(error))
    return SpfResult(record=record, mistake=mistake, allowed_addresses=allowed_addresses)


def _find_records(domain: str, lookup: DnsLookup) -> list[str]:
    """All records of a domain that are meant to be SPF's."""
    return [
        record
        for record in lookup(domain, "TXT")
        if record.lower() == "v=spf1" or record.lower().startswith("v=spf1 ")
    ]


@dataclass(slots=True)
class _SpfReader:
    """Follows a record; counts what a server would have to look up."""

    lookup: DnsLookup
    lookup_count: int = field(default=0, init=False)

    def find_record(self, domain: str) -> str:
        records = _find_records(domain, self.lookup)
        if len(records) > 1:
            raise _SpfError(
                f"{domain} has {len(records)} SPF records, so servers ignore them; join them into one"
            )
        return records[0] if records else ""

    def walk(self, domain: str, record: str) -> None:
        """Go through all of it, whoever sends, and raise what is wrong."""
        for _, name, value in self._parse_terms(record):
            if name in {"include", "redirect"}:
                self.walk(value, self._find_target_record(domain, value))

    def is_allowed(self, domain: str, address: Address) -> bool:
        """Whether an address may send."""
        record = self._find_target_record(domain, domain)
        redirect = ""
        for qualifier, name, value in self._parse_terms(record):
            if name == "redirect":
                redirect = value
            elif self._is_match(name, value, domain, address):
                return qualifier in {"", "+"}
        return bool(redirect) and self.is_allowed(redirect, address)

    def _find_target_record(self, domain: str, target: str) -> str:
        if "%" in target:
            return "v=spf1"
        record = self.find_record(target)
        if not record:
            raise _SpfError(f"the record of {domain} leads to {target}, which has none; remove that")
        return record

    def _parse_terms(self, record: str) -> list[tuple[str, str, str]]:
        """The parts of a record: qualifier, name, and what stands behind it."""
        terms = []
        for term in record.split()[1:]:
            if mechanism := _TERM.fullmatch(term):
                qualifier, name, value = mechanism[1], mechanism[2].lower(), mechanism[3]
                terms.append((qualifier, name, value.removeprefix(":")))
            elif modifier := _MODIFIER.fullmatch(term):
                terms.append(("", modifier[1].lower(), modifier[2]))
            else:
                raise _SpfError(
                    f"it contains {term!r}, which is not valid in SPF, so servers ignore the record; correct it"
                )
            self.lookup_count += terms[-1][1] in {*_LOOKUP_TERMS, "redirect"}
            if self.lookup_count > _MAX_LOOKUPS:
                raise _SpfError(
                    f"it makes servers look up more than {_MAX_LOOKUPS} names, so they give up; remove services that you do not use"
                )
        return terms

    def _is_match(self, name: str, value: str, domain: str, address: Address) -> bool:
        match name:
            case "all":
                return True
            case "ip4" | "ip6":
                return _is_in_network(address, value)
            case "include":
                return self.is_allowed(value, address)
            case "a" | "mx":
                host, _, length = value.partition("/")
                hosts = [host or domain]
                if name == "mx":
                    hosts = [record.split()[-1] for record in self.lookup(hosts[0], "MX")]
                length = (
                    length.rpartition("/")[2]
                    if address.version == 6 and "//" in value
                    else length.split("/")[0]
                )
                return any(
                    _is_in_network(address, f"{record}/{length}" if length else record)
                    for record in self._resolve_hosts(hosts)
                )
        return False  # `exists` and `ptr` need more than we know; so does what RFC 7208 does not name

    def _resolve_hosts(self, hosts: Sequence[str]) -> list[str]:
        plain_hosts = [host for host in hosts if host and "%" not in host]
        return [
            record for host in plain_hosts for kind in ("A", "AAAA") for record in self.lookup(host, kind)
        ]


def _is_in_network(address: Address, network: str) -> bool:
    try:
        return address in ip_network(network, strict=False)
    except ValueError:
        raise _SpfError(
            f"it contains {network!r}, which is not a network, so servers ignore the record; correct it"
        ) from None


def resolve_addresses(host: str, lookup: DnsLookup) -> tuple[Address, ...]:
    """The addresses of a host; its own if it is one."""
    try:
        return (ip_address(host.strip("[]")),)
    except ValueError:
        return tuple(ip_address(record) for kind in ("A", "AAAA") for record in lookup(host, kind))
