"""DMARC: a domain's policy, and whether what vouches for a mail speaks for the domain that it is from.

The domain that answers for others below it is found by walking up the names (RFC 9989, section 4.10): no list of public
suffixes is needed.
"""

from __future__ import annotations

from dataclasses import dataclass

from digest.core.delivery.dns.dkim_keys import tags_of
from digest.core.delivery.dns.spf import Look

_MOST_LABELS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Dmarc:
    """A domain's policy.

    Attributes:
        domain: where its record stands: the domain itself, or one above it.
        record: "" if there is none.
        mistake: why servers do not go by it; "" if they do.
    """

    domain: str = ""
    record: str = ""
    mistake: str = ""

    def is_strict(self, which: str) -> bool:
        """Whether the domains must be the same: ``aspf`` or ``adkim``."""
        return tags_of(self.record).get(which, "r").lower() == "s"


def dmarc_of(domain: str, look: Look) -> Dmarc:
    """The policy that holds for mail from a domain."""
    for place in _upwards(domain):
        found = _records(place, look)
        if len(found) > 1:
            mistake = f"_dmarc.{place} has {len(found)} records, and servers then go by none: leave one"
            return Dmarc(domain=place, record=" ".join(found), mistake=mistake)
        if found:
            return Dmarc(domain=place, record=found[0], mistake=_mistake(found[0]))
    return Dmarc()


def answers_for(domain: str, look: Look) -> str:
    """The organizational domain: the highest with a record, below those of registries (``psd=y``)."""
    answering = domain
    for place in _upwards(domain):
        records = _records(place, look)
        if len(records) != 1:
            continue
        psd = tags_of(records[0]).get("psd", "u").lower()
        if psd == "n":
            return place
        if psd == "y":
            below = domain.removesuffix(f".{place}").rpartition(".")[2]
            return domain if place == domain else f"{below}.{place}"
        answering = place
    return answering


def is_aligned(one: str, other: str, look: Look, *, strict: bool) -> bool:
    """Whether a domain speaks for the one that a mail is from (RFC 9989, section 4.10.2).

    Args:
        one: the domain in From.
        other: the domain that signed, or that bounces go to.
        look: asks the DNS.
        strict: whether they must be the same.
    """
    if one == other or strict:
        return one == other
    # Receivers that go by a list of public suffixes let a name above speak for one below, with a record or without.
    return one.endswith(f".{other}") or answers_for(one, look) == answers_for(other, look)


def _records(place: str, look: Look) -> list[str]:
    found = look(f"_dmarc.{place}", "TXT")
    return [one for one in found if one.partition(";")[0].replace(" ", "").upper() == "V=DMARC1"]


def _mistake(record: str) -> str:
    policy = tags_of(record).get("p", "")
    if policy.lower() in {"none", "quarantine", "reject"}:
        return ""
    return f"its p={policy} is no policy; write p=none, p=quarantine or p=reject"


def _upwards(domain: str) -> list[str]:
    """A name and those above it; of long ones not all (RFC 9989, section 4.10)."""
    labels = domain.split(".")
    if len(labels) < _MOST_LABELS:
        return [".".join(labels[at:]) for at in range(len(labels))]
    return [domain, *(".".join(labels[at:]) for at in range(len(labels) - 7, len(labels)))]
