"""Documents of digest feeds and public feeds, in RSS 2.0, Atom 1.0 and JSON Feed 1.1.

All dates come from the content, so the same entries give the same bytes. If a feed has archives (RFC 5005,
section 4), each format links from the newest entries back to the first one.
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
"""The year in tag URIs (RFC 4151), in which the operator owned the host name."""
_TAG_LIKE = re.compile(r"<(?=[A-Za-z/!?])")
"""Text that a feed reader would take for the beginning of an element."""


class FeedLinks(NamedTuple):
    """The addresses of a feed document and of related ones; "" for those that do not exist or have none.

    Attributes:
        self: this document.
        current: for an archive, the document with the newest entries.
        older: the archive before it.
        newer: for an archive, the archive after it.
    """

    self: str = ""
    current: str = ""
    older: str = ""
    newer: str = ""


NO_FEED_LINKS = FeedLinks()


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedEntry:
    """An entry of a feed, as its template gets it.

    Attributes:
        id: a tag URI that never changes.
        url: the page to read; "" for none.
        summary: the beginning of the content, as plain text.
        html: the content.
        text: the content, for programs that do not show HTML.
        license: the address of the licence; "" if unknown.
        atom_date: the date in RFC 3339; ``rss_date`` is the same in RFC 5322.
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
    """A feed document that can be rendered in each format.

    Attributes:
        branding: the branding of the site.
        id: a tag URI, the same for all documents of a feed.
        title: the title in a reader's list of feeds.
        author: the publisher.
        updated: the date of the newest entry; None if there is none.
        links: the addresses of this document and of related ones.
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
    """Render a feed as RSS 2.0, following the Best Practices Profile of the RSS Advisory Board.

    Raises:
        RenderError: a template is missing or broken.
    """
    return _render_xml(environment, "feeds/rss.xml", document)


def render_atom(environment: jinja2.Environment, document: FeedDocument) -> bytes:
    """Render a feed as Atom (RFC 4287).

    Raises:
        RenderError: a template is missing or broken.
    """
    return _render_xml(environment, "feeds/atom.xml", document)


def render_json_feed(_environment: jinja2.Environment, document: FeedDocument) -> bytes:
    """Render a feed as JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/)."""
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
    """A format of feeds: its usual name, media type, and rendering function."""

    label: str
    media_type: str
    render: Callable[[jinja2.Environment, FeedDocument], bytes]


FEED_FORMATS = {
    "rss": FeedFormat("RSS", "application/rss+xml", render_rss),
    "atom": FeedFormat("Atom", "application/atom+xml", render_atom),
    "json": FeedFormat("JSON Feed", "application/feed+json", render_json_feed),
}
"""The formats of feeds, by file extension."""


def make_feed_path(digest: str, extension: str, archive: int = 0) -> str:
    """Return the path of a digest's feed, or of an archive of it, in the output folder."""
    return f"feeds/{digest}/{archive}.{extension}" if archive else f"feeds/{digest}.{extension}"


def make_tag_uri(branding: Branding, *names: str) -> str:
    """Make a tag URI (RFC 4151): it is unique and permanent, and programs do not try to open it."""
    path = "/".join(quote(name, safe=":/", errors="replace") for name in names)
    return f"tag:{branding.host},{_TAG_YEAR}:{path}"


def escape_uri(url: str) -> str:
    """Escape the characters that a URI must not contain (RFC 3986, section 2)."""
    return quote(url, safe="%/:?#[]@!$&'()*+,;=~", errors="replace")


def format_atom_date(instant: datetime) -> str:
    """Format an instant as Atom needs it."""
    return instant.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def format_rss_date(instant: datetime) -> str:
    """Format an instant as RSS needs it."""
    return format_datetime(instant.astimezone(UTC))


def make_feed_title(branding: Branding, title: str) -> str:
    """Make the title of a feed from the name of the site and the feed's own title."""
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
    """Change a title so that no feed reader finds an element in it.

    Titles in RSS are plain text, but half of all programs parse them as HTML: ``List<T>`` would lose its
    ``<T>``.
    """
    return _TAG_LIKE.sub("< ", title)
