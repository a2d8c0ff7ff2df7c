"""DMARC: a domain's policy, and whether what vouches for a mail speaks for the domain that it is from.

The domain that answers for others below it is found by walking up the names (RFC 9989, section 4.10): no list of public
suffixes is needed.
"""

from __future__ import annotations

from dataclasses import dataclass

from digest.core.delivery.dns.dkim_keys import parse_tags
from digest.core.delivery.dns.spf import DnsLookup

_MAX_LABELS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class DmarcPolicy:
    """A domain's policy.

    Attributes:
        domain: where its record stands: the domain itself, or one above it.
        record: "" if there is none.
        mistake: why servers do not go by it; "" if they do.
    """

    domain: str = ""
    record: str = ""
    mistake: str = ""

    def is_strict(self, tag: str) -> bool:
        """Whether the domains must be the same: ``aspf`` or ``adkim``."""
        return parse_tags(self.record).get(tag, "r").lower() == "s"


def find_dmarc_policy(domain: str, lookup: DnsLookup) -> DmarcPolicy:
    """The policy that holds for mail from a domain."""
    for parent in _list_parents(domain):
        records = _find_records(parent, lookup)
        if len(records) > 1:
            mistake = f"_dmarc.{parent} has {len(records)} records, so servers ignore them; keep only one"
            return DmarcPolicy(domain=parent, record=" ".join(records), mistake=mistake)
        if records:
            return DmarcPolicy(domain=parent, record=records[0], mistake=_find_mistake(records[0]))
    return DmarcPolicy()


def find_organizational_domain(domain: str, lookup: DnsLookup) -> str:
    """The organizational domain: the highest with a record, below those of registries (``psd=y``)."""
    organizational = domain
    for parent in _list_parents(domain):
        records = _find_records(parent, lookup)
        if len(records) != 1:
            continue
        psd = parse_tags(records[0]).get("psd", "u").lower()
        if psd == "n":
            return parent
        if psd == "y":
            label = domain.removesuffix(f".{parent}").rpartition(".")[2]
            return domain if parent == domain else f"{label}.{parent}"
        organizational = parent
    return organizational


def is_aligned(from_domain: str, vouching_domain: str, lookup: DnsLookup, *, strict: bool) -> bool:
    """Whether a domain speaks for the one that a mail is from (RFC 9989, section 4.10.2).

    Args:
        from_domain: the domain in From.
        vouching_domain: the domain that signed, or that bounces go to.
        lookup: asks the DNS.
        strict: whether they must be the same.
    """
    if from_domain == vouching_domain or strict:
        return from_domain == vouching_domain
    # Receivers that go by a list of public suffixes let a name above speak for one below, with a record or without.
    return from_domain.endswith(f".{vouching_domain}") or find_organizational_domain(
        from_domain, lookup
    ) == find_organizational_domain(vouching_domain, lookup)


def _find_records(domain: str, lookup: DnsLookup) -> list[str]:
    records = lookup(f"_dmarc.{domain}", "TXT")
    return [record for record in records if record.partition(";")[0].replace(" ", "").upper() == "V=DMARC1"]


def _find_mistake(record: str) -> str:
    policy = parse_tags(record).get("p", "")
    if policy.lower() in {"none", "quarantine", "reject"}:
        return ""
    return f"its p={policy} is not a policy; write p=none, p=quarantine or p=reject"


def _list_parents(domain: str) -> list[str]:
    """A name and those above it; of long ones not all (RFC 9989, section 4.10)."""
    labels = domain.split(".")
    if len(labels) < _MAX_LABELS:
        return [".".join(labels[start:]) for start in range(len(labels))]
    return [domain, *(".".join(labels[start:]) for start in range(len(labels) - 7, len(labels)))]
