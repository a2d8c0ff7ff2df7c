"""When arXiv gives out what, by New York's clock (https://info.arxiv.org/help/availability.html)."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

NEW_YORK = ZoneInfo("America/New_York")


def get_list_time(day: date) -> datetime:
    """A day's list: 20:00 of the evening before."""
    return _get_evening_before(day, time(20))


def get_records_time(day: date) -> datetime:
    """A day's records, by OAI-PMH and by search: 22:30 of the evening before."""
    return _get_evening_before(day, time(22, 30))


def get_feed_time(day: date) -> datetime:
    """A day's feeds: the midnight with which it begins."""
    return datetime.combine(day, time(), NEW_YORK).astimezone(UTC)


def get_day_in(zone: ZoneInfo, now: datetime) -> date:
    """Which day it is somewhere."""
    return now.astimezone(zone).date()


def _get_evening_before(day: date, clock: time) -> datetime:
    return datetime.combine(day - timedelta(days=1), clock, NEW_YORK).astimezone(UTC)
