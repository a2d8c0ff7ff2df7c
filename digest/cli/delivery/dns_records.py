"""What `digest check` says of the DNS records that stand behind our mails."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from digest.model import AddressKind

if TYPE_CHECKING:
    from digest.cli.delivery.dns_client import DnsClient
    from digest.config import Settings
    from digest.core.delivery.dns.records import SendingSetup


def check_dns_records(settings: Settings, dns_client: DnsClient) -> Iterator[tuple[str, bool | None, str]]:
    """Each record that is needed, whether it is right (None: not known), and what is to be said of it.

    Args:
        settings: of who sends.
        dns_client: the client that queries DNS.
    """
    sending = _make_sending(settings)
    if sending is None:
        return
    from digest.core.delivery.dns.records import check_records, is_example

    if is_example(sending.sender) and not dns_client.server:
        yield (
            "DNS",
            None,
            f"{sending.sender} is a name for examples or your own network; there was nothing to look up",
        )
        return
    for verdict in check_records(sending, dns_client.look_up):
        yield f"DNS: {verdict.subject}", verdict.ok, verdict.explanation


def _make_sending(settings: Settings) -> SendingSetup | None:
    """How mails go out; None where none do."""
    from digest.core.delivery.dns.records import SendingSetup

    kinds = {destination.kind for digest in settings.digests for destination in digest.destinations}
    mail_settings = settings.smtp or settings.sendmail
    if mail_settings is None or AddressKind.MAILBOX not in kinds:
        return None
    relays = settings.smtp.relays if settings.smtp else ()
    sender = _get_domain(mail_settings.from_address)
    return SendingSetup(
        sender=sender,
        envelope=_get_domain(settings.bounces.address) or sender,
        servers=tuple(dict.fromkeys(relay.host for relay in relays)) or ("localhost",),
        dkim=settings.dkim.domain if settings.dkim else "",
        keys=settings.dkim.keys if settings.dkim else (),
        contact=settings.site.contact,
    )


def _get_domain(address: str) -> str:
    return address.rpartition("@")[2].lower()
