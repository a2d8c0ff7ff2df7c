"""The overview of an output folder: its digests, their feeds and their last editions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import jinja2

from digest.model import Edition
from digest.render.branding import Masthead
from digest.render.delivery.files import edition_stem
from digest.render.editions.completeness import Account
from digest.render.editions.edition_view import account_of, counts, moment_of
from digest.render.environment import fill
from digest.render.languages.locales import Locale
from digest.render.papers.links import Link
from digest.render.papers.paper_view import card
from digest.render.publishing.feeds import FORMS, feed_path
from digest.render.publishing.public_feed import public_address
from digest.render.publishing.static_pages import ARCHIVE, edition_path

_SHOWN = 7
"""Editions of a digest in the overview; all of them are behind the list of days."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionFiles:
    """An edition and the files that hold it, the one to read first."""

    edition: Edition
    files: tuple[Link, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """A digest with its feeds and its last editions, the newest first."""

    digest: str
    title: str
    feeds: tuple[Link, ...]
    editions: tuple[EditionFiles, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """An edition as a line of the overview."""

    day: str
    time: str
    counts: str
    account: Account
    titles: tuple[str, ...]
    more: int
    files: tuple[Link, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenFeed:
    """A feed for everybody.

    Attributes:
        links: to its forms.
    """

    title: str
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """Feeds for everybody.

    Attributes:
        title: of them all; "" where they stand before all others.
    """

    title: str
    feeds: tuple[OpenFeed, ...]


def index_page(
    environment: jinja2.Environment,
    masthead: Masthead,
    shelves: Sequence[Shelf],
    openings: Sequence[Opening] = (),
) -> bytes:
    """The page that leads to everything in an output folder.

    Args:
        environment: made by ``make_environment``.
        masthead: the operator's side.
        shelves: a digest each; the addresses in them are relative to the page.
        openings: feeds for everybody; likewise.

    Raises:
        RenderError: a template is missing or broken.
    """
    rows = {shelf.digest: tuple(_row(shown, masthead) for shown in shelf.editions) for shelf in shelves}
    variables = {
        "masthead": masthead,
        "shelves": tuple(shelves),
        "rows": rows,
        "archive": ARCHIVE,
        "openings": tuple(openings),
    }
    return fill(environment, "web/index.html", variables).encode()


def shelf(
    digest: str,
    title: str,
    editions: Sequence[Edition],
    *,
    feeds: bool,
    folder: str | None,
    locale: Locale,
) -> Shelf:
    """The shelf of a digest whose pages, feeds and files lie where we write them.

    Args:
        digest: its name.
        title: the name that readers see.
        editions: the newest first; the last few are shown.
        feeds: whether it is also a feed.
        folder: where its editions' files are, relative to the page; None where they are not below it.
        locale: of the page.
    """
    links = [
        Link(label=form.label, href=feed_path(digest, ending), type=form.media_type)
        for ending, form in FORMS.items()
    ]
    return Shelf(
        digest=digest,
        title=title,
        feeds=tuple(links) if feeds else (),
        editions=tuple(
            EditionFiles(edition=edition, files=_files_of(edition, folder, locale))
            for edition in editions[:_SHOWN]
        ),
    )


def opening(title: str, feeds: Iterable[tuple[str, str, str]]) -> Opening:
    """Feeds for everybody that lie where we write them.

    Args:
        title: of them all, or "".
        feeds: title, sort and name of each.
    """
    shown = []
    for label, sort, name in feeds:
        links = [
            Link(label=form.label, href=public_address(".", sort, name, ending), type=form.media_type)
            for ending, form in FORMS.items()
        ]
        shown.append(OpenFeed(title=label, links=tuple(links)))
    return Opening(title=title, feeds=tuple(shown))


def _files_of(edition: Edition, folder: str | None, locale: Locale) -> tuple[Link, ...]:
    _ = locale.gettext
    page = Link(label=_("page"), href=edition_path(edition))
    if folder is None:
        return (page,)
    stem = f"{folder}/{edition_stem(edition)}"
    others = {"txt": _("text"), "eml": _("mail"), "json": _("data")}
    return (page, *(Link(label=label, href=f"{stem}.{ending}") for ending, label in others.items()))


def _row(shown: EditionFiles, masthead: Masthead) -> Row:
    moment = moment_of(shown.edition)
    items = shown.edition.items[:3]
    return Row(
        day=masthead.locale.whole_day(moment),
        time=f"{moment:%H:%M}",
        counts=counts(shown.edition, masthead.locale),
        account=account_of(shown.edition, masthead),
        titles=tuple(card(item, masthead, abstract=0).title.text for item in items),
        more=len(shown.edition.items) - len(items),
        files=shown.files,
    )
