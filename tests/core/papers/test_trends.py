from __future__ import annotations

from datetime import date, timedelta

from digest.core.papers.trends import compute_gains
from digest.model import Signal

DAY = date(2026, 6, 12)


def make_votes(days_before: int, value: float, source: str = "a", subject: str = "x") -> Signal:
    return Signal(subject=subject, kind="votes", source=source, day=DAY - timedelta(days_before), value=value)


def test_votes_gained_in_a_week_are_counted_for_each_site_alone() -> None:
    signals = [
        *(make_votes(8, 10), make_votes(7, 12), make_votes(3, 20), make_votes(0, 25)),
        *(make_votes(2, 9, "b"), make_votes(-1, 99)),
        *(make_votes(20, 5, subject="y"), make_votes(1, 5, subject="y")),
    ]

    gains = compute_gains(signals, DAY)

    assert {subject: (gain.value, gain.source) for subject, gain in gains.items()} == {"x": (13, "a")}
    assert gains["x"].day == DAY
    assert compute_gains([make_votes(2, 9, "b")], DAY)["x"].value == 9
