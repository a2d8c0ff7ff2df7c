"""The jobs are tested on the stores that the store is tested on; on PostgreSQL only with the long tests.

What differs between the databases is behind the store, whose own tests run on both. The modules about several workers
that claim from one store (``test_deliver``, ``test_pace``, ``test_match``) run on both, too.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store.conftest import open_url, store

__all__ = ["store"]


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.long)])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database with our tables and nothing in them."""
    yield from open_url(request, tmp_path)
