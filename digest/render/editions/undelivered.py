"""The notice of earlier editions that were not delivered."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

from digest.model import ALERT_PREFIX, Edition, MissedEdition
from digest.render.languages.locales import Locale

_MAX_NAMED = 7
"""Maximum number of undelivered editions that are listed; of the others, the number is given."""


class EditionLink(NamedTuple):
    """A link to an edition's page."""

    said: str
    page: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UndeliveredNotice:
    """The notice of earlier editions that were not delivered.

    Attributes:
        said: the text before the links.
        ways: the links; empty if the editions have no pages.
    """

    said: str
    ways: tuple[EditionLink, ...] = ()


def make_undelivered_notice(edition: Edition, locale: Locale) -> UndeliveredNotice | None:
    """Make the notice of undelivered editions: it lists the latest ones, with links to their pages; None for none."""
    undelivered, latest = edition.missed, edition.missed[-_MAX_NAMED:]
    if not undelivered:
        return None
    has_pages = all(missed.page for missed in latest)
    if len(undelivered) == 1:
        link = EditionLink(locale.gettext("Read it here"), undelivered[0].page)
        return UndeliveredNotice(
            said=_describe_one(undelivered[0], locale), ways=(link,) if has_pages else ()
        )
    if has_pages:
        links = tuple(EditionLink(_make_label(missed, locale), missed.page) for missed in latest)
        return UndeliveredNotice(said=_describe_several(len(undelivered), len(latest), locale), ways=links)
    unnamed_count = len(undelivered) - len(latest)
    earlier_count = (
        [locale.ngettext("%(num)s earlier one", "%(num)s earlier ones", unnamed_count)]
        if unnamed_count
        else []
    )
    names = locale.listed([*earlier_count, *(_format_in_list(missed, locale) for missed in latest)])
    return UndeliveredNotice(said=locale.gettext("Not delivered: %(editions)s.", editions=names))


def _describe_one(missed: MissedEdition, locale: Locale) -> str:
    day, time = _format_when(missed, locale)
    if time:
        return locale.gettext("Your alert of %(day)s at %(time)s could not be delivered.", day=day, time=time)
    return locale.gettext("Your edition of %(day)s could not be delivered.", day=day)


def _describe_several(count: int, named_count: int, locale: Locale) -> str:
    if count == named_count:
        return locale.ngettext(
            "%(num)s of your editions could not be delivered; read it here:",
            "%(num)s of your editions could not be delivered; read them here:",
            count,
        )
    return locale.ngettext(
        "%(num)s of your editions could not be delivered; read the last %(named)s here:",
        "%(num)s of your editions could not be delivered; read the last %(named)s here:",
        count,
        named=locale.number(named_count),
    )


def _make_label(missed: MissedEdition, locale: Locale) -> str:
    """Return the text of a link."""
    day, time = _format_when(missed, locale)
    return locale.gettext("alert of %(day)s at %(time)s", day=day, time=time) if time else day


def _format_in_list(missed: MissedEdition, locale: Locale) -> str:
    day, time = _format_when(missed, locale)
    if time:
        return locale.gettext("the alert of %(day)s at %(time)s", day=day, time=time)
    return locale.gettext("the edition of %(day)s", day=day)


def _format_when(missed: MissedEdition, locale: Locale) -> tuple[str, str]:
    """Return the day of an edition; for an alert also the time, else ""."""
    if missed.period.startswith(ALERT_PREFIX):
        local_time = missed.composed_at.astimezone(ZoneInfo(missed.zone))
        return locale.long_day(local_time), f"{local_time:%H:%M}"
    return locale.long_day(parse_period(missed.period, missed.zone)), ""


@lru_cache(maxsize=256)
def parse_period(period: str, zone: str) -> datetime:
    """Return the local time of a period in a zone."""
    local_time = datetime.fromisoformat(period)
    return local_time.astimezone(ZoneInfo(zone)) if local_time.tzinfo else local_time
