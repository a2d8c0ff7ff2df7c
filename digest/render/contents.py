"""An edition as its templates get it: ready strings, so that a template decides nothing but looks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import lru_cache
from itertools import groupby, islice
from operator import itemgetter
from typing import NamedTuple
from urllib.parse import quote
from zoneinfo import ZoneInfo

from digest.model import ALERT, Edition, EventKind, Item, Missed, Part
from digest.render.account import Account, account
from digest.render.card import Card, card, shorten_line, texts
from digest.render.masthead import Masthead
from digest.render.words import count, listed, long_day, short_day

_HEADINGS = {
    Part.SURELY: "New papers",
    Part.MAYBE: "Maybe: initials or namesakes",
    Part.PICKED: "Picked by the community",
}
_NEWS = {EventKind.VERSION: "new versions", EventKind.PUBLISHED: "publications", EventKind.CODE: "new code"}
"""What the part of the news about papers is called, by what is in it."""
_LONGEST_SUBJECT, _TITLE = 110, 40
"""Characters; so many of it are for the title before the digest's name gets any."""
_MOST_NAMED = 7
"""Editions that did not arrive; more are counted."""
_FEW = 12
"""So many papers need no table of contents."""
ALERT_ACCOUNT = Account(
    summary="an alert, told at once",
    missing=(),
    settled=("This is an alert: it tells at once of what fits follows that you want to be told of so.",),
)


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


class Way(NamedTuple):
    """A link to an edition's page."""

    said: str
    page: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """The sentence about earlier editions that did not arrive.

    Attributes:
        said: all of it, but for the links and the full stop that follow.
        ways: the links; none where there is nothing to link to.
    """

    said: str
    ways: tuple[Way, ...] = ()


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
        unshown: the sentence that says how many are nowhere, "" for none.
        excluded: the sentence that says how many the exclusions took out, "" for none.
        stop_mail: a mailto link that stops it, "" where nobody is to be reached.
        missed: the sentence about earlier editions that did not arrive, if there are any.
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


def contents(edition: Edition, masthead: Masthead, shape: Shape, *, on_page: bool = False) -> Contents:
    """What is shown of an edition in a shape.

    Args:
        edition: what it tells.
        masthead: the operator's side.
        shape: how much of it is shown.
        on_page: a page is linked to that shows all of it.
    """
    full, lines = shown_in(edition, shape)
    what = with_late(due_account(edition, masthead), edition, (*full, *lines))
    sections = _sections(full, masthead, shape.abstract)
    return replace(
        around(edition, masthead, shape, what, numbers=counts(edition), on_page=on_page),
        sections=sections,
        titles=tuple(card for section in sections for card in section.cards) if has_titles(full) else (),
        rest=tuple(card(item, masthead.source_titles, abstract=0) for item in lines),
    )


def shown_in(edition: Edition, shape: Shape) -> tuple[Sequence[Item], Sequence[Item]]:
    """The items that are shown in full, and those that get a line."""
    if not shape.lines:
        return edition.items[: shape.full], ()
    behind = (*edition.items[shape.full :], *edition.rest)
    return edition.items[: shape.full], behind[: shape.lines]


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
    moment = moment_of(edition)
    return Contents(
        title=edition.title,
        day=f"{long_day(moment)} {moment.year}",
        counts=numbers,
        account=what,
        empty="" if edition.items else _why_empty(edition, what),
        sections=(),
        titles=(),
        rest=(),
        more=f"{unshown:,} more on the page" if unshown and on_page else "",
        unshown=_unshown(edition.dropped + (0 if on_page else unshown)),
        excluded=_excluded(edition.excluded),
        stop_mail=stop_mail(edition.digest, masthead),
        missed=_missed(edition),
    )


def subject(edition: Edition) -> str:
    """``12 Jun: 7 new, SplitZip: Ultra Fast Lossless KV Compression … and 6 more · llm-systems``.

    It is another one for each edition, so that no mail program takes two for one conversation: a paper
    is told once, and an empty edition names the hour.
    """
    title = texts(edition.items[0].paper, abstract=0).title if edition.items else ""
    return subject_with(edition, counts(edition), title)


def subject_with(edition: Edition, numbers: str, title: str) -> str:
    """The subject of an edition with these counts, whose first paper has this title, in Unicode, on one line."""
    moment = moment_of(edition)
    day = f"{short_day(moment)}{' alert' if edition.is_alert else ''}"
    if not edition.items:
        return _named(f"{day} {moment:%H:%M}: nothing new", edition.title)
    more = f" and {len(edition.items) - 1:,} more" if len(edition.items) > 1 else ""
    start = f"{day}: {numbers}, "
    room = _LONGEST_SUBJECT - len(start) - len(more)
    name = len(_named("", edition.title))
    return _named(
        start + shorten_line(title, room - name if room - name >= _TITLE else room) + more, edition.title
    )


def _named(line: str, name: str) -> str:
    """A line with the digest's name behind it, where there is room for that."""
    named = f"{line} · {name}"
    return named if len(named) <= _LONGEST_SUBJECT else line


def counts(edition: Edition) -> str:
    """``7 new, 1 maybe, 3 picked, 2 new versions, 1 publication``; "nothing new" where there are no items."""
    return counted(tuple([(item.part, item.event.kind) for item in edition.items]))


Sort = tuple[Part, EventKind]
"""What decides under which heading an item stands."""


@lru_cache(maxsize=4096)
def counted(sorts: tuple[Sort, ...]) -> str:
    """How many items there are of each sort, in words."""
    number = Counter(part for part, _ in sorts)
    news = Counter(kind for part, kind in sorts if part is Part.VERSIONS)
    words = (
        f"{number[Part.SURELY]} new",
        f"{number[Part.MAYBE]} maybe",
        f"{number[Part.PICKED]} picked",
        count(news[EventKind.VERSION], "new version"),
        count(news[EventKind.PUBLISHED], "publication"),
        f"{news[EventKind.CODE]} with new code",
    )
    return ", ".join(text for text in words if not text.startswith("0 ")) or "nothing new"


@lru_cache(maxsize=4096)
def headings(sorts: tuple[Sort, ...]) -> tuple[tuple[str, int], ...]:
    """The headings of items in their order, each with how many stand under it."""
    parts = ((part, list(group)) for part, group in groupby(sorts, key=itemgetter(0)))
    return tuple((_heading(part, [kind for _, kind in group]), len(group)) for part, group in parts)


def heading(part: Part, items: Iterable[Item]) -> str:
    """The heading of a part; the news about papers are called what is among them."""
    return _heading(part, {item.event.kind for item in items})


def _heading(part: Part, kinds: Collection[EventKind]) -> str:
    if part is not Part.VERSIONS:
        return _HEADINGS[part]
    return listed([name for kind, name in _NEWS.items() if kind in kinds]).capitalize()


def moment_of(edition: Edition) -> datetime:
    """The wall clock of its period, in the digest's zone; of an alert, which has none, that of its making."""
    if edition.is_alert:
        return edition.composed_at.astimezone(ZoneInfo(edition.zone))
    return _moment(edition.period, edition.zone)


@lru_cache(maxsize=256)
def _moment(period: str, zone: str) -> datetime:
    moment = datetime.fromisoformat(period)
    return moment.astimezone(ZoneInfo(zone)) if moment.tzinfo else moment


def account_of(edition: Edition, masthead: Masthead) -> Account:
    """How complete an edition is, as it stood when it was composed, and what all of it tells late."""
    return with_late(due_account(edition, masthead), edition, (*edition.items, *edition.rest))


def due_account(edition: Edition, masthead: Masthead) -> Account:
    """How complete an edition is: the same for all of one run and zone; an alert waits for nothing."""
    if edition.is_alert:
        return ALERT_ACCOUNT
    return account(
        edition.batches, masthead.source_titles, edition.composed_at, edition.zone, masthead.locale
    )


def with_late(told: Account, edition: Edition, shown: Iterable[Item]) -> Account:
    """How complete an edition is, with what papers shown of it are told late."""
    late = _late(edition, shown)
    return replace(told, settled=(*told.settled, late)) if late else told


def _late(edition: Edition, shown: Iterable[Item]) -> str:
    """The sentence for papers of days before those that the edition waited for: they came late, or were held back.

    What is listed after the edition of a day that fills while it lasts is in the next one, and is not late.
    """
    first: dict[str, date] = {}
    for batch in edition.batches:
        if not batch.fills:
            first[batch.source] = min(batch.day, first.get(batch.source, batch.day))
    told = [item.event for item in shown] if first else ()
    days = [event.day for event in told if event.source in first and event.day < first[event.source]]
    if not days:
        return ""
    verb = "was" if len(days) == 1 else "were"
    named = listed([long_day(day) for day in sorted(set(days))])
    return f"{count(len(days), 'paper')} here {verb} announced before, on {named}, and came too late for the edition then."


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
                card(item, masthead.source_titles, abstract=abstract, number=str(number))
                for number, item in islice(numbered, size)
            ),
        )
        for heading, size in headings(tuple([(item.part, item.event.kind) for item in items]))
    )


def _why_empty(edition: Edition, what: Account) -> str:
    received = sum(batch.received for batch in edition.batches)
    if not edition.batches:
        return "There is nothing to tell: nothing that came fits what you follow."
    if not what.whole and not received:
        return "There is nothing to tell yet: what was due has not come."
    if not what.whole:
        return (
            f"None of the {count(received, 'listing')} that came fits what you follow, and some are missing."
        )
    if not received:
        return "There is nothing to tell: nothing was announced."
    if edition.excluded:
        return "What fits what you follow was taken out by your exclusions."
    return f"Nothing in the {count(received, 'listing')} that came fits what you follow."


def _missed(edition: Edition) -> Missing | None:
    """The sentence for earlier editions that did not arrive: the last ones by name, with links where they have pages."""
    lost, named = edition.missed, edition.missed[-_MOST_NAMED:]
    if not lost:
        return None
    names = [_name(one) for one in named]
    linked = all(one.page for one in named)
    if len(lost) == 1:
        said = f"Your {names[0]} could not be delivered"
        return (
            Missing(said=f"{said}; ", ways=(Way("read it here", lost[0].page),))
            if linked
            else Missing(said=said)
        )
    which = "them" if named == lost else f"the last {len(named)}"
    if linked:
        said = f"{len(lost)} of your editions could not be delivered; read {which} here: "
        days = [name.removeprefix("edition of ") for name in names]
        return Missing(said=said, ways=tuple(map(Way, days, (one.page for one in named))))
    earlier = [count(len(lost) - len(named), "earlier one")] if named != lost else []
    return Missing(said=f"These did not reach you: {listed([*earlier, *(f'the {name}' for name in names)])}")


def _name(missed: Missed) -> str:
    if missed.period.startswith(ALERT):
        moment = missed.composed_at.astimezone(ZoneInfo(missed.zone))
        return f"alert of {long_day(moment)} at {moment:%H:%M}"
    return f"edition of {long_day(_moment(missed.period, missed.zone))}"


def _unshown(number: int) -> str:
    """The sentence for papers that are not shown anywhere."""
    return f"{count(number, 'more paper')} fitted and found no room here." if number else ""


def _excluded(number: int) -> str:
    verb = "was" if number == 1 else "were"
    return f"{count(number, 'paper')} {verb} taken out by your exclusions." if number else ""
