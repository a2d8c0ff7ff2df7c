from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from digest.core.subscribers.signup_rules import (
    KEPT_FOR,
    MAX_MAILS,
    MIN_INTERVAL,
    PERIOD,
    may_write,
    select_kept,
)

NOW = datetime(2026, 6, 12, 12, tzinfo=UTC)


@given(st.lists(st.integers(0, 600), max_size=300))
def test_nobody_gets_more_than_three_mails_in_any_day_or_two_in_ten_minutes(minutes: list[int]) -> None:
    now, kept, sent = NOW, list[datetime](), list[datetime]()
    for pause in minutes:
        now += timedelta(minutes=pause)
        if may_write(kept, now):
            kept = select_kept([*kept, now], now)
            sent.append(now)
    assert all(later - earlier >= MIN_INTERVAL for earlier, later in pairwise(sent))
    assert all(len([at for at in sent if last - PERIOD < at <= last]) <= MAX_MAILS for last in sent)
    assert sent or not minutes


def test_a_time_in_the_future_locks_nobody_out() -> None:
    assert may_write([NOW + timedelta(days=400)], NOW)
    assert select_kept([NOW + timedelta(days=400), NOW - KEPT_FOR], NOW) == []
