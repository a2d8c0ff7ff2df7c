"""Runs that wait and close, against a store on both databases."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from digest.jobs.compose import Letters, close, compose_all, fire
from digest.jobs.match import match
from digest.model import EventKind, Listing, ListingKind, PaperKey, Part, RunState
from digest.sources.arxiv import Source
from digest.store import digests, editions, runs
from digest.store.engine import Store
from tests.store.given import NOW, announce, declare, digest, new, paper, replaced

SOURCES = {"arxiv": Source(categories=("cs.LG",))}
LETTERS = Letters(key=b"key", domain="example.org")


def states(store: Store) -> list[RunState]:
    with store.reading() as tx:
        return [run.state for run, _ in runs.recent_runs(tx, 9)]


def test_a_run_waits_for_the_first_attempt_at_its_days(store: Store) -> None:
    declare(store, digest())
    assert fire(store, SOURCES, NOW) == 1
    match(store)

    (waiting,) = close(store, SOURCES, NOW, wait=True)

    assert [(batch.section, batch.day) for batch in waiting.batches] == [("cs.LG", NOW.date())]
    assert close(store, SOURCES, NOW, wait=False) == ()
    assert states(store) == [RunState.CLOSED]


def test_a_run_that_all_its_digests_have_left_holds_nobody_up(store: Store) -> None:
    declare(store, digest())
    fire(store, SOURCES, NOW)
    declare(store)
    match(store)

    assert close(store, SOURCES, NOW, wait=True) == ()
    assert compose_all(store, LETTERS, 1, NOW) == 0
    assert states(store) == [RunState.COMPOSED]


@pytest.mark.parametrize("stop", [KeyboardInterrupt, RuntimeError])
def test_a_shard_whose_composing_was_interrupted_is_composed_by_the_next_at_once(
    store: Store, stop: type[BaseException]
) -> None:
    class Interrupting(Letters):
        def message_id(self, *_: object) -> str:
            raise stop

    declare(store, replace(digest(), when_empty="tell"))
    fire(store, SOURCES, NOW)
    match(store)
    close(store, SOURCES, NOW, wait=False)

    with pytest.raises(stop):
        compose_all(store, Interrupting(key=b"", domain=""), 1, NOW)
    assert states(store) == [RunState.CLOSED]

    assert compose_all(store, LETTERS, 2, NOW) == 1
    assert compose_all(store, LETTERS, 3, NOW) == 0
    assert states(store) == [RunState.COMPOSED]


# --- what is told ---------------------------------------------------------------------------------


MONDAY = NOW + timedelta(days=3)


def run(store: Store, now: datetime, name: str = "systems") -> list[tuple[str, Part, EventKind]]:
    """What the edition of a time tells: paper, part and kind of event."""
    fire(store, SOURCES, now)
    match(store)
    close(store, SOURCES, now, wait=False)
    compose_all(store, LETTERS, 1, now)
    return told_at(store, now, name)


def told_at(store: Store, now: datetime, name: str) -> list[tuple[str, Part, EventKind]]:
    with store.reading() as tx:
        (number,) = [one.id for one in digests.active_digests(tx) if one.name == name]
        made = [one for one in editions.last_of(tx, number, 9) if one.composed_at == now]
    return [(item.paper.key, item.part, item.event.kind) for one in made for item in one.items]


def test_a_paper_is_told_as_new_or_picked_once_under_whatever_key_and_its_news_after_that(
    store: Store,
) -> None:
    kinds = (EventKind.NEW, EventKind.PICKED, EventKind.VERSION)
    preprint = replace(paper(9), key=PaperKey("doi:10.1000/x"))
    declare(store, replace(digest(queries=["paper"]), kinds=kinds))
    first = Listing(kind=ListingKind.NEW, paper=preprint)
    announce(store, first, new(1), Listing(kind=ListingKind.PICKED, paper=paper(2)))

    assert run(store, NOW) == [
        (preprint.key, Part.SURELY, EventKind.NEW),
        (paper(1).key, Part.SURELY, EventKind.NEW),
        (paper(2).key, Part.PICKED, EventKind.PICKED),
    ]

    announce(
        store,
        *(Listing(kind=ListingKind.PICKED, paper=paper(1)), new(2), new(3, doi="10.1000/x"), replaced(1, 2)),
        day=MONDAY.date(),
    )

    assert run(store, MONDAY) == [(paper(1).key, Part.VERSIONS, EventKind.VERSION)]


def test_a_paper_that_grew_is_told_to_those_who_had_not_been_told(store: Store) -> None:
    declare(store, *(digest(name, queries=[f"category:{name}"]) for name in ("cs.DC", "cs.LG")))
    announce(store, new(1))
    assert run(store, NOW, "cs.DC") == []
    assert told_at(store, NOW, "cs.LG") == [(paper(1).key, Part.SURELY, EventKind.NEW)]

    cross = Listing(kind=ListingKind.CROSS, paper=paper(1, categories=("cs.LG", "cs.DC")))
    announce(store, cross, section="cs.DC", day=MONDAY.date())

    assert run(store, MONDAY, "cs.DC") == [(paper(1).key, Part.SURELY, EventKind.GROWN)]
    assert told_at(store, MONDAY, "cs.LG") == []


def test_a_withdrawn_paper_is_told_by_its_new_version_alone(store: Store) -> None:
    kinds = (EventKind.NEW, EventKind.PICKED, EventKind.VERSION)
    declare(store, replace(digest(queries=["paper"]), kinds=kinds))
    gone = [replace(paper(number, version=2), withdrawn=True) for number in (1, 2)]
    announce(
        store,
        *(new(1), new(2), Listing(kind=ListingKind.REPLACE, paper=gone[0])),
        Listing(kind=ListingKind.PICKED, paper=gone[1]),
    )

    assert run(store, NOW) == [(paper(1).key, Part.VERSIONS, EventKind.VERSION)]
