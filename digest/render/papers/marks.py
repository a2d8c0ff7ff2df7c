"""Marks of papers that differ from an ordinary new one."""

from __future__ import annotations

from digest.model import Event, EventKind
from digest.render.languages.locales import Locale


def format_marks(event: Event, locale: Locale) -> str:
    """Describe how an event differs from an ordinary new paper: ``version 3, withdrawn``; "" if it does not."""
    withdrawn = [locale.gettext("withdrawn")] if event.paper.withdrawn else []
    return locale.join_parts([*filter(None, (format_mark(event, locale),)), *withdrawn])


def format_mark(event: Event, locale: Locale) -> str:
    """Describe the kind of an event in a word or two; "" for a new paper."""
    _ = locale.gettext
    match event.kind:
        case EventKind.NEW | EventKind.GROWN:
            return ""
        case EventKind.PICKED:
            # Translators: a mark after a paper's title: a community has picked it.
            return _("picked")
        case EventKind.PUBLISHED:
            # Translators: a mark after a paper's title: a journal has published it.
            return _("published")
        case EventKind.VERSION:
            return _("version %(number)s", number=event.number) if event.number else _("new version")
        case EventKind.CODE:
            # Translators: a mark after a paper's title: its code was found.
            return _("code")
        case EventKind.TRENDING:
            # Translators: a mark after a paper's title: it gained more votes than most papers in a week.
            return _("trending")


def describe_growth(event: Event, locale: Locale) -> str:
    """Describe what an announcement adds to one before it."""
    if not event.new_categories:
        return locale.gettext("announced before, now with more details")
    # Translators: categories: "announced before, newly in cs.DC and cs.LG".
    return locale.gettext(
        "announced before, now also in %(categories)s", categories=locale.listed(event.new_categories)
    )
