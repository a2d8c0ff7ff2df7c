"""A week or a month at a glance: how many papers each day brought, which follows brought them, and who announced them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import islice

from digest.model import Band, Edition, Frequency, Item, Reason
from digest.render.branding import Masthead
from digest.render.languages.locales import Locale
from digest.render.wrapping import columns

_MOST_DAYS = 7
"""More days are shown by the week: so many bars stand beside each other on a telephone."""
_MOST_FOLLOWS = 5
_LONGEST = 24
"""Signs of the bar of the greatest number, in plain text."""
_LABEL = 36
"""Columns of a bar's label in plain text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A number, to be drawn.

    Attributes:
        label: of what.
        number: as people write it.
        share: of the greatest number, in per cent; at least 1 where the number is no zero.
        line: all of it as a line of plain text, as wide as those of its chart.
    """

    label: str
    number: str
    share: int
    line: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """Numbers that are compared.

    Attributes:
        said: all of them as a sentence, for who does not see bars.
    """

    title: str
    bars: tuple[Bar, ...]
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """What stands above the papers of a weekly or monthly edition.

    Attributes:
        title: its heading.
        days: papers a day, or a week.
        others: by the follows that brought them, and by who announced them, where there are several.
    """

    title: str
    days: Chart
    others: tuple[Chart, ...]


def has_overview(edition: Edition) -> bool:
    """Whether an edition tells of so long a time that it begins with an overview."""
    of_long = edition.frequency in {Frequency.WEEKLY, Frequency.MONTHLY}
    return of_long and not edition.is_alert and bool(edition.items)


def overview(edition: Edition, masthead: Masthead) -> Overview | None:
    """The overview of an edition, over all that fitted; None where it has none."""
    if not has_overview(edition):
        return None
    _, items = masthead.locale.gettext, (*edition.items, *edition.rest)
    weekly = edition.frequency is Frequency.WEEKLY
    return Overview(
        title=_("The week at a glance") if weekly else _("The month at a glance"),
        days=_days(edition, items, masthead.locale),
        others=tuple(chart for chart in (_follows(items, masthead), _sources(items, masthead)) if chart),
    )


def _days(edition: Edition, items: Sequence[Item], locale: Locale) -> Chart:
    """The papers by the day on which they were announced; a day on which none was is one, too."""
    _, counts = locale.gettext, Counter(item.event.day for item in items)
    days = sorted({*counts, *(batch.day for batch in edition.batches)})
    if len(days) <= _MOST_DAYS:
        named = {locale.short_day(day): counts[day] for day in days}
        return _chart(_("Papers a day"), named, locale)
    weeks: Counter[date] = Counter()
    for day in days:
        weeks[day - timedelta(day.weekday())] += counts[day]
    # Translators: a week by the day that it begins on: "from 8 Jun".
    named = {_("from %(day)s", day=locale.short_day(week)): number for week, number in sorted(weeks.items())}
    return _chart(_("Papers a week"), named, locale)


def _follows(items: Iterable[Item], masthead: Masthead) -> Chart | None:
    """The follows that brought most; a paper that fits two counts for both, and what only may fit counts apart."""
    _ = masthead.locale.gettext
    found = Counter(
        label for item in items for label in {_labelled(one, masthead.locale) for one in item.reasons}
    )
    first = dict(islice(sorted(found.items(), key=lambda one: (-one[1], one[0])), _MOST_FOLLOWS))
    return _chart(_("What brought them"), first, masthead.locale) if len(found) > 1 else None


def _labelled(reason: Reason, locale: Locale) -> str:
    follow = " ".join(reason.follow.split())
    return follow if reason.band >= Band.LIKELY else follow + locale.gettext(" (maybe)")


def _sources(items: Iterable[Item], masthead: Masthead) -> Chart | None:
    _ = masthead.locale.gettext
    found = Counter(item.event.source for item in items)
    named = {masthead.source_titles.get(name, name): number for name, number in found.most_common()}
    return _chart(_("Who announced them"), named, masthead.locale) if len(named) > 1 else None


def _chart(title: str, numbers: Mapping[str, int], locale: Locale) -> Chart:
    most = max(numbers.values())
    width = min(_LABEL, max(columns(label) for label in numbers))
    bars = []
    for label, number in numbers.items():
        signs = -(-number * _LONGEST // most)
        said = locale.number(number)
        shown = _cut(label, width)
        line = f"{shown}{' ' * (width - columns(shown))}  {'#' * signs}{' ' * bool(signs)}{said}"
        bars.append(Bar(label=label, number=said, share=-(-number * 100 // most), line=line))
    # Translators: a bar of a chart as words: "8 Jun: 12".
    parts = [locale.gettext("%(label)s: %(number)s", label=bar.label, number=bar.number) for bar in bars]
    return Chart(title=title, bars=tuple(bars), said=locale.joined(parts))


def _cut(label: str, most: int) -> str:
    if columns(label) <= most:
        return label
    while columns(label) > most - 1:
        label = label[:-1]
    return f"{label}…"
