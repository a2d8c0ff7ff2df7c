"""A command that is told to stop, at instants that chance finds seldom, as a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from signal import SIGINT, SIGTERM, Signals

import pytest

from tests.support.workspace import Workspace, make_config

ROOT = Path(__file__).parents[3]
TOLD = "Stopped.\n"
SITE = """
import atexit, os, signal, sys
from contextlib import suppress

def stop(kill=os.kill, us=os.getpid(), number={number}):
    kill(us, number)

class AtImport:
    def find_spec(self, name, *_):
        if name == {module!r}:
            sys.meta_path.remove(self)
            self.meanwhile()

    def meanwhile(self):
{meanwhile}

class Streams:
    def __init__(self, stream):
        self.stream = stream

    def write(self, text):
        if "Stopped" in text:
            stop()
        return self.stream.write(text)

    def __getattr__(self, name):
        return getattr(self.stream, name)

class Last:
    def __del__(self, stop=stop):
        stop()

sys.meta_path.insert(0, AtImport())
{then}
"""
"""Python imports this before anything else: it sends signals to its own process at certain instants."""

StoppedCommand = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(params=[SIGINT, SIGTERM], ids=str)
def stopped_command(tmp_path: Path, request: pytest.FixtureRequest) -> StoppedCommand:
    number: Signals = request.param
    workspace = Workspace(tmp_path)
    workspace.write(make_config("http://127.0.0.1:9"))

    def stopped(
        *, module: str = "digest.cli.operations.status", meanwhile: str = "exec('stop()')", then: str = ""
    ) -> subprocess.CompletedProcess[str]:
        """Run ``digest status``.

        Args:
            module: when this is looked for, it is told to stop.
            meanwhile: how that happens.
            then: what is to happen later.
        """
        lines = "".join(f"        {line}\n" for line in meanwhile.splitlines())
        text = SITE.format(number=int(number), module=module, meanwhile=lines, then=then)
        (tmp_path / "sitecustomize.py").write_text(text, encoding="utf-8")
        return subprocess.run(
            [sys.executable, "-m", "digest", "status", "--config", str(tmp_path / "digest.toml")],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )

    return stopped


def test_it_says_so_and_its_status_is_130(stopped_command: StoppedCommand) -> None:
    """Also where the signal comes while a class is made by ``exec``, as dataclasses are."""
    process = stopped_command()

    assert (process.returncode, process.stdout, process.stderr) == (130, "", TOLD)


@pytest.mark.parametrize("module", ["digest.cli", "click", "digest.cli.terminal.stopping"])
def test_in_its_first_moments_it_ends_without_a_word(stopped_command: StoppedCommand, module: str) -> None:
    process = stopped_command(module=module)

    assert process.returncode in {-SIGINT, -SIGTERM}
    assert (process.stdout, process.stderr) == ("", "")


def test_that_a_library_makes_another_error_of_it_is_not_what_it_says(
    stopped_command: StoppedCommand,
) -> None:
    process = stopped_command(
        meanwhile="try:\n    stop()\nexcept BaseException as error:\n    raise ValueError(repr(error)) from None"
    )

    assert (process.returncode, process.stdout, process.stderr) == (130, "", TOLD)


def test_that_a_library_drops_it_while_it_is_imported_does_not_matter(
    stopped_command: StoppedCommand,
) -> None:
    process = stopped_command(module="digest.app", meanwhile="with suppress(BaseException):\n    stop()")

    assert (process.returncode, process.stdout, process.stderr) == (130, "", TOLD)


@pytest.mark.parametrize(
    "then",
    ["sys.stderr = Streams(sys.stderr)", "atexit.register(stop)", "last = Last()"],
    ids=["while it says so", "while it ends", "when Python takes itself down"],
)
def test_once_it_says_so_it_can_be_told_again_and_nothing_changes(
    stopped_command: StoppedCommand, then: str
) -> None:
    process = stopped_command(then=then)

    assert (process.returncode, process.stdout, process.stderr) == (130, "", TOLD)


def test_who_is_done_is_done_although_it_is_told_to_stop_while_it_ends(
    stopped_command: StoppedCommand,
) -> None:
    process = stopped_command(module="", then="atexit.register(stop)\nlast = Last()")

    assert (process.returncode, process.stderr) == (0, "")
    assert process.stdout
