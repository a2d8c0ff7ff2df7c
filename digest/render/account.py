"""How complete an edition is, in sentences; it never says nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby
from zoneinfo import ZoneInfo

from digest.model import Batch, BatchState
from digest.render.words import clock, count, listed, long_day, short_day

_WHOLE = frozenset((BatchState.COMPLETE, BatchState.EMPTY))
_NAMED = 3
"""So many sections are named in a few words; more are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """What a reader must know of what an edition could be made from.

    Attributes:
        summary: a few words for the title line.
        missing: a sentence for each thing that is, or may be, missing.
        settled: a sentence for all else: what came, what came so far of a day that fills while it lasts, and
            where nothing was to come.
    """

    summary: str
    missing: tuple[str, ...]
    settled: tuple[str, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        """All sentences; what is missing comes first."""
        return self.missing + self.settled

    @property
    def whole(self) -> bool:
        """Whether nothing is missing, as far as anybody can tell."""
        return not self.missing


def account(batches: Sequence[Batch], source_titles: Mapping[str, str], now: datetime, zone: str) -> Account:
    """Say what came, what did not, and why.

    Args:
        batches: those that the edition waited for, in any order.
        source_titles: the name that readers know, by a source's name; the name itself where it is not there.
        now: the instant at which the batches stood so.
        zone: the IANA zone of the reader.
    """
    if not batches:
        return _nothing_due(now.astimezone(ZoneInfo(zone)).date())
    ordered = sorted(batches, key=lambda batch: (batch.source, batch.day, batch.section))
    filling = [batch for batch in ordered if batch.filling]
    due = [batch for batch in ordered if not batch.filling]
    missing = [batch for batch in due if batch.state not in _WHOLE]
    return Account(
        summary=_missing_summary(due, missing, source_titles) if missing else _whole_summary(due, filling),
        missing=tuple(_missing_lines(due, source_titles, now, zone)),
        settled=(
            *_empty_lines(ordered, source_titles),
            *_complete_lines(ordered, source_titles),
            *_filling_lines(filling, source_titles),
        ),
    )


# --- a few words ----------------------------------------------------------------------------------


def _nothing_due(day: date) -> Account:
    if day.weekday() > 4:
        sentence = "No announcement was due for this edition: it is the weekend."
        return Account(summary="no announcement: weekend", missing=(), settled=(sentence,))
    sentence = "No announcement was due for this edition."
    return Account(summary="no announcement was due", missing=(), settled=(sentence,))


def _whole_summary(due: Sequence[Batch], filling: Sequence[Batch]) -> str:
    complete = [batch for batch in due if batch.state is BatchState.COMPLETE]
    if complete:
        counted = all(batch.expected is not None for batch in complete)
        return "complete" if counted else "complete as far as the feeds tell"
    so_far = sum(batch.received for batch in filling)
    if so_far:
        return f"{count(so_far, 'listing')} so far"
    return "nothing was announced (holiday?)" if due else "nothing so far"


def _missing_summary(
    batches: Sequence[Batch], missing: Sequence[Batch], source_titles: Mapping[str, str]
) -> str:
    received = sum(batch.received for batch in batches)
    unheard = [batch for batch in missing if not batch.received]
    if not received:
        titles = listed(sorted({source_titles.get(batch.source, batch.source) for batch in missing}))
        return f"nothing from {titles} yet" if _may_come(missing) else f"{titles} missing"
    expected = [batch.expected for batch in batches if batch.expected is not None]
    if len(expected) == len(batches):
        return f"{received:,} of {sum(expected):,} listings so far"
    came = f"{count(received, 'listing')} so far"
    return f"{came}; {_named(batches, unheard)} missing" if unheard else f"{came}; more is known to exist"


def _may_come(missing: Sequence[Batch]) -> bool:
    return any(batch.state is not BatchState.FAILED for batch in missing)


def _named(batches: Sequence[Batch], missing: Sequence[Batch]) -> str:
    """The sections, or the days on which all of them are missing, with a day where it is not the last one."""
    last = max(batch.day for batch in batches)
    names = []
    for day, group in groupby(sorted(missing, key=lambda batch: batch.day), key=lambda batch: batch.day):
        sections = [batch.section for batch in group]
        if len(sections) == sum(batch.day == day for batch in batches):
            names.append(short_day(day))
        else:
            names += [section if day == last else f"{section} of {short_day(day)}" for section in sections]
    return listed(names) if len(names) <= _NAMED else f"{len(missing)} of {count(len(batches), 'section')}"


# --- sentences ------------------------------------------------------------------------------------


def _missing_lines(
    batches: Sequence[Batch], source_titles: Mapping[str, str], now: datetime, zone: str
) -> list[str]:
    """One sentence for all sections of a source that are missing for one reason on one day."""
    sections: dict[tuple[str, date, str], list[str]] = {}
    for batch in batches:
        if batch.state not in _WHOLE:
            sections.setdefault((batch.source, batch.day, _why_missing(batch, now, zone)), []).append(
                batch.section
            )
    asked = Counter((batch.source, batch.day) for batch in batches)
    return [
        f"{_name(source, names, asked[source, day], source_titles)}, {long_day(day)}: {why}."
        for (source, day, why), names in sections.items()
    ]


def _why_missing(batch: Batch, now: datetime, zone: str) -> str:
    why = _reason(batch.error)
    asked = clock(batch.asked_at, now, zone) if batch.asked_at else ""
    match batch.state:
        case BatchState.FAILED if not asked:
            return "could not be had: nobody asked on that day, and the source shows it no longer"
        case BatchState.FAILED:
            return f"could not be had: {why or 'it had not come'} (last asked {asked}), and the source shows it no longer"
        case BatchState.PARTIAL:
            of = f" of {batch.expected:,}" if batch.expected is not None else ""
            return f"{batch.received:,}{of} listings so far" + (f"; {why}" if why else "")
        case _ if not asked:
            return f"due since {clock(batch.due_at, now, zone)}, not asked yet"
        case _ if why:
            since = clock(batch.answered_at or batch.due_at, now, zone)
            return f"not reached since {since} (last asked {asked}: {why})"
        case _:
            return f"still waiting, nothing had been announced when last asked ({asked})"


def _reason(error: str) -> str:
    """What went wrong, as a part of a sentence."""
    return " ".join(error.split()).rstrip(".")


def _empty_lines(batches: Sequence[Batch], source_titles: Mapping[str, str]) -> list[str]:
    lines = []
    for source, day, group in _days(batches):
        empty = [batch.section for batch in group if batch.state is BatchState.EMPTY]
        if len(empty) == len(group):
            title = source_titles.get(source, source)
            lines.append(f"{title} announced nothing on {long_day(day)} (holiday?).")
        elif empty:
            name = _name(source, empty, len(group), source_titles)
            lines.append(f"{name}: nothing was announced on {long_day(day)}.")
    return lines


def _complete_lines(batches: Sequence[Batch], source_titles: Mapping[str, str]) -> list[str]:
    """One sentence for all days on which the same sections of a source are complete."""
    days: dict[tuple[str, tuple[str, ...]], list[Batch]] = {}
    for source, _day, group in _days(batches):
        complete = [batch for batch in group if batch.state is BatchState.COMPLETE]
        if complete:
            days.setdefault((source, tuple(batch.section for batch in complete)), []).extend(complete)
    asked = Counter((batch.source, batch.day) for batch in batches)
    return [
        f"{_name(source, names, asked[source, group[0].day], source_titles)}, {_span(group)}: {_came(group)}."
        for (source, names), group in days.items()
    ]


def _filling_lines(filling: Sequence[Batch], source_titles: Mapping[str, str]) -> list[str]:
    """One sentence for a day of a source that is not over and of which nothing is missing."""
    lines = []
    for source, day, group in _days(filling):
        name = _name(source, [batch.section for batch in group], len(group), source_titles)
        came = count(sum(batch.received for batch in group), "listing")
        lines.append(f"{name}, {long_day(day)}: {came} so far; its day is not over, more may come.")
    return lines


def _came(complete: Sequence[Batch]) -> str:
    counted = all(batch.expected is not None for batch in complete)
    received = count(sum(batch.received for batch in complete), "listing")
    return f"complete{'' if counted else ' as far as the feed tells'}, {received}"


def _span(batches: Sequence[Batch]) -> str:
    days = sorted({batch.day for batch in batches})
    if len(days) == 1:
        return long_day(days[0])
    return f"{len(days)} days from {long_day(days[0])} to {long_day(days[-1])}"


def _name(source: str, sections: Sequence[str], asked: int, source_titles: Mapping[str, str]) -> str:
    """``arXiv cs.DC and cs.LG``; many of them, if they are all there are, are counted.

    A name that is in the source's is not said twice: ``Hugging Face Daily Papers``, of which ``daily`` is.
    """
    title = source_titles.get(source, source)
    own = [section for section in sections if section.casefold() not in title.casefold().split()]
    every = f"(all {asked} sections)" if len(own) == asked > 2 * _NAMED else listed(own)
    return f"{title} {every}".strip()


def _days(batches: Sequence[Batch]) -> list[tuple[str, date, list[Batch]]]:
    groups = groupby(batches, key=lambda batch: (batch.source, batch.day))
    return [(source, day, list(group)) for (source, day), group in groups]
