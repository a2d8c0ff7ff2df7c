"""Follows that tell at once: soon, once, not too often, and without a look at those who have none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select

from digest.config import DigestSettings, FollowSettings
from digest.jobs.editions.compose import MessageIds, close_runs, compose_editions, fire_slots, open_alert_run
from digest.jobs.editions.explain import explain_paper, find_digest
from digest.jobs.editions.preview import build_preview
from digest.jobs.matching.match import match
from digest.model import Listing, ListingKind
from digest.sources.arxiv import Source
from digest.store.database.engine import Store
from digest.store.database.tables.digests import runs as runs_table
from digest.store.database.tables.digests import shards, slots
from digest.store.delivery import outbox
from digest.store.editions import editions, runs
from digest.store.subscribers import pauses
from tests.store.factories import (
    NOW,
    add_to_now,
    announce,
    change_options,
    declare,
    make_digest,
    make_new_listing,
    make_paper,
)

SOURCES = {"arxiv": Source(categories=("cs.LG",))}
LETTERS = MessageIds(key=b"key", domain="example.org")
MONDAY = NOW + timedelta(days=3)


def following(*, urgent: Sequence[str], queries: Sequence[str] = (), **options: Any) -> DigestSettings:
    """A digest that is told at once of what some queries find."""
    name = options.pop("name", "systems")
    usual = make_digest(
        name, queries=queries, exclude=options.pop("exclude", ()), to=options.pop("to", ["me@example.org"])
    )
    wishes = (FollowSettings(text=text, query=text, alert=True) for text in urgent)
    return change_options(replace(usual, follows=(*wishes, *usual.follows)), **options)


def cycle(store: Store, now: datetime) -> None:
    fire_slots(store, SOURCES, now)
    match(store)
    open_alert_run(store, now)
    close_runs(store, SOURCES, now, wait=False)
    compose_editions(store, LETTERS, 1, now)


def begun(store: Store, *declared: DigestSettings) -> None:
    """Digests whose first editions have been, with one paper."""
    declare(store, *declared)
    announce(store, make_new_listing(1, title="Serving 1"))
    cycle(store, NOW)


def told(store: Store, name: str = "systems") -> list[tuple[str, list[int]]]:
    """The periods of a digest's editions that have papers, and these, the first one first."""
    with store.begin_read() as tx:
        new_editions = editions.load_last(tx, find_digest(tx, name).id, 99)
    return [
        (edition.period, [int(item.paper.key[-5:]) for item in edition.items])
        for edition in reversed(new_editions)
        if edition.items
    ]


def test_what_fits_is_told_at_once_and_not_again(store: Store) -> None:
    begun(store, following(urgent=["serving"], queries=["graphs"]))

    announce(store, make_new_listing(2, title="Serving 2"), make_new_listing(3, title="Graphs"))
    cycle(store, add_to_now(hours=5))
    cycle(store, add_to_now(hours=6))
    assert told(store)[1:] == [("alert-3", [2])]
    with store.begin_read() as tx:
        sent = outbox.list_recent(tx, state="ready", limit=9)
    assert [(delivery.period, delivery.address) for delivery in sent][:1] == [("alert-3", "me@example.org")]

    cycle(store, MONDAY)
    assert told(store)[1:] == [("alert-3", [2]), ("2026-06-15T07:30", [3])]


def test_however_late_the_next_edition_is_it_does_not_tell_what_an_alert_told(store: Store) -> None:
    begun(store, following(urgent=["serving"], queries=["graphs"]))

    announce(store, make_new_listing(2, title="Serving 2"), make_new_listing(3, title="Graphs"))
    cycle(store, add_to_now(hours=5))
    cycle(store, add_to_now(days=200))

    assert [papers for _, papers in told(store)[1:]] == [[2], [3]]


def test_its_editions_tell_it_again_where_that_is_wanted_and_only_once(store: Store) -> None:
    begun(store, following(urgent=["serving"], repeat_alerts=True))
    announce(store, make_new_listing(2, title="Serving 2"))
    cycle(store, add_to_now(hours=5))
    cycle(store, MONDAY)
    pick = Listing(kind=ListingKind.PICKED, paper=make_paper(2, title="Serving 2"))
    announce(store, pick, day=MONDAY.date())
    cycle(store, MONDAY + timedelta(hours=1))
    cycle(store, MONDAY + timedelta(days=1))

    assert told(store)[1:] == [("alert-2", [2]), ("2026-06-15T07:30", [2])]


def test_an_edition_that_goes_out_in_the_same_cycle_tells_it_and_no_alert_does(store: Store) -> None:
    begun(store, following(urgent=["serving"]))

    announce(store, make_new_listing(2, title="Serving 2"))
    cycle(store, MONDAY)

    assert told(store)[1:] == [("2026-06-15T07:30", [2])]


def test_above_a_days_number_it_is_left_to_the_edition(store: Store) -> None:
    begun(store, following(urgent=["serving"], alerts_a_day=2))

    for number in range(2, 6):
        announce(store, make_new_listing(number, title=f"Serving {number}"))
        cycle(store, add_to_now(hours=number))
    assert told(store)[1:] == [("alert-2", [2]), ("alert-3", [3])]

    # Saturday in Berlin begins at 22:00 UTC.
    announce(store, make_new_listing(6, title="Serving 6"))
    cycle(store, add_to_now(hours=16, minutes=29))
    announce(store, make_new_listing(7, title="Serving 7"))
    cycle(store, add_to_now(hours=16, minutes=31))
    cycle(store, MONDAY)
    assert told(store)[3:] == [("alert-7", [7]), ("2026-06-15T07:30", [4, 5, 6])]


def test_exclusions_and_answers_count_and_other_follows_do_not(store: Store) -> None:
    begun(store, following(urgent=["serving"], queries=["graphs"], exclude=["survey"]))

    announce(
        store,
        make_new_listing(2, title="Serving: a survey"),
        make_new_listing(3, title="Graphs"),
        make_new_listing(4, title="Serving graphs"),
    )
    cycle(store, add_to_now(hours=5))

    assert told(store)[1:] == [("alert-4", [4])]


def test_what_came_before_a_follow_began_makes_no_alert(store: Store) -> None:
    plain = replace(following(urgent=["serving"]), follows=make_digest(queries=["graphs"]).follows)
    begun(store, plain)
    announce(store, make_new_listing(2, title="Serving 2"))
    cycle(store, add_to_now(hours=1))

    declare(store, following(urgent=["serving"], queries=["graphs"]))
    cycle(store, add_to_now(hours=2))
    assert told(store) == []
    announce(store, make_new_listing(3, title="Serving 3"))
    cycle(store, add_to_now(hours=3))
    cycle(store, MONDAY)

    assert told(store) == [("alert-3", [3]), ("2026-06-15T07:30", [2])]


def test_a_follow_that_tells_at_once_no_more_does_not(store: Store) -> None:
    begun(store, following(urgent=["serving"]))
    announce(store, make_new_listing(2, title="Serving 2"))
    cycle(store, add_to_now(hours=1))

    declare(store, make_digest(queries=["serving"]))
    announce(store, make_new_listing(3, title="Serving 3"))
    cycle(store, add_to_now(hours=2))
    cycle(store, MONDAY)

    assert told(store)[1:] == [("alert-2", [2]), ("2026-06-15T07:30", [3])]


def test_a_paused_digest_has_no_alerts_and_is_told_all_when_it_goes_on(store: Store) -> None:
    begun(store, following(urgent=["serving"]))
    with store.begin_planning() as tx:
        pauses.pause_digest(tx, find_digest(tx, "systems").id, None, "then")
    announce(store, make_new_listing(2, title="Serving 2"))
    cycle(store, add_to_now(hours=1))
    cycle(store, MONDAY)
    with store.begin_planning() as tx:
        pauses.resume_digest(tx, find_digest(tx, "systems").id, "then", MONDAY)
    cycle(store, MONDAY + timedelta(days=1))

    assert told(store)[1:] == [("2026-06-16T07:30", [2])]


def test_what_was_held_back_for_a_minimum_is_not_held_back_from_alerts(store: Store) -> None:
    begun(store, following(urgent=["serving"], queries=["graphs"], minimum=3))
    announce(store, make_new_listing(2, title="Graphs 2"))
    cycle(store, MONDAY)
    announce(store, make_new_listing(3, title="Serving 3"), make_new_listing(4, title="Graphs 4"))
    cycle(store, MONDAY + timedelta(hours=1))
    announce(store, make_new_listing(5, title="Graphs 5"))
    cycle(store, MONDAY + timedelta(days=1))

    assert told(store) == [("alert-1", [1]), ("alert-4", [3]), ("2026-06-16T07:30", [2, 4, 5])]


def test_alerts_and_editions_composed_in_any_order_tell_a_paper_once(store: Store) -> None:
    begun(store, following(urgent=["serving"]))
    announce(store, make_new_listing(2, title="Serving 2"))
    fire_slots(store, SOURCES, MONDAY)
    match(store)
    close_runs(store, SOURCES, MONDAY, wait=False)
    open_alert_run(store, MONDAY)
    compose_editions(store, LETTERS, 1, MONDAY)  # the edition first, for its run is the older one
    announce(store, make_new_listing(3, title="Serving 3"))
    match(store)
    open_alert_run(store, MONDAY)
    fire_slots(store, SOURCES, MONDAY + timedelta(days=1))
    close_runs(store, SOURCES, MONDAY + timedelta(days=1), wait=False)
    compose_editions(store, LETTERS, 1, MONDAY + timedelta(days=1))

    assert [papers for _, papers in told(store)[1:]] == [[2], [3]]


def test_its_shards_are_ranges_of_those_whom_it_concerns(store: Store) -> None:
    others = [following(name=f"other{number}", urgent=["elephants"]) for number in range(9)]
    begun(store, *others[:5], following(urgent=["serving"]), *others[5:])
    announce(store, make_new_listing(2, title="Serving 2"))
    match(store)
    assert open_alert_run(store, add_to_now(hours=1))

    with store.begin_read() as tx:
        (run,) = tx.execute(select(runs_table).where(runs_table.c.period == "alert-2")).all()
        (shard,) = tx.execute(select(shards).where(shards.c.run_id == run.id)).all()
        mine = find_digest(tx, "systems").id
    assert (shard.low_id, shard.high_id) == (mine, mine)
    assert (run.from_seq, run.to_seq, run.state) == (1, 2, "closed")
    assert not open_alert_run(store, add_to_now(hours=1))


def test_where_nothing_fits_there_is_no_run_and_the_place_moves(store: Store) -> None:
    begun(store, following(urgent=["serving"]))
    announce(store, make_new_listing(2, title="Graphs"))
    cycle(store, add_to_now(hours=1))

    with store.begin_read() as tx:
        (slot,) = tx.execute(select(slots).where(slots.c.frequency == "alert")).all()
        assert slot.cursor_seq == 2
        assert [run.period for run, _ in runs.list_recent_runs(tx, 9) if run.is_alert] == ["alert-1"]
        assert slot.next_fire_at is None


def test_one_that_died_between_its_steps_is_finished_by_the_next(store: Store) -> None:
    begun(store, following(urgent=["serving"]))
    announce(store, make_new_listing(2, title="Serving 2"))
    match(store)
    open_alert_run(store, add_to_now(hours=1))  # and there it ends

    cycle(store, add_to_now(hours=2))

    assert told(store)[1:] == [("alert-2", [2])]


def test_runs_know_how_many_deliveries_they_made(store: Store) -> None:
    begun(store, following(urgent=["serving"], to=["a@example.org", "b@example.org"]))
    announce(store, make_new_listing(2, title="Serving 2"))
    cycle(store, add_to_now(hours=1))
    cycle(store, MONDAY)

    with store.begin_read() as tx:
        counted = tx.execute(select(runs_table.c.period, runs_table.c.deliveries))
        assert {row.period: row.deliveries for row in counted} == {
            "2026-06-12T07:30": 2,
            "alert-1": 0,
            "alert-2": 2,
            "2026-06-15T07:30": 2,  # an empty one tells that Monday is missing
        }


def test_previews_leave_out_what_an_alert_told_and_why_says_so(store: Store) -> None:
    begun(store, following(urgent=["serving"]))
    announce(store, make_new_listing(2, title="Serving 2"), make_new_listing(3, title="Graphs"))
    cycle(store, add_to_now(hours=1))

    assert build_preview(store, "systems", add_to_now(hours=2)).items == ()
    paper_explanation = explain_paper(store, "systems", make_paper(2).key)
    assert paper_explanation.verdict == "Yes: in edition 2 (an alert), in full, at position 1."
    announce(store, make_new_listing(4, title="Serving 4"))
    match(store)
    assert explain_paper(store, "systems", make_paper(4).key).verdict == (
        "Not yet: it matches, and will be sent as an alert, or in the next edition, on 2026-06-15 at 07:30."
    )


# --- how much work it is --------------------------------------------------------------------------


def test_its_work_does_not_grow_with_the_digests_that_are_not_concerned(store: Store) -> None:
    """Counted in steps of SQLite's machine: whatever it reads, it takes steps for."""
    if store.engine.dialect.name != "sqlite":
        pytest.skip("only SQLite counts its steps")

    def steps(others: int) -> int:
        with store.begin_dry_run() as trial:
            crowd = [
                make_digest(f"d{number}", queries=["serving", f"serving {number}"])
                for number in range(others)
            ]
            begun(trial, following(urgent=["serving"]), *crowd)
            announce(trial, make_new_listing(2, title="Serving 2"))
            match(trial)
            taken_count = 0

            def step() -> None:
                nonlocal taken_count
                taken_count += 1

            with trial.engine.connect() as connection:
                raw = connection.connection.dbapi_connection
                assert raw is not None
                raw.set_progress_handler(step, 1)
            assert open_alert_run(trial, add_to_now(hours=1))
            assert compose_editions(trial, LETTERS, 1, add_to_now(hours=1)) == 1
            return taken_count

    assert steps(300) < 1.1 * steps(30)


def test_deliveries_of_alerts_go_before_others_and_only_they_do(store: Store) -> None:
    begun(store, following(urgent=["serving"], queries=["graphs"]))
    with store.begin_read() as tx:
        assert not outbox.is_alert_due(tx, "smtp", NOW)
    later = add_to_now(hours=1)
    announce(store, make_new_listing(2, title="Serving 2"))
    cycle(store, later)

    with store.begin_read() as tx:
        assert outbox.is_alert_due(tx, "smtp", later)


def test_a_worker_for_alerts_composes_nothing_else(store: Store) -> None:
    begun(store, following(urgent=["serving"], queries=["graphs"]))
    announce(store, make_new_listing(2, title="Serving 2"))
    fire_slots(store, SOURCES, MONDAY)
    match(store)
    close_runs(store, SOURCES, MONDAY, wait=False)
    open_alert_run(store, MONDAY)

    assert compose_editions(store, LETTERS, 1, MONDAY, only_alerts=True) == 1
    with store.begin_read() as tx:
        assert runs.count_ready_shards(tx, alerts=True) == 0
        assert runs.count_ready_shards(tx, alerts=False) == 1
