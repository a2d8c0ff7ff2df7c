"""The page with the editions that a digest of a reader has had."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple
from zoneinfo import ZoneInfo

import jinja2

from digest.core.subscribers.own_records import OwnEdition
from digest.render.branding import Branding
from digest.render.environment import fill
from digest.render.languages.locales import Locale
from digest.render.publishing.account_pages.sections import SectionFrame, make_section_variables
from digest.render.publishing.public_pages.links import PublicSite


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnEditionsPage:
    """The content of the page.

    Attributes:
        frame: what all pages about a digest show.
        editions: the editions, newest first, each with the address of its page.
        zone: the time zone of the digest.
    """

    frame: SectionFrame
    editions: Sequence[tuple[OwnEdition, str]]
    zone: str


class OwnEditionRow(NamedTuple):
    """An edition.

    Attributes:
        href: the address of its page.
        day: its day.
        details: its time, and what it has, in words.
    """

    href: str
    day: str
    details: str


def render_own_editions(
    environment: jinja2.Environment, branding: Branding, site: PublicSite, page: OwnEditionsPage
) -> bytes:
    """Render the page.

    Raises:
        RenderError: a template is missing or broken.
    """
    rows = [_make_row(edition, href, page.zone, branding.locale) for edition, href in page.editions]
    variables = {**make_section_variables(page.frame, site, branding), "editions": rows}
    return fill(environment, "web/own_editions.html", variables).encode()


def _make_row(edition: OwnEdition, href: str, zone: str, locale: Locale) -> OwnEditionRow:
    day = edition.composed_at.astimezone(ZoneInfo(zone)).date()
    details = [
        locale.format_clock(edition.composed_at, edition.composed_at, zone),
        locale.ngettext("%(num)s paper", "%(num)s papers", edition.papers),
    ]
    if edition.is_alert:
        details.append(locale.gettext("sent at once"))
    return OwnEditionRow(href=href, day=locale.whole_day(day), details=" · ".join(details))
