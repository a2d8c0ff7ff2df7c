"""Which databases a test runs on."""

from __future__ import annotations

import pytest

postgres_if_long = pytest.mark.parametrize(
    "store_url", ["sqlite", pytest.param("postgresql", marks=pytest.mark.long)], indirect=True
)
"""For a test of our own code that takes seconds on each database, whose statements other tests run on both."""
