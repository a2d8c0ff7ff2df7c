"""The page on which a reader manages a digest: what it follows, when it comes, a rest, and the papers saved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

import jinja2

from digest.core.text.words import tex_to_unicode
from digest.model import Paper, Schedule
from digest.render.branding import Masthead
from digest.render.editions.schedules import schedule_words
from digest.render.environment import fill, printable
from digest.render.languages.locales import Locale
from digest.render.papers.links import Link, web_address


class Wish(NamedTuple):
    """A follow, as written.

    Attributes:
        learned: what it counts, as a part of its weight, after what its reader said of papers.
    """

    text: str
    exclude: bool
    alert: bool
    learned: float


class Keepsake(NamedTuple):
    """A paper that was saved, and when."""

    paper: Paper
    at: datetime


class Pausing(NamedTuple):
    """A rest: until when, None for until it is ended; and whether it goes on with all that came meanwhile."""

    until: datetime | None
    with_all: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ManagePage:
    """A digest as its reader manages it.

    Attributes:
        title: of the digest.
        where: it goes, as only whoever gets it there understands.
        others: to how many more destinations it goes.
        pausing: None where it does not rest.
        feeds: none where it has none.
        feed_version: how often their address was renewed.
        keepsakes: the last one first.
        bibtex: where these are as BibTeX, relative to the page.
        stop: where a POST unsubscribes, relative to the page.
    """

    title: str
    where: str
    others: int
    zone: str
    wishes: Sequence[Wish]
    schedule: Schedule
    limit: int
    pausing: Pausing | None
    feeds: Sequence[Link]
    feed_version: int
    keepsakes: Sequence[Keepsake]
    bibtex: str
    stop: str


class _Row(NamedTuple):
    """A line of a list: what it is, what is said beside it, and what names it."""

    text: str
    url: str
    beside: str
    key: str = ""


def manage_page(environment: jinja2.Environment, masthead: Masthead, what: ManagePage) -> bytes:
    """The page.

    Raises:
        RenderError: a template is missing or broken.
    """
    locale = masthead.locale
    variables = {
        "masthead": masthead,
        "title": printable(what.title),
        "where": what.where,
        "others": what.others,
        "follows": [_follow(wish, locale) for wish in what.wishes if not wish.exclude],
        "excludes": [_follow(wish, locale) for wish in what.wishes if wish.exclude],
        "schedule": schedule_words(what.schedule, locale),
        "limit": locale.number(what.limit),
        "language": locale.name,
        "resting": _resting(what.pausing, what.zone, locale) if what.pausing else "",
        "feeds": what.feeds,
        "feed_version": what.feed_version,
        "saved": [_saved(one, what.zone, locale) for one in what.keepsakes],
        "bibtex": what.bibtex,
        "stop": what.stop,
    }
    return fill(environment, "web/manage.html", variables).encode()


def _follow(wish: Wish, locale: Locale) -> _Row:
    _ = locale.gettext
    beside = []
    if wish.alert:
        # Translators: beside a follow: what fits it comes at once, and does not wait for the schedule.
        beside.append(_("at once"))
    if wish.learned > 1:
        # Translators: beside a follow: its papers stand higher because the reader asked for more like them.
        beside.append(_("counts more, as you asked for more like it"))
    if wish.learned < 1:
        # Translators: beside a follow: its papers stand lower because the reader asked for less like them.
        beside.append(_("counts less, as you asked for less like it"))
    return _Row(printable(wish.text), "", locale.joined(beside))


def _saved(one: Keepsake, zone: str, locale: Locale) -> _Row:
    title = printable(" ".join(tex_to_unicode(one.paper.title).split()))
    day = locale.whole_day(one.at.astimezone(ZoneInfo(zone)).date())
    return _Row(title, web_address(one.paper.url), day, one.paper.key)


def _resting(pausing: Pausing, zone: str, locale: Locale) -> str:
    _ = locale.gettext
    if pausing.until is None:
        if pausing.with_all:
            return _("It rests until you let it go on, and then brings all that came meanwhile.")
        return _("It rests until you let it go on, and leaves out what comes meanwhile.")
    day = locale.whole_day(pausing.until.astimezone(ZoneInfo(zone)).date())
    if pausing.with_all:
        return _("It rests until %(day)s, and then brings all that came meanwhile.", day=day)
    return _("It rests until %(day)s, and leaves out what comes meanwhile.", day=day)
