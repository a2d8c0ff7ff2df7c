"""What many tests need: the real data, when it is there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of recorded listings beside the checkout; see its README."""
    folder = Path(os.environ.get("DIGEST_TEST_DATA") or Path(__file__).parents[2] / "shared" / "data")
    if not folder.is_dir():
        message = f"the recorded listings are not here ({folder.name}/ beside the checkout, or DIGEST_TEST_DATA)"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return folder
