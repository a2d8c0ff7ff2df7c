"""Public feeds, which contain papers without editions and without reasons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from urllib.parse import quote

import jinja2

from digest.model import Item
from digest.render.branding import Branding
from digest.render.environment import remove_unprintable
from digest.render.publishing.digest_feed import make_paper_entry
from digest.render.publishing.feeds import (
    FEED_FORMATS,
    NO_FEED_LINKS,
    FeedDocument,
    FeedEntry,
    FeedLinks,
    make_feed_title,
    make_tag_uri,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicFeedContent:
    """The content of a public feed.

    Attributes:
        branding: the branding of the site.
        sort: ``all``, ``category``, ``author`` or ``query``.
        name: its name in addresses and ids; "" for ``all``.
        title: the title for readers; "" for ``all``.
        papers: the papers with their dates, newest first.
    """

    branding: Branding
    sort: str
    name: str
    title: str
    papers: Sequence[tuple[Item, datetime]]


def make_public_feed(
    environment: jinja2.Environment, feed: PublicFeedContent, links: FeedLinks = NO_FEED_LINKS
) -> FeedDocument:
    """Make the document of a public feed, which can be rendered in each format.

    Raises:
        RenderError: a template is missing or broken.
    """
    branding, locale = feed.branding, feed.branding.locale
    entries: dict[str, FeedEntry] = {}
    for item, published_at in feed.papers:
        entry = make_paper_entry(environment, branding, item, published_at, is_personal=False)
        entries.setdefault(entry.id, entry)
    title = feed.title or locale.gettext("Everything new")
    return FeedDocument(
        branding=branding,
        id=make_tag_uri(branding, "public", *filter(None, (feed.sort, feed.name.replace("/", "-")))),
        title=make_feed_title(branding, title),
        description=remove_unprintable(_describe_feed(feed)),
        author=remove_unprintable(branding.title) or "digest",
        updated=max((published_at for _, published_at in feed.papers), default=None),
        entries=tuple(entries.values()),
        links=links,
    )


def _describe_feed(feed: PublicFeedContent) -> str:
    _ = feed.branding.locale.gettext
    match feed.sort:
        case "category":
            return _("New papers in %(category)s.", category=feed.title)
        case "author":
            return _("New papers by %(name)s.", name=feed.title)
        case "query":
            return _("New papers: %(title)s.", title=feed.title)
        case _:
            return _("All new papers.")


def make_public_path(sort: str, name: str, extension: str) -> str:
    """Return the path of a public feed below a site or an output folder."""
    return f"feeds/public/{sort}/{name}.{extension}" if name else f"feeds/public/{sort}.{extension}"


def make_public_address(url: str, sort: str, name: str, extension: str) -> str:
    """Return the address of a public feed below the address of a site."""
    return f"{url}/{quote(make_public_path(sort, name, extension), safe='/', errors='replace')}"


def render_public_files(
    environment: jinja2.Environment, feed: PublicFeedContent, url: str
) -> list[tuple[str, bytes]]:
    """Render a public feed in all formats, as pairs of path in the output folder and content.

    Args:
        environment: made by ``make_environment``.
        feed: the content.
        url: the web address of the output folder, without a final slash; "" if it has none.

    Raises:
        RenderError: a template is missing or broken.
    """
    document = make_public_feed(environment, feed)
    files = []
    for extension, feed_format in FEED_FORMATS.items():
        address = make_public_address(url, feed.sort, feed.name, extension) if url else ""
        links = FeedLinks(self=address)
        body = feed_format.render(environment, replace(document, links=links))
        files.append((make_public_path(feed.sort, feed.name, extension), body))
    return files
