"""Sentences on how complete an edition is; there is always at least one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import lru_cache
from itertools import groupby
from zoneinfo import ZoneInfo

from digest.core.fetching.shortfall import select_noticeable
from digest.failures import FailureKind
from digest.model import Batch, BatchState
from digest.render.editions.batch_groups import (
    BatchGroup,
    group_by_day,
    group_by_reason,
    merge_days,
    merge_groups,
)
from digest.render.languages.locales import Locale

_FULL_STATES = frozenset((BatchState.COMPLETE, BatchState.EMPTY))
_MAX_NAMED = 3
"""Maximum number of sections or days named in the summary; if there are more, their number is given."""
_MAX_SECTIONS = 12
"""Maximum number of sections named in a sentence; if there are more, their number is given."""
_MAX_LINES = 4
"""Maximum number of sentences of one kind about a source; if there would be more, one sentence sums them up.

So the account takes about 2 kB per source, however many days and sections it covers: 4 kB was measured for
two sources with 155 sections and 400 days that all differ.
"""
_MAX_COUNTED_SPAN = timedelta(days=366)
"""Longest span in which missing days are counted; after a longer absence the ledger does not have every day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Completeness:
    """The account of an edition: how complete the announcements are that it was made from.

    Attributes:
        summary: a few words for the title line.
        missing: warnings: one sentence for each noticeable thing that is, or may be, missing.
        settled: sentences about everything else: small parts that may be missing, empty days, complete days,
            and days that are still filling.
        lacks_little: whether the first sentence of ``settled`` is about small parts that may be missing.
    """

    summary: str
    missing: tuple[str, ...]
    settled: tuple[str, ...]
    lacks_little: bool = False

    @property
    def lines(self) -> tuple[str, ...]:
        """All sentences, beginning with what is missing."""
        return self.missing + self.settled

    @property
    def is_complete(self) -> bool:
        """Whether nothing is missing, as far as is known."""
        return not self.missing and not self.lacks_little


def describe_completeness(
    batches: Sequence[Batch], source_titles: Mapping[str, str], now: datetime, zone: str, locale: Locale
) -> Completeness:
    """Describe what arrived, what did not, and why.

    Args:
        batches: the batches that the edition waited for, in any order.
        source_titles: display names of sources, by name; a source without one is shown by its name.
        now: the time of the state of the batches.
        zone: the IANA zone of the reader.
        locale: the language of the reader.
    """
    if not batches:
        return _describe_nothing_due(now.astimezone(ZoneInfo(zone)).date(), locale)
    ordered = sorted(batches, key=lambda batch: (batch.source, batch.day, batch.section))
    filling = [batch for batch in ordered if batch.is_filling]
    due = [batch for batch in ordered if not batch.is_filling]
    missing = select_noticeable(due)
    # The sets contain identities, because comparing batches field by field takes minutes after years of absence.
    noticeable_ids = set(map(id, missing))
    minor = [batch for batch in due if batch.state not in _FULL_STATES and id(batch) not in noticeable_ids]
    writer = _CompletenessWriter(
        source_titles, now, zone, locale, Counter((batch.source, batch.day) for batch in ordered)
    )
    if missing:
        summary = writer.make_missing_summary(due, missing)
    else:
        summary = writer.make_minor_summary(due) if minor else writer.make_full_summary(due, filling)
    return Completeness(
        summary=summary,
        missing=tuple(writer.make_missing_lines(missing)),
        settled=(
            *writer.make_minor_lines(minor),
            *writer.make_empty_lines(ordered),
            *writer.make_complete_lines(ordered),
            *writer.make_filling_lines(filling),
        ),
        lacks_little=bool(minor),
    )


def _describe_nothing_due(day: date, locale: Locale) -> Completeness:
    _ = locale.gettext
    if day.weekday() > 4:
        sentence = _("No announcement was due for this edition: it is the weekend.")
        return Completeness(summary=_("no announcement: weekend"), missing=(), settled=(sentence,))
    sentence = _("No announcement was due for this edition.")
    return Completeness(summary=_("no announcement was due"), missing=(), settled=(sentence,))


@dataclass(frozen=True, slots=True)
class _CompletenessWriter:
    """Describes the state of batches to a reader.

    Attributes:
        section_counts: total number of sections, by source and day.
    """

    source_titles: Mapping[str, str]
    now: datetime
    zone: str
    locale: Locale
    section_counts: Mapping[tuple[str, date], int]

    # --- summaries --------------------------------------------------------------------------------

    def make_full_summary(self, due: Sequence[Batch], filling: Sequence[Batch]) -> str:
        """Return the summary if nothing is missing."""
        _ = self.locale.gettext
        complete = [batch for batch in due if batch.state is BatchState.COMPLETE]
        if complete:
            is_counted = all(batch.expected is not None for batch in complete)
            return _("complete") if is_counted else _("complete according to the feeds")
        received = sum(batch.received for batch in filling)
        if received:
            return self._format_so_far(received)
        return _("nothing was announced (holiday?)") if due else _("nothing so far")

    def make_minor_summary(self, due: Sequence[Batch]) -> str:
        """Return the summary if only a small part is, or may be, missing."""
        received = sum(batch.received for batch in due)
        if not received:
            return self.locale.gettext("nothing so far")
        expected = [batch.expected for batch in due if batch.expected is not None]
        if len(expected) == len(due):
            return self._format_of_expected(received, sum(expected))
        return self.locale.gettext("complete as far as we know")

    def make_missing_summary(self, batches: Sequence[Batch], missing: Sequence[Batch]) -> str:
        """Return the summary if a noticeable part is missing."""
        _ = self.locale.gettext
        received = sum(batch.received for batch in batches)
        unreceived = [batch for batch in missing if not batch.received]
        if not received:
            titles = self.locale.listed(sorted({self._get_title(batch.source) for batch in missing}))
            if _is_pending(missing):
                return _("nothing from %(sources)s yet", sources=titles)
            # Translators: one or several sources, or sections of them, from which nothing arrived.
            return _("%(what)s missing", what=titles)
        expected = [batch.expected for batch in batches if batch.expected is not None]
        if len(expected) == len(batches):
            return self._format_of_expected(received, sum(expected))
        received_text = self._format_so_far(received)
        if unreceived:
            return _(
                "%(so_far)s; %(what)s missing",
                so_far=received_text,
                what=self._name_missing(batches, unreceived),
            )
        return _("%(so_far)s; there are more", so_far=received_text)

    def _name_missing(self, batches: Sequence[Batch], missing: Sequence[Batch]) -> str:
        """Name the days without any listings, and the other missing sections, with their day unless it is the last."""
        _, ngettext = self.locale.gettext, self.locale.ngettext
        due = Counter(batch.day for batch in batches)
        last_day = max(due)
        names, full_days = [], 0
        for day, group in groupby(sorted(missing, key=lambda batch: batch.day), key=lambda batch: batch.day):
            sections = [batch.section for batch in group]
            short_day = self.locale.short_day(day)
            if len(sections) == due[day]:
                names.append(short_day)
                full_days += 1
            elif day == last_day:
                names += sections
            else:
                names += [_("%(section)s of %(day)s", section=section, day=short_day) for section in sections]
        if len(names) <= _MAX_NAMED:
            return self.locale.listed(names)
        if len(names) == full_days:
            # Translators: the number of days from which nothing arrived, out of all days of an edition.
            return ngettext(
                "%(missing)s of %(num)s day",
                "%(missing)s of %(num)s days",
                len(due),
                missing=self.locale.number(full_days),
            )
        return ngettext(
            "%(missing)s of %(num)s section",
            "%(missing)s of %(num)s sections",
            len(batches),
            missing=self.locale.number(len(missing)),
        )

    def _format_so_far(self, received: int) -> str:
        return self.locale.ngettext("%(num)s listing so far", "%(num)s listings so far", received)

    def _format_of_expected(self, received: int, expected: int) -> str:
        return self.locale.ngettext(
            "%(received)s of %(num)s listing so far",
            "%(received)s of %(num)s listings so far",
            expected,
            received=self.locale.number(received),
        )

    # --- sentences --------------------------------------------------------------------------------

    def make_minor_lines(self, minor: Sequence[Batch]) -> list[str]:
        """Return one sentence on all small parts that may be missing; none if there are no such parts."""
        if not minor:
            return []
        sentences = "; ".join(line.rstrip(".。") for line in self.make_missing_lines(minor))
        return [self.locale.gettext("A small part may be missing: %(what)s.", what=sentences)]

    def make_missing_lines(self, missing: Sequence[Batch]) -> list[str]:
        """Return one sentence for all days on which the same sections of a source are missing for the same reason.

        If there would be many for a source, one sentence sums them up.
        """
        groups = group_by_reason(missing, lambda batch: self._describe_reason(batch, 1))
        return [
            line
            for source, source_groups in groups.items()
            for line in self._make_source_lines(source, source_groups)
        ]

    def _make_source_lines(self, source: str, groups: Sequence[BatchGroup]) -> list[str]:
        """Return the sentences on what is missing from a source.

        Args:
            source: the name of the source.
            groups: groups of batches, each of one day and one reason.
        """
        batches_by_reason: dict[tuple[str, tuple[str, ...]], list[Batch]] = {}
        for group in groups:
            reason = self._describe_reason(group.batches[0], 1)
            batches_by_reason.setdefault((reason, group.sections), []).extend(group.batches)
        if len(batches_by_reason) <= _MAX_LINES:
            spans = [
                BatchGroup(source, sections, batches) for (_, sections), batches in batches_by_reason.items()
            ]
            return [
                self._format_missing(span, self._describe_reason(span.batches[0], len(span.days)))
                for span in spans
            ]
        merged = merge_groups(source, groups)
        return [self._format_missing(merged, self._describe_mixed_reasons(merged.batches))]

    def _format_missing(self, group: BatchGroup, reason: str) -> str:
        name, days = self._format_name(group), group.days
        if days[-1] - days[0] <= _MAX_COUNTED_SPAN:
            return self.locale.gettext(
                "%(what)s, %(day)s: %(why)s.", what=name, day=self._format_span(days), why=reason
            )
        return self.locale.gettext(
            "%(what)s, from %(first)s to %(last)s: %(why)s.",
            what=name,
            first=self._format_day(days[0]),
            last=self._format_day(days[-1]),
            why=reason,
        )

    def _describe_mixed_reasons(self, batches: Sequence[Batch]) -> str:
        """Describe why batches are missing if there are too many reasons to list them."""
        _ = self.locale.gettext
        received = sum(batch.received for batch in batches)
        if received:
            return _("%(so_far)s; there are more", so_far=self._format_so_far(received))
        if _is_pending(batches):
            return _("nothing so far, for several reasons")
        return _("not available for several reasons, and the source no longer shows these days")

    def _describe_reason(self, batch: Batch, day_count: int) -> str:
        """Describe why a batch is missing, in the singular or plural for a number of days with the same reason."""
        _, ngettext = self.locale.gettext, self.locale.ngettext
        reason = describe_failure(batch.failure, self.locale)
        last_asked = self._format_clock(batch.asked_at) if batch.asked_at else ""
        match batch.state:
            case BatchState.FAILED if not last_asked:
                return ngettext(
                    "not available, because the source was not queried on that day and no longer shows it",
                    "not available, because the source was not queried on those days and no longer shows them",
                    day_count,
                )
            case BatchState.FAILED:
                return _(
                    "not available (%(why)s; last attempt %(time)s), and the source no longer shows it",
                    why=reason or _("nothing had arrived"),
                    time=last_asked,
                )
            case BatchState.PARTIAL:
                expected, received = batch.expected, batch.received
                received_text = (
                    self._format_so_far(received)
                    if expected is None
                    else self._format_of_expected(received, expected)
                )
                return _("%(so_far)s; %(why)s", so_far=received_text, why=reason) if reason else received_text
            case _ if not last_asked:
                return _("due since %(time)s, not queried yet", time=self._format_clock(batch.due_at))
            case _ if reason and batch.answered_at is not None:
                return _(
                    "not reached since %(since)s (last attempt %(time)s: %(why)s)",
                    since=self._format_clock(batch.answered_at),
                    time=last_asked,
                    why=reason,
                )
            case _ if reason:
                return _("not reached (last attempt %(time)s: %(why)s)", time=last_asked, why=reason)
            case _:
                return _(
                    "still waiting; nothing was announced at the last attempt (%(time)s)", time=last_asked
                )

    def make_empty_lines(self, batches: Sequence[Batch]) -> list[str]:
        """Return one sentence for all days on which the same sections announced nothing."""
        _ = self.locale.gettext
        silent: dict[str, list[Batch]] = {}
        partly_silent: list[Batch] = []
        for source, _day, group in group_by_day(batches):
            empty = [batch for batch in group if batch.state is BatchState.EMPTY]
            if len(empty) == len(group):
                silent.setdefault(source, []).extend(empty)
            else:
                partly_silent += empty
        lines = [self._format_silent(source, source_batches) for source, source_batches in silent.items()]
        for source, groups in group_by_reason(partly_silent).items():
            spans = merge_days(source, groups)
            if len(spans) > _MAX_LINES:
                days = self._format_span(merge_groups(source, groups).days)
                title = self._get_title(source)
                lines.append(
                    _("%(source)s, %(days)s: some sections announced nothing.", source=title, days=days)
                )
            else:
                lines += map(self._format_partly_silent, spans)
        return lines

    def _format_silent(self, source: str, batches: Sequence[Batch]) -> str:
        """Return the sentence on days on which a source announced nothing."""
        _ = self.locale.gettext
        title, days = self._get_title(source), sorted({batch.day for batch in batches})
        if len(days) == 1:
            long_day = self._format_day(days[0])
            return _("%(source)s announced nothing on %(day)s (holiday?).", source=title, day=long_day)
        return _(
            "%(source)s, %(days)s: nothing was announced (holidays?).",
            source=title,
            days=self._format_span(days),
        )

    def _format_partly_silent(self, group: BatchGroup) -> str:
        """Return the sentence on days on which some sections of a source announced nothing."""
        _ = self.locale.gettext
        name, days = self._format_name(group), group.days
        if len(days) == 1:
            return _("%(what)s: nothing was announced on %(day)s.", what=name, day=self._format_day(days[0]))
        return _("%(what)s, %(days)s: nothing was announced.", what=name, days=self._format_span(days))

    def make_complete_lines(self, batches: Sequence[Batch]) -> list[str]:
        """Return one sentence for all days on which the same sections of a source are complete."""
        complete = [batch for batch in batches if batch.state is BatchState.COMPLETE]
        lines: list[str] = []
        for source, source_groups in group_by_reason(complete).items():
            spans = merge_days(source, source_groups)
            groups = spans if len(spans) <= _MAX_LINES else [merge_groups(source, source_groups)]
            lines += map(self._format_complete, groups)
        return lines

    def _format_complete(self, group: BatchGroup) -> str:
        ngettext, name, days = self.locale.ngettext, self._format_name(group), self._format_span(group.days)
        received = sum(batch.received for batch in group.batches)
        if len(group.sections) * len(group.days) > len(group.batches):
            return ngettext(
                "%(what)s, %(days)s: complete except for the above, %(num)s listing.",
                "%(what)s, %(days)s: complete except for the above, %(num)s listings.",
                received,
                what=name,
                days=days,
            )
        if all(batch.expected is not None for batch in group.batches):
            return ngettext(
                "%(what)s, %(days)s: complete, %(num)s listing.",
                "%(what)s, %(days)s: complete, %(num)s listings.",
                received,
                what=name,
                days=days,
            )
        return ngettext(
            "%(what)s, %(days)s: complete according to the feed, %(num)s listing.",
            "%(what)s, %(days)s: complete according to the feed, %(num)s listings.",
            received,
            what=name,
            days=days,
        )

    def make_filling_lines(self, filling: Sequence[Batch]) -> list[str]:
        """Return the sentences on days that are not over and from which nothing is missing so far."""
        lines: list[str] = []
        for source, day_groups in group_by_reason(filling).items():
            groups = day_groups if len(day_groups) <= _MAX_LINES else [merge_groups(source, day_groups)]
            lines += map(self._format_filling, groups)
        return lines

    def _format_filling(self, group: BatchGroup) -> str:
        received = sum(batch.received for batch in group.batches)
        if len(group.days) == 1:
            return self.locale.ngettext(
                "%(what)s, %(day)s: %(num)s listing so far; the day is not over, so more may follow.",
                "%(what)s, %(day)s: %(num)s listings so far; the day is not over, so more may follow.",
                received,
                what=self._format_name(group),
                day=self._format_day(group.days[0]),
            )
        return self.locale.gettext(
            "%(what)s, %(days)s: %(so_far)s; more may follow.",
            what=self._format_name(group),
            days=self._format_span(group.days),
            so_far=self._format_so_far(received),
        )

    # --- days -------------------------------------------------------------------------------------

    def _format_span(self, days: Sequence[date]) -> str:
        """Format sorted days: a single day, or the number of days with the first and the last."""
        if len(days) == 1:
            return self._format_day(days[0])
        return self.locale.ngettext(
            "%(num)s day from %(first)s to %(last)s",
            "%(num)s days from %(first)s to %(last)s",
            len(days),
            first=self._format_day(days[0]),
            last=self._format_day(days[-1]),
        )

    def _format_day(self, day: date) -> str:
        """Format a day with its weekday, and with its year unless it is the current one."""
        today = self.now.astimezone(ZoneInfo(self.zone)).date()
        return self.locale.long_day(day) if day.year == today.year else self.locale.whole_day(day)

    # --- names ------------------------------------------------------------------------------------

    def _format_name(self, group: BatchGroup) -> str:
        """Return the name of a source with its sections, ``arXiv cs.DC and cs.LG``; for many sections, their number.

        A section whose name is part of the source's name is not repeated: ``Hugging Face Daily Papers``, not
        followed by ``daily``.
        """
        ngettext, title = self.locale.ngettext, self._get_title(group.source)
        section_names = [name for name in group.sections if name.casefold() not in title.casefold().split()]
        section_count = max(self.section_counts[group.source, day] for day in group.days)
        if len(section_names) == section_count > 2 * _MAX_NAMED:
            return ngettext(
                "%(source)s (all %(num)s sections)",
                "%(source)s (all %(num)s sections)",
                section_count,
                source=title,
            )
        if len(section_names) > _MAX_SECTIONS:
            number = self.locale.number(len(section_names))
            return ngettext(
                "%(source)s (%(number)s of %(num)s section)",
                "%(source)s (%(number)s of %(num)s sections)",
                max(section_count, len(section_names)),
                source=title,
                number=number,
            )
        return f"{title} {self.locale.listed(section_names)}".strip()

    def _get_title(self, source: str) -> str:
        return self.source_titles.get(source, source)

    def _format_clock(self, instant: datetime) -> str:
        return self.locale.format_clock(instant, self.now, self.zone)


def describe_failure(failure: FailureKind | None, locale: Locale) -> str:
    """Describe a failure as a part of a sentence, in our words, as a host's are not for readers; "" for None."""
    return _list_failures(locale)[failure] if failure else ""


@lru_cache(maxsize=16)
def _list_failures(locale: Locale) -> Mapping[FailureKind, str]:
    _ = locale.gettext
    return {
        FailureKind.UNREACHED: _("its server cannot be reached"),
        FailureKind.CUT_OFF: _("its server's answer was cut off"),
        FailureKind.BUSY: _("its server is overloaded"),
        FailureKind.PAUSED: _("its server asked us to wait"),
        FailureKind.REFUSED: _("its server refuses our requests"),
        FailureKind.GONE: _("its address no longer exists"),
        FailureKind.UNREADABLE: _("its server's answer could not be read"),
        FailureKind.STALE: _("its server sent the papers of another day"),
        FailureKind.INCOMPLETE: _("its server's answer was incomplete, so papers may be missing"),
        FailureKind.UNCHECKED: _("these may be the papers of the previous day, which is missing"),
        FailureKind.OTHER: _("the request to its server failed"),
    }


def _is_pending(missing: Sequence[Batch]) -> bool:
    return any(batch.state is not BatchState.FAILED for batch in missing)
