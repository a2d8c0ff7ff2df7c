"""The editions of a digest as a feed: one entry per paper and one for an edition's other news, or one per edition.

An entry's id is derived from the paper's key and the event, so that no feed reader shows it twice, even if
the digest is renamed or the feed moves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import NamedTuple

import jinja2

from digest.model import Abstracts, Edition, EditionPart, EventKind, Item
from digest.render.branding import Branding
from digest.render.editions.edition_view import (
    describe_edition_completeness,
    make_page_view,
    make_whole_view,
)
from digest.render.editions.layout import make_part_heading
from digest.render.editions.summary import format_counts, get_local_time, make_subject
from digest.render.environment import fill, remove_unprintable
from digest.render.papers.excerpts import shorten_line
from digest.render.papers.facts import make_facts
from digest.render.papers.links import filter_web_address
from digest.render.papers.marks import format_marks
from digest.render.papers.paper_view import WHOLE, PaperStyle, PaperView, make_paper_view
from digest.render.publishing.feeds import (
    FEED_FORMATS,
    NO_FEED_LINKS,
    FeedDocument,
    FeedEntry,
    FeedLinks,
    escape_uri,
    format_atom_date,
    format_rss_date,
    make_feed_path,
    make_feed_title,
    make_tag_uri,
)

MAX_ENTRIES = 100
"""Number of entries beyond which no further editions are included: feed readers keep about as many, or request
archives.
"""
EDITIONS_PER_ARCHIVE = 5
"""Number of editions in an archive."""
_SUMMARY_LIMIT = 280


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestFeed:
    """The content of a digest's feed.

    Attributes:
        branding: the branding of the site.
        digest: the name of the digest, which is part of ids.
        title: the title for readers.
        editions: the editions to include, newest first.
        by_edition: whether an entry is an edition, not a paper.
        pages: addresses of the pages of editions, by the edition's id.
        accepts_feedback: whether readers can rate papers on these pages.
    """

    branding: Branding
    digest: str
    title: str
    editions: Sequence[Edition]
    by_edition: bool = False
    pages: Mapping[int, str] = field(default_factory=dict)
    accepts_feedback: bool = True


def make_digest_feed(
    environment: jinja2.Environment, feed: DigestFeed, links: FeedLinks = NO_FEED_LINKS
) -> FeedDocument:
    """Make the document of a digest's feed, which can be rendered in each format.

    Raises:
        RenderError: a template is missing or broken.
    """
    return FeedDocument(
        branding=feed.branding,
        id=make_tag_uri(feed.branding, "digest", feed.digest.replace("/", "-")),
        title=make_feed_title(feed.branding, feed.title),
        description=_describe_feed(feed),
        author=remove_unprintable(feed.branding.title or feed.title),
        updated=feed.editions[0].composed_at if feed.editions else None,
        entries=_make_entries(environment, feed),
        links=links,
    )


def render_feed_files(
    environment: jinja2.Environment, feed: DigestFeed, url: str = ""
) -> list[tuple[str, bytes]]:
    """Render a digest's feed in all formats, as pairs of path in the output folder and content.

    Args:
        environment: made by ``make_environment`` for its language.
        feed: the content.
        url: the web address of the output folder, without a final slash; "" if it has none.

    Raises:
        RenderError: a template is missing or broken.
    """
    recent_editions = select_recent_editions(feed.editions, by_edition=feed.by_edition)
    document = make_digest_feed(environment, replace(feed, editions=recent_editions))
    files = []
    for extension, feed_format in FEED_FORMATS.items():
        path = make_feed_path(feed.digest, extension)
        links = FeedLinks(self=f"{url}/{path}") if url else NO_FEED_LINKS
        files.append((path, feed_format.render(environment, replace(document, links=links))))
    return files


def select_recent_editions(
    editions: Sequence[Edition], *, by_edition: bool, unarchived: int = 1
) -> Sequence[Edition]:
    """Select the editions of the document with the newest entries: whole editions, until there are ``MAX_ENTRIES``.

    Args:
        editions: the editions, newest first.
        by_edition: whether an entry is an edition, not a paper.
        unarchived: number of the newest editions that are in no archive; they are included whatever their
            size.
    """
    entries = 0
    for index, edition in enumerate(editions):
        entries += 1 if by_edition else len(edition.items) + 1
        if index >= unarchived and entries > MAX_ENTRIES:
            return editions[:index]
    return editions


class FeedArchives(NamedTuple):
    """The archives of a digest's feed: each has the same number of editions, the first archive the oldest ones.

    They are numbered from 1 and exist only when they are full, so their content never changes.

    Attributes:
        edition_count: number of editions that the digest has had.
        pruned_count: number of its oldest editions that were removed; archives that contained one of these no
            longer exist.
    """

    edition_count: int
    pruned_count: int = 0

    @property
    def archive_count(self) -> int:
        """Number of archives, including those that no longer exist."""
        return self.edition_count // EDITIONS_PER_ARCHIVE

    def has_archive(self, archive: int) -> bool:
        """Whether the archive with a number exists."""
        return archive <= self.archive_count and self.count_before(archive) >= self.pruned_count

    @property
    def unarchived(self) -> int:
        """Number of the newest editions that are in no archive; 1 if all are in one, so that the feed is not empty."""
        return self.edition_count % EDITIONS_PER_ARCHIVE or 1

    def count_before(self, archive: int) -> int:
        """Return the number of editions before those in an archive."""
        return (archive - 1) * EDITIONS_PER_ARCHIVE

    def find_next(self, shown_count: int) -> int:
        """Return the archive that continues after the newest ``shown_count`` editions; 0 if there is none."""
        archive = -(-(self.edition_count - shown_count) // EDITIONS_PER_ARCHIVE)
        return archive if self.has_archive(archive) else 0


def _describe_feed(feed: DigestFeed) -> str:
    gettext = feed.branding.locale.gettext
    if not feed.editions:
        return gettext("No edition yet.")
    newest = feed.editions[0]
    day = feed.branding.locale.short_day(get_local_time(newest))
    summary = describe_edition_completeness(newest, feed.branding).summary
    return remove_unprintable(gettext("Last edition %(day)s: %(summary)s.", day=day, summary=summary))


# --- entries --------------------------------------------------------------------------------------


def _make_entries(environment: jinja2.Environment, feed: DigestFeed) -> tuple[FeedEntry, ...]:
    """Make the entries edition by edition, each id once."""
    entries: dict[str, FeedEntry] = {}
    for edition in feed.editions:
        edition_entries = (
            [_make_edition_entry(environment, feed, edition)]
            if feed.by_edition
            else _make_paper_entries(environment, feed, edition)
        )
        for entry in edition_entries:
            entries.setdefault(entry.id, entry)
    return tuple(entries.values())


def _make_paper_entries(
    environment: jinja2.Environment, feed: DigestFeed, edition: Edition
) -> Iterator[FeedEntry]:
    # The dates are a second apart, so that programs that sort by date keep the order.
    for index in range(len(edition.items)):
        yield _make_item_entry(environment, feed, edition, index)
    note = _make_note_entry(
        environment, feed, edition, edition.composed_at - timedelta(seconds=len(edition.items))
    )
    if note:
        yield note


def _make_item_entry(
    environment: jinja2.Environment, feed: DigestFeed, edition: Edition, index: int
) -> FeedEntry:
    item, branding = edition.items[index], feed.branding
    page = feed.pages.get(edition.id, "")
    part_heading = (
        "" if item.part is EditionPart.SURELY else make_part_heading(item.part, [item], branding.locale)
    )
    return make_paper_entry(
        environment,
        branding,
        item,
        edition.composed_at - timedelta(seconds=index),
        heading=part_heading,
        feedback=f"{page}/{index + 1}" if page and feed.accepts_feedback else "",
        style=WHOLE._replace(abstracts=_choose_abstracts(edition)),
    )


def _choose_abstracts(edition: Edition) -> Abstracts:
    """Return how much of its abstracts a feed shows: all, unless the reader wants none."""
    return Abstracts.NONE if edition.abstracts is Abstracts.NONE else Abstracts.FULL


def make_paper_entry(
    environment: jinja2.Environment,
    branding: Branding,
    item: Item,
    published_at: datetime,
    *,
    heading: str = "",
    feedback: str = "",
    style: PaperStyle = WHOLE,
    is_personal: bool = True,
) -> FeedEntry:
    """Make the entry of a paper, for any feed.

    Args:
        environment: made by ``make_environment``.
        branding: the branding of the site.
        item: the paper.
        published_at: the date of the entry.
        heading: the heading of its part, or "".
        feedback: the address where its reader can rate it; "" if that is not possible.
        style: how much is shown of the abstract.
        is_personal: whether the entry gives the reasons why the paper matched a reader's follows.

    Raises:
        RenderError: a template is missing or broken.
    """
    event = item.event
    paper_view = _make_entry_view(item, branding, style, is_personal=is_personal)
    # A paper that has grown is new to the readers of this feed, so its entry is that of a new paper.
    is_new = event.kind in {EventKind.NEW, EventKind.GROWN}
    is_unnumbered = event.kind is EventKind.VERSION and not event.number
    event_number = f"{event.day:%Y-%m-%d}" if is_unnumbered else str(event.number)
    event_parts = () if is_new else (event.kind.value, event_number)
    mark = format_marks(event, branding.locale)
    # Atom requires a title for each entry (RFC 4287, section 4.1.2).
    title = paper_view.title.text or remove_unprintable(event.paper.key)
    reason_text = paper_view.why.text if is_personal else ""
    variables = {
        "paper": paper_view,
        "heading": heading,
        "feedback": feedback,
        "personal": is_personal,
    }
    return FeedEntry(
        id=make_tag_uri(branding, "paper", event.paper.key, *event_parts),
        title=f"{title} ({mark})" if mark else title,
        url=escape_uri(paper_view.url),
        summary=_make_summary(paper_view, reason_text),
        html=fill(environment, "feeds/_paper.html", variables),
        text=fill(environment, "feeds/_paper.txt", variables).strip(),
        authors=tuple(filter(str.strip, map(remove_unprintable, paper_view.names))),
        tags=tuple(filter(str.strip, map(remove_unprintable, paper_view.tags))),
        license=escape_uri(filter_web_address(event.paper.license_url)),
        atom_date=format_atom_date(published_at),
        rss_date=format_rss_date(published_at),
    )


def _make_entry_view(item: Item, branding: Branding, style: PaperStyle, *, is_personal: bool) -> PaperView:
    shown_item = strip_signals(item)
    paper_view = make_paper_view(shown_item, branding, style)
    if is_personal:
        return paper_view
    # No reason says which categories the paper has, so the facts do.
    facts = make_facts(shown_item.event, branding, late=item.late, shows_day=style.shows_day)
    return replace(paper_view, facts=facts)


def strip_signals(item: Item) -> Item:
    """Remove the numbers about a paper: they change by the hour, and a changed entry would be shown as new."""
    return replace(item, event=replace(item.event, signals=())) if item.event.signals else item


def _make_summary(paper_view: PaperView, reason_text: str) -> str:
    """Join the reasons and the first sentences of the abstract."""
    beginning = (
        shorten_line(paper_view.abstract.text, _SUMMARY_LIMIT)
        if paper_view.abstract.text
        else paper_view.about
    )
    return remove_unprintable(" · ".join(filter(None, (reason_text, beginning))))


def _make_note_entry(
    environment: jinja2.Environment, feed: DigestFeed, edition: Edition, published_at: datetime
) -> FeedEntry | None:
    """Make an entry on what a reader must know besides the papers; None if there is nothing."""
    locale = feed.branding.locale
    completeness = describe_edition_completeness(edition, feed.branding)
    overflow_count = len(edition.overflow)
    if not completeness.missing and edition.items and not overflow_count and not edition.dropped:
        return None
    view = make_whole_view(edition, feed.branding, Abstracts.NONE)
    statements = (
        [locale.ngettext("%(num)s more paper", "%(num)s more papers", overflow_count)]
        if overflow_count
        else []
    )
    statements += [] if edition.items else [view.counts]
    statements += [view.unshown.rstrip(".")] if edition.dropped else []
    statements += [completeness.summary] if completeness.missing else []
    day, summary = locale.short_day(get_local_time(edition)), "; ".join(statements)
    page = feed.pages.get(edition.id, "")
    variables = {"edition": view, "page": page}
    return FeedEntry(
        id=make_tag_uri(feed.branding, "digest", edition.digest.replace("/", "-"), edition.period),
        title=remove_unprintable(locale.gettext("%(day)s: %(told)s", day=day, told=summary)),
        url=page,
        summary=remove_unprintable(" ".join((*filter(None, (view.empty,)), *completeness.lines))),
        html=fill(environment, "feeds/_note.html", variables),
        text=fill(environment, "feeds/_note.txt", variables).strip(),
        authors=(),
        tags=(),
        license="",
        atom_date=format_atom_date(published_at),
        rss_date=format_rss_date(published_at),
    )


def _make_edition_entry(environment: jinja2.Environment, feed: DigestFeed, edition: Edition) -> FeedEntry:
    page = feed.pages.get(edition.id, "")
    stable_edition = replace(edition, items=tuple(map(strip_signals, edition.items)))
    variables = {
        "edition": make_page_view(stable_edition, feed.branding, _choose_abstracts(edition)),
        "page": page,
        "listens": feed.accepts_feedback and bool(page),
    }
    completeness = describe_edition_completeness(edition, feed.branding)
    return FeedEntry(
        id=make_tag_uri(feed.branding, "edition", edition.digest.replace("/", "-"), edition.period),
        title=remove_unprintable(make_subject(edition, feed.branding.locale)),
        url=page,
        summary=remove_unprintable(
            f"{format_counts(edition, feed.branding.locale)} · {completeness.summary}"
        ),
        html=fill(environment, "feeds/_edition.html", variables),
        text=fill(environment, "feeds/_edition.txt", variables).strip(),
        authors=(),
        tags=tuple(
            dict.fromkeys(remove_unprintable(tag) for item in edition.items for tag in item.paper.categories)
        ),
        license="",
        atom_date=format_atom_date(edition.composed_at),
        rss_date=format_rss_date(edition.composed_at),
    )
