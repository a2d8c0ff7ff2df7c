"""The page with the papers that a reader saved: to remove them, and to take them to reference managers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

import jinja2

from digest.core.subscribers.own_records import ZoteroFailure
from digest.model import Paper
from digest.render.branding import Branding
from digest.render.environment import fill, remove_unprintable
from digest.render.languages.locales import Locale
from digest.render.papers.links import Link
from digest.render.publishing.account_pages.sections import (
    Section,
    SectionFrame,
    format_section_address,
    link_paper,
    make_section_variables,
)
from digest.render.publishing.public_pages.links import PublicSite

BIBTEX, RIS = "bib", "ris"
"""The formats of exports, by the ends of their addresses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnSavedPage:
    """The content of the page.

    Attributes:
        frame: what all pages about a digest show.
        papers: the papers, latest first, each with the time when it was saved.
        zone: the time zone of the digest.
        zotero_user: the number of a Zotero user that was typed; "" for none.
        zotero_failure: why papers that were just sent did not get there; None if they did, or none were sent.
        is_sent: whether papers were just sent.
    """

    frame: SectionFrame
    papers: Sequence[tuple[Paper, datetime]]
    zone: str
    zotero_user: str = ""
    zotero_failure: ZoteroFailure | None = None
    is_sent: bool = False


class SavedRow(NamedTuple):
    """A saved paper.

    Attributes:
        link: its title and its page.
        day: the day on which it was saved.
        key: its key.
    """

    link: Link
    day: str
    key: str


def format_export_address(digest: int, extension: str) -> str:
    """Return the path of an export of all saved papers of a digest."""
    return f"{format_section_address(Section.SAVED, digest)}.{extension}"


def render_own_saved(
    environment: jinja2.Environment, branding: Branding, site: PublicSite, page: OwnSavedPage
) -> bytes:
    """Render the page.

    Raises:
        RenderError: a template is missing or broken.
    """
    locale, frame = branding.locale, page.frame
    variables = {
        **make_section_variables(frame, site, branding),
        "papers": [_make_row(paper, at, page.zone, site, locale) for paper, at in page.papers],
        "bibtex": site.link(format_export_address(frame.digest, BIBTEX)),
        "ris": site.link(format_export_address(frame.digest, RIS)),
        "zotero_user": remove_unprintable(page.zotero_user),
        "saved": _describe_sent(locale) if page.is_sent else "",
        "mistake": _describe_failure(page.zotero_failure, locale) if page.zotero_failure else "",
    }
    return fill(environment, "web/own_saved.html", variables).encode()


def _make_row(paper: Paper, at: datetime, zone: str, site: PublicSite, locale: Locale) -> SavedRow:
    day = locale.whole_day(at.astimezone(ZoneInfo(zone)).date())
    return SavedRow(link=link_paper(paper, site), day=day, key=paper.key)


def _describe_sent(locale: Locale) -> str:
    return locale.gettext(
        "Your saved papers are in your Zotero library. Those that were there already did not change."
    )


def _describe_failure(failure: ZoteroFailure, locale: Locale) -> str:
    _ = locale.gettext
    match failure:
        case ZoteroFailure.WRONG_KEY:
            return _("Zotero does not know this key. Copy it again, or create a new one.")
        case ZoteroFailure.NO_ACCESS:
            return _(
                "This key must not write to the library of this user. Check the user ID, and allow write access in the settings of the key."
            )
        case ZoteroFailure.NO_USER:
            return _("Zotero has no user with this ID. It is a number, not your user name.")
        case ZoteroFailure.UNREACHABLE:
            return _("Zotero cannot be reached. Try again later; nothing is added twice.")
        case ZoteroFailure.BUSY:
            return _("Zotero is busy. Try again in some minutes; nothing is added twice.")
        case ZoteroFailure.REFUSED:
            return _("Zotero did not accept all papers. The others are in your library.")
