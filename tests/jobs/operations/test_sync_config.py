"""A file that is applied again writes what changed, and nothing else, whatever happened to the store since."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import event, select

from digest.config import Destination, DigestSettings, FollowSettings, Settings, SiteSettings
from digest.core.times.schedule import parse_schedule
from digest.errors import ConfigError
from digest.jobs.editions.compose import MessageIds, close_runs, compose_editions, fire_slots
from digest.jobs.matching.match import match
from digest.jobs.operations import sync_config as applying
from digest.model import Abstracts, AddressKind, Arrangement, DigestOptions, EventKind
from digest.ports import Source
from digest.sources.arxiv import Source as Arxiv
from digest.store.database.engine import Store
from digest.store.database.tables.column_types import metadata
from digest.store.database.tables.digests import declarations, destinations
from digest.store.database.tables.digests import digests as digests_table
from digest.store.delivery.suppressions import remove_suppression, stop_all_digests
from digest.store.editions import runs
from digest.store.subscribers import config_sync as declared
from digest.store.subscribers import digests, pauses
from digest.store.subscribers import subscribers as readers
from tests.store.conftest import store_url
from tests.store.factories import (
    NOW,
    add_to_now,
    announce_many,
    change_options,
    load_active_digests,
    make_digest,
    record_statements,
    run_concurrently,
)

__all__ = ["store_url"]  # on both databases: what is written is judged by what the database says

SOURCES: dict[str, Source] = {"arxiv": Arxiv(categories=("cs.LG",))}
LETTERS = MessageIds(key=b"key", domain="example.org")
DECLARED = [make_digest(name, queries=["a", name], to=[f"{name}@example.org"]) for name in "uvwxyz"]


@pytest.fixture
def apply(store: Store, tmp_path: Path) -> Callable[..., None]:
    """Applies a file with some digests."""
    count = itertools.count()

    def made(*declared: DigestSettings, to: Store = store, **much: float) -> None:
        path, part = tmp_path / "digest.toml", tmp_path / f"{next(count)}.part"
        part.write_text(repr(declared), "utf-8")
        part.replace(path)  # others that apply the same file at once never see half of it
        settings = Settings(
            path=path, site=SiteSettings(), store="", output=tmp_path, sources=(), digests=tuple(declared)
        )
        applying.apply_config(to, settings, SOURCES, add_to_now(**much), allows_other_file=False)

    return made


@contextmanager
def rows_written(store: Store) -> Iterator[list[str]]:
    """The statements that changed rows meanwhile."""
    results: list[str] = []

    def note(_connection: Any, cursor: Any, statement: str, *_more: Any) -> None:
        if statement.split(maxsplit=1)[0] in {"INSERT", "UPDATE", "DELETE"} and cursor.rowcount > 0:
            results.append(statement)

    event.listen(store.engine, "after_cursor_execute", note)
    try:
        yield results
    finally:
        event.remove(store.engine, "after_cursor_execute", note)


def content(store: Store) -> dict[str, list[str]]:
    with store.begin_read() as tx:
        return {name: sorted(map(repr, tx.execute(select(table)))) for name, table in metadata.tables.items()}


def as_read(store: Store) -> dict[str, tuple[list[str], list[str]]]:
    """Where digests go and what they follow."""
    with store.begin_read() as tx:
        return {
            active_digest.name: (
                sorted(destination.address for destination in active_digest.destinations),
                sorted(follow.text for follow in active_digest.follows),
            )
            for active_digest in load_active_digests(tx)
        }


def as_written(declared: Sequence[DigestSettings]) -> dict[str, tuple[list[str], list[str]]]:
    return {
        digest.name: (
            sorted(to.address for to in digest.destinations),
            sorted(follow.text for follow in digest.follows),
        )
        for digest in declared
    }


# --- what is unchanged ----------------------------------------------------------------------------


def test_an_unchanged_file_writes_nothing(store: Store, apply: Callable[..., None]) -> None:
    apply(*DECLARED)
    before = content(store)

    with rows_written(store) as lines:
        apply(*DECLARED, minutes=1)

    assert lines == []
    assert content(store) == before


def test_an_unchanged_file_takes_as_many_statements_with_few_digests_as_with_many(
    store: Store, apply: Callable[..., None]
) -> None:
    entries = []
    for count in (1, 60):
        many = [make_digest(f"d{number}", queries=["a", "b"]) for number in range(count)]
        apply(*many)
        with record_statements(store) as each:
            apply(*many)
        entries.append(len(each))

    assert entries[0] == entries[1] < 60


def test_of_many_digests_the_one_that_changed_is_written(store: Store, apply: Callable[..., None]) -> None:
    apply(*DECLARED)
    before = content(store)

    apply(*DECLARED[:-1], change_options(DECLARED[-1], limit=7))

    after = content(store)
    assert [name for name in before if before[name] != after[name]] == ["digests", "declarations", "notes"]
    assert len(set(before["digests"]) - set(after["digests"])) == 1


OTHERS: dict[str, Any] = {
    "name": "other",
    "title": "Other",
    "destinations": (Destination(channel="files", kind=AddressKind.FOLDER, address="/other"),),
    "schedule": parse_schedule("weekdays 07:30", zone="Europe/Berlin", latest="10:00"),
    "follows": (FollowSettings(text="other", query="other"),),
    "catch_up": "skip",
    "wait_for": ("arxiv",),
}
OPTIONS: dict[str, Any] = {
    "timezone": "UTC",
    "limit": 9,
    "kinds": (EventKind.PICKED,),
    "when_empty": "tell",
    "minimum": 2,
    "feed": True,
    "feed_entries": "editions",
    "language": "de",
    "abstracts": Abstracts.NONE,
    "arrange": Arrangement.BY_FOLLOW,
    "full": 3,
    "alerts_a_day": 1,
    "repeat_alerts": True,
}
FOLLOWS: dict[str, Any] = {
    "text": "Other",
    "query": "other",
    "weight": 2.0,
    "exclude": True,
    "only": "other",
    "alert": True,
}


def test_whatever_changes_in_a_declaration_its_hash_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    digest = make_digest()
    (follow,) = digest.follows
    assert OTHERS.keys() | {"options", "locate_key"} == {field.name for field in fields(DigestSettings)}
    assert OPTIONS.keys() == {field.name for field in fields(DigestOptions)}
    assert FOLLOWS.keys() == {field.name for field in fields(FollowSettings)}

    changed = [replace(digest, **{name: value}) for name, value in OTHERS.items()]
    changed += [change_options(digest, **{name: value}) for name, value in OPTIONS.items()]
    changed += [replace(digest, follows=(replace(follow, **{name: FOLLOWS[name]}),)) for name in FOLLOWS]
    hashes = {declared.hash_declaration(digest) for digest in (digest, *changed)}

    assert len(hashes) == 1 + len(OTHERS) + len(OPTIONS) + len(FOLLOWS)
    assert declared.hash_declaration(replace(digest, locate_key=str.upper)) in hashes
    monkeypatch.setattr(declared, "__version__", "another")
    assert declared.hash_declaration(digest) not in hashes


# --- what else changes the store ------------------------------------------------------------------


def _destination(tx: Any, name: str) -> int:
    mine = destinations.c.address == f"{name}@example.org"
    return int(tx.execute(select(destinations.c.id).where(mine)).scalars().first() or 0)


def _resume(tx: Any, name: str, *, is_declared: bool) -> None:
    number = _destination(tx, name)
    if number:
        readers.resume_destinations(tx, [number], [number] if is_declared else [])


def _pause(tx: Any, name: str) -> None:
    for active_digest in load_active_digests(tx):
        if active_digest.name == name:
            pauses.pause_digest(tx, active_digest.id, add_to_now(days=3), "then")


def _unpause(tx: Any, name: str) -> None:
    number = tx.execute(select(digests_table.c.id).where(digests_table.c.name == name)).scalar()
    if number:
        pauses.resume_digest(tx, number, "now", NOW)


COMMANDS: dict[str, Callable[[Any, str], object]] = {
    "pause": _pause,
    "resume the digest": _unpause,
    "unsubscribe": lambda tx, name: readers.stop_destination(tx, _destination(tx, name)),
    "unsubscribe everywhere": lambda tx, name: stop_all_digests(tx, f"{name}@example.org", "it said so"),
    "resume the address": lambda tx, name: _resume(tx, name, is_declared=True),
    "resume an address that left": lambda tx, name: _resume(tx, name, is_declared=False),
    "lift a suppression": lambda tx, name: remove_suppression(tx, f"{name}@example.org"),
    "move": lambda tx, _: digests.move_digests(tx),
    "wake": lambda tx, _: runs.wake_slots(tx, add_to_now(days=1)),
    "fire": lambda tx, _: runs.fire_slots(tx, add_to_now(days=1)),
}
FILES = st.lists(
    st.builds(
        make_digest,
        name=st.sampled_from("xyz"),
        queries=st.lists(st.sampled_from("abc"), unique=True),
        to=st.lists(st.sampled_from(["x@example.org", "y@example.org"]), unique=True),
        schedule=st.sampled_from(["daily 07:30", "weekly fri 16:00"]),
        weight=st.sampled_from([1.0, 2.0]),
    ),
    unique_by=lambda digest: digest.name,
    max_size=3,
)
STEPS = st.lists(
    st.one_of(FILES, st.tuples(st.sampled_from(sorted(COMMANDS)), st.sampled_from("xyz"))), max_size=8
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(first=FILES, steps=STEPS)
def test_whatever_commands_changed_applying_all_anew_would_write_nothing_else(
    store: Store, apply: Callable[..., None], first: list[DigestSettings], steps: list[Any]
) -> None:
    with store.begin_dry_run() as trial:
        file = first
        apply(*file, to=trial)
        for step in steps:
            if isinstance(step, tuple):
                command, name = step
                with trial.begin_planning() as tx:
                    COMMANDS[command](tx, name)
            else:
                file = step
                apply(*file, to=trial)
        apply(*file, to=trial)
        compared = content(trial)
        with trial.begin_write() as tx:
            declared.forget_declarations(tx)

        apply(*file, to=trial)

        assert content(trial) == compared


# --- several transactions -------------------------------------------------------------------------


class StoppedError(Exception):
    """Nothing is done any more from here on."""


@contextmanager
def stopping_before(store: Store, number: int) -> Iterator[list[int]]:
    """Stop before the transaction of that number begins; the first one is 1."""
    begun: list[int] = []

    def count(_connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        if statement.startswith(("BEGIN IMMEDIATE", f"SELECT pg_advisory_xact_lock({0x646967657374})")):
            begun.append(len(begun) + 1)
            if len(begun) == number:
                raise StoppedError

    event.listen(store.engine, "before_cursor_execute", count)
    try:
        yield begun
    finally:
        event.remove(store.engine, "before_cursor_execute", count)


def limit_rows(monkeypatch: pytest.MonkeyPatch, max_rows: int) -> None:
    """Let no transaction write more rows of digests, changed or new."""
    for name in ("_MAX_ROWS", "_MAX_NEW_ROWS"):
        monkeypatch.setattr(declared, name, max_rows)


def test_stopped_between_two_transactions_digests_are_whole_and_the_next_run_goes_on(
    store: Store, apply: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    limit_rows(monkeypatch, 8)  # two digests
    apply(*DECLARED[:2])
    file = [replace(DECLARED[1], follows=DECLARED[2].follows), *DECLARED[2:]]
    states = {**as_written(DECLARED[:2])}, as_written(file)
    lines = []
    transactions: list[int] = []
    for number in range(1, 8):
        with stopping_before(store, number) as begun:
            transactions = begun
            try:
                apply(*file)
            except StoppedError:
                lines.append(len(as_read(store)))
        seen_values = as_read(store)
        assert all(any(entry == state.get(name) for state in states) for name, entry in seen_values.items())
        with store.begin_read() as tx:
            assert len(tx.execute(select(declarations)).all()) == len(seen_values)

    assert as_read(store) == as_written(file)
    assert lines == [2, 2, 1, 3], "one ends first, then one changes, then two are added at a time"
    assert len(transactions) == 1, "nothing is left to be written"


def test_a_file_that_was_applied_in_part_is_the_one_that_counts(
    store: Store, apply: Callable[..., None], tmp_path: Path
) -> None:
    apply(DECLARED[0])
    with stopping_before(store, 2), pytest.raises(StoppedError):
        apply(*DECLARED)
    elsewhere = tmp_path / "other.toml"
    elsewhere.write_text("other", "utf-8")
    other = Settings(path=elsewhere, site=SiteSettings(), store="", output=tmp_path, sources=())

    with pytest.raises(ConfigError, match="set up with another file"):
        applying.apply_config(store, other, SOURCES, NOW, allows_other_file=False)


def test_what_is_begun_after_its_slot_fired_goes_out_at_once_too(
    store: Store, apply: Callable[..., None]
) -> None:
    announce_many(store, 2)
    apply(DECLARED[0])
    fire_slots(store, SOURCES, NOW)  # another process, between two transactions of the first one

    apply(*DECLARED)
    for _ in range(2):
        fire_slots(store, SOURCES, NOW)
        match(store)
        close_runs(store, SOURCES, NOW, wait=False)
        compose_editions(store, LETTERS, 1, NOW)

    with store.begin_read() as tx:
        composed = {name for _, names in runs.list_recent_runs(tx, 9) for name in names.first}
        assert composed >= {"v", "z"}
        rows = tx.execute(select(digests_table.c.slot_id, digests_table.c.next_slot_id)).all()
    assert len(rows) == len(DECLARED)


def test_several_that_apply_one_file_at_once_leave_what_one_would(
    store: Store, apply: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    limit_rows(monkeypatch, 8)

    run_concurrently(*[lambda: apply(*DECLARED)] * 4)

    assert as_read(store) == as_written(DECLARED)
    with store.begin_read() as tx:
        assert len(tx.execute(select(destinations)).all()) == len(DECLARED)


def test_a_file_that_was_replaced_while_it_was_applied_undoes_nothing_of_the_newer_one(
    store: Store, apply: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    newer = [
        make_digest(name, queries=["new"], to=[f"{name}@new.example.org"]) for name in "uv"
    ]  # and w has left
    split = declared.ConfigChanges.split

    def portions(changes: declared.ConfigChanges) -> Iterator[Sequence[DigestSettings]]:
        """After its first portion another process applies the newer file."""
        first, *others = split(changes)
        yield first
        monkeypatch.setattr(declared.ConfigChanges, "split", split)
        apply(*newer)
        yield from others

    limit_rows(monkeypatch, 4)
    monkeypatch.setattr(declared.ConfigChanges, "split", portions)
    with pytest.raises(ConfigError, match="in the meantime; run the command again"):
        apply(*(make_digest(name, queries=["old"], to=[f"{name}@example.org"]) for name in "uvw"))

    assert as_read(store) == as_written(newer)


def test_what_changes_is_written_by_transactions_of_bounded_size() -> None:
    many = [
        make_digest(f"d{number}", queries=[str(number) for number in range(number % 7)])
        for number in range(900)
    ]
    large = make_digest("large", queries=[f"q{number}" for number in range(7_000)])
    digests_of_file = (*many[:400], large, *many[400:])

    for changes, most in (
        (declared.ConfigChanges(new=(), changed=digests_of_file, ended=()), 500),
        (declared.ConfigChanges(new=digests_of_file, changed=(), ended=()), 5_000),
    ):
        portions = list(changes.split())

        assert [digest for portion in portions for digest in portion] == list(digests_of_file)
        sizes = [
            sum(1 + len(digest.destinations) + len(digest.follows) for digest in portion)
            for portion in portions
        ]
        assert all(
            size <= most for size, portion in zip(sizes, portions, strict=True) if large not in portion
        )
        assert [len(portion) for portion in portions if large in portion] == [1]
