"""Papers of a page about a category, an institution or a topic: counted once each, however often they changed."""

from __future__ import annotations

from datetime import timedelta

import pytest

from digest.jobs.publishing import collections
from digest.jobs.publishing.collections import load_collection
from digest.store.database.engine import Store
from tests.store.factories import DAY, announce, make_new_listing, make_replacement

NUMBERS = range(1, 5)


def test_a_paper_that_changes_counts_once_in_its_week(store: Store) -> None:
    announce(store, *map(make_new_listing, NUMBERS))
    announce(store, *(make_replacement(number, 2) for number in NUMBERS))

    collection = load_collection(store, "category:cs.LG", "", DAY + timedelta(weeks=1))

    monday = DAY - timedelta(DAY.weekday())
    assert {week.first_day: week.papers for week in collection.weeks if week.papers} == {monday: len(NUMBERS)}


def test_authors_are_those_of_the_newest_papers_also_if_these_changed(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collections, "_RECENT_PAPERS", len(NUMBERS))
    announce(store, *map(make_new_listing, NUMBERS))
    announce(store, *(make_replacement(number, 2) for number in NUMBERS))

    collection = load_collection(store, "category:cs.LG", "", DAY)

    assert {contributor.papers for contributor in collection.contributors} == {len(NUMBERS)}
