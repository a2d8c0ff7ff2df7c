"""When a digest comes is said as people say it."""

from __future__ import annotations

from digest.core.times.schedule import parse_schedule
from digest.model import Frequency, Schedule
from digest.render.editions.schedules import describe_schedule
from digest.render.languages.locales import ENGLISH
from tests.support.cases import for_each_case


@for_each_case(
    ("text", "words"),
    [
        ("daily 7:00", "every day at 07:00 (Europe/Berlin)"),
        ("weekdays 07:30", "on weekdays at 07:30 (Europe/Berlin)"),
        ("mon,thu 18:00", "every Monday and Thursday at 18:00 (Europe/Berlin)"),
        ("weekly fri 16:00", "every Friday at 16:00 (Europe/Berlin)"),
        ("monthly 1 9:00", "on day 1 of each month at 09:00 (Europe/Berlin)"),
        ("every 2 hours", "every 2 hours"),
        ("every 30 minutes", "every 30 minutes"),
        ("every 1 day", "every day"),
        ("30 7 * * 1-5", "on the schedule 30 7 * * 1-5 (Europe/Berlin)"),
    ],
)
def test_what_is_written_in_the_file_is_said_in_words(text: str, words: str) -> None:
    assert describe_schedule(parse_schedule(text, zone="Europe/Berlin"), ENGLISH) == words


def test_several_days_of_the_month_are_named() -> None:
    monthly = Schedule(frequency=Frequency.MONTHLY, at="09:00", days=(1, 15))

    assert describe_schedule(monthly, ENGLISH) == "on days 1 and 15 of each month at 09:00 (UTC)"
