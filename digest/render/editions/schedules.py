"""Descriptions of schedules for readers."""

from __future__ import annotations

from digest.model import Frequency, Schedule
from digest.render.languages.locales import Locale

_WORKING_DAYS = (0, 1, 2, 3, 4)
_ALL_DAYS = (*_WORKING_DAYS, 5, 6)
_MINUTE, _HOUR, _DAY = 60, 3600, 86400


def describe_schedule(schedule: Schedule, locale: Locale) -> str:
    """Describe when a digest is sent: ``every Monday and Thursday at 18:00 (Europe/Berlin)``."""
    times = describe_times(schedule, locale)
    if schedule.frequency in {Frequency.EVERY, Frequency.ONCE, Frequency.ALERT}:
        return times
    # Translators: when a digest is sent, with the time zone: "every day at 07:30 (Europe/Berlin)".
    return locale.gettext("%(when)s (%(zone)s)", when=times, zone=schedule.zone)


def describe_times(schedule: Schedule, locale: Locale) -> str:
    """Describe when a digest is sent, by a clock of which the time zone is not known yet."""
    _ = locale.gettext
    match schedule.frequency:
        case Frequency.EVERY:
            return _describe_interval(schedule.every, locale)
        case Frequency.ONCE | Frequency.ALERT:
            return _("once")
        case Frequency.DAILY | Frequency.WEEKLY:
            return _describe_weekdays(schedule, locale)
        case Frequency.MONTHLY:
            return _describe_month_days(schedule, locale)
        case _:
            return _("on the schedule %(cron)s", cron=schedule.at)


def _describe_month_days(schedule: Schedule, locale: Locale) -> str:
    return locale.ngettext(
        "on day %(days)s of each month at %(time)s",
        "on days %(days)s of each month at %(time)s",
        len(schedule.days),
        days=locale.listed([str(day) for day in schedule.days]),
        time=schedule.at,
    )


def _describe_weekdays(schedule: Schedule, locale: Locale) -> str:
    _ = locale.gettext
    if schedule.days in {(), _ALL_DAYS}:
        return _("every day at %(time)s", time=schedule.at)
    if schedule.days == _WORKING_DAYS:
        return _("on weekdays at %(time)s", time=schedule.at)
    names = list_weekdays(locale)
    days = locale.listed([names[day] for day in schedule.days])
    # Translators: the days are names of weekdays: "every Monday and Thursday at 18:00".
    return _("every %(days)s at %(time)s", days=days, time=schedule.at)


def list_weekdays(locale: Locale) -> tuple[str, ...]:
    """Return the names of the days of the week, Monday first."""
    _ = locale.gettext
    return (
        _("Monday"),
        _("Tuesday"),
        _("Wednesday"),
        _("Thursday"),
        _("Friday"),
        _("Saturday"),
        _("Sunday"),
    )


def _describe_interval(seconds: int, locale: Locale) -> str:
    if seconds % _DAY == 0:
        return locale.ngettext("every day", "every %(num)s days", seconds // _DAY)
    if seconds % _HOUR == 0:
        return locale.ngettext("every hour", "every %(num)s hours", seconds // _HOUR)
    return locale.ngettext("every minute", "every %(num)s minutes", seconds // _MINUTE)
