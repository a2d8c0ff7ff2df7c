"""The line of facts of a paper in a mail: its categories, what happened, when, where to read it, and who counts what."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from digest.model import Event, EventKind, Item
from digest.render.branding import Branding
from digest.render.papers.links import Link, make_reading_links
from digest.render.papers.marks import describe_growth, format_marks
from digest.render.papers.signals import format_gain, list_counts, list_pages

_MAX_CATEGORIES = 3
_MAX_JOURNAL_LENGTH = 60
"""Maximum length of the name of a journal, in characters."""


def make_facts(
    event: Event,
    branding: Branding,
    *,
    late: bool,
    shows_day: bool,
    named_categories: Collection[str] = (),
) -> tuple[Link, ...]:
    """Return the facts in their order; one without a link has no address.

    Args:
        event: the event of the paper.
        branding: the branding of the site.
        late: whether the paper was announced before the days that its edition waited for.
        shows_day: whether the day of the event is not the newest one of its edition.
        named_categories: the categories that the reasons before the facts name (``find_named_categories``).
    """
    texts = (
        *_list_categories(event, named_categories),
        *_describe_news(event, branding),
        *_format_day(event, branding, late=late, shows_day=shows_day),
    )
    return (
        *(Link(label=text, href="") for text in texts),
        *make_reading_links(event.paper, branding.locale),
        *_list_counts(event, branding),
    )


def find_named_categories(item: Item) -> tuple[str, ...]:
    """Return the categories of a paper that its reader follows as such, so that the reasons name them."""
    categories = item.paper.categories
    return tuple([reason.follow for reason in item.reasons if reason.follow in categories])


def _list_categories(event: Event, named_categories: Collection[str]) -> Iterator[str]:
    categories = [category for category in event.paper.categories if category not in named_categories]
    if categories:
        yield ", ".join(categories[:_MAX_CATEGORIES])


def _describe_news(event: Event, branding: Branding) -> Iterator[str]:
    """Yield what is special about an event: that it is not an ordinary new paper, and where a journal published it."""
    locale, journal = branding.locale, " ".join(event.paper.journal_ref.split())
    withdrawn = [locale.gettext("withdrawn")] if event.paper.withdrawn else []
    if event.kind is EventKind.PUBLISHED and 0 < len(journal) <= _MAX_JOURNAL_LENGTH:
        yield locale.gettext("now published: %(where)s", where=journal)
        yield from withdrawn
    elif event.kind is EventKind.CODE:  # its mark is "code", as is the link
        yield locale.gettext("code found")
        yield from withdrawn
    elif event.kind is EventKind.GROWN:
        yield describe_growth(event, locale)
        yield from withdrawn
    elif marks := format_marks(event, locale):
        yield marks
        if event.gain:
            yield format_gain(event.gain, event, branding)


def _format_day(event: Event, branding: Branding, *, late: bool, shows_day: bool) -> Iterator[str]:
    day = branding.locale.short_day(event.day)
    if late:
        # Translators: a paper of an earlier day: "announced 5 May".
        yield branding.locale.gettext("announced %(day)s", day=day)
    elif shows_day:
        yield day


def _list_counts(event: Event, branding: Branding) -> Iterator[Link]:
    """Yield the numbers about the paper, each with the page of its site, and the pages of sites that count nothing."""
    counts = list(list_counts(event, branding))
    yield from (Link(label=text, href=url) for text, url in counts)
    counted_urls = {url for _, url in counts}
    pages = (page for page in list_pages(event, branding) if page.url not in counted_urls)
    yield from (Link(label=page.site, href=page.url) for page in pages)
