"""The pages of the site: editions, and small pages with a notice or a question."""

from __future__ import annotations

from dataclasses import dataclass

import jinja2

from digest.model import Edition
from digest.render.branding import Branding
from digest.render.editions.edition_view import make_page_view
from digest.render.editions.summary import make_subject
from digest.render.environment import fill, remove_unprintable
from digest.render.papers.links import Link


@dataclass(frozen=True, slots=True, kw_only=True)
class Button:
    """A button on a page.

    Attributes:
        action: the address that it posts to, relative to the page.
        fields: names and values of what it sends.
    """

    label: str
    action: str
    fields: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticePage:
    """A small page.

    Attributes:
        lines: one paragraph each.
        links: links at the end of the page.
        button: a button; None for none.
        aside: the text before a button that few readers need; "" if the button is the purpose of the page.
    """

    title: str
    lines: tuple[str, ...]
    links: tuple[Link, ...] = ()
    button: Button | None = None
    aside: str = ""


def render_notice_page(environment: jinja2.Environment, branding: Branding, notice: NoticePage) -> bytes:
    """Render a small page.

    Raises:
        RenderError: a template is missing or broken.
    """
    return fill(environment, "web/notice.html", {"site": branding, "notice": notice}).encode()


def render_edition_page(
    environment: jinja2.Environment,
    edition: Edition,
    branding: Branding,
    feeds: tuple[Link, ...],
    page: str = "",
) -> bytes:
    """Render an edition as a page, including the papers for which its mail has no room.

    Args:
        environment: made by ``make_environment``.
        edition: the content.
        branding: the branding of the site.
        feeds: links to the digest's feeds; empty if it has none.
        page: the address of this page, below which each paper has its page; "" if papers have none.

    Raises:
        RenderError: a template is missing or broken.
    """
    return fill(
        environment, "web/edition.html", make_page_variables(edition, branding, feeds, page=page)
    ).encode()


def make_page_variables(
    edition: Edition, branding: Branding, feeds: tuple[Link, ...], *, page: str
) -> dict[str, object]:
    """Return the template variables of an edition's page; the parameters are those of ``render_edition_page``."""
    return {
        "edition": make_page_view(edition, branding),
        "site": branding,
        "subject": remove_unprintable(make_subject(edition, branding.locale)),
        "feeds": feeds,
        "page": page,
    }
