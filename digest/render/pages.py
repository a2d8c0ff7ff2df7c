"""The overview of an output folder: its digests, their feeds and their last editions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import jinja2

from digest.model import Edition
from digest.render.account import Account
from digest.render.card import Link, card
from digest.render.contents import account_of, counts, moment_of
from digest.render.environment import fill
from digest.render.feeds import FORMS, feed_path
from digest.render.files import edition_stem
from digest.render.masthead import Masthead
from digest.render.words import long_day


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
    counts: str
    account: Account
    titles: tuple[str, ...]
    files: tuple[Link, ...]


def index_page(environment: jinja2.Environment, masthead: Masthead, shelves: Sequence[Shelf]) -> bytes:
    """The page that leads to everything in an output folder.

    Args:
        environment: made by ``make_environment``.
        masthead: the operator's side.
        shelves: a digest each; the addresses in them are relative to the page.

    Raises:
        RenderError: a template is missing or broken.
    """
    rows = {shelf.digest: tuple(_row(shown, masthead) for shown in shelf.editions) for shelf in shelves}
    variables = {"masthead": masthead, "shelves": tuple(shelves), "rows": rows}
    return fill(environment, "web/index.html", variables).encode()


_FILES = {"html": "page", "txt": "text", "eml": "mail", "json": "data"}


def shelf(digest: str, title: str, editions: Sequence[Edition], *, feeds: bool, folder: str | None) -> Shelf:
    """The shelf of a digest whose feeds and files lie where we write them.

    Args:
        digest: its name.
        title: the name that readers see.
        editions: the newest first.
        feeds: whether it is also a feed.
        folder: where its editions' files are, relative to the page; None where they are not below it.
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
            EditionFiles(edition=edition, files=_files_of(edition, folder)) for edition in editions
        ),
    )


def _files_of(edition: Edition, folder: str | None) -> tuple[Link, ...]:
    if folder is None:
        return ()
    stem = f"{folder}/{edition_stem(edition)}"
    return tuple(Link(label=label, href=f"{stem}.{ending}") for ending, label in _FILES.items())


def _row(shown: EditionFiles, masthead: Masthead) -> Row:
    moment = moment_of(shown.edition)
    items = shown.edition.items[:3]
    return Row(
        day=f"{long_day(moment)} {moment.year}, {moment:%H:%M}",
        counts=counts(shown.edition, masthead.locale),
        account=account_of(shown.edition, masthead),
        titles=tuple(card(item, masthead, abstract=0).title.text for item in items),
        files=shown.files,
    )
