"""What is taken out of a store, and what becomes of it in another one."""

from __future__ import annotations

import hashlib
import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import func, inspect, select, update

from digest.config import Settings, SiteSettings, read_settings
from digest.errors import StoreError
from digest.jobs.backups import snapshot
from digest.jobs.backups.snapshot_privacy import Pseudonymizer, make_pseudonymizer
from digest.model import Subject, SubjectKind
from digest.store import enrichments
from digest.store.backups import snapshot as rows
from digest.store.database.dialect import make_engine
from digest.store.database.engine import Store, migrate_to, open_store
from digest.store.database.tables import digests as digest_tables
from digest.store.database.tables import papers as paper_tables
from digest.store.database.tables.column_types import metadata
from digest.store.editions import sent_events
from tests.store.factories import (
    DAY,
    NOW,
    add_to_now,
    announce,
    declare,
    make_digest,
    make_due_edition,
    make_new_listing,
)

NOBODY = Settings(path=Path("digest.toml"), site=SiteSettings(), store="", output=Path("out"), sources=())
KEY = b"5b1ad0f5f2c34d0e9d1b7c0d2e8a4f61"
CONFIG = """
[[source]]
use = "arxiv"
categories = ["cs.LG"]

[smtp]
host = "localhost"
security = "none"
from = "digest@example.org"

[[digest]]
name = "systems"
to = ["me@example.org"]
schedule = "daily 7:00"
keywords = ["kv cache"]
"""


@pytest.fixture
def pseudonymizer(tmp_path: Path) -> Pseudonymizer:
    (tmp_path / "digest.toml").write_text(CONFIG, encoding="utf-8")
    return make_pseudonymizer(read_settings(tmp_path / "digest.toml", {}), (KEY,), {})


def counted(store: Store) -> dict[str, int]:
    with store.begin_read() as tx:
        return {
            name: tx.execute(select(func.count()).select_from(table)).scalar_one()
            for name, table in metadata.tables.items()
        }


def taken(store: Store, folder: Path, veil: Pseudonymizer, **much: float) -> Store:
    """Another store, made of the state of one."""
    snapshot.write_snapshot(store, folder / "state", veil, add_to_now(**much), is_sending=False)
    found_snapshot = snapshot.read_snapshot(folder / "state")
    assert found_snapshot is not None
    url = f"sqlite:///{folder / 'other.db'}"
    snapshot.load_snapshot(url, found_snapshot, veil, "example.org")
    return open_store(url, NOW)


def test_of_each_table_it_is_decided_whether_it_is_taken_along() -> None:
    assert set(rows._ROW_FILTERS) | rows.EXCLUDED_TABLES == set(metadata.tables)
    assert not rows.EXCLUDED_TABLES & set(rows._ROW_FILTERS)


def test_what_a_digest_has_told_stays_told(
    store: Store, tmp_path: Path, pseudonymizer: Pseudonymizer
) -> None:
    announce(store, *(make_new_listing(number) for number in range(1, 6)))
    make_due_edition(store, 1, to=["me@example.org"])
    before = counted(store)

    other = taken(store, tmp_path, pseudonymizer)

    after = counted(other)
    with other.begin_read() as tx:
        sent = sent_events.load_sent(tx, [1], add_to_now(days=-90))
    with store.begin_read() as tx:
        assert sent == sent_events.load_sent(tx, [1], add_to_now(days=-90))
    other.close()
    left = (
        "notes",
        "declarations",
        "indexed_papers",
        "indexed_texts",
        "term_forms",
        "term_counts",
        "term_vectors",
    )
    anew = {name: after[name] for name in left}
    assert before | anew == after
    assert after["editions"] == after["deliveries"] == 1


def test_papers_that_nobody_was_told_of_are_forgotten_after_thirty_days(
    store: Store, tmp_path: Path, pseudonymizer: Pseudonymizer
) -> None:
    declare(store, make_digest(to=["me@example.org"]), first_seq=1)
    announce(store, make_new_listing(1), day=DAY - timedelta(days=40))
    announce(store, make_new_listing(2), day=DAY)
    with store.begin_write() as tx:
        tx.execute(update(digest_tables.digests).values(from_seq=2))

    other = taken(store, tmp_path, pseudonymizer)

    with other.begin_read() as tx:
        keys = list(tx.execute(select(paper_tables.papers.c.key)).scalars())
        seqs = list(tx.execute(select(paper_tables.events.c.seq)).scalars())
    other.close()
    assert keys == ["arxiv:2606.00002"]
    assert seqs == [2]


def test_papers_that_are_forgotten_are_asked_for_anew(
    store: Store, tmp_path: Path, pseudonymizer: Pseudonymizer
) -> None:
    declare(store, make_digest(to=["me@example.org"]))
    announce(store, make_new_listing(2), day=DAY)
    subjects = [
        Subject(kind=kind, key=key, ids=())
        for kind, key in (
            (SubjectKind.PAPER, "arxiv:2401.00001"),  # a follow names it, and nobody announced it
            (SubjectKind.PAPER, "arxiv:2606.00002"),
            (SubjectKind.PERSON, "orcid:0000-0002-1825-0097"),
        )
    ]
    with store.begin_write() as tx:
        again = {subject.key: add_to_now(days=7) for subject in subjects}
        enrichments.record_requests(tx, "openalex", subjects, known_keys=(), next_at=again, now=NOW)

    other = taken(store, tmp_path, pseudonymizer)

    with other.begin_read() as tx:
        due_again = enrichments.list_due(tx, "openalex", subjects, NOW)
    other.close()
    assert due_again == subjects[:1]


def test_what_a_paused_digest_is_still_to_be_told_is_kept_for_ninety_days(
    store: Store, tmp_path: Path, pseudonymizer: Pseudonymizer
) -> None:
    declare(store, make_digest(to=["me@example.org"]))
    announce(store, make_new_listing(1), day=DAY - timedelta(days=100))
    announce(store, make_new_listing(2), day=DAY - timedelta(days=80))

    other = taken(store, tmp_path, pseudonymizer)

    with other.begin_read() as tx:
        keys = list(tx.execute(select(paper_tables.papers.c.key)).scalars())
    other.close()
    assert keys == ["arxiv:2606.00002"]


def test_what_a_process_had_leased_is_free_for_the_next_one(
    store: Store, tmp_path: Path, pseudonymizer: Pseudonymizer
) -> None:
    make_due_edition(store, 1, to=["me@example.org"])
    leased = {"state": "leased", "lease_until": add_to_now(minutes=10), "lease_token": 7}
    with store.begin_write() as tx:
        tx.execute(update(digest_tables.deliveries).values(leased))

    other = taken(store, tmp_path, pseudonymizer)

    with other.begin_read() as tx:
        (row,) = tx.execute(select(digest_tables.deliveries)).all()
    other.close()
    assert (row.state, row.lease_until, row.lease_token) == ("ready", None, 0)


def test_a_state_of_an_older_release_is_upgraded(
    store: Store, tmp_path: Path, pseudonymizer: Pseudonymizer
) -> None:
    """As that release would have written it: without the tables and columns that came since."""
    make_due_edition(store, 1, to=["me@example.org"])
    snapshot.write_snapshot(store, tmp_path / "state", pseudonymizer, NOW, is_sending=False)
    engine = make_engine(f"sqlite:///{tmp_path / 'older.db'}")
    migrate_to(engine, "0007")
    inspector = inspect(engine)
    known_values = {
        name: {column["name"] for column in inspector.get_columns(name)}
        for name in inspector.get_table_names()
    }
    engine.dispose()
    older(tmp_path / "state", known_values, "0007")

    found_snapshot = snapshot.read_snapshot(tmp_path / "state")
    assert found_snapshot is not None
    url = f"sqlite:///{tmp_path / 'other.db'}"
    snapshot.load_snapshot(url, found_snapshot, pseudonymizer, "example.org")
    other = open_store(url, NOW)
    with other.begin_read() as tx:
        (row,) = tx.execute(select(digest_tables.digests)).all()
        (way,) = tx.execute(select(digest_tables.destinations)).all()
    other.close()
    assert (row.name, row.timezone, row.limit) == ("systems", "Europe/Berlin", 25)
    assert (row.language, way.address) == ("en", "me@example.org")


LATER_COUNTERS = {"content"}
"""Counters that came since, of which the migrations make the first value."""
OLD_COLUMNS = {"timezone": "zone", "limit": "most_items", "alerts_a_day": "most_alerts"}
"""The names that columns of `digests` had before migration 0022."""


def older(folder: Path, known_values: dict[str, set[str]], version: str) -> None:
    index = json.loads((folder / "state.json").read_text("utf-8"))
    files = {}
    for path in index["files"]:
        name = path.partition("/")[0].removesuffix(".jsonl")
        if name not in known_values:
            (folder / path).unlink()
            continue
        columns, *results = [json.loads(line) for line in (folder / path).read_text("utf-8").splitlines()]
        if name == "counters":
            results = [row for row in results if row[0] not in LATER_COUNTERS]
        if name == "digests":
            columns = [OLD_COLUMNS.get(column, column) for column in columns]
        places = [place for place, column in enumerate(columns) if column in known_values[name]]
        lines = [json.dumps([row[place] for place in places]) for row in (columns, *results)]
        (folder / path).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        files[path] = hashlib.sha256((folder / path).read_bytes()).hexdigest()
    index |= {"tables": version, "files": files}
    (folder / "state.json").write_text(json.dumps(index), encoding="utf-8")


def test_a_state_makes_no_store_by_half(store: Store, tmp_path: Path, pseudonymizer: Pseudonymizer) -> None:
    make_due_edition(store, 1, to=["me@example.org"])
    snapshot.write_snapshot(store, tmp_path / "state", pseudonymizer, NOW, is_sending=False)
    found_snapshot = snapshot.read_snapshot(tmp_path / "state")
    assert found_snapshot is not None
    (tmp_path / "state" / "deliveries.jsonl").write_text("[]\n")  # after it was read

    with pytest.raises(StoreError, match=r"deliveries.jsonl was changed after it was written"):
        snapshot.load_snapshot(
            f"sqlite:///{tmp_path / 'other.db'}", found_snapshot, pseudonymizer, "example.org"
        )

    assert not list(tmp_path.glob("*other.db*"))


_SECRET = "me@example.org"


@given(
    text=st.lists(st.sampled_from([_SECRET, _SECRET.upper(), "<", " ", "x", "@", "5.1.1", "é"])).map("".join),
    value=st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.just(f"to {_SECRET}"),
        lambda search_strategy: (
            st.lists(search_strategy, max_size=3)
            | st.dictionaries(st.text(max_size=3), search_strategy, max_size=3)
        ),
        max_leaves=6,
    ),
)
def test_no_text_in_a_row_names_an_address(text: str, value: Any) -> None:
    hiding = Pseudonymizer(keys=(KEY,), settings=NOBODY, secrets=frozenset()).make_for_store([_SECRET])

    fields = hiding.hide_row("papers", {"key": text, "lists": value})

    assert fields is not None
    assert _SECRET not in json.dumps(fields, ensure_ascii=False).lower()
    if _SECRET not in json.dumps([text, value], ensure_ascii=False).lower():
        assert fields == {"key": text, "lists": value}


def test_a_state_is_never_written_through_a_link(
    store: Store, pseudonymizer: Pseudonymizer, tmp_path: Path
) -> None:
    announce(store, make_new_listing(1))
    folder, precious = tmp_path / "state", tmp_path / "precious.txt"
    snapshot.write_snapshot(store, folder, pseudonymizer, NOW, is_sending=False)
    listed = json.loads((folder / "state.json").read_bytes())["files"]
    expected = {path: (folder / path).read_bytes() for path in listed}
    precious.write_text("mine", encoding="utf-8")
    for path in listed:
        (folder / path).unlink()
        (folder / path).symlink_to(precious)
    (folder / ".papers.jsonl.part").symlink_to(precious)
    snapshot.write_snapshot(store, folder, pseudonymizer, NOW, is_sending=False)

    assert precious.read_text("utf-8") == "mine"
    assert {path: (folder / path).read_bytes() for path in listed} == expected
    assert not any(path.is_symlink() for path in folder.rglob("*.jsonl"))


def test_a_folder_of_a_state_that_is_a_link_is_refused(
    store: Store, pseudonymizer: Pseudonymizer, tmp_path: Path
) -> None:
    announce(store, make_new_listing(1))
    folder, other = tmp_path / "state", tmp_path / "other"
    snapshot.write_snapshot(store, folder, pseudonymizer, NOW, is_sending=False)
    (folder / "statements").rename(other)
    (folder / "statements").symlink_to(other, target_is_directory=True)
    before = {path: path.read_bytes() for path in other.iterdir()}
    announce(store, make_new_listing(2))

    with pytest.raises(StoreError, match="is a link"):
        snapshot.write_snapshot(store, folder, pseudonymizer, add_to_now(hours=1), is_sending=False)
    assert {path: path.read_bytes() for path in other.iterdir()} == before
