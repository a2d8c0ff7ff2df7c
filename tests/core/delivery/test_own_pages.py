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
    stop, page = token(PAGES.unsubscribe(number)), token(PAGES.edition(number))
    feed = token(PAGES.feed(number, "systems", "rss"))

    assert (PAGES.destination_of(stop), PAGES.destination_of(page), PAGES.destination_of(feed)) == (
        number,
        None,
        None,
    )
    assert (PAGES.edition_of(stop), PAGES.edition_of(page), PAGES.edition_of(feed)) == (None, number, None)
    assert (PAGES.feed_of(stop), PAGES.feed_of(page), PAGES.feed_of(feed)) == (None, None, (number, 0))


@given(NUMBERS, st.integers(1, 9_999))
def test_a_renewed_address_is_another_one_and_says_how_often_it_was_renewed(number: int, times: int) -> None:
    before = token(PAGES.feed(number, "systems", "rss", times - 1))
    after = token(PAGES.feed(number, "systems", "rss", times))

    assert before != after
    assert (PAGES.feed_of(before), PAGES.feed_of(after)) == ((number, times - 1), (number, times))
    assert PAGES.feed_of(after.replace(f"-{times}.", ".")) is None


def test_an_archive_stands_beside_the_newest_entries() -> None:
    assert token(PAGES.feed(7, "a", "rss", archive=3)) == token(PAGES.feed(7, "a", "rss"))
    assert PAGES.feed(7, "a", "rss", archive=3).endswith("/3/a.rss")


def test_they_stand_below_the_site_wherever_that_is() -> None:
    assert PAGES.unsubscribe(7).startswith("https://digest.example.org/lab/unsubscribe/7.")
    assert PAGES.edition(7).startswith("https://digest.example.org/lab/editions/7.")
    assert PAGES.feed(7, "llm-systems", "atom").endswith("/llm-systems.atom")


def test_the_address_to_unsubscribe_fits_a_line_of_a_mail() -> None:
    assert len(PAGES.unsubscribe(200_000).removeprefix(PAGES.url)) <= 50


def test_the_key_is_not_told() -> None:
    assert "kkk" not in repr(PAGES)
