"""What readers see of a follow before they follow it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from digest.errors import QueryError
from digest.jobs.matching.follow_preview import preview_follow
from digest.jobs.matching.indexing import index_papers
from digest.store.database.engine import Store
from digest.store.matching.event_index import EventCache
from tests.store.factories import DAY, NOW, announce, make_new_listing, make_paper


def test_what_is_announced_between_two_previews_is_in_the_second_one(store: Store) -> None:
    cache = EventCache()
    announce(store, make_new_listing(1, title="On caches"))
    first = preview_follow(store, "caches", NOW, cache)
    announce(store, make_new_listing(2, title="On caches again"))
    second = preview_follow(store, "caches", NOW, cache)
    index_papers(store, DAY - timedelta(days=30))
    third = preview_follow(store, "caches", NOW, cache)

    assert [preview.recent_count for preview in (first, second, third)] == [1, 2, 2]
    assert [event.paper.title for event in third.recent] == ["On caches again", "On caches"]
    assert preview_follow(store, "caches", NOW, EventCache()) == third


def test_a_paper_that_is_withdrawn_or_changed_meanwhile_is_seen_as_it_is(store: Store) -> None:
    cache = EventCache()
    announce(store, make_new_listing(1, title="On caches"), make_new_listing(2, title="On graphs"))
    index_papers(store, DAY - timedelta(days=30))
    assert preview_follow(store, "graphs", NOW, cache).recent_count == 1
    withdrawn = replace(make_new_listing(2, title="On graphs"), paper=replace(make_paper(2), withdrawn=True))
    announce(store, withdrawn)
    index_papers(store, DAY - timedelta(days=30))

    assert preview_follow(store, "graphs", NOW, cache) == preview_follow(store, "graphs", NOW, EventCache())


def test_another_query_is_not_answered_with_the_events_of_the_one_before(store: Store) -> None:
    cache = EventCache()
    announce(store, make_new_listing(1, title="On caches"))
    for query in ("caches", "kind:version caches", "caches", "graphs"):
        assert preview_follow(store, query, NOW, cache) == preview_follow(store, query, NOW, EventCache())
    later = NOW + timedelta(days=20)
    assert preview_follow(store, "caches", later, cache) == preview_follow(
        store, "caches", later, EventCache()
    )


def test_where_nothing_was_announced_the_rate_is_unknown(store: Store) -> None:
    assert preview_follow(store, "caches", NOW, EventCache()).papers_a_day is None


def test_a_mistake_has_its_place(store: Store) -> None:
    with pytest.raises(QueryError) as caught:
        preview_follow(store, "caches title:(", NOW, EventCache())
    assert caught.value.position > 0
