"""The page on which a reader manages a digest: what it follows, its schedule, pauses, and saved papers."""

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
    """A follow or exclusion.

    Attributes:
        text: the text as written.
        learned_factor: the factor of its weight that the reader's feedback resulted in; 1 without feedback.
    """

    text: str
    is_exclusion: bool
    is_alert: bool
    learned_factor: float


class SavedPaperView(NamedTuple):
    """A saved paper, and when it was saved."""

    paper: Paper
    saved_at: datetime


class PauseView(NamedTuple):
    """A pause: its end, None if it is open-ended; and whether the papers of the pause are sent afterwards."""

    until: datetime | None
    with_backlog: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ManagePage:
    """The content of the page.

    Attributes:
        title: the title of the digest.
        destination: its destination, in a form that only the recipient understands.
        other_count: number of its other destinations.
        pause: None if it is not paused.
        feeds: its feeds; empty if it has none.
        feed_version: number of times that the address of the feeds was renewed.
        saved_papers: the most recently saved paper first.
        bibtex_path: path of the saved papers as BibTeX, relative to the page.
        unsubscribe_path: path to which a POST unsubscribes, relative to the page.
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
    """A row of a list: its text and link, notes next to it, and the key that identifies it."""

    text: str
    url: str
    beside: str
    key: str = ""


def render_manage_page(environment: jinja2.Environment, branding: Branding, page: ManagePage) -> bytes:
    """Render the page.

    Raises:
        RenderError: a template is missing or broken.
    """
    locale = branding.locale
    variables = {
        "site": branding,
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
        # Translators: next to a follow: its matches are sent at once, without waiting for the schedule.
        notes.append(_("sent at once"))
    if follow.learned_factor > 1:
        # Translators: next to a follow: its papers rank higher because the reader asked for more like them.
        notes.append(_("higher weight, because you asked for more like this"))
    if follow.learned_factor < 1:
        # Translators: next to a follow: its papers rank lower because the reader asked for less like them.
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
