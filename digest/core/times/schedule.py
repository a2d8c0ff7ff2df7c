"""Firing times of schedules, computed from local dates and wall-clock times, never from seconds.

A wall-clock time that does not exist on a date is interpreted with the offset before the gap; one that occurs
twice counts the first time (RFC 5545, section 3.3.5). A date that a zone skips has no firing.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import count, islice, pairwise, takewhile
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from digest.errors import ConfigError
from digest.model import Calendar, Frequency, Route, Schedule

WALL_CLOCK_FREQUENCIES = frozenset({Frequency.DAILY, Frequency.WEEKLY, Frequency.MONTHLY, Frequency.CRON})
"""Frequencies that fire at a local time of the reader."""
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_SYNTAX_HELP = (
    '"daily 7:00", "weekdays 07:30", "mon,thu 18:00", "weekly fri 16:00", "monthly 1 9:00", "every 2 hours" '
    'or, as in cron, "30 7 * * 1-5"'
)
_UNITS = {"minute": 60, "hour": 3600, "day": 86400}
_MIN_INTERVAL = timedelta(minutes=5)
"""Minimum time between two firings."""
_CRON_FIELDS = ("minute", "hour", "day of the month", "month", "weekday")


@dataclass(frozen=True, slots=True, kw_only=True)
class Firing:
    """One firing of a schedule.

    Attributes:
        period: its name: the local date and time (``2026-05-08T07:30``), or UTC with ``Z`` for ``every``.
        at: the instant, UTC.
    """

    period: str
    at: datetime


_MAX_ABSENCE = timedelta(days=400)
"""Longest absence for which every day is recorded.

No source returns earlier days, and a clock that is decades ahead would create millions of rows. It is as long
as ``[store] keep``.
"""


# --- reading --------------------------------------------------------------------------------------


def parse_schedule(text: str, *, zone: str, latest: str = "") -> Schedule:
    """Parse a schedule as users write it.

    Args:
        text: one of ``daily 7:00``, ``weekdays 07:30``, ``mon,thu 18:00``, ``weekly fri 16:00``, ``monthly 1
            9:00`` (29 to 31 mean the last day of shorter months), ``every 2 hours``, or the five fields of
            crontab(5).
        zone: the IANA zone of the wall clock.
        latest: the local time by which an edition is sent even if it is incomplete; "" for none.

    Raises:
        ConfigError: the text is invalid; the message shows valid ones.
    """
    words = text.lower().split()
    if words[:1] == ["every"]:
        return _parse_every(words[1:], text, latest)
    load_zone(zone)
    latest_clock = _parse_clock(latest, latest) if latest else ""
    if _is_cron(words):
        return Schedule(frequency=Frequency.CRON, zone=zone, at=_parse_cron(text), latest=latest_clock)
    if len(words) < 2:
        raise ConfigError(f"the schedule {text!r} is not valid; write {_SYNTAX_HELP}")
    days_text, at = words[:-1], _parse_clock(words[-1], text)
    try:
        frequency, days = _parse_days(days_text)
    except ValueError:
        raise ConfigError(f"the schedule {text!r} is not valid; write {_SYNTAX_HELP}") from None
    return Schedule(frequency=frequency, zone=zone, at=at, days=days, latest=latest_clock)


def load_zone(name: str) -> ZoneInfo:
    """Return the zone of an IANA name.

    Raises:
        ConfigError: the zone does not exist.
    """
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ConfigError(
            f"there is no time zone {name!r}; write an IANA name such as Europe/Berlin, America/New_York or UTC"
        ) from None


def make_single_schedule(at: datetime, zone: str) -> Schedule:
    """Return a schedule that fires once, at an instant, for a reader in a zone."""
    text = at.astimezone(UTC).isoformat(timespec="microseconds")
    return Schedule(frequency=Frequency.ONCE, zone=zone, at=text)


def _parse_clock(word: str, text: str) -> str:
    match = re.fullmatch(r"([0-9]{1,2}):([0-9]{2})", word)
    if not match or int(match[1]) > 23 or int(match[2]) > 59:
        raise ConfigError(f"{word!r} in {text!r} is not a time of day; write it as 07:30")
    return f"{int(match[1]):02d}:{match[2]}"


def _parse_days(words: list[str]) -> tuple[Frequency, tuple[int, ...]]:
    match words:
        case ["daily"]:
            return Frequency.DAILY, tuple(range(7))
        case ["weekdays"]:
            return Frequency.DAILY, tuple(range(5))
        case ["weekly", day]:
            return Frequency.WEEKLY, (_parse_weekday(day),)
        case ["monthly", day] if day.isdecimal() and 1 <= int(day) <= 31:
            return Frequency.MONTHLY, (int(day),)
        case _:
            names = [name for name in "".join(words).split(",") if name]
            days = tuple(sorted({_parse_weekday(name) for name in names}))
            return (Frequency.DAILY if len(days) > 1 else Frequency.WEEKLY), days


def _parse_weekday(name: str) -> int:
    full_names = [day.lower() for day in calendar.day_name]
    return WEEKDAYS.index(name) if name in WEEKDAYS else full_names.index(name)


def _parse_every(words: list[str], text: str, latest: str) -> Schedule:
    if latest:
        raise ConfigError(f"`latest` has no meaning with {text!r}; remove one of the two")
    number, unit = words if len(words) == 2 else ["1", *words, ""][:2]
    seconds = _UNITS.get(unit.removesuffix("s"), 0) * (int(number) if number.isdecimal() else 0)
    if not _MIN_INTERVAL.total_seconds() <= seconds <= 31 * 86400:
        raise ConfigError(f"the schedule {text!r} is not valid; write {_SYNTAX_HELP} (5 minutes at least)")
    return Schedule(frequency=Frequency.EVERY, every=seconds)


def format_expression(schedule: Schedule) -> str:
    """Return what ``parse_schedule`` reads as a schedule that has no days of its own.

    Args:
        schedule: one with the frequency ``EVERY`` or ``CRON``.
    """
    if schedule.frequency is Frequency.CRON:
        return schedule.at
    unit = next(unit for unit in reversed(_UNITS) if schedule.every % _UNITS[unit] == 0)
    number = schedule.every // _UNITS[unit]
    return f"every {number} {unit}{'s' * (number != 1)}"


# cron


def _is_cron(words: list[str]) -> bool:
    """Return True for an attempt at crontab(5): one of its signs, or more than three fields without a time of day."""
    has_sign = any(re.search(r"[*/#@]", word) for word in words)
    return bool(words) and (has_sign or (len(words) > 3 and not any(":" in word for word in words)))


def _parse_cron(text: str) -> str:
    """Return a cron expression in canonical form, after checking its syntax, that it fires, and not too often."""
    expression = " ".join(text.upper().split())
    error = _find_cron_error(expression)
    if error:
        raise ConfigError(f"the schedule {text!r} {error}")
    day = timedelta(days=1)
    try:
        first_wall_clock = next(_iter_cron_wall_clocks(expression, _REFERENCE_DAY, forward=True))
    except StopIteration:
        raise ConfigError(f"the schedule {text!r} never fires: {_NO_SUCH_DAY}") from None
    wall_clocks = takewhile(
        lambda wall: wall < first_wall_clock + 2 * day,
        _iter_cron_wall_clocks(expression, first_wall_clock - day, forward=True),
    )
    if any(later - earlier < _MIN_INTERVAL for earlier, later in pairwise(wall_clocks)):
        raise ConfigError(
            f"the schedule {text!r} fires more often than every 5 minutes; write, for example, */15 as its minute"
        )
    return expression


_REFERENCE_DAY = datetime(2000, 1, 1)  # noqa: DTZ001 - a wall clock, of any zone
_NO_SUCH_DAY = "these months have no such day (such as 30 February)"


def _find_cron_error(expression: str) -> str:
    """Return what is wrong with a cron expression; "" if it is valid."""
    from cronsim import CronSim, CronSimError

    fields = expression.split()
    if expression.startswith("@"):
        return f"is not valid; write {_SYNTAX_HELP}"
    if len(fields) != len(_CRON_FIELDS):
        number = f"{len(fields)} field{'s' * (len(fields) != 1)}"
        return f"has {number}, but cron has five: {', '.join(_CRON_FIELDS)}; write {_SYNTAX_HELP}"
    for position, (name, field) in enumerate(zip(_CRON_FIELDS, fields, strict=True)):
        isolated = ["*"] * len(fields)
        isolated[position] = field
        try:
            CronSim(" ".join(isolated), _REFERENCE_DAY)
        except CronSimError:
            return f"is not valid: {field} is not a valid {name} in cron; write {_SYNTAX_HELP}"
    try:
        CronSim(expression, _REFERENCE_DAY)
    except CronSimError:  # each field is valid, so the combination never occurs
        return f"never fires: {_NO_SUCH_DAY}"
    return ""


# --- firing ---------------------------------------------------------------------------------------


def find_next_firing(schedule: Schedule, after: datetime) -> Firing | None:
    """Return the first firing after an instant; None if there will be none."""
    if schedule.frequency is Frequency.ONCE:
        firing = _make_single_firing(schedule)
        return firing if firing.at > after else None
    if schedule.frequency is Frequency.EVERY:
        return _make_interval_firing(int(after.timestamp()) // schedule.every + 1, schedule.every)
    start = _to_wall_clock(after, schedule.zone) - timedelta(days=1)
    firings = (_make_firing(schedule, wall) for wall in _iter_wall_clocks(schedule, start, forward=True))
    return next((firing for firing in firings if firing and firing.at > after), None)


def find_last_firing(schedule: Schedule, until: datetime) -> Firing | None:
    """Return the last firing at or before an instant; None if there was none."""
    if schedule.frequency is Frequency.ONCE:
        firing = _make_single_firing(schedule)
        return firing if firing.at <= until else None
    if schedule.frequency is Frequency.EVERY:
        return _make_interval_firing(int(until.timestamp()) // schedule.every, schedule.every)
    start = _to_wall_clock(until, schedule.zone) + timedelta(days=1)
    firings = (_make_firing(schedule, wall) for wall in _iter_wall_clocks(schedule, start, forward=False))
    return next((firing for firing in firings if firing and firing.at <= until), None)


def find_latest_after(schedule: Schedule, firing: datetime) -> datetime | None:
    """Return the deadline after a firing, by which its edition is sent even if incomplete; None for none."""
    if not schedule.latest:
        return None
    daily = Schedule(frequency=Frequency.DAILY, zone=schedule.zone, at=schedule.latest, days=tuple(range(7)))
    deadline = find_next_firing(daily, firing)
    return deadline.at if deadline else None


def is_only_firing_of_day(schedule: Schedule, firing: datetime) -> bool:
    """Return True if a firing is the only one of its local date; False for schedules without a wall clock."""
    if schedule.frequency not in WALL_CLOCK_FREQUENCIES:
        return False
    day = _to_wall_clock(firing, schedule.zone).date()
    start = datetime.combine(day, time()) - timedelta(minutes=1)  # cronsim only returns times after the start
    wall_clocks = takewhile(lambda wall: wall.date() <= day, _iter_wall_clocks(schedule, start, forward=True))
    others = (_make_firing(schedule, wall) for wall in wall_clocks if wall.date() == day)
    return all(other is None or other.at == firing for other in others)


def to_instant(day: date, clock: time, zone: str) -> datetime:
    """Return the instant, UTC, of a local date and time in a zone."""
    return datetime.combine(day, clock, ZoneInfo(zone)).astimezone(UTC)


def _make_single_firing(schedule: Schedule) -> Firing:
    at = datetime.fromisoformat(schedule.at)
    return Firing(period=_to_wall_clock(at, schedule.zone).strftime("%Y-%m-%dT%H:%M"), at=at)


def _make_interval_firing(number: int, seconds: int) -> Firing:
    at = datetime.fromtimestamp(number * seconds, UTC)
    return Firing(period=at.strftime("%Y-%m-%dT%H:%MZ"), at=at)


def count_daily_firings(schedule: Schedule) -> int:
    """Return how often a schedule fires on a day on which it does.

    Args:
        schedule: one that fires again and again.
    """
    if schedule.frequency is Frequency.EVERY:
        return -(-86400 // schedule.every)
    if schedule.frequency is not Frequency.CRON:
        return 1
    first_day = next(_iter_cron_wall_clocks(schedule.at, _REFERENCE_DAY, forward=True)).date()
    start = datetime.combine(first_day, time()) - timedelta(minutes=1)
    wall_clocks = _iter_cron_wall_clocks(schedule.at, start, forward=True)
    return sum(1 for _ in takewhile(lambda wall: wall.date() == first_day, wall_clocks))


# wall-clock schedules


def _to_wall_clock(at: datetime, zone: str) -> datetime:
    """Return the local date and time in a zone at an instant, as a naive datetime."""
    return at.astimezone(ZoneInfo(zone)).replace(tzinfo=None)


def _iter_wall_clocks(schedule: Schedule, start: datetime, *, forward: bool) -> Iterator[datetime]:
    """Return the local firing times in order, beginning around ``start``."""
    if schedule.frequency is Frequency.CRON:
        return _iter_cron_wall_clocks(schedule.at, start, forward=forward)
    clock = time.fromisoformat(schedule.at)
    days = (start.date() + timedelta(days=offset if forward else -offset) for offset in count())
    return (datetime.combine(day, clock) for day in days if _is_firing_day(schedule, day))


def _iter_cron_wall_clocks(expression: str, start: datetime, *, forward: bool) -> Iterator[datetime]:
    """Return the local firing times of a cron expression.

    They have no zone, so that cronsim does not handle clock changes in its own way.
    """
    from cronsim import CronSim

    return CronSim(expression, start, reverse=not forward)


def _make_firing(schedule: Schedule, wall: datetime) -> Firing | None:
    """Return the firing at a local time; None if it has none."""
    at = to_instant(wall.date(), wall.time(), schedule.zone)
    actual = _to_wall_clock(at, schedule.zone)
    if actual != wall and (
        _is_skipped_date(wall.date(), schedule.zone) or _is_overtaken(schedule, wall, actual)
    ):
        return None
    return Firing(period=wall.strftime("%Y-%m-%dT%H:%M"), at=at)


def _is_skipped_date(day: date, zone: str) -> bool:
    """Return True if a zone skips the date, as Apia skipped 2011-12-30."""
    return _to_wall_clock(to_instant(day, time(), zone), zone).date() != day


def _is_overtaken(schedule: Schedule, wall: datetime, actual: datetime) -> bool:
    """Return True if a local time in a gap is shifted to, or past, another firing time, and would fire twice.

    For example, a schedule that fires every half hour would otherwise fire twice at the first full hour after
    the gap.
    """
    if schedule.frequency is not Frequency.CRON:
        return False
    later_wall_clocks = takewhile(
        lambda other: other <= actual, _iter_cron_wall_clocks(schedule.at, wall, forward=True)
    )
    zone = schedule.zone
    return any(
        _to_wall_clock(to_instant(candidate.date(), candidate.time(), zone), zone) == candidate
        for candidate in later_wall_clocks
    )


def _is_firing_day(schedule: Schedule, day: date) -> bool:
    if schedule.frequency is Frequency.MONTHLY:
        return day.day == min(schedule.days[0], calendar.monthrange(day.year, day.month)[1])
    return day.weekday() in schedule.days


# --- a source's calendar --------------------------------------------------------------------------


def compute_due_at(calendar: Calendar, day: date) -> datetime:
    """Return when an announcement day should be available, UTC."""
    return _add_to_midnight(calendar, day, calendar.opens)


def compute_opens_at(calendar: Calendar, route: Route, day: date) -> datetime:
    """Return when a route has an announcement day, UTC."""
    return _add_to_midnight(calendar, day, route.opens)


def is_retained(calendar: Calendar, route: Route, day: date, now: datetime) -> bool:
    """Return True if a route still has a day, or will have it."""
    return route.keeps is None or now < _add_to_midnight(calendar, day, route.keeps)


def compute_day_end(calendar: Calendar, day: date) -> datetime:
    """Return when an announcement day ends in its source's zone, UTC."""
    return to_instant(day + timedelta(days=1), time(), calendar.zone)


def _add_to_midnight(calendar: Calendar, day: date, offset: timedelta) -> datetime:
    """Add an offset to midnight in local time, because days on which clocks change have another number of hours."""
    at = datetime.combine(day, time()) + offset
    return at.replace(tzinfo=ZoneInfo(calendar.zone)).astimezone(UTC)


def iter_due_days(calendar: Calendar, after: datetime, until: datetime) -> Iterator[date]:
    """Yield, in order, the announcement days that become due after one instant and at or before another."""
    day = after.astimezone(ZoneInfo(calendar.zone)).date() - timedelta(days=1)
    while compute_due_at(calendar, day) <= until:
        if day.weekday() in calendar.weekdays and compute_due_at(calendar, day) > after:
            yield day
        day += timedelta(days=1)


def list_days_to_record(calendar: Calendar, since: date, now: datetime) -> tuple[date, ...]:
    """Return the announcement days since a section's first one that are due by now.

    After an absence of more than 400 days, these are the first two days and those of the last 400 days, so
    that an edition can say from when to when days are missing.
    """
    begin, recent = compute_due_at(calendar, since) - timedelta(microseconds=1), now - _MAX_ABSENCE
    if begin >= recent:
        return tuple(iter_due_days(calendar, begin, now))
    # The first day may be the last one before the absence; the second is then the first missing one.
    first_days = islice(iter_due_days(calendar, begin, now), 2)
    return tuple(dict.fromkeys((*first_days, *iter_due_days(calendar, recent, now))))


def get_previous_day(calendar: Calendar, day: date) -> date:
    """Return the announcement day before another one; holidays count, because only requests reveal them."""
    return next(
        candidate
        for offset in count(1)
        if (candidate := day - timedelta(days=offset)).weekday() in calendar.weekdays
    )


def get_next_day(calendar: Calendar, day: date) -> date:
    """Return the announcement day after another one."""
    return next(
        candidate
        for offset in count(1)
        if (candidate := day + timedelta(days=offset)).weekday() in calendar.weekdays
    )


def get_last_due_day(calendar: Calendar, now: datetime) -> date:
    """Return the last announcement day that is due by now."""
    return list(iter_due_days(calendar, now - timedelta(days=8), now))[-1]
