from __future__ import annotations

import threading
from collections import Counter
from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from typing import Any

import pytest
from sqlalchemy import insert, select

from digest.core.fetching.repeated_days import ShownListing
from digest.core.papers.news import make_placeholder_number
from digest.model import Author, Event, EventKind, Listing, ListingKind, Paper
from digest.store.database.engine import Store, get_highest_seq
from digest.store.database.tables.papers import events as rows
from digest.store.fetching import ledger, listings
from digest.store.papers import events, papers
from tests.store.factories import (
    BEFORE,
    DAY,
    announce,
    ensure_batch,
    harvest,
    list_events,
    make_article,
    make_cross_listing,
    make_new_listing,
    make_paper,
    make_replacement,
    run_concurrently,
)

YESTERDAY, TOMORROW = DAY - timedelta(days=1), DAY + timedelta(days=1)
DOI = "10.1000/one"
PREPRINT, ARTICLE = make_paper(1, doi=DOI), make_article(DOI)


def kinds(store: Store) -> list[tuple[str, str, int]]:
    return [(key, kind, number) for _, key, kind, number in list_events(store)]


def firsts(store: Store) -> list[bool]:
    with store.begin_read() as tx:
        return [event.first for event in events.load_events_between(tx, 0, get_highest_seq(tx))]


def listed(paper: Paper, kind: ListingKind = ListingKind.NEW) -> Listing:
    return Listing(kind=kind, paper=paper)


# --- what listings tell ---------------------------------------------------------------------------


def test_events_follow_the_order_printed(store: Store) -> None:
    announce(store, make_new_listing(3), make_new_listing(1), make_new_listing(2))

    assert [key for _, key, *_ in list_events(store)] == ["00003", "00001", "00002"]


def test_only_new_and_cross_make_a_paper_new_and_each_version_is_told_once(store: Store) -> None:
    announce(store, make_new_listing(1), make_replacement(2, 3))
    announce(store, make_cross_listing(1), section="cs.DC")
    announce(store, Listing(kind=ListingKind.REPLACE_CROSS, paper=make_paper(2, version=3)), section="cs.DC")
    announce(store, make_replacement(2, 4), make_new_listing(2, version=4), day=TOMORROW)
    announce(store, Listing(kind=ListingKind.REPLACE_CROSS, paper=make_paper(2, version=3)), day=TOMORROW)

    assert list_events(store) == [
        (1, "00001", "new", 0),
        (2, "00002", "version", 3),
        (3, "00002", "version", 4),
        (4, "00002", "new", 0),
    ]
    assert firsts(store) == [True, True, False, False]


def test_the_first_event_of_a_paper_is_marked_also_where_one_answer_makes_two(store: Store) -> None:
    announce(store, make_replacement(1, 2), make_new_listing(1, version=2), make_new_listing(2))

    assert kinds(store) == [("00001", "version", 2), ("00001", "new", 0), ("00002", "new", 0)]
    assert firsts(store) == [True, False, True]


def test_a_paper_is_picked_once_and_published_once(store: Store) -> None:
    for day in (DAY, TOMORROW):
        for kind in (ListingKind.PICKED, ListingKind.PUBLISHED):
            announce(store, listed(make_paper(1), kind), day=day, source="journal")

    assert kinds(store) == [("00001", "picked", 0), ("00001", "published", 0)]


def test_a_withdrawn_paper_is_never_new(store: Store) -> None:
    announce(store, listed(replace(make_paper(1), withdrawn=True)))
    harvest(store, replace(make_paper(2), withdrawn=True))
    announce(store, make_new_listing(2), listed(make_paper(3, version=2), ListingKind.REPLACE))

    assert kinds(store) == [("00003", "version", 2)]


# --- what growth tells ----------------------------------------------------------------------------

_FULLER: dict[str, dict[str, Any]] = {
    "a category": {"categories": ("cs.LG", "cs.DC")},
    "an affiliation": {"authors": (Author("Ada Lovelace", ("Analytical Engines",)),)},
    "an author's id": {"authors": (Author("Ada Lovelace", (), (("orcid", "0000-0002-1825-0097"),)),)},
    "an organization": {"organizations": ("Analytical Engines",)},
}


@pytest.mark.parametrize("subject", _FULLER)
def test_a_paper_has_grown_by(store: Store, subject: str) -> None:
    announce(store, make_new_listing(1))
    harvest(store, replace(make_paper(1), **_FULLER[subject]), day=TOMORROW)

    assert kinds(store)[1:] == [("00001", "grown", 1)]


def test_each_growth_is_an_event_and_a_correction_is_none(store: Store) -> None:
    announce(store, make_new_listing(1))
    harvest(store, make_paper(1, categories=("cs.LG", "cs.DC"), title="Corrected Paper 1"))
    harvest(store, make_paper(1, categories=("cs.LG",)))
    harvest(store, make_paper(1, categories=("cs.LG", "cs.DC", "cs.CL")))
    harvest(store, replace(make_paper(1), comment="12 pages"))

    assert kinds(store)[1:] == [("00001", "grown", 1), ("00001", "grown", 2)]


def test_a_paper_grows_for_thirty_days_and_only_where_it_was_new(store: Store) -> None:
    harvest(store, make_paper(1), make_paper(2), make_paper(3))
    announce(store, make_new_listing(1), make_replacement(2, 2), make_new_listing(4))
    more = ("cs.LG", "cs.DC")
    harvest(
        store, *(make_paper(number, categories=more) for number in (1, 2, 3)), day=DAY + timedelta(days=30)
    )
    harvest(store, make_paper(4, categories=more), day=DAY + timedelta(days=31))

    assert kinds(store)[3:] == [("00001", "grown", 1)]


def test_a_listing_that_says_more_of_a_paper_makes_it_grow(store: Store) -> None:
    announce(store, make_new_listing(1), make_new_listing(2))
    announce(
        store, make_cross_listing(1, categories=("cs.LG", "cs.DC")), make_cross_listing(2), section="cs.DC"
    )

    assert kinds(store)[2:] == [("00001", "grown", 1)]


def test_a_publication_and_code_found_later_are_told_once(store: Store) -> None:
    announce(store, make_new_listing(1), make_new_listing(2))
    paper = replace(make_paper(1, doi=DOI), code_urls=("https://github.com/a/b",))
    harvest(store, paper)
    harvest(store, replace(paper, journal_ref="J. 1", code_urls=("https://github.com/a/c",)), day=TOMORROW)
    announce(store, listed(make_paper(1), ListingKind.PUBLISHED), day=TOMORROW)
    harvest(store, replace(make_paper(2), doi="10.1000/two"), day=DAY + timedelta(days=400))

    assert kinds(store)[2:] == [("00001", "published", 0), ("00001", "code", 0), ("00002", "published", 0)]


def test_of_papers_that_nobody_was_told_of_nothing_is_told(store: Store) -> None:
    harvest(store, make_paper(1))
    paper = replace(
        make_paper(1, doi=DOI, categories=("cs.LG", "cs.DC")), code_urls=("https://github.com/a/b",)
    )
    harvest(store, paper)

    assert kinds(store) == []


# --- papers that are one --------------------------------------------------------------------------


@pytest.mark.parametrize("article_first", [False, True])
def test_papers_that_are_one_are_new_once(store: Store, *, article_first: bool) -> None:
    both = [("arxiv", PREPRINT), ("journal", ARTICLE)]
    for source, paper in reversed(both) if article_first else both:
        announce(store, listed(paper), source=source)
        announce(store, listed(paper), source=source, day=TOMORROW)

    assert [kind for _, kind, _ in kinds(store)].count("new") == 1


def test_the_second_arrival_makes_it_grow_where_it_knows_more(store: Store) -> None:
    announce(store, listed(PREPRINT))
    announce(store, listed(ARTICLE), source="journal")
    assert kinds(store) == [("00001", "new", 0)]

    fuller = replace(ARTICLE, organizations=("Analytical Engines",), journal_ref="J. 1")
    announce(store, listed(fuller), source="journal", day=TOMORROW)
    assert kinds(store)[1:] == [("00001", "grown", 1)]


def test_one_that_brings_more_when_it_comes_makes_the_other_grow_once(store: Store) -> None:
    announce(store, listed(PREPRINT))
    announce(store, listed(replace(ARTICLE, organizations=("Engines",))), source="journal")

    assert kinds(store) == [("00001", "new", 0), ("00001", "grown", 1)]


def test_growth_told_by_two_keys_in_one_answer_is_one_event(store: Store) -> None:
    announce(store, listed(PREPRINT), listed(ARTICLE))
    harvest(store, *(replace(paper, organizations=("Engines",)) for paper in (PREPRINT, ARTICLE)))

    assert kinds(store) == [("00001", "new", 0), ("00001", "grown", 1)]


def test_papers_that_are_parted_go_on_to_grow_each_by_itself(store: Store) -> None:
    announce(store, listed(PREPRINT))
    harvest(store, replace(ARTICLE, organizations=("A",)), source="journal")
    harvest(store, replace(PREPRINT, organizations=("B",)))
    assert kinds(store)[1:] == [("00001", "grown", 1), ("00001", "grown", 2)]
    with store.begin_ingest() as tx:
        number = papers.find_papers(tx, [PREPRINT.key])[PREPRINT.key]
        papers.set_apart(tx, number, "doi", DOI, apart=True)

    harvest(store, replace(PREPRINT, organizations=("C",)))

    assert kinds(store)[-1] == ("00001", "grown", 3)


def test_the_first_event_of_papers_that_are_one_is_not_marked_for_each_may_have_been_told(
    store: Store,
) -> None:
    announce(store, make_new_listing(1))
    announce(store, listed(ARTICLE), source="journal")
    assert firsts(store) == [True, True]

    harvest(store, PREPRINT)

    assert firsts(store)[:2] == [False, False]
    with store.begin_read() as tx:
        assert {event.paper.key for event in events.load_events_by_seq(tx, [1, 2]).values()} == {PREPRINT.key}


# --- reading --------------------------------------------------------------------------------------


def seqs(result: Any) -> list[int]:
    return [entry.seq for entry in result]


def test_events_are_found_by_place_and_by_paper(store: Store) -> None:
    announce(store, make_new_listing(1), make_new_listing(2), day=YESTERDAY)
    announce(store, make_new_listing(3))
    announce(store, make_new_listing(4), day=YESTERDAY)  # late

    with store.begin_read() as tx:
        assert seqs(events.load_events_between(tx, 1, 3)) == [2, 3]
        assert seqs(events.load_events_between(tx, 4, 4)) == []
        assert sorted(events.load_events_by_seq(tx, [4, 2, 99])) == [2, 4]
        assert seqs(
            events.load_events_of_papers(
                tx, papers.find_papers(tx, [make_paper(4).key, make_paper(1).key]).values()
            )
        ) == [1, 4]
        assert events.find_seq_before(tx, YESTERDAY) == 0
        assert events.find_seq_before(tx, DAY) == 2
        assert events.find_seq_before(tx, TOMORROW) == 4
        event = events.load_events_by_seq(tx, [4])[4]
    assert event == Event(
        seq=4, kind=EventKind.NEW, number=0, day=YESTERDAY, source="arxiv", first=True, paper=make_paper(4)
    )


def test_the_last_day_is_that_of_sources_with_days_or_of_those_without(store: Store) -> None:
    announce(store, make_new_listing(1), day=YESTERDAY)
    announce(store, make_new_listing(2), section="blog", source="blog")
    with store.begin_write() as tx:
        ledger.declare_sections(tx, "blog", ["blog"], BEFORE, accounted=False)

    with store.begin_read() as tx:
        assert events.find_last_event_day(tx, accounted=True) == YESTERDAY
        assert events.find_last_event_day(tx, accounted=False) == DAY


def test_a_new_store_has_no_events(store: Store) -> None:
    with store.begin_read() as tx:
        assert events.find_seq_before(tx, DAY) == 0
        assert events.find_last_event_day(tx, accounted=True) is None
        assert events.load_events_between(tx, 0, 10) == ()


def test_dates_are_those_of_the_source(store: Store) -> None:
    announce(store, make_new_listing(1), day=date(2026, 2, 28))

    with store.begin_read() as tx:
        assert events.load_events_by_seq(tx, [1])[1].day == date(2026, 2, 28)


def test_a_big_day_is_numbered_and_read_whole(store: Store) -> None:
    announce(store, *(make_new_listing(number) for number in range(1100)))
    announce(store, *(make_replacement(number, 2) for number in range(1100)), day=TOMORROW)

    with store.begin_read() as tx:
        assert get_highest_seq(tx) == 2200
        assert len(events.load_events_by_seq(tx, range(2201))) == 2200
        assert seqs(events.load_events_between(tx, 0, 2200)) == list(range(1, 2201))


# --- many at once ---------------------------------------------------------------------------------


def test_overlapping_batches_saved_at_once_lose_and_double_no_event(store: Store) -> None:
    def save(worker: int) -> None:
        for turn in range(5):
            # Overlapping, and listed in another order by each.
            numbers = range(turn * 10, turn * 10 + 30)
            order = numbers if worker % 2 else reversed(numbers)
            listings = [
                make_new_listing(number) if worker < 2 else make_replacement(number, 2) for number in order
            ]
            announce(store, *listings, section=f"cs.{'ABCD'[worker]}")

    run_concurrently(*(partial(save, worker) for worker in range(4)))

    events = list_events(store)
    assert [seq for seq, *_ in events] == list(range(1, len(events) + 1))
    assert Counter(kinds(store)) == Counter(
        (f"{number:05}", kind, version)
        for number in range(70)
        for kind, version in (("new", 0), ("version", 2))
    )
    assert sum(firsts(store)) == 70


def test_who_saves_other_papers_meanwhile_gets_the_numbers_after_ours(store: Store) -> None:
    saved, other_done = threading.Event(), threading.Event()

    def ours() -> None:
        with store.begin_ingest() as tx:
            found_listings = [make_new_listing(1), make_new_listing(2)]
            listings.save_listings(
                tx,
                ensure_batch(tx),
                found_listings,
                announceable=frozenset(listing.paper.key for listing in found_listings),
            )
            saved.set()
            other_done.wait(0.2)  # the other one runs into us, and cannot be done before we are

    def other() -> None:
        saved.wait()
        announce(store, make_new_listing(3), make_new_listing(4), section="cs.DC")
        other_done.set()

    run_concurrently(ours, other)

    assert [(seq, key) for seq, key, *_ in list_events(store)] == [(n, f"{n:05}") for n in (1, 2, 3, 4)]


def test_a_number_once_seen_never_has_a_lower_one_come_after_it(store: Store) -> None:
    seen_values: list[int] = []
    ended: list[int] = []

    def save(worker: int) -> None:
        try:
            for turn in range(8):
                announce(store, make_new_listing(worker * 100 + turn), section=f"cs.{'ABC'[worker]}")
        finally:
            ended.append(worker)

    def watch() -> None:
        while len(ended) < 3:
            with store.begin_read() as tx:
                there = tx.execute(select(rows.c.seq).order_by(rows.c.seq)).scalars().all()
                assert list(there) == list(range(1, get_highest_seq(tx) + 1))
            seen_values.append(len(there))

    run_concurrently(*(partial(save, worker) for worker in range(3)), watch)

    assert seen_values == sorted(seen_values)


def test_of_several_replacements_without_a_number_that_come_to_one_day_each_stays_an_event(
    store: Store,
) -> None:
    days = [DAY + timedelta(days=number) for number in (1, 2)]
    harvest(store, make_paper(1))
    with store.begin_ingest() as tx:
        mine = ensure_batch(tx)
        [paper_id] = papers.find_papers(tx, [make_paper(1).key]).values()
        for seq, day in enumerate(days, start=1):
            values = {
                "seq": seq,
                "kind": "version",
                "number": make_placeholder_number(day),
                "day": day,
                "source": mine.source,
            }
            tx.execute(insert(rows).values(paper_id=paper_id, first=False, **values))

    with store.begin_ingest() as tx:
        events.set_day_of_listed(tx, mine, {ShownListing(make_paper(1).key, ListingKind.REPLACE, 0)})
        found_rows = tx.execute(select(rows.c.number, rows.c.day).order_by(rows.c.seq)).all()

    assert [tuple(row) for row in found_rows] == [
        (make_placeholder_number(DAY), DAY),
        (make_placeholder_number(days[1]), DAY),
    ]
