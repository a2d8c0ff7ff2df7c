"""The pages of the site: an edition as a page, and the small ones that say or ask something."""

from __future__ import annotations

from dataclasses import dataclass

import jinja2

from digest.model import Edition
from digest.render.branding import Masthead
from digest.render.editions.edition_view import Shape, contents, subject
from digest.render.environment import fill, printable
from digest.render.papers.links import Link

_ABSTRACT = 4000
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
class Notice:
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


def notice_page(environment: jinja2.Environment, masthead: Masthead, notice: Notice) -> bytes:
    """A small page.

    Raises:
        RenderError: a template is missing or broken.
    """
    return fill(environment, "web/notice.html", {"masthead": masthead, "notice": notice}).encode()


def edition_page(
    environment: jinja2.Environment,
    edition: Edition,
    masthead: Masthead,
    feeds: tuple[Link, ...],
    page: str = "",
) -> bytes:
    """An edition as a page: all that is in its mail, and what found no room there.

    Args:
        environment: made by ``make_environment``.
        edition: what it tells.
        masthead: the operator's side.
        feeds: where the digest's feeds are; none where it has none.
        page: its own address, behind which each paper has a page; "" where papers have none.

    Raises:
        RenderError: a template is missing or broken.
    """
    return fill(environment, "web/edition.html", page_variables(edition, masthead, feeds, page=page)).encode()


def page_variables(
    edition: Edition, masthead: Masthead, feeds: tuple[Link, ...], *, page: str
) -> dict[str, object]:
    """What the template of an edition's page is filled in with; as for ``edition_page``."""
    whole = Shape(abstract=_ABSTRACT, full=len(edition.items), lines=len(edition.rest))
    return {
        "edition": contents(edition, masthead, whole),
        "masthead": masthead,
        "subject": printable(subject(edition, masthead.locale)),
        "feeds": feeds,
        "page": page,
    }
