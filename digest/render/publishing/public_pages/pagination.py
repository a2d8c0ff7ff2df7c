"""Links to the pages of a list, and what a page says and marks when its papers are added to those before."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sized
from dataclasses import dataclass
from typing import NamedTuple

from digest.render.languages.locales import Locale
from digest.render.papers.links import Link

_MAX_DISTANCE = 4
"""Maximum distance of a page that is linked from the page itself; the first and the last one are linked anyway."""


class PageExtension(NamedTuple):
    """How a page extends the page before it, if its papers are added there.

    Attributes:
        anchor: the id of its first paper, and of the link to it on the page before; "" for the first page.
        next_anchor: the same for the next page; "" if there is none.
        loaded: what assistive technology announces; "" for the first page.
    """

    anchor: str
    next_anchor: str
    loaded: str


def make_extension(place: str, next_place: str, papers: Sized, locale: Locale) -> PageExtension:
    """Describe how a page extends the one before.

    Args:
        place: the number of the page or its cursor; "" for the first page.
        next_place: the same for the next page; "" if there is none.
        papers: its papers.
        locale: the language.
    """
    return PageExtension(
        anchor=_make_anchor(place),
        next_anchor=_make_anchor(next_place),
        loaded=locale.ngettext("%(num)s more paper", "%(num)s more papers", len(papers)) if place else "",
    )


def _make_anchor(place: str) -> str:
    """Make the id of a page in an HTML document: a cursor can be long, and has characters that no id should have."""
    return f"page-{hashlib.sha256(place.encode()).hexdigest()[:8]}" if place else ""


def extend_numbered(number: int, pages: int, papers: Sized, locale: Locale) -> PageExtension:
    """Describe how a page with a number, from 1, extends the one before."""
    place, next_place = (str(other) if 1 < other <= pages else "" for other in (number, number + 1))
    return make_extension(place, next_place, papers, locale)


class PageChoice(NamedTuple):
    """A choice between variants of a page.

    Attributes:
        label: its text.
        value: its value in the address.
        href: the page with this choice.
        is_current: whether this is the page.
    """

    label: str
    value: str
    href: str
    is_current: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Pagination:
    """The pages of a list.

    Attributes:
        older: the link to the page before; None if there is none.
        newer: the link to the page after; None if there is none.
        pages: the near pages, the first and the last one; empty if there is only one.
    """

    older: Link | None
    newer: Link | None
    pages: tuple[PageChoice, ...]


def make_pagination(number: int, pages: int, link_page: Callable[[int], str], locale: Locale) -> Pagination:
    """Make the links.

    Args:
        number: the number of this page, from 1.
        pages: the number of pages.
        link_page: returns the address of a page.
        locale: the language.
    """

    def make_link(label: str, other: int) -> Link | None:
        return Link(label=label, href=link_page(other)) if 1 <= other <= pages else None

    shown = [
        other for other in range(1, pages + 1) if other in {1, pages} or abs(other - number) <= _MAX_DISTANCE
    ]
    return Pagination(
        older=make_link(locale.gettext("Previous page"), number - 1),
        newer=make_link(locale.gettext("More papers"), number + 1),
        pages=tuple(
            PageChoice(locale.number(other), str(other), link_page(other), other == number) for other in shown
        )
        if pages > 1
        else (),
    )
