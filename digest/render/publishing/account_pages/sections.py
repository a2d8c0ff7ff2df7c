"""What the pages about one digest of a reader have in common: addresses, the way back, and the pages of a list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from digest.core.publishing.address_parts import join_address
from digest.core.publishing.addresses import PaperAddress, format_page_address, format_paper_address
from digest.model import Paper
from digest.render.branding import Branding
from digest.render.environment import remove_unprintable
from digest.render.languages.locales import Locale
from digest.render.papers.excerpts import shorten_line
from digest.render.papers.links import Link
from digest.render.papers.paper_view import make_title
from digest.render.publishing.public_pages.links import (
    ACCOUNT_PATH,
    OWN_DIGESTS_PATH,
    PublicSite,
    make_public_links,
)

OWN_FEEDS_PATH = f"{ACCOUNT_PATH}/feeds.opml"
"""The address of the list of all private feeds of a reader."""
_MAX_TITLE = 300


class Section(StrEnum):
    """The pages about one digest, by the last part of their addresses."""

    EDITIONS = "editions"
    SAVED = "saved"
    FEEDBACK = "feedback"
    FEEDS = "feeds"


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionFrame:
    """What each of these pages shows.

    Attributes:
        section: the page.
        digest: the number of the digest.
        title: the title of the digest.
        number: the number of the page of a list, from 1.
        pages: the number of these pages.
        form_token: the token of the forms of the session.
    """

    section: Section
    digest: int
    title: str
    number: int = 1
    pages: int = 1
    form_token: str


class ListLinks(NamedTuple):
    """Links to the neighbours of a page of a list.

    Attributes:
        place: which page it is, in words; "" if it is the only one.
        newer: the address of the page before; "" if there is none.
        older: the address of the page after; "" if there is none.
    """

    place: str
    newer: str
    older: str


def format_section_address(section: Section, digest: int, language: str = "", number: int = 1) -> str:
    """Return the path of a page about a digest.

    Args:
        section: the page.
        digest: the number of the digest.
        language: the language; "" for that of the site.
        number: the number of the page of a list, from 1.
    """
    parameters = {"page": str(number) if number > 1 else "", "lang": language}
    return join_address(f"{OWN_DIGESTS_PATH}/{digest}/{section.value}", parameters)


def list_section_links(digest: int, site: PublicSite, locale: Locale) -> tuple[Link, ...]:
    """Return links to all pages about a digest."""
    return tuple(
        Link(label=label, href=site.link(format_section_address(section, digest, site.language_parameter)))
        for section, label in _describe_sections(locale).items()
    )


def _describe_sections(locale: Locale) -> dict[Section, str]:
    _ = locale.gettext
    return {
        # Translators: editions of a digest that have come already.
        Section.EDITIONS: _("Earlier editions"),
        Section.SAVED: _("Saved papers"),
        # Translators: what a reader said about papers and authors.
        Section.FEEDBACK: _("Your feedback"),
        Section.FEEDS: _("Feeds"),
    }


def make_section_variables(frame: SectionFrame, site: PublicSite, branding: Branding) -> Mapping[str, object]:
    """Return the variables that the templates of all these pages get."""
    language, locale = site.language_parameter, branding.locale

    def link_number(number: int) -> str:
        return site.link(format_section_address(frame.section, frame.digest, language, number))

    digest_address = format_page_address(f"{OWN_DIGESTS_PATH}/{frame.digest}", language)
    return {
        "site": branding,
        "public": make_public_links(
            site, lambda name: format_section_address(frame.section, frame.digest, name, frame.number)
        ),
        "title": remove_unprintable(frame.title),
        "heading": _describe_sections(locale)[frame.section],
        "digest_href": site.link(digest_address),
        "action": link_number(1),
        "form_token": frame.form_token,
        "page_number": str(frame.number),
        "list_links": ListLinks(
            place=locale.gettext(
                "Page %(number)s of %(pages)s",
                number=locale.number(frame.number),
                pages=locale.number(frame.pages),
            )
            if frame.pages > 1
            else "",
            newer=link_number(frame.number - 1) if frame.number > 1 else "",
            older=link_number(frame.number + 1) if frame.number < frame.pages else "",
        ),
    }


def link_paper(paper: Paper, site: PublicSite) -> Link:
    """Return the title of a paper, as a link to its page."""
    address = PaperAddress(key=paper.key, language=site.language_parameter)
    title = shorten_line(make_title(paper), _MAX_TITLE)
    return Link(label=title or paper.key, href=site.link(format_paper_address(address)))
