from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.core.subscribers.signup_rules import (
    KEPT_FOR,
    MAX_MAILS,
    MIN_INTERVAL,
    PERIOD,
    is_admitted,
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
    assert all(later - earlier >= MIN_INTERVAL for earlier, later in zip(sent, sent[1:], strict=False))
    assert all(
        len([at for at in sent if last - PERIOD < at <= last]) <= MAX_MAILS for last in sent
    )
    assert sent or not minutes


def test_a_time_in_the_future_locks_nobody_out() -> None:
    assert may_write([NOW + timedelta(days=400)], NOW)
    assert select_kept([NOW + timedelta(days=400), NOW - KEPT_FOR], NOW) == []


@pytest.mark.parametrize(
    ("who", "mailbox", "is_let_in"),
    [
        ("anyone", "ada@example.com", True),
        ("domains", "ada@example.org", True),
        ("domains", "ada@xn--bcher-kva.example", True),
        ("domains", "ada@sub.example.org", False),
        ("domains", "ada@badexample.org", False),
        ("domains", "ada@example.com", False),
        ("invited", "ada@example.org", False),
    ],
)
def test_who_may_sign_up_is_said_in_the_file(who: str, mailbox: str, is_let_in: bool) -> None:  # noqa: FBT001
    assert is_admitted(mailbox, who, ("example.org", "xn--bcher-kva.example")) == is_let_in
