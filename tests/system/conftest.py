"""What the tests with real programs share."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import trustme

from tests.system.programs.chromium import Chromium
from tests.system.programs.postfix import Postfix

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def postfix(authority: trustme.CA) -> Iterator[Postfix]:
    """A Postfix that demands STARTTLS."""
    folder = Path(tempfile.mkdtemp(prefix="digest-postfix-"))
    folder.chmod(0o755)
    with Postfix(folder, authority, tls="encrypt") as server:
        yield server
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    """A browser; whoever opens a page in it starts anew."""
    with Chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def demo_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that ``digest demo`` filled."""
    folder = tmp_path_factory.mktemp("demo") / "shown"
    subprocess.run([sys.executable, "-m", "digest", "demo", folder], cwd=ROOT, check=True)
    return folder
