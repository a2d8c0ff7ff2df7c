"""What `digest check` says of the DNS records that stand behind our mails."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from digest.config import Settings
    from digest.core.delivery.dns.records import Sending
    from digest.jobs.delivery.dns_lookups import Lookups


def said_of_records(settings: Settings, lookups: Lookups) -> Iterator[tuple[str, bool | None, str]]:
    """Each record that is needed, whether it is right (None: not known), and what is to be said of it.

    Args:
        settings: of who sends.
        lookups: asks DNS.
    """
    sending = _sending(settings)
    if sending is None:
        return
    from digest.core.delivery.dns.records import is_example, verdicts

    if is_example(sending.sender) and not lookups.server:
        yield (
            "DNS",
            None,
            f"{sending.sender} is a name for examples or your own network; there was nothing to look up",
        )
        return
    for verdict in verdicts(sending, lookups.look):
        yield f"DNS: {verdict.what}", verdict.ok, verdict.said


def _sending(settings: Settings) -> Sending | None:
    """How mails go out; None where none do."""
    from digest.core.delivery.dns.records import Sending

    channels = {to.channel for digest in settings.digests for to in digest.destinations}
    mail = settings.smtp or settings.sendmail
    if mail is None or not channels & {"smtp", "sendmail"}:
        return None
    relays = settings.smtp.relays if settings.smtp else ()
    sender = _domain(mail.from_address)
    return Sending(
        sender=sender,
        envelope=_domain(settings.bounces.address) or sender,
        servers=tuple(dict.fromkeys(relay.host for relay in relays)) or ("localhost",),
        dkim=settings.dkim.domain if settings.dkim else "",
        keys=settings.dkim.keys if settings.dkim else (),
        contact=settings.site.contact,
    )


def _domain(address: str) -> str:
    return address.rpartition("@")[2].lower()
