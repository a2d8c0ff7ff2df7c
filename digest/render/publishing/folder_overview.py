"""The overview of an output folder: its digests, their feeds and their latest editions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

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
from digest.render.publishing.static_pages import ARCHIVE_PAGE, make_day_path, make_edition_path

MAX_ROWS = 60
"""Maximum number of editions in the overview; the archive has all days."""
_MAX_DIGEST_ROWS = 7
"""Maximum number of editions of one digest in ``rows``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionFiles:
    """An edition and links to its files, the one to read first.

    Attributes:
        has_pages: whether the edition and its day have pages.
    """

    edition: Edition
    files: tuple[Link, ...]
    has_pages: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestOverview:
    """A digest with its feeds and its latest editions, newest first."""

    digest: str
    title: str
    feeds: tuple[Link, ...]
    editions: tuple[EditionFiles, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OverviewRow:
    """An edition as a row of the overview.

    Attributes:
        title: the title of its digest.
        short_day: its day without the year, below the heading of its month.
        day_page: the address of the page of its day; "" if days have no pages.
        day: its day in full.
    """

    title: str
    short_day: str
    day_page: str
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
    variables = {
        "site": branding,
        "digests": tuple(overviews),
        "months": _list_months(overviews, branding),
        # For users' templates of the previous release. Remove it in the next release.
        "rows": {
            overview.digest: tuple(
                _make_row(edition_files, branding) for edition_files in overview.editions[:_MAX_DIGEST_ROWS]
            )
            for overview in overviews
        },
        "archive": ARCHIVE_PAGE,
        "feed_groups": tuple(feed_groups),
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
    has_pages: bool = True,
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
        has_pages: whether editions and days have pages.
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
            EditionFiles(
                edition=edition,
                files=(
                    *(
                        [Link(label=locale.gettext("page"), href=make_edition_path(edition))]
                        if has_pages
                        else ()
                    ),
                    *_make_file_links(edition, folder, locale),
                ),
                has_pages=has_pages,
            )
            for edition in editions[:MAX_ROWS]
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
    if folder is None:
        return ()
    _ = locale.gettext
    stem = f"{folder}/{make_edition_stem(edition)}"
    labels = {"txt": _("text"), "eml": _("mail"), "json": _("data")}
    return tuple(Link(label=label, href=f"{stem}.{extension}") for extension, label in labels.items())


def _list_months(
    overviews: Iterable[DigestOverview], branding: Branding
) -> list[tuple[str, tuple[OverviewRow, ...]]]:
    """List the latest editions of all digests by month, the latest first."""
    edition_files = [files for overview in overviews for files in overview.editions]
    latest = sorted(edition_files, key=lambda files: _get_wall_clock(files.edition), reverse=True)[:MAX_ROWS]
    months = groupby(latest, key=lambda files: branding.locale.month(_get_wall_clock(files.edition)))
    return [(month, tuple(_make_row(files, branding) for files in group)) for month, group in months]


def _get_wall_clock(edition: Edition) -> datetime:
    """Return the local time of an edition without its zone: editions are listed by the days that readers see."""
    return get_local_time(edition).replace(tzinfo=None)


def _make_row(edition_files: EditionFiles, branding: Branding) -> OverviewRow:
    local_time = get_local_time(edition_files.edition)
    items = edition_files.edition.items[:3]
    return OverviewRow(
        title=edition_files.edition.title,
        short_day=branding.locale.short_day(local_time),
        day_page=make_day_path(local_time.date()) if edition_files.has_pages else "",
        day=branding.locale.whole_day(local_time),
        time=f"{local_time:%H:%M}",
        counts=format_counts(edition_files.edition, branding.locale),
        account=describe_edition_completeness(edition_files.edition, branding),
        titles=tuple(make_title(item.paper) for item in items),
        more=len(edition_files.edition.items) - len(items),
        files=edition_files.files,
    )
