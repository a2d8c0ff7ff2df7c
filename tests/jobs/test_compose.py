"""Runs that wait and close, against a store on both databases."""

from __future__ import annotations

from dataclasses import replace

import pytest

from digest.jobs.compose import Letters, close, compose_all, fire
from digest.jobs.match import match
from digest.model import RunState
from digest.sources.arxiv import Source
from digest.store import runs
from digest.store.engine import Store
from tests.store.given import NOW, declare, digest

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
