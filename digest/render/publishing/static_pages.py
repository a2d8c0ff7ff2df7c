"""The pages of the output folder, which any web server, or none, can show: editions, days, and all of them.

They lead to each other by addresses from where they stand. What leads from one page to its neighbours stands between two
marks, and is replaced there: so a page that is done is never made again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from posixpath import dirname, relpath

import jinja2

from digest.model import Edition
from digest.render.branding import Branding
from digest.render.delivery.files import make_stem
from digest.render.editions.edition_view import describe_edition_completeness, format_counts, get_local_time
from digest.render.environment import fill
from digest.render.papers.links import Link
from digest.render.papers.paper_view import PaperView, make_paper_view
from digest.render.publishing.web_pages import make_page_variables

INDEX_PAGE, ARCHIVE_PAGE = "index.html", "archive.html"
_NAVIGATION = re.compile(rb"(<!-- turn -->\s*).*?(\s*<!-- /turn -->)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageNavigation:
    """Where a page leads to.

    Attributes:
        older: the one before it; None for the first.
        newer: the one after it; None for the last.
        up: what it is a part of.
        home: the overview.
    """

    older: Link | None
    newer: Link | None
    up: Link
    home: Link


@dataclass(frozen=True, slots=True, kw_only=True)
class DayEdition:
    """An edition on the page of its day.

    Attributes:
        title: its digest's.
        href: where it is as a whole.
        time: when it is from.
        counts: how many papers it tells, in words; "" where the store has forgotten it.
        summary: how complete it is.
        whole: no reader notices that anything is missing.
        cards: its papers.
        more: how many more it has, a line each.
    """

    title: str
    href: str
    time: str
    counts: str = ""
    summary: str = ""
    whole: bool = True
    cards: tuple[PaperView, ...] = ()
    more: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveDay:
    """A day in the list of all of them.

    Attributes:
        number: of the month.
        label: for who does not see where it stands.
        titles: of the digests with an edition.
    """

    href: str
    number: int
    label: str
    titles: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveDigest:
    """A digest in the list of all of them.

    Attributes:
        editions: how many there are.
        last: the last one.
        ended: there will be no more.
    """

    title: str
    editions: int
    last: Link
    ended: bool


def make_edition_path(edition: Edition) -> str:
    """Where an edition's page is, below the output folder."""
    return make_page_path(edition.digest, edition.period)


def make_page_path(digest: str, period: str) -> str:
    """The same for a digest's edition of a period."""
    return f"editions/{make_stem(digest, period)}.html"


def make_day_path(day: date) -> str:
    """Where the page of a day is, below the output folder."""
    return f"days/{day.isoformat()}.html"


def make_href(page: str, target: str) -> str:
    """The address of one page as it is written in another; both are paths below the output folder."""
    return relpath(target, dirname(page) or ".")


def render_static_edition(
    environment: jinja2.Environment,
    edition: Edition,
    branding: Branding,
    feeds: tuple[Link, ...],
    navigation: PageNavigation,
) -> bytes:
    """An edition among the others.

    Args:
        environment: made by ``make_environment`` for the edition's language.
        edition: what it tells.
        branding: the operator's side, in the same language.
        feeds: where the digest's feeds are, as written in this page.
        navigation: where it leads to.

    Raises:
        RenderError: a template is missing or broken.
    """
    variables = make_page_variables(edition, branding, feeds, page="") | {"turn": navigation}
    return fill(environment, "web/static_edition.html", variables).encode()


def render_day_page(
    environment: jinja2.Environment,
    branding: Branding,
    day: date,
    editions: Sequence[DayEdition],
    navigation: PageNavigation,
) -> bytes:
    """The page of a day: its editions, and the papers of each.

    Raises:
        RenderError: a template is missing or broken.
    """
    variables = {
        "masthead": branding,
        "day": branding.locale.whole_day(day),
        "parts": tuple(editions),
        "turn": navigation,
    }
    return fill(environment, "web/day.html", variables).encode()


def render_archive_page(
    environment: jinja2.Environment,
    branding: Branding,
    days: Mapping[date, Sequence[str]],
    digests: Sequence[ArchiveDigest],
) -> bytes:
    """The page that leads to every day and digest.

    Args:
        environment: made by ``make_environment``.
        branding: the operator's side.
        days: those with editions, and the titles of the digests that have them.
        digests: the digests.

    Raises:
        RenderError: a template is missing or broken.
    """
    locale = branding.locale
    months: dict[tuple[int, int], list[ArchiveDay]] = {}
    for day, titles in sorted(days.items(), reverse=True):
        archive_day = ArchiveDay(
            href=make_href(ARCHIVE_PAGE, make_day_path(day)),
            number=day.day,
            label=locale.whole_day(day),
            titles=tuple(titles),
        )
        months.setdefault((day.year, day.month), []).insert(0, archive_day)
    named_months = [(locale.month(date(*month, 1)), month_days) for month, month_days in months.items()]
    variables = {
        "masthead": branding,
        "months": named_months,
        "lines": tuple(digests),
        "home": Link(label=branding.title, href=make_href(ARCHIVE_PAGE, INDEX_PAGE)),
    }
    return fill(environment, "web/archive.html", variables).encode()


def make_day_edition(edition: Edition, branding: Branding, page: str) -> DayEdition:
    """An edition on the page of its day, which has this path."""
    completeness = describe_edition_completeness(edition, branding)
    paper_views = [
        make_paper_view(item, branding, abstract_limit=0, number=str(number))
        for number, item in enumerate(edition.items, 1)
    ]
    return DayEdition(
        title=edition.title,
        href=make_href(page, make_edition_path(edition)),
        time=f"{get_local_time(edition):%H:%M}",
        counts=format_counts(edition, branding.locale),
        summary=completeness.summary,
        whole=not completeness.missing,
        cards=tuple(paper_views),
        more=len(edition.overflow),
    )


def replace_navigation(
    environment: jinja2.Environment, branding: Branding, page: bytes, navigation: PageNavigation
) -> bytes:
    """A page that leads elsewhere now; one without the marks stays as it is.

    Raises:
        RenderError: a template is missing or broken.
    """
    navigation_html = (
        fill(environment, "web/_turn.html", {"masthead": branding, "turn": navigation}).strip().encode()
    )
    return _NAVIGATION.sub(lambda match: match[1] + navigation_html + match[2], page, count=1)
