"""An edition as its templates get it: ready strings, so that a template decides nothing but looks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from itertools import groupby, islice
from operator import itemgetter
from urllib.parse import quote
from zoneinfo import ZoneInfo

from digest.model import Edition, EventKind, Item, Part
from digest.render.branding import Masthead
from digest.render.editions.completeness import Account, account
from digest.render.editions.overview import Overview, overview
from digest.render.editions.undelivered import Missing, missing, moment_in
from digest.render.languages.locales import Locale
from digest.render.papers.excerpts import shorten_line
from digest.render.papers.paper_view import Card, card, texts

_LONGEST_SUBJECT, _TITLE = 110, 40
"""Characters; so many of it are for the title before the digest's name gets any, and where not half of them are left, it has none."""
_FEW = 12
"""So many papers need no table of contents."""
_MOST_DAYS = 7
"""Longest list of days of papers that are told late; of more, the first and the last are named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """How much of an edition is shown, so that it fits.

    Attributes:
        abstract: at most about so many characters of each abstract.
        full: so many items are shown in full, those behind them as a line.
        lines: so many papers get a line.
    """

    abstract: int
    full: int
    lines: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of an edition: its heading and its papers."""

    heading: str
    cards: Iterable[Card]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """What templates get of an edition.

    Attributes:
        title: the digest's, for readers.
        day: ``Friday 12 June 2026``.
        counts: ``7 new, 1 maybe, 3 picked``.
        account: how complete it is.
        empty: why there is nothing in it, "" where there is something.
        sections: the papers in full.
        titles: the papers in full once more, for a table of contents; none where they are few.
        rest: the papers in one line each.
        more: how many are on the page alone, as the words of a link to it: ``12 more on the page``; "" for none.
        unshown: the sentences that say how many are nowhere, and how many come in the next edition; "" for none.
        excluded: the sentence that says how many the exclusions took out, "" for none.
        stop_mail: a mailto link that stops it, "" where nobody is to be reached.
        missed: the sentence about earlier editions that did not arrive, if there are any.
        overview: what a weekly or monthly edition begins with.
    """

    title: str
    day: str
    counts: str
    account: Account
    empty: str
    sections: tuple[Section, ...]
    titles: Iterable[Card]
    rest: Iterable[Card]
    more: str
    unshown: str
    excluded: str
    stop_mail: str
    missed: Missing | None = None
    overview: Overview | None = None


def contents(edition: Edition, masthead: Masthead, shape: Shape, *, on_page: bool = False) -> Contents:
    """What is shown of an edition in a shape.

    Args:
        edition: what it tells.
        masthead: the operator's side.
        shape: how much of it is shown.
        on_page: a page is linked to that shows all of it.
    """
    return contents_with(edition, masthead, shape, due_account(edition, masthead), on_page=on_page)


def contents_with(
    edition: Edition, masthead: Masthead, shape: Shape, due: Account, *, on_page: bool
) -> Contents:
    """What is shown of an edition in a shape, where several are tried.

    Args:
        edition: what it tells.
        masthead: the operator's side.
        shape: how much of it is shown.
        due: how complete the edition is, the same in each shape: ``due_account``.
        on_page: a page is linked to that shows all of it.
    """
    full, lines = shown_in(edition, shape)
    what = with_late(due, (*full, *lines), masthead.locale)
    sections = _sections(full, masthead, shape.abstract)
    return replace(
        around(edition, masthead, shape, what, numbers=counts(edition, masthead.locale), on_page=on_page),
        sections=sections,
        titles=tuple(card for section in sections for card in section.cards) if has_titles(full) else (),
        rest=tuple(card(item, masthead, abstract=0) for item in lines),
        overview=overview(edition, masthead),
    )


def shown_in(edition: Edition, shape: Shape) -> tuple[Sequence[Item], Sequence[Item]]:
    """The items that are shown in full, and those that get a line."""
    if not shape.lines:
        return edition.items[: shape.full], ()
    behind = edition.items[shape.full : shape.full + shape.lines]
    left = shape.lines - len(behind)
    return edition.items[: shape.full], (*behind, *edition.rest[:left]) if left else behind


def has_titles(full: Sequence[Item]) -> bool:
    """Whether papers shown in full are so many that a table of contents helps."""
    return len(full) > _FEW


def around(
    edition: Edition, masthead: Masthead, shape: Shape, what: Account, *, numbers: str, on_page: bool
) -> Contents:
    """What is shown of an edition but for its papers.

    Args:
        edition: whose.
        masthead: the operator's side.
        shape: how much of it is shown.
        what: how complete it is.
        numbers: its counts.
        on_page: a page is linked to that shows all of it.
    """
    unshown = max(0, len(edition.items) + len(edition.rest) - shape.full - shape.lines)
    moment, locale = moment_of(edition), masthead.locale
    return Contents(
        title=edition.title,
        day=locale.whole_day(moment),
        counts=numbers,
        account=what,
        empty="" if edition.items else _why_empty(edition, what, locale),
        sections=(),
        titles=(),
        rest=(),
        more=_more(unshown, locale) if on_page else "",
        unshown=" ".join(
            filter(None, (_unshown(0 if on_page else unshown, locale), waiting(edition, locale)))
        ),
        excluded=_excluded(edition.excluded, locale),
        stop_mail=stop_mail(edition.digest, masthead),
        missed=missing(edition, locale),
    )


def subject(edition: Edition, locale: Locale) -> str:
    """``12 Jun: 7 new, SplitZip: Ultra Fast Lossless KV Compression … and 6 more (llm-systems)``.

    It is another one for each edition, so that no mail program takes two for one conversation: a paper
    is told once, and an empty edition names the hour.
    """
    title = texts(edition.items[0].paper, abstract=0).title if edition.items else ""
    return subject_with(edition, counts(edition, locale), title, locale)


def subject_with(edition: Edition, numbers: str, title: str, locale: Locale) -> str:
    """The subject of an edition with these counts, whose first paper has this title, in Unicode, on one line."""
    moment = moment_of(edition)
    day = locale.short_day(moment)
    if edition.is_alert:
        # Translators: begins the subject of a mail: an alert of that day.
        day = locale.gettext("%(day)s alert", day=day)
    if not edition.items:
        line = locale.gettext("%(day)s %(time)s: nothing new", day=day, time=f"{moment:%H:%M}")
        return _with_name(line, edition.title)

    def said(title: str) -> str:
        if len(edition.items) == 1:
            return locale.gettext("%(day)s: %(counts)s, %(title)s", day=day, counts=numbers, title=title)
        return locale.ngettext(
            "%(day)s: %(counts)s, %(title)s and %(num)s more",
            "%(day)s: %(counts)s, %(title)s and %(num)s more",
            len(edition.items) - 1,
            day=day,
            counts=numbers,
            title=title,
        )

    room = _LONGEST_SUBJECT - len(said(""))
    if room < _TITLE // 2:
        return _with_name(locale.gettext("%(day)s: %(counts)s", day=day, counts=numbers), edition.title)
    name = len(_with_name("", edition.title))
    most = room - name if room - name >= _TITLE else room
    return _with_name(said(shorten_line(title, most)), edition.title)


def _with_name(line: str, name: str) -> str:
    """A line with the digest's name behind it, where there is room for that."""
    named = f"{line} ({name})"
    return named if len(named) <= _LONGEST_SUBJECT else line


def counts(edition: Edition, locale: Locale) -> str:
    """``7 new, 1 maybe, 3 picked, 2 new versions, 1 publication``; "nothing new" where there are no items."""
    return counted(tuple([(item.part, item.event.kind) for item in edition.items]), locale)


Sort = tuple[Part | None, EventKind]
"""What decides under which heading an item stands; None for what waited, whatever its part."""


def sorts_of(items: Iterable[Item]) -> tuple[Sort, ...]:
    """What decides under which headings items stand."""
    return tuple([(None if item.waited else item.part, item.event.kind) for item in items])


@lru_cache(maxsize=4096)
def counted(sorts: tuple[tuple[Part, EventKind], ...], locale: Locale) -> str:
    """How many items there are of each sort, in words."""
    ngettext = locale.ngettext
    number = Counter(part for part, _ in sorts)
    news = Counter(kind for part, kind in sorts if part is Part.VERSIONS)
    surely, maybe, picked = number[Part.SURELY], number[Part.MAYBE], number[Part.PICKED]
    version, published = news[EventKind.VERSION], news[EventKind.PUBLISHED]
    code = news[EventKind.CODE]
    words = (
        # Translators: new papers that surely are for the reader, "7 new, 1 maybe, 3 picked".
        surely and ngettext("%(num)s new", "%(num)s new", surely),
        # Translators: papers that may be by somebody else of that name, "7 new, 1 maybe, 3 picked".
        maybe and ngettext("%(num)s maybe", "%(num)s maybe", maybe),
        # Translators: papers that a community has picked, "7 new, 1 maybe, 3 picked".
        picked and ngettext("%(num)s picked", "%(num)s picked", picked),
        version and ngettext("%(num)s new version", "%(num)s new versions", version),
        published and ngettext("%(num)s publication", "%(num)s publications", published),
        # Translators: papers for which code was found.
        code and ngettext("%(num)s with new code", "%(num)s with new code", code),
    )
    return locale.joined([text for text in words if text]) or locale.gettext("nothing new")


@lru_cache(maxsize=4096)
def headings(sorts: tuple[Sort, ...], locale: Locale) -> tuple[tuple[str, int], ...]:
    """The headings of items in their order, each with how many stand under it."""
    parts = ((part, list(group)) for part, group in groupby(sorts, key=itemgetter(0)))
    return tuple((_heading(part, [kind for _, kind in group], locale), len(group)) for part, group in parts)


def heading(part: Part | None, items: Iterable[Item], locale: Locale) -> str:
    """The heading of a part; the news about papers are called what is among them."""
    return _heading(part, {item.event.kind for item in items}, locale)


def _heading(part: Part | None, kinds: Collection[EventKind], locale: Locale) -> str:
    _ = locale.gettext
    match part:
        case None:
            # Translators: the heading of papers that fitted before, and come in this edition.
            return _("No room in the last edition")
        case Part.SURELY:
            return _("New papers")
        case Part.MAYBE:
            return _("Maybe: initials or namesakes")
        case Part.PICKED:
            return _("Picked by the community")
        case Part.VERSIONS:
            # Translators: the first one of these three that is there is made to begin with a capital letter.
            news = {
                EventKind.VERSION: _("new versions"),
                EventKind.PUBLISHED: _("publications"),
                EventKind.CODE: _("new code"),
            }
            told = locale.listed([name for kind, name in news.items() if kind in kinds])
            return f"{told[:1].upper()}{told[1:]}"


def moment_of(edition: Edition) -> datetime:
    """The wall clock of its period, in the digest's zone; of an alert, which has none, that of its making."""
    if edition.is_alert:
        return edition.composed_at.astimezone(ZoneInfo(edition.zone))
    return moment_in(edition.period, edition.zone)


def account_of(edition: Edition, masthead: Masthead) -> Account:
    """How complete an edition is, as it stood when it was composed, and what all of it tells late."""
    return with_late(due_account(edition, masthead), (*edition.items, *edition.rest), masthead.locale)


def due_account(edition: Edition, masthead: Masthead) -> Account:
    """How complete an edition is: the same for all of one run and zone; an alert waits for nothing."""
    if edition.is_alert:
        return alert_account(masthead.locale)
    return account(
        edition.batches, masthead.source_titles, edition.composed_at, edition.zone, masthead.locale
    )


@lru_cache(maxsize=16)
def alert_account(locale: Locale) -> Account:
    """What stands in an alert where an edition says how complete it is."""
    _ = locale.gettext
    line = _("This is an alert: it tells at once of what fits follows that you want to be told of so.")
    return Account(summary=_("an alert, told at once"), missing=(), settled=(line,))


def with_late(told: Account, shown: Iterable[Item], locale: Locale) -> Account:
    """How complete an edition is, with what papers shown of it are told late."""
    late = _late(shown, locale)
    return replace(told, settled=(*told.settled, late)) if late else told


def _late(shown: Iterable[Item], locale: Locale) -> str:
    """The sentence for papers of days before those that the edition waited for."""
    days = [item.event.day for item in shown if item.late]
    if not days:
        return ""
    several = sorted(set(days))
    if len(several) > _MOST_DAYS:
        return locale.gettext(
            "%(papers)s papers here were announced before, from %(first)s to %(last)s, and came too late for "
            "the editions then.",
            papers=locale.number(len(days)),
            first=locale.long_day(several[0]),
            last=locale.long_day(several[-1]),
        )
    return locale.ngettext(
        "%(num)s paper here was announced before, on %(days)s, and came too late for the edition then.",
        "%(num)s papers here were announced before, on %(days)s, and came too late for the edition then.",
        len(days),
        days=locale.listed([locale.long_day(day) for day in several]),
    )


def stop_mail(digest: str, masthead: Masthead) -> str:
    """The mailto link (RFC 6068) that asks the operator to stop a digest; "" where there is no contact."""
    return _stop_mail(digest, masthead.contact) if masthead.contact else ""


@lru_cache(maxsize=1024)
def _stop_mail(digest: str, contact: str) -> str:
    line = quote(f"unsubscribe {digest}", safe="", errors="replace")
    return f"mailto:{quote(contact, safe='@')}?subject={line}"


def _sections(items: Sequence[Item], masthead: Masthead, abstract: int) -> tuple[Section, ...]:
    numbered = enumerate(items, start=1)
    return tuple(
        Section(
            heading=heading,
            cards=tuple(
                card(item, masthead, abstract=abstract, number=str(number))
                for number, item in islice(numbered, size)
            ),
        )
        for heading, size in headings(sorts_of(items), masthead.locale)
    )


def _why_empty(edition: Edition, what: Account, locale: Locale) -> str:
    _, ngettext = locale.gettext, locale.ngettext
    received = sum(batch.received for batch in edition.batches)
    if not edition.batches:
        return _("There is nothing to tell: nothing that came fits what you follow.")
    if what.missing and not received:
        return _("There is nothing to tell yet: what was due has not come.")
    if what.missing:
        return ngettext(
            "The %(num)s listing that came does not fit what you follow, and some are missing.",
            "None of the %(num)s listings that came fits what you follow, and some are missing.",
            received,
        )
    if what.lacks_little and not received:
        return _("There is nothing to tell: nothing has been announced so far.")
    if not received:
        return _("There is nothing to tell: nothing was announced.")
    if edition.excluded:
        return _("What fits what you follow was taken out by your exclusions.")
    return ngettext(
        "The %(num)s listing that came does not fit what you follow.",
        "Nothing in the %(num)s listings that came fits what you follow.",
        received,
    )


def _more(number: int, locale: Locale) -> str:
    """What leads to the page that shows the others."""
    if not number:
        return ""
    return locale.ngettext("%(num)s more on the page", "%(num)s more on the page", number)


def _unshown(number: int, locale: Locale) -> str:
    """The sentence for papers that are shown nowhere."""
    if not number:
        return ""
    return locale.ngettext(
        "%(num)s more paper fitted and found no room here.",
        "%(num)s more papers fitted and found no room here.",
        number,
    )


def waiting(edition: Edition, locale: Locale) -> str:
    """The sentence for papers that wait for the next edition; "" for none."""
    if not edition.dropped:
        return ""
    return locale.ngettext(
        "%(num)s more paper fits and comes first in the next edition.",
        "%(num)s more papers fit and come first in the next edition.",
        edition.dropped,
    )


def _excluded(number: int, locale: Locale) -> str:
    if not number:
        return ""
    return locale.ngettext(
        "%(num)s paper was taken out by your exclusions.",
        "%(num)s papers were taken out by your exclusions.",
        number,
    )
