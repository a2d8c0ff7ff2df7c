from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from types import MappingProxyType

from hypothesis import given
from hypothesis import strategies as st

from digest.core.publishing.addresses import DayAddress, Order, Tab
from digest.core.publishing.day_entries import (
    PAGE_SIZE,
    DayEntry,
    count_categories,
    filter_entries,
    select_tab,
    sort_entries,
    take_page,
)
from digest.model import EventKind

DAY = date(2026, 6, 12)


def make_entry(
    seq: int,
    kind: EventKind = EventKind.NEW,
    *,
    key: str = "",
    categories: tuple[str, ...] = ("cs.DC",),
    has_code: bool = False,
    counts: Mapping[str, float] = MappingProxyType({}),
) -> DayEntry:
    return DayEntry(
        seq=seq, key=key or f"url:{seq}", kind=kind, categories=categories, has_code=has_code, counts=counts
    )


def test_a_paper_that_is_new_and_picked_on_a_day_is_shown_once() -> None:
    entries = [
        make_entry(1, key="x"),
        make_entry(2, EventKind.PICKED, key="x"),
        make_entry(3, EventKind.VERSION),
    ]

    assert [entry.seq for entry in select_tab(entries, Tab.NEW)] == [1]
    assert [entry.seq for entry in select_tab(entries, Tab.PICKED)] == [2]
    assert [entry.seq for entry in select_tab(entries, Tab.VERSIONS)] == [3]
    assert select_tab(entries, Tab.UPDATES) == ()


def test_a_category_an_archive_and_code_are_filters() -> None:
    entries = [
        make_entry(1),
        make_entry(2, categories=("math.OC", "cs.LG")),
        make_entry(3, categories=("hep-th",), has_code=True),
    ]

    def seqs(**choices: str | bool) -> list[int]:
        return [entry.seq for entry in filter_entries(entries, DayAddress(day=DAY, **choices))]  # type: ignore[arg-type] # the names are those of filters

    assert seqs() == [1, 2, 3]
    assert seqs(category="cs.LG") == [2]
    assert seqs(category="cs") == [1, 2]
    assert seqs(has_code=True) == [3]
    assert seqs(category="cs", has_code=True) == []


@given(st.lists(st.none() | st.integers(0, 5), max_size=30))
def test_papers_without_a_number_come_last_and_equal_ones_keep_their_order(votes: list[int | None]) -> None:
    entries = [
        make_entry(seq, counts={} if value is None else {"votes": value}) for seq, value in enumerate(votes)
    ]

    ordered = sort_entries(entries, Order.VOTES)

    keys = [(-entry.counts.get("votes", -1), entry.seq) for entry in ordered]
    assert keys == sorted(keys)
    assert sort_entries(entries, Order.LISTING) == tuple(entries)


@given(st.integers(0, 350))
def test_every_paper_is_on_exactly_one_page(number: int) -> None:
    entries = [make_entry(seq) for seq in range(number)]
    first = take_page(entries, 1)
    assert first is not None

    pages = [take_page(entries, page) for page in range(1, first.pages + 1)]

    assert [entry.seq for page in pages if page for entry in page.entries] == list(range(number))
    assert all(page is not None and len(page.entries) <= PAGE_SIZE for page in pages)
    assert take_page(entries, first.pages + 1) is None


def test_categories_are_counted() -> None:
    entries = [
        make_entry(1),
        make_entry(2, categories=("cs.DC", "cs.LG")),
        make_entry(3, categories=("cs.AI",)),
    ]

    assert count_categories(entries) == (("cs.DC", 2), ("cs.AI", 1), ("cs.LG", 1))
