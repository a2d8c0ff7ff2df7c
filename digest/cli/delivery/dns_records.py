"""What `digest check` reports about the DNS records that mail needs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from digest.model import AddressKind

if TYPE_CHECKING:
    from digest.cli.delivery.dns_client import DnsClient
    from digest.config import Settings
    from digest.core.delivery.dns.records import SendingSetup


def check_dns_records(settings: Settings, dns_client: DnsClient) -> Iterator[tuple[str, bool | None, str]]:
    """Check each required record: its name, whether it is correct (None: not known), and a message.

    Args:
        settings: the settings of the sender.
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
            f"{sending.sender} is an example domain or a name in a local network, so it was not looked up",
        )
        return
    for verdict in check_records(sending, dns_client.look_up):
        yield f"DNS: {verdict.subject}", verdict.ok, verdict.explanation


def _make_sending(settings: Settings) -> SendingSetup | None:
    """Describe how mail is sent; None if no mail is sent."""
    from digest.core.delivery.dns.records import SendingSetup

    kinds = {destination.kind for digest in settings.digests for destination in digest.destinations}
    mail_settings = settings.smtp or settings.sendmail
    has_mail = AddressKind.MAILBOX in kinds or settings.signup is not None
    if mail_settings is None or not has_mail:
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
