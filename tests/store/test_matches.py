from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select, update

from digest.store import digests, matches
from digest.store.engine import Store, Transaction
from digest.store.matches import BLOCK, Seqs
from digest.store.schema import digests as digests_table
from digest.store.schema import queries
from tests.store.given import NOW, declare, digest

SEQS = st.sets(
    st.one_of(
        st.integers(1, 3 * BLOCK + 5),
        st.sampled_from([BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK - 1, 2 * BLOCK, 3 * BLOCK]),
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
    with store.reading() as tx:
        return {row.text: row.matched_from for row in tx.execute(select(queries))}


def standing(store: Store) -> dict[str, tuple[int | None, int]]:
    with store.reading() as tx:
        return {one.text: (one.matched_from, one.needed_from) for one in matches.standing_queries(tx)}


def keep(
    tx: Transaction, fits: Mapping[int, set[int]], maybe: Mapping[int, set[int]], upto: int = 3 * BLOCK + 5
) -> None:
    matches.begin_pass(tx)
    matches.finish_pass(tx, fits, maybe, upto)


# --- blocks ---------------------------------------------------------------------------------------


@ON_ONE_STORE
@given(
    fits=SEQS, maybe=SEQS, more=SEQS, window=st.tuples(st.integers(0, 3 * BLOCK), st.integers(0, 3 * BLOCK))
)
def test_what_was_kept_is_found_by_range_whatever_blocks_it_lies_in(
    store: Store, fits: set[int], maybe: set[int], more: set[int], window: tuple[int, int]
) -> None:
    low, length = window
    with store.rehearsal() as trial:
        declare(trial, digest(queries=["a", "b"]))
        with trial.writing() as tx:
            one, other = (numbers(tx)[text] for text in "ab")
            keep(tx, {one: fits}, {one: maybe})
            keep(tx, {one: more, other: fits}, {})
            found = matches.hits(tx, [one, other], low, low + length)

    wanted = set(range(low + 1, low + length + 1))
    surely = fits | more
    nothing: tuple[Seqs, Seqs] = (frozenset(), frozenset())
    assert found.get(one, nothing) == (frozenset(surely & wanted), frozenset((maybe - surely) & wanted))
    assert found.get(other, nothing) == (frozenset(fits & wanted), frozenset())


@pytest.mark.parametrize("place", [1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK])
def test_a_window_begins_after_its_first_number_and_ends_with_its_last(store: Store, place: int) -> None:
    declare(store, digest(queries=["a"]))
    with store.writing() as tx:
        query = numbers(tx)["a"]
        keep(tx, {query: {place}}, {})

        def found(low: int, high: int) -> bool:
            return bool(matches.hits(tx, [query], low, high).get(query, (set(), set()))[0])

        assert found(place - 1, place)
        assert not found(place, place + 9)
        assert not found(0, place - 1)
        assert not found(place, place)


def test_finding_the_same_again_changes_nothing_and_surely_is_stronger_than_maybe(store: Store) -> None:
    declare(store, digest(queries=["a"]))
    with store.writing() as tx:
        query = numbers(tx)["a"]
        for _ in range(2):
            keep(tx, {query: {5}}, {query: {5, 6}})
        keep(tx, {query: {6}}, {})
        keep(tx, {}, {query: {6, 7}})
        assert matches.hits(tx, [query], 0, 10) == {query: (frozenset({5, 6}), frozenset({7}))}
        assert matches.hits(tx, [], 0, 10) == {}


def test_a_pass_moves_the_place_that_is_matched_and_a_failed_one_does_not(store: Store) -> None:
    declare(store, digest(queries=["a"]))
    with store.writing() as tx:
        keep(tx, {}, {}, upto=17)
    with pytest.raises(RuntimeError), store.writing() as tx:
        keep(tx, {numbers(tx)["a"]: {18}}, {}, upto=99)
        raise RuntimeError

    with store.reading() as tx:
        assert matches.matched_to(tx) == 17
        assert matches.hits(tx, [numbers(tx)["a"]], 0, 100) == {}


def test_hundreds_of_queries_over_many_blocks_fit_the_statements(store: Store) -> None:
    texts = [f"query{number}" for number in range(700)]
    declare(store, digest(queries=texts))
    with store.writing() as tx:
        mine = numbers(tx)
        keep(tx, {mine[text]: {1, BLOCK, 2 * BLOCK} for text in texts}, {}, upto=2 * BLOCK)
        found = matches.hits(tx, mine.values(), 0, 2 * BLOCK)

    assert set(found) == set(mine.values())
    assert {fits for fits, _ in found.values()} == {frozenset({1, BLOCK, 2 * BLOCK})}


# --- from where a query is matched ----------------------------------------------------------------


@contextmanager
def at(store: Store, place: int) -> Iterator[Transaction]:
    """A transaction in which every digest has been told up to a place."""
    with store.writing() as tx:
        tx.execute(update(digests_table).values(from_seq=place))
        yield tx


def test_a_query_is_needed_from_where_the_earliest_of_its_digests_was_told_to(store: Store) -> None:
    declare(store, digest("one", queries=["a", "b"]), digest("two", queries=["b"]), first_seq=7)
    with store.writing() as tx:
        tx.execute(update(digests_table).where(digests_table.c.name == "two").values(from_seq=3))

    assert standing(store) == {"a": (None, 7), "b": (None, 3)}


def test_a_query_that_nobody_follows_any_more_forgets_from_where_it_was_matched(store: Store) -> None:
    declare(store, digest("one", queries=["a", "b"]), digest("two", queries=["b"]))
    with store.writing() as tx:
        matches.set_matched_from(tx, list(numbers(tx).values()), 5)

    declare(store, digest("one", queries=["c"]), digest("two", queries=["b"]))
    assert matched_from(store) == {"a": None, "b": 5, "c": None}

    declare(store, digest("one", queries=["c"]))
    assert matched_from(store) == {"a": None, "b": None, "c": None}
    assert standing(store) == {"c": (None, 0)}


def test_a_pass_that_ends_after_the_last_follow_does_not_say_that_the_query_is_matched(store: Store) -> None:
    declare(store, digest(queries=["a", "b"]))
    with store.reading() as tx:
        behind = [one.id for one in matches.standing_queries(tx)]

    declare(store, digest(queries=["b"]))
    with store.writing() as tx:
        matches.begin_pass(tx)
        matches.set_matched_from(tx, behind, 0)

    # Else what came while nobody followed it would count as matched when somebody does again.
    assert matched_from(store) == {"a": None, "b": 0}


def test_a_slot_says_how_many_of_its_queries_are_not_matched_far_enough_back(store: Store) -> None:
    declare(store, digest("one", queries=["a", "b"], exclude=["c"]), now=NOW, first_seq=4)
    with store.writing() as tx:
        slot = digests.active_digests(tx)[0].slot
        assert matches.unmatched(tx, slot) == 3
        assert matches.unmatched(tx, slot + 1000) == 0
        mine = numbers(tx)
        matches.set_matched_from(tx, [mine["a"]], 4)
        matches.set_matched_from(tx, [mine["b"]], 5)
        matches.set_matched_from(tx, [mine["c"]], 0)
        assert matches.unmatched(tx, slot) == 1
    with at(store, 5) as tx:
        assert matches.unmatched(tx, slot) == 0
