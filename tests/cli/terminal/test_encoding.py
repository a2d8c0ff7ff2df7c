"""Terminals that are not UTF-8."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from digest.demo.publisher import AnnouncedPaper, Publisher
from tests.support.workspace import Workspace, make_config

ROOT = Path(__file__).parents[3]
TITLE = "LLM serving → faster: Łukasz’ “naïve” λ-calculus 𝔸"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A store with a paper whose title no old encoding has."""
    from datetime import UTC, date, datetime

    day = date(2026, 5, 6)
    paper = AnnouncedPaper(
        id="2605.00001", title=TITLE, day=day, authors=("Paweł Ďurčanský",), categories=("cs.DC",)
    )
    workspace = Workspace(tmp_path_factory.mktemp("encoding"))
    with Publisher([paper], day=day, sections=("cs.LG", "cs.CL")) as publisher:
        workspace.write(make_config(publisher.url))
        workspace.run("run", now=datetime(2026, 5, 6, 6, tzinfo=UTC))
    return workspace


def printed(workspace: Workspace, encoding: str, *words: str) -> str:
    """What a command prints, with what it complains of."""
    process = subprocess.run(
        [sys.executable, "-m", "digest", *words, "--config", str(workspace.folder / "digest.toml")],
        cwd=ROOT,
        env=os.environ | {"PYTHONIOENCODING": encoding},
        capture_output=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    return (process.stdout + process.stderr).decode(encoding)


@pytest.mark.parametrize("encoding", ["iso-8859-1", "cp1252"])
def test_what_it_does_not_have_is_written_in_letters_that_it_has(workspace: Workspace, encoding: str) -> None:
    text = printed(workspace, encoding, "why", "systems", "2605.00001")

    assert "LLM serving -> faster: Lukasz" in text
    assert "naïve" in text


def test_json_keeps_every_letter(workspace: Workspace) -> None:
    document = printed(workspace, "cp1252", "papers", "show", "2605.00001", "--json")

    assert TITLE in json.dumps(json.loads(document), ensure_ascii=False)
