"""When a slot fires: over local dates and wall clocks, never over seconds.

A wall clock that does not exist on a date is taken with the offset from before the gap, one that comes
twice the first time (RFC 5545, section 3.3.5). A date that a zone leaves out has no firing.
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

WALL_CLOCKS = frozenset({Frequency.DAILY, Frequency.WEEKLY, Frequency.MONTHLY, Frequency.CRON})
"""What fires at a time of a reader's day."""
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_FORMS = (
    '"daily 7:00", "weekdays 07:30", "mon,thu 18:00", "weekly fri 16:00", "monthly 1 9:00", "every 2 hours" '
    'or, as cron has it, "30 7 * * 1-5"'
)
_UNITS = {"minute": 60, "hour": 3600, "day": 86400}
_LEAST = timedelta(minutes=5)
"""The shortest time between two firings."""
_CRON_FIELDS = ("minute", "hour", "day of the month", "month", "weekday")


@dataclass(frozen=True, slots=True, kw_only=True)
class Firing:
    """One firing of a schedule."""

    period: str
    at: datetime


_LONGEST_ABSENCE = timedelta(days=400)
"""The longest time of which each day is accounted for where nothing ran: no source shows an earlier day, and a clock
that is decades ahead would make millions of rows. As long as ``[store] keep``."""


# --- reading --------------------------------------------------------------------------------------


def parse_schedule(text: str, *, zone: str, latest: str = "") -> Schedule:
    """Read a schedule as people write it.

    Args:
        text: one of ``daily 7:00``, ``weekdays 07:30``, ``mon,thu 18:00``, ``weekly fri 16:00``,
            ``monthly 1 9:00`` (29 to 31 fall on the last day of shorter months), ``every 2 hours``, or the
            five fields of crontab(5).
        zone: the IANA zone of the wall clock.
        latest: the wall clock by which an edition goes out complete or not; "" for none.

    Raises:
        ConfigError: what is wrong and what would be right.
    """
    words = text.lower().split()
    if words[:1] == ["every"]:
        return _every(words[1:], text, latest)
    known_zone(zone)
    by = _clock(latest, latest) if latest else ""
    if _looks_like_cron(words):
        return Schedule(frequency=Frequency.CRON, zone=zone, at=_cron(text), latest=by)
    if len(words) < 2:
        raise ConfigError(f"the schedule {text!r} is not understood; write {_FORMS}")
    days_text, at = words[:-1], _clock(words[-1], text)
    try:
        frequency, days = _days(days_text)
    except ValueError:
        raise ConfigError(f"the schedule {text!r} is not understood; write {_FORMS}") from None
    return Schedule(frequency=frequency, zone=zone, at=at, days=days, latest=by)


def known_zone(name: str) -> ZoneInfo:
    """The zone of an IANA name.

    Raises:
        ConfigError: there is no such zone.
    """
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ConfigError(
            f"there is no time zone {name!r}; write an IANA name such as Europe/Berlin, America/New_York or UTC"
        ) from None


def once(at: datetime, zone: str) -> Schedule:
    """The schedule of a single firing at an instant, for a reader in a zone."""
    text = at.astimezone(UTC).isoformat(timespec="microseconds")
    return Schedule(frequency=Frequency.ONCE, zone=zone, at=text)


def _clock(word: str, text: str) -> str:
    found = re.fullmatch(r"([0-9]{1,2}):([0-9]{2})", word)
    if not found or int(found[1]) > 23 or int(found[2]) > 59:
        raise ConfigError(f"{word!r} in {text!r} is not a time of day; write it as 07:30")
    return f"{int(found[1]):02d}:{found[2]}"


def _days(words: list[str]) -> tuple[Frequency, tuple[int, ...]]:
    match words:
        case ["daily"]:
            return Frequency.DAILY, tuple(range(7))
        case ["weekdays"]:
            return Frequency.DAILY, tuple(range(5))
        case ["weekly", day]:
            return Frequency.WEEKLY, (_weekday(day),)
        case ["monthly", day] if day.isdecimal() and 1 <= int(day) <= 31:
            return Frequency.MONTHLY, (int(day),)
        case _:
            names = [name for name in "".join(words).split(",") if name]
            days = tuple(sorted({_weekday(name) for name in names}))
            return (Frequency.DAILY if len(days) > 1 else Frequency.WEEKLY), days


def _weekday(name: str) -> int:
    full = [day.lower() for day in calendar.day_name]
    return WEEKDAYS.index(name) if name in WEEKDAYS else full.index(name)


def _every(words: list[str], text: str, latest: str) -> Schedule:
    if latest:
        raise ConfigError(f"`latest` has no meaning with {text!r}: take one of them away")
    number, unit = words if len(words) == 2 else ["1", *words, ""][:2]
    seconds = _UNITS.get(unit.removesuffix("s"), 0) * (int(number) if number.isdecimal() else 0)
    if not _LEAST.total_seconds() <= seconds <= 31 * 86400:
        raise ConfigError(f"the schedule {text!r} is not understood; write {_FORMS} (5 minutes at least)")
    return Schedule(frequency=Frequency.EVERY, every=seconds)


# cron


def _looks_like_cron(words: list[str]) -> bool:
    """Whether somebody means crontab(5): a sign of it, or four fields and more where no time of day is."""
    signs = any(re.search(r"[*/#@]", word) for word in words)
    return bool(words) and (signs or (len(words) > 3 and not any(":" in word for word in words)))


def _cron(text: str) -> str:
    """A cron expression in its one spelling, once it is sure that it can be read and fires, and not too often."""
    expression = " ".join(text.upper().split())
    wrong = _wrong_in_cron(expression)
    if wrong:
        raise ConfigError(f"the schedule {text!r} {wrong}")
    day = timedelta(days=1)
    try:
        first = next(_cron_walls(expression, _SOME_DAY, forward=True))
    except StopIteration:
        raise ConfigError(f"the schedule {text!r} never fires: {_NO_SUCH_DAY}") from None
    walls = takewhile(lambda wall: wall < first + 2 * day, _cron_walls(expression, first - day, forward=True))
    if any(later - earlier < _LEAST for earlier, later in pairwise(walls)):
        raise ConfigError(
            f"the schedule {text!r} fires more often than every 5 minutes; write, for example, */15 as its minute"
        )
    return expression


_SOME_DAY = datetime(2000, 1, 1)  # noqa: DTZ001 - a wall clock, of any zone
_NO_SUCH_DAY = "there is no such day in these months (30 February, say)"


def _wrong_in_cron(expression: str) -> str:
    """What is wrong with a cron expression, "" if it can be read."""
    from cronsim import CronSim, CronSimError

    fields = expression.split()
    if expression.startswith("@"):
        return f"is not understood; write {_FORMS}"
    if len(fields) != len(_CRON_FIELDS):
        number = f"{len(fields)} field{'s' * (len(fields) != 1)}"
        return f"has {number}, and cron has five: {', '.join(_CRON_FIELDS)}; write {_FORMS}"
    for place, (name, field) in enumerate(zip(_CRON_FIELDS, fields, strict=True)):
        alone = ["*"] * len(fields)
        alone[place] = field
        try:
            CronSim(" ".join(alone), _SOME_DAY)
        except CronSimError:
            return f"is not understood: {field} is no {name} as cron has it; write {_FORMS}"
    try:
        CronSim(expression, _SOME_DAY)
    except CronSimError:  # each of them can be read, so it is what they say together
        return f"never fires: {_NO_SUCH_DAY}"
    return ""


# --- firing ---------------------------------------------------------------------------------------


def next_firing(schedule: Schedule, after: datetime) -> Firing | None:
    """The first firing later than an instant; None when there will be none."""
    if schedule.frequency is Frequency.ONCE:
        firing = _single(schedule)
        return firing if firing.at > after else None
    if schedule.frequency is Frequency.EVERY:
        return _every_firing(int(after.timestamp()) // schedule.every + 1, schedule.every)
    start = _wall(after, schedule.zone) - timedelta(days=1)
    firings = (_firing(schedule, wall) for wall in _walls(schedule, start, forward=True))
    return next((firing for firing in firings if firing and firing.at > after), None)


def last_firing(schedule: Schedule, until: datetime) -> Firing | None:
    """The last firing not later than an instant; None when there was none."""
    if schedule.frequency is Frequency.ONCE:
        firing = _single(schedule)
        return firing if firing.at <= until else None
    if schedule.frequency is Frequency.EVERY:
        return _every_firing(int(until.timestamp()) // schedule.every, schedule.every)
    start = _wall(until, schedule.zone) + timedelta(days=1)
    firings = (_firing(schedule, wall) for wall in _walls(schedule, start, forward=False))
    return next((firing for firing in firings if firing and firing.at <= until), None)


def latest_after(schedule: Schedule, firing: datetime) -> datetime | None:
    """The first time after a firing at which its edition goes out complete or not; None for none."""
    if not schedule.latest:
        return None
    by = Schedule(frequency=Frequency.DAILY, zone=schedule.zone, at=schedule.latest, days=tuple(range(7)))
    found = next_firing(by, firing)
    return found.at if found else None


def is_only_of_its_day(schedule: Schedule, firing: datetime) -> bool:
    """Whether a firing is the only one of its date on the schedule's wall clock; False where it goes by none."""
    if schedule.frequency not in WALL_CLOCKS:
        return False
    day = _wall(firing, schedule.zone).date()
    start = datetime.combine(day, time()) - timedelta(minutes=1)  # cron looks behind it only
    found = takewhile(lambda wall: wall.date() <= day, _walls(schedule, start, forward=True))
    others = (_firing(schedule, wall) for wall in found if wall.date() == day)
    return all(other is None or other.at == firing for other in others)


def instant(day: date, clock: time, zone: str) -> datetime:
    """The instant, UTC, at which a zone's wall clock shows a time on a date."""
    return datetime.combine(day, clock, ZoneInfo(zone)).astimezone(UTC)


def _single(schedule: Schedule) -> Firing:
    at = datetime.fromisoformat(schedule.at)
    return Firing(period=_wall(at, schedule.zone).strftime("%Y-%m-%dT%H:%M"), at=at)


def _every_firing(number: int, seconds: int) -> Firing:
    at = datetime.fromtimestamp(number * seconds, UTC)
    return Firing(period=at.strftime("%Y-%m-%dT%H:%MZ"), at=at)


# by the wall clock


def _wall(at: datetime, zone: str) -> datetime:
    """What a zone's wall clock shows at an instant, without its zone."""
    return at.astimezone(ZoneInfo(zone)).replace(tzinfo=None)


def _walls(schedule: Schedule, start: datetime, *, forward: bool) -> Iterator[datetime]:
    """The wall clocks at which a schedule fires, in order from somewhere around a start."""
    if schedule.frequency is Frequency.CRON:
        return _cron_walls(schedule.at, start, forward=forward)
    clock = time.fromisoformat(schedule.at)
    days = (start.date() + timedelta(days=n if forward else -n) for n in count())
    return (datetime.combine(day, clock) for day in days if _fires_on(schedule, day))


def _cron_walls(expression: str, start: datetime, *, forward: bool) -> Iterator[datetime]:
    """The wall clocks of a cron expression, without a zone: it shall not judge clocks that change."""
    from cronsim import CronSim

    return CronSim(expression, start, reverse=not forward)


def _firing(schedule: Schedule, wall: datetime) -> Firing | None:
    """The firing of a wall clock; None where there is none."""
    at = instant(wall.date(), wall.time(), schedule.zone)
    shown = _wall(at, schedule.zone)
    if shown != wall and (_is_left_out(wall.date(), schedule.zone) or _is_overtaken(schedule, wall, shown)):
        return None
    return Firing(period=wall.strftime("%Y-%m-%dT%H:%M"), at=at)


def _is_left_out(day: date, zone: str) -> bool:
    """Whether a zone has no such date, as Apia had no 2011-12-30."""
    return _wall(instant(day, time(), zone), zone).date() != day


def _is_overtaken(schedule: Schedule, wall: datetime, shown: datetime) -> bool:
    """Whether a wall clock in a gap is shown only when a later one fires, or fired: both would be one firing.

    What fires every half hour would else do so twice at the first full hour after the gap.
    """
    if schedule.frequency is not Frequency.CRON:
        return False
    later = takewhile(lambda other: other <= shown, _cron_walls(schedule.at, wall, forward=True))
    zone = schedule.zone
    return any(_wall(instant(one.date(), one.time(), zone), zone) == one for one in later)


def _fires_on(schedule: Schedule, day: date) -> bool:
    if schedule.frequency is Frequency.MONTHLY:
        return day.day == min(schedule.days[0], calendar.monthrange(day.year, day.month)[1])
    return day.weekday() in schedule.days


# --- a source's calendar --------------------------------------------------------------------------


def due_at(calendar: Calendar, day: date) -> datetime:
    """When an announcement day should be out, UTC."""
    return _after_midnight(calendar, day, calendar.opens)


def opens_at(calendar: Calendar, route: Route, day: date) -> datetime:
    """When a route has an announcement day, UTC."""
    return _after_midnight(calendar, day, route.opens)


def keeps(calendar: Calendar, route: Route, day: date, now: datetime) -> bool:
    """Whether a route has a day still, or will have it."""
    return route.keeps is None or now < _after_midnight(calendar, day, route.keeps)


def over_at(calendar: Calendar, day: date) -> datetime:
    """When an announcement day is over in its source's zone, UTC."""
    return instant(day + timedelta(days=1), time(), calendar.zone)


def _after_midnight(calendar: Calendar, day: date, after: timedelta) -> datetime:
    """By the wall clock: a day on which clocks change has another number of hours."""
    at = datetime.combine(day, time()) + after
    return at.replace(tzinfo=ZoneInfo(calendar.zone)).astimezone(UTC)


def days_due(calendar: Calendar, after: datetime, until: datetime) -> Iterator[date]:
    """The announcement days that are due later than one instant and not later than another, in order."""
    day = after.astimezone(ZoneInfo(calendar.zone)).date() - timedelta(days=1)
    while due_at(calendar, day) <= until:
        if day.weekday() in calendar.weekdays and due_at(calendar, day) > after:
            yield day
        day += timedelta(days=1)


def days_to_account_for(calendar: Calendar, since: date, now: datetime) -> tuple[date, ...]:
    """The announcement days from a section's first one on that are due by now.

    After an absence of years these are the first days of it and those of the last 400 days, so that an edition can
    tell from when to when days are missing.
    """
    begin, recent = due_at(calendar, since) - timedelta(microseconds=1), now - _LONGEST_ABSENCE
    if begin >= recent:
        return tuple(days_due(calendar, begin, now))
    first = islice(days_due(calendar, begin, now), 2)  # the last one before the absence, and the first in it
    return tuple(dict.fromkeys((*first, *days_due(calendar, recent, now))))


def day_before(calendar: Calendar, day: date) -> date:
    """The announcement day before another one; what is a holiday is for the batch to find out."""
    return next(one for n in count(1) if (one := day - timedelta(days=n)).weekday() in calendar.weekdays)


def day_after(calendar: Calendar, day: date) -> date:
    """The announcement day after another one."""
    return next(one for n in count(1) if (one := day + timedelta(days=n)).weekday() in calendar.weekdays)


def last_day_due(calendar: Calendar, now: datetime) -> date:
    """The last announcement day that is due by now."""
    return list(days_due(calendar, now - timedelta(days=8), now))[-1]
