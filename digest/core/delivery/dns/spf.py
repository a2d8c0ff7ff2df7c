"""Evaluation of SPF records (RFC 7208), as far as an operator needs it.

Macros are not expanded: a term that contains one matches nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

DnsLookup = Callable[[str, str], tuple[str, ...]]
"""A function that returns the records of a name and a type (``TXT``, ``MX``, ``A``, ``AAAA``, ``PTR``) as texts."""
Address = IPv4Address | IPv6Address

_MAX_LOOKUPS = 10
"""Maximum number of terms that need DNS queries (RFC 7208, section 4.6.4)."""
_TERM = re.compile(r"([+?~-]?)(all|include|a|mx|ptr|ip4|ip6|exists)((?:[:/].*)?)", re.IGNORECASE)
_MODIFIER = re.compile(r"([A-Za-z][A-Za-z0-9_.-]*)=(.*)")
_LOOKUP_TERMS = frozenset({"include", "a", "mx", "ptr", "exists"})


@dataclass(frozen=True, slots=True, kw_only=True)
class SpfResult:
    """The result of evaluating a domain's record.

    Attributes:
        record: "" if there is none.
        mistake: why receivers ignore it, or why it allows too much; "" if it is correct.
        allowed_addresses: those of the given addresses that may send.
    """

    record: str = ""
    mistake: str = ""
    allowed_addresses: tuple[Address, ...] = ()


class _SpfError(Exception):
    """A record is invalid; the message says why."""


def read_spf(domain: str, addresses: Sequence[Address], lookup: DnsLookup) -> SpfResult:
    """Evaluate a domain's record, and those that it includes.

    Args:
        domain: the domain of the return path.
        addresses: addresses of our servers.
        lookup: queries DNS.
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
    """Return all TXT records of a domain that begin like SPF."""
    return [
        record
        for record in lookup(domain, "TXT")
        if record.lower() == "v=spf1" or record.lower().startswith("v=spf1 ")
    ]


@dataclass(slots=True)
class _SpfReader:
    """Follows a record, and counts the lookups that a receiver would need."""

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
        """Validate the record and all included ones, whoever sends."""
        for _, name, value in self._parse_terms(record):
            if name in {"include", "redirect"}:
                self.walk(value, self._find_target_record(domain, value))

    def is_allowed(self, domain: str, address: Address) -> bool:
        """Return True if an address may send."""
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
        """Return qualifier, name and value of each term of a record."""
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
        return False  # `exists` and `ptr` cannot be evaluated here, and neither can unknown modifiers

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
    """Return the addresses of a host; an address itself is returned unchanged."""
    try:
        return (ip_address(host.strip("[]")),)
    except ValueError:
        return tuple(ip_address(record) for kind in ("A", "AAAA") for record in lookup(host, kind))
