"""Programs that pip cannot bring."""

from __future__ import annotations

import shutil
from pathlib import Path


def require_program(program: str) -> str:
    """The path of a program; without it the test fails, for ``.ci/run`` installs it."""
    path = shutil.which(program)
    assert path, f"{program} is not installed; .ci/run says how"
    return path


def require_file(path: str) -> Path:
    """A file of a package of npm's; all of these lie side by side."""
    packages = Path(require_program("mailauth")).resolve().parents[2]
    assert (packages / path).is_file(), f"{path} is not below {packages}; .ci/run says how"
    return packages / path
