"""What has changed in a reader's copy of a public digest is told by the next edition, once, and never lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import event, select, update

from digest.config import FollowSettings, PublicDigestSettings
from digest.jobs.editions.compose import (
    MessageIds,
    close_runs,
    compose_editions,
    fire_slots,
    open_alert_run,
)
from digest.jobs.matching.match import match
from digest.jobs.subscribers.public_digests import subscribe
from digest.jobs.subscribers.subscriptions import stop_destination
from digest.model import DigestChanges, Edition, Frequency, Schedule
from digest.sources.arxiv import Source
from digest.store.database.engine import Store, Transaction
from digest.store.database.tables.digests import digests, edition_changes
from digest.store.database.tables.digests import editions as edition_rows
from digest.store.editions import editions
from digest.store.subscribers.public_digests import customize_digest, update_copies
from tests.store.conftest import store_url
from tests.store.factories import NOW, announce, make_digest, make_new_listing, record_statements

__all__ = ["store_url"]  # both databases: they lock rows in different ways

SOURCES = {"arxiv": Source(categories=("cs.LG",))}
LETTERS = MessageIds(key=b"key", domain="example.org")
DAY = timedelta(days=1)
MONDAYS = Schedule(frequency=Frequency.WEEKLY, zone="Asia/Tokyo", at="08:00", days=(0,))


def make_public(
    *, queries: Sequence[str] = ("caches",), schedule: str = "daily 7:30", **options: Any
) -> PublicDigestSettings:
    digest = make_digest("kv", queries=queries, to=[], schedule=schedule, **options)
    return PublicDigestSettings(description="New papers on caches.", digest=digest)


@dataclass
class Readers:
    """Readers of a public digest, day by day; each has had the first edition."""

    store: Store
    destinations: list[int]
    now: datetime = NOW
    number: int = 0

    def apply(self, public_digest: PublicDigestSettings) -> None:
        """Change the public digest in the file."""
        with self.store.begin_planning() as tx:
            update_copies(tx, public_digest, 0, self.now)

    def announce(self) -> None:
        """Announce a paper that everybody follows, and close the runs of the next day."""
        self.number += 1
        self.now += DAY
        announce(self.store, make_new_listing(self.number, title=f"On caches {self.number}"))
        fire_slots(self.store, SOURCES, self.now)
        match(self.store)
        close_runs(self.store, SOURCES, self.now, wait=False)

    def compose(self, store: Store | None = None) -> list[DigestChanges | None]:
        """Compose, and return what the new editions tell."""
        before = self.load()
        compose_editions(store or self.store, LETTERS, 1, self.now)
        return [edition.changes for number, edition in self.load().items() if number not in before]

    def day(self) -> list[DigestChanges | None]:
        self.announce()
        return self.compose()

    def load(self) -> dict[int, Edition]:
        with self.store.begin_read() as tx:
            numbers = tx.execute(select(edition_rows.c.id).where(edition_rows.c.skipped == "")).scalars()
            return dict(sorted(editions.load_editions(tx, numbers.all()).items()))

    def list_notes(self) -> list[Any]:
        with self.store.begin_read() as tx:
            return list(tx.execute(select(digests.c.change_note).order_by(digests.c.id)).scalars())


def make_readers(store: Store, *addresses: str, to: PublicDigestSettings | None = None) -> Readers:
    with store.begin_planning() as tx:
        numbers = [
            subscribe(tx, to or make_public(), address, language="de", zone="Asia/Tokyo", now=NOW)
            for address in addresses or ("me@example.org",)
        ]
    readers = Readers(store, numbers)
    announce(store, make_new_listing(99, title="On caches"))
    fire_slots(store, SOURCES, NOW)
    match(store)
    close_runs(store, SOURCES, NOW, wait=False)
    assert set(readers.compose()) == {None}
    return readers


def test_the_next_edition_tells_what_changed_and_later_ones_do_not(store: Store) -> None:
    readers = make_readers(store, "me@example.org", "you@example.org")
    readers.apply(make_public(queries=("caches", "graphs"), limit=7))
    changes = DigestChanges(added=("graphs",), options=("limit",))

    assert readers.day() == [changes, changes]
    assert readers.list_notes() == [None, None]
    assert readers.day() == [None, None]
    readers.apply(make_public(queries=("caches",), limit=7))
    assert readers.day() == 2 * [DigestChanges(removed=("graphs",))]


def test_an_edition_tells_the_same_whenever_it_is_loaded(store: Store) -> None:
    readers = make_readers(store)
    readers.apply(make_public(queries=("caches", "graphs")))
    readers.day()
    before = readers.load()
    readers.apply(make_public(schedule="weekly mon 08:00"))
    readers.day()

    assert {number: edition.changes for number, edition in readers.load().items() if number in before} == {
        number: edition.changes for number, edition in before.items()
    }
    with store.begin_read() as tx:
        for number, edition in readers.load().items():
            assert editions.load_without_overflow(tx, number).changes == edition.changes


def test_a_new_schedule_is_told_as_it_is(store: Store) -> None:
    readers = make_readers(store)
    readers.day()
    readers.apply(make_public(schedule="weekly mon 08:00"))

    assert [changes for _ in range(4) for changes in readers.day()] == [DigestChanges(schedule=MONDAYS)]


def test_two_changes_before_an_edition_are_told_as_one(store: Store) -> None:
    readers = make_readers(store)
    readers.apply(make_public(queries=("caches", "graphs"), limit=7))
    readers.apply(make_public(queries=("caches", "trees"), limit=8, minimum=1))

    assert readers.day() == [DigestChanges(added=("trees",), options=("limit", "minimum"))]


def test_a_change_that_was_taken_back_is_not_told(store: Store) -> None:
    readers = make_readers(store)
    readers.day()
    readers.apply(make_public(queries=("graphs",), limit=7, schedule="weekly mon 08:00"))
    readers.apply(make_public())

    assert readers.day() == [None]


def test_a_skipped_edition_leaves_it_to_the_next_one(store: Store) -> None:
    expected = make_public(minimum=2)
    readers = make_readers(store, to=make_public())
    readers.apply(expected)
    assert readers.day() == []
    assert readers.list_notes() != [None]

    assert readers.day() == [DigestChanges(options=("minimum",))]


def test_a_day_without_an_edition_leaves_it_to_the_next_one(store: Store) -> None:
    readers = make_readers(store)
    readers.apply(make_public(queries=("trees",)))
    assert readers.day() == []
    readers.apply(make_public(queries=("trees", "caches")))

    assert readers.day() == [DigestChanges(added=("trees",))]


def test_an_alert_leaves_it_to_the_next_edition(store: Store) -> None:
    follow = FollowSettings(text="caches", query="caches", alert=True)
    alerting = replace(make_public(), digest=replace(make_public().digest, follows=(follow,)))
    readers = make_readers(store, to=alerting)
    readers.apply(replace(alerting, digest=replace(alerting.digest, title="Caches now")))
    announce(store, make_new_listing(50, title="On caches at once"))
    match(store)
    assert open_alert_run(store, readers.now)
    assert readers.compose() == [None]

    assert readers.day() == [DigestChanges(options=("title",))]


def test_a_digest_that_its_reader_has_changed_tells_nothing(store: Store) -> None:
    readers = make_readers(store, "me@example.org", "you@example.org")
    with store.begin_planning() as tx:
        customize_digest(tx, tx.execute(select(digests.c.id).order_by(digests.c.id)).scalars().all()[0])
    readers.apply(make_public(queries=("caches", "graphs")))

    assert readers.day() == [None, DigestChanges(added=("graphs",))]


def test_who_has_unsubscribed_is_told_after_coming_back(store: Store) -> None:
    readers = make_readers(store)
    stop_destination(store, readers.destinations[0], NOW)
    readers.apply(make_public(limit=7))
    readers.day()
    with store.begin_planning() as tx:
        subscribe(
            tx, make_public(limit=7), "me@example.org", language="de", zone="Asia/Tokyo", now=readers.now
        )

    assert readers.day() == [DigestChanges(options=("limit",))]


# --- nothing is lost ------------------------------------------------------------------------------


@contextmanager
def interrupt_at(store: Store, beginning: str) -> Iterator[None]:
    """Press Ctrl-C at the first statement that begins so."""

    def press(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if statement.startswith(beginning):
            raise KeyboardInterrupt

    event.listen(store.engine, "before_cursor_execute", press)
    try:
        with pytest.raises(KeyboardInterrupt):
            yield
    finally:
        event.remove(store.engine, "before_cursor_execute", press)


@pytest.mark.parametrize("beginning", ["UPDATE digests", "INSERT INTO edition_changes", "UPDATE runs"])
def test_a_crash_before_the_edition_is_stored_loses_nothing(store: Store, beginning: str) -> None:
    readers = make_readers(store)
    readers.apply(make_public(limit=7))
    readers.announce()
    with interrupt_at(store, beginning):
        readers.compose()
    assert readers.list_notes() != [None]

    assert readers.compose() == [DigestChanges(options=("limit",))]
    assert readers.day() == [None]


class StoreWithPause(Store):
    """A store in which something happens between composing a shard and storing it."""

    __slots__ = ("action",)
    action: Callable[[], None]

    @contextmanager
    def begin_read(self) -> Iterator[Transaction]:
        with super().begin_read() as tx:
            yield tx
        self.action()


def test_a_change_between_composing_and_storing_is_told_once(store: Store) -> None:
    readers = make_readers(store)
    readers.announce()
    paused = StoreWithPause(store.engine)
    object.__setattr__(paused, "action", lambda: readers.apply(make_public(limit=7)))
    first, second = readers.compose(paused), readers.day()

    assert [changes for changes in (*first, *second) if changes] == [DigestChanges(options=("limit",))]


def test_editions_that_tell_nothing_cost_one_statement_at_most(store: Store) -> None:
    readers = make_readers(store, *(f"{number}@example.org" for number in range(5)))
    readers.announce()
    with record_statements(store) as composing:
        readers.compose()
    with record_statements(store) as loading:
        readers.load()

    assert len([line for line in composing if "change_note" in line]) == 1
    assert len([line for line in loading if "edition_changes" in line]) == 1
    with store.begin_read() as tx:
        assert tx.execute(select(edition_changes)).all() == []


def test_a_note_of_the_file_is_told_by_one_edition_only_although_all_are_composed_again(store: Store) -> None:
    readers = make_readers(store)
    readers.apply(make_public(limit=7))
    readers.day()
    with store.begin_write() as tx:
        tx.execute(update(digests).values(public_hash="of another release"))
    readers.apply(make_public(limit=7))

    assert readers.day() == [None]
