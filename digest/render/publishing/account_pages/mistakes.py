"""Why changes of digests are refused, in words."""

from __future__ import annotations

from collections.abc import Iterator

from digest.core.subscribers.own_digest import (
    MAX_DESTINATIONS,
    MAX_EXCLUSIONS,
    MAX_FOLLOWS,
    MAX_LIBRARY_PAPERS,
    EditMistake,
)
from digest.core.subscribers.reader_addresses import MAX_ADDRESS
from digest.render.languages.locales import Locale


def describe_mistake(mistake: EditMistake, locale: Locale) -> str:
    """Say why a change of a digest is refused, and what to do."""
    return dict(_list_mistakes(locale))[mistake]


def _list_mistakes(locale: Locale) -> Iterator[tuple[EditMistake, str]]:
    _ = locale.gettext
    yield EditMistake.NO_QUERY, _("Write what to follow, in at most 500 characters.")
    yield (
        EditMistake.TOO_MANY_FOLLOWS,
        _("A digest has at most %(num)s follows. Remove one first.", num=locale.number(MAX_FOLLOWS)),
    )
    yield (
        EditMistake.TOO_MANY_EXCLUSIONS,
        _("A digest has at most %(num)s exclusions. Remove one first.", num=locale.number(MAX_EXCLUSIONS)),
    )
    yield (
        EditMistake.TOO_MANY_PAPERS,
        _("A digest has at most %(num)s papers of a library.", num=locale.number(MAX_LIBRARY_PAPERS)),
    )
    yield EditMistake.TOO_MANY_DIGESTS, _("You have as many digests as one can have. Delete one first.")
    yield EditMistake.NO_DAYS, _("Choose at least one day.")
    yield EditMistake.BAD_TIME, _("Write the time as 07:30.")
    yield EditMistake.BAD_ZONE, _("Choose a time zone from the list.")
    yield EditMistake.NO_TITLE, _("Give the digest a title.")
    yield EditMistake.NO_KINDS, _("Choose at least one kind of news.")
    yield from _list_destination_mistakes(locale)
    yield EditMistake.NO_CHANNEL, _("Choose mail, the feed, or both.")
    yield (
        EditMistake.SENT_LATELY,
        _("An edition came less than an hour ago. Try again later."),
    )
    yield (
        EditMistake.NOTHING_COMES,
        _("No editions come at the moment: the digest is paused or unsubscribed, or mail bounced."),
    )


def _list_destination_mistakes(locale: Locale) -> Iterator[tuple[EditMistake, str]]:
    _ = locale.gettext
    yield (
        EditMistake.NO_ADDRESS,
        _(
            "This is not an address that this site can send to. Copy it from the service as it is, as in the examples."
        ),
    )
    yield (
        EditMistake.LONG_ADDRESS,
        _("The address is too long: at most %(num)s characters.", num=locale.number(MAX_ADDRESS)),
    )
    yield EditMistake.NOT_OFFERED, _("This site does not send there; the examples show where it sends.")
    yield (
        EditMistake.WEBHOOK_FORM,
        _("The address must begin with https://, and have no port, no login and no #."),
    )
    yield (
        EditMistake.NOT_PUBLIC,
        _("The address does not lead to a server on the public internet. Write its full name."),
    )
    yield (
        EditMistake.TOO_MANY_DESTINATIONS,
        _(
            "A digest has at most %(num)s chats and webhooks. Remove one first.",
            num=locale.number(MAX_DESTINATIONS),
        ),
    )
