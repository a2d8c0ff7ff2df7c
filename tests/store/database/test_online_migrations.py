"""Upgrades of a PostgreSQL on which others work."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from digest.store.database import migrations
from digest.store.database.dialect import make_engine
from digest.store.database.engine import LATEST_MIGRATION, Store, migrate_to, read_version, upgrade
from tests.store.factories import find_schema_differences
from tests.support.postgres import Postgres

VERSIONS = Path(migrations.__file__).parent / "versions"
BEFORE = "0036"


@pytest.fixture
def old_store(postgres: Postgres) -> Iterator[Store]:
    """A database of the last release."""
    url = postgres.create()
    engine = make_engine(url)
    migrate_to(engine, BEFORE)
    yield Store(engine)
    engine.dispose()
    postgres.drop(url)


def list_differences(store: Store) -> list[object]:
    with store.begin_read() as tx:
        return find_schema_differences(tx)


def test_an_upgrade_that_was_stopped_between_two_migrations_goes_on(old_store: Store) -> None:
    migrate_to(old_store.engine, "0039")
    assert read_version(old_store.engine) == "0039"

    upgrade(old_store.engine)

    assert read_version(old_store.engine) == LATEST_MIGRATION
    assert list_differences(old_store) == []


def test_an_index_whose_creation_was_stopped_is_created_again(old_store: Store) -> None:
    with old_store.begin_write() as tx:
        tx.execute(text("CREATE INDEX ix_digests_standing ON digests (id)"))
        tx.execute(
            text("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'ix_digests_standing'::regclass")
        )

    upgrade(old_store.engine)

    assert list_differences(old_store) == []


def test_others_read_and_write_while_an_upgrade_waits_for_a_table(
    old_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrations, "_LOCK_SECONDS", 1)
    monkeypatch.setattr(migrations, "_PAUSE_SECONDS", 0.2)
    thread = threading.Thread(target=upgrade, args=(old_store.engine,))
    with old_store.begin_read() as reader:
        reader.execute(text("SELECT count(*) FROM deliveries"))  # no migration may change the table meanwhile
        thread.start()
        for _ in range(4):
            with old_store.begin_write() as tx:
                tx.execute(text("SET LOCAL statement_timeout = '60s'"))
                tx.execute(text("UPDATE deliveries SET attempts = 0"))
        assert read_version(old_store.engine) != LATEST_MIGRATION
    thread.join()

    assert read_version(old_store.engine) == LATEST_MIGRATION


def test_an_upgrade_that_is_there_already_changes_nothing(old_store: Store) -> None:
    upgrade(old_store.engine)
    upgrade(old_store.engine)

    assert list_differences(old_store) == []


@pytest.mark.parametrize("script", sorted(VERSIONS.glob("0*.py")), ids=lambda script: script.stem)
def test_a_migration_that_creates_indexes_beside_others_holds_no_lock_meanwhile(script: Path) -> None:
    """Whoever waits for that lock may be the one for whom the new index waits, and PostgreSQL would not see it."""
    text = script.read_text("utf-8")

    assert "migrations.online" not in text or "from alembic import op" not in text
