"""A command for which there is not enough memory says so in one sentence."""

from __future__ import annotations

import errno
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import digest.app
from tests.support.timeouts import PATIENCE
from tests.support.workspace import Workspace, make_config

SENTENCE = "Error: there is not enough memory. Nothing is lost: stop other programs or allow digest more"
LIMITED = """
import resource
from pathlib import Path
from digest import cli

used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, [used + 4_000_000] * 2)
cli.main()
"""


def allocate() -> None:
    bytes(1 << 60)


def load() -> None:
    raise ImportError("x.so: failed to map segment from shared object")


def fork() -> None:
    raise OSError(errno.ENOMEM, "Cannot allocate memory")


def begin_thread() -> None:
    try:
        raise RuntimeError("can't start new thread")
    finally:
        raise RuntimeError("cannot join thread before it is started")


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    workspace = Workspace(tmp_path)
    workspace.write(make_config("http://127.0.0.1:9"))
    return workspace


@pytest.mark.parametrize("fail", [allocate, load, fork, begin_thread])
@pytest.mark.parametrize(
    "command", [["run"], ["status"], ["why", "systems", "2605.06472"], ["db", "backup"], ["serve"]]
)
def test_a_command_without_enough_memory_says_what_to_do_and_nothing_else(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, command: list[str], fail: Callable[[], None]
) -> None:
    monkeypatch.setattr(digest.app, "open_app", lambda *_: fail())

    ran = workspace.run(*command, status=1)

    assert ran.errors.startswith(SENTENCE)
    assert ran.output.count("\n") == 1


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the limit does not hold")
def test_a_process_that_the_system_gives_no_memory_shows_no_traceback(tmp_path: Path) -> None:
    process = subprocess.run(
        [sys.executable, "-c", LIMITED, "demo"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )

    assert process.returncode == 1
    assert process.stderr.startswith(SENTENCE)
    assert process.stderr.count("\n") == 1
