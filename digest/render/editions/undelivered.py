"""What is said of earlier editions that did not arrive."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

from digest.model import ALERT, Edition, Missed
from digest.render.languages.locales import Locale

_MOST_NAMED = 7
"""Editions that did not arrive; more are counted."""


class Way(NamedTuple):
    """A link to an edition's page."""

    said: str
    page: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """The sentence about earlier editions that did not arrive.

    Attributes:
        said: all of it, but for the links that follow.
        ways: the links; none where there is nothing to link to.
    """

    said: str
    ways: tuple[Way, ...] = ()


def missing(edition: Edition, locale: Locale) -> Missing | None:
    """What is said of earlier editions that did not arrive: the last ones by name, with links where they have pages."""
    lost, named = edition.missed, edition.missed[-_MOST_NAMED:]
    if not lost:
        return None
    linked = all(one.page for one in named)
    if len(lost) == 1:
        way = Way(locale.gettext("Read it here"), lost[0].page)
        return Missing(said=_one_lost(lost[0], locale), ways=(way,) if linked else ())
    if linked:
        ways = tuple(Way(_label(one, locale), one.page) for one in named)
        return Missing(said=_lost(len(lost), len(named), locale), ways=ways)
    earlier = len(lost) - len(named)
    before = [locale.ngettext("%(num)s earlier one", "%(num)s earlier ones", earlier)] if earlier else []
    every = locale.listed([*before, *(_in_a_list(one, locale) for one in named)])
    return Missing(said=locale.gettext("These did not reach you: %(editions)s.", editions=every))


def _one_lost(missed: Missed, locale: Locale) -> str:
    day, time = _when(missed, locale)
    if time:
        return locale.gettext("Your alert of %(day)s at %(time)s could not be delivered.", day=day, time=time)
    return locale.gettext("Your edition of %(day)s could not be delivered.", day=day)


def _lost(lost: int, named: int, locale: Locale) -> str:
    if lost == named:
        return locale.ngettext(
            "%(num)s of your editions could not be delivered; read it here:",
            "%(num)s of your editions could not be delivered; read them here:",
            lost,
        )
    return locale.ngettext(
        "%(num)s of your editions could not be delivered; read the last %(named)s here:",
        "%(num)s of your editions could not be delivered; read the last %(named)s here:",
        lost,
        named=locale.number(named),
    )


def _label(missed: Missed, locale: Locale) -> str:
    """What is linked to."""
    day, time = _when(missed, locale)
    return locale.gettext("alert of %(day)s at %(time)s", day=day, time=time) if time else day


def _in_a_list(missed: Missed, locale: Locale) -> str:
    day, time = _when(missed, locale)
    if time:
        return locale.gettext("the alert of %(day)s at %(time)s", day=day, time=time)
    return locale.gettext("the edition of %(day)s", day=day)


def _when(missed: Missed, locale: Locale) -> tuple[str, str]:
    """The day of an edition and, of an alert, the time; "" else."""
    if missed.period.startswith(ALERT):
        moment = missed.composed_at.astimezone(ZoneInfo(missed.zone))
        return locale.long_day(moment), f"{moment:%H:%M}"
    return locale.long_day(moment_in(missed.period, missed.zone)), ""


@lru_cache(maxsize=256)
def moment_in(period: str, zone: str) -> datetime:
    """The wall clock of a period in a zone."""
    moment = datetime.fromisoformat(period)
    return moment.astimezone(ZoneInfo(zone)) if moment.tzinfo else moment
