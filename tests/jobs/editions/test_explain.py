"""What people are told who ask, on both databases."""

from __future__ import annotations

from dataclasses import replace

import pytest

from digest.jobs.editions.explain import explain_paper
from digest.model import EventKind, Listing, ListingKind, Paper
from digest.store.database.engine import Store
from digest.store.papers import papers
from tests.store.factories import announce, change_options, declare, make_digest, make_paper


def picked(paper: Paper) -> Listing:
    return Listing(kind=ListingKind.PICKED, paper=paper)


@pytest.mark.parametrize(
    ("listed", "kinds", "says"),
    [
        (picked(make_paper(1)), ("new",), "No: its events are picked, which the digest's `kinds`"),
        (picked(make_paper(1)), ("new", "picked"), "Not yet: it matches"),
        (
            Listing(kind=ListingKind.NEW, paper=replace(make_paper(1), withdrawn=True)),
            ("new", "version"),
            "No: its authors withdrew it",
        ),
        (
            Listing(kind=ListingKind.REPLACE, paper=replace(make_paper(1, version=2), withdrawn=True)),
            ("new", "version"),
            "Not yet: it matches",
        ),
    ],
)
def test_why_a_paper_is_in_a_digest_or_not_goes_by_what_happened_to_it(
    store: Store, listed: Listing, kinds: tuple[str, ...], says: str
) -> None:
    event_kinds = tuple(EventKind(kind) for kind in kinds)
    declare(store, change_options(make_digest(queries=["paper"]), kinds=event_kinds))
    announce(store, listed)

    assert explain_paper(store, "systems", make_paper(1).key).verdict.startswith(says)


def test_a_paper_that_nobody_announced_is_said_to_be_so(store: Store) -> None:
    declare(store, make_digest(queries=["paper"]))
    with store.begin_write() as tx:
        papers.save_papers(tx, "arxiv", [make_paper(1)])

    assert explain_paper(store, "systems", make_paper(1).key).verdict.startswith(
        "No: the paper is known, but no source"
    )
