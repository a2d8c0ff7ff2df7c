"""Links to the pages of a list."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from digest.render.languages.locales import Locale
from digest.render.papers.links import Link

_MAX_DISTANCE = 4
"""Maximum distance of a page that is linked from the page itself; the first and the last one are linked anyway."""


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
        newer=make_link(locale.gettext("Next page"), number + 1),
        pages=tuple(
            PageChoice(locale.number(other), str(other), link_page(other), other == number) for other in shown
        )
        if pages > 1
        else (),
    )
