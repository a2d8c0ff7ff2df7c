from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.core.delivery.throttling.rates import Rate
from digest.core.publishing.request_rates import compute_wait, name_network, spend

NOW = datetime(2026, 6, 12, 12, tzinfo=UTC)
NEVER = datetime.min.replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("host", "network"),
    [
        ("192.0.2.7", "192.0.2.0/24"),
        ("192.0.2.255", "192.0.2.0/24"),
        ("2001:db8:1:2::7", "2001:db8:1::/48"),
        ("2001:db8:1:ffff::7%eth0", "2001:db8:1::/48"),
        ("::ffff:192.0.2.7", "192.0.2.0/24"),
        ("10.1.2.3", "10.1.2.0/24"),
        ("127.0.0.1", ""),
        ("::1", ""),
        ("::ffff:127.0.0.1", ""),
        ("", ""),
        ("unknown", ""),
        ("_hidden", ""),
        ("192.0.2.7\r\nx: y", ""),
        ("1" * 5_000, ""),
    ],
)
def test_a_client_belongs_to_the_network_that_a_customer_usually_has(host: str, network: str) -> None:
    assert name_network(host) == network


@given(
    gaps=st.lists(st.integers(0, 30_000), min_size=1, max_size=200),
    rate=st.builds(Rate, st.integers(1, 50), st.sampled_from([timedelta(seconds=1), timedelta(minutes=1)])),
)
def test_no_period_gets_more_than_twice_its_rate_and_who_waits_as_told_is_answered(
    gaps: list[int], rate: Rate
) -> None:
    now, spent_to, answered = NOW, NEVER, []
    for gap in gaps:
        now += timedelta(milliseconds=gap)
        wait = compute_wait(rate, spent_to, now)
        if wait <= timedelta():
            spent_to = spend(rate, spent_to, now, 1)
            answered.append(now)
        else:
            assert wait <= rate.per
            assert compute_wait(rate, spent_to, now + wait) <= timedelta()
    for end in answered:
        assert len([at for at in answered if end - rate.per < at <= end]) <= 2 * rate.messages
    assert len(answered) >= min(rate.messages, len(gaps)), "what a rate allows in its period may come at once"
