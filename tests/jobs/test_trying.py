"""What a query finds, on both databases."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from digest.jobs.trying import try_query
from digest.model import EventKind, Listing, ListingKind, Paper
from digest.store.engine import Store
from tests.store.given import DAY, NOW, announce, new, paper, replaced


def picked(one: Paper) -> Listing:
    return Listing(kind=ListingKind.PICKED, paper=one)


def test_a_query_is_tried_on_what_is_new_or_picked_and_on_each_paper_once(store: Store) -> None:
    announce(
        store,
        new(1),
        new(2, version=1),
        picked(paper(2)),
        picked(paper(3)),
        replaced(4, 2),
        Listing(kind=ListingKind.NEW, paper=replace(paper(5), withdrawn=True)),
    )
    announce(store, picked(paper(1)), day=DAY + timedelta(days=1))

    tried = try_query(store, "paper", 30, NOW)

    assert (tried.asked, tried.days) == (3, ((DAY, 3),))
    assert [(event.paper.key, event.kind) for event, _ in tried.found] == [
        (paper(3).key, EventKind.PICKED),
        (paper(2).key, EventKind.NEW),
        (paper(1).key, EventKind.NEW),
    ]
