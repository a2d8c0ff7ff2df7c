"""The DNS records that large providers ask of who sends mail: which are needed, and what is wrong with those there are.

Gmail, Yahoo and Microsoft turn away mail without SPF, DKIM, DMARC and reverse names, as their pages for senders say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from ipaddress import ip_address, ip_network

from digest.core.delivery.dns.dkim_keys import GOOD_BITS, DkimKey, public_of
from digest.core.delivery.dns.dmarc import Dmarc, dmarc_of, is_aligned
from digest.core.delivery.dns.spf import Address, Look, addresses_of, spf_of

_OWN = [
    ip_network(one)
    for one in (
        *("10.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16"),
        *("::1/128", "fc00::/7", "fe80::/10"),
    )
]
_EXAMPLES = ("example.com", "example.net", "example.org", "example", "test", "invalid", "localhost", "local")
"""Names that nobody can have (RFC 2606, RFC 6761, RFC 6762)."""


class NoAnswerError(Exception):
    """DNS could not be asked; says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sending:
    """How our mails go out.

    Attributes:
        sender: the domain of the From header.
        envelope: the domain that bounces go to.
        servers: the hosts that take our mail.
        dkim: the domain that signs; "" if nothing is signed here.
        keys: those that it signs with.
        contact: where reports may go; "" if not given.
    """

    sender: str
    envelope: str
    servers: tuple[str, ...]
    dkim: str = ""
    keys: tuple[DkimKey, ...] = ()
    contact: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What is to be said of a record.

    Attributes:
        what: which.
        ok: whether it is right; None where that cannot be known from here.
    """

    what: str
    ok: bool | None
    said: str


def is_example(domain: str) -> bool:
    """Whether a domain is one of those that examples have, and nobody else."""
    return any(domain == one or domain.endswith(f".{one}") for one in _EXAMPLES)


def verdicts(sending: Sending, look: Look) -> Iterator[Verdict]:
    """What there is to say, record by record.

    Args:
        sending: how our mails go out.
        look: asks DNS; raises ``NoAnswerError`` where that cannot be done.
    """
    yield _asked(f"SPF of {sending.envelope}", partial(_spf, sending, look), _spf_needed(sending))
    if not sending.keys:
        yield Verdict(what="DKIM", ok=None, said=_UNSIGNED)
    for key in sending.keys:
        name, needed = key.name(sending.dkim), _dkim_needed(sending, key)
        yield _asked(f"DKIM {name}", partial(_dkim, sending, key, look), needed)
    yield _asked(f"DMARC of {sending.sender}", partial(_dmarc, sending, look), _dmarc_needed(sending))
    for server in sending.servers:
        yield _asked(f"reverse name of {server}", partial(_reverse, server, look), _REVERSE_NEEDED)
    for domain in dict.fromkeys((sending.envelope, sending.sender)):
        yield _asked(f"MX of {domain}", partial(_mx, domain, look), _mx_needed(domain))


_Found = tuple[bool | None, str]
_UNSIGNED = (
    "mails are not signed here. That is right if your provider signs them: send a test mail to yourself and look for "
    "dkim=pass. Else make a key with `digest dkim-key DOMAIN`"
)


def _asked(what: str, find: Callable[[], _Found], needed: str) -> Verdict:
    try:
        ok, said = find()
    except NoAnswerError as error:
        return Verdict(what=what, ok=None, said=f"could not be looked up ({error}). Needed is {needed}")
    return Verdict(what=what, ok=ok, said=said)


# --- SPF ------------------------------------------------------------------------------------------


def _spf_needed(sending: Sending) -> str:
    known = ((one, term) for one in sending.servers if (term := _term(one)))
    server, term = next(known, ("", ""))
    own = f'{server} itself, "v=spf1 {term} -all"'
    unseen = 'a server of your own, with its address, "v=spf1 ip4:… -all"'
    return (
        f'{sending.envelope}. TXT "v=spf1 include:… -all" with what your provider names, '
        f"or, if the mail leaves from {own if term else unseen}"
    )


def _term(server: str) -> str:
    """What admits a server (RFC 7208, sections 5.3 and 5.6); "" where others cannot know it by that name."""
    try:
        address = ip_address(server.strip("[]"))
    except ValueError:
        return f"a:{server}" if "." in server else ""
    return f"ip{address.version}:{address}" if _is_public(address) else ""


def _spf(sending: Sending, look: Look) -> _Found:
    servers = {one: addresses_of(one, look) for one in sending.servers}
    public = [one for found in servers.values() for one in found if _is_public(one)]
    found = spf_of(sending.envelope, public, look)
    if not found.record:
        return False, f"there is none, so others cannot know whether you may send; add {_spf_needed(sending)}"
    if found.mistake:
        return False, f"{found.record!r}: {found.mistake}"
    left = [
        name
        for name, some in servers.items()
        if not set(some) & set(found.admitted) and any(map(_is_public, some))
    ]
    if left:
        return None, (
            f"{found.record!r} does not name the addresses of {', '.join(left)}; that is right only if your mail leaves "
            "from others: look up what your provider wants to have in it"
        )
    return True, f"{found.record!r}"


# --- DKIM -----------------------------------------------------------------------------------------


def _dkim_needed(sending: Sending, key: DkimKey) -> str:
    return f'{key.name(sending.dkim)}. TXT "{key.record}"'


def _dkim(sending: Sending, key: DkimKey, look: Look) -> _Found:
    found = look(key.name(sending.dkim), "TXT")
    needed = _dkim_needed(sending, key)
    if not found:
        return False, f"there is no such record, so nobody can check our signatures; add {needed}"
    if len(found) > 1:
        return False, f"there are {len(found)} records, and which one counts is chance; leave {needed}"
    public = public_of(found[0])
    if public == b"":
        return False, f"its key was withdrawn (p= is empty); write {needed}, or take another selector"
    if public != key.public:
        return False, f"the key there is not the one that we sign with; write {needed}"
    short = f"; {GOOD_BITS} bits are asked for today, so make a longer one with another selector"
    return (
        True,
        f"our {key.kind} key, {key.bits} bits{short if key.kind == 'rsa' and key.bits < GOOD_BITS else ''}",
    )


# --- DMARC ----------------------------------------------------------------------------------------


def _dmarc_needed(sending: Sending) -> str:
    reports = f"; rua=mailto:{sending.contact}" if sending.contact else ""
    return f'_dmarc.{sending.sender}. TXT "v=DMARC1; p=none{reports}"'


def _dmarc(sending: Sending, look: Look) -> _Found:
    found = dmarc_of(sending.sender, look)
    if not found.record:
        return False, f"there is none, and large providers ask for one; add {_dmarc_needed(sending)}"
    if found.mistake:
        return False, f"{found.record!r}: {found.mistake}"
    where = "" if found.domain == sending.sender else f" (of {found.domain})"
    ok, more = _aligned(sending, found, look)
    return ok, f"{found.record!r}{where}{'; ' if more else ''}{more}"


def _aligned(sending: Sending, policy: Dmarc, look: Look) -> _Found:
    """Whether what vouches for our mails speaks for the domain that they are from, which DMARC asks for."""
    strict = policy.is_strict("adkim")
    by_dkim = is_aligned(sending.sender, sending.dkim, look, strict=strict)
    by_spf = is_aligned(sending.sender, sending.envelope, look, strict=policy.is_strict("aspf"))
    if sending.keys and not by_dkim:
        return False, (
            f"but signatures of {sending.dkim} do not speak for mail from {sending.sender}"
            f"{' (adkim=s: they must be the same)' if strict else ''}; sign with `domain` = {sending.sender!r} in [dkim]"
        )
    if not sending.keys and not by_spf:
        return False, (
            f"but mails are not signed here, and SPF of {sending.envelope} does not speak for mail from {sending.sender}: "
            "sign them ([dkim]), or take an address of the same domain for bounces"
        )
    return True, "" if by_spf else f"SPF of {sending.envelope} does not count for it, our signature does"


# --- reverse names, MX ----------------------------------------------------------------------------

_REVERSE_NEEDED = (
    "a PTR record of the address that mails leave from, to a name whose A or AAAA record leads back to it; "
    "who gave you the address makes it"
)


def _reverse(server: str, look: Look) -> _Found:
    found = addresses_of(server, look)
    public = [one for one in found if _is_public(one)]
    if not found and "." in server:
        return False, f"DNS knows no address of {server}"
    if not public:  # a name without a dot is none of DNS
        return (
            None,
            f"{server} is in your own network, so it cannot be seen from here. Needed is {_REVERSE_NEEDED}",
        )
    told = []
    for address in public:
        names = look(address.reverse_pointer, "PTR")
        back = [name for name in names if address in addresses_of(name, look)]
        if not names:
            return False, f"{address} has none; needed is {_REVERSE_NEEDED}"
        if not back:
            return (
                False,
                f"{address} is called {names[0]}, which does not lead back to it; needed is {_REVERSE_NEEDED}",
            )
        told.append(f"{address} is {back[0]}")
    return True, ", ".join(told)


def _is_public(address: Address) -> bool:
    return not any(address in network for network in _OWN if network.version == address.version)


def _mx_needed(domain: str) -> str:
    return f"{domain}. MX 10 and the host that takes mail for it"


def _mx(domain: str, look: Look) -> _Found:
    hosts = [record.split()[-1] if len(record.split()) > 1 else "" for record in look(domain, "MX")]
    if hosts and not any(hosts):
        return (
            False,
            f"{domain} says that it takes no mail (RFC 7505), so nothing can come back; add {_mx_needed(domain)}",
        )
    if not hosts:
        if addresses_of(domain, look):
            return True, f"there is none, so mail comes to {domain} itself"
        return (
            False,
            f"nobody takes mail for {domain}, so nothing can come back, and many refuse mail from it; add {_mx_needed(domain)}",
        )
    lost = [host for host in hosts if not addresses_of(host, look)]
    if lost:
        return False, f"DNS knows no address of {', '.join(lost)}; mend the record of {domain}"
    return True, ", ".join(hosts)
