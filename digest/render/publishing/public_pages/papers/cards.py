"""Cards of papers on public pages: what is new about each, by whom, and who counts what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from digest.core.papers.taxonomy import canonicalize_category, get_category_name
from digest.core.publishing.addresses import (
    DayAddress,
    PaperAddress,
    format_day_address,
    format_paper_address,
    is_filter_name,
)
from digest.core.publishing.collection_addresses import CollectionKind
from digest.core.publishing.listed_paper import ListedPaper
from digest.core.text.accents import decode_tex_accents
from digest.model import Abstracts, Event, EventKind, Paper, Signal
from digest.render.branding import Branding
from digest.render.environment import remove_unprintable
from digest.render.languages.locales import Locale
from digest.render.papers.excerpts import shorten_line
from digest.render.papers.links import Link, make_valid_address
from digest.render.papers.marks import format_marks
from digest.render.papers.paper_view import PaperSize, PaperStyle, append_more, join_lines, make_paper_texts
from digest.render.papers.signals import format_gain, list_dated_counts
from digest.render.publishing.public_pages.links import PublicSite, link_collection

_MAX_TITLE, _MAX_SENTENCE, _MAX_NAME, _MAX_CATEGORY = 240, 280, 80, 80
"""Maximum lengths on a card, in characters: a page of a hundred cards has at most 100 kB."""
MAX_AUTHORS, _MAX_CATEGORIES = 5, 3
_STYLE = PaperStyle(PaperSize.COMPACT, Abstracts.KEY)


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperCard:
    """A card.

    Attributes:
        title: the title in Unicode.
        href: the page of the paper.
        sentence: the sentence that says what is new; "" if there is no abstract.
        people: up to five authors and the number of the others, or the organizations; "" if neither is known.
        category: the first category with its name, and the papers of the day in it; both "" if there is none.
        other_categories: the next categories, for one line; "" for none.
        day: when it was announced.
        mark: whether it is picked, withdrawn or a new version; "" for an ordinary new paper.
        code: the link to its code; both "" if none is known.
        counts: numbers about it, each with who counts it and when; one without a page has no address.
    """

    title: str
    href: str
    sentence: str
    people: str
    category: Link
    other_categories: str
    day: str
    mark: str
    code: Link
    counts: tuple[Link, ...]


def make_cards(
    events: Sequence[Event], gains: Mapping[int, Signal], site: PublicSite, branding: Branding
) -> tuple[PaperCard, ...]:
    """Make the cards of events.

    Args:
        events: the events with their signals.
        gains: votes gained lately, by number of the event, which are shown in place of all votes.
        site: the site, in the language of the page.
        branding: the branding in the same language.
    """
    return tuple(_make_card(event, gains.get(event.seq), site, branding) for event in events)


def make_listed_cards(
    listed: Sequence[ListedPaper], site: PublicSite, branding: Branding
) -> tuple[PaperCard, ...]:
    """Make the cards of papers of different years, whose categories lead to the page of the category."""
    return tuple(_make_listed_card(entry, site, branding) for entry in listed)


def _make_listed_card(entry: ListedPaper, site: PublicSite, branding: Branding) -> PaperCard:
    event = make_event(entry.paper, entry.day, entry.signals)
    card = _make_card(event, None, site, branding)
    return replace(
        card, day=format_day(entry.day, branding.locale), category=link_category(entry.paper, site)
    )


def make_event(paper: Paper, day: date | None, signals: Sequence[Signal]) -> Event:
    """Make an event of a paper that may have none, because links and numbers are made from one."""
    return Event(
        seq=0,
        kind=EventKind.NEW,
        number=0,
        day=day or date.min,
        source="",
        first=True,
        paper=paper,
        signals=tuple(signals),
    )


def format_day(day: date | None, locale: Locale) -> str:
    """Format a day with its year; the first of a month, which stands for the month, as ``June 2026``."""
    if day is None:
        return ""
    if day.day == 1:
        return locale.month(day)
    # Translators: a day and its year: "12 Jun 2026".
    return locale.gettext("%(day)s %(year)s", day=locale.short_day(day), year=str(day.year))


def link_category(paper: Paper, site: PublicSite) -> Link:
    """Link to the page of a paper's first category; both texts are "" if it has none."""
    if not paper.categories:
        return Link(label="", href="")
    category = paper.categories[0]
    href = link_collection(CollectionKind.CATEGORY, canonicalize_category(category), site)
    return Link(label=format_category(category), href=href)


def _make_card(event: Event, gain: Signal | None, site: PublicSite, branding: Branding) -> PaperCard:
    paper, locale = event.paper, branding.locale
    texts = make_paper_texts(paper, _STYLE)
    code_url = next(filter(None, map(make_valid_address, paper.code_urls)), "")
    counts = [Link(label=text, href=url) for text, url in list_dated_counts(event, branding)]
    if gain is not None:
        counts.insert(0, Link(label=format_gain(gain, event, branding), href=""))
    return PaperCard(
        title=shorten_line(texts.title, _MAX_TITLE),
        href=site.link(format_paper_address(PaperAddress(key=paper.key, language=site.language_parameter))),
        sentence=shorten_line(texts.excerpt, _MAX_SENTENCE),
        people=format_people(paper, texts.names, locale),
        category=_make_category_link(event, site),
        other_categories=shorten_line(
            ", ".join(map(remove_unprintable, paper.categories[1:_MAX_CATEGORIES])), _MAX_CATEGORY
        ),
        day=locale.short_day(event.day),
        mark=format_marks(event, locale),
        code=Link(label=locale.gettext("Code") if code_url else "", href=code_url),
        counts=tuple(counts),
    )


def format_people(paper: Paper, names: Sequence[str], locale: Locale) -> str:
    """Format up to five authors and the number of the others, or the organizations; "" if neither is known."""
    if names:
        text = ", ".join(shorten_line(name, _MAX_NAME) for name in names[:MAX_AUTHORS])
        return append_more(text, len(names) - MAX_AUTHORS, locale) if len(names) > MAX_AUTHORS else text
    organizations = [join_lines(decode_tex_accents(name)) for name in paper.organizations[:MAX_AUTHORS]]
    return "; ".join(shorten_line(remove_unprintable(name), _MAX_NAME) for name in organizations)


def format_category(category: str) -> str:
    """Return a category with its name: ``cs.DC Distributed, Parallel, and Cluster Computing``."""
    return shorten_line(
        remove_unprintable(f"{category} {get_category_name(category)}".strip()), _MAX_CATEGORY
    )


def _make_category_link(event: Event, site: PublicSite) -> Link:
    if not event.paper.categories:
        return Link(label="", href="")
    category = event.paper.categories[0]
    if not is_filter_name(category):
        return Link(label=format_category(category), href="")
    address = DayAddress(
        day=event.day, category=canonicalize_category(category), language=site.language_parameter
    )
    return Link(label=format_category(category), href=site.link(format_day_address(address)))
