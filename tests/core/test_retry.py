from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.core.retry import delivery_pause, imposed_pause, pull_pause

NOW = datetime(2026, 6, 12, 5, 30, tzinfo=UTC)


@given(st.integers(1, 10_000))
def test_pauses_grow_and_never_give_up(count: int) -> None:
    assert pull_pause(count) <= pull_pause(count + 1) <= timedelta(hours=2)
    assert delivery_pause(count) <= delivery_pause(count + 1) <= timedelta(hours=6)


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("120", timedelta(minutes=2)),
        ("Fri, 12 Jun 2026 05:40:00 GMT", timedelta(minutes=10)),
        ("0", timedelta(seconds=1)),
        ("Fri, 12 Jun 2026 05:00:00 GMT", timedelta(seconds=1)),
        ("99999999999999999999", timedelta(hours=24)),
        ("soon", None),
        ("-5", None),
        ("", None),
    ],
)
def test_both_forms_of_retry_after_are_understood(header: str, expected: timedelta | None) -> None:
    assert expected == imposed_pause(header, NOW)


@given(st.text())
def test_no_header_breaks_the_reading_of_retry_after(header: str) -> None:
    pause = imposed_pause(header, NOW)

    assert pause is None or timedelta(seconds=1) <= pause <= timedelta(hours=24)
