from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from digest.core.fetching.repeated_days import ShownListing
from digest.model import Listing, ListingKind, Submitter
from digest.store.database.engine import Store, get_highest_seq
from digest.store.database.tables.column_types import metadata
from digest.store.fetching import listings
from digest.store.fetching.listings import SaveResult
from digest.store.papers import papers
from tests.store.factories import (
    DAY,
    announce,
    ensure_batch,
    harvest,
    list_events,
    load_paper,
    make_article,
    make_cross_listing,
    make_new_listing,
    make_paper,
    make_replacement,
)

YESTERDAY, TOMORROW = DAY - timedelta(days=1), DAY + timedelta(days=1)
TABLES = ("papers", "statements", "claims", "listings", "events")


def content(store: Store) -> dict[str, list[Any]]:
    """Every row about papers."""
    with store.begin_read() as tx:
        return {name: sorted(map(repr, tx.execute(select(metadata.tables[name])))) for name in TABLES}


def silent(number: int, kind: ListingKind = ListingKind.REPLACE, **facts: object) -> Listing:
    """A listing of which the route does not tell the version."""
    return Listing(kind=kind, paper=make_paper(number, version=0, **facts))  # type: ignore[arg-type]


# --- listings -------------------------------------------------------------------------------------


def test_the_same_listings_again_change_nothing(store: Store) -> None:
    listed = (make_new_listing(1, doi="10.1000/one"), make_new_listing(2), make_replacement(3, 2), silent(4))
    first = announce(store, *listed)
    before = content(store)

    again = announce(store, *listed)

    assert first == SaveResult(received=4, added=4, events=4)
    assert again == SaveResult(received=4, added=0, events=0)
    assert content(store) == before


def test_a_paper_printed_twice_in_one_answer_is_one_listing(store: Store) -> None:
    saved = announce(store, make_new_listing(1), make_new_listing(1), make_cross_listing(1))

    assert (saved.received, saved.events) == (2, 1)


def test_a_work_listed_by_two_keys_in_one_answer_is_two_listings_and_new_once(store: Store) -> None:
    article = Listing(kind=ListingKind.NEW, paper=make_article("10.1000/one"))
    saved = announce(store, article, make_new_listing(1, doi="10.1000/one"))

    assert (saved.received, saved.events) == (2, 1)


def test_a_late_listing_is_kept_and_makes_its_event(store: Store) -> None:
    announce(store, make_new_listing(1), day=YESTERDAY)
    announce(store, make_new_listing(2))

    late = announce(store, make_new_listing(1), make_new_listing(3), day=YESTERDAY)

    assert late == SaveResult(received=2, added=1, events=1)
    assert list_events(store)[-1] == (3, "00003", "new", 0)


def test_an_answer_without_listings_is_no_trouble(store: Store) -> None:
    assert announce(store) == SaveResult(received=0, added=0, events=0)
    assert harvest(store) == SaveResult(received=0, added=0, events=0)


def test_listings_that_are_not_to_be_told_flood_nobody(store: Store) -> None:
    with store.begin_ingest() as tx:
        old = listings.save_listings(
            tx, ensure_batch(tx, day=YESTERDAY), [make_new_listing(1)], announceable=frozenset()
        )
        save_result = listings.save_listings(
            tx,
            ensure_batch(tx),
            [make_new_listing(2), make_new_listing(3)],
            announceable=frozenset([make_paper(3).key]),
        )

    assert (old.received, old.events) == (1, 0)
    assert (save_result.received, save_result.events) == (2, 1)
    assert [key for _, key, *_ in list_events(store)] == ["00003"]


def test_the_person_who_picked_a_paper_is_kept(store: Store) -> None:
    ada = Submitter("Ada: Lovelace", ("hf", "ada:l"))
    picked = Listing(kind=ListingKind.PICKED, paper=make_paper(1), submitter=ada)
    announce(store, picked, source="hf_daily")
    announce(store, replace(picked, submitter=None), make_new_listing(1), source="hf_daily")

    with store.begin_read() as tx:
        appearances = listings.list_appearances(
            tx, [papers.find_papers(tx, [make_paper(1).key])[make_paper(1).key]]
        )
    assert {appearance.kind: appearance.submitter for appearance in appearances} == {
        ListingKind.PICKED: ada,
        ListingKind.NEW: None,
    }


def test_where_a_paper_was_listed_is_kept(store: Store) -> None:
    announce(store, make_new_listing(1), make_new_listing(2), day=YESTERDAY)
    announce(store, make_cross_listing(1), section="cs.DC")

    with store.begin_read() as tx:
        number = papers.find_papers(tx, [make_paper(1).key])[make_paper(1).key]
        appearances = listings.list_appearances(tx, [number])
        assert [appearance.kind for appearance in appearances] == [ListingKind.NEW, ListingKind.CROSS]
    with store.begin_write() as tx:
        first = ensure_batch(tx, day=YESTERDAY)
        assert first.id == appearances[0].batch.id
        assert listings.load_listed(tx, first) == {
            ShownListing(make_paper(number).key, ListingKind.NEW, 1) for number in (1, 2)
        }


def test_a_section_knows_what_it_has_listed_whatever_the_day(store: Store) -> None:
    keys = [make_paper(number).key for number in range(700)]
    announce(store, *(make_new_listing(number) for number in range(600)), day=YESTERDAY)
    announce(store, make_replacement(1, 3), make_new_listing(600))
    announce(store, make_new_listing(601), section="cs.DC")

    with store.begin_write() as tx:
        listed_before = listings.load_listed_before(tx, ensure_batch(tx), keys)

    assert listed_before == {make_paper(number).key: 3 if number == 1 else 1 for number in range(601)}


# --- versions that a route does not tell ----------------------------------------------------------


def version(store: Store, number: int = 1) -> int:
    return load_paper(store, make_paper(number).key).version


def kept_under(store: Store, number: int = 1) -> list[tuple[int, bool]]:
    """The versions under which something is kept of a paper, and whether each was told."""
    with store.begin_read() as tx:
        row = papers.find_papers(tx, [make_paper(number).key])[make_paper(number).key]
        statements = papers.load_statements(tx, [row])[row]
    return sorted((statement.paper.version, statement.paper.version_told) for statement in statements)


def numbers(store: Store) -> list[tuple[str, int]]:
    return [(kind, number) for *_, kind, number in list_events(store)]


def test_a_replacement_is_one_new_version_a_day_however_often_and_in_whatever_section(store: Store) -> None:
    announce(store, make_new_listing(1), day=YESTERDAY)
    for _ in range(2):
        announce(store, silent(1, title="Second"))
        announce(store, silent(1, ListingKind.REPLACE_CROSS, title="Second"), section="cs.DC")
    assert load_paper(store, make_paper(1).key).title == "Second"

    announce(store, silent(1, title="3rd"), day=TOMORROW)
    announce(store, silent(1, title="3rd"), day=TOMORROW)
    assert load_paper(store, make_paper(1).key).title == "3rd"
    assert numbers(store) == [("new", 0), ("version", 0), ("version", 0)]


def test_a_version_that_was_worked_out_is_told_by_nothing(store: Store) -> None:
    announce(store, make_new_listing(1), day=YESTERDAY)
    announce(store, silent(1), silent(2))

    assert (version(store, 1), version(store, 2)) == (1, 0)
    assert numbers(store) == [("new", 0), ("version", 0), ("version", 0)]


def test_sections_agree_on_a_version_also_where_nobody_is_told_of_it(store: Store) -> None:
    for section in ("cs.LG", "cs.DC", "stat.ML"):
        with store.begin_ingest() as tx:
            listings.save_listings(tx, ensure_batch(tx, section), [silent(1)], announceable=frozenset())

    assert kept_under(store) == [(2, False)]


def test_the_version_that_another_route_tells_is_taken(store: Store) -> None:
    announce(store, make_replacement(1, 5))
    announce(store, silent(1))
    announce(store, silent(1, ListingKind.REPLACE_CROSS), section="cs.DC")

    assert version(store) == 5
    assert list_events(store) == [(1, "00001", "version", 5)]


def test_a_listing_without_a_version_has_the_one_that_another_route_tells_of_it(store: Store) -> None:
    announce(store, silent(1), silent(2))
    announce(store, make_replacement(1, 5), silent(2))

    with store.begin_read() as tx:
        rows = tx.execute(
            select(metadata.tables["listings"].c.paper_id, metadata.tables["listings"].c.version)
        )
        assert sorted(map(tuple, rows)) == [(1, 5), (2, 0)]


@pytest.mark.parametrize("section", ["cs.LG", "cs.DC"])
def test_a_version_told_later_on_the_same_day_corrects_the_event_and_makes_no_second_one(
    store: Store, section: str
) -> None:
    announce(store, silent(1))
    announce(store, make_replacement(1, 5), section=section)
    assert (version(store), list_events(store)) == (5, [(1, "00001", "version", 5)])

    announce(store, silent(1), day=TOMORROW)
    assert (version(store), list_events(store)[1:]) == (5, [(2, "00001", "version", 0)])
    announce(store, make_replacement(1, 6), day=TOMORROW)
    assert (version(store), list_events(store)[1:]) == (6, [(2, "00001", "version", 6)])


def test_a_day_that_is_caught_up_invents_no_version_and_hides_none(store: Store) -> None:
    """Version 3 is told on its day; the day of version 2 comes later; then version 4 is told on its own."""
    announce(store, make_replacement(1, 3))
    announce(store, silent(1), day=YESTERDAY)
    assert (version(store), numbers(store)) == (3, [("version", 3), ("version", 0)])

    announce(store, make_replacement(1, 4), day=TOMORROW)
    assert (version(store), numbers(store)) == (4, [("version", 3), ("version", 0), ("version", 4)])


def test_a_page_that_shows_a_later_version_tells_not_that_it_was_announced_on_its_day(store: Store) -> None:
    """The catch-up page of a past day has the papers of today, and links to their versions of today."""
    later = [
        replace(make_replacement(1, 4), may_be_newer=True),
        replace(make_replacement(2, 2), may_be_newer=True),
    ]
    announce(store, *later, day=YESTERDAY)
    announce(store, make_replacement(1, 4))

    assert (version(store, 1), version(store, 2)) == (4, 2)
    assert numbers(store) == [("version", 0), ("version", 2), ("version", 4)]


def test_a_version_that_records_brought_before_anybody_listed_it_is_the_one_replaced(store: Store) -> None:
    announce(store, make_new_listing(1))
    harvest(store, make_paper(1, version=2))
    announce(store, silent(1), day=TOMORROW)
    assert kept_under(store) == [(1, True), (2, True)]

    announce(store, silent(1), day=TOMORROW + timedelta(days=1))
    assert kept_under(store) == [(1, True), (2, True), (3, False)]


def test_a_record_that_does_not_tell_its_version_completes_the_newest_one(store: Store) -> None:
    announce(store, make_replacement(1, 3))
    harvest(store, replace(make_paper(1, version=0), comment="12 pages"), replace(make_paper(2, version=0)))

    assert (load_paper(store, make_paper(1).key).version, load_paper(store, make_paper(1).key).comment) == (
        3,
        "12 pages",
    )
    assert load_paper(store, make_paper(2).key).version == 0


@pytest.mark.parametrize("kind", [ListingKind.NEW, ListingKind.CROSS, ListingKind.PICKED])
def test_what_is_no_replacement_is_of_the_version_that_is_known(store: Store, kind: ListingKind) -> None:
    harvest(store, make_paper(1, version=3))
    announce(store, silent(1, kind), silent(2, kind))

    assert (version(store, 1), version(store, 2)) == (3, 0)


def test_an_old_listing_asked_for_again_stays_of_the_version_that_it_was(store: Store) -> None:
    announce(store, silent(1, ListingKind.NEW, title="First"), day=YESTERDAY)
    announce(store, silent(1, title="Second"))
    before = content(store)
    announce(store, silent(1, ListingKind.NEW, title="First"), day=YESTERDAY)

    assert content(store) == before
    assert load_paper(store, make_paper(1).key).title == "Second"


# --- records --------------------------------------------------------------------------------------


def test_records_add_papers_and_make_no_events(store: Store) -> None:
    first = harvest(store, *(make_paper(number) for number in range(1200)))
    again = harvest(store, *(make_paper(number, version=2) for number in range(1300)))

    assert first == SaveResult(received=1200, added=1200, events=0)
    assert again == SaveResult(received=1300, added=100, events=0)
    with store.begin_read() as tx:
        assert get_highest_seq(tx) == 0


def test_a_record_that_adds_a_category_to_a_paper_just_told_makes_it_grow_once(store: Store) -> None:
    announce(store, make_new_listing(1), make_new_listing(2))
    fuller = make_paper(1, categories=("cs.LG", "cs.DC"))

    assert harvest(store, fuller, make_paper(2)) == SaveResult(received=2, added=0, events=1)
    assert harvest(store, fuller, make_paper(2)) == SaveResult(received=2, added=0, events=0)
    assert list_events(store)[2:] == [(3, "00001", "grown", 1)]


def test_a_record_completes_what_a_listing_left_out(store: Store) -> None:
    announce(store, Listing(kind=ListingKind.NEW, paper=replace(make_paper(1), abstract="", authors=())))
    harvest(store, replace(make_paper(1), doi="10.1000/one"))

    assert load_paper(store, make_paper(1).key) == replace(make_paper(1), doi="10.1000/one")
