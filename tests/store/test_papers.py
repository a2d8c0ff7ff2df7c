from __future__ import annotations

import threading
from collections import Counter
from datetime import date, timedelta
from functools import partial
from typing import Any

import pytest
from sqlalchemy import func, select

from digest.model import Author, Event, EventKind, Listing, ListingKind
from digest.store import papers
from digest.store.engine import Store, highest_seq
from digest.store.schema import authorships, events, listings, paper_ids
from digest.store.schema import papers as papers_table
from tests.store.given import BEFORE, DAY, announce, at_once, batch, new, paper, replaced

TABLES = (papers_table, paper_ids, authorships, listings, events)


def content(store: Store) -> dict[str, list[Any]]:
    """Every row about papers."""
    with store.reading() as tx:
        return {table.name: sorted(map(repr, tx.execute(select(table)))) for table in TABLES}


def told(store: Store) -> list[tuple[int, str, str, int, bool]]:
    with store.reading() as tx:
        found = papers.events_between(tx, 0, highest_seq(tx))
    return [(one.seq, one.paper.key[-5:], one.kind.value, one.number, one.first) for one in found]


# --- listings -------------------------------------------------------------------------------------


def test_the_same_listings_again_change_nothing(store: Store) -> None:
    listed = (new(1, doi="10.1000/one"), new(2), replaced(3, 2))
    first = announce(store, *listed)
    before = content(store)

    again = announce(store, *listed)

    assert (first.received, first.added, first.events) == (3, 3, 3)
    assert (again.received, again.added, again.events) == (3, 0, 0)
    assert content(store) == before


def test_a_paper_printed_twice_in_one_answer_is_one_listing(store: Store) -> None:
    saved = announce(store, new(1), new(1), Listing(kind=ListingKind.CROSS, paper=paper(1)))

    assert (saved.received, saved.events) == (2, 1)


def test_events_follow_the_order_printed(store: Store) -> None:
    announce(store, new(3), new(1), new(2))

    assert [key for _, key, *_ in told(store)] == ["00003", "00001", "00002"]


def test_a_late_listing_is_kept_and_makes_its_event(store: Store) -> None:
    announce(store, new(1), day=DAY - timedelta(days=1))
    announce(store, new(2))

    late = announce(store, new(1), new(3), day=DAY - timedelta(days=1))

    assert (late.received, late.added, late.events) == (2, 1, 1)
    assert told(store)[-1] == (3, "00003", "new", 0, True)


def test_listings_from_before_we_asked_first_flood_nobody(store: Store) -> None:
    with store.writing() as tx:
        old = papers.save(tx, batch(tx, day=DAY - timedelta(days=1)), [new(1)], since=DAY)
        today = papers.save(tx, batch(tx, day=DAY), [new(2)], since=DAY)

    assert (old.received, old.events) == (1, 0)
    assert (today.received, today.events) == (1, 1)
    assert [key for _, key, *_ in told(store)] == ["00002"]


def test_where_a_paper_was_listed_is_kept(store: Store) -> None:
    announce(store, new(1))
    announce(store, Listing(kind=ListingKind.CROSS, paper=paper(1)), section="cs.DC")

    with store.reading() as tx:
        number = papers.find(tx, [paper(1).key])[paper(1).key]
        kinds = [kind for _, kind in papers.listings_of(tx, number)]

    assert kinds == [ListingKind.NEW, ListingKind.CROSS]


# --- papers ---------------------------------------------------------------------------------------


def known(store: Store, number: int) -> Any:
    with store.reading() as tx:
        numbers = papers.find(tx, [paper(number).key])
        return papers.load(tx, numbers.values())[numbers[paper(number).key]]


def test_a_cross_listing_adds_its_categories_and_the_primary_one_stays_first(store: Store) -> None:
    announce(store, new(1, categories=("cs.LG", "stat.ML")))
    announce(
        store, Listing(kind=ListingKind.CROSS, paper=paper(1, categories=("cs.LG", "cs.DC"))), section="cs.DC"
    )

    assert known(store, 1).categories == ("cs.LG", "stat.ML", "cs.DC")


def test_a_newer_version_takes_the_place_of_title_and_authors(store: Store) -> None:
    announce(store, new(1, title="Old", authors=["A B", "C D", "E F"]))
    announce(store, replaced(1, 2, title="New", authors=["E F", "A B"]))
    announce(store, new(1, title="Old", authors=["A B", "C D", "E F"]), day=DAY + timedelta(days=1))

    paper = known(store, 1)
    assert (paper.title, paper.version) == ("New", 2)
    assert paper.authors == (Author(name="E F"), Author(name="A B"))


def test_what_is_stored_comes_back_as_it_was(store: Store) -> None:
    listed = paper(
        1, title="Ünïcode, “quotes” and $x_1$", authors=("王小明", "O'Neil, J."), doi="10.1000/a(b)c"
    )
    announce(store, Listing(kind=ListingKind.NEW, paper=listed))

    assert known(store, 1) == listed


# --- events ---------------------------------------------------------------------------------------


def test_only_new_and_cross_make_a_paper_new_and_each_version_is_told_once(store: Store) -> None:
    announce(store, new(1), replaced(2, 3))
    announce(store, Listing(kind=ListingKind.CROSS, paper=paper(1)), section="cs.DC")
    announce(store, Listing(kind=ListingKind.REPLACE_CROSS, paper=paper(2, version=3)), section="cs.DC")
    announce(store, replaced(2, 4), new(2, version=4), day=DAY + timedelta(days=1))

    assert told(store) == [
        (1, "00001", "new", 0, True),
        (2, "00002", "version", 3, True),
        (3, "00002", "version", 4, False),
        (4, "00002", "new", 0, False),
    ]


def test_the_first_event_of_a_paper_is_marked_also_where_one_answer_makes_two(store: Store) -> None:
    announce(store, replaced(1, 2), new(1, version=2), new(2))

    assert [(key, kind, first) for _, key, kind, _, first in told(store)] == [
        ("00001", "version", True),
        ("00001", "new", False),
        ("00002", "new", True),
    ]


def seqs(found: Any) -> list[int]:
    return [one.seq for one in found]


def test_events_are_found_by_place_and_by_day(store: Store) -> None:
    yesterday = DAY - timedelta(days=1)
    announce(store, new(1), new(2), day=yesterday)
    announce(store, new(3))
    announce(store, new(4), day=yesterday)  # late

    with store.reading() as tx:
        assert seqs(papers.events_between(tx, 1, 3)) == [2, 3]
        assert seqs(papers.events_between(tx, 4, 4)) == []
        assert sorted(papers.events_at(tx, [4, 2, 99])) == [2, 4]
        assert seqs(papers.events_since(tx, DAY)) == [3]
        assert seqs(papers.events_since(tx, yesterday)) == [1, 2, 3, 4]
        assert papers.before_day(tx, yesterday) == 0
        assert papers.before_day(tx, DAY) == 2
        assert papers.before_day(tx, DAY + timedelta(days=1)) == 4
        assert papers.last_event_day(tx) == DAY
        event = papers.events_at(tx, [4])[4]
    assert event == Event(
        seq=4, kind=EventKind.NEW, number=0, day=yesterday, source="arxiv", first=True, paper=paper(4)
    )


def test_a_new_store_has_no_events(store: Store) -> None:
    with store.reading() as tx:
        assert papers.before_day(tx, DAY) == 0
        assert papers.last_event_day(tx) is None


# --- size -----------------------------------------------------------------------------------------


def test_a_day_of_two_thousand_papers_and_a_paper_of_three_thousand_authors_fit(store: Store) -> None:
    crowd = [f"Author {number}" for number in range(3000)]
    listed = [new(number, authors=[f"Author {number}"], doi=f"10.1000/{number}") for number in range(2000)]
    listed[1000] = new(1000, authors=crowd)

    saved = announce(store, *listed)
    announce(store, *(replaced(number, 2, authors=["Somebody Else"]) for number in range(2000)))

    assert saved.events == 2000
    with store.reading() as tx:
        assert highest_seq(tx) == 4000
        assert len(papers.events_at(tx, range(4001))) == 4000
        count = tx.execute(select(func.count()).select_from(authorships)).scalar_one()
    assert count == 2000
    announce(store, replaced(1000, 3, authors=crowd))
    assert len(known(store, 1000).authors) == 3000


# --- many at once ---------------------------------------------------------------------------------


def test_overlapping_batches_saved_at_once_lose_and_double_no_event(store: Store) -> None:
    def save(worker: int) -> None:
        for turn in range(5):
            # Overlapping, and listed in another order by each, so that rows would be taken crosswise.
            numbers = range(turn * 10, turn * 10 + 30)
            order = numbers if worker % 2 else reversed(numbers)
            listed = [new(number) if worker < 2 else replaced(number, 2) for number in order]
            announce(store, *listed, section=f"cs.{'ABCD'[worker]}")

    at_once(*(partial(save, worker) for worker in range(4)))

    found = told(store)
    assert [seq for seq, *_ in found] == list(range(1, len(found) + 1))
    assert Counter((key, kind, number) for _, key, kind, number, _ in found) == Counter(
        (f"{paper:05}", kind, number) for paper in range(70) for kind, number in (("new", 0), ("version", 2))
    )
    assert Counter(key for _, key, _, _, first in found if first) == Counter(
        f"{paper:05}" for paper in range(70)
    )


def test_who_saves_other_papers_meanwhile_gets_the_numbers_after_ours(store: Store) -> None:
    saved, other_done = threading.Event(), threading.Event()

    def ours() -> None:
        with store.writing() as tx:
            papers.save(tx, batch(tx), [new(1), new(2)], BEFORE)
            saved.set()
            other_done.wait(0.2)  # the other one runs into us, and cannot be done before we are

    def other() -> None:
        saved.wait()
        announce(store, new(3), new(4), section="cs.DC")
        other_done.set()

    at_once(ours, other)

    assert [(seq, key) for seq, key, *_ in told(store)] == [(n, f"{n:05}") for n in (1, 2, 3, 4)]


def test_a_number_once_seen_never_has_a_lower_one_come_after_it(store: Store) -> None:
    seen: list[int] = []
    ended: list[int] = []

    def save(worker: int) -> None:
        try:
            for turn in range(8):
                announce(store, new(worker * 100 + turn), section=f"cs.{'ABC'[worker]}")
        finally:
            ended.append(worker)

    def watch() -> None:
        while len(ended) < 3:
            with store.reading() as tx:
                there = tx.execute(select(events.c.seq).order_by(events.c.seq)).scalars().all()
                assert list(there) == list(range(1, highest_seq(tx) + 1))
            seen.append(len(there))

    at_once(*(partial(save, worker) for worker in range(3)), watch)

    assert seen == sorted(seen)


@pytest.mark.parametrize("there_before", [False, True])
def test_what_several_add_to_one_paper_at_once_is_all_kept(store: Store, *, there_before: bool) -> None:
    numbers = range(12)
    if there_before:
        announce(store, *(new(number) for number in numbers))

    def save(worker: int) -> None:
        order = list(numbers) if worker % 2 else list(reversed(numbers))
        listed = [new(number, categories=("cs.LG", f"q-bio.{'ABCD'[worker]}")) for number in order]
        announce(store, *listed, section=f"cs.{'ABCD'[worker]}")

    at_once(*(partial(save, worker) for worker in range(4)))

    for number in numbers:
        assert sorted(known(store, number).categories) == ["cs.LG", *(f"q-bio.{each}" for each in "ABCD")]


def test_a_later_version_that_comes_at_the_same_time_is_not_lost(store: Store) -> None:
    def save(version: int) -> None:
        authors = [f"Of Version {version}"] * version
        announce(
            store,
            *(replaced(number, version, title=f"Version {version}", authors=authors) for number in range(12)),
            section=f"cs.{'ABCD'[version - 1]}",
        )

    at_once(*(partial(save, version) for version in (4, 2, 3, 1)))

    for number in range(12):
        found = known(store, number)
        assert (found.version, found.title, len(found.authors)) == (4, "Version 4", 4)


def test_dates_are_those_of_the_source(store: Store) -> None:
    announce(store, new(1), day=date(2026, 2, 28))

    with store.reading() as tx:
        assert papers.events_at(tx, [1])[1].day == date(2026, 2, 28)
    assert date(2026, 2, 28) > BEFORE
