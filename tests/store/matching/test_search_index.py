"""Documents of the index of papers, on both databases."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import select

from digest.core.matching.search.document_numbers import get_position
from digest.model import Listing, ListingKind
from digest.store.database.engine import Store
from digest.store.database.tables.papers import indexed_papers, papers
from tests.store.factories import announce, harvest, make_new_listing, make_paper, make_replacement


def load_positions(store: Store) -> dict[str, int]:
    """The position of each paper, by the end of its key."""
    statement = select(papers.c.key, indexed_papers.c.document).join_from(
        indexed_papers, papers, papers.c.id == indexed_papers.c.paper_id
    )
    with store.begin_read() as tx:
        return {row.key[-1]: get_position(row.document) for row in tx.execute(statement)}


def test_a_paper_without_further_revisions_takes_no_position_of_one_that_changes_with_it(
    store: Store,
) -> None:
    announce(store, make_new_listing(1), make_new_listing(2), make_new_listing(3))
    announce(store, make_replacement(1, 2))
    before = load_positions(store)

    announce(store, make_replacement(1, 3), make_replacement(3, 2))

    after = load_positions(store)
    assert after["2"] == before["2"]
    assert after["3"] == before["3"]
    assert after["1"] > before["3"]


def test_a_paper_that_gets_another_day_takes_no_position_of_one_that_changes_with_it(store: Store) -> None:
    announce(store, make_new_listing(1), make_new_listing(2))
    harvest(store, make_paper(3))
    before = load_positions(store)
    assert before["3"] < before["1"]

    listed = Listing(kind=ListingKind.NEW, paper=replace(make_paper(3), comment="10 pages"))
    announce(store, listed, make_replacement(2, 2))

    after = load_positions(store)
    assert after["1"] == before["1"]
    assert after["2"] == before["2"]
    assert after["3"] > before["2"]
