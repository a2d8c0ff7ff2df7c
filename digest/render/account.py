"""How complete an edition is, in sentences; it never says nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from itertools import groupby
from zoneinfo import ZoneInfo

from digest.core.shortfall import noticeable
from digest.failures import FailureKind
from digest.model import Batch, BatchState
from digest.render.locales import Locale

_WHOLE = frozenset((BatchState.COMPLETE, BatchState.EMPTY))
_NAMED = 3
"""So many sections are named in a few words; more are counted."""


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
    little = [batch for batch in due if batch.state not in _WHOLE and batch not in missing]
    told = _Telling(source_titles, now, zone, locale)
    if missing:
        summary = told.missing_summary(due, missing)
    else:
        summary = told.summary_but_for_little(due) if little else told.whole_summary(due, filling)
    return Account(
        summary=summary,
        missing=tuple(told.missing_lines(missing, due)),
        settled=(
            *told.little_lines(little, due),
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
    """Says how batches stand, to a reader."""

    source_titles: Mapping[str, str]
    now: datetime
    zone: str
    locale: Locale

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
        _ = self.locale.gettext
        last = max(batch.day for batch in batches)
        names = []
        for day, group in groupby(sorted(missing, key=lambda batch: batch.day), key=lambda batch: batch.day):
            sections = [batch.section for batch in group]
            short = self.locale.short_day(day)
            if len(sections) == sum(batch.day == day for batch in batches):
                names.append(short)
            elif day == last:
                names += sections
            else:
                names += [_("%(section)s of %(day)s", section=section, day=short) for section in sections]
        if len(names) <= _NAMED:
            return self.locale.listed(names)
        return self.locale.ngettext(
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

    def little_lines(self, little: Sequence[Batch], batches: Sequence[Batch]) -> list[str]:
        """One sentence for all that may be missing and is little; none where there is nothing of that."""
        if not little:
            return []
        what = "; ".join(line.rstrip(".。") for line in self.missing_lines(little, batches))
        return [self.locale.gettext("A small part may be missing: %(what)s.", what=what)]

    def missing_lines(self, missing: Sequence[Batch], batches: Sequence[Batch]) -> list[str]:
        """One sentence for all sections of a source that are missing for one reason on one day.

        Args:
            missing: what they are about.
            batches: all that there are, by which many sections are counted where they are all of a day's.
        """
        sections: dict[tuple[str, date, str], list[str]] = {}
        for batch in missing:
            key = batch.source, batch.day, self._why_missing(batch)
            sections.setdefault(key, []).append(batch.section)
        asked = Counter((batch.source, batch.day) for batch in batches)
        return [
            self.locale.gettext(
                "%(what)s, %(day)s: %(why)s.",
                what=self._name(source, names, asked[source, day]),
                day=self.locale.long_day(day),
                why=why,
            )
            for (source, day, why), names in sections.items()
        ]

    def _why_missing(self, batch: Batch) -> str:
        _ = self.locale.gettext
        why = told_failure(batch.failure, self.locale)
        asked = self._clock(batch.asked_at) if batch.asked_at else ""
        match batch.state:
            case BatchState.FAILED if not asked:
                return _("could not be had: nobody asked on that day, and the source shows it no longer")
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
        """Where nothing was to come."""
        _ = self.locale.gettext
        lines = []
        for source, day, group in _days(batches):
            empty = [batch.section for batch in group if batch.state is BatchState.EMPTY]
            long = self.locale.long_day(day)
            if len(empty) == len(group):
                title = self._title(source)
                lines.append(_("%(source)s announced nothing on %(day)s (holiday?).", source=title, day=long))
            elif empty:
                name = self._name(source, empty, len(group))
                lines.append(_("%(what)s: nothing was announced on %(day)s.", what=name, day=long))
        return lines

    def complete_lines(self, batches: Sequence[Batch]) -> list[str]:
        """One sentence for all days on which the same sections of a source are complete."""
        days: dict[tuple[str, tuple[str, ...]], list[Batch]] = {}
        for source, _day, group in _days(batches):
            complete = [batch for batch in group if batch.state is BatchState.COMPLETE]
            if complete:
                days.setdefault((source, tuple(batch.section for batch in complete)), []).extend(complete)
        asked = Counter((batch.source, batch.day) for batch in batches)
        return [
            self._complete(self._name(source, names, asked[source, group[0].day]), group)
            for (source, names), group in days.items()
        ]

    def _complete(self, what: str, batches: Sequence[Batch]) -> str:
        ngettext, days = self.locale.ngettext, self._span(batches)
        received = sum(batch.received for batch in batches)
        if all(batch.expected is not None for batch in batches):
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

    def _span(self, batches: Sequence[Batch]) -> str:
        days = sorted({batch.day for batch in batches})
        long = self.locale.long_day
        if len(days) == 1:
            return long(days[0])
        return self.locale.ngettext(
            "%(num)s day from %(first)s to %(last)s",
            "%(num)s days from %(first)s to %(last)s",
            len(days),
            first=long(days[0]),
            last=long(days[-1]),
        )

    def filling_lines(self, filling: Sequence[Batch]) -> list[str]:
        """One sentence for a day of a source that is not over and of which nothing is missing."""
        return [
            self.locale.ngettext(
                "%(what)s, %(day)s: %(num)s listing so far; its day is not over, more may come.",
                "%(what)s, %(day)s: %(num)s listings so far; its day is not over, more may come.",
                sum(batch.received for batch in group),
                what=self._name(source, [batch.section for batch in group], len(group)),
                day=self.locale.long_day(day),
            )
            for source, day, group in _days(filling)
        ]

    # --- names ------------------------------------------------------------------------------------

    def _name(self, source: str, sections: Sequence[str], asked: int) -> str:
        """``arXiv cs.DC and cs.LG``; many of them, if they are all there are, are counted.

        A name that is in the source's is not said twice: ``Hugging Face Daily Papers``, of which ``daily`` is.
        """
        title = self._title(source)
        own = [section for section in sections if section.casefold() not in title.casefold().split()]
        if len(own) == asked > 2 * _NAMED:
            return self.locale.ngettext(
                "%(source)s (all %(num)s sections)",
                "%(source)s (all %(num)s sections)",
                asked,
                source=title,
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


def _days(batches: Sequence[Batch]) -> list[tuple[str, date, list[Batch]]]:
    groups = groupby(batches, key=lambda batch: (batch.source, batch.day))
    return [(source, day, list(group)) for (source, day), group in groups]
