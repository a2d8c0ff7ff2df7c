"""Earlier releases from this repository's history, to be run beside the present code."""

from __future__ import annotations

import io
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LAST_RELEASE = "7fee785818a22dcdd797c5649dee04bb3ed5d18f"
"""Release whose processes must go on beside those of this one.

There is no tag yet, so it is the last commit of ``main`` with the tables of migration 0043. Raise it with each release.
"""
RELEASE_WITHOUT_WORKERS = "173348ca4378ed4b58a0b024a7f369df90a91048"
"""Last commit of ``main`` before there were workers (migration 0036): the oldest release that can be upgraded from while it works."""


def extract_release(commit: str, folder: Path) -> Path:
    """Write the code of a release into a folder, or skip the test where the history does not have it.

    Args:
        commit: its commit.
        folder: the folder; it is the root from which commands of the release are started.
    """
    git = shutil.which("git")
    if git is None:
        pytest.skip("there is no git, by which the code of the last release is taken from the history")
    archive = subprocess.run(
        [git, "-C", str(ROOT), "archive", "--format=tar", commit, "digest", "templates"],
        capture_output=True,
        check=False,
    )
    if archive.returncode:
        pytest.skip(
            f"the history does not have the last release, {commit}: a shallow clone, or no clone at all"
        )
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as tar:
        tar.extractall(folder, filter="data")
    return folder
