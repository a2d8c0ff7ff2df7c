"""A feed as RSS 2.0, Atom 1.0 and JSON Feed 1.1, whatever it tells of: digests and public feeds are made into channels.

All dates are those of what is told: the same entries give the same bytes. Where a feed has archives (RFC 5005,
section 4), each form leads from its newest entries back to its first one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import NamedTuple
from urllib.parse import quote

import jinja2

from digest.render.branding import Branding
from digest.render.environment import fill, remove_unprintable

_TAG_YEAR = 2026
"""The year in tag URIs (RFC 4151): a date on which the operator had the host."""
_TAG_LIKE = re.compile(r"<(?=[A-Za-z/!?])")
"""What a reader's program takes for the beginning of an element."""


class FeedLinks(NamedTuple):
    """Where a document of a feed and those beside it can be got; "" where they cannot, or there is none.

    Attributes:
        self: this very one.
        current: the one with the newest entries, for an archive.
        older: the archive before it.
        newer: the archive after it, for an archive.
    """

    self: str = ""
    current: str = ""
    older: str = ""
    newer: str = ""


NO_FEED_LINKS = FeedLinks()


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedEntry:
    """An entry of a feed as its template gets it.

    Attributes:
        id: a tag URI that never changes.
        url: the page to read, "" where there is none.
        summary: its beginning, as plain text.
        html: the content.
        text: the content, for programs that show no HTML.
        license: the address of the licence, "" where none is known.
        atom_date: RFC 3339; ``format_rss_date`` is the same as RFC 5322 has it.
    """

    id: str
    title: str
    url: str
    summary: str
    html: str
    text: str
    authors: tuple[str, ...]
    tags: tuple[str, ...]
    license: str
    atom_date: str
    rss_date: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedDocument:
    """A document of a feed, ready but for its form.

    Attributes:
        branding: the operator's side.
        id: a tag URI; all documents of a feed have the same.
        title: what readers see in the list of their feeds.
        author: who makes it.
        updated: when the newest entry came; None where there is none.
        links: where it and those beside it are.
    """

    branding: Branding
    id: str
    title: str
    description: str
    author: str
    updated: datetime | None
    entries: tuple[FeedEntry, ...]
    links: FeedLinks = NO_FEED_LINKS


def render_rss(environment: jinja2.Environment, document: FeedDocument) -> bytes:
    """The feed as RSS 2.0, by the Best Practices Profile of the RSS Advisory Board.

    Raises:
        RenderError: a template is missing or broken.
    """
    return _render_xml(environment, "feeds/rss.xml", document)


def render_atom(environment: jinja2.Environment, document: FeedDocument) -> bytes:
    """The feed as Atom (RFC 4287).

    Raises:
        RenderError: a template is missing or broken.
    """
    return _render_xml(environment, "feeds/atom.xml", document)


def render_json_feed(_environment: jinja2.Environment, document: FeedDocument) -> bytes:
    """The feed as JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/)."""
    metadata = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": document.title,
        "home_page_url": document.branding.url,
        "feed_url": document.links.self,
        "next_url": document.links.older,
        "description": document.description,
        "authors": [{"name": document.author}],
        "language": document.branding.locale.tag,
    }
    items = [
        {
            "id": entry.id,
            "url": entry.url,
            "title": entry.title,
            "summary": entry.summary,
            "content_html": entry.html,
            "content_text": entry.text,
            "date_published": entry.atom_date,
            "authors": [{"name": name} for name in entry.authors],
            "tags": list(entry.tags),
        }
        for entry in document.entries
    ]
    json_document = {
        **{key: value for key, value in metadata.items() if value},
        "items": [{key: value for key, value in item.items() if value} for item in items],
    }
    return json.dumps(json_document, ensure_ascii=False).encode()


class FeedFormat(NamedTuple):
    """One form of a feed: what people call it, its media type, and what makes it."""

    label: str
    media_type: str
    render: Callable[[jinja2.Environment, FeedDocument], bytes]


FEED_FORMATS = {
    "rss": FeedFormat("RSS", "application/rss+xml", render_rss),
    "atom": FeedFormat("Atom", "application/atom+xml", render_atom),
    "json": FeedFormat("JSON Feed", "application/feed+json", render_json_feed),
}
"""The forms of a feed, by the ending of its name."""


def make_feed_path(digest: str, extension: str, archive: int = 0) -> str:
    """Where a digest's feed, or an archive of it, is in an output folder, as others link to it."""
    return f"feeds/{digest}/{archive}.{extension}" if archive else f"feeds/{digest}.{extension}"


def make_tag_uri(branding: Branding, *names: str) -> str:
    """A tag URI (RFC 4151): unique for ever, and nothing that anybody would try to open."""
    path = "/".join(quote(name, safe=":/", errors="replace") for name in names)
    return f"tag:{branding.host},{_TAG_YEAR}:{path}"


def escape_uri(url: str) -> str:
    """An address as feeds must have it: what may not stand in a URI (RFC 3986, section 2) is escaped."""
    return quote(url, safe="%/:?#[]@!$&'()*+,;=~", errors="replace")


def format_atom_date(instant: datetime) -> str:
    """An instant as Atom has it."""
    return instant.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def format_rss_date(instant: datetime) -> str:
    """An instant as RSS has it."""
    return format_datetime(instant.astimezone(UTC))


def make_feed_title(branding: Branding, title: str) -> str:
    """What a feed is called: the site's name, and its own."""
    return remove_unprintable(f"{branding.title}: {title}" if branding.title else title)


def _render_xml(environment: jinja2.Environment, template: str, document: FeedDocument) -> bytes:
    updated = document.updated or datetime(_TAG_YEAR, 1, 1, tzinfo=UTC)
    variables = {
        "feed_id": document.id,
        "title": document.title,
        "description": document.description,
        "site_url": document.branding.url,
        "links": document.links,
        "author": document.author,
        "language": document.branding.locale.tag,
        "atom_date": format_atom_date(updated),
        "rss_date": format_rss_date(updated) if document.updated else "",
        "entries": document.entries,
        "untagged": escape_tags,
    }
    return fill(environment, template, variables).encode()


def escape_tags(title: str) -> str:
    """A title in which nobody finds an element.

    A title of RSS is plain text, and half of all programs take it for HTML: ``List<T>`` would lose its ``<T>``.
    """
    return _TAG_LIKE.sub("< ", title)
