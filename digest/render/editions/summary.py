"""An edition in one line: its time, the numbers of its papers, and the subject of its mail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

import jinja2

from digest.model import Edition, EditionPart, EventKind
from digest.render.editions.undelivered import parse_period
from digest.render.environment import fill
from digest.render.languages.locales import Locale
from digest.render.own_templates import UserEnvironment
from digest.render.papers.excerpts import shorten_line
from digest.render.papers.paper_view import make_title

_MAX_SUBJECT, _MAX_NAME, _MIN_TITLE = 110, 50, 20
"""Lengths in characters: the maximum of a subject and of the digest's name in it, and the minimum of the title in it."""
_MAX_OWN_SUBJECT = 200
"""Maximum length of the subject that a user's template makes, in characters."""
_SEPARATOR = " · "


class SubjectTexts(NamedTuple):
    """What a subject can be made of; the variables of the template ``mail/subject.txt``.

    Attributes:
        subject: the subject as it is if nobody changes the template.
        name: the title of the digest.
        day: ``12 Jun``; of an alert ``12 Jun alert``.
        time: the local time, ``07:30``.
        counts: ``7 new, 1 maybe``; "" if there are no papers.
        title: the title of the first paper; "" if there is none.
    """

    subject: str
    name: str
    day: str
    time: str
    counts: str
    title: str


def render_subject(
    environment: jinja2.Environment, edition: Edition, counts: Sequence[str], title: str, locale: Locale
) -> str:
    """Render the subject of an edition's mail, on one line.

    Args:
        environment: the templates.
        edition: the content.
        counts: the numbers of its papers by kind, in words.
        title: the title of its first paper; "" if there is none.
        locale: the reader's language.

    Raises:
        RenderError: the template is missing or broken.
    """
    subject_texts = make_subject_texts(edition, counts, title, locale)
    if not isinstance(environment, UserEnvironment):  # the shipped template is no more than this
        return subject_texts.subject
    line = " ".join(fill(environment, "mail/subject.txt", subject_texts._asdict()).split())
    return shorten_line(line, _MAX_OWN_SUBJECT) or subject_texts.subject


def make_subject(edition: Edition, locale: Locale) -> str:
    """Make a subject: ``LLM systems, 12 Jun: 7 new, 1 maybe · SplitZip: Ultra Fast Lossless KV Compression …``.

    Each edition has a different subject, so that no mail program takes two for one conversation: a paper is
    reported once, and an empty edition has the time in its subject.
    """
    return make_subject_texts(
        edition, list_counts(edition, locale), find_first_title(edition), locale
    ).subject


def find_first_title(edition: Edition) -> str:
    """Return the title of the first paper; "" if there is none."""
    return make_title(edition.items[0].paper) if edition.items else ""


def make_subject_texts(edition: Edition, counts: Sequence[str], title: str, locale: Locale) -> SubjectTexts:
    """Make what a subject can be made of; the parameters are those of ``render_subject``."""
    if edition.is_alert:
        local_time = get_local_time(edition)
        # Translators: the beginning of the subject of a mail: an alert of that day.
        day = locale.gettext("%(day)s alert", day=locale.short_day(local_time))
        time = f"{local_time:%H:%M}"
    else:
        day, time = _format_period(edition.period, edition.zone, locale)
    name = shorten_line(edition.title, _MAX_NAME)
    if not edition.items:
        # Translators: the subject of an empty edition: "LLM systems, 12 Jun 07:30: nothing new".
        empty = locale.gettext("%(name)s, %(day)s %(time)s: nothing new", name=name, day=day, time=time)
        return SubjectTexts(empty, edition.title, day, time, "", "")
    counts_text = locale.join_parts(counts)
    # Translators: the beginning of a subject: "LLM systems, 12 Jun: 7 new, 1 maybe".
    beginning = locale.gettext("%(name)s, %(day)s: %(counts)s", name=name, day=day, counts=counts_text)
    subject = _append_title(beginning, title)
    return SubjectTexts(subject, edition.title, day, time, counts_text, title)


@lru_cache(maxsize=256)  # all editions of a run have the same one
def _format_period(period: str, zone: str, locale: Locale) -> tuple[str, str]:
    """Return the local day and time of a period."""
    local_time = parse_period(period, zone)
    return locale.short_day(local_time), f"{local_time:%H:%M}"


def _append_title(beginning: str, title: str) -> str:
    """Append as much of a title as there is room for."""
    room = _MAX_SUBJECT - len(beginning) - len(_SEPARATOR)
    if title and room >= _MIN_TITLE:
        return f"{beginning}{_SEPARATOR}{shorten_line(title, room)}"
    return shorten_line(beginning, _MAX_SUBJECT)


def format_counts(edition: Edition, locale: Locale) -> str:
    """Format the numbers of items by kind: ``7 new · 1 maybe``; "nothing new" for none."""
    return join_counts(list_counts(edition, locale), locale)


def join_counts(counts: Sequence[str], locale: Locale) -> str:
    """Join the numbers of items; "nothing new" for none."""
    return " · ".join(counts) or locale.gettext("nothing new")


def list_counts(edition: Edition, locale: Locale) -> tuple[str, ...]:
    """Return the numbers of items by kind, in words: ``7 new``, ``1 maybe``, ``3 picked``, ``2 new versions``."""
    return _list_kind_counts(tuple([(item.part, item.event.kind) for item in edition.items]), locale)


@lru_cache(maxsize=4096)
def _list_kind_counts(kinds: tuple[tuple[EditionPart, EventKind], ...], locale: Locale) -> tuple[str, ...]:
    ngettext = locale.ngettext
    part_counts = Counter(part for part, _ in kinds)
    update_counts = Counter(kind for part, kind in kinds if part is EditionPart.VERSIONS)
    surely, maybe, picked = (
        part_counts[EditionPart.SURELY],
        part_counts[EditionPart.MAYBE],
        part_counts[EditionPart.PICKED],
    )
    version, published = update_counts[EventKind.VERSION], update_counts[EventKind.PUBLISHED]
    code, trending = update_counts[EventKind.CODE], update_counts[EventKind.TRENDING]
    words = (
        # Translators: new papers that certainly match, "7 new, 1 maybe, 3 picked".
        surely and ngettext("%(num)s new", "%(num)s new", surely),
        # Translators: papers whose author may be somebody else of that name, "7 new, 1 maybe, 3 picked".
        maybe and ngettext("%(num)s maybe", "%(num)s maybe", maybe),
        # Translators: papers that a community has picked, "7 new, 1 maybe, 3 picked".
        picked and ngettext("%(num)s picked", "%(num)s picked", picked),
        version and ngettext("%(num)s new version", "%(num)s new versions", version),
        published and ngettext("%(num)s publication", "%(num)s publications", published),
        # Translators: papers for which code was found.
        code and ngettext("%(num)s with new code", "%(num)s with new code", code),
        # Translators: papers that gained more votes than most papers in a week.
        trending and ngettext("%(num)s trending", "%(num)s trending", trending),
    )
    return tuple([text for text in words if text])


def get_local_time(edition: Edition) -> datetime:
    """Return the local time of an edition's period in the digest's zone; for an alert, when it was composed."""
    if edition.is_alert:
        return edition.composed_at.astimezone(ZoneInfo(edition.zone))
    return parse_period(edition.period, edition.zone)
