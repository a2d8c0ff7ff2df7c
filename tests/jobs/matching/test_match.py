"""Matching while follows come and go, passes are interrupted, and others are at it: on both databases."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import event, update

from digest.core.language.parser import parse
from digest.core.matching.bitmaps import BLOCK_SIZE, MatchBitmaps, list_positions
from digest.core.matching.evaluate import evaluate
from digest.core.papers.document import build_document
from digest.jobs.matching.match import EventMatcher, MatchProgress, MatchSummary, match
from digest.model import Confidence
from digest.store.database.engine import Store, get_highest_seq, open_store
from digest.store.database.tables.digests import counters, queries
from digest.store.matching import matches
from digest.store.papers import events
from tests.store.conftest import store_url
from tests.store.database_marks import postgres_if_long
from tests.store.factories import (
    NOW,
    announce,
    announce_many,
    declare,
    make_cross_listing,
    make_digest,
    make_new_listing,
    make_replacement,
    run_concurrently,
)
from tests.store.store_copies import open_filled_copy

__all__ = ["store_url"]  # several workers claim from one store: on both databases

NONE = MatchBitmaps(0, 0, 0, 0, 0, 0)
SECOND = """
import sys
from digest.store.database.engine import open_store
from tests.store.factories import NOW, declare, make_digest
store = open_store(sys.argv[1], NOW)
declare(store, make_digest(queries=sys.argv[2:]))
store.close()
"""


def hits(store: Store) -> dict[str, dict[int, Confidence]]:
    """What each query that somebody follows is kept to fit, as far back as it is needed."""
    results: dict[str, dict[int, Confidence]] = {}
    with store.begin_read() as tx:
        top = matches.read_matched_to(tx)
        for row in tx.execute(queries.select().where(queries.c.needed_from.is_not(None))):
            rows = matches.load_hits(tx, [row.id], row.needed_from, top).get(row.id, NONE)
            results[row.text] = {
                row.needed_from + 1 + place: Confidence(
                    1 + (rows.likely >> place & 1) + (rows.surely >> place & 1)
                )
                for place in list_positions(rows.maybe)
            }
    return results


def asked_one_by_one(store: Store) -> dict[str, dict[int, Confidence]]:
    """The same, by asking each query about each event."""
    results: dict[str, dict[int, Confidence]] = {}
    with store.begin_read() as tx:
        happened = events.load_events_between(tx, 0, get_highest_seq(tx))
        documents = {
            event.seq: build_document(event.paper, kind=event.kind, source=event.source) for event in happened
        }
        for row in tx.execute(queries.select().where(queries.c.needed_from.is_not(None))):
            fits = {
                seq: evaluate(parse(row.text), paper_document) for seq, paper_document in documents.items()
            }
            results[row.text] = {
                seq: fit.confidence for seq, fit in fits.items() if fit and seq > row.needed_from
            }
    return results


def all_matched(store: Store) -> bool:
    with store.begin_read() as tx:
        return matches.read_matched_to(tx) == get_highest_seq(tx) and not matches.list_lagging(tx, 9)


def matched_to(store: Store) -> int:
    with store.begin_read() as tx:
        return matches.read_matched_to(tx)


def first_of_papers(passes: Iterator[MatchProgress | MatchSummary]) -> MatchProgress | MatchSummary:
    """Go on until new papers were matched for the first time."""
    return next(one for one in passes if isinstance(one, MatchProgress) and one.activity == "Matching papers")


@contextmanager
def when(store: Store, word: str, action: Callable[[], object]) -> Iterator[None]:
    """Do something once, just before a statement that has a word in it."""
    todo = [action]

    def intervene(*messages: Any) -> None:
        if todo and word in messages[2]:
            todo.pop()()

    event.listen(store.engine, "before_cursor_execute", intervene)
    try:
        yield
    finally:
        event.remove(store.engine, "before_cursor_execute", intervene)
    assert not todo, f"no statement had {word!r} in it"


MANY = 5000
"""Papers; more than the two blocks that are matched at a time."""


def announce_very_many(store: Store) -> None:
    announce_many(store, MANY)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.long)])
def large_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """A store with many papers, and no query."""
    if request.param == "sqlite":
        store = open_filled_copy(tmp_path, announce_very_many)
    else:
        store = open_store(request.getfixturevalue("postgres_url"), NOW)
        announce_very_many(store)
    yield store
    store.close()


# --- what is kept ---------------------------------------------------------------------------------


def test_what_queries_fit_is_kept_as_if_each_were_asked_about_each_event(store: Store) -> None:
    declare(
        store,
        make_digest(
            queries=["paper", "kind:version", 'author:"A. Lovelace"', "category:cs.DC", "source:arxiv 2"]
        ),
    )
    announce(
        store,
        make_new_listing(1),
        make_new_listing(2),
        make_replacement(3, 2),
        make_cross_listing(1, categories=("cs.LG", "cs.DC")),
    )

    assert match(store) == MatchSummary(events=3, queries=5, match_count=9)
    assert match(store) == MatchSummary(events=0, queries=0, match_count=0)

    assert hits(store) == asked_one_by_one(store)
    assert hits(store)["kind:version"] == {3: Confidence.SURELY}
    assert set(hits(store)['author:"A. Lovelace"'].values()) == {Confidence.MAYBE}


def test_what_grew_is_matched_as_it_is_then(store: Store) -> None:
    declare(store, make_digest(queries=["category:cs.DC"]))
    announce(store, make_new_listing(1))
    match(store)
    announce(store, make_cross_listing(1, categories=("cs.LG", "cs.DC")), section="cs.DC")
    match(store)

    assert hits(store) == {"category:cs.DC": {2: Confidence.SURELY}}


def test_a_follow_is_matched_back_to_where_its_digest_was_told_to_and_no_further(store: Store) -> None:
    announce_many(store, 6)
    match(store)
    declare(store, make_digest(queries=["paper"]), first_seq=4)
    match(store)

    assert hits(store) == {"paper": {5: Confidence.SURELY, 6: Confidence.SURELY}}
    assert all_matched(store)


def test_of_a_long_time_that_nobody_asks_for_nothing_is_matched_until_somebody_does(
    large_store: Store,
) -> None:
    store = large_store
    declare(store, make_digest(queries=['"paper 4990"', '"paper 12"']), first_seq=4900)

    assert match(store) == MatchSummary(events=100, queries=2, match_count=1)
    assert hits(store) == {'"paper 4990"': {4990: Confidence.SURELY}, '"paper 12"': {}}

    declare(
        store,
        make_digest(queries=['"paper 4990"', '"paper 12"']),
        make_digest("late", queries=['"paper 12"']),
        first_seq=0,
    )
    match(store)
    assert hits(store) == {'"paper 4990"': {4990: Confidence.SURELY}, '"paper 12"': {12: Confidence.SURELY}}
    assert all_matched(store)


def test_where_nobody_follows_anything_what_there_is_needs_no_pass(large_store: Store) -> None:
    assert match(large_store) == MatchSummary(events=0, queries=0, match_count=0)
    assert all_matched(large_store)


def test_a_query_that_this_release_cannot_read_holds_nobody_up(store: Store) -> None:
    declare(store, make_digest(queries=["paper", "lovelace"]))
    with store.begin_write() as tx:
        tx.execute(update(queries).values(compiled=""))
        tx.execute(update(queries).where(queries.c.text == "lovelace").values(text='"no end'))
    announce(store, make_new_listing(1))

    match(store)

    assert hits(store) == {"paper": {1: Confidence.SURELY}, '"no end': {}}
    assert all_matched(store)
    with store.begin_read() as tx:
        assert all(query_change.compiled for query_change in matches.iter_changes(tx, None))


# --- many blocks ----------------------------------------------------------------------------------


def test_a_long_pass_that_is_interrupted_goes_on_where_it_was_and_so_does_matching_back(
    large_store: Store,
) -> None:
    store = large_store
    declare(store, make_digest(queries=["4100"]))

    def interrupt() -> None:
        raise KeyboardInterrupt

    passes = EventMatcher(store).match()
    assert first_of_papers(passes) == MatchProgress(
        activity="Matching papers", done_count=2 * BLOCK_SIZE - 1, total=MANY
    )
    with pytest.raises(KeyboardInterrupt), when(store, "UPDATE counters", interrupt):
        list(passes)
    assert matched_to(store) == 2 * BLOCK_SIZE - 1

    declare(store, make_digest(queries=["4100", "9"]))
    next(EventMatcher(store).match())
    declare(store, make_digest(queries=["4100", "9", "3000"]))

    assert match(store).events == MANY - (2 * BLOCK_SIZE - 1)
    assert hits(store) == {str(number): {number: Confidence.SURELY} for number in (9, 3000, 4100)}
    assert all_matched(store)


@pytest.mark.parametrize("most", [1, 2, 5, 6])
def test_queries_that_are_too_many_for_memory_are_read_range_by_range(store: Store, most: int) -> None:
    texts = ["1", "2", "3", "paper", "lovelace"]
    declare(store, make_digest(queries=texts))
    announce_many(store, 4)
    matcher = EventMatcher(store, max_queries=most)

    matched = [one for one in matcher.match() if isinstance(one, MatchSummary)]
    assert matched == [MatchSummary(events=4, queries=5, match_count=7)]
    declare(store, make_digest(queries=[*texts[1:], "4"]))
    announce(store, make_new_listing(5))
    list(matcher.match())

    assert hits(store) == asked_one_by_one(store)
    assert all_matched(store)


# --- while others are at it -----------------------------------------------------------------------


def by_a_second_process(store: Store, texts: Sequence[str]) -> None:
    url = store.engine.url.render_as_string(hide_password=False)
    command = [sys.executable, "-c", SECOND, url, *texts]
    subprocess.run(command, check=True, cwd=Path(__file__).parents[3])


@pytest.mark.parametrize("moment", ["FROM counters", "FROM events", "FROM statements", "matched_from"])
def test_a_follow_added_while_a_pass_is_under_way_is_not_forgotten(
    store: Store, store_url: str, moment: str
) -> None:
    declare(store, make_digest(queries=["paper"]))
    announce_many(store, 3)
    other = open_store(store_url, NOW)

    with when(store, moment, lambda: declare(other, make_digest(queries=["paper", "2"]))):
        match(store)
    other.close()

    assert hits(store) == {"paper": dict.fromkeys((1, 2, 3), Confidence.SURELY), "2": {2: Confidence.SURELY}}
    assert all_matched(store)


def test_a_follow_that_a_second_process_adds_between_reading_and_keeping_is_not_forgotten(
    store: Store,
) -> None:
    declare(store, make_digest(queries=["paper"]))
    announce_many(store, 3)

    with when(store, "FROM events", lambda: by_a_second_process(store, ["paper", "2"])):
        passes = EventMatcher(store).match()
        first_of_papers(passes)
    with store.begin_read() as tx:
        assert [lagging_query.text for lagging_query in matches.list_lagging(tx, 9)] == ["2"]
    list(passes)

    assert hits(store)["2"] == {2: Confidence.SURELY}
    assert all_matched(store)


def test_a_follow_that_another_pass_matched_meanwhile_is_not_taken_for_matched_further(
    store: Store, store_url: str
) -> None:
    declare(store, make_digest(queries=["paper"]))
    announce_many(store, 2)
    other = open_store(store_url, NOW)

    def add_and_match_back() -> None:
        declare(other, make_digest(queries=["paper", "lovelace"]))
        with other.begin_planning() as tx:
            late = [lagging_query.number for lagging_query in matches.list_lagging(tx, 9)]
            assert matches.begin_pass(tx) == 0
            matches.record_backfill(tx, late, (), 0, matches.read_revision(tx))

    with when(store, "FROM events", add_and_match_back):
        match(store)
    other.close()

    assert hits(store) == asked_one_by_one(store)


def test_passes_at_the_same_time_keep_what_one_would(store: Store, store_url: str) -> None:
    declare(
        store, make_digest(queries=["paper", "1"]), make_digest("other", queries=["lovelace", "paper NOT 2"])
    )
    announce_many(store, 30)
    stores = [open_store(store_url, NOW) for _ in range(3)]

    match_summaries = run_concurrently(*(lambda value=store: match(value) for store in stores))
    for one in stores:
        one.close()

    assert sum(match_summary.events for match_summary in match_summaries) == 30
    assert hits(store) == asked_one_by_one(store)
    assert all_matched(store)


# --- what stays in memory -------------------------------------------------------------------------

TEXTS = ("paper", "1", "2", 'author:"A. Lovelace"', "kind:version", "paper NOT 3", "lovelace OR 4")
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("announce"), st.integers(1, 3)),
        st.tuples(st.just("follow"), st.sets(st.sampled_from(TEXTS), min_size=1)),
        st.tuples(st.just("match"), st.just(0)),
        st.tuples(st.just("another matches"), st.just(0)),
    ),
    max_size=12,
)


@dataclass
class Life:
    """What happens to a store, and the one who stays and matches it."""

    store: Store
    papers: int = 0
    matcher: EventMatcher = field(init=False)

    def __post_init__(self) -> None:
        self.matcher = EventMatcher(self.store)

    def do(self, step: str, value: Any) -> None:
        if step == "announce":
            announce(self.store, *(make_new_listing(self.papers + number) for number in range(1, value + 1)))
            self.papers += value
        elif step == "follow":
            declare(self.store, make_digest(queries=sorted(value)))
        elif step == "match":
            list(self.matcher.match())
        else:
            match(self.store)


@postgres_if_long
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(STEPS)
def test_who_stays_and_matches_knows_what_changed_meanwhile(
    store: Store, steps: list[tuple[str, Any]]
) -> None:
    with store.begin_dry_run() as trial:
        life = Life(trial)
        for step, value in [*steps, ("announce", 2), ("match", 0)]:
            life.do(step, value)

        assert hits(trial) == asked_one_by_one(trial)
        assert all_matched(trial)


def test_only_queries_that_changed_are_read_again(store: Store) -> None:
    declare(store, make_digest(queries=["paper", "1", "2"]))
    announce(store, make_new_listing(1))
    matcher = EventMatcher(store)
    list(matcher.match())
    declare(store, make_digest(queries=["paper", "1", "3"]))
    announce(store, make_new_listing(2))
    entries: list[Any] = []

    with when(store, "queries.revision >", lambda: entries.append(1)):
        list(matcher.match())

    assert hits(store) == asked_one_by_one(store)


def test_a_store_that_was_put_back_to_an_earlier_state_is_read_anew(store: Store) -> None:
    declare(store, make_digest(queries=["paper", "1"]))
    announce(store, make_new_listing(1))
    matcher = EventMatcher(store)
    list(matcher.match())

    with store.begin_write() as tx:  # as its backup was: another query under that number, fewer changes
        tx.execute(update(queries).values(revision=0))
        tx.execute(update(queries).where(queries.c.text == "1").values(text="2", compiled=""))
        tx.execute(update(counters).where(counters.c.name == "query").values(value=0))
    announce(store, make_new_listing(2))
    list(matcher.match())

    assert 2 in hits(store)["2"]


def test_how_far_a_pass_is_can_be_followed(store: Store) -> None:
    declare(store, make_digest(queries=["paper"]))
    announce(store, make_new_listing(1))

    entries = list(EventMatcher(store).match())

    assert entries[-1] == MatchSummary(events=1, queries=1, match_count=1)
    assert entries[:-1]
    assert all(
        isinstance(one, MatchProgress) and one.done_count <= (one.total or one.done_count)
        for one in entries[:-1]
    )
