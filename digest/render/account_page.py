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
from digest.render.branding import Branding
from digest.render.editions.schedules import describe_schedule
from digest.render.environment import fill, remove_unprintable
from digest.render.languages.locales import Locale
from digest.render.papers.links import Link, filter_web_address


class FollowSummary(NamedTuple):
    """A follow, as written.

    Attributes:
        learned_factor: what it counts, as a part of its weight, after what its reader said of papers.
    """

    text: str
    is_exclusion: bool
    is_alert: bool
    learned_factor: float


class SavedPaperView(NamedTuple):
    """A paper that was saved, and when."""

    paper: Paper
    saved_at: datetime


class PauseView(NamedTuple):
    """A rest: until when, None for until it is ended; and whether it goes on with all that came meanwhile."""

    until: datetime | None
    with_backlog: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ManagePage:
    """A digest as its reader manages it.

    Attributes:
        title: of the digest.
        destination: it goes, as only whoever gets it there understands.
        other_count: to how many more destinations it goes.
        pause: None where it does not rest.
        feeds: none where it has none.
        feed_version: how often their address was renewed.
        saved_papers: the last one first.
        bibtex_path: where these are as BibTeX, relative to the page.
        unsubscribe_path: where a POST unsubscribes, relative to the page.
    """

    title: str
    destination: str
    other_count: int
    zone: str
    follows: Sequence[FollowSummary]
    schedule: Schedule
    limit: int
    pause: PauseView | None
    feeds: Sequence[Link]
    feed_version: int
    saved_papers: Sequence[SavedPaperView]
    bibtex_path: str
    unsubscribe_path: str


class _ListRow(NamedTuple):
    """A line of a list: what it is, what is said beside it, and what names it."""

    text: str
    url: str
    beside: str
    key: str = ""


def render_manage_page(environment: jinja2.Environment, branding: Branding, page: ManagePage) -> bytes:
    """The page.

    Raises:
        RenderError: a template is missing or broken.
    """
    locale = branding.locale
    variables = {
        "masthead": branding,
        "title": remove_unprintable(page.title),
        "where": page.destination,
        "others": page.other_count,
        "follows": [_make_follow_row(follow, locale) for follow in page.follows if not follow.is_exclusion],
        "excludes": [_make_follow_row(follow, locale) for follow in page.follows if follow.is_exclusion],
        "schedule": describe_schedule(page.schedule, locale),
        "limit": locale.number(page.limit),
        "language": locale.name,
        "resting": _describe_pause(page.pause, page.zone, locale) if page.pause else "",
        "feeds": page.feeds,
        "feed_version": page.feed_version,
        "saved": [_make_saved_row(saved_paper, page.zone, locale) for saved_paper in page.saved_papers],
        "bibtex": page.bibtex_path,
        "stop": page.unsubscribe_path,
    }
    return fill(environment, "web/manage.html", variables).encode()


def _make_follow_row(follow: FollowSummary, locale: Locale) -> _ListRow:
    _ = locale.gettext
    notes = []
    if follow.is_alert:
        # Translators: beside a follow: what fits it comes at once, and does not wait for the schedule.
        notes.append(_("sent at once"))
    if follow.learned_factor > 1:
        # Translators: beside a follow: its papers stand higher because the reader asked for more like them.
        notes.append(_("higher weight, because you asked for more like this"))
    if follow.learned_factor < 1:
        # Translators: beside a follow: its papers stand lower because the reader asked for less like them.
        notes.append(_("lower weight, because you asked for less like this"))
    return _ListRow(remove_unprintable(follow.text), "", locale.join_parts(notes))


def _make_saved_row(saved_paper: SavedPaperView, zone: str, locale: Locale) -> _ListRow:
    title = remove_unprintable(" ".join(tex_to_unicode(saved_paper.paper.title).split()))
    day = locale.whole_day(saved_paper.saved_at.astimezone(ZoneInfo(zone)).date())
    return _ListRow(title, filter_web_address(saved_paper.paper.url), day, saved_paper.paper.key)


def _describe_pause(pause: PauseView, zone: str, locale: Locale) -> str:
    _ = locale.gettext
    if pause.until is None:
        if pause.with_backlog:
            return _("Paused until you resume it. The next edition then covers the whole pause.")
        return _("Paused until you resume it. Papers of the pause are left out.")
    day = locale.whole_day(pause.until.astimezone(ZoneInfo(zone)).date())
    if pause.with_backlog:
        return _("Paused until %(day)s. The next edition then covers the whole pause.", day=day)
    return _("Paused until %(day)s. Papers of the pause are left out.", day=day)
