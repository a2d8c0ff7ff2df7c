"""A digest's editions as a feed: an entry a paper told, and one for what else to know; or an entry an edition.

An entry's id is made of the paper's key and the event, so that a reader's program never shows one twice, whatever
the digest is called by then and wherever its feed is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import NamedTuple

import jinja2

from digest.model import Abstracts, Edition, EventKind, Item, Part
from digest.render.branding import Masthead
from digest.render.editions.edition_view import (
    Shape,
    account_of,
    contents,
    counts,
    heading,
    moment_of,
    subject,
)
from digest.render.environment import fill, printable
from digest.render.papers.excerpts import shorten
from digest.render.papers.links import web_address
from digest.render.papers.paper_view import Card, card, marks
from digest.render.publishing.feeds import (
    FORMS,
    NOWHERE,
    Channel,
    Entry,
    Links,
    atom_date,
    feed_path,
    rss_date,
    tag_uri,
    titled,
    uri,
)

MOST_ENTRIES = 100
"""Whole editions are told until there are so many: programs keep about as many, or ask for archives."""
ARCHIVED = 5
"""Editions in an archive."""
_ABSTRACT = 4000
_SUMMARY = 280


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """What a digest's feed tells.

    Attributes:
        masthead: the operator's side.
        digest: the digest's name, which is in ids.
        title: the one that readers see.
        editions: the newest first; all of them are told.
        by_edition: an entry is an edition, not a paper.
        pages: where editions can be read, by number.
        listens: there readers can also say what they think of each paper.
    """

    masthead: Masthead
    digest: str
    title: str
    editions: Sequence[Edition]
    by_edition: bool = False
    pages: Mapping[int, str] = field(default_factory=dict)
    listens: bool = True


def digest_channel(environment: jinja2.Environment, feed: Feed, links: Links = NOWHERE) -> Channel:
    """A digest's feed, ready but for its form.

    Raises:
        RenderError: a template is missing or broken.
    """
    return Channel(
        masthead=feed.masthead,
        id=tag_uri(feed.masthead, "digest", feed.digest.replace("/", "-")),
        title=titled(feed.masthead, feed.title),
        description=_description(feed),
        author=printable(feed.masthead.title or feed.title),
        updated=feed.editions[0].composed_at if feed.editions else None,
        entries=_entries(environment, feed),
        links=links,
    )


def feed_files(environment: jinja2.Environment, feed: Feed, url: str = "") -> list[tuple[str, bytes]]:
    """A digest's feed in all forms, by path in an output folder.

    Args:
        environment: made by ``make_environment`` for its language.
        feed: what it tells.
        url: where that folder is on the web, without a slash at the end; "" where it is not.

    Raises:
        RenderError: a template is missing or broken.
    """
    told = fitting(feed.editions, by_edition=feed.by_edition)
    channel = digest_channel(environment, replace(feed, editions=told))
    made = []
    for ending, form in FORMS.items():
        path = feed_path(feed.digest, ending)
        links = Links(self=f"{url}/{path}") if url else NOWHERE
        made.append((path, form.render(environment, replace(channel, links=links))))
    return made


def fitting(editions: Sequence[Edition], *, by_edition: bool, unarchived: int = 1) -> Sequence[Edition]:
    """The editions that the document with the newest entries tells of: whole ones, as many as programs keep.

    Args:
        editions: the newest first.
        by_edition: an entry is an edition, not a paper.
        unarchived: so many of them, the first ones, are told whatever their size: no archive has them.
    """
    entries = 0
    for place, edition in enumerate(editions):
        entries += 1 if by_edition else len(edition.items) + 1
        if place >= unarchived and entries > MOST_ENTRIES:
            return editions[:place]
    return editions


class Archives(NamedTuple):
    """The archives of a digest's feed: each tells of the same number of editions, the first one of its first ones.

    They are numbered from 1 and full, so none ever tells of anything else.

    Attributes:
        made: how many editions the digest has had.
        pruned: how many of its first ones are not kept any more; an archive that had one of these is gone.
    """

    made: int
    pruned: int = 0

    @property
    def number(self) -> int:
        """How many there are."""
        return self.made // ARCHIVED

    def has(self, archive: int) -> bool:
        """Whether there is an archive of a number."""
        return archive <= self.number and self.before(archive) >= self.pruned

    @property
    def unarchived(self) -> int:
        """How many of the newest editions are in none; one where all are, for a feed tells of something."""
        return self.made % ARCHIVED or 1

    def before(self, archive: int) -> int:
        """How many editions come before those in an archive."""
        return (archive - 1) * ARCHIVED

    def behind(self, told: int) -> int:
        """The archive that goes on where the newest entries end, which tell of so many editions; 0 if nothing is left."""
        archive = -(-(self.made - told) // ARCHIVED)
        return archive if self.has(archive) else 0


def _description(feed: Feed) -> str:
    gettext = feed.masthead.locale.gettext
    if not feed.editions:
        return gettext("No edition yet.")
    newest = feed.editions[0]
    day = feed.masthead.locale.short_day(moment_of(newest))
    summary = account_of(newest, feed.masthead).summary
    return printable(gettext("Last edition %(day)s: %(summary)s.", day=day, summary=summary))


# --- entries --------------------------------------------------------------------------------------


def _entries(environment: jinja2.Environment, feed: Feed) -> tuple[Entry, ...]:
    """Edition by edition, and no entry twice."""
    found: dict[str, Entry] = {}
    for edition in feed.editions:
        told = (
            [_edition(environment, feed, edition)] if feed.by_edition else _papers(environment, feed, edition)
        )
        for entry in told:
            found.setdefault(entry.id, entry)
    return tuple(found.values())


def _papers(environment: jinja2.Environment, feed: Feed, edition: Edition) -> Iterator[Entry]:
    # A second apart, so that programs that sort by date keep the order.
    for place in range(len(edition.items)):
        yield _paper(environment, feed, edition, place)
    note = _note(environment, feed, edition, edition.composed_at - timedelta(seconds=len(edition.items)))
    if note:
        yield note


def _paper(environment: jinja2.Environment, feed: Feed, edition: Edition, place: int) -> Entry:
    item, masthead = edition.items[place], feed.masthead
    page = feed.pages.get(edition.id, "")
    above = "" if item.part is Part.SURELY else heading(item.part, [item], masthead.locale)
    return paper_entry(
        environment,
        masthead,
        item,
        edition.composed_at - timedelta(seconds=place),
        heading=above,
        feedback=f"{page}/{place + 1}" if page and feed.listens else "",
        abstract=0 if edition.abstracts is Abstracts.NONE else _ABSTRACT,
    )


def paper_entry(
    environment: jinja2.Environment,
    masthead: Masthead,
    item: Item,
    at: datetime,
    *,
    heading: str = "",
    feedback: str = "",
    abstract: int = _ABSTRACT,
    personal: bool = True,
) -> Entry:
    """A paper as an entry of any feed.

    Args:
        environment: made by ``make_environment``.
        masthead: the operator's side.
        item: the paper.
        at: its date.
        heading: of its part, "" for none.
        feedback: where its reader says more or less like this, "" where nobody listens.
        abstract: at most about so many characters of the abstract.
        personal: it is told why it is there: a reader follows something.

    Raises:
        RenderError: a template is missing or broken.
    """
    event = item.event
    shown = card(still(item), masthead, abstract=abstract)
    # What grew is told as the new paper that it is to this feed's readers.
    is_new = event.kind in {EventKind.NEW, EventKind.GROWN}
    is_unnumbered = event.kind is EventKind.VERSION and not event.number
    told = f"{event.day:%Y-%m-%d}" if is_unnumbered else str(event.number)
    happened = () if is_new else (event.kind.value, told)
    mark = marks(event, masthead.locale)
    title = shown.title.text or printable(event.paper.key)  # no feed may have an entry without one
    why = shown.why.text if personal else ""
    variables = {"card": shown, "heading": heading, "feedback": feedback, "personal": personal}
    return Entry(
        id=tag_uri(masthead, "paper", event.paper.key, *happened),
        title=f"{title} ({mark})" if mark else title,
        url=uri(shown.url),
        summary=_summary(shown, why),
        html=fill(environment, "feeds/_paper.html", variables),
        text=fill(environment, "feeds/_paper.txt", variables).strip(),
        authors=tuple(filter(str.strip, map(printable, shown.names))),
        tags=tuple(filter(str.strip, map(printable, shown.tags))),
        license=uri(web_address(event.paper.license_url)),
        atom_date=atom_date(at),
        rss_date=rss_date(at),
    )


def still(item: Item) -> Item:
    """A paper without the numbers about it: these change by the hour, and an entry that changes is shown again."""
    return replace(item, event=replace(item.event, signals=())) if item.event.signals else item


def _summary(shown: Card, why: str) -> str:
    """Why it is there, and its first sentences."""
    first = shorten(shown.abstract.text, _SUMMARY) if shown.abstract.text else shown.about
    return printable(" · ".join(filter(None, (why, first))))


def _note(environment: jinja2.Environment, feed: Feed, edition: Edition, at: datetime) -> Entry | None:
    """What a reader of the feed must know beside the papers; None where there is nothing."""
    locale = feed.masthead.locale
    what = account_of(edition, feed.masthead)
    more = len(edition.rest)
    if not what.missing and edition.items and not more and not edition.dropped:
        return None
    shown = contents(
        edition, feed.masthead, Shape(abstract=0, full=len(edition.items), lines=len(edition.rest))
    )
    said = [locale.ngettext("%(num)s more paper", "%(num)s more papers", more)] if more else []
    said += [] if edition.items else [shown.counts]
    said += [shown.unshown.rstrip(".")] if edition.dropped else []
    said += [what.summary] if what.missing else []
    day, told = locale.short_day(moment_of(edition)), "; ".join(said)
    page = feed.pages.get(edition.id, "")
    variables = {"edition": shown, "page": page}
    return Entry(
        id=tag_uri(feed.masthead, "digest", edition.digest.replace("/", "-"), edition.period),
        title=printable(locale.gettext("%(day)s: %(told)s", day=day, told=told)),
        url=page,
        summary=printable(" ".join((*filter(None, (shown.empty,)), *what.lines))),
        html=fill(environment, "feeds/_note.html", variables),
        text=fill(environment, "feeds/_note.txt", variables).strip(),
        authors=(),
        tags=(),
        license="",
        atom_date=atom_date(at),
        rss_date=rss_date(at),
    )


def _edition(environment: jinja2.Environment, feed: Feed, edition: Edition) -> Entry:
    abstract = 0 if edition.abstracts is Abstracts.NONE else _ABSTRACT
    shape = Shape(abstract=abstract, full=len(edition.items), lines=len(edition.rest))
    page = feed.pages.get(edition.id, "")
    told = replace(edition, items=tuple(map(still, edition.items)))
    variables = {
        "edition": contents(told, feed.masthead, shape),
        "page": page,
        "listens": feed.listens and bool(page),
    }
    what = account_of(edition, feed.masthead)
    return Entry(
        id=tag_uri(feed.masthead, "edition", edition.digest.replace("/", "-"), edition.period),
        title=printable(subject(edition, feed.masthead.locale)),
        url=page,
        summary=printable(f"{counts(edition, feed.masthead.locale)} · {what.summary}"),
        html=fill(environment, "feeds/_edition.html", variables),
        text=fill(environment, "feeds/_edition.txt", variables).strip(),
        authors=(),
        tags=tuple(dict.fromkeys(printable(tag) for item in edition.items for tag in item.paper.categories)),
        license="",
        atom_date=atom_date(edition.composed_at),
        rss_date=rss_date(edition.composed_at),
    )
