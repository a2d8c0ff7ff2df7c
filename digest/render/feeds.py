"""A digest's editions as RSS 2.0, Atom and JSON Feed: an entry a paper told, and one for what else to know.

An entry's id is made of the paper's key and the event, so that a reader's program never shows one twice.
All dates are those of the editions: the same editions give the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote

import jinja2

from digest.model import Edition, EventKind, Item, Part
from digest.render.card import card, marks
from digest.render.contents import Shape, account_of, contents, heading, moment_of
from digest.render.environment import fill, printable
from digest.render.masthead import Masthead
from digest.render.words import count, short_day

MOST_ENTRIES = 100
_ABSTRACT = 4000
_SINCE = 2026
"""The year in tag URIs (RFC 4151): a date on which the operator had the host."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """What a feed shows.

    Attributes:
        masthead: the operator's side.
        digest: the digest's name, which is in every id.
        title: the one that readers see.
        editions: the newest first.
        self_url: where this very feed can be got; "" where it is a mere file.
    """

    masthead: Masthead
    digest: str
    title: str
    editions: tuple[Edition, ...]
    self_url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """An entry of a feed as its template gets it.

    Attributes:
        id: a tag URI that never changes.
        url: the page to read, "" where there is none.
        html: the content.
        atom_date: RFC 3339; ``rss_date`` is the same as RFC 5322 has it.
    """

    id: str
    title: str
    url: str
    html: str
    authors: tuple[str, ...]
    tags: tuple[str, ...]
    atom_date: str
    rss_date: str


def rss(environment: jinja2.Environment, feed: Feed) -> bytes:
    """The feed as RSS 2.0, by the Best Practices Profile of the RSS Advisory Board.

    Raises:
        RenderError: a template is missing or broken.
    """
    return fill(environment, "feeds/rss.xml", _variables(environment, feed)).encode()


def atom(environment: jinja2.Environment, feed: Feed) -> bytes:
    """The feed as Atom (RFC 4287).

    Raises:
        RenderError: a template is missing or broken.
    """
    return fill(environment, "feeds/atom.xml", _variables(environment, feed)).encode()


def json_feed(environment: jinja2.Environment, feed: Feed) -> bytes:
    """The feed as JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/).

    Raises:
        RenderError: a template is missing or broken.
    """
    top = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": _title(feed),
        "home_page_url": feed.masthead.url,
        "feed_url": feed.self_url,
        "description": _description(feed),
        "language": "en",
    }
    items = [
        {
            "id": entry.id,
            "url": entry.url,
            "title": entry.title,
            "content_html": entry.html,
            "date_published": entry.atom_date,
            "authors": [{"name": name} for name in entry.authors],
            "tags": list(entry.tags),
        }
        for entry in _entries(environment, feed)
    ]
    document = {
        **{key: value for key, value in top.items() if value},
        "items": [{key: value for key, value in item.items() if value} for item in items],
    }
    return json.dumps(document, ensure_ascii=False).encode()


class Form(NamedTuple):
    """One form of a feed: what people call it, its media type, and what makes it."""

    label: str
    media_type: str
    render: Callable[[jinja2.Environment, Feed], bytes]


FORMS = {
    "rss": Form("RSS", "application/rss+xml", rss),
    "atom": Form("Atom", "application/atom+xml", atom),
    "json": Form("JSON Feed", "application/feed+json", json_feed),
}
"""The forms of a feed, by the ending of its name."""


def feed_path(digest: str, ending: str) -> str:
    """Where a feed's file is in an output folder, as others link to it."""
    return f"feeds/{digest}.{ending}"


def feed_files(environment: jinja2.Environment, feed: Feed) -> list[tuple[str, bytes]]:
    """A digest's feeds in all forms, by path in an output folder.

    Raises:
        RenderError: a template is missing or broken.
    """
    return [
        (feed_path(feed.digest, ending), form.render(environment, feed)) for ending, form in FORMS.items()
    ]


def _variables(environment: jinja2.Environment, feed: Feed) -> dict[str, object]:
    newest = feed.editions[0].composed_at if feed.editions else datetime(_SINCE, 1, 1, tzinfo=UTC)
    return {
        "feed_id": _tag(feed, f"digest/{quote(feed.digest, safe='', errors='replace')}"),
        "title": _title(feed),
        "description": _description(feed),
        "site_url": feed.masthead.url,
        "self_url": feed.self_url,
        "author": feed.masthead.title or feed.title,
        "atom_date": _atom_date(newest),
        "rss_date": format_datetime(newest) if feed.editions else "",
        "entries": _entries(environment, feed),
    }


def _title(feed: Feed) -> str:
    return printable(f"{feed.masthead.title}: {feed.title}" if feed.masthead.title else feed.title)


def _description(feed: Feed) -> str:
    if not feed.editions:
        return "No edition yet."
    newest = feed.editions[0]
    summary = account_of(newest, feed.masthead).summary
    return printable(f"Last edition {short_day(moment_of(newest))}: {summary}.")


@lru_cache(maxsize=4)  # the same ones in three forms, one after another
def _entries(environment: jinja2.Environment, feed: Feed) -> tuple[Entry, ...]:
    """An edition's note, then its papers; no entry twice, and only as many as readers' programs keep."""
    every = (entry for edition in feed.editions for entry in _of_edition(environment, feed, edition))
    found: dict[str, Entry] = {}
    for entry in every:
        found.setdefault(entry.id, entry)
        if len(found) == MOST_ENTRIES:
            break
    return tuple(found.values())


def _of_edition(environment: jinja2.Environment, feed: Feed, edition: Edition) -> Iterator[Entry]:
    # A second apart, so that programs that sort by date keep the order.
    for place, item in enumerate(edition.items):
        yield _paper(environment, feed, item, edition.composed_at - timedelta(seconds=place))
    note = _note(environment, feed, edition, edition.composed_at - timedelta(seconds=len(edition.items)))
    if note:
        yield note


def _paper(environment: jinja2.Environment, feed: Feed, item: Item, at: datetime) -> Entry:
    event = item.event
    shown = card(item, feed.masthead.source_titles, abstract=_ABSTRACT)
    # What grew is told as the new paper that it is to this digest's readers.
    is_new = event.kind in {EventKind.NEW, EventKind.GROWN}
    happened = "" if is_new else f"/{event.kind}/{event.number}"
    marked = f" ({marks(event)})" if marks(event) else ""
    above = "" if item.part is Part.SURELY else heading(item.part, [item])
    html = fill(environment, "feeds/_paper.html", {"card": shown, "heading": above})
    return Entry(
        id=_tag(feed, f"paper/{quote(event.paper.key, safe=':/', errors='replace')}{happened}"),
        title=printable(shown.title.text) + marked,
        url=shown.url,
        html=html,
        authors=tuple(printable(name) for name in shown.names),
        tags=tuple(printable(tag) for tag in shown.tags),
        atom_date=_atom_date(at),
        rss_date=format_datetime(at),
    )


def _note(environment: jinja2.Environment, feed: Feed, edition: Edition, at: datetime) -> Entry | None:
    """What a reader of the feed must know beside the papers; None where there is nothing."""
    what = account_of(edition, feed.masthead)
    more = len(edition.rest) + edition.dropped
    if what.whole and edition.items and not more:
        return None
    shown = contents(
        edition, feed.masthead, Shape(abstract=0, full=len(edition.items), lines=len(edition.rest))
    )
    title = [count(more, "more paper")] if more else []
    title += [] if what.whole and edition.items else [what.summary]
    return Entry(
        id=_tag(feed, f"digest/{quote(edition.digest, safe='', errors='replace')}/{edition.period}"),
        title=printable(f"{short_day(moment_of(edition))}: {'; '.join(title)}"),
        url="",
        html=fill(environment, "feeds/_note.html", {"edition": shown}),
        authors=(),
        tags=(),
        atom_date=_atom_date(at),
        rss_date=format_datetime(at),
    )


def _tag(feed: Feed, name: str) -> str:
    """A tag URI (RFC 4151): unique for ever, and nothing that anybody would try to open."""
    return f"tag:{feed.masthead.host},{_SINCE}:{name}"


def _atom_date(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
