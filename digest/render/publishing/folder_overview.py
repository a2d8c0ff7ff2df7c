"""The overview of an output folder: its digests, their feeds and their latest editions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import jinja2

from digest.model import Edition
from digest.render.branding import Branding
from digest.render.delivery.files import make_edition_stem
from digest.render.editions.completeness import Completeness
from digest.render.editions.edition_view import describe_edition_completeness
from digest.render.editions.summary import format_counts, get_local_time
from digest.render.environment import fill
from digest.render.languages.locales import Locale
from digest.render.papers.links import Link
from digest.render.papers.paper_view import make_title
from digest.render.publishing.feeds import FEED_FORMATS, make_feed_path
from digest.render.publishing.public_feed import make_public_address
from digest.render.publishing.static_pages import ARCHIVE_PAGE, make_edition_path

_MAX_EDITIONS = 7
"""Maximum number of editions of a digest in the overview; the archive lists all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionFiles:
    """An edition and links to its files, the one to read first."""

    edition: Edition
    files: tuple[Link, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestOverview:
    """A digest with its feeds and its latest editions, newest first."""

    digest: str
    title: str
    feeds: tuple[Link, ...]
    editions: tuple[EditionFiles, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OverviewRow:
    """An edition as a row of the overview."""

    day: str
    time: str
    counts: str
    account: Completeness
    titles: tuple[str, ...]
    more: int
    files: tuple[Link, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicFeedLinks:
    """A public feed.

    Attributes:
        links: links to its formats.
    """

    title: str
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicFeedGroup:
    """A group of public feeds.

    Attributes:
        title: the title of the group; "" for the group without a heading.
    """

    title: str
    feeds: tuple[PublicFeedLinks, ...]


def render_index_page(
    environment: jinja2.Environment,
    branding: Branding,
    overviews: Sequence[DigestOverview],
    feed_groups: Sequence[PublicFeedGroup] = (),
) -> bytes:
    """Render the page that links to everything in an output folder.

    Args:
        environment: made by ``make_environment``.
        branding: the branding of the site.
        overviews: the digests, with addresses relative to the page.
        feed_groups: the public feeds, with addresses relative to the page.

    Raises:
        RenderError: a template is missing or broken.
    """
    rows = {
        overview.digest: tuple(_make_row(edition_files, branding) for edition_files in overview.editions)
        for overview in overviews
    }
    variables = {
        "site": branding,
        "shelves": tuple(overviews),
        "rows": rows,
        "archive": ARCHIVE_PAGE,
        "openings": tuple(feed_groups),
    }
    return fill(environment, "web/index.html", variables).encode()


def make_digest_overview(
    digest: str,
    title: str,
    editions: Sequence[Edition],
    *,
    feeds: bool,
    folder: str | None,
    locale: Locale,
) -> DigestOverview:
    """Make the overview of a digest whose pages, feeds and files are in the output folder.

    Args:
        digest: the name of the digest.
        title: the title for readers.
        editions: the editions, newest first; only the first few are shown.
        feeds: whether it is also a feed.
        folder: the folder of its editions' files, relative to the page; None if it is not below the page's
            folder.
        locale: the language of the page.
    """
    feed_links = [
        Link(label=feed_format.label, href=make_feed_path(digest, extension), type=feed_format.media_type)
        for extension, feed_format in FEED_FORMATS.items()
    ]
    return DigestOverview(
        digest=digest,
        title=title,
        feeds=tuple(feed_links) if feeds else (),
        editions=tuple(
            EditionFiles(edition=edition, files=_make_file_links(edition, folder, locale))
            for edition in editions[:_MAX_EDITIONS]
        ),
    )


def make_public_feed_group(title: str, feeds: Iterable[tuple[str, str, str]]) -> PublicFeedGroup:
    """Make a group of public feeds in the output folder.

    Args:
        title: the title of the group, or "".
        feeds: title, sort and name of each feed.
    """
    public_feeds = []
    for label, sort, name in feeds:
        feed_links = [
            Link(
                label=feed_format.label,
                href=make_public_address(".", sort, name, extension),
                type=feed_format.media_type,
            )
            for extension, feed_format in FEED_FORMATS.items()
        ]
        public_feeds.append(PublicFeedLinks(title=label, links=tuple(feed_links)))
    return PublicFeedGroup(title=title, feeds=tuple(public_feeds))


def _make_file_links(edition: Edition, folder: str | None, locale: Locale) -> tuple[Link, ...]:
    _ = locale.gettext
    page = Link(label=_("page"), href=make_edition_path(edition))
    if folder is None:
        return (page,)
    stem = f"{folder}/{make_edition_stem(edition)}"
    labels = {"txt": _("text"), "eml": _("mail"), "json": _("data")}
    return (page, *(Link(label=label, href=f"{stem}.{extension}") for extension, label in labels.items()))


def _make_row(edition_files: EditionFiles, branding: Branding) -> OverviewRow:
    local_time = get_local_time(edition_files.edition)
    items = edition_files.edition.items[:3]
    return OverviewRow(
        day=branding.locale.whole_day(local_time),
        time=f"{local_time:%H:%M}",
        counts=format_counts(edition_files.edition, branding.locale),
        account=describe_edition_completeness(edition_files.edition, branding),
        titles=tuple(make_title(item.paper) for item in items),
        more=len(edition_files.edition.items) - len(items),
        files=edition_files.files,
    )
