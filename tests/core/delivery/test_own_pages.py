"""What the addresses of our own pages can be relied on for."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from digest.core.delivery.own_pages import OwnPages

PAGES = OwnPages(url="https://digest.example.org/lab", keys=(b"k" * 32,))
NUMBERS = st.integers(1, 2**63 - 1)


def token(address: str) -> str:
    return address.removeprefix(PAGES.url).split("/")[2]


@given(NUMBERS)
def test_each_address_leads_to_what_it_was_made_for_and_to_nothing_else(number: int) -> None:
    stop, page = token(PAGES.make_unsubscribe_url(number)), token(PAGES.make_edition_url(number))
    feed = token(PAGES.make_feed_url(number, "systems", "rss"))

    assert (
        PAGES.read_unsubscribe_token(stop),
        PAGES.read_unsubscribe_token(page),
        PAGES.read_unsubscribe_token(feed),
    ) == (
        number,
        None,
        None,
    )
    assert (
        PAGES.read_edition_token(stop),
        PAGES.read_edition_token(page),
        PAGES.read_edition_token(feed),
    ) == (None, number, None)
    assert (PAGES.read_feed_token(stop), PAGES.read_feed_token(page), PAGES.read_feed_token(feed)) == (
        None,
        None,
        (number, 0),
    )


@given(NUMBERS, st.integers(1, 9_999))
def test_a_renewed_address_is_another_one_and_says_how_often_it_was_renewed(number: int, times: int) -> None:
    before = token(PAGES.make_feed_url(number, "systems", "rss", times - 1))
    after = token(PAGES.make_feed_url(number, "systems", "rss", times))

    assert before != after
    assert (PAGES.read_feed_token(before), PAGES.read_feed_token(after)) == (
        (number, times - 1),
        (number, times),
    )
    assert PAGES.read_feed_token(after.replace(f"-{times}.", ".")) is None


def test_an_archive_stands_beside_the_newest_entries() -> None:
    assert token(PAGES.make_feed_url(7, "a", "rss", archive=3)) == token(PAGES.make_feed_url(7, "a", "rss"))
    assert PAGES.make_feed_url(7, "a", "rss", archive=3).endswith("/3/a.rss")


def test_they_stand_below_the_site_wherever_that_is() -> None:
    assert PAGES.make_unsubscribe_url(7).startswith("https://digest.example.org/lab/unsubscribe/7.")
    assert PAGES.make_edition_url(7).startswith("https://digest.example.org/lab/editions/7.")
    assert PAGES.make_feed_url(7, "llm-systems", "atom").endswith("/llm-systems.atom")


def test_the_address_to_unsubscribe_fits_a_line_of_a_mail() -> None:
    assert len(PAGES.make_unsubscribe_url(200_000).removeprefix(PAGES.url)) <= 50


def test_the_key_is_not_told() -> None:
    assert "kkk" not in repr(PAGES)
