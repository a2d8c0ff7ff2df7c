"""A week or a month at a glance: how many papers each day brought, which follows brought them, and who announced them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import islice

from digest.model import Confidence, Edition, Frequency, Item, Reason
from digest.render.branding import Branding
from digest.render.languages.locales import Locale
from digest.render.wrapping import count_columns

_MAX_DAYS = 7
"""More days are shown by the week: so many bars stand beside each other on a telephone."""
_MAX_FOLLOWS = 5
_MAX_BAR_WIDTH = 24
"""Signs of the bar of the greatest number, in plain text."""
_MAX_LABEL_WIDTH = 36
"""Columns of a bar's label in plain text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartBar:
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
    bars: tuple[ChartBar, ...]
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
    is_long_period = edition.frequency in {Frequency.WEEKLY, Frequency.MONTHLY}
    return is_long_period and not edition.is_alert and bool(edition.items)


def make_overview(edition: Edition, branding: Branding) -> Overview | None:
    """The overview of an edition, over all that fitted; None where it has none."""
    if not has_overview(edition):
        return None
    _, items = branding.locale.gettext, (*edition.items, *edition.overflow)
    is_weekly = edition.frequency is Frequency.WEEKLY
    return Overview(
        title=_("The week at a glance") if is_weekly else _("The month at a glance"),
        days=_make_days_chart(edition, items, branding.locale),
        others=tuple(
            chart
            for chart in (_make_follows_chart(items, branding), _make_sources_chart(items, branding))
            if chart
        ),
    )


def _make_days_chart(edition: Edition, items: Sequence[Item], locale: Locale) -> Chart:
    """The papers by the day on which they were announced; a day on which none was is one, too."""
    _, counts = locale.gettext, Counter(item.event.day for item in items)
    days = sorted({*counts, *(batch.day for batch in edition.batches)})
    if len(days) <= _MAX_DAYS:
        labelled_counts = {locale.short_day(day): counts[day] for day in days}
        return _make_chart(_("Papers per day"), labelled_counts, locale)
    weeks: Counter[date] = Counter()
    for day in days:
        weeks[day - timedelta(day.weekday())] += counts[day]
    # Translators: a week by the day that it begins on: "from 8 Jun".
    labelled_counts = {
        _("from %(day)s", day=locale.short_day(week)): number for week, number in sorted(weeks.items())
    }
    return _make_chart(_("Papers per week"), labelled_counts, locale)


def _make_follows_chart(items: Iterable[Item], branding: Branding) -> Chart | None:
    """The follows that brought most; a paper that fits two counts for both, and what only may fit counts apart."""
    _ = branding.locale.gettext
    counts = Counter(
        label for item in items for label in {_make_label(entry, branding.locale) for entry in item.reasons}
    )
    top_counts = dict(islice(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])), _MAX_FOLLOWS))
    return _make_chart(_("Matched follows"), top_counts, branding.locale) if len(counts) > 1 else None


def _make_label(reason: Reason, locale: Locale) -> str:
    follow = " ".join(reason.follow.split())
    return follow if reason.confidence >= Confidence.LIKELY else follow + locale.gettext(" (maybe)")


def _make_sources_chart(items: Iterable[Item], branding: Branding) -> Chart | None:
    _ = branding.locale.gettext
    counts = Counter(item.event.source for item in items)
    labelled_counts = {
        branding.source_titles.get(name, name): number for name, number in counts.most_common()
    }
    return _make_chart(_("Sources"), labelled_counts, branding.locale) if len(labelled_counts) > 1 else None


def _make_chart(title: str, counts: Mapping[str, int], locale: Locale) -> Chart:
    highest = max(counts.values())
    width = min(_MAX_LABEL_WIDTH, max(count_columns(label) for label in counts))
    bars = []
    for label, number in counts.items():
        bar_width = -(-number * _MAX_BAR_WIDTH // highest)
        number_text = locale.number(number)
        short_label = _truncate_label(label, width)
        line = f"{short_label}{' ' * (width - count_columns(short_label))}  {'#' * bar_width}{' ' * bool(bar_width)}{number_text}"
        bars.append(ChartBar(label=label, number=number_text, share=-(-number * 100 // highest), line=line))
    # Translators: a bar of a chart as words: "8 Jun: 12".
    parts = [locale.gettext("%(label)s: %(number)s", label=bar.label, number=bar.number) for bar in bars]
    return Chart(title=title, bars=tuple(bars), said=locale.join_parts(parts))


def _truncate_label(label: str, max_width: int) -> str:
    if count_columns(label) <= max_width:
        return label
    while count_columns(label) > max_width - 1:
        label = label[:-1]
    return f"{label}…"
