from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from digest.core.fetching.limits import HostLimits, parse_limits
from tests.support.cases import for_each_case

NOW = datetime(2026, 6, 12, 5, 30, tzinfo=UTC)
EPOCH = int(NOW.timestamp())


def limits(pace: float | None = None, pause: float | None = None, remaining: int | None = None) -> HostLimits:
    return HostLimits(
        pace=None if pace is None else timedelta(seconds=pace),
        pause=None if pause is None else timedelta(seconds=pause),
        remaining=remaining,
    )


TOLD = {
    "nothing": ({}, limits()),
    # RateLimit, as the draft has it and as it had it
    "Hugging Face": (
        {"ratelimit": '"api";r=499;t=299', "ratelimit-policy": '"fixed window";"api";q=500;w=300'},
        limits(pace=0.6, remaining=499),
    ),
    "Hugging Face, nearly used up": (
        {"ratelimit": '"api";r=20;t=240', "ratelimit-policy": '"fixed window";"api";q=500;w=300'},
        limits(pace=12, remaining=20),
    ),
    "Hugging Face, used up": (
        {"ratelimit": '"api";r=0;t=240', "ratelimit-policy": '"fixed window";"api";q=500;w=300'},
        limits(pace=0.6, pause=240, remaining=0),
    ),
    "two budgets": (
        {"ratelimit": '"burst";r=9;t=1, "day";r=0;t=40000'},
        limits(pace=1 / 9, pause=40_000, remaining=0),
    ),
    "a name with signs in it": ({"ratelimit": '"a,b;r=0;t=9 \\" ";r=7;t=14'}, limits(pace=2, remaining=7)),
    "draft 7": (
        {"ratelimit": "limit=100, remaining=50, reset=25", "ratelimit-policy": "100;w=60"},
        limits(pace=0.6, remaining=50),
    ),
    "drafts 0 to 6": (
        {"ratelimit-limit": "100, 100;w=60", "ratelimit-remaining": "80", "ratelimit-reset": "8"},
        limits(pace=0.6, remaining=80),
    ),
    # a header for each number
    "OpenAlex, as recorded": (
        {"ratelimit-limit": "5", "ratelimit-remaining": "9", "ratelimit-reset": "1"},
        limits(pace=0.2, remaining=9),
    ),
    "OpenAlex, a day's budget is not spread": (
        {"x-ratelimit-limit": "1000", "x-ratelimit-remaining": "976", "x-ratelimit-reset": "54000"},
        limits(remaining=976),
    ),
    "OpenAlex, a day's budget is gone": (
        {"x-ratelimit-limit": "1000", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "54000"},
        limits(pause=54_000, remaining=0),
    ),
    "reset in seconds since 1970": (
        {"x-ratelimit-limit": "60", "x-ratelimit-remaining": "0", "x-ratelimit-reset": f"{EPOCH + 1800}"},
        limits(pause=1800, remaining=0),
    ),
    "reset in milliseconds since 1970": (
        {"x-ratelimit-remaining": "0", "x-ratelimit-reset": f"{EPOCH + 1800}000"},
        limits(pause=1800, remaining=0),
    ),
    "reset as a date": (
        {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "Fri, 12 Jun 2026 06:00:00 GMT"},
        limits(pause=1800, remaining=0),
    ),
    "reset in the past": (
        {"x-ratelimit-remaining": "0", "x-ratelimit-reset": f"{EPOCH - 60}"},
        limits(remaining=0),
    ),
    "reset in fractions": (
        {"x-ratelimit-remaining": "0.00", "x-ratelimit-reset": "1.50"},
        limits(pause=1.5, remaining=0),
    ),
    "less than nothing left": (
        {"x-ratelimit-remaining": "-3", "x-ratelimit-reset": "90"},
        limits(pause=90, remaining=0),
    ),
    "used up until nobody says when": ({"x-ratelimit-remaining": "0"}, limits(remaining=0)),
    "used up for years": (
        {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "90000000"},
        limits(pause=86_400, remaining=0),
    ),
    # Crossref
    "Crossref": ({"x-rate-limit-limit": "5", "x-rate-limit-interval": "1s"}, limits(pace=0.2)),
    "Crossref's other pool": (
        {"x-rate-limit-limit": "150", "x-rate-limit-interval": "1s"},
        limits(pace=1 / 150),
    ),
    "by the minute": ({"x-rate-limit-limit": "30", "x-rate-limit-interval": "1m"}, limits(pace=2)),
    "Crossref without its interval": ({"x-rate-limit-limit": "50"}, limits()),
    # not worth believing
    "a pace of hours": ({"x-rate-limit-limit": "1", "x-rate-limit-interval": "1d"}, limits(pace=60)),
    "a time that runs backwards": ({"ratelimit": "r=1;t=-1, r=0;t=-1"}, limits(remaining=0)),
    "a pace of ages": ({"ratelimit-policy": "q=0.000000001;w=999999999999999"}, limits(pace=60)),
    "no requests at all": ({"ratelimit-policy": '"x";q=0;w=60'}, limits()),
    "no numbers": (
        {"ratelimit": "soon", "x-ratelimit-remaining": "some", "x-ratelimit-reset": "later"},
        limits(),
    ),
    "half a number": ({"x-ratelimit-remaining": "0x20", "x-ratelimit-reset": "10 minutes"}, limits()),
}


@for_each_case(("headers", "expected"), TOLD.values(), ids=TOLD)
def test_limits_are_read_in_all_the_ways_that_hosts_tell_them(
    headers: dict[str, str], expected: HostLimits
) -> None:
    host_limits = parse_limits(headers, NOW)

    assert (host_limits.pause, host_limits.remaining) == (expected.pause, expected.remaining)
    assert (host_limits.pace is None) == (expected.pace is None)
    if host_limits.pace is not None and expected.pace is not None:
        assert abs(host_limits.pace - expected.pace) < timedelta(milliseconds=1)


NAMES = ["limit", "remaining", "reset", "interval", "policy"]
HEADERS = st.sampled_from(
    [
        "ratelimit",
        *(prefix + name for prefix in ("ratelimit-", "x-ratelimit-", "x-rate-limit-") for name in NAMES),
    ]
)
VALUES = (
    st.text()
    | st.integers().map(str)
    | st.floats().map(str)
    | st.from_regex(r'("[a-z]*")?(;[qwrt]=-?[0-9]{0,400}(\.[0-9]*)?)*')
    | st.from_regex(r"[0-9]{0,400}[smhd]?")
)


@given(st.dictionaries(HEADERS, VALUES))
def test_no_header_breaks_the_reading_and_no_host_can_stop_us_for_ever(headers: dict[str, str]) -> None:
    host_limits = parse_limits(headers, NOW)

    assert host_limits.pace is None or timedelta(0) <= host_limits.pace <= timedelta(minutes=1)
    assert host_limits.pause is None or timedelta(0) < host_limits.pause <= timedelta(hours=24)
    assert host_limits.remaining is None or host_limits.remaining >= 0


def test_every_recorded_answer_is_read_and_none_asks_for_more_than_a_second(data: Path) -> None:
    answers = [
        json.loads(line).get("http") or {} for line in (data / "MANIFEST.jsonl").read_text().splitlines()
    ]
    recorded = [
        {name.lower(): value for name, value in answer.get("headers", {}).items()} for answer in answers
    ]
    counted = [headers for headers in recorded if any("limit" in name for name in headers)]

    host_limitses = [parse_limits(headers, NOW) for headers in counted]

    assert len(counted) > 100
    assert all(
        host_limits.pace is None or host_limits.pace <= timedelta(seconds=1) for host_limits in host_limitses
    )
    assert {host_limits.remaining for host_limits in host_limitses if host_limits.remaining is not None} > {
        9,
        976,
        990,
    }
    with_interval = [
        host_limits
        for headers, host_limits in zip(counted, host_limitses, strict=True)
        if "x-rate-limit-interval" in headers
    ]
    assert sum(host_limits.pace is not None for host_limits in with_interval) >= len(with_interval) - 1
    assert all(host_limits.pause is None for host_limits in host_limitses)
