"""The chats and webhooks of a digest in words, and what a reader can add."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from digest.core.subscribers.own_digest import (
    MAX_DESTINATIONS,
    DestinationState,
    OwnDestination,
    ReaderService,
)
from digest.render.environment import remove_unprintable
from digest.render.languages.locales import Locale

_NAMES = {ReaderService.SLACK: "Slack", ReaderService.DISCORD: "Discord", ReaderService.NTFY: "ntfy"}
_EXAMPLES = {
    ReaderService.WEBHOOK: "https://example.org/hook",
    ReaderService.SLACK: "https://hooks.slack.com/services/…",
    ReaderService.DISCORD: "https://discord.com/api/webhooks/…",
    ReaderService.NTFY: "https://ntfy.sh/…",
}


class DestinationRow(NamedTuple):
    """A chat or webhook of a digest.

    Attributes:
        number: its number in the form that removes it.
        service: what it is.
        address: the public part of its address.
        state: whether it gets editions, in words.
    """

    number: str
    service: str
    address: str
    state: str


class ServiceExample(NamedTuple):
    """A service that can be added.

    Attributes:
        name: its name.
        example: how its addresses begin.
    """

    name: str
    example: str


def make_destination_variables(
    destinations: Sequence[OwnDestination], services: Sequence[str], secret: str, locale: Locale
) -> dict[str, object]:
    """Return the variables of the section.

    Args:
        destinations: the chats and webhooks of the digest.
        services: the services that the file allows.
        secret: the key of the webhook that was just added; "" for none.
        locale: the language.
    """
    return {
        "destinations": [_make_row(destination, locale) for destination in destinations],
        "destination_services": [
            ServiceExample(_name_service(service, locale), _EXAMPLES[ReaderService(service)])
            for service in services
        ],
        "destination_count": locale.gettext(
            "%(num)s of %(most)s chats and webhooks",
            num=locale.number(len(destinations)),
            most=locale.number(MAX_DESTINATIONS),
        ),
        "has_destination_room": len(destinations) < MAX_DESTINATIONS,
        "new_secret": secret,
    }


def _make_row(destination: OwnDestination, locale: Locale) -> DestinationRow:
    return DestinationRow(
        number=str(destination.id),
        service=_name_service(destination.service, locale),
        address=remove_unprintable(destination.address),
        state=_describe_state(destination, locale),
    )


def _name_service(service: str, locale: Locale) -> str:
    return _NAMES.get(ReaderService(service)) or locale.gettext("Webhook")


def _describe_state(destination: OwnDestination, locale: Locale) -> str:
    _, answer = locale.gettext, remove_unprintable(destination.answer)
    match destination.state:
        case DestinationState.GOING:
            return _("gets each edition")
        case DestinationState.RETRIED:
            return _("the last edition has not arrived yet, and is sent again: %(answer)s", answer=answer)
        case DestinationState.REFUSED:
            return _("the last edition did not arrive: %(answer)s", answer=answer)
        case DestinationState.STOPPED if answer:
            return _(
                "off, because editions did not arrive: %(answer)s. Add it again to continue", answer=answer
            )
        case DestinationState.STOPPED:
            return _("off; add it again to continue")
        case DestinationState.WITHHELD:
            return _("off: this site no longer sends there")
