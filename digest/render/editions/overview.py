"""The overview of a week or month: number of papers by day, by follow and by source."""

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
"""Maximum number of days in the chart, because a phone has room for that many bars; more days are summed up by week."""
_MAX_FOLLOWS = 5
_MAX_BAR_WIDTH = 24
"""Length of the longest bar in plain text, in characters."""
_MAX_LABEL_WIDTH = 36
"""Maximum width of a label in plain text, in columns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartBar:
    """A bar of a chart.

    Attributes:
        label: what is counted.
        number: the formatted number.
        share: the number in per cent of the largest one, rounded up.
        line: the bar as a line of plain text, aligned with the others of its chart.
    """

    label: str
    number: str
    share: int
    line: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A bar chart.

    Attributes:
        said: all numbers as text, for readers who cannot see the bars.
    """

    title: str
    bars: tuple[ChartBar, ...]
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """The overview above the papers of a weekly or monthly edition.

    Attributes:
        title: its heading.
        days: papers by day or week.
        others: papers by follow, and by source; without those charts that would have a single bar.
    """

    title: str
    days: Chart
    others: tuple[Chart, ...]


def has_overview(edition: Edition) -> bool:
    """Whether an edition covers so long a period that it begins with an overview."""
    is_long_period = edition.frequency in {Frequency.WEEKLY, Frequency.MONTHLY}
    return is_long_period and not edition.is_alert and bool(edition.items)


def make_overview(edition: Edition, branding: Branding) -> Overview | None:
    """Make the overview of all items of an edition, shown or not; None if it has none."""
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
    """Chart the papers by announcement day, including days without any."""
    _, counts = locale.gettext, Counter(item.event.day for item in items)
    days = sorted({*counts, *(batch.day for batch in edition.batches)})
    if len(days) <= _MAX_DAYS:
        labelled_counts = {locale.short_day(day): counts[day] for day in days}
        return _make_chart(_("Papers per day"), labelled_counts, locale)
    weeks: Counter[date] = Counter()
    for day in days:
        weeks[day - timedelta(day.weekday())] += counts[day]
    # Translators: a week, named by its first day: "from 8 Jun".
    labelled_counts = {
        _("from %(day)s", day=locale.short_day(week)): number for week, number in sorted(weeks.items())
    }
    return _make_chart(_("Papers per week"), labelled_counts, locale)


def _make_follows_chart(items: Iterable[Item], branding: Branding) -> Chart | None:
    """Chart the follows with the most papers; uncertain matches are counted separately."""
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
