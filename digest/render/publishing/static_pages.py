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
from digest.render.branding import Masthead
from digest.render.delivery.files import stem_of
from digest.render.editions.edition_view import account_of, counts, moment_of
from digest.render.environment import fill
from digest.render.papers.links import Link
from digest.render.papers.paper_view import Card, card
from digest.render.publishing.web_pages import page_variables

INDEX, ARCHIVE = "index.html", "archive.html"
_TURN = re.compile(rb"(<!-- turn -->\s*).*?(\s*<!-- /turn -->)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
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
class Part:
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
    cards: tuple[Card, ...] = ()
    more: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
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
class Line:
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


def edition_path(edition: Edition) -> str:
    """Where an edition's page is, below the output folder."""
    return page_path(edition.digest, edition.period)


def page_path(digest: str, period: str) -> str:
    """The same for a digest's edition of a period."""
    return f"editions/{stem_of(digest, period)}.html"


def day_path(day: date) -> str:
    """Where the page of a day is, below the output folder."""
    return f"days/{day.isoformat()}.html"


def href(page: str, target: str) -> str:
    """The address of one page as it is written in another; both are paths below the output folder."""
    return relpath(target, dirname(page) or ".")


def edition_page(
    environment: jinja2.Environment, edition: Edition, masthead: Masthead, feeds: tuple[Link, ...], turn: Turn
) -> bytes:
    """An edition among the others.

    Args:
        environment: made by ``make_environment`` for the edition's language.
        edition: what it tells.
        masthead: the operator's side, in the same language.
        feeds: where the digest's feeds are, as written in this page.
        turn: where it leads to.

    Raises:
        RenderError: a template is missing or broken.
    """
    variables = page_variables(edition, masthead, feeds, page="") | {"turn": turn}
    return fill(environment, "web/static_edition.html", variables).encode()


def day_page(
    environment: jinja2.Environment, masthead: Masthead, day: date, parts: Sequence[Part], turn: Turn
) -> bytes:
    """The page of a day: its editions, and the papers of each.

    Raises:
        RenderError: a template is missing or broken.
    """
    variables = {
        "masthead": masthead,
        "day": masthead.locale.whole_day(day),
        "parts": tuple(parts),
        "turn": turn,
    }
    return fill(environment, "web/day.html", variables).encode()


def archive_page(
    environment: jinja2.Environment,
    masthead: Masthead,
    days: Mapping[date, Sequence[str]],
    lines: Sequence[Line],
) -> bytes:
    """The page that leads to every day and digest.

    Args:
        environment: made by ``make_environment``.
        masthead: the operator's side.
        days: those with editions, and the titles of the digests that have them.
        lines: the digests.

    Raises:
        RenderError: a template is missing or broken.
    """
    locale = masthead.locale
    months: dict[tuple[int, int], list[Day]] = {}
    for day, titles in sorted(days.items(), reverse=True):
        shown = Day(
            href=href(ARCHIVE, day_path(day)),
            number=day.day,
            label=locale.whole_day(day),
            titles=tuple(titles),
        )
        months.setdefault((day.year, day.month), []).insert(0, shown)
    named = [(locale.month(date(*month, 1)), some) for month, some in months.items()]
    variables = {
        "masthead": masthead,
        "months": named,
        "lines": tuple(lines),
        "home": Link(label=masthead.title, href=href(ARCHIVE, INDEX)),
    }
    return fill(environment, "web/archive.html", variables).encode()


def part(edition: Edition, masthead: Masthead, page: str) -> Part:
    """An edition on the page of its day, which has this path."""
    account = account_of(edition, masthead)
    cards = [card(item, masthead, abstract=0, number=str(at)) for at, item in enumerate(edition.items, 1)]
    return Part(
        title=edition.title,
        href=href(page, edition_path(edition)),
        time=f"{moment_of(edition):%H:%M}",
        counts=counts(edition, masthead.locale),
        summary=account.summary,
        whole=not account.missing,
        cards=tuple(cards),
        more=len(edition.rest),
    )


def turned(environment: jinja2.Environment, masthead: Masthead, page: bytes, turn: Turn) -> bytes:
    """A page that leads elsewhere now; one without the marks stays as it is.

    Raises:
        RenderError: a template is missing or broken.
    """
    made = fill(environment, "web/_turn.html", {"masthead": masthead, "turn": turn}).strip().encode()
    return _TURN.sub(lambda found: found[1] + made + found[2], page, count=1)
