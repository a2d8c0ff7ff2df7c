"""The page with what a reader said about papers and authors, each of it with a button that takes it back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

import jinja2

from digest.core.subscribers.opinions import Opinion
from digest.core.subscribers.own_records import GivenAnswer, GivenOpinion
from digest.render.branding import Branding
from digest.render.environment import fill, remove_unprintable
from digest.render.languages.locales import Locale
from digest.render.papers.links import Link
from digest.render.publishing.account_pages.sections import SectionFrame, link_paper, make_section_variables
from digest.render.publishing.public_pages.links import PublicSite


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnFeedbackPage:
    """The content of the page.

    Attributes:
        frame: what all pages about a digest show.
        given: what the reader said, latest first.
        zone: the time zone of the digest.
    """

    frame: SectionFrame
    given: Sequence[GivenOpinion | GivenAnswer]
    zone: str


class FeedbackRow(NamedTuple):
    """Something that a reader said.

    Attributes:
        text: what.
        link: the paper that it is about.
        day: when.
        do: what the button sends.
        key: the key of the paper.
        position: the place of the author in the list of authors; "" if it is about the paper.
        name: the printed name of the author; "" if it is about the paper.
    """

    text: str
    link: Link
    day: str
    do: str
    key: str
    position: str = ""
    name: str = ""


def render_own_feedback(
    environment: jinja2.Environment, branding: Branding, site: PublicSite, page: OwnFeedbackPage
) -> bytes:
    """Render the page.

    Raises:
        RenderError: a template is missing or broken.
    """
    rows = [_make_row(entry, page.zone, site, branding.locale) for entry in page.given]
    variables = {**make_section_variables(page.frame, site, branding), "feedback": rows}
    return fill(environment, "web/own_feedback.html", variables).encode()


def _make_row(given: GivenOpinion | GivenAnswer, zone: str, site: PublicSite, locale: Locale) -> FeedbackRow:
    link, day = link_paper(given.paper, site), _format_day(given.at, zone, locale)
    if isinstance(given, GivenOpinion):
        text = _describe_opinion(given.opinion, locale)
        return FeedbackRow(text=text, link=link, day=day, do="rating", key=given.paper.key)
    return FeedbackRow(
        text=_describe_answer(given, locale),
        link=link,
        day=day,
        do="answer",
        key=given.paper.key,
        position=str(given.position),
        name=given.name,
    )


def _format_day(at: datetime, zone: str, locale: Locale) -> str:
    return locale.whole_day(at.astimezone(ZoneInfo(zone)).date())


def _describe_opinion(opinion: Opinion, locale: Locale) -> str:
    _ = locale.gettext
    return _("More like this") if opinion is Opinion.MORE else _("Less like this")


def _describe_answer(given: GivenAnswer, locale: Locale) -> str:
    _ = locale.gettext
    name = remove_unprintable(" ".join(given.name.split()))
    if given.yes:
        return _("This is the %(name)s I follow", name=name)
    return _("This is not the %(name)s I follow", name=name)
