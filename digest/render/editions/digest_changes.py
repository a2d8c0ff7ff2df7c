"""The notice of what the operator has changed in a reader's copy of a public digest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from digest.model import DigestChanges
from digest.render.editions.schedules import describe_schedule
from digest.render.environment import remove_unprintable
from digest.render.languages.locales import Locale
from digest.render.papers.excerpts import shorten_line

_MAX_NAMED = 7
"""Maximum number of texts that an enumeration names; of the others, the number is given."""
_MAX_TEXT = 120
"""Maximum length of a follow or exclusion in the notice, in characters."""


@lru_cache(maxsize=1024)  # the copies of a public digest share their changes
def describe_changes(changes: DigestChanges | None, locale: Locale) -> str:
    """Describe what has changed in a digest; "" for nothing."""
    if changes is None:
        return ""
    return " ".join((locale.gettext("This digest has changed."), *_list_sentences(changes, locale)))


def _list_sentences(changes: DigestChanges, locale: Locale) -> Iterator[str]:
    _ = locale.gettext
    if changes.added:
        # Translators: the follows are words, authors and the like that papers match.
        yield _("It now also follows %(follows)s.", follows=_enumerate(changes.added, locale))
    if changes.removed:
        yield _("It no longer follows %(follows)s.", follows=_enumerate(changes.removed, locale))
    if changes.added_exclusions:
        yield _("It now excludes %(follows)s.", follows=_enumerate(changes.added_exclusions, locale))
    if changes.removed_exclusions:
        yield _("It no longer excludes %(follows)s.", follows=_enumerate(changes.removed_exclusions, locale))
    if changes.schedule:
        # Translators: the schedule is "every day at 07:30 (Europe/Berlin)" or the like.
        yield _("It now comes %(schedule)s.", schedule=describe_schedule(changes.schedule, locale))
    if names := [name for option, name in list_option_names(locale).items() if option in changes.options]:
        # Translators: the options are words such as "title" and "language".
        yield _("Also changed: %(options)s.", options=locale.listed(names))


def list_option_names(locale: Locale) -> dict[str, str]:
    """Return what readers call each option that can change, in the order in which a notice names them."""
    _ = locale.gettext
    return {
        "title": _("title"),
        "kinds": _("kinds of news"),
        "limit": _("number of papers"),
        "minimum": _("minimum number of papers"),
        "when_empty": _("editions without papers"),
        "weight": _("ranking"),
        "arrange": _("arrangement"),
        "abstracts": _("abstracts"),
        "full": _("number of papers with abstracts"),
        "alert": _("alerts"),
        "alerts_a_day": _("number of alerts a day"),
        "repeat_alerts": _("repetition of alerts"),
        "feed": _("feed"),
        "feed_entries": _("entries of the feed"),
        "language": _("language"),
        "timezone": _("time zone"),
    }


def _enumerate(texts: Sequence[str], locale: Locale) -> str:
    names = [
        locale.gettext("“%(follow)s”", follow=shorten_line(_clean(text), _MAX_TEXT))
        for text in texts[:_MAX_NAMED]
    ]
    unnamed_count = len(texts) - len(names)
    more = [locale.ngettext("%(num)s more", "%(num)s more", unnamed_count)] if unnamed_count else []
    return locale.listed([*names, *more])


def _clean(text: str) -> str:
    """Return a text on one line, without characters that are invisible or change the direction of writing."""
    return " ".join(remove_unprintable(text).split())
