"""Papers that begin to trend: each is an event once, and nothing else about the papers of a day changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta

import pytest

from digest.core.papers.trends import MAX_TRENDING, MAX_TRENDING_EVENTS
from digest.jobs.matching.search.request import SearchRequest
from digest.jobs.matching.search.search_papers import search_papers
from digest.jobs.operations.sync_config import find_first_seq
from digest.jobs.papers.trends import find_trending, make_trending_events
from digest.jobs.publishing.daily_papers import DailyPaperLoader
from digest.model import EventKind, PaperKey, Signal
from digest.store.database.engine import Store, get_highest_seq
from digest.store.editions.edition_loader import EditionLoader
from digest.store.papers import papers
from digest.store.papers.events import load_events_between
from digest.store.papers.signals import save_signals
from tests.store.conftest import store_url
from tests.store.factories import (
    DAY,
    announce,
    harvest,
    limit_statement_size,
    list_events,
    make_article,
    make_new_listing,
    make_paper,
    record_statements,
    run_concurrently,
)

__all__ = ["store_url"]

ONE = timedelta(days=1)


def count_votes(
    store: Store,
    votes: Mapping[int | str, float],
    day: date = DAY,
    *,
    kind: str = "votes",
    source: str = "hf",
) -> None:
    """Store numbers of papers, by number or key."""
    with store.begin_write() as tx:
        save_signals(
            tx,
            [
                Signal(
                    subject=PaperKey(f"arxiv:2606.{paper:05}") if isinstance(paper, int) else paper,
                    kind=kind,
                    source=source,
                    day=day,
                    value=value,
                )
                for paper, value in votes.items()
            ],
        )


def run(store: Store, day: date = DAY, hour: int = 6) -> int:
    return make_trending_events(store, datetime.combine(day, time(hour), UTC))


def list_trending(store: Store) -> list[str]:
    """The papers with such an event, in the order of the events."""
    return [key for _, key, kind, _ in list_events(store) if kind == "trending"]


def test_a_paper_that_gathers_votes_is_trending_once_and_never_again(store: Store) -> None:
    announce(store, make_new_listing(1), make_new_listing(2))
    for days in range(10):
        count_votes(store, {1: 10 * days + 5, 2: 0}, DAY + days * ONE)
        run(store, DAY + days * ONE)
        run(store, DAY + days * ONE, hour=20)

    assert list_events(store)[2:] == [(3, "00001", "trending", 0)]


def test_papers_without_new_votes_are_not_trending(store: Store) -> None:
    announce(store, *(make_new_listing(number) for number in (1, 2, 3)))
    count_votes(store, {1: 7, 2: 7}, DAY - 8 * ONE)
    count_votes(store, {1: 7, 2: 8, 3: 0})
    count_votes(store, {1: 99, 3: 99}, kind="stars")

    assert run(store) == 1
    assert list_trending(store) == ["00002"]


def test_papers_that_nobody_announced_lately_are_not_trending(store: Store) -> None:
    announce(store, make_new_listing(1), day=DAY - 31 * ONE)
    announce(store, make_new_listing(2), day=DAY - 30 * ONE)
    harvest(store, make_paper(3))
    count_votes(store, {1: 9, 2: 8, 3: 7, "arxiv:9999.99999": 6})

    run(store)

    assert list_trending(store) == ["00002"]


def test_a_withdrawn_paper_is_not_trending(store: Store) -> None:
    announce(store, make_new_listing(1))
    harvest(store, replace(make_paper(1), withdrawn=True))
    count_votes(store, {1: 9})

    assert (run(store), list_trending(store)) == (0, [])


def test_the_first_twenty_of_a_day_are_events_most_votes_first_and_others_when_they_are(store: Store) -> None:
    limit_statement_size(store)
    announce(store, *(make_new_listing(number) for number in range(1, 31)))
    count_votes(store, {number: number for number in range(1, 31)})
    assert run(store) == MAX_TRENDING_EVENTS
    assert list_trending(store) == [f"{number:05}" for number in range(30, 10, -1)]

    count_votes(store, {3: 100}, DAY + ONE)
    run(store, DAY + ONE)

    assert list_trending(store)[20:] == ["00003"]


def test_they_are_those_of_the_tab(store: Store) -> None:
    announce(store, *(make_new_listing(number) for number in range(1, 31)))
    count_votes(store, {number: 1 + number % 7 for number in range(1, 31)})
    loader = DailyPaperLoader(store=store, clock=lambda: datetime.combine(DAY, time(6), UTC))
    version = loader.read_version(DAY)
    assert version
    tab = loader.load_day(DAY, version).trending

    run(store)

    assert list_trending(store) == [entry.key[-5:] for entry in tab[:MAX_TRENDING_EVENTS]]


def test_two_processes_make_one_event_of_each_paper(store: Store) -> None:
    announce(store, *(make_new_listing(number) for number in range(1, 11)))
    count_votes(store, {number: number for number in range(1, 11)})

    made = run_concurrently(*[lambda: run(store)] * 4)

    assert sorted(made) == [0, 0, 0, 10]
    assert len(list_trending(store)) == 10
    assert [seq for seq, *_ in list_events(store)] == list(range(1, 21))


def test_papers_that_turn_out_to_be_one_are_trending_once(store: Store) -> None:
    article = make_article("10.1000/one")
    announce(store, make_new_listing(1))
    announce(store, replace(make_new_listing(1), paper=article), source="journal")
    count_votes(store, {1: 9})
    run(store)
    harvest(store, replace(make_paper(1), doi="10.1000/one"))

    count_votes(store, {1: 20, str(article.key): 30}, DAY + ONE)
    run(store, DAY + ONE)

    assert len(list_trending(store)) == 1


def test_without_new_votes_two_look_ups_are_all(store: Store) -> None:
    announce(store, make_new_listing(1))
    count_votes(store, {1: 9})
    run(store)
    count_votes(store, {1: 20})

    with record_statements(store) as statements:
        assert run(store, hour=23) == 0

    assert all(statement.startswith("SELECT") for statement in statements if "signals" in statement)
    assert sum("notes" in statement or "signals" in statement for statement in statements) <= 2
    assert not any("events" in statement or "UPDATE" in statement for statement in statements)


@pytest.mark.parametrize("days", [-5, -2, 1])
def test_votes_of_other_times_make_no_events(store: Store, days: int) -> None:
    announce(store, make_new_listing(1), day=DAY - 10 * ONE)
    count_votes(store, {1: 9}, DAY + days * ONE)

    assert run(store) == 0


def test_votes_that_came_before_midnight_count_in_the_next_cycle(store: Store) -> None:
    announce(store, make_new_listing(1))
    count_votes(store, {1: 9})

    assert (run(store, DAY + ONE), list_trending(store)) == (1, ["00001"])


def test_an_edition_has_the_votes_that_were_gained(store: Store) -> None:
    announce(store, make_new_listing(1))
    for days, value in ((8, 3.0), (1, 10.0), (0, 15.0), (-1, 99.0)):
        count_votes(store, {1: value}, DAY - days * ONE)
    run(store)
    with store.begin_read() as tx:
        loader = EditionLoader()
        loader.load_events(tx, [1, 2])

    gain = loader._events[2].gain
    assert loader._events[1].gain is None
    assert gain is not None
    assert (gain.value, gain.source, gain.day) == (12, "hf", DAY)


# --- everything else stays as it is ---------------------------------------------------------------


def test_a_day_on_which_people_only_vote_is_no_day_with_papers(store: Store) -> None:
    friday, saturday, monday = DAY, DAY + ONE, DAY + 3 * ONE
    announce(store, make_new_listing(1), day=friday, source="hf")
    announce(store, make_new_listing(2), day=monday, source="hf")
    loader = DailyPaperLoader(store=store, clock=lambda: datetime.combine(monday, time(6), UTC))

    def read() -> tuple[object, ...]:
        versions = [loader.read_version(day) for day in (friday, monday)]
        with store.begin_read() as tx:
            return (
                [version and version.neighbours for version in versions],
                loader.find_newest_day(),
                find_first_seq(tx),
            )

    before = read()
    count_votes(store, {1: 9}, saturday)
    assert run(store, saturday) == 1
    after = read()

    assert before == after


def test_a_new_digest_begins_with_the_last_day_of_papers(store: Store) -> None:
    announce(store, make_new_listing(1), source="hf")
    count_votes(store, {1: 9}, DAY + ONE)
    run(store, DAY + ONE)

    with store.begin_read() as tx:
        assert find_first_seq(tx) == 0


def test_search_finds_what_was_trending(store: Store) -> None:
    announce(store, make_new_listing(1), make_new_listing(2))
    count_votes(store, {2: 9})
    run(store)

    found = search_papers(store, SearchRequest(text="kind:trending")).results

    assert [result.paper.key for result in found] == ["arxiv:2606.00002"]


def test_an_event_has_the_day_and_the_source_of_the_votes(store: Store) -> None:
    announce(store, make_new_listing(1))
    count_votes(store, {1: 5}, source="first")
    count_votes(store, {1: 9}, source="second")
    run(store)
    with store.begin_read() as tx:
        event = load_events_between(tx, 1, get_highest_seq(tx))[0]
        numbers = papers.find_papers(tx, [event.paper.key])
        gains = find_trending(tx, DAY, MAX_TRENDING)

    assert (event.kind, event.day, event.source, event.first) == (EventKind.TRENDING, DAY, "second", False)
    assert list(numbers) == [event.paper.key]
    assert [gain.value for gain in gains.values()] == [9]
