from __future__ import annotations

from datetime import timedelta

from digest.model import EventKind
from digest.store.database.engine import Store
from digest.store.editions.edition_loader import EditionLoader
from digest.store.papers.events import load_events_by_seq
from digest.store.papers.growth import add_growth
from tests.store.factories import DAY, announce, harvest, make_cross_listing, make_new_listing, make_paper


def newly(store: Store, *seqs: int) -> dict[int, tuple[EventKind, tuple[str, ...]]]:
    with store.begin_read() as tx:
        events = add_growth(tx, load_events_by_seq(tx, seqs))
    return {seq: (event.kind, event.new_categories) for seq, event in events.items()}


def test_what_has_grown_says_in_which_categories_it_is_new(store: Store) -> None:
    later = DAY + timedelta(1)
    announce(store, make_new_listing(1), make_new_listing(2))
    both = ("cs.LG", "cs.DC", "cs.OS")
    announce(store, make_cross_listing(1, categories=both), section="cs.OS", day=later)
    announce(store, make_cross_listing(1, categories=both), section="cs.DC", day=later)

    assert newly(store, 1, 2, 3) == {
        1: (EventKind.NEW, ()),
        2: (EventKind.NEW, ()),
        3: (EventKind.GROWN, ("cs.DC", "cs.OS")),
    }


def test_a_section_that_is_no_category_is_not_named_nor_is_what_grew_otherwise(store: Store) -> None:
    later = DAY + timedelta(1)
    announce(store, make_new_listing(1), make_new_listing(2))
    announce(store, make_cross_listing(1, categories=("cs.LG", "cs.DC")), section="cs", day=later)
    harvest(store, make_paper(2, categories=("cs.LG", "cs.AI")), day=later)

    assert set(newly(store, 1, 2, 3, 4).values()) == {
        (EventKind.NEW, ()),
        (EventKind.GROWN, ()),
    }


def test_an_edition_has_it(store: Store) -> None:
    announce(store, make_new_listing(1))
    announce(
        store, make_cross_listing(1, categories=("cs.LG", "cs.DC")), section="cs.DC", day=DAY + timedelta(1)
    )
    edition_loader = EditionLoader()
    with store.begin_read() as tx:
        edition_loader.load_events(tx, [2])

    assert edition_loader._events[2].new_categories == ("cs.DC",)
