"""Digests that rest: nothing goes out, nothing is lost, and nothing comes twice when they go on."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from digest.jobs.editions.compose import MessageIds, close_runs, compose_editions, fire_slots
from digest.jobs.editions.explain import explain_paper, find_digest
from digest.jobs.matching.match import match
from digest.sources.arxiv import Source
from digest.store.database.engine import Store
from digest.store.editions import editions, runs
from digest.store.subscribers import pauses
from tests.store.factories import (
    NOW,
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
TUESDAY, WEDNESDAY = MONDAY + timedelta(days=1), MONDAY + timedelta(days=2)


def run(store: Store, now: datetime) -> None:
    fire_slots(store, SOURCES, now)
    match(store)
    close_runs(store, SOURCES, now, wait=False)
    compose_editions(store, LETTERS, 1, now)


def told(store: Store, name: str = "systems") -> list[list[int]]:
    """The papers of a digest's editions that have some, the first one first."""
    with store.begin_read() as tx:
        new_editions = editions.load_last(tx, find_digest(tx, name).id, 99)
    return [
        [int(item.paper.key[-5:]) for item in edition.items]
        for edition in reversed(new_editions)
        if edition.items
    ]


def pause(store: Store, *, until: datetime | None = None, resume_from: str = "then") -> None:
    with store.begin_planning() as tx:
        pauses.pause_digest(tx, find_digest(tx, "systems").id, until, resume_from)


def resume(store: Store, now: datetime, resume_from: str = "then") -> bool:
    with store.begin_planning() as tx:
        return pauses.resume_digest(tx, find_digest(tx, "systems").id, resume_from, now)


def begun(store: Store, *others: str) -> None:
    """A digest that has told of the first paper, and others in the same slot."""
    declare(store, *(make_digest(name, queries=["paper"]) for name in ("systems", *others)))
    announce(store, make_new_listing(1))
    run(store, NOW)


@pytest.mark.parametrize("others", [(), ("other",)])
@pytest.mark.parametrize(("resume_from", "first"), [("then", [2, 3]), ("now", [3])])
def test_a_digest_goes_on_from_then_or_from_now_by_itself(
    store: Store, others: tuple[str, ...], resume_from: str, first: list[int]
) -> None:
    begun(store, *others)
    pause(store, until=WEDNESDAY - timedelta(hours=7, minutes=30), resume_from=resume_from)

    announce(store, make_new_listing(2))
    run(store, MONDAY)
    run(store, TUESDAY)
    assert told(store) == [[1]]
    fire_slots(store, SOURCES, WEDNESDAY - timedelta(hours=1))
    announce(store, make_new_listing(3))
    run(store, WEDNESDAY)
    run(store, WEDNESDAY + timedelta(days=1))

    assert told(store) == [[1], first]
    for name in others:
        assert told(store, name) == [[1], [2], [3]]


def test_a_pause_that_ended_just_before_its_digests_firing_lets_no_edition_out(store: Store) -> None:
    """Who runs a cycle a day, just after the firing, gets that day's edition."""
    begun(store)
    pause(store, until=WEDNESDAY - timedelta(hours=7, minutes=30))
    announce(store, make_new_listing(2))

    run(store, MONDAY)
    run(store, WEDNESDAY + timedelta(minutes=1))

    assert told(store) == [[1], [2]]
    with store.begin_read() as tx:
        ((last, _), *_) = runs.list_recent_runs(tx, 1)
    assert last.period == "2026-06-17T07:30"


def test_what_counts_is_the_moment_in_which_it_is_composed(store: Store) -> None:
    begun(store)
    announce(store, make_new_listing(2))
    fire_slots(store, SOURCES, MONDAY)
    match(store)
    close_runs(store, SOURCES, MONDAY, wait=False)
    pause(store)
    assert compose_editions(store, LETTERS, 1, MONDAY) == 0

    fire_slots(store, SOURCES, TUESDAY)
    match(store)
    close_runs(store, SOURCES, TUESDAY, wait=False)
    resume(store, TUESDAY)
    assert compose_editions(store, LETTERS, 1, TUESDAY) == 1
    assert told(store) == [[1], [2]]


def test_who_goes_on_from_now_is_told_nothing_of_a_run_that_is_under_way(store: Store) -> None:
    begun(store)
    pause(store)
    announce(store, make_new_listing(2))
    fire_slots(store, SOURCES, MONDAY)
    match(store)
    close_runs(store, SOURCES, MONDAY, wait=False)
    resume(store, MONDAY, "now")
    compose_editions(store, LETTERS, 1, MONDAY)
    announce(store, make_new_listing(3))
    run(store, TUESDAY)

    assert told(store) == [[1], [3]]


def test_a_digest_that_is_paused_stays_so_whatever_the_file_says_and_follows_can_be_added(
    store: Store,
) -> None:
    begun(store)
    pause(store)
    announce(store, make_new_listing(2, title="Graphs"))
    run(store, MONDAY)
    both = change_options(make_digest(queries=["paper", "graphs"], schedule="daily 7:30"), limit=9)
    declare(store, both)
    run(store, TUESDAY)
    assert told(store) == [[1]]

    resume(store, TUESDAY)
    run(store, WEDNESDAY)
    assert told(store) == [[1], [2]]


def test_one_that_leaves_the_file_paused_returns_active(store: Store) -> None:
    begun(store)
    pause(store, until=WEDNESDAY)
    declare(store)
    declare(store, make_digest(queries=["paper"]))

    with store.begin_read() as tx:
        assert find_digest(tx, "systems").pause is None
        assert pauses.list_paused(tx) == ()


def test_a_first_edition_comes_when_the_pause_is_over(store: Store) -> None:
    declare(store, make_digest(queries=["paper"]))
    pause(store)
    announce(store, make_new_listing(1))
    run(store, NOW)
    assert told(store) == []

    resume(store, MONDAY)
    run(store, TUESDAY)
    assert told(store) == [[1]]


def test_a_run_in_which_all_rest_waits_for_nobody(store: Store) -> None:
    begun(store)
    pause(store)
    fire_slots(store, SOURCES, MONDAY)
    match(store)

    assert close_runs(store, SOURCES, MONDAY, wait=True) == ()


def test_after_a_long_pause_what_is_too_old_is_left_out_and_said(store: Store) -> None:
    begun(store, "other")
    pause(store)
    announce(store, make_new_listing(2), day=MONDAY.date())
    run(store, MONDAY)
    much_later = MONDAY + timedelta(days=91)
    announce(store, make_new_listing(3), day=TUESDAY.date() + timedelta(days=30))
    run(store, much_later)

    assert resume(store, much_later)
    run(store, much_later + timedelta(days=1))
    assert told(store) == [[1], [3]]
    assert told(store, "other") == [[1], [2], [3]]


def test_a_pause_of_90_days_leaves_nothing_out(store: Store) -> None:
    begun(store)
    pause(store)
    announce(store, make_new_listing(2), day=MONDAY.date())

    assert not resume(store, MONDAY + timedelta(days=90))
    run(store, MONDAY + timedelta(days=91))
    assert told(store) == [[1], [2]]


def test_why_says_that_a_paper_waits_for_the_end_of_a_pause(store: Store) -> None:
    begun(store)
    announce(store, make_new_listing(2))
    match(store)

    pause(store)
    assert explain_paper(store, "systems", make_paper(2).key).verdict == (
        "Not yet: it matches, and will be in the first edition after the pause."
    )
    pause(store, resume_from="now")
    assert (
        "papers of this pause will not be reported"
        in explain_paper(store, "systems", make_paper(2).key).verdict
    )
