"""What a feed reader that remembers can rely on."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from digest.web.protocol.conditions import accepts_gzip, is_unchanged
from tests.support.cases import for_each_case

ETAG = '"5f3a"'
CHANGED = datetime(2026, 6, 12, 5, 30, 4, 700_000, tzinfo=UTC)
THEN, BEFORE = "Fri, 12 Jun 2026 05:30:04 GMT", "Fri, 12 Jun 2026 05:30:03 GMT"


@for_each_case(
    "header",
    [
        ETAG,
        "*",
        " * ",
        f"W/{ETAG}",
        f'"other", {ETAG}',
        f'"a,b",{ETAG} , "c"',
        f'W/"x", W/{ETAG}',
        f"{ETAG}\t",
    ],
)
def test_who_has_this_already_is_told_so(header: str) -> None:
    assert is_unchanged(header, None, ETAG, CHANGED)


@for_each_case("header", ['"5f3b"', "5f3a", "", '""', '"5f3a', '"5F3A"', 'W/"5f3a-gz"', '"x5f3a"', "W/*"])
def test_who_has_something_else_gets_this(header: str) -> None:
    assert not is_unchanged(header, None, ETAG, CHANGED)


def test_tags_come_before_dates() -> None:
    assert not is_unchanged('"other"', THEN, ETAG, CHANGED)
    assert is_unchanged(ETAG, BEFORE, ETAG, CHANGED)


@for_each_case(
    ("header", "same"),
    [
        (THEN, True),
        ("Sat, 13 Jun 2026 05:30:04 GMT", True),
        (BEFORE, False),
        ("Friday, 12-Jun-26 05:30:04 GMT", True),
        ("Fri Jun 12 05:30:04 2026", True),
        ("garbage", False),
        ("", False),
        ("0", False),
        ("Fri, 99 Jun 2026 05:30:04 GMT", False),
    ],
)
def test_dates_count_to_the_second_and_garbage_does_not(header: str, same: bool) -> None:  # noqa: FBT001 - a table
    assert is_unchanged(None, header, ETAG, CHANGED) is same


def test_a_feed_that_never_changed_has_no_date_to_compare() -> None:
    assert not is_unchanged(None, THEN, ETAG, None)


def test_who_asks_for_no_condition_gets_it() -> None:
    assert not is_unchanged(None, None, ETAG, CHANGED)


@for_each_case(
    "header",
    ["gzip", "GZIP", "deflate, gzip;q=0.5", "gzip, br", "*", "br;q=1.0, *;q=0.1", "x-gzip", "gzip ; q=1"],
)
def test_who_takes_gzip_gets_it(header: str) -> None:
    assert accepts_gzip(header)


@for_each_case(
    "header", ["", "identity", "gzip;q=0", "gzip;q=0.000, *", "*;q=0", "br", "gzipped", "gzip;q=2"]
)
def test_who_does_not_take_gzip_does_not_get_it(header: str) -> None:
    assert not accepts_gzip(header)


@given(st.text(), st.text(), st.text())
def test_whatever_a_client_sends_is_answered(tags: str, date: str, codings: str) -> None:
    assert is_unchanged(tags, date, ETAG, CHANGED) in {True, False}
    assert is_unchanged(None, date, ETAG, CHANGED) in {True, False}
    assert accepts_gzip(codings) in {True, False}


@for_each_case("header", ['"' * 100_000, "W/" * 100_000, '"a",' * 100_000, "gzip;" * 100_000])
def test_headers_without_end_cost_nothing(header: str) -> None:
    assert not is_unchanged(header, None, ETAG, CHANGED)
    assert not accepts_gzip(header)
