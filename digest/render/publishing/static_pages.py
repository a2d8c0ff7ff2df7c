"""The pages of the output folder: editions, days, and the archive; they work on any web server, and without one.

They link to each other by relative addresses. The links from a page to its neighbours are between two marks
and are replaced there, so that a finished page is never rendered again.
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
from digest.render.editions.edition_view import describe_edition_completeness
from digest.render.editions.summary import format_counts, get_local_time
from digest.render.environment import fill
from digest.render.papers.links import Link
from digest.render.papers.paper_view import PaperView, make_paper_view
from digest.render.publishing.web_pages import make_page_variables

INDEX_PAGE, ARCHIVE_PAGE = "index.html", "archive.html"
_NAVIGATION = re.compile(rb"(<!-- turn -->\s*).*?(\s*<!-- /turn -->)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageNavigation:
    """The navigation links of a page.

    Attributes:
        older: the page before it; None for the first one.
        newer: the page after it; None for the last one.
        up: the page that it belongs to.
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
        title: the title of its digest.
        href: the address of its own page.
        time: its local time.
        counts: the numbers of its papers, in words; "" if the database no longer has the edition.
        summary: how complete it is.
        whole: whether nothing noticeable is missing.
        papers: its papers.
        more: number of further papers that have one line each.
    """

    title: str
    href: str
    time: str
    counts: str = ""
    summary: str = ""
    whole: bool = True
    papers: tuple[PaperView, ...] = ()
    more: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveDay:
    """A day in the archive.

    Attributes:
        number: the day of the month.
        label: the full date, for readers who cannot see its place in the calendar.
        titles: the titles of the digests with an edition on that day.
    """

    href: str
    number: int
    label: str
    titles: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveDigest:
    """A digest in the archive.

    Attributes:
        editions: number of its editions.
        last: the link to its latest edition.
        ended: whether there will be no more editions.
    """

    title: str
    editions: int
    last: Link
    ended: bool


def make_edition_path(edition: Edition) -> str:
    """Return the path of an edition's page, relative to the output folder."""
    return make_page_path(edition.digest, edition.period)


def make_page_path(digest: str, period: str) -> str:
    """Return the path of the page of a digest's edition, relative to the output folder."""
    return f"editions/{make_stem(digest, period)}.html"


def make_day_path(day: date) -> str:
    """Return the path of a day's page, relative to the output folder."""
    return f"days/{day.isoformat()}.html"


def make_href(page: str, target: str) -> str:
    """Return the relative address of one page in another; both are given as paths below the output folder."""
    return relpath(target, dirname(page) or ".")


def render_static_edition(
    environment: jinja2.Environment,
    edition: Edition,
    branding: Branding,
    feeds: tuple[Link, ...],
    navigation: PageNavigation,
) -> bytes:
    """Render the page of an edition, with navigation.

    Args:
        environment: made by ``make_environment`` for the edition's language.
        edition: the content.
        branding: the branding of the site, in the same language.
        feeds: links to the digest's feeds, relative to this page.
        navigation: the navigation links.

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
    """Render the page of a day: its editions with their papers.

    Raises:
        RenderError: a template is missing or broken.
    """
    variables = {
        "site": branding,
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
    """Render the page that links to every day and digest.

    Args:
        environment: made by ``make_environment``.
        branding: the branding of the site.
        days: titles of the digests with an edition, by day.
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
        "site": branding,
        "months": named_months,
        "lines": tuple(digests),
        "home": Link(label=branding.title, href=make_href(ARCHIVE_PAGE, INDEX_PAGE)),
    }
    return fill(environment, "web/archive.html", variables).encode()


def make_day_edition(edition: Edition, branding: Branding, page: str) -> DayEdition:
    """Make the view of an edition for the page of its day, whose path is ``page``."""
    completeness = describe_edition_completeness(edition, branding)
    paper_views = [
        make_paper_view(item, branding, number=str(number)) for number, item in enumerate(edition.items, 1)
    ]
    return DayEdition(
        title=edition.title,
        href=make_href(page, make_edition_path(edition)),
        time=f"{get_local_time(edition):%H:%M}",
        counts=format_counts(edition, branding.locale),
        summary=completeness.summary,
        whole=not completeness.missing,
        papers=tuple(paper_views),
        more=len(edition.overflow),
    )


def replace_navigation(
    environment: jinja2.Environment, branding: Branding, page: bytes, navigation: PageNavigation
) -> bytes:
    """Replace the navigation links of a rendered page; a page without the marks stays as it is.

    Raises:
        RenderError: a template is missing or broken.
    """
    navigation_html = (
        fill(environment, "web/_turn.html", {"site": branding, "turn": navigation}).strip().encode()
    )
    return _NAVIGATION.sub(lambda match: match[1] + navigation_html + match[2], page, count=1)
