"""Check of the DNS records that large providers require from senders of mail.

Gmail, Yahoo and Microsoft reject mail without SPF, DKIM, DMARC and reverse names, according to their
guidelines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from ipaddress import ip_address, ip_network

from digest.core.delivery.dns.dkim_keys import RECOMMENDED_BITS, DkimKey, extract_public_key
from digest.core.delivery.dns.dmarc import DmarcPolicy, find_dmarc_policy, is_aligned
from digest.core.delivery.dns.spf import Address, DnsLookup, read_spf, resolve_addresses

_PRIVATE_NETWORKS = [
    ip_network(network)
    for network in (
        *("10.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16"),
        *("::1/128", "fc00::/7", "fe80::/10"),
    )
]
_EXAMPLE_DOMAINS = (
    "example.com",
    "example.net",
    "example.org",
    "example",
    "test",
    "invalid",
    "localhost",
    "local",
)
"""Reserved names (RFC 2606, RFC 6761, RFC 6762)."""


class NoAnswerError(Exception):
    """A DNS query failed; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SendingSetup:
    """How our mails are sent.

    Attributes:
        sender: the domain of the From header.
        envelope: the domain of the return path.
        servers: the servers that we send mail through.
        dkim: the signing domain; "" if mails are not signed here.
        keys: the signing keys.
        contact: the address for DMARC reports; "" if there is none.
    """

    sender: str
    envelope: str
    servers: tuple[str, ...]
    dkim: str = ""
    keys: tuple[DkimKey, ...] = ()
    contact: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordCheck:
    """The result of checking a record.

    Attributes:
        subject: the record.
        ok: whether it is correct; None if that cannot be determined.
        explanation: what was found, or what is needed.
    """

    subject: str
    ok: bool | None
    explanation: str


def is_example(domain: str) -> bool:
    """Return True if a domain is reserved for examples and tests."""
    return any(domain == example or domain.endswith(f".{example}") for example in _EXAMPLE_DOMAINS)


def check_records(setup: SendingSetup, lookup: DnsLookup) -> Iterator[RecordCheck]:
    """Yield the result of checking each record.

    Args:
        setup: how our mails are sent.
        lookup: queries DNS; raises ``NoAnswerError`` if a query fails.
    """
    yield _run_check(
        f"SPF of {setup.envelope}", partial(_check_spf, setup, lookup), _describe_needed_spf(setup)
    )
    if not setup.keys:
        yield RecordCheck(subject="DKIM", ok=None, explanation=_UNSIGNED)
    for key in setup.keys:
        name, needed = key.make_record_name(setup.dkim), _describe_needed_dkim(setup, key)
        yield _run_check(f"DKIM {name}", partial(_check_dkim, setup, key, lookup), needed)
    yield _run_check(
        f"DMARC of {setup.sender}", partial(_check_dmarc, setup, lookup), _describe_needed_dmarc(setup)
    )
    for server in setup.servers:
        yield _run_check(
            f"reverse name of {server}", partial(_check_reverse_names, server, lookup), _NEEDED_REVERSE_NAME
        )
    for domain in dict.fromkeys((setup.envelope, setup.sender)):
        yield _run_check(f"MX of {domain}", partial(_check_mx, domain, lookup), _describe_needed_mx(domain))


_CheckResult = tuple[bool | None, str]
_UNSIGNED = "digest does not sign mails. That is fine if your provider signs them: send a test mail to yourself and look for dkim=pass. Otherwise create a key with `digest dkim-key DOMAIN`"


def _run_check(subject: str, check: Callable[[], _CheckResult], needed: str) -> RecordCheck:
    try:
        ok, explanation = check()
    except NoAnswerError as error:
        return RecordCheck(
            subject=subject, ok=None, explanation=f"could not be looked up ({error}). Required: {needed}"
        )
    return RecordCheck(subject=subject, ok=ok, explanation=explanation)


# --- SPF ------------------------------------------------------------------------------------------


def _describe_needed_spf(setup: SendingSetup) -> str:
    servers_and_terms = ((host, term) for host in setup.servers if (term := _make_spf_term(host)))
    server, term = next(servers_and_terms, ("", ""))
    own_record = f'{server} itself, "v=spf1 {term} -all"'
    unseen_record = 'your own server, with its address, "v=spf1 ip4:… -all"'
    return (
        f'{setup.envelope}. TXT "v=spf1 include:… -all" with the terms that your provider names, '
        f"or, if the mail is sent from {own_record if term else unseen_record}"
    )


def _make_spf_term(server: str) -> str:
    """Return the SPF term that allows a server (RFC 7208, sections 5.3 and 5.6); "" if its name is not public."""
    try:
        address = ip_address(server.strip("[]"))
    except ValueError:
        return f"a:{server}" if "." in server else ""
    return f"ip{address.version}:{address}" if _is_public(address) else ""


def _check_spf(setup: SendingSetup, lookup: DnsLookup) -> _CheckResult:
    servers = {address: resolve_addresses(address, lookup) for address in setup.servers}
    public = [address for resolved in servers.values() for address in resolved if _is_public(address)]
    resolved = read_spf(setup.envelope, public, lookup)
    if not resolved.record:
        return (
            False,
            f"there is none, so other servers cannot know whether you may send; add {_describe_needed_spf(setup)}",
        )
    if resolved.mistake:
        return False, f"{resolved.record!r}: {resolved.mistake}"
    unnamed = [
        name
        for name, addresses in servers.items()
        if not set(addresses) & set(resolved.allowed_addresses) and any(map(_is_public, addresses))
    ]
    if unnamed:
        return None, (
            f"{resolved.record!r} does not name the addresses of {', '.join(unnamed)}; that is only right if your mail is sent from other addresses; look up what your provider requires"
        )
    return True, f"{resolved.record!r}"


# --- DKIM -----------------------------------------------------------------------------------------


def _describe_needed_dkim(setup: SendingSetup, key: DkimKey) -> str:
    return f'{key.make_record_name(setup.dkim)}. TXT "{key.record}"'


def _check_dkim(setup: SendingSetup, key: DkimKey, lookup: DnsLookup) -> _CheckResult:
    records = lookup(key.make_record_name(setup.dkim), "TXT")
    needed_record = _describe_needed_dkim(setup, key)
    if not records:
        return False, f"there is no such record, so nobody can check our signatures; add {needed_record}"
    if len(records) > 1:
        return (
            False,
            f"there are {len(records)} records, and servers may use either; keep only {needed_record}",
        )
    public = extract_public_key(records[0])
    if public == b"":
        return False, f"its key was withdrawn (p= is empty); write {needed_record}, or use another selector"
    if public != key.public:
        return False, f"its key is not the one that digest signs with; write {needed_record}"
    warning = f"; {RECOMMENDED_BITS} bits are recommended today, so create a longer one with another selector"
    return (
        True,
        f"our {key.kind} key, {key.bits} bits{warning if key.kind == 'rsa' and key.bits < RECOMMENDED_BITS else ''}",
    )


# --- DMARC ----------------------------------------------------------------------------------------


def _describe_needed_dmarc(setup: SendingSetup) -> str:
    reports = f"; rua=mailto:{setup.contact}" if setup.contact else ""
    return f'_dmarc.{setup.sender}. TXT "v=DMARC1; p=none{reports}"'


def _check_dmarc(setup: SendingSetup, lookup: DnsLookup) -> _CheckResult:
    policy = find_dmarc_policy(setup.sender, lookup)
    if not policy.record:
        return False, f"there is none, but large providers require one; add {_describe_needed_dmarc(setup)}"
    if policy.mistake:
        return False, f"{policy.record!r}: {policy.mistake}"
    location = "" if policy.domain == setup.sender else f" (of {policy.domain})"
    ok, detail = _check_alignment(setup, policy, lookup)
    return ok, f"{policy.record!r}{location}{'; ' if detail else ''}{detail}"


def _check_alignment(setup: SendingSetup, policy: DmarcPolicy, lookup: DnsLookup) -> _CheckResult:
    """Check that the domain of our signatures or return path is aligned with that of From, which DMARC requires."""
    strict = policy.is_strict("adkim")
    by_dkim = is_aligned(setup.sender, setup.dkim, lookup, strict=strict)
    by_spf = is_aligned(setup.sender, setup.envelope, lookup, strict=policy.is_strict("aspf"))
    if setup.keys and not by_dkim:
        return False, (
            f"but signatures of {setup.dkim} do not authenticate mail from {setup.sender}"
            f"{' (adkim=s: they must be the same)' if strict else ''}; sign with `domain` = {setup.sender!r} in [dkim]"
        )
    if not setup.keys and not by_spf:
        return False, (
            f"but digest does not sign mails, and SPF of {setup.envelope} does not authenticate mail from {setup.sender}; sign mails ([dkim]), or use an address of the same domain for bounces"
        )
    return True, "" if by_spf else f"SPF of {setup.envelope} does not count for it, but the signature does"


# --- reverse names, MX ----------------------------------------------------------------------------

_NEEDED_REVERSE_NAME = "a PTR record of the address from which mails are sent, to a name whose A or AAAA record points back to it; the provider of the address creates it"


def _check_reverse_names(server: str, lookup: DnsLookup) -> _CheckResult:
    addresses = resolve_addresses(server, lookup)
    public = [candidate for candidate in addresses if _is_public(candidate)]
    if not addresses and "." in server:
        return False, f"DNS knows no address of {server}"
    if not public:  # a name without a dot is not in the public DNS
        return (
            None,
            f"{server} is in your local network, so it cannot be checked from here. Required: {_NEEDED_REVERSE_NAME}",
        )
    confirmed = []
    for address in public:
        names = lookup(address.reverse_pointer, "PTR")
        confirmed_names = [name for name in names if address in resolve_addresses(name, lookup)]
        if not names:
            return False, f"{address} has none; required: {_NEEDED_REVERSE_NAME}"
        if not confirmed_names:
            return (
                False,
                f"{address} is called {names[0]}, which does not point back to it; required: {_NEEDED_REVERSE_NAME}",
            )
        confirmed.append(f"{address} is {confirmed_names[0]}")
    return True, ", ".join(confirmed)


def _is_public(address: Address) -> bool:
    return not any(address in network for network in _PRIVATE_NETWORKS if network.version == address.version)


def _describe_needed_mx(domain: str) -> str:
    return f"{domain}. MX 10 and the host that accepts mail for it"


def _check_mx(domain: str, lookup: DnsLookup) -> _CheckResult:
    hosts = [record.split()[-1] if len(record.split()) > 1 else "" for record in lookup(domain, "MX")]
    if hosts and not any(hosts):
        return (
            False,
            f"{domain} says that it accepts no mail (RFC 7505), so bounces cannot arrive; add {_describe_needed_mx(domain)}",
        )
    if not hosts:
        if resolve_addresses(domain, lookup):
            return True, f"there is none, so mail goes to {domain} itself"
        return (
            False,
            f"no server accepts mail for {domain}, so bounces cannot arrive, and many servers refuse mail from it; add {_describe_needed_mx(domain)}",
        )
    unresolved = [host for host in hosts if not resolve_addresses(host, lookup)]
    if unresolved:
        return False, f"DNS knows no address of {', '.join(unresolved)}; correct the record of {domain}"
    return True, ", ".join(hosts)
