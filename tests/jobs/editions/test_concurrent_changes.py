"""Readers, match passes and runs change the same digests at the same time, in different processes, on PostgreSQL.

Each process is a store of its own in a thread. One of them is held before its commit, and the other one has to wait for
it, or must not.
"""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import event, func, make_url, select, text

from digest.config import PublicDigestSettings
from digest.core.subscribers.own_digest import EditError, OwnFollow
from digest.core.subscribers.schedule_choice import ScheduleChoice
from digest.errors import StoreBusyError
from digest.jobs.editions.compose import (
    MessageIds,
    close_runs,
    compose_editions,
    fire_slots,
    open_alert_run,
)
from digest.jobs.matching.match import match
from digest.jobs.slot_updates import end_pauses, update_slots
from digest.jobs.subscribers.account import PauseFor, pause_digest, resume_digest
from digest.jobs.subscribers.own_digests import NotOwnError, OwnDigestEditor
from digest.jobs.subscribers.public_digests import subscribe
from digest.model import Frequency
from digest.ports import Source
from digest.sources.arxiv import Source as ArxivSource
from digest.store.database.dialect import PLANNING_LOCK, lock_mailboxes
from digest.store.database.engine import Store, Transaction, open_store
from digest.store.database.tables.digests import digests, editions, follows, queries, runs, slots
from digest.store.operations.erasure import erase_subscriber
from digest.store.subscribers.accounts.sessions import find_subscriber_id
from digest.store.subscribers.digest_locks import lock_digests, lock_slots
from digest.store.subscribers.public_digests import update_copies
from tests.store.factories import NOW, announce, declare, make_digest, make_new_listing, record_statements
from tests.support.timeouts import PATIENCE

SOURCES: dict[str, Source] = {"arxiv": ArxivSource(categories=("cs.LG",))}
MESSAGE_IDS = MessageIds(key=b"key", domain="example.org")
DAY = timedelta(days=1)
HELD_NAME, OTHER_NAME = "held", "other"
CUSTOMIZATION = "UPDATE digests"
"""Start of a statement by which a reader changes follows; the follows themselves are copied, which is no statement."""


@pytest.fixture
def store_url(postgres_url: str) -> str:
    """SQLite has only one writer, so nothing can go wrong between two of them."""
    return postgres_url


# --- processes at the same time -------------------------------------------------------------------


@contextmanager
def open_process(url: str, name: str, **settings: object) -> Iterator[Store]:
    """Open the store as another process does.

    Args:
        url: the address of the database.
        name: the name of its connections in the database.
        settings: settings of PostgreSQL for its connections.
    """
    options = "".join(f" -c {key}={value}" for key, value in settings.items())
    query = {"application_name": name, "options": options.strip() or "-c timezone=UTC"}
    own_url = make_url(url).update_query_dict(query).render_as_string(hide_password=False)
    store = open_store(own_url, NOW)
    yield store
    store.close()


@dataclass
class Work:
    """Something that another process does."""

    do: Callable[[], object]
    result: object = None
    error: BaseException | None = None
    thread: threading.Thread = field(init=False)

    def __post_init__(self) -> None:
        self.thread = threading.Thread(target=self._run)
        self.thread.start()

    def _run(self) -> None:
        try:
            self.result = self.do()
        except BaseException as error:  # noqa: BLE001 - the test raises it
            self.error = error

    def finish(self) -> Any:
        """Wait for its end, and return the result."""
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive()
        if self.error is not None:
            raise self.error
        return self.result


@contextmanager
def hold_before_commit(
    store: Store, statement_start: str, work: Callable[[], object]
) -> Iterator[Callable[[], Any]]:
    """Begin some work, hold it before the commit of the first transaction with a statement, and yield what lets it go on."""
    is_held, may_commit, transaction = threading.Event(), threading.Event(), threading.local()

    def note(_connection: Any, _cursor: Any, statement: str, *_others: Any) -> None:
        if statement.startswith(statement_start):
            transaction.is_chosen = True

    def hold(_connection: Any) -> None:
        if getattr(transaction, "is_chosen", False):
            is_held.set()
            assert may_commit.wait(PATIENCE)

    event.listen(store.engine, "before_cursor_execute", note)
    event.listen(store.engine, "commit", hold)
    started = Work(work)

    def go_on() -> Any:
        may_commit.set()
        return started.finish()

    try:
        while not is_held.wait(0.05):
            assert started.thread.is_alive(), started.error or "there was no such statement"
        yield go_on
    finally:
        go_on()
        event.remove(store.engine, "before_cursor_execute", note)
        event.remove(store.engine, "commit", hold)


def is_waiting(observer: Store, work: Work) -> bool:
    """Whether some work waits for a lock; False if it ends without."""
    statement = text(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
        f" AND application_name = '{OTHER_NAME}' AND wait_event_type = 'Lock'"
    )
    until = time.monotonic() + PATIENCE
    while work.thread.is_alive():
        assert time.monotonic() < until
        with observer.engine.connect() as connection:
            if connection.execute(statement).scalar():
                return True
        time.sleep(0.005)
    return False


@pytest.fixture
def held(store_url: str) -> Iterator[Store]:
    """The store of the process that is held before its commit."""
    with open_process(store_url, HELD_NAME) as store:
        yield store


@pytest.fixture
def other(store_url: str) -> Iterator[Store]:
    """The store of the process that comes meanwhile."""
    with open_process(store_url, OTHER_NAME) as store:
        yield store


@pytest.fixture
def hasty(store_url: str) -> Iterator[Store]:
    """The store of a process that fails if it has to wait for a lock."""
    with open_process(store_url, "hasty", lock_timeout=300) as store:
        yield store


# --- readers and runs -----------------------------------------------------------------------------


def make_public(name: str = "kv", query: str = "caches", **options: Any) -> PublicDigestSettings:
    digest = make_digest(name, queries=[query], to=[], schedule="daily 7:30", **options)
    return PublicDigestSettings(description="New papers.", digest=digest)


def join(store: Store, address: str, now: datetime = NOW, **options: Any) -> OwnDigestEditor:
    """Subscribe a reader to a public digest."""
    with store.begin_write() as tx:
        lock_mailboxes(tx, [address])
        subscribe(tx, make_public(**options), address, language="en", zone="Europe/Berlin", now=now)
        subscriber = find_subscriber_id(tx, address)
    assert subscriber is not None
    return OwnDigestEditor(store=store, subscriber=subscriber, now=now)


def run_tick(store: Store, now: datetime) -> None:
    fire_slots(store, SOURCES, now)
    match(store)
    close_runs(store, SOURCES, now, wait=False)
    compose_editions(store, MESSAGE_IDS, 1, now)


def make_reader(store: Store, address: str = "me@example.org", **options: Any) -> tuple[OwnDigestEditor, int]:
    """A reader who has had the first edition, and whose digest is in its slot."""
    editor = join(store, address, **options)
    run_tick(store, NOW)
    (digest,) = editor.list_digests()
    return editor, digest.id


def follow(word: str) -> OwnFollow:
    return OwnFollow(text=word, query=word)


def on(store: Store, editor: OwnDigestEditor) -> OwnDigestEditor:
    """The same reader in another process."""
    return OwnDigestEditor(store=store, subscriber=editor.subscriber, now=editor.now)


def fetch_all(store: Store, *columns: Any) -> list[Any]:
    with store.begin_read() as tx:
        return [tuple(row) for row in tx.execute(select(*columns).order_by(*columns))]


def count_items(store: Store, digest_id: int) -> list[int]:
    """The number of items of each edition of a digest that has any, in order."""
    with store.begin_read() as tx:
        is_own = editions.c.digest_id == digest_id
        rows = tx.execute(select(editions.c["items"]).where(is_own).order_by(editions.c.id)).scalars()
        return [len(stored) for stored in rows if stored]


def test_a_run_waits_for_a_follow_that_is_being_added_and_then_tells_its_papers(
    store: Store, held: Store, other: Store
) -> None:
    editor, digest_id = make_reader(store)
    announce(store, make_new_listing(1, title="On graphs"))
    fire_slots(store, SOURCES, NOW + DAY)
    match(store)

    with hold_before_commit(
        held, CUSTOMIZATION, lambda: on(held, editor).add_follow(digest_id, follow("graphs"))
    ) as go_on:
        closing = Work(lambda: close_runs(other, SOURCES, NOW + DAY, wait=False))
        assert is_waiting(store, closing)
        go_on()
        (waiting,) = closing.finish()
    assert waiting.batches == (), "it waits for matching"

    run_tick(store, NOW + DAY)
    assert count_items(store, digest_id) == [1]


def test_a_follow_that_is_added_while_a_run_closes_begins_after_the_run(
    store: Store, held: Store, other: Store
) -> None:
    editor, digest_id = make_reader(store)
    run_tick(store, NOW + DAY)  # from here on, the slot knows how far it was reported
    announce(store, make_new_listing(1, title="On graphs"))
    fire_slots(store, SOURCES, NOW + 2 * DAY)
    match(store)

    with hold_before_commit(
        held, "UPDATE slots SET cursor_seq", lambda: close_runs(held, SOURCES, NOW + 2 * DAY, wait=False)
    ) as go_on:
        adding = Work(lambda: on(other, editor).add_follow(digest_id, follow("graphs")))
        assert is_waiting(store, adding)
        assert go_on() == ()
        adding.finish()
    assert fetch_all(store, follows.c.text, follows.c.started_seq) == [("caches", 0), ("graphs", 1)]

    announce(store, make_new_listing(2, title="More on graphs"))
    compose_editions(store, MESSAGE_IDS, 1, NOW + 2 * DAY)
    run_tick(store, NOW + 3 * DAY)
    assert count_items(store, digest_id) == [1], "only the later paper"


def test_two_that_close_a_run_close_it_once(store: Store, held: Store, other: Store) -> None:
    _, digest_id = make_reader(store)
    announce(store, make_new_listing(1, title="On caches"))
    fire_slots(store, SOURCES, NOW + DAY)
    match(store)

    with hold_before_commit(
        held, "UPDATE slots SET cursor_seq", lambda: close_runs(held, SOURCES, NOW + DAY, wait=False)
    ) as go_on:
        closing = Work(lambda: close_runs(other, SOURCES, NOW + DAY, wait=False))
        assert is_waiting(store, closing)
        go_on()
        closing.finish()
    compose_editions(store, MESSAGE_IDS, 1, NOW + DAY)
    assert count_items(store, digest_id) == [1]


def test_two_that_fire_make_one_run(store: Store, held: Store, other: Store) -> None:
    make_reader(store)

    with hold_before_commit(held, "INSERT INTO runs", lambda: fire_slots(held, {}, NOW + DAY)) as go_on:
        firing = Work(lambda: fire_slots(other, {}, NOW + DAY))
        assert is_waiting(store, firing)
        assert (go_on(), firing.finish()) == (1, 0)
    assert [period for (period,) in fetch_all(store, runs.c.period)][-1] == "2026-06-13T07:30"


def test_a_reader_who_signs_up_while_the_first_edition_fires_is_in_it(
    store: Store, held: Store, other: Store
) -> None:
    first = join(store, "first@example.org")
    update_slots(store, NOW)

    with hold_before_commit(held, "INSERT INTO digests", lambda: join(held, "second@example.org")) as go_on:
        firing = Work(lambda: fire_slots(other, {}, NOW))
        assert is_waiting(store, firing)
        second = go_on()
        assert firing.finish() == 1
    announce(store, make_new_listing(1, title="On caches"))
    match(store)
    close_runs(store, {}, NOW, wait=False)
    compose_editions(store, MESSAGE_IDS, 1, NOW)
    numbers = [digest.id for reader in (first, second) for digest in on(store, reader).list_digests()]
    assert [count_items(store, number) for number in numbers] == [[1], [1]]


def test_a_reader_who_signs_up_after_the_first_edition_has_fired_gets_another_one(
    store: Store, held: Store, other: Store
) -> None:
    join(store, "first@example.org")
    update_slots(store, NOW)

    with hold_before_commit(held, "INSERT INTO runs", lambda: fire_slots(held, {}, NOW)) as go_on:
        joining = Work(lambda: join(other, "second@example.org"))
        assert is_waiting(store, joining)
        go_on()
        joining.finish()
    assert fire_slots(store, {}, NOW) == 1


def change_schedule(store: Store, editor: OwnDigestEditor, digest_id: int, at: str) -> None:
    choice = ScheduleChoice(days=tuple(range(7)), at=at, zone="Europe/Berlin")
    on(store, editor).change_schedule(digest_id, choice)


def test_no_digest_enters_a_slot_that_fires_at_the_same_time(store: Store, held: Store, other: Store) -> None:
    editor, digest_id = make_reader(store)
    stays, _ = make_reader(store, "stays@example.org", name="late")
    change_slot(store, stays, "08:00")
    update_slots(store, NOW)
    change_schedule(store, editor, digest_id, "08:00")
    later = NOW + DAY + timedelta(minutes=31)
    with store.begin_write() as tx:  # only the later one is due
        tx.execute(text(f"UPDATE slots SET next_fire_at = '{later + DAY}' WHERE at = '07:30'"))

    with hold_before_commit(held, "INSERT INTO runs", lambda: fire_due(held, later)) as go_on:
        moving = Work(lambda: update_slots(other, later))
        assert is_waiting(store, moving)
        go_on()
        moving.finish()
    (row,) = [row for row in fetch_all(store, digests.c.id, digests.c.next_slot_id) if row[0] == digest_id]
    assert row[1] is not None, "it moves after the run"


def change_slot(store: Store, editor: OwnDigestEditor, at: str) -> None:
    (digest,) = editor.list_digests()
    change_schedule(store, editor, digest.id, at)


def fire_due(store: Store, now: datetime) -> None:
    """Fire what is due, without moving digests before."""
    from digest.store.editions.runs import fire_slots as fire_rows

    with store.begin_write() as tx:
        fire_rows(tx, now)


def test_a_query_that_somebody_begins_to_follow_stays_when_its_last_follow_ends(
    store: Store, held: Store, other: Store
) -> None:
    leaving, left = make_reader(store)
    joining, joined = make_reader(store, "you@example.org", name="graphs", query="graphs")
    on(store, leaving).add_follow(left, follow("rare"))

    with hold_before_commit(
        held, CUSTOMIZATION, lambda: on(held, joining).add_follow(joined, follow("rare"))
    ) as go_on:
        removing = Work(lambda: on(other, leaving).remove_follow(left, "rare", ""))
        assert is_waiting(store, removing)
        go_on()
        removing.finish()
    assert find_unneeded(store) == []


def test_a_query_is_matched_again_if_it_is_followed_just_after_its_last_follow_ended(
    store: Store, held: Store, other: Store
) -> None:
    leaving, left = make_reader(store)
    joining, joined = make_reader(store, "you@example.org", name="graphs", query="graphs")
    on(store, leaving).add_follow(left, follow("rare"))

    with hold_before_commit(
        held, "UPDATE follows", lambda: on(held, leaving).remove_follow(left, "rare", "")
    ) as go_on:
        adding = Work(lambda: on(other, joining).add_follow(joined, follow("rare")))
        assert is_waiting(store, adding)
        go_on()
        adding.finish()
    assert find_unneeded(store) == []


def find_unneeded(store: Store) -> list[str]:
    """Queries that somebody follows and that are not matched for it."""
    statement = (
        select(queries.c.text)
        .join(follows, follows.c.query_id == queries.c.id)
        .join(digests, digests.c.id == follows.c.digest_id)
        .join(slots, slots.c.id == digests.c.slot_id)
        .where(
            follows.c.ended_at.is_(None),
            queries.c.needed_from.is_(None)
            | (queries.c.needed_from > func.coalesce(digests.c.from_seq, slots.c.cursor_seq)),
        )
    )
    with store.begin_read() as tx:
        return list(tx.execute(statement).scalars())


def test_a_follow_that_begins_during_a_pass_is_matched_from_where_its_digest_needs_it(
    store: Store, held: Store, other: Store
) -> None:
    editor, digest_id = make_reader(store)
    announce(store, make_new_listing(1, title="On graphs and caches"))

    with hold_before_commit(held, "UPDATE counters", lambda: match(held)) as go_on:
        adding = Work(lambda: on(other, editor).add_follow(digest_id, follow("graphs")))
        assert not is_waiting(store, adding)
        adding.finish()
        go_on()
    run_tick(store, NOW + DAY)
    assert count_items(store, digest_id) == [1]
    assert find_unneeded(store) == []


# --- who does not wait ----------------------------------------------------------------------------


def list_changes(store: Store, editor: OwnDigestEditor, digest_id: int) -> dict[str, Callable[[], object]]:
    """Ordinary changes of a reader's digest, each for a process that must not wait."""
    own = on(store, editor)
    (digest,) = own.list_digests()
    return {
        "add a follow": lambda: own.add_follow(digest_id, follow("new")),
        "weigh a follow": lambda: own.weigh_follow(digest_id, "new", 2.0, alert=True),
        "remove a follow": lambda: own.remove_follow(digest_id, "new", ""),
        "change the schedule": lambda: change_schedule(store, own, digest_id, "09:00"),
        "pause": lambda: pause_digest(store, digest.destination, PauseFor.WEEK, NOW),
        "resume": lambda: resume_digest(store, digest.destination, "then", NOW),
        "make one": lambda: own.create("search", "me@example.org", "en", "UTC"),
        "sign up": lambda: join(store, "new@example.org"),
        "end one": lambda: own.end(digest_id),
    }


def test_readers_change_their_digests_while_another_process_holds_the_planning_lock(
    store: Store, hasty: Store
) -> None:
    editor, digest_id = make_reader(store)
    with store.begin_planning():
        for change in list_changes(hasty, editor, digest_id).values():
            change()


def test_readers_do_not_wait_for_a_change_of_another_digest_in_the_same_slot(
    store: Store, held: Store, hasty: Store
) -> None:
    editor, digest_id = make_reader(store)
    changing, changed = make_reader(store, "you@example.org")
    with hold_before_commit(
        held,
        CUSTOMIZATION,
        lambda: on(held, changing).import_follows(changed, [follow("caches"), follow("b")]),
    ):
        for name, change in list_changes(hasty, editor, digest_id).items():
            if name not in {"add a follow", "weigh a follow", "remove a follow", "make one"}:
                change()
        on(hasty, editor).list_digests()


def test_readers_who_follow_the_same_known_query_do_not_wait_for_each_other(
    store: Store, held: Store, hasty: Store
) -> None:
    editor, digest_id = make_reader(store)
    changing, changed = make_reader(store, "you@example.org")
    make_reader(store, "third@example.org", name="third", query="shared")
    with hold_before_commit(
        held, CUSTOMIZATION, lambda: on(held, changing).add_follow(changed, follow("shared"))
    ):
        on(hasty, editor).add_follow(digest_id, follow("shared"))


def test_a_cycle_goes_on_while_another_process_holds_the_planning_lock(store: Store, hasty: Store) -> None:
    _, digest_id = make_reader(store)
    announce(store, make_new_listing(1, title="On caches"))
    with store.begin_planning():
        run_tick(hasty, NOW + DAY)
        open_alert_run(hasty, NOW + DAY)
    assert count_items(store, digest_id) == [1]


def test_a_run_closes_while_a_digest_of_another_slot_changes(store: Store, held: Store, hasty: Store) -> None:
    _, digest_id = make_reader(store)
    changing, changed = make_reader(store, "you@example.org", name="late")
    change_schedule(store, changing, changed, "18:00")
    run_tick(store, NOW + timedelta(hours=11))  # it is due again after the run below
    announce(store, make_new_listing(1, title="On caches"))
    with hold_before_commit(
        held, "UPDATE follows", lambda: on(held, changing).weigh_follow(changed, "caches", 2.0, alert=None)
    ):
        run_tick(hasty, NOW + DAY)
    assert count_items(store, digest_id) == [1]


def test_a_cycle_that_finds_nothing_to_do_locks_no_slot_and_no_digest(store: Store) -> None:
    make_reader(store)
    later = NOW + timedelta(minutes=10)
    run_tick(store, later)
    with record_statements(store) as statements:
        fire_slots(store, SOURCES, later)
        match(store)
        open_alert_run(store, later)
        close_runs(store, SOURCES, later, wait=True)
        compose_editions(store, MESSAGE_IDS, 1, later)
    changing = [
        statement
        for statement in statements
        if " FOR " in statement
        or str(PLANNING_LOCK) in statement
        or statement.startswith(("UPDATE", "INSERT"))
    ]
    # A worker returns a shard that it may still have, and looks for another one.
    assert all("shards" in statement for statement in changing), changing
    assert len(changing) == 2


# --- all at once ----------------------------------------------------------------------------------


@dataclass
class Storm:
    """What one process does to the digests of all readers, in an order of its own.

    Attributes:
        store: its store.
        addresses: the address of each reader.
        clock: the time, which all processes share.
        done: how often it did what.
    """

    store: Store
    addresses: list[str]
    clock: list[datetime]
    random: random.Random
    done: Counter[str] = field(default_factory=Counter)

    def run(self, until: float) -> Counter[str]:
        steps = [name for name in dir(self) if name.startswith("do_")]
        while time.monotonic() < until:
            name = self.random.choice(steps)
            try:
                getattr(self, name)()
            except (EditError, NotOwnError):
                continue  # another process was faster
            self.done[name] += 1
        return self.done

    def _choose(self) -> tuple[OwnDigestEditor, int, int]:
        with self.store.begin_read() as tx:
            number = find_subscriber_id(tx, self.random.choice(self.addresses))
        editor = OwnDigestEditor(store=self.store, subscriber=number or 0, now=self.clock[0])
        own = editor.list_digests()
        chosen = self.random.choice(own) if own else None
        return editor, chosen.id if chosen else 0, chosen.destination if chosen else 0

    def _words(self) -> list[OwnFollow]:
        return [follow(word) for word in self.random.sample("abcdefgh", 6)]

    def do_import_follows(self) -> None:
        editor, digest_id, _ = self._choose()
        if digest_id:
            editor.import_follows(digest_id, self._words())

    do_import_more = do_import_follows

    def do_remove_follow(self) -> None:
        editor, digest_id, _ = self._choose()
        if digest_id:
            editor.remove_follow(digest_id, self.random.choice("abcdefgh"), "")

    do_remove_another = do_remove_follow

    def do_change_schedule(self) -> None:
        editor, digest_id, _ = self._choose()
        if digest_id:
            change_schedule(self.store, editor, digest_id, self.random.choice(["07:30", "08:00", "09:00"]))

    def do_pause(self) -> None:
        pause_digest(self.store, self._choose()[2], PauseFor.WEEK, self.clock[0])

    def do_resume(self) -> None:
        resume_digest(self.store, self._choose()[2], "then", self.clock[0])

    def do_request_edition(self) -> None:
        editor, digest_id, _ = self._choose()
        if digest_id:
            editor.request_edition(digest_id)

    def do_join(self) -> None:
        address = self.random.choice(self.addresses)
        join(self.store, address, self.clock[0], name=self.random.choice(["kv", "late"]))

    def do_delete(self) -> None:
        address = self.random.choice(self.addresses)
        with self.store.begin_erasure() as tx:
            lock_mailboxes(tx, [address])
            number = find_subscriber_id(tx, address)
            if number is not None:
                erase_subscriber(tx, number)

    def do_end(self) -> None:
        editor, digest_id, _ = self._choose()
        if digest_id and len(editor.list_digests()) > 1:
            editor.end(digest_id)

    do_join_again, do_end_another = do_join, do_end

    def do_update_copies(self) -> None:
        public_digest = make_public(query=self.random.choice("abc"), limit=self.random.randrange(5, 9))
        with self.store.begin_planning() as tx:
            update_copies(tx, public_digest, 0, self.clock[0])

    def do_declare(self) -> None:
        with self.store.begin_planning() as tx:
            _declare_file(tx, self.random, self.clock[0])

    def do_fire(self) -> None:
        fire_slots(self.store, {}, self.clock[0])

    def do_tick(self) -> None:
        self.clock[0] += timedelta(minutes=self.random.choice([1, 10, 60]))
        run_tick_without_sources(self.store, self.clock[0], self.random.randrange(1 << 30))

    do_tick_again = do_tick

    def do_match(self) -> None:
        match(self.store)

    def do_end_pauses(self) -> None:
        end_pauses(self.store, self.clock[0] + timedelta(days=8))

    def do_announce(self) -> None:
        number = self.random.randrange(1 << 30)
        announce(self.store, make_new_listing(number, title=f"On {self.random.choice('abcdefgh')} {number}"))


def _declare_file(tx: Transaction, chance: random.Random, now: datetime) -> None:
    from digest.store.subscribers.config_sync import declare_digests

    declared = [
        make_digest(
            name, queries=chance.sample("abcdefgh", 6), schedule=chance.choice(["daily 8:00", "daily 9:00"])
        )
        for name in ("one", "two", "three")
    ]
    declare_digests(tx, declared, now, 0)


def run_tick_without_sources(store: Store, now: datetime, token: int) -> None:
    fire_slots(store, {}, now)
    match(store)
    open_alert_run(store, now)
    close_runs(store, {}, now, wait=False)
    compose_editions(store, MESSAGE_IDS, token, now)


def test_a_storm_of_changes_causes_no_deadlock_and_loses_nothing(store: Store, store_url: str) -> None:
    seed = random.randrange(1 << 30)
    addresses = [f"reader{number}@example.org" for number in range(6)]
    for address in addresses:
        join(store, address)
    declare(store, make_digest("one", queries=["a"]))
    clock = [NOW]
    with ExitStack() as stack:
        storms = [
            Storm(
                store=stack.enter_context(open_process(store_url, "storm", deadlock_timeout="50ms")),
                addresses=addresses,
                clock=clock,
                random=random.Random(seed + number),
            )
            for number in range(5)
        ]
        until = time.monotonic() + 6
        works = [Work(lambda storm=storm: storm.run(until)) for storm in storms]  # type: ignore[misc]
        counts = [work.finish() for work in works]
    done: Counter[str] = sum(counts, Counter())
    assert len(done) >= 15, done

    assert find_unneeded(store) == []
    for number in range(3):
        run_tick_without_sources(store, clock[0] + (number + 1) * DAY, number)
    with store.begin_read() as tx:
        is_open = runs.c.state.in_(["open", "closed"])
        assert tx.execute(select(runs.c.id).where(is_open)).all() == []
        in_past = (slots.c.frequency == Frequency.ONCE.value) & (slots.c.last_period != "")
        lost = select(digests.c.id).join(slots, slots.c.id == digests.c.slot_id)
        assert tx.execute(lost.where(in_past, digests.c.state == "active")).all() == []


def test_who_waits_for_a_digest_that_moves_has_locked_its_new_slot(
    store: Store, held: Store, other: Store, hasty: Store
) -> None:
    editor, digest_id = make_reader(store)
    change_schedule(store, editor, digest_id, "08:00")
    (former,) = fetch_all(store, digests.c.slot_id)

    def try_to_close() -> list[bool]:
        """Lock the digest, and return whether its former and its present slot are locked."""
        with other.begin_write() as tx:
            lock_digests(tx, [digest_id])
            present = tx.execute(select(digests.c.slot_id).where(digests.c.id == digest_id)).scalar_one()
            return [is_locked(hasty, slot) for slot in (former[0], present)]

    with hold_before_commit(held, "UPDATE digests", lambda: update_slots(held, NOW)) as go_on:
        locking = Work(try_to_close)
        assert is_waiting(store, locking)
        go_on()
        assert locking.finish() == [False, True]


def is_locked(store: Store, slot: int) -> bool:
    """Whether a run of a slot cannot close at the moment."""
    try:
        with store.begin_write() as tx:
            lock_slots(tx, [slot], is_exclusive=True)
    except StoreBusyError:
        return True
    return False
