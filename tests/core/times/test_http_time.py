from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from digest.core.times.http_time import compute_freshness_lifetime, parse_http_date
from tests.support.cases import for_each_case

NOW = datetime(2026, 6, 12, 5, 30, tzinfo=UTC)
SOON = "Fri, 12 Jun 2026 05:40:00 GMT"


@for_each_case(
    "text",
    [
        "Fri, 12 Jun 2026 05:30:00 GMT",
        "Friday, 12-Jun-26 05:30:00 GMT",
        "Fri Jun 12 05:30:00 2026",
        "Fri, 12 Jun 2026 05:30:00 -0000",
        "Fri, 12 Jun 2026 07:30:00 +0200",
    ],
)
def test_a_date_is_read_in_each_form_that_http_allows(text: str) -> None:
    assert parse_http_date(text) == NOW


@for_each_case(
    ("headers", "expected"),
    [
        ({}, None),
        ({"cache-control": "max-age=600"}, 600),
        ({"cache-control": "public, Max-Age=600, must-revalidate"}, 600),
        ({"cache-control": 'max-age="600"'}, 600),
        ({"cache-control": "s-maxage=600"}, None),
        ({"cache-control": "max-age=600, s-maxage=9"}, 600),
        ({"cache-control": "max-age=600", "age": "400"}, 200),
        ({"cache-control": "max-age=600", "age": "600"}, None),
        ({"cache-control": "max-age=600", "age": "old"}, 600),
        ({"cache-control": "max-age=600, no-cache"}, None),
        ({"cache-control": "no-store", "expires": SOON}, None),
        ({"cache-control": "max-age=0", "expires": SOON}, None),
        ({"cache-control": "max-age=soon", "expires": SOON}, None),
        ({"cache-control": "max-age"}, None),
        ({"cache-control": "private", "expires": SOON}, 600),
        ({"expires": SOON}, 600),
        ({"expires": SOON, "age": "60"}, 540),
        ({"expires": "0"}, None),
        ({"expires": "Fri, 12 Jun 2026 05:20:00 GMT"}, None),
        ({"cache-control": "max-age=86397"}, 86397),
    ],
)
def test_how_long_an_answer_stays_good_is_read_as_the_standard_says(
    headers: dict[str, str], expected: int | None
) -> None:
    assert compute_freshness_lifetime(headers, NOW) == (
        None if expected is None else timedelta(seconds=expected)
    )


@given(
    st.dictionaries(
        st.sampled_from(["cache-control", "expires", "age"]),
        st.text() | st.from_regex(r"max-age ?= ?\"?[0-9]{0,30}\"?") | st.from_regex(r"[0-9]{0,30}"),
    )
)
def test_no_header_breaks_the_reading(headers: dict[str, str]) -> None:
    fresh = compute_freshness_lifetime(headers, NOW)

    assert fresh is None or fresh > timedelta(0)


@given(
    st.text() | st.from_regex(r"[A-Z][a-z]{2}, [0-9]{1,3} [A-Z][a-z]{2} [0-9]{1,25} [0-9:]{1,9} [+-][0-9]{4}")
)
def test_no_text_breaks_the_reading_of_a_date(text: str) -> None:
    date = parse_http_date(text)

    assert date is None or date.tzinfo is UTC
