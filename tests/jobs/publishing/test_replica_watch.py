"""What the operator is told about a replica that is not used."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from digest.jobs.publishing.replica_watch import ReplicaWatch, find_trouble
from digest.store.database.engine import Store, open_store
from digest.store.database.replica import Replica
from digest.store.operations import notices

NOW = datetime(2026, 6, 12, 5, 30, tzinfo=UTC)


@pytest.fixture
def store(postgres_url: str) -> Iterator[Store]:
    store = open_store(postgres_url, NOW)
    yield store
    store.close()


@pytest.fixture
def lost_replica(store: Store, tmp_path: Path) -> Iterator[Replica]:
    """A replica that is not there."""
    replica = Replica(f"postgresql+psycopg:///digest?host={tmp_path}", store)
    yield replica
    replica.close()


def test_what_is_wrong_with_a_replica_is_found_once(lost_replica: Replica) -> None:
    assert "is the server running" in find_trouble(lost_replica)


def test_a_trouble_that_lasts_a_minute_is_a_notice_and_the_next_one_comes_a_day_later(
    store: Store, lost_replica: Replica
) -> None:
    times = [timedelta(seconds=seconds) for seconds in (0, 59, 60, 3_600, 86_399, 86_460)]
    remaining = iter(times)
    watch = ReplicaWatch(lost_replica, store, lambda: NOW + next(remaining))
    noted = []
    for time in times:
        watch.note_trouble()
        with store.begin_read() as tx:
            noted.append([notice.noted_at - NOW for notice in notices.list_due(tx, NOW + time)])

    first, second = timedelta(seconds=60), timedelta(seconds=86_460)
    assert noted == [[], [], [first], [first], [first], [second]]


def test_a_notice_says_what_is_wrong_and_who_answers(store: Store, lost_replica: Replica) -> None:
    find_trouble(lost_replica, timeout=0)
    times = iter((NOW, NOW + timedelta(minutes=2)))
    watch = ReplicaWatch(lost_replica, store, lambda: next(times))
    watch.note_trouble()
    watch.note_trouble()

    with store.begin_read() as tx:
        (notice,) = notices.list_due(tx, NOW + timedelta(minutes=2))
    assert notice.text.startswith("The primary serves all pages, because the replica at [store] read_url")
    assert "No such file or directory" in notice.text
