"""Programs that pip cannot bring."""

from __future__ import annotations

import shutil


def demand(program: str) -> str:
    """The path of a program; without it the test fails, for ``.ci/run`` installs it."""
    path = shutil.which(program)
    assert path, f"{program} is not installed; .ci/run says how"
    return path
