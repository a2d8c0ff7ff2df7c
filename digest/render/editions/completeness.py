"""How complete an edition is, in sentences; it never says nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import lru_cache
from itertools import groupby
from zoneinfo import ZoneInfo

from digest.core.fetching.shortfall import noticeable
from digest.failures import FailureKind
from digest.model import Batch, BatchState
from digest.render.editions.batch_groups import Group, days_of, groups_of, joined, spans_of
from digest.render.languages.locales import Locale

_WHOLE = frozenset((BatchState.COMPLETE, BatchState.EMPTY))
_NAMED = 3
"""So many sections are named in a few words; more are counted."""
_MOST_SECTIONS = 12
"""Longest list of sections in a sentence; more are counted."""
_MOST_LINES = 4
"""Most sentences of one kind about a source; what would be more is one sentence.

So an account takes some 2 kB for each source, however many days and sections it is about: 4 kB was measured for two
sources with 155 sections and 400 days that all differ.
"""
_LONGEST_COUNTED = timedelta(days=366)
"""The longest span of which missing days are counted: of a longer absence the ledger does not have each day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """What a reader must know of what an edition could be made from.

    Attributes:
        summary: a few words for the title line.
        missing: a sentence for each thing that is, or may be, missing, and that a reader notices; it is a warning.
        settled: a sentence for all else: what may be missing and is little, what came, what came so far of a day that
            fills while it lasts, and where nothing was to come.
        lacks_little: the first of these is about what may be missing and is little.
    """

    summary: str
    missing: tuple[str, ...]
    settled: tuple[str, ...]
    lacks_little: bool = False

    @property
    def lines(self) -> tuple[str, ...]:
        """All sentences; what is missing comes first."""
        return self.missing + self.settled

    @property
    def whole(self) -> bool:
        """Whether nothing is missing, as far as anybody can tell."""
        return not self.missing and not self.lacks_little


def account(
    batches: Sequence[Batch], source_titles: Mapping[str, str], now: datetime, zone: str, locale: Locale
) -> Account:
    """Say what came, what did not, and why.

    Args:
        batches: those that the edition waited for, in any order.
        source_titles: the name that readers know, by a source's name; the name itself where it is not there.
        now: the instant at which the batches stood so.
        zone: the IANA zone of the reader.
        locale: their language.
    """
    if not batches:
        return _nothing_due(now.astimezone(ZoneInfo(zone)).date(), locale)
    ordered = sorted(batches, key=lambda batch: (batch.source, batch.day, batch.section))
    filling = [batch for batch in ordered if batch.filling]
    due = [batch for batch in ordered if not batch.filling]
    missing = noticeable(due)
    noticed = set(map(id, missing))  # comparing batches by their fields takes minutes after years of absence
    little = [batch for batch in due if batch.state not in _WHOLE and id(batch) not in noticed]
    told = _Telling(source_titles, now, zone, locale, Counter((batch.source, batch.day) for batch in ordered))
    if missing:
        summary = told.missing_summary(due, missing)
    else:
        summary = told.summary_but_for_little(due) if little else told.whole_summary(due, filling)
    return Account(
        summary=summary,
        missing=tuple(told.missing_lines(missing)),
        settled=(
            *told.little_lines(little),
            *told.empty_lines(ordered),
            *told.complete_lines(ordered),
            *told.filling_lines(filling),
        ),
        lacks_little=bool(little),
    )


def _nothing_due(day: date, locale: Locale) -> Account:
    _ = locale.gettext
    if day.weekday() > 4:
        sentence = _("No announcement was due for this edition: it is the weekend.")
        return Account(summary=_("no announcement: weekend"), missing=(), settled=(sentence,))
    sentence = _("No announcement was due for this edition.")
    return Account(summary=_("no announcement was due"), missing=(), settled=(sentence,))


@dataclass(frozen=True, slots=True)
class _Telling:
    """Says how batches stand, to a reader.

    Attributes:
        asked: how many sections of a source each day has in all, by source and day.
    """

    source_titles: Mapping[str, str]
    now: datetime
    zone: str
    locale: Locale
    asked: Mapping[tuple[str, date], int]

    # --- a few words ------------------------------------------------------------------------------

    def whole_summary(self, due: Sequence[Batch], filling: Sequence[Batch]) -> str:
        """Nothing is missing."""
        _ = self.locale.gettext
        complete = [batch for batch in due if batch.state is BatchState.COMPLETE]
        if complete:
            counted = all(batch.expected is not None for batch in complete)
            return _("complete") if counted else _("complete as far as the feeds tell")
        so_far = sum(batch.received for batch in filling)
        if so_far:
            return self._so_far(so_far)
        return _("nothing was announced (holiday?)") if due else _("nothing so far")

    def summary_but_for_little(self, due: Sequence[Batch]) -> str:
        """What is missing, or may be, is little."""
        received = sum(batch.received for batch in due)
        if not received:
            return self.locale.gettext("nothing so far")
        expected = [batch.expected for batch in due if batch.expected is not None]
        if len(expected) == len(due):
            return self._of_expected(received, sum(expected))
        return self.locale.gettext("complete as far as is known")

    def missing_summary(self, batches: Sequence[Batch], missing: Sequence[Batch]) -> str:
        """Something is missing."""
        _ = self.locale.gettext
        received = sum(batch.received for batch in batches)
        unheard = [batch for batch in missing if not batch.received]
        if not received:
            titles = self.locale.listed(sorted({self._title(batch.source) for batch in missing}))
            if _may_come(missing):
                return _("nothing from %(sources)s yet", sources=titles)
            # Translators: a source, several, or sections of them, whose papers did not come.
            return _("%(what)s missing", what=titles)
        expected = [batch.expected for batch in batches if batch.expected is not None]
        if len(expected) == len(batches):
            return self._of_expected(received, sum(expected))
        came = self._so_far(received)
        if unheard:
            return _("%(so_far)s; %(what)s missing", so_far=came, what=self._named(batches, unheard))
        return _("%(so_far)s; more is known to exist", so_far=came)

    def _named(self, batches: Sequence[Batch], missing: Sequence[Batch]) -> str:
        """The sections, or the days on which all of them are missing, with a day where it is not the last one."""
        _, ngettext = self.locale.gettext, self.locale.ngettext
        due = Counter(batch.day for batch in batches)
        last = max(due)
        names, whole_days = [], 0
        for day, group in groupby(sorted(missing, key=lambda batch: batch.day), key=lambda batch: batch.day):
            sections = [batch.section for batch in group]
            short = self.locale.short_day(day)
            if len(sections) == due[day]:
                names.append(short)
                whole_days += 1
            elif day == last:
                names += sections
            else:
                names += [_("%(section)s of %(day)s", section=section, day=short) for section in sections]
        if len(names) <= _NAMED:
            return self.locale.listed(names)
        if len(names) == whole_days:
            # Translators: days on which nothing of what was due came, of all days that an edition is about.
            return ngettext(
                "%(missing)s of %(num)s day",
                "%(missing)s of %(num)s days",
                len(due),
                missing=self.locale.number(whole_days),
            )
        return ngettext(
            "%(missing)s of %(num)s section",
            "%(missing)s of %(num)s sections",
            len(batches),
            missing=self.locale.number(len(missing)),
        )

    def _so_far(self, received: int) -> str:
        return self.locale.ngettext("%(num)s listing so far", "%(num)s listings so far", received)

    def _of_expected(self, received: int, expected: int) -> str:
        return self.locale.ngettext(
            "%(received)s of %(num)s listing so far",
            "%(received)s of %(num)s listings so far",
            expected,
            received=self.locale.number(received),
        )

    # --- sentences --------------------------------------------------------------------------------

    def little_lines(self, little: Sequence[Batch]) -> list[str]:
        """One sentence for all that may be missing and is little; none where there is nothing of that."""
        if not little:
            return []
        what = "; ".join(line.rstrip(".。") for line in self.missing_lines(little))
        return [self.locale.gettext("A small part may be missing: %(what)s.", what=what)]

    def missing_lines(self, missing: Sequence[Batch]) -> list[str]:
        """One sentence for all days on which the same sections of a source are missing for one reason.

        Where these would be many for a source, one sentence counts them.
        """
        groups = groups_of(missing, lambda batch: self._why_missing(batch, 1))
        return [line for source, several in groups.items() for line in self._missing_of(source, several)]

    def _missing_of(self, source: str, groups: Sequence[Group]) -> list[str]:
        """The sentences about what a source lacks.

        Args:
            source: whose.
            groups: what is missing of one day for one reason, each.
        """
        same: dict[tuple[str, tuple[str, ...]], list[Batch]] = {}
        for group in groups:
            why = self._why_missing(group.batches[0], 1)
            same.setdefault((why, group.sections), []).extend(group.batches)
        if len(same) <= _MOST_LINES:
            spans = [Group(source, sections, batches) for (_, sections), batches in same.items()]
            return [self._missing(span, self._why_missing(span.batches[0], len(span.days))) for span in spans]
        every = joined(source, groups)
        return [self._missing(every, self._why_several(every.batches))]

    def _missing(self, group: Group, why: str) -> str:
        name, days = self._name(group), group.days
        if days[-1] - days[0] <= _LONGEST_COUNTED:
            return self.locale.gettext(
                "%(what)s, %(day)s: %(why)s.", what=name, day=self._span(days), why=why
            )
        return self.locale.gettext(
            "%(what)s, from %(first)s to %(last)s: %(why)s.",
            what=name,
            first=self._long_day(days[0]),
            last=self._long_day(days[-1]),
            why=why,
        )

    def _why_several(self, batches: Sequence[Batch]) -> str:
        """Why days are missing, where there are too many reasons to name each."""
        _ = self.locale.gettext
        received = sum(batch.received for batch in batches)
        if received:
            return _("%(so_far)s; more is known to exist", so_far=self._so_far(received))
        if _may_come(batches):
            return _("nothing so far, for several reasons")
        return _("could not be had, for several reasons, and the source no longer shows these days")

    def _why_missing(self, batch: Batch, days: int) -> str:
        """Why a batch is missing, and with it those of so many days in all for the same reason."""
        _, ngettext = self.locale.gettext, self.locale.ngettext
        why = told_failure(batch.failure, self.locale)
        asked = self._clock(batch.asked_at) if batch.asked_at else ""
        match batch.state:
            case BatchState.FAILED if not asked:
                return ngettext(
                    "could not be had: nobody asked on that day, and the source shows it no longer",
                    "could not be had: nobody asked on those days, and the source shows them no longer",
                    days,
                )
            case BatchState.FAILED:
                return _(
                    "could not be had: %(why)s (last asked %(time)s), and the source shows it no longer",
                    why=why or _("it had not come"),
                    time=asked,
                )
            case BatchState.PARTIAL:
                expected, received = batch.expected, batch.received
                so_far = self._so_far(received) if expected is None else self._of_expected(received, expected)
                return _("%(so_far)s; %(why)s", so_far=so_far, why=why) if why else so_far
            case _ if not asked:
                return _("due since %(time)s, not asked yet", time=self._clock(batch.due_at))
            case _ if why and batch.answered_at is not None:
                return _(
                    "not reached since %(since)s (last asked %(time)s: %(why)s)",
                    since=self._clock(batch.answered_at),
                    time=asked,
                    why=why,
                )
            case _ if why:
                return _("not reached (last asked %(time)s: %(why)s)", time=asked, why=why)
            case _:
                return _("still waiting, nothing had been announced when last asked (%(time)s)", time=asked)

    def empty_lines(self, batches: Sequence[Batch]) -> list[str]:
        """Where nothing was to come: one sentence for all days on which it was so for the same sections."""
        _ = self.locale.gettext
        quiet: dict[str, list[Batch]] = {}
        partly: list[Batch] = []
        for source, _day, group in days_of(batches):
            empty = [batch for batch in group if batch.state is BatchState.EMPTY]
            if len(empty) == len(group):
                quiet.setdefault(source, []).extend(empty)
            else:
                partly += empty
        lines = [self._quiet(source, several) for source, several in quiet.items()]
        for source, groups in groups_of(partly).items():
            spans = spans_of(source, groups)
            if len(spans) > _MOST_LINES:
                days = self._span(joined(source, groups).days)
                title = self._title(source)
                lines.append(
                    _("%(source)s, %(days)s: some sections announced nothing.", source=title, days=days)
                )
            else:
                lines += map(self._partly_quiet, spans)
        return lines

    def _quiet(self, source: str, batches: Sequence[Batch]) -> str:
        """The sentence about days on which a source announced nothing."""
        _ = self.locale.gettext
        title, days = self._title(source), sorted({batch.day for batch in batches})
        if len(days) == 1:
            long = self._long_day(days[0])
            return _("%(source)s announced nothing on %(day)s (holiday?).", source=title, day=long)
        return _(
            "%(source)s, %(days)s: nothing was announced (holidays?).", source=title, days=self._span(days)
        )

    def _partly_quiet(self, group: Group) -> str:
        """The sentence about days on which some sections of a source announced nothing."""
        _ = self.locale.gettext
        name, days = self._name(group), group.days
        if len(days) == 1:
            return _("%(what)s: nothing was announced on %(day)s.", what=name, day=self._long_day(days[0]))
        return _("%(what)s, %(days)s: nothing was announced.", what=name, days=self._span(days))

    def complete_lines(self, batches: Sequence[Batch]) -> list[str]:
        """One sentence for all days on which the same sections of a source are complete."""
        complete = [batch for batch in batches if batch.state is BatchState.COMPLETE]
        lines: list[str] = []
        for source, several in groups_of(complete).items():
            spans = spans_of(source, several)
            lines += map(self._complete, spans if len(spans) <= _MOST_LINES else [joined(source, several)])
        return lines

    def _complete(self, group: Group) -> str:
        ngettext, what, days = self.locale.ngettext, self._name(group), self._span(group.days)
        received = sum(batch.received for batch in group.batches)
        if len(group.sections) * len(group.days) > len(group.batches):
            return ngettext(
                "%(what)s, %(days)s: complete but for what is named above, %(num)s listing.",
                "%(what)s, %(days)s: complete but for what is named above, %(num)s listings.",
                received,
                what=what,
                days=days,
            )
        if all(batch.expected is not None for batch in group.batches):
            return ngettext(
                "%(what)s, %(days)s: complete, %(num)s listing.",
                "%(what)s, %(days)s: complete, %(num)s listings.",
                received,
                what=what,
                days=days,
            )
        return ngettext(
            "%(what)s, %(days)s: complete as far as the feed tells, %(num)s listing.",
            "%(what)s, %(days)s: complete as far as the feed tells, %(num)s listings.",
            received,
            what=what,
            days=days,
        )

    def filling_lines(self, filling: Sequence[Batch]) -> list[str]:
        """The sentences about days of a source that are not over and of which nothing is missing."""
        lines: list[str] = []
        for source, several in groups_of(filling).items():
            lines += map(self._filling, several if len(several) <= _MOST_LINES else [joined(source, several)])
        return lines

    def _filling(self, group: Group) -> str:
        received = sum(batch.received for batch in group.batches)
        if len(group.days) == 1:
            return self.locale.ngettext(
                "%(what)s, %(day)s: %(num)s listing so far; its day is not over, more may come.",
                "%(what)s, %(day)s: %(num)s listings so far; its day is not over, more may come.",
                received,
                what=self._name(group),
                day=self._long_day(group.days[0]),
            )
        return self.locale.gettext(
            "%(what)s, %(days)s: %(so_far)s; more may come.",
            what=self._name(group),
            days=self._span(group.days),
            so_far=self._so_far(received),
        )

    # --- days -------------------------------------------------------------------------------------

    def _span(self, days: Sequence[date]) -> str:
        """Days in order: the day itself, or how many there are from the first to the last."""
        if len(days) == 1:
            return self._long_day(days[0])
        return self.locale.ngettext(
            "%(num)s day from %(first)s to %(last)s",
            "%(num)s days from %(first)s to %(last)s",
            len(days),
            first=self._long_day(days[0]),
            last=self._long_day(days[-1]),
        )

    def _long_day(self, day: date) -> str:
        """A day with its weekday, and with its year where that is not the present one."""
        today = self.now.astimezone(ZoneInfo(self.zone)).date()
        return self.locale.long_day(day) if day.year == today.year else self.locale.whole_day(day)

    # --- names ------------------------------------------------------------------------------------

    def _name(self, group: Group) -> str:
        """``arXiv cs.DC and cs.LG``; many of them are counted.

        A name that is in the source's is not said twice: ``Hugging Face Daily Papers``, of which ``daily`` is.
        """
        ngettext, title = self.locale.ngettext, self._title(group.source)
        own = [name for name in group.sections if name.casefold() not in title.casefold().split()]
        asked = max(self.asked[group.source, day] for day in group.days)
        if len(own) == asked > 2 * _NAMED:
            return ngettext(
                "%(source)s (all %(num)s sections)",
                "%(source)s (all %(num)s sections)",
                asked,
                source=title,
            )
        if len(own) > _MOST_SECTIONS:
            number = self.locale.number(len(own))
            return ngettext(
                "%(source)s (%(number)s of %(num)s section)",
                "%(source)s (%(number)s of %(num)s sections)",
                max(asked, len(own)),
                source=title,
                number=number,
            )
        return f"{title} {self.locale.listed(own)}".strip()

    def _title(self, source: str) -> str:
        return self.source_titles.get(source, source)

    def _clock(self, at: datetime) -> str:
        return self.locale.clock(at, self.now, self.zone)


def told_failure(failure: FailureKind | None, locale: Locale) -> str:
    """What went wrong, as a part of a sentence of ours: what a host says is not for readers; "" for None."""
    return _failures(locale)[failure] if failure else ""


@lru_cache(maxsize=16)
def _failures(locale: Locale) -> Mapping[FailureKind, str]:
    _ = locale.gettext
    return {
        FailureKind.UNREACHED: _("its server does not answer"),
        FailureKind.CUT_OFF: _("its server's answer broke off"),
        FailureKind.BUSY: _("its server is overloaded"),
        FailureKind.PAUSED: _("its server wants us to wait"),
        FailureKind.REFUSED: _("its server refuses to answer us"),
        FailureKind.GONE: _("its address no longer exists"),
        FailureKind.UNREADABLE: _("its server's answer could not be read"),
        FailureKind.STALE: _("its server sent the papers of another day"),
        FailureKind.INCOMPLETE: _("its server's answer was incomplete, so papers may be missing"),
        FailureKind.UNCHECKED: _("these may be the papers of the day before, which is missing"),
        FailureKind.OTHER: _("asking its server failed"),
    }


def _may_come(missing: Sequence[Batch]) -> bool:
    return any(batch.state is not BatchState.FAILED for batch in missing)
