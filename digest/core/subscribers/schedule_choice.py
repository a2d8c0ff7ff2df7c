"""The schedule of a digest as a reader chooses it: days of the week or a day of the month, a time, and a time zone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from zoneinfo import available_timezones

from digest.core.subscribers.own_digest import EditError, EditMistake
from digest.core.times.schedule import WEEKDAYS, parse_schedule
from digest.model import Frequency, Schedule

_TIME = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleChoice:
    """A schedule.

    Attributes:
        days: the days of the week, 0 for Monday; empty for a day of the month.
        month_day: the day of the month, 1 to 31; 0 for days of the week.
        at: the time of day, such as ``07:30``.
        latest: the time at which an edition comes even if announcements are missing; "" for none.
        zone: the IANA name of the time zone.
    """

    days: tuple[int, ...] = ()
    month_day: int = 0
    at: str
    latest: str = ""
    zone: str


def read_schedule_choice(schedule: Schedule) -> ScheduleChoice | None:
    """Return the choice that makes a schedule; None for one that only a file can have."""
    match schedule.frequency:
        case Frequency.DAILY | Frequency.WEEKLY:
            return ScheduleChoice(
                days=schedule.days, at=schedule.at, latest=schedule.latest, zone=schedule.zone
            )
        case Frequency.MONTHLY:
            (month_day,) = schedule.days
            return ScheduleChoice(
                month_day=month_day, at=schedule.at, latest=schedule.latest, zone=schedule.zone
            )
        case _:
            return None


def make_chosen_schedule(choice: ScheduleChoice) -> Schedule:
    """Return the schedule of a choice.

    Raises:
        EditError: it has no day, or no valid time or time zone.
    """
    if choice.zone not in list_zones():
        raise EditError(EditMistake.BAD_ZONE)
    if not _TIME.fullmatch(choice.at) or (choice.latest and not _TIME.fullmatch(choice.latest)):
        raise EditError(EditMistake.BAD_TIME)
    if 1 <= choice.month_day <= 31:
        days = f"monthly {choice.month_day}"
    elif choice.days and set(choice.days) <= set(range(7)):
        names = ",".join(WEEKDAYS[day] for day in sorted(set(choice.days)))
        days = names if "," in names else f"weekly {names}"
    else:
        raise EditError(EditMistake.NO_DAYS)
    return parse_schedule(f"{days} {choice.at}", zone=choice.zone, latest=choice.latest)


@cache
def list_zones() -> tuple[str, ...]:
    """Return the names of the time zones of places, and UTC, in order."""
    places = (name for name in available_timezones() if "/" in name and not name.startswith(_OTHER_NAMES))
    return tuple(sorted({*places, "UTC"}))


_OTHER_NAMES = ("Etc/", "SystemV/", "US/", "Canada/", "Brazil/", "Chile/", "Mexico/", "posix/", "right/")
"""Beginnings of names that are no places, or the former names of some."""
