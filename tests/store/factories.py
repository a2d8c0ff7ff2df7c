"""Factories of what tests of the store begin with (papers, batches, digests), and several workers at once."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import event, select, update

from digest.config import Destination, DigestSettings, FollowSettings
from digest.core.matching.event_set import EventSet
from digest.core.times.schedule import parse_schedule
from digest.model import (
    AddressKind,
    Author,
    Batch,
    DigestOptions,
    EventKind,
    Item,
    Listing,
    ListingKind,
    Paper,
    PaperKey,
)
from digest.store.database.engine import Store, Transaction, get_highest_seq
from digest.store.database.tables.column_types import metadata
from digest.store.database.tables.digests import digests as digests_table
from digest.store.database.tables.digests import slots
from digest.store.editions import editions, runs
from digest.store.editions.editions import NewDelivery, NewEdition
from digest.store.editions.encodings.items import ItemRank, NewItem
from digest.store.editions.encodings.overflow import Overflow, OverflowReason, Rank
from digest.store.fetching import ledger, listings
from digest.store.operations.audit import Actor, ActorKind
from digest.store.papers import events, papers
from digest.store.subscribers import digests
from digest.store.subscribers.config_sync import declare_digests, end_digests, find_differences
from digest.store.subscribers.digests import Digest

T = TypeVar("T")

NOW = datetime(2026, 6, 12, 5, 30, tzinfo=UTC)
SHELL = Actor(kind=ActorKind.SHELL, name="root")
"""Who changes something by a command."""
"""A Friday, 07:30 in Berlin."""
DAY = date(2026, 6, 12)
BEFORE = date(2026, 1, 1)
"""A `since` that lets every day of these tests make events."""


@contextmanager
def lock_database(path: Path) -> Iterator[None]:
    """Another process is writing to a SQLite file, as far as anybody can tell."""
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


def run_concurrently(*actions: Callable[[], T]) -> list[T]:
    """Do things at the same time, each in its own thread; what one raises is raised."""
    line = threading.Barrier(len(actions))

    def started(action: Callable[[], T]) -> T:
        line.wait()
        return action()

    with ThreadPoolExecutor(len(actions)) as pool:
        return [future.result() for future in [pool.submit(started, action) for action in actions]]


def limit_statement_size(store: Store, most: int = 999) -> None:
    """Let SQLite take no more values in a statement, so that a list that grows is noticed early."""

    @event.listens_for(store.engine, "checkout")
    def _limit(connection: Any, _record: object, _proxy: object) -> None:
        if isinstance(connection, sqlite3.Connection):
            connection.setlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER, most)


@contextmanager
def record_statements(store: Store) -> Iterator[list[str]]:
    """What the database is told meanwhile; many rows of one statement are one."""
    lines: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        lines.append(statement)

    event.listen(store.engine, "before_cursor_execute", note)
    try:
        yield lines
    finally:
        event.remove(store.engine, "before_cursor_execute", note)


def find_schema_differences(tx: Transaction) -> list[Any]:
    """What is not as the metadata says.

    It has neither the posting lists, for each database has them in its own way, nor the tables of Procrastinate.
    """
    foreign = "paper_terms", "procrastinate_"
    options = {"include_name": lambda name, _type, _parents: not (name or "").startswith(foreign)}
    results: list[Any] = compare_metadata(MigrationContext.configure(tx, opts=options), metadata)
    return results


# --- papers ---------------------------------------------------------------------------------------


def make_paper(
    number: int,
    *,
    version: int = 1,
    title: str = "",
    categories: Sequence[str] = ("cs.LG",),
    authors: Sequence[str] = ("Ada Lovelace",),
    doi: str = "",
) -> Paper:
    key = PaperKey(f"arxiv:2606.{number:05}")
    return Paper(
        key=key,
        title=title or f"Paper {number}",
        abstract="What it is about.",
        authors=tuple(Author(name=name) for name in authors),
        categories=tuple(categories),
        version=version,
        url=f"https://arxiv.org/abs/2606.{number:05}",
        doi=doi,
    )


def make_new_listing(number: int, **facts: object) -> Listing:
    return Listing(kind=ListingKind.NEW, paper=make_paper(number, **facts))  # type: ignore[arg-type]


def make_replacement(number: int, version: int, **facts: object) -> Listing:
    return Listing(kind=ListingKind.REPLACE, paper=make_paper(number, version=version, **facts))  # type: ignore[arg-type]


def make_cross_listing(number: int, **facts: object) -> Listing:
    return Listing(kind=ListingKind.CROSS, paper=make_paper(number, **facts))  # type: ignore[arg-type]


def make_article(doi: str, **facts: Any) -> Paper:
    """What a journal says of a paper, under the DOI and no other id unless told."""
    options: dict[str, Any] = {"title": f"Article {doi}", "url": f"https://doi.org/{doi}"}
    return Paper(key=PaperKey(f"doi:{doi}"), **options | facts)


def load_paper(store: Store, key: PaperKey) -> Paper:
    """The whole paper."""
    with store.begin_read() as tx:
        number = papers.find_papers(tx, [key])[key]
        return papers.load_papers(tx, [number])[number]


def list_events(store: Store) -> list[tuple[int, str, str, int]]:
    """All events: seq, the end of the root's key, kind and number."""
    with store.begin_read() as tx:
        events_between = events.load_events_between(tx, 0, get_highest_seq(tx))
    return [(event.seq, event.paper.key[-5:], event.kind.value, event.number) for event in events_between]


def ensure_batch(tx: Transaction, section: str = "cs.LG", day: date = DAY, *, source: str = "arxiv") -> Batch:
    """The batch of a section and day, made if need be."""
    due = datetime(day.year, day.month, day.day, 4, tzinfo=UTC)
    ledger.declare_sections(tx, source, [section], BEFORE)
    ledger.make_batches(tx, source, section, [(day, due)])
    return ledger.load_batch(tx, source, section, day)


def announce(
    store: Store, *listed: Listing, section: str = "cs.LG", day: date = DAY, source: str = "arxiv"
) -> listings.SaveResult:
    """Save listings in a transaction of their own."""
    with store.begin_ingest() as tx:
        telling = frozenset(listing.paper.key for listing in listed)
        return listings.save_listings(
            tx, ensure_batch(tx, section, day, source=source), listed, announceable=telling
        )


def harvest(
    store: Store, *records: Paper, day: date = DAY, source: str = "arxiv", cited: Sequence[str] = ()
) -> listings.SaveResult:
    """Save papers without an announcement day, in a transaction of their own."""
    with store.begin_ingest() as tx:
        return listings.save_records(tx, source, records, day, cited)


def announce_many(store: Store, count: int) -> None:
    """Make that many events."""
    announce(store, *(make_new_listing(number) for number in range(1, count + 1)))


# --- digests --------------------------------------------------------------------------------------


def make_digest(
    name: str = "systems",
    *,
    queries: Sequence[str] = ('"kv cache"',),
    exclude: Sequence[str] = (),
    to: Sequence[str] = ("me@example.org",),
    schedule: str = "weekdays 07:30",
    latest: str = "",
    zone: str = "Europe/Berlin",
    weight: float = 1.0,
    limit: int = 25,
    minimum: int = 0,
    catch_up: str = "once",
    wait_for: Sequence[str] = (),
) -> DigestSettings:
    wishes = [FollowSettings(text=text, query=text, weight=weight) for text in queries]
    wishes += [FollowSettings(text=text, query=text, exclude=True) for text in exclude]
    return DigestSettings(
        name=name,
        title=name.title(),
        destinations=tuple(
            Destination(channel="smtp", kind=AddressKind.MAILBOX, address=address) for address in to
        ),
        schedule=parse_schedule(schedule, zone=zone, latest=latest),
        options=DigestOptions(timezone=zone, limit=limit, minimum=minimum, kinds=(EventKind.NEW,)),
        follows=tuple(wishes),
        catch_up=catch_up,
        wait_for=tuple(wait_for),
    )


def change_options(settings: DigestSettings, **options: Any) -> DigestSettings:
    """The same digest with other options."""
    return replace(settings, options=replace(settings.options, **options))


def declare(store: Store, *declared: DigestSettings, now: datetime = NOW, first_seq: int = 0) -> None:
    with store.begin_write() as tx:
        declare_all(tx, declared, now, first_seq)


def declare_all(
    tx: Transaction, declared: Sequence[DigestSettings], now: datetime = NOW, first_seq: int = 0
) -> None:
    """Make a store's digests those of a whole file, in one transaction."""
    end_digests(tx, find_differences(tx, declared).ended, now)
    declare_digests(tx, declared, now, first_seq)


def load_active_digests(tx: Transaction, **which: Any) -> tuple[Digest, ...]:
    """Digests that are neither paused nor ended; `which` is as `standing_digests` takes it."""
    return tuple(digest for digest in digests.load_digests(tx, **which) if digest.pause is None)


def load_digest(store: Store, name: str = "systems") -> Digest:
    with store.begin_read() as tx:
        (one,) = (active_digest for active_digest in load_active_digests(tx) if active_digest.name == name)
    return one


def load_digest_row(store: Store, name: str = "systems") -> Any:
    with store.begin_read() as tx:
        return tx.execute(select(digests_table).where(digests_table.c.name == name)).one()


def load_slot_times(store: Store, slot: int) -> tuple[str, str]:
    """How often a slot fires, and at what time."""
    with store.begin_read() as tx:
        row = tx.execute(select(slots).where(slots.c.id == slot)).one()
    return row.frequency, row.at


def finish_first_firings(store: Store) -> None:
    """Let each digest's first firing have been, and each go over to its own schedule."""
    with store.begin_write() as tx:
        tx.execute(update(slots).where(slots.c.frequency == "once").values(last_period="2026-06-12T07:30"))
        digests.move_digests(tx)


def make_due_edition(store: Store, count: int, **options: Any) -> None:
    """An edition that goes to that many addresses, or to those given, due now."""
    addresses = [f"{number:04}@example.org" for number in range(count)]
    declare(store, make_digest(**{"to": addresses} | options))
    with store.begin_write() as tx:
        save_due_editions(tx, lambda _digest, _number, address: f"<{address}>")


def save_due_editions(tx: Transaction, message_id: Callable[[Digest, int, str], str]) -> None:
    """An edition of each digest, for all its destinations, due now.

    Args:
        tx: a writing transaction.
        message_id: of what goes to a destination, by its digest, its number and its address.
    """
    runs.wake_slots(tx, NOW)
    runs.fire_slots(tx, NOW)
    (run,) = runs.list_open_runs(tx)
    runs.close_run(tx, run, 0, NOW)
    new_editions = [
        NewEdition(
            digest=active_digest.id,
            deliveries=tuple(
                NewDelivery(number, channel, message_id(active_digest, number, address), NOW)
                for number, channel, address, _ in active_digest.destinations
            ),
        )
        for active_digest in load_active_digests(tx)
    ]
    editions.save_editions(tx, run.id, new_editions, [], NOW)


def make_new_items(items: Iterable[Item]) -> list[NewItem]:
    """Items to be stored."""
    return [NewItem(item.event.seq, ItemRank(item.part, item.score), item.reasons) for item in items]


def make_overflow(items: Iterable[Item]) -> Overflow:
    """What editions keep of items that they do not show in full; the follows are what is marked in titles."""
    lines = list(items)
    return Overflow(
        reason_groups=[
            [OverflowReason(reason.follow, reason.confidence, reason.follow) for reason in item.reasons]
            for item in lines
        ],
        ranks=[
            Rank(item.part, item.score, [(number, EventSet.from_positions([item.event.seq]))])
            for number, item in enumerate(lines)
        ],
    )


def add_to_now(**much: float) -> datetime:
    return NOW + timedelta(**much)
