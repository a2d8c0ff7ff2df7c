from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select, update

from digest.config import DigestSettings
from digest.model import EditionForm
from digest.store.database.engine import Store
from digest.store.database.tables.digests import destinations, follows, queries, slots, subscribers
from digest.store.database.tables.digests import digests as digests_table
from digest.store.subscribers import digests
from tests.store.database_marks import postgres_if_long
from tests.store.factories import (
    NOW,
    add_to_now,
    announce_many,
    change_options,
    declare,
    declare_all,
    finish_first_firings,
    limit_statement_size,
    load_active_digests,
    load_digest,
    load_digest_row,
    load_slot_times,
    make_digest,
    run_concurrently,
)

TABLES = (digests_table, destinations, follows, queries, slots, subscribers)


def content(store: Store) -> dict[str, list[Any]]:
    with store.begin_read() as tx:
        return {table.name: sorted(map(repr, tx.execute(select(table)))) for table in TABLES}


def active(store: Store) -> dict[str, digests.Digest]:
    with store.begin_read() as tx:
        return {active_digest.name: active_digest for active_digest in load_active_digests(tx)}


def wishes(store: Store, name: str = "systems") -> dict[str, tuple[float, bool, int]]:
    return {
        follow.text: (follow.weight, follow.exclude, follow.started_seq)
        for follow in load_digest(store, name).follows
    }


def addresses(store: Store, name: str = "systems") -> list[str]:
    return [destination.address for destination in load_digest(store, name).destinations]


# --- what the file declares -----------------------------------------------------------------------


def test_a_new_digest_goes_out_once_and_then_by_its_schedule(store: Store) -> None:
    announce_many(store, 5)
    declare(store, make_digest(), first_seq=3)

    digest = load_digest(store)
    assert load_slot_times(store, digest.slot) == ("once", NOW.isoformat(timespec="microseconds"))
    assert load_slot_times(store, load_digest_row(store).next_slot_id) == ("daily", "07:30")
    assert (digest.from_seq, digest.sent_seq) == (3, 3)
    assert wishes(store) == {'"kv cache"': (1.0, False, 3)}


def test_a_destination_gets_editions_in_the_form_that_the_file_says_last(store: Store) -> None:
    usual = make_digest(to=["me@kindle.com", "me@example.org"])
    reader, other = usual.destinations
    declare(store, replace(usual, destinations=(replace(reader, form=EditionForm.EPUB), other)))
    before = load_digest(store).destinations

    declare(store, usual)
    after = load_digest(store).destinations

    assert {(each.address, each.form) for each in before} == {
        ("me@kindle.com", "epub"),
        ("me@example.org", ""),
    }
    assert {each.form for each in after} == {""}
    assert [each.id for each in before] == [each.id for each in after]


def test_its_options_are_those_of_the_file(store: Store) -> None:
    declared = change_options(
        replace(make_digest(limit=7, minimum=3, to=["a@example.org", "b@example.org"]), title="T"),
        when_empty="tell",
        feed=True,
    )
    declare(store, make_digest())
    declare(store, declared)

    digest = load_digest(store)
    assert (
        digest.title,
        digest.options.timezone,
        digest.options.limit,
        digest.options.minimum,
        digest.options.when_empty,
        digest.options.feed,
        digest.options.kinds,
    ) == (
        "T",
        "Europe/Berlin",
        7,
        3,
        "tell",
        True,
        declared.options.kinds,
    )
    assert sorted(destination.address for destination in digest.destinations) == [
        "a@example.org",
        "b@example.org",
    ]


def test_follows_change_weight_and_side_and_keep_the_place_they_began_at(store: Store) -> None:
    declare(store, make_digest(queries=["a", "b"]))
    announce_many(store, 5)

    declare(store, make_digest(queries=["a"], exclude=["b"], weight=2.0))

    assert wishes(store) == {"a": (2.0, False, 0), "b": (1.0, True, 0)}


def test_a_follow_added_later_begins_where_its_digest_was_told_to(store: Store) -> None:
    announce_many(store, 9)
    declare(store, make_digest(queries=["a"]), first_seq=2)
    finish_first_firings(store)
    with store.begin_write() as tx:
        tx.execute(update(digests_table).values(from_seq=None))
        tx.execute(update(slots).values(cursor_seq=6))

    declare(store, make_digest(queries=["a", "b"]))

    assert wishes(store) == {"a": (1.0, False, 2), "b": (1.0, False, 6)}


def test_a_follow_that_left_and_returns_begins_anew(store: Store) -> None:
    declare(store, make_digest(queries=["a", "b"]))
    with store.begin_write() as tx:
        tx.execute(update(digests_table).values(from_seq=4))
    declare(store, make_digest(queries=["a"]))
    assert set(wishes(store)) == {"a"}

    declare(store, make_digest(queries=["a", "b"]))

    assert wishes(store) == {"a": (1.0, False, 0), "b": (1.0, False, 4)}


def test_one_query_is_kept_once_however_many_follow_it(store: Store) -> None:
    declare(store, make_digest("one", queries=["a", "b"]), make_digest("two", queries=["b", "a"]))

    with store.begin_read() as tx:
        assert sorted(tx.execute(select(queries.c.text)).scalars()) == ["a", "b"]
    assert {follow.query for follow in load_digest(store, "one").follows} == {
        follow.query for follow in load_digest(store, "two").follows
    }


def test_more_follows_than_a_statement_takes_can_leave_at_once(store: Store) -> None:
    limit_statement_size(store)
    names = ("one", "two", "three")
    declare(
        store, *(make_digest(name, queries=[f"{name}{number}" for number in range(400)]) for name in names)
    )
    assert len(load_digest(store, "two").follows) == 400

    declare(store)

    assert active(store) == {}
    with store.begin_read() as tx:
        assert tx.execute(select(follows).where(follows.c.ended_at.is_(None))).all() == []


# --- destinations ---------------------------------------------------------------------------------


def test_destinations_come_and_go_with_the_file(store: Store) -> None:
    declare(store, make_digest(to=["a@example.org", "b@example.org"]))
    declare(store, make_digest(to=["b@example.org", "c@example.org"]))
    assert sorted(addresses(store)) == ["b@example.org", "c@example.org"]

    declare(store, make_digest(to=["a@example.org"]))
    assert addresses(store) == ["a@example.org"]


@pytest.mark.parametrize("between", [["a@example.org"], ["b@example.org"], []], ids=str)
def test_a_destination_that_its_reader_stopped_stays_stopped_whatever_the_file_says(
    store: Store, between: list[str]
) -> None:
    declare(store, make_digest(to=["a@example.org", "b@example.org"]))
    with store.begin_write() as tx:
        stopped = destinations.c.address == "a@example.org"
        tx.execute(update(destinations).where(stopped).values(state=digests.STOPPED))

    declare(store, make_digest(to=between))
    declare(store)
    declare(store, make_digest(to=["a@example.org", "b@example.org"]))

    assert addresses(store) == ["b@example.org"]


# --- leaving and returning ------------------------------------------------------------------------


def test_a_digest_that_left_has_ended_and_is_not_deleted(store: Store) -> None:
    declare(store, make_digest("one"), make_digest("two"))

    declare(store, make_digest("two"))

    assert set(active(store)) == {"two"}
    assert load_digest_row(store, "one").state == digests.ENDED


def test_one_that_returns_goes_on_from_now_by_its_schedule(store: Store) -> None:
    declare(store, make_digest())
    finish_first_firings(store)
    declare(store)
    announce_many(store, 8)

    declare(store, make_digest(schedule="daily 18:00"), now=add_to_now(days=3))

    digest = load_digest(store)
    assert load_slot_times(store, digest.slot) == ("daily", "18:00")
    assert load_digest_row(store).next_slot_id is None
    assert digest.sent_seq == 8
    assert wishes(store) == {'"kv cache"': (1.0, False, 8)}


# --- schedules ------------------------------------------------------------------------------------


def test_a_schedule_changed_and_changed_back_moves_nothing(store: Store) -> None:
    declare(store, make_digest())
    finish_first_firings(store)
    before = content(store)["digests"]

    declare(store, make_digest(schedule="daily 18:00"))
    declare(store, make_digest())

    assert content(store)["digests"] == before


def test_equal_schedules_share_a_slot_and_unequal_ones_do_not(store: Store) -> None:
    alike = [make_digest(name) for name in ("a", "b")]
    unlike = [
        make_digest("c", schedule="weekdays 07:31"),
        make_digest("d", zone="Europe/Paris"),
        make_digest("e", latest="10:00"),
        make_digest("f", catch_up="skip"),
        make_digest("g", schedule="daily 07:30"),
    ]
    declare(store, *alike, *unlike)
    finish_first_firings(store)

    slots_of = {name: entry.slot for name, entry in active(store).items()}
    assert slots_of["a"] == slots_of["b"]
    assert len(set(slots_of.values())) == 6


# --- any changes at all ---------------------------------------------------------------------------

FILES = st.lists(
    st.builds(
        make_digest,
        name=st.sampled_from("xyz"),
        queries=st.lists(st.sampled_from("abc"), unique=True),
        exclude=st.lists(st.sampled_from("de"), unique=True),
        to=st.lists(st.sampled_from(["1@example.org", "2@example.org"]), unique=True),
        schedule=st.sampled_from(["daily 07:30", "weekly fri 16:00", "every 2 hours"]),
        weight=st.sampled_from([1.0, 2.0]),
        limit=st.sampled_from([5, 25]),
    ),
    unique_by=lambda digest: digest.name,
    max_size=3,
)


def as_declared(digest: DigestSettings) -> tuple[Any, ...]:
    return (
        digest.title,
        digest.options.limit,
        sorted(to.address for to in digest.destinations),
        sorted((follow.text, follow.weight, follow.exclude) for follow in digest.follows),
    )


def as_stored(entry: digests.Digest) -> tuple[Any, ...]:
    return (
        entry.title,
        entry.options.limit,
        sorted(destination.address for destination in entry.destinations),
        sorted((follow.text, follow.weight, follow.exclude) for follow in entry.follows),
    )


@postgres_if_long
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(files=st.lists(st.tuples(FILES, st.booleans()), min_size=1, max_size=6))
def test_after_any_changes_the_store_holds_what_the_file_says_and_told_places_never_go_back(
    store: Store, files: list[tuple[list[DigestSettings], bool]]
) -> None:
    with store.begin_dry_run() as trial:
        fields: dict[str, int] = {}
        for step, (file, fires) in enumerate(files):
            announce_many(trial, 3 * (step + 1))
            declare(trial, *file, now=add_to_now(hours=step), first_seq=3 * step)
            once = content(trial)
            declare(trial, *file, now=add_to_now(hours=step, seconds=1), first_seq=99)
            assert content(trial) == once
            assert {name: as_stored(entry) for name, entry in active(trial).items()} == {
                digest.name: as_declared(digest) for digest in file
            }
            if fires:
                finish_first_firings(trial)
            for name, entry in active(trial).items():
                assert entry.sent_seq >= fields.get(name, 0)
                assert all(follow.started_seq <= entry.sent_seq for follow in entry.follows)
                fields[name] = entry.sent_seq


def test_several_that_apply_one_new_file_at_once_make_its_digests_once(store: Store) -> None:
    def apply() -> None:
        with store.begin_planning() as tx:
            declare_all(
                tx, [make_digest("one", queries=["a", "b"]), make_digest("two", queries=["b"])], NOW, 0
            )

    run_concurrently(*[apply] * 4)

    assert {name: len(entry.follows) for name, entry in active(store).items()} == {"one": 2, "two": 1}
    assert len(content(store)["follows"]) == 3
