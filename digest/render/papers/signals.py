"""What is counted of a paper, and where people talk of it: each number with who counts it, and never two mixed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import attrgetter

from digest.model import Event, PaperPage, Signal
from digest.render.branding import Masthead
from digest.render.languages.locales import Locale

_STARS = "stars"
_ORDER = ("votes", "comments", "citations")
"""In which kinds are told; others are not."""


def told(event: Event, masthead: Masthead) -> tuple[str, ...]:
    """The numbers of a paper, a text for each who counts: ``41 votes, 3 comments on Hugging Face``."""
    by_source = groupby(sorted(event.signals, key=attrgetter("source")), key=attrgetter("source"))
    return (*_by_sources(by_source, event, masthead), *_stars(event.signals, masthead.locale))


def pages(event: Event, masthead: Masthead) -> tuple[PaperPage, ...]:
    """The pages that sources have of a paper which they have told of."""
    names = dict.fromkeys((event.source, *(one.source for one in event.signals)))
    found = (masthead.paper_pages[name](event.paper) for name in names if name in masthead.paper_pages)
    return tuple(dict.fromkeys(page for page in found if page is not None))


def _by_sources(
    by_source: Iterable[tuple[str, Iterable[Signal]]], event: Event, masthead: Masthead
) -> Iterator[str]:
    _ = masthead.locale.gettext
    for name, signals in by_source:
        of_kind = {one.kind: one for one in signals}
        counts = [
            text for kind in _ORDER if kind in of_kind and (text := _count(of_kind[kind], masthead.locale))
        ]
        if counts:
            page = masthead.paper_pages[name](event.paper) if name in masthead.paper_pages else None
            site = page.site if page else masthead.source_titles.get(name, name)
            # Translators: "41 votes, 3 comments on Hugging Face".
            yield _("%(counts)s on %(site)s", counts=masthead.locale.joined(counts), site=site)


def _count(signal: Signal, locale: Locale) -> str:
    """A number in words; "" for none and for what a source only passes on."""
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


def _stars(signals: Iterable[Signal], locale: Locale) -> Iterator[str]:
    """The stars of a paper's code: GitHub's count, whoever passes it on last."""
    last = max((one for one in signals if one.kind == _STARS), key=attrgetter("day"), default=None)
    if last is not None and last.value >= 1:
        yield locale.ngettext("%(num)s star on GitHub", "%(num)s stars on GitHub", int(last.value))
