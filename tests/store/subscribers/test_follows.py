from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from digest.config import DigestSettings, FollowSettings
from digest.store.database.engine import Store
from digest.store.database.tables.digests import follows, queries
from digest.store.subscribers import digests
from digest.store.subscribers.config_sync import forget_declarations
from tests.store.factories import (
    add_to_now,
    declare,
    declare_all,
    limit_statement_size,
    load_active_digests,
    make_digest,
    record_statements,
    run_concurrently,
)

EACH = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)


def wish(query: str, *, only: str = "", exclude: bool = False, weight: float = 1.0) -> FollowSettings:
    return FollowSettings(
        text=f"as written: {query}", query=query, only=only, exclude=exclude or bool(only), weight=weight
    )


def following(*wishes: FollowSettings, name: str = "systems") -> DigestSettings:
    return replace(make_digest(name), follows=wishes)


def the(store: Store, name: str = "systems") -> digests.Digest:
    with store.begin_read() as tx:
        return next(active_digest for active_digest in load_active_digests(tx) if active_digest.name == name)


def texts(store: Store) -> dict[int, str]:
    with store.begin_read() as tx:
        return {row.id: row.text for row in tx.execute(select(queries))} | {0: ""}


def kept(store: Store, name: str = "systems") -> set[tuple[str, str, bool, float]]:
    """Query, the query that it excludes from, whether it excludes, and weight."""
    text = texts(store)
    return {
        (text[follow.query], text[follow.only], follow.exclude, follow.weight)
        for follow in the(store, name).follows
    }


def declared(wishes: tuple[FollowSettings, ...]) -> set[tuple[str, str, bool, float]]:
    return {(follow.query, follow.only, follow.exclude, follow.weight) for follow in wishes}


def needed(store: Store) -> set[str]:
    """The queries that somebody needs matched."""
    with store.begin_read() as tx:
        return set(tx.execute(select(queries.c.text).where(queries.c.needed_from.is_not(None))).scalars())


def rows(store: Store) -> list[Any]:
    with store.begin_read() as tx:
        return [tuple(row) for row in tx.execute(select(follows).order_by(follows.c.id))]


def test_an_exclusion_can_be_for_one_follow_alone_and_for_the_whole_digest(store: Store) -> None:
    wishes = (
        *(wish("a"), wish("b"), wish("x", only="a"), wish("x", only="b"), wish("x", exclude=True)),
        wish("b", only="a"),
    )
    declare(store, following(*wishes))

    assert kept(store) == declared(wishes)
    assert needed(store) == {"a", "b", "x"}


def test_exclusions_come_and_go_with_the_file(store: Store) -> None:
    declare(store, following(wish("a"), wish("b"), wish("x", only="a")))
    declare(store, following(wish("a"), wish("b"), wish("x", only="b")))

    assert kept(store) == declared((wish("a"), wish("b"), wish("x", only="b")))
    assert needed(store) == {"a", "b", "x"}

    declare(store, following(wish("a"), wish("b")))
    assert needed(store) == {"a", "b"}


def test_a_query_is_needed_until_its_last_follow_ends(store: Store) -> None:
    declare(store, following(wish("a"), wish("b")), following(wish("b"), wish("c"), name="other"))

    declare(store, following(wish("a")), following(wish("b"), name="other"))
    assert needed(store) == {"a", "b"}
    declare(store, following(wish("a")))
    assert needed(store) == {"a"}


LIBRARY = 1_500
"""Papers; more than any statement takes in one list."""


def library(count: int) -> tuple[FollowSettings, ...]:
    return tuple(wish(f"cites:arxiv:2401.{number:05}") for number in range(count))


def test_a_library_that_is_unchanged_writes_nothing_and_asks_once(store: Store) -> None:
    limit_statement_size(store)
    declare(store, following(*library(LIBRARY)))
    before = rows(store)
    with store.begin_write() as tx:
        forget_declarations(tx)  # or nothing of it would be looked at

    with record_statements(store) as lines:
        declare(store, following(*library(LIBRARY)), now=add_to_now(days=1))

    assert rows(store) == before
    about = [text for text in lines if "follows" in text or "queries" in text]
    assert len(about) == 1
    assert about[0].startswith("SELECT")


def test_what_a_change_costs_does_not_grow_with_the_library(store: Store) -> None:
    def change(size: int, name: str) -> int:
        follows = library(size)
        fresh = wish(f"new to {name}"), wish(f"changed by {name}", only=follows[7].query)
        declare(store, following(*follows, name=name))
        with record_statements(store) as lines:
            declare(store, following(*follows[1:], *fresh, name=name))
        assert kept(store, name) == declared((*follows[1:], *fresh))
        return len(lines)

    limit_statement_size(store)
    assert change(10, "small") == change(LIBRARY, "large")


def test_a_whole_library_comes_and_goes_in_few_statements(store: Store) -> None:
    limit_statement_size(store)
    with record_statements(store) as came:
        declare(store, following(*library(LIBRARY)))
    assert len(the(store).follows) == LIBRARY

    with record_statements(store) as went:
        declare(store, following(wish("a")))

    assert kept(store) == declared((wish("a"),))
    assert needed(store) == {"a"}
    assert max(len(came), len(went)) < LIBRARY / 30


WISHES = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from(["", "", "a", "b"]), st.booleans(), st.sampled_from([1.0, 2.0])),
    unique_by=lambda entry: entry[:2],
    max_size=6,
).map(
    lambda results: (
        wish("a"),
        wish("b"),
        *(
            wish(query, only=only, exclude=exclude, weight=weight)
            for query, only, exclude, weight in results
            if query != only and (only or query not in "ab")
        ),
    )
)  # fmt: skip


@EACH
@given(st.lists(WISHES, min_size=1, max_size=4))
def test_the_store_follows_what_the_file_last_declared(
    store: Store, declarations: list[tuple[FollowSettings, ...]]
) -> None:
    for wishes in declarations:
        declare(store, following(*wishes))

    assert kept(store) == declared(declarations[-1])
    assert needed(store) == {follow.query for follow in declarations[-1]}


def test_several_that_declare_one_library_at_once_follow_it_once(store: Store) -> None:
    wishes = (*library(50), wish("x", only=library(50)[3].query))

    def apply() -> None:
        with store.begin_planning() as tx:
            declare_all(tx, [following(*wishes)], add_to_now(), 0)

    run_concurrently(*[apply] * 3)

    assert kept(store) == declared(wishes)
    assert len(rows(store)) == len(wishes)
