"""When a slot fires: over local dates and wall clocks, never over seconds.

A wall clock that does not exist on a date is taken with the offset from before the gap, one that comes
twice the first time (RFC 5545, section 3.3.5). A date that a zone leaves out has no firing.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from itertools import count
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from digest.errors import ConfigError
from digest.model import Calendar, Firing, Frequency, Route, Schedule

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_FORMS = (
    '"daily 7:00", "weekdays 07:30", "mon,thu 18:00", "weekly fri 16:00", "monthly 1 9:00" or "every 2 hours"'
)
_UNITS = {"minute": 60, "hour": 3600, "day": 86400}


# --- reading --------------------------------------------------------------------------------------


def parse_schedule(text: str, *, zone: str, latest: str = "") -> Schedule:
    """Read a schedule as people write it.

    Args:
        text: one of ``daily 7:00``, ``weekdays 07:30``, ``mon,thu 18:00``, ``weekly fri 16:00``,
            ``monthly 1 9:00`` (29 to 31 fall on the last day of shorter months), ``every 2 hours``.
        zone: the IANA zone of the wall clock.
        latest: the wall clock by which an edition goes out complete or not; "" for none.

    Raises:
        ConfigError: what is wrong and what would be right.
    """
    words = text.lower().split()
    if words[:1] == ["every"]:
        return _every(words[1:], text, latest)
    if len(words) == 5 and all(re.fullmatch(r"[\d*/,-]+", word) for word in words):
        raise ConfigError(f"the schedule {text!r} looks like cron, which is not there yet; write {_FORMS}")
    if len(words) < 2:
        raise ConfigError(f"the schedule {text!r} is not understood; write {_FORMS}")
    days_text, at = words[:-1], _clock(words[-1], text)
    try:
        known_zone(zone)
        frequency, days = _days(days_text)
    except ValueError:
        raise ConfigError(f"the schedule {text!r} is not understood; write {_FORMS}") from None
    by = _clock(latest, latest) if latest else ""
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
    found = re.fullmatch(r"(\d{1,2}):(\d{2})", word)
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
    if not 5 * 60 <= seconds <= 31 * 86400:
        raise ConfigError(f"the schedule {text!r} is not understood; write {_FORMS} (5 minutes at least)")
    return Schedule(frequency=Frequency.EVERY, every=seconds)


# --- firing ---------------------------------------------------------------------------------------


def next_firing(schedule: Schedule, after: datetime) -> Firing | None:
    """The first firing later than an instant; None when there will be none."""
    if schedule.frequency is Frequency.ONCE:
        firing = _single(schedule)
        return firing if firing.at > after else None
    if schedule.frequency is Frequency.EVERY:
        return _every_firing(int(after.timestamp()) // schedule.every + 1, schedule.every)
    start = after.astimezone(ZoneInfo(schedule.zone)).date() - timedelta(days=1)
    firings = (_firing(schedule, start + timedelta(days=n)) for n in count())
    return next(firing for firing in firings if firing and firing.at > after)


def last_firing(schedule: Schedule, until: datetime) -> Firing | None:
    """The last firing not later than an instant; None when there was none."""
    if schedule.frequency is Frequency.ONCE:
        firing = _single(schedule)
        return firing if firing.at <= until else None
    if schedule.frequency is Frequency.EVERY:
        return _every_firing(int(until.timestamp()) // schedule.every, schedule.every)
    start = until.astimezone(ZoneInfo(schedule.zone)).date() + timedelta(days=1)
    firings = (_firing(schedule, start - timedelta(days=n)) for n in count())
    return next(firing for firing in firings if firing and firing.at <= until)


def latest_after(schedule: Schedule, firing: datetime) -> datetime | None:
    """The first time after a firing at which its edition goes out complete or not; None for none."""
    if not schedule.latest:
        return None
    by = Schedule(frequency=Frequency.DAILY, zone=schedule.zone, at=schedule.latest, days=tuple(range(7)))
    found = next_firing(by, firing)
    return found.at if found else None


def instant(day: date, clock: time, zone: str) -> datetime:
    """The instant, UTC, at which a zone's wall clock shows a time on a date."""
    return datetime.combine(day, clock, ZoneInfo(zone)).astimezone(UTC)


def _single(schedule: Schedule) -> Firing:
    at = datetime.fromisoformat(schedule.at)
    return Firing(period=at.astimezone(ZoneInfo(schedule.zone)).strftime("%Y-%m-%dT%H:%M"), at=at)


def _every_firing(number: int, seconds: int) -> Firing:
    at = datetime.fromtimestamp(number * seconds, UTC)
    return Firing(period=at.strftime("%Y-%m-%dT%H:%MZ"), at=at)


def _firing(schedule: Schedule, day: date) -> Firing | None:
    if not _fires_on(schedule, day):
        return None
    clock = time.fromisoformat(schedule.at)
    at = instant(day, clock, schedule.zone)
    if at.astimezone(ZoneInfo(schedule.zone)).date() != day:
        return None  # the zone left this date out, as Apia did with 2011-12-30
    return Firing(period=f"{day.isoformat()}T{schedule.at}", at=at)


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


def last_day_due(calendar: Calendar, now: datetime) -> date:
    """The last announcement day that is due by now."""
    return list(days_due(calendar, now - timedelta(days=8), now))[-1]
