"""Every test of the store runs on both databases, against real ones."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from digest.store.dialect import make_engine
from digest.store.engine import Store, open_store, upgrade
from tests.servers import Postgres
from tests.world import empty_database

NOW = datetime(2026, 6, 12, 5, 30, tzinfo=UTC)


@pytest.fixture(scope="session")
def postgres_template(postgres: Postgres) -> str:
    url = postgres.create()
    engine = make_engine(url)
    upgrade(engine)
    engine.dispose()
    return url


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database with our tables and nothing in them."""
    if request.param == "sqlite":
        path = tmp_path / "digest.db"
        path.write_bytes(empty_database())
        yield f"sqlite:///{path}"
        return
    postgres: Postgres = request.getfixturevalue("postgres")
    url = postgres.create(request.getfixturevalue("postgres_template"))
    yield url
    postgres.drop(url)


@pytest.fixture
def store(store_url: str) -> Iterator[Store]:
    store = open_store(store_url, NOW)
    yield store
    store.close()
