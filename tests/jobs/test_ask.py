"""What people are told who ask, on both databases."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from digest.jobs.ask import try_query, why
from digest.model import EventKind, Listing, ListingKind, Paper
from digest.store import papers
from digest.store.engine import Store
from tests.store.given import DAY, NOW, announce, declare, digest, new, paper, replaced


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


@pytest.mark.parametrize(
    ("listed", "kinds", "says"),
    [
        (picked(paper(1)), ("new",), "No: what is known of it is picked, and the digest's `kinds`"),
        (picked(paper(1)), ("new", "picked"), "Not yet: it fits"),
        (
            Listing(kind=ListingKind.NEW, paper=replace(paper(1), withdrawn=True)),
            ("new", "version"),
            "No: its authors withdrew it",
        ),
        (
            Listing(kind=ListingKind.REPLACE, paper=replace(paper(1, version=2), withdrawn=True)),
            ("new", "version"),
            "Not yet: it fits",
        ),
    ],
)
def test_why_a_paper_is_in_a_digest_or_not_goes_by_what_happened_to_it(
    store: Store, listed: Listing, kinds: tuple[str, ...], says: str
) -> None:
    asked = tuple(EventKind(kind) for kind in kinds)
    declare(store, replace(digest(queries=["paper"]), kinds=asked))
    announce(store, listed)

    assert why(store, "systems", paper(1).key).verdict.startswith(says)


def test_a_paper_that_nobody_announced_is_said_to_be_so(store: Store) -> None:
    declare(store, digest(queries=["paper"]))
    with store.writing() as tx:
        papers.keep(tx, "arxiv", [paper(1)])

    assert why(store, "systems", paper(1).key).verdict.startswith("No: it is known, but no source")
