"""The pages of the site: an edition as a page, and the small ones that say or ask something."""

from __future__ import annotations

from dataclasses import dataclass

import jinja2

from digest.model import Edition
from digest.render.branding import Branding
from digest.render.editions.edition_view import ViewLimits, make_edition_view, make_subject
from digest.render.environment import fill, remove_unprintable
from digest.render.papers.links import Link

_ABSTRACT_LIMIT = 4000
"""Characters: a page has room for nearly every abstract as a whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Button:
    """Something that a reader can do on a page.

    Attributes:
        action: where it is sent to, relative to the page.
    """

    label: str
    action: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticePage:
    """A small page.

    Attributes:
        lines: a paragraph each.
        links: where it leads to.
        button: what can be done; None for nothing.
        aside: what stands before a button that few will want; "" where it is what the page is for.
    """

    title: str
    lines: tuple[str, ...]
    links: tuple[Link, ...] = ()
    button: Button | None = None
    aside: str = ""


def render_notice_page(environment: jinja2.Environment, branding: Branding, notice: NoticePage) -> bytes:
    """A small page.

    Raises:
        RenderError: a template is missing or broken.
    """
    return fill(environment, "web/notice.html", {"masthead": branding, "notice": notice}).encode()


def render_edition_page(
    environment: jinja2.Environment,
    edition: Edition,
    branding: Branding,
    feeds: tuple[Link, ...],
    page: str = "",
) -> bytes:
    """An edition as a page: all that is in its mail, and what found no room there.

    Args:
        environment: made by ``make_environment``.
        edition: what it tells.
        branding: the operator's side.
        feeds: where the digest's feeds are; none where it has none.
        page: its own address, behind which each paper has a page; "" where papers have none.

    Raises:
        RenderError: a template is missing or broken.
    """
    return fill(
        environment, "web/edition.html", make_page_variables(edition, branding, feeds, page=page)
    ).encode()


def make_page_variables(
    edition: Edition, branding: Branding, feeds: tuple[Link, ...], *, page: str
) -> dict[str, object]:
    """What the template of an edition's page is filled in with; as for ``render_edition_page``."""
    view_limits = ViewLimits(
        abstract_limit=_ABSTRACT_LIMIT, full=len(edition.items), lines=len(edition.overflow)
    )
    return {
        "edition": make_edition_view(edition, branding, view_limits),
        "masthead": branding,
        "subject": remove_unprintable(make_subject(edition, branding.locale)),
        "feeds": feeds,
        "page": page,
    }
