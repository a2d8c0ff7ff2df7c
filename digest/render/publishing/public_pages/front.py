"""The public front page, the page that explains the numbers, small public pages, and the style of them all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

import jinja2

from digest.core.publishing.addresses import DayAddress, format_day_address, format_page_address
from digest.core.publishing.collection_addresses import CollectionKind
from digest.core.publishing.search_address import SEARCH_PATH
from digest.model import Batch, Event
from digest.render.branding import Branding
from digest.render.environment import fill, remove_unprintable
from digest.render.languages.locales import Locale
from digest.render.papers.links import Link
from digest.render.publishing.public_pages.daily import describe_day
from digest.render.publishing.public_pages.links import (
    FRONT_PATH,
    NUMBERS_PATH,
    PublicSite,
    link_collection,
    make_public_links,
)
from digest.render.publishing.public_pages.papers.cards import format_category, make_cards
from digest.render.publishing.public_pages.public_digest import format_digest_address
from digest.render.publishing.public_pages.signup_form import SignupForm, make_digest_form
from digest.render.publishing.web_pages import NoticePage

_STYLE_TAGS = ("<style>", "</style>")


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontPage:
    """The content of the front page.

    Attributes:
        day: the newest day with papers; None if there are none yet.
        events: its first papers.
        total: the number of its papers.
        batches: how complete each section of the day is.
        categories: the categories of the day, with their numbers of papers.
        topics: name and title of each topic.
        feeds: links to the public feeds; empty if there are none.
        digests: name, title and description of the digests to which everybody can subscribe, the first of which
            has a form here.
    """

    day: date | None
    events: Sequence[Event]
    total: int
    batches: Sequence[Batch]
    categories: Sequence[tuple[str, int]]
    topics: Sequence[tuple[str, str]]
    feeds: Sequence[Link]
    digests: Sequence[tuple[str, str, str]] = ()


class DigestRow(NamedTuple):
    """A digest to which everybody can subscribe."""

    title: str
    href: str
    description: str


def render_front_page(
    environment: jinja2.Environment, branding: Branding, site: PublicSite, page: FrontPage
) -> bytes:
    """Render the front page.

    Raises:
        RenderError: a template is missing or broken.
    """
    locale, language = branding.locale, site.language_parameter
    variables = {
        "site": branding,
        "public": make_public_links(site, lambda name: format_page_address(FRONT_PATH, name)),
        "day": locale.long_day(page.day) if page.day else "",
        "day_page": _format_day_link(page.day, site) if page.day else "",
        "summary": describe_day(page.batches, page.day, branding).summary if page.day else "",
        "cards": make_cards(page.events, {}, site, branding),
        # Translators: a link to all papers of a day.
        "all_papers": locale.ngettext("All %(num)s paper", "All %(num)s papers", page.total),
        "has_more": page.total > len(page.events),
        "categories": tuple(
            Link(
                label=locale.gettext(
                    "%(category)s (%(number)s)", category=format_category(name), number=locale.number(count)
                ),
                href=href,
            )
            for name, count in page.categories
            if (href := link_collection(CollectionKind.CATEGORY, name, site))
        ),
        "topics": tuple(
            Link(label=remove_unprintable(title), href=link_collection(CollectionKind.TOPIC, name, site))
            for name, title in page.topics
        ),
        "search_action": site.link(SEARCH_PATH),
        "hidden_fields": (("lang", language),) if language else (),
        "feeds": tuple(page.feeds),
        "digests": _make_digest_rows(page.digests, site),
        "form": _make_first_form(page.digests, site, locale),
    }
    return fill(environment, "web/front.html", variables).encode()


def render_numbers_page(environment: jinja2.Environment, branding: Branding, site: PublicSite) -> bytes:
    """Render the page that explains the numbers.

    Raises:
        RenderError: a template is missing or broken.
    """
    links = make_public_links(site, lambda name: format_page_address(NUMBERS_PATH, name))
    return fill(environment, "web/numbers.html", {"site": branding, "public": links}).encode()


def render_public_notice(
    environment: jinja2.Environment, branding: Branding, site: PublicSite, notice: NoticePage
) -> bytes:
    """Render a small public page, such as the answer to an address without a page.

    Raises:
        RenderError: a template is missing or broken.
    """
    links = make_public_links(site, lambda name: format_page_address(FRONT_PATH, name))
    variables = {"site": branding, "public": links, "notice": notice}
    return fill(environment, "web/public_notice.html", variables).encode()


def render_style(environment: jinja2.Environment) -> bytes:
    """Render the style of all public pages: that of the other pages, as a file, and what cards need.

    Raises:
        RenderError: a template is missing or broken.
    """
    text = fill(environment, "web/public.css", {})
    for tag in _STYLE_TAGS:
        text = text.replace(tag, "")
    return text.strip().encode()


def _make_first_form(
    digests: Sequence[tuple[str, str, str]], site: PublicSite, locale: Locale
) -> SignupForm | None:
    if not digests:
        return None
    name, title, _ = digests[0]
    return make_digest_form(name, site, locale, title if len(digests) > 1 else "")


def _make_digest_rows(digests: Sequence[tuple[str, str, str]], site: PublicSite) -> tuple[DigestRow, ...]:
    return tuple(
        DigestRow(
            title=remove_unprintable(title),
            href=site.link(format_digest_address(name, site.language_parameter)),
            description=remove_unprintable(description),
        )
        for name, title, description in digests
    )


def _format_day_link(day: date, site: PublicSite) -> str:
    return site.link(format_day_address(DayAddress(day=day, language=site.language_parameter)))
