"""Every test of the store runs on both databases, against real ones."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from digest.store.database.engine import Store, open_store
from tests.support.workspace import make_empty_database

NOW = datetime(2026, 6, 12, 5, 30, tzinfo=UTC)


def open_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Give a database of the kind that a fixture's parameter names, with our tables and nothing in them."""
    if request.param == "sqlite":
        path = tmp_path / "digest.db"
        path.write_bytes(make_empty_database())
        yield f"sqlite:///{path}"
        return
    yield request.getfixturevalue("postgres_url")


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database with our tables and nothing in them."""
    yield from open_url(request, tmp_path)


@pytest.fixture
def store(store_url: str) -> Iterator[Store]:
    store = open_store(store_url, NOW)
    yield store
    store.close()
