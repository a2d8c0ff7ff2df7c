"""Numbers about a paper with the site that counts them, never added over sites, and pages where people discuss it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from itertools import groupby
from operator import attrgetter

from digest.model import Event, PaperPage, Signal
from digest.render.branding import Branding
from digest.render.languages.locales import Locale

_STARS_KIND = "stars"
_KIND_ORDER = ("votes", "comments", "citations")
"""The kinds of numbers that are shown, in this order."""


def format_signals(event: Event, branding: Branding) -> tuple[str, ...]:
    """Format the numbers about a paper, one text per site that counts: ``41 votes, 3 comments on Hugging Face``."""
    return tuple(text for text, _ in list_counts(event, branding))


def list_counts(event: Event, branding: Branding) -> Iterator[tuple[str, str]]:
    """Yield the numbers of each site in words, with the address of its page about the paper or ""."""
    by_source = groupby(sorted(event.signals, key=attrgetter("source")), key=attrgetter("source"))
    yield from ((text, url) for text, url, _ in _format_by_source(by_source, event, branding))
    yield from ((text, "") for text, _ in _format_stars(event.signals, branding.locale))


def list_dated_counts(event: Event, branding: Branding) -> Iterator[tuple[str, str]]:
    """Yield the same with the day of the count: ``41 votes on Hugging Face (12 Jun)``."""
    by_source = groupby(sorted(event.signals, key=attrgetter("source")), key=attrgetter("source"))
    for text, url, day in _format_by_source(by_source, event, branding):
        yield _add_day(text, day, branding.locale), url
    for text, day in _format_stars(event.signals, branding.locale):
        yield _add_day(text, day, branding.locale), ""


def format_gain(gain: Signal, event: Event, branding: Branding) -> str:
    """Describe the votes that a paper gained in a week: ``12 more votes on Hugging Face in a week (12 Jun)``."""
    find_page = branding.paper_pages.get(gain.source)
    page = find_page(event.paper) if find_page else None
    text = branding.locale.ngettext(
        "%(num)s more vote on %(site)s in a week",
        "%(num)s more votes on %(site)s in a week",
        int(gain.value),
        site=page.site if page else branding.source_titles.get(gain.source, gain.source),
    )
    return _add_day(text, gain.day, branding.locale)


def _add_day(text: str, day: date, locale: Locale) -> str:
    # Translators: a number with the day on which it was counted: "41 votes on Hugging Face (12 Jun)".
    return locale.gettext("%(counts)s (%(day)s)", counts=text, day=locale.short_day(day))


def list_pages(event: Event, branding: Branding) -> tuple[PaperPage, ...]:
    """Return the pages about a paper at the sources that announced it or count something of it."""
    names = dict.fromkeys((event.source, *(signal.source for signal in event.signals)))
    source_pages = (branding.paper_pages[name](event.paper) for name in names if name in branding.paper_pages)
    return tuple(dict.fromkeys(page for page in source_pages if page is not None))


def _format_by_source(
    by_source: Iterable[tuple[str, Iterable[Signal]]], event: Event, branding: Branding
) -> Iterator[tuple[str, str, date]]:
    _ = branding.locale.gettext
    for name, signals in by_source:
        by_kind = {signal.kind: signal for signal in signals}
        counts = [
            text
            for kind in _KIND_ORDER
            if kind in by_kind and (text := _format_count(by_kind[kind], branding.locale))
        ]
        if counts:
            page = branding.paper_pages[name](event.paper) if name in branding.paper_pages else None
            site = page.site if page else branding.source_titles.get(name, name)
            # Translators: numbers about a paper: "41 votes, 3 comments on Hugging Face".
            text = _("%(counts)s on %(site)s", counts=branding.locale.join_parts(counts), site=site)
            yield text, page.url if page else "", max(signal.day for signal in by_kind.values())


def _format_count(signal: Signal, locale: Locale) -> str:
    """Format a number in words; "" for zero, and for kinds that a source only relays."""
    number = int(signal.value)
    if not number:
        return ""
    match signal.kind:
        case "votes":
            return locale.ngettext("%(num)s vote", "%(num)s votes", number)
        case "comments":
            return locale.ngettext("%(num)s comment", "%(num)s comments", number)
        case "citations":
            return locale.ngettext("%(num)s citation", "%(num)s citations", number)
        case _:
            return ""


def _format_stars(signals: Iterable[Signal], locale: Locale) -> Iterator[tuple[str, date]]:
    """Yield the number of stars of a paper's code at GitHub, from the source with the latest count."""
    latest = max(
        (signal for signal in signals if signal.kind == _STARS_KIND), key=attrgetter("day"), default=None
    )
    if latest is not None and latest.value >= 1:
        text = locale.ngettext("%(num)s star on GitHub", "%(num)s stars on GitHub", int(latest.value))
        yield text, latest.day
