"""DMARC: the policy of a domain, and the alignment of a mail's authenticated domains with its From domain.

The organizational domain is found by walking up the names (RFC 9989, section 4.10), so no list of public
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
        domain: the domain of its record: the domain itself, or one above it.
        record: "" if there is none.
        mistake: why receivers ignore it; "" if it is valid.
    """

    domain: str = ""
    record: str = ""
    mistake: str = ""

    def is_strict(self, tag: str) -> bool:
        """Return True if the domains must be identical, for ``aspf`` or ``adkim``."""
        return parse_tags(self.record).get(tag, "r").lower() == "s"


def find_dmarc_policy(domain: str, lookup: DnsLookup) -> DmarcPolicy:
    """Return the policy that applies to mail from a domain."""
    for parent in _list_parents(domain):
        records = _find_records(parent, lookup)
        if len(records) > 1:
            mistake = f"_dmarc.{parent} has {len(records)} records, so servers ignore them; keep only one"
            return DmarcPolicy(domain=parent, record=" ".join(records), mistake=mistake)
        if records:
            return DmarcPolicy(domain=parent, record=records[0], mistake=_find_mistake(records[0]))
    return DmarcPolicy()


def find_organizational_domain(domain: str, lookup: DnsLookup) -> str:
    """Return the organizational domain: the highest one with a record, below those of registries (``psd=y``)."""
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
    """Return True if an authenticated domain is aligned with the From domain (RFC 9989, section 4.10.2).

    Args:
        from_domain: the domain of From.
        vouching_domain: the signing domain, or that of the return path.
        lookup: queries DNS.
        strict: whether they must be identical.
    """
    if from_domain == vouching_domain or strict:
        return from_domain == vouching_domain
    # Receivers that use a list of public suffixes accept a parent domain even without a record.
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
    """Return a name and those above it; for long names some are skipped (RFC 9989, section 4.10)."""
    labels = domain.split(".")
    if len(labels) < _MAX_LABELS:
        return [".".join(labels[start:]) for start in range(len(labels))]
    return [domain, *(".".join(labels[start:]) for start in range(len(labels) - 7, len(labels)))]
