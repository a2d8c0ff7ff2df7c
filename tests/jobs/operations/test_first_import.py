"""What is imported all at once is as if it had been added bit by bit, whatever is there already."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import event, insert, select

from digest.config import Destination, DigestSettings, FollowSettings, Settings, SiteSettings
from digest.core.subscribers.library.queries import build_library_query
from digest.core.subscribers.own_digest import OwnFollow
from digest.core.times.schedule import parse_schedule
from digest.jobs.operations.sync_config import apply_config
from digest.jobs.subscribers.own_digests import OwnDigestEditor
from digest.jobs.subscribers.public_digests import subscribe
from digest.model import Abstracts, AddressKind, DigestOptions, EditionForm, EventKind, PaperKey
from digest.ports import Source
from digest.sources.arxiv import Source as Arxiv
from digest.store.database.engine import Store, open_store
from digest.store.database.tables.digests import (
    declarations,
    destinations,
    digests,
    follows,
    queries,
    slots,
    subscribers,
)
from digest.store.database.tables.readers import reports, suppressions
from digest.store.matching.matches import require_queries
from digest.store.subscribers.digests import load_configured_digests
from digest.store.subscribers.subscribers import list_subscribers, stop_destination
from tests.jobs.operations.test_sync_config import limit_rows
from tests.jobs.subscribers.test_public_digests import make_public
from tests.store.conftest import store_url
from tests.store.factories import DAY, NOW, announce, make_digest, make_new_listing, run_concurrently
from tests.support.workspace import make_empty_database

__all__ = ["store_url"]  # on both databases

SOURCES: dict[str, Source] = {"arxiv": Arxiv(categories=("cs.LG",))}
ADDRESSES = ("Me@Example.org", "bounced@example.org", "gone@example.org")
MANY = 50
"""Digests of a file; together they follow more new queries than are inserted one by one."""


@pytest.fixture
def other_store(store: Store, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Store]:
    """A second empty database of the same kind."""
    if store.engine.dialect.name == "sqlite":
        path = tmp_path / "other.db"
        path.write_bytes(make_empty_database())
        url = f"sqlite:///{path}"
    else:
        url = request.getfixturevalue("own_postgres_url")
    other = open_store(url, NOW)
    yield other
    other.close()


@pytest.fixture
def apply(tmp_path: Path) -> Callable[..., None]:
    """Applies a file with some digests."""

    def apply_digests(store: Store, declared: Sequence[DigestSettings]) -> None:
        path, part = tmp_path / "digest.toml", tmp_path / f"{uuid4()}.part"
        part.write_text(repr(declared), "utf-8")
        part.replace(path)  # others that apply the same file at once never see half of it
        settings = Settings(
            path=path, site=SiteSettings(), store="", output=tmp_path, sources=(), digests=tuple(declared)
        )
        apply_config(store, settings, SOURCES, NOW, allows_other_file=False)

    return apply_digests


def make_file() -> list[DigestSettings]:
    """Return digests of all kinds."""
    return [make_member(number) for number in range(MANY)]


def make_member(number: int) -> DigestSettings:
    zone = ("Europe/Berlin", "Asia/Tokyo", "UTC")[number % 3]
    return DigestSettings(
        name=f"member-{number}",
        title=f'Über "{number}", \\ and\ttab',
        destinations=make_destinations(number),
        schedule=parse_schedule(("weekdays 07:30", "monday 09:00")[number % 2], zone=zone),
        options=DigestOptions(
            timezone=zone,
            limit=10 + number % 4,
            kinds=(EventKind.NEW, EventKind.PICKED)[: 1 + number % 2],
            feed=number % 5 == 0,
            abstracts=(Abstracts.KEY, Abstracts.NONE)[number % 2],
            language=("en", "de")[number % 2],
        ),
        follows=make_follows(number),
        catch_up=("once", "skip")[number % 7 == 0],
        wait_for=("arxiv",) if number % 11 == 0 else (),
    )


def make_destinations(number: int) -> tuple[Destination, ...]:
    mail = [
        Destination(channel="smtp", kind=AddressKind.MAILBOX, address=address, form=form)
        for address, form in (
            (f"{number}@example.org", EditionForm.STANDARD),
            (ADDRESSES[number % 3], EditionForm.EPUB if number % 4 == 0 else EditionForm.STANDARD),
            (f"{number}@example.org", EditionForm.STANDARD),  # twice
        )
    ]
    folder = Destination(channel="files", kind=AddressKind.FOLDER, address=f"/Out/{number}")
    return () if number % 10 == 9 else (*mail, folder)


def make_follows(number: int) -> tuple[FollowSettings, ...]:
    """Return follows that others have, and some that nobody else has, with a repetition and exclusions."""
    shared = FollowSettings(text="shared", query="shared", weight=1.5, alert=number % 8 == 0)
    own = [FollowSettings(text=f"Own {number}/{part}", query=f"own{number}x{part}") for part in range(8)]
    excluded = FollowSettings(text="not this", query=f"excluded{number % 4}", exclude=True)
    narrow = FollowSettings(text="nor that", query="narrow", exclude=True, only="shared")
    return (shared, own[0], *own, excluded, narrow, replace(own[1], weight=2.0))


def load_content(store: Store, *, has_ids: bool = False) -> dict[str, list[Any]]:
    """Return what an import writes; without ``has_ids``, numbers are replaced by what they stand for."""
    with store.begin_read() as tx:
        rows = {
            table.name: tx.execute(select(table).order_by(*table.primary_key)).mappings().all()
            for table in (subscribers, slots, queries, digests, destinations, follows, declarations)
        }
    if has_ids:
        return {name: [dict(row) for row in table_rows] for name, table_rows in rows.items()}
    names = {
        "slot_id": {row["id"]: list(row.values())[1:9] for row in rows["slots"]},
        "query_id": {row["id"]: row["text"] for row in rows["queries"]},
        "subscriber_id": {row["id"]: row["address"] for row in rows["subscribers"]},
        "digest_id": {row["id"]: row["name"] for row in rows["digests"]},
    }
    names |= {"next_slot_id": names["slot_id"], "only_query_id": names["query_id"]}

    def describe(row: Any) -> str:
        values = {
            name: names[name].get(value, value) if name in names else value for name, value in row.items()
        }
        # A revision says when a query changed, not what it is.
        return repr({name: value for name, value in values.items() if name not in {"id", "revision"}})

    # The order of destinations does not matter, and that of a digest's follows does.
    content = {name: sorted(map(describe, table_rows)) for name, table_rows in rows.items()}
    by_digest = sorted(rows["follows"], key=lambda row: (names["digest_id"][row["digest_id"]], row["id"]))
    return content | {"follows": list(map(describe, by_digest))}


def mark_addresses(store: Store) -> None:
    """Let an address bounce, and let two be unsubscribed."""
    with store.begin_write() as tx:
        report = {"delivery": 0, "mailbox": "bounced@example.org", "kind": "bounce", "at": NOW}
        report |= {"finding": "", "status": "", "answer": "", "road": "smtp"}
        number = tx.execute(insert(reports).values(report).returning(reports.c.id)).scalar_one()
        row = {"mailbox": "bounced@example.org", "state": "suppressed", "since": NOW, "report_id": number}
        tx.execute(insert(suppressions), [row])
        stopped = [*list_subscribers(tx, address="gone@example.org"), *list_subscribers(tx, address="/out/3")]
        for each in stopped:
            stop_destination(tx, each.destination)
    with store.begin_planning() as tx:  # unsubscribing from a digest of the site does not concern the file
        number = subscribe(tx, make_public(), "0@example.org", language="de", zone="UTC", now=NOW)
        stop_destination(tx, number)


def announce_days(store: Store) -> None:
    """Announce four papers before the last day, where new digests begin, and then five."""
    for first, size, day in ((1, 4, DAY - timedelta(days=3)), (5, 5, DAY)):
        announce(store, *map(make_new_listing, range(first, first + size)), day=day)


# --- the file -------------------------------------------------------------------------------------


def test_digests_that_are_imported_at_once_are_as_those_that_grew_bit_by_bit(
    store: Store, other_store: Store, apply: Callable[..., None]
) -> None:
    """Those that exist already are written row by row, by other statements."""
    folder = Destination(channel="files", kind=AddressKind.FOLDER, address="/out/3")
    former = make_digest("former", to=["GONE@example.org"])
    former = replace(former, destinations=(*former.destinations, folder))
    file = make_file()
    bare = [replace(member, title="", destinations=(), follows=()) for member in file]
    for each in (store, other_store):
        announce_days(each)
        apply(each, [former])
        mark_addresses(each)

    apply(store, [former, *file])
    apply(other_store, [former, *bare])
    apply(other_store, [former, *file])

    content = load_content(store)
    assert content == load_content(other_store)
    assert len(content["digests"]) == 2 + MANY
    assert len(content["queries"]) > 300
    states = [row.state for row in list_states(store)]
    assert {state: states.count(state) for state in set(states)} == {
        "active": 104,
        "suppressed": 15,
        "stopped": 19,
    }


def list_states(store: Store) -> Sequence[Any]:
    with store.begin_read() as tx:
        return tx.execute(select(destinations.c.state)).all()


def test_what_is_imported_is_what_the_file_says(store: Store, apply: Callable[..., None]) -> None:
    file = make_file()
    apply(store, file)

    with store.begin_read() as tx:
        loaded = load_configured_digests(tx)
    assert [digest.name for digest in loaded] == [member.name for member in file]
    for digest, member in zip(loaded, file, strict=True):
        assert (digest.title, digest.options) == (member.title, member.options)
        texts = {follow.query: follow.canonical for follow in digest.follows}
        by_key = {(follow.query, follow.only): follow for follow in member.follows}
        assert [
            (each.text, each.canonical, each.weight, each.exclude, each.alert, texts.get(each.only, ""))
            for each in digest.follows
        ] == [
            (each.text, each.query, each.weight, each.exclude, each.alert, each.only)
            for each in by_key.values()
        ]
        assert {(each.channel, each.address) for each in digest.destinations} == {
            (each.channel, each.address) for each in member.destinations
        }


def test_digests_that_are_imported_at_once_are_as_those_that_were_added_one_by_one(
    store: Store, other_store: Store, apply: Callable[..., None]
) -> None:
    file = make_file()

    apply(store, file)
    for size in range(1, MANY + 1):
        apply(other_store, file[:size])

    assert load_content(store) == load_content(other_store)
    names = [row["name"] for row in load_content(store, has_ids=True)["digests"]]
    assert names == [member.name for member in file], "they are numbered in their order"


def test_an_import_keeps_what_is_there_and_begins_queries_earlier_if_needed(
    store: Store, apply: Callable[..., None]
) -> None:
    announce_days(store)
    kept = make_digest("kept", queries=["shared", "own7x1", "alone"])
    apply(store, [kept, make_member(3), make_member(4)])
    with store.begin_planning() as tx:
        require_queries(tx, {"own5x1": 8, "own6x1": 0})
    apply(store, [kept, make_member(4)])
    before = load_content(store, has_ids=True)

    apply(store, [kept, *make_file()])  # one that is unchanged, one that is back, and new ones

    after = load_content(store, has_ids=True)
    for name in ("subscribers", "destinations", "follows"):
        assert all(row in after[name] for row in before[name] if row.get("state") != "ended"), name
    for name in ("digests", "queries"):
        assert list_names(before[name]) == list_names(after[name])[: len(before[name])]
    assert len(after["digests"]) == 1 + MANY
    first_seq = next(row["from_seq"] for row in after["digests"] if row["name"] == "member-0")
    needed = {row["text"]: row["needed_from"] for row in after["queries"]}
    assert first_seq == 4
    assert {row["cursor_seq"] for row in after["slots"] if row["frequency"] != "alert"} == {first_seq}
    assert (needed["own5x1"], needed["own6x1"], needed["own8x1"]) == (first_seq, 0, first_seq)


def list_names(rows: Sequence[Any]) -> list[tuple[int, str]]:
    return [(row["id"], row.get("name") or row["text"]) for row in rows]


# --- interruptions, repetitions, others -----------------------------------------------------------


@contextmanager
def interrupt_at(store: Store, number: int) -> Iterator[None]:
    """Press Ctrl-C at a statement, but at none that begins a transaction."""
    statements = count(1)

    def press(_connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        if not statement.startswith("BEGIN") and next(statements) == number:
            raise KeyboardInterrupt

    event.listen(store.engine, "before_cursor_execute", press)
    try:
        yield
    finally:
        event.remove(store.engine, "before_cursor_execute", press)


def test_an_import_that_is_interrupted_anywhere_continues_and_leaves_nothing_by_halves(
    store: Store, other_store: Store, apply: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    limit_rows(monkeypatch, 150)
    file = make_file()
    apply(other_store, file)
    complete = load_content(other_store)
    sizes: list[int] = []

    for number in count(1, 7):
        try:
            with interrupt_at(store, number):
                apply(store, file)
            break
        except KeyboardInterrupt:
            content = load_content(store)
        sizes.append(len(content["digests"]))
        assert len(content["declarations"]) == len(content["digests"])
        for name in ("digests", "declarations"):
            assert set(content[name]) <= set(complete[name])
        for name in ("destinations", "follows"):
            assert content[name] == [
                row for row in complete[name] if is_of_digests(row, content["declarations"])
            ]

    assert load_content(store) == complete
    assert len(set(sizes)) > 3, "some are written before each interruption"


def is_of_digests(row: str, declaration_rows: Sequence[str]) -> bool:
    """Whether a row belongs to a digest that has been written."""
    name = row.partition("'digest_id': ")[2].partition(",")[0]
    return any(f"'digest_id': {name}," in each for each in declaration_rows)


def test_an_import_that_is_repeated_changes_nothing(store: Store, apply: Callable[..., None]) -> None:
    apply(store, make_file())
    before = load_content(store, has_ids=True)

    apply(store, make_file())

    assert load_content(store, has_ids=True) == before


def test_several_that_import_at_once_leave_what_one_would(
    store: Store, other_store: Store, apply: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    limit_rows(monkeypatch, 150)
    file = make_file()
    apply(other_store, file)

    run_concurrently(*[lambda: apply(store, file)] * 3)

    assert load_content(store) == load_content(other_store)


def test_many_queries_that_several_begin_to_follow_at_once_are_made_once(store: Store) -> None:
    def require(first: int) -> dict[str, int]:
        with store.begin_write() as tx:
            return require_queries(tx, {f"word{number}": first for number in range(first, first + 400)})

    results = run_concurrently(*(lambda first=first: require(first) for first in (0, 100, 200)))

    with store.begin_read() as tx:
        rows = tx.execute(
            select(queries.c.id, queries.c.text, queries.c.needed_from, queries.c.revision)
        ).all()
    assert len(rows) == 600
    for result in results:
        assert result.items() <= {row.text: row.id for row in rows}.items()
    assert {row.text: row.needed_from for row in rows} == {
        f"word{number}": min(first for first in (0, 100, 200) if first <= number < first + 400)
        for number in range(600)
    }
    assert all(row.revision > 0 for row in rows)


def test_an_import_that_is_only_rehearsed_can_be_seen_there_and_leaves_nothing(
    store: Store, other_store: Store, apply: Callable[..., None]
) -> None:
    before = load_content(store, has_ids=True)
    apply(other_store, make_file())

    with store.begin_dry_run() as rehearsal:
        apply(rehearsal, make_file())
        assert load_content(rehearsal) == load_content(other_store)

    assert load_content(store, has_ids=True) == before


# --- libraries and readers ------------------------------------------------------------------------


def make_library(size: int) -> list[OwnFollow]:
    keys = [PaperKey(f"arxiv:2601.{number:05}") for number in range(1, size + 1)]
    return [OwnFollow(text=f"A \\ paper\n{key}", query=build_library_query(key)) for key in keys]


def sign_up(store: Store) -> tuple[int, int]:
    """Return the numbers of a reader and of their digest."""
    with store.begin_planning() as tx:
        subscribe(tx, make_public(), "me@example.org", language="de", zone="Asia/Tokyo", now=NOW)
        row = tx.execute(select(digests.c.subscriber_id, digests.c.id)).one()
    return row.subscriber_id, row.id


def test_a_library_that_a_reader_imports_is_as_papers_that_were_added_one_by_one(
    store: Store, other_store: Store
) -> None:
    library = make_library(350)
    results = []
    for each, sizes in ((store, [350]), (other_store, [5, 20, 21, 100, 350])):
        announce_days(each)
        subscriber, digest_id = sign_up(each)
        editor = OwnDigestEditor(store=each, subscriber=subscriber, now=NOW)
        for entry in library[:4]:
            editor.add_follow(digest_id, entry)
        editor.weigh_follow(digest_id, library[0].query, 3.0, alert=None)
        for size in sizes:
            editor.import_follows(digest_id, library[:size])
        results.append(load_content(each))
        editor.import_follows(digest_id, library)
        assert load_content(each) == results[-1]

    assert results[0] == results[1]
    assert len(results[0]["follows"]) == len(make_public().digest.follows) + 350
    assert sum("'weight': 3.0" in row for row in results[0]["follows"]) == 1


def test_readers_of_a_library_share_its_queries(store: Store, apply: Callable[..., None]) -> None:
    library = tuple(FollowSettings(text=entry.text, query=entry.query) for entry in make_library(400))
    apply(store, [replace(make_member(number), follows=library) for number in range(3)])

    content = load_content(store, has_ids=True)
    assert len(content["queries"]) == 400
    assert len(content["follows"]) == 1200
    assert {row["compiled"] for row in content["queries"]}.isdisjoint({""})
