from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import event, select, update

from digest.core.language.parser import parse
from digest.core.language.query import load_compiled
from digest.core.matching.bitmaps import BLOCK_SIZE, MatchBitmaps, encode_matches, list_positions
from digest.errors import QueryError
from digest.store.database.engine import Store, Transaction
from digest.store.database.tables.digests import digests as digests_table
from digest.store.database.tables.digests import queries
from digest.store.matching import matches
from digest.store.matching.matches import BlockMatches
from tests.store.factories import (
    NOW,
    announce_many,
    declare,
    load_active_digests,
    make_digest,
    run_concurrently,
)

SEQS = st.sets(
    st.one_of(
        st.integers(1, 3 * BLOCK_SIZE + 5),
        st.sampled_from(
            [BLOCK_SIZE - 1, BLOCK_SIZE, BLOCK_SIZE + 1, 2 * BLOCK_SIZE - 1, 2 * BLOCK_SIZE, 3 * BLOCK_SIZE]
        ),
    ),
    max_size=40,
)
ON_ONE_STORE = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
"""Each example is a rehearsal, of which nothing stays."""


def numbers(tx: Transaction) -> dict[str, int]:
    """The queries' numbers, by text."""
    return {row.text: row.id for row in tx.execute(select(queries))}


def matched_from(store: Store) -> dict[str, int | None]:
    with store.begin_read() as tx:
        return {row.text: row.matched_from for row in tx.execute(select(queries))}


def needed_from(store: Store) -> dict[str, int | None]:
    with store.begin_read() as tx:
        return {row.text: row.needed_from for row in tx.execute(select(queries))}


def late(store: Store) -> set[str]:
    """The queries that are not matched as far back as somebody needs them."""
    with store.begin_read() as tx:
        return {lagging_query.text for lagging_query in matches.list_lagging(tx, 1000)}


def changed(store: Store, since: int | None = None) -> dict[str, bool]:
    """The queries that changed since a revision, and whether somebody follows them."""
    with store.begin_read() as tx:
        return {
            query_change.text: query_change.is_followed for query_change in matches.iter_changes(tx, since)
        }


def revision(store: Store) -> int:
    with store.begin_read() as tx:
        return matches.read_revision(tx)


def packed(query: int, likely: Iterable[int], maybe: Iterable[int] = ()) -> list[BlockMatches]:
    """What a query fits, by seq, as a pass hands it over."""
    surely = set(likely)
    results: dict[int, tuple[int, int]] = {}
    for seq in {*surely, *maybe}:
        block, place = divmod(seq, BLOCK_SIZE)
        all_, sure = results.get(block, (0, 0))
        results[block] = all_ | 1 << place, sure | (1 << place if seq in surely else 0)
    return [
        BlockMatches(
            query=query, block=block, packed=encode_matches(MatchBitmaps(number, sure, sure, 0, 0, 0))
        )
        for block, (number, sure) in results.items()
    ]


def keep(
    tx: Transaction,
    *block_matches: list[BlockMatches],
    upto: int = 3 * BLOCK_SIZE + 5,
    known_count: int | None = None,
) -> None:
    matches.begin_pass(tx)
    all_block_matches = [one for block_matches in block_matches for one in block_matches]
    matches.finish_pass(
        tx, all_block_matches, upto, matches.read_revision(tx) if known_count is None else known_count
    )


def fitted(results: Mapping[int, MatchBitmaps], query: int, low: int) -> tuple[set[int], set[int]]:
    """What a query fits likely, and what maybe, by seq."""
    hits = results.get(query, MatchBitmaps(0, 0, 0, 0, 0, 0))
    both = (
        {low + 1 + place for place in list_positions(row)} for row in (hits.likely, hits.maybe & ~hits.likely)
    )
    likely, maybe = both
    return likely, maybe


# --- blocks ---------------------------------------------------------------------------------------


@ON_ONE_STORE
@given(
    fits=SEQS,
    maybe=SEQS,
    more=SEQS,
    window=st.tuples(st.integers(0, 3 * BLOCK_SIZE), st.integers(0, 3 * BLOCK_SIZE)),
)
def test_what_was_kept_is_found_by_range_whatever_blocks_it_lies_in(
    store: Store, fits: set[int], maybe: set[int], more: set[int], window: tuple[int, int]
) -> None:
    low, length = window
    with store.begin_dry_run() as trial:
        declare(trial, make_digest(queries=["a", "b"]))
        with trial.begin_write() as tx:
            one, other = (numbers(tx)[text] for text in "ab")
            keep(tx, packed(one, fits, maybe))
            keep(tx, packed(one, more), packed(other, fits))
            hits = matches.load_hits(tx, [one, other], low, low + length)

    expected = set(range(low + 1, low + length + 1))
    surely = fits | more
    assert fitted(hits, one, low) == (surely & expected, (maybe - surely) & expected)
    assert fitted(hits, other, low) == (fits & expected, set())


def test_what_nobody_needs_is_passed_over_and_every_query_is_matched_from_there(store: Store) -> None:
    announce_many(store, 5)
    declare(store, make_digest(queries=["a"]), first_seq=3)
    with store.begin_planning() as tx:
        matches.begin_pass(tx)
        matches.record_backfill(tx, [numbers(tx)["a"]], (), 0, matches.read_revision(tx))
    assert matched_from(store) == {"a": 0}
    for _ in range(2):
        with store.begin_planning() as tx:
            matches.skip_unneeded(tx)
            assert matches.read_matched_to(tx) == 3
    assert matched_from(store) == {"a": None}
    assert late(store) == {"a"}

    declare(store, make_digest(queries=["a"]), make_digest("other", queries=["b"]), first_seq=1)
    with store.begin_planning() as tx:
        matches.skip_unneeded(tx)
        assert matches.read_matched_to(tx) == 3
    assert late(store) == {"a", "b"}


def test_where_nobody_follows_anything_all_is_passed_over(store: Store) -> None:
    announce_many(store, 5)
    with store.begin_planning() as tx:
        matches.skip_unneeded(tx)
        assert matches.read_matched_to(tx) == 5


@pytest.mark.parametrize("place", [1, BLOCK_SIZE - 1, BLOCK_SIZE, BLOCK_SIZE + 1, 2 * BLOCK_SIZE])
def test_a_window_begins_after_its_first_number_and_ends_with_its_last(store: Store, place: int) -> None:
    declare(store, make_digest(queries=["a"]))
    with store.begin_write() as tx:
        query = numbers(tx)["a"]
        keep(tx, packed(query, {place}))

        def found(low: int, high: int) -> bool:
            fits = query in matches.load_hits(tx, [query], low, high)
            assert matches.list_matching(tx, select(queries.c.id), low, high) == ({query} if fits else set())
            return fits

        assert found(place - 1, place)
        assert not found(place, place + 9)
        assert not found(0, place - 1)
        assert not found(place, place)


def test_finding_the_same_again_changes_nothing_and_surely_is_stronger_than_maybe(store: Store) -> None:
    declare(store, make_digest(queries=["a"]))
    with store.begin_write() as tx:
        query = numbers(tx)["a"]
        for _ in range(2):
            keep(tx, packed(query, {5}, {5, 6}))
        keep(tx, packed(query, {6}))
        keep(tx, packed(query, set(), {6, 7}))
        assert fitted(matches.load_hits(tx, [query], 0, 10), query, 0) == ({5, 6}, {7})
        assert matches.load_hits(tx, [], 0, 10) == {}


def test_how_a_query_fits_is_kept_whole(store: Store) -> None:
    declare(store, make_digest(queries=["a"]))
    rows = MatchBitmaps(0b11111, 0b1111, 0b111, 0b10101, 0b1010, 0b10)
    with store.begin_write() as tx:
        query = numbers(tx)["a"]
        keep(
            tx,
            [
                BlockMatches(
                    query=query, block=0, packed=encode_matches(MatchBitmaps(*(row << 4 for row in rows)))
                )
            ],
        )
        assert matches.load_hits(tx, [query], 3, 8) == {query: rows}


def test_a_pass_moves_the_place_that_is_matched_and_a_failed_one_does_not(store: Store) -> None:
    declare(store, make_digest(queries=["a"]))
    with store.begin_write() as tx:
        keep(tx, upto=17)
    with pytest.raises(RuntimeError), store.begin_write() as tx:
        keep(tx, packed(numbers(tx)["a"], {18}), upto=99)
        raise RuntimeError

    with store.begin_read() as tx:
        assert matches.read_matched_to(tx) == 17
        assert matches.load_hits(tx, [numbers(tx)["a"]], 0, 100) == {}


def test_hundreds_of_queries_over_many_blocks_fit_the_statements(store: Store) -> None:
    texts = [f"query{number}" for number in range(700)]
    declare(store, make_digest(queries=texts))
    with store.begin_write() as tx:
        mine = numbers(tx)
        keep(
            tx, *(packed(mine[text], {1, BLOCK_SIZE, 2 * BLOCK_SIZE}) for text in texts), upto=2 * BLOCK_SIZE
        )
        hits = matches.load_hits(tx, mine.values(), 0, 2 * BLOCK_SIZE)

    assert set(hits) == set(mine.values())
    assert {hits.likely for hits in hits.values()} == {1 | 1 << BLOCK_SIZE - 1 | 1 << 2 * BLOCK_SIZE - 1}


# --- who is followed ------------------------------------------------------------------------------


def test_a_query_is_needed_from_where_the_earliest_of_its_digests_was_told_to(store: Store) -> None:
    declare(store, make_digest("one", queries=["a", "b"]), first_seq=7)
    assert needed_from(store) == {"a": 7, "b": 7}

    declare(store, make_digest("one", queries=["a", "b"]), make_digest("two", queries=["b"]), first_seq=3)
    assert needed_from(store) == {"a": 7, "b": 3}

    declare(
        store, make_digest("one", queries=["a", "b"]), make_digest("two", queries=["b", "a"]), first_seq=9
    )
    assert needed_from(store) == {"a": 3, "b": 3}


def test_a_query_that_nobody_follows_any_more_forgets_from_where_it_was_matched(store: Store) -> None:
    declare(store, make_digest("one", queries=["a", "b"]), make_digest("two", queries=["b"]))
    with store.begin_write() as tx:
        matches.record_backfill(tx, list(numbers(tx).values()), (), 5, matches.read_revision(tx))

    declare(store, make_digest("one", queries=["c"]), make_digest("two", queries=["b"]))
    assert matched_from(store) == {"a": None, "b": 5, "c": None}
    assert needed_from(store) == {"a": None, "b": 0, "c": 0}

    declare(store, make_digest("one", queries=["c"]))
    assert matched_from(store) == {"a": None, "b": None, "c": None}
    assert late(store) == {"c"}


def test_what_changed_is_told_by_revision_and_the_same_file_again_changes_nothing(store: Store) -> None:
    declare(store, make_digest("one", queries=["a", "b"]), make_digest("two", queries=["b"]))
    assert changed(store) == {"a": True, "b": True}
    first = revision(store)

    declare(store, make_digest("one", queries=["a", "b"]), make_digest("two", queries=["b"]))
    assert revision(store) == first
    assert changed(store, first) == {}

    declare(store, make_digest("one", queries=["c"]), make_digest("two", queries=["b"]))
    assert changed(store, first) == {"a": False, "c": True}
    second = revision(store)

    declare(store, make_digest("one", queries=["c", "a"]), make_digest("two"))
    assert changed(store, second) == {"a": True, "b": False, '"kv cache"': True}
    assert changed(store) == {"a": True, "c": True, '"kv cache"': True}


def test_a_query_is_kept_compiled_and_one_that_cannot_be_read_is_refused(store: Store) -> None:
    text = str(parse('author:"Wei Wang" ("kv cache" OR quantiz*) NOT category:cs.CV'))
    with store.begin_write() as tx:
        matches.require_queries(tx, {text: 3})
    with store.begin_read() as tx:
        (query_change,) = matches.iter_changes(tx, None)
        assert load_compiled(query_change.compiled) == parse(text)

    with pytest.raises(QueryError), store.begin_write() as tx:
        matches.require_queries(tx, {'"no end': 3})


def test_queries_that_an_older_release_stored_are_compiled_once(store: Store) -> None:
    declare(store, make_digest(queries=["a", "b"]))
    with store.begin_write() as tx:
        tx.execute(update(queries).values(compiled=""))
        anew = {
            query_change.number: matches.compile_text(query_change.text)
            for query_change in matches.iter_changes(tx, None)
        }
        matches.save_compiled(tx, anew)
    with store.begin_read() as tx:
        assert {
            str(load_compiled(query_change.compiled)) for query_change in matches.iter_changes(tx, None)
        } == {"a", "b"}

    assert load_compiled(matches.compile_text('"no end')) == load_compiled('["|"]')


def test_ranges_of_numbers_hold_every_query_that_is_followed(store: Store) -> None:
    texts = [f"query{number}" for number in range(10)]
    declare(store, make_digest("one", queries=texts))
    declare(store, make_digest("one", queries=texts[::2]))
    with store.begin_read() as tx:
        for most in (1, 2, 5, 6):
            parts = matches.list_ranges(tx, most)
            results = [
                [query_change.text for query_change in matches.iter_changes(tx, None, low, high)]
                for low, high in parts
            ]
            assert sorted(text for part in results for text in part) == texts[::2]
            assert max(map(len, results)) <= most


def test_where_there_is_no_query_there_is_no_range(store: Store) -> None:
    with store.begin_read() as tx:
        assert matches.list_ranges(tx, 5) == []


def test_several_that_begin_to_follow_one_query_at_once_make_it_once(store: Store) -> None:
    def want(start: int) -> dict[str, int]:
        with store.begin_write() as tx:
            return matches.require_queries(tx, {"a": start, "b": 9 - start})

    known_values = run_concurrently(*(lambda start=start: want(start) for start in (5, 2, 7)))

    assert all(entry == known_values[0] for entry in known_values)
    assert needed_from(store) == {"a": 2, "b": 2}


# --- from where a query is matched ----------------------------------------------------------------


def test_a_pass_that_ends_after_the_last_follow_does_not_say_that_the_query_is_matched(store: Store) -> None:
    declare(store, make_digest(queries=["a", "b"]))
    known_count = revision(store)
    with store.begin_read() as tx:
        behind = [lagging_query.number for lagging_query in matches.list_lagging(tx, 9)]

    declare(store, make_digest(queries=["b"]))
    with store.begin_write() as tx:
        matches.begin_pass(tx)
        matches.record_backfill(tx, behind, (), 0, known_count)

    # Else what came while nobody followed it would count as matched when somebody does again.
    assert matched_from(store) == {"a": None, "b": 0}


def test_a_follow_that_ended_and_began_again_during_a_pass_is_matched_by_the_next(store: Store) -> None:
    declare(store, make_digest(queries=["a"]), first_seq=2)
    known_count = revision(store)
    with store.begin_read() as tx:
        behind = [lagging_query.number for lagging_query in matches.list_lagging(tx, 9)]
    declare(store, make_digest(queries=["b"]))
    declare(store, make_digest(queries=["a"]))

    with store.begin_write() as tx:
        matches.record_backfill(tx, behind, (), 2, known_count)

    assert late(store) == {"a"}


def test_a_query_that_was_added_during_a_pass_does_not_count_as_matched_by_it(store: Store) -> None:
    declare(store, make_digest(queries=["a"]))
    known_count = revision(store)
    declare(store, make_digest(queries=["a", "b"]))
    with store.begin_write() as tx:  # by another one, which was faster with what was there before
        mine = list(numbers(tx).values())
        matches.record_backfill(tx, mine, (), 0, matches.read_revision(tx))
    assert late(store) == set()

    with store.begin_write() as tx:
        keep(tx, packed(mine[0], {7}), upto=9, known_count=known_count)

    assert (matched_from(store), late(store)) == ({"a": 0, "b": None}, {"b"})


def test_matching_back_goes_on_where_it_stopped_and_never_forward(store: Store) -> None:
    declare(store, make_digest(queries=["a"]), first_seq=3)
    with store.begin_write() as tx:
        (query,) = numbers(tx).values()
        for seq in (9, 5, 7):
            matches.record_backfill(tx, [query], packed(query, {seq + 1}), seq, matches.read_revision(tx))
        assert fitted(matches.load_hits(tx, [query], 0, 20), query, 0) == ({6, 8, 10}, set())

    assert (matched_from(store), late(store)) == ({"a": 5}, {"a"})


def test_a_slot_says_how_many_of_its_queries_are_not_matched_far_enough_back(store: Store) -> None:
    declare(store, make_digest("one", queries=["a", "b"], exclude=["c"]), now=NOW, first_seq=4)
    with store.begin_write() as tx:
        slot = load_active_digests(tx)[0].slot
        assert matches.count_unmatched(tx, slot) == 3
        assert matches.count_unmatched(tx, slot + 1000) == 0
        mine, known_count = numbers(tx), matches.read_revision(tx)
        matches.record_backfill(tx, [mine["a"]], (), 4, known_count)
        matches.record_backfill(tx, [mine["b"]], (), 5, known_count)
        matches.record_backfill(tx, [mine["c"]], (), 0, known_count)
        assert matches.count_unmatched(tx, slot) == 1
        # A digest that was told up to there meanwhile needs it no earlier.
        tx.execute(update(digests_table).values(from_seq=5))
        assert matches.count_unmatched(tx, slot) == 0


def test_neither_a_pass_nor_a_closing_run_looks_through_follows_where_all_is_matched(store: Store) -> None:
    declare(store, make_digest(queries=["a", "b"]))
    with store.begin_write() as tx:
        matches.record_backfill(tx, list(numbers(tx).values()), (), 0, matches.read_revision(tx))
    requests: list[str] = []
    event.listen(store.engine, "before_cursor_execute", lambda *messages: requests.append(messages[2]))

    with store.begin_read() as tx:
        assert matches.list_lagging(tx, 9) == ()
        assert matches.count_unmatched(tx, 1) == 0

    assert not any("follows" in statement for statement in requests)


def test_what_is_behind_is_found_by_an_index(store: Store) -> None:
    asked: list[tuple[str, Any]] = []
    event.listen(
        store.engine, "before_cursor_execute", lambda *messages: asked.append((messages[2], messages[3]))
    )
    with store.begin_read() as tx:
        matches.list_lagging(tx, 9)
        statement, values = asked[-1]
        if store.engine.dialect.name == "sqlite":
            plan = tx.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values).all()
        else:
            tx.exec_driver_sql("SET LOCAL enable_seqscan = off")  # or it reads a small table as a whole
            plan = tx.exec_driver_sql(f"EXPLAIN {statement}", values).all()

    assert "ix_queries_behind" in str(plan)
