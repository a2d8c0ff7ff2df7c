"""Who watches sees how far a command is; pipes get lines only."""

from __future__ import annotations

import re
import shutil
from datetime import UTC, date, datetime
from pathlib import Path

import click
import pytest

from digest.demo.publisher import Publisher, load_shipped_papers
from tests.support.processes import start_command, start_on_terminal
from tests.support.workspace import Workspace, make_config

FRIDAY = date(2026, 5, 8)
EVENING = datetime(2026, 5, 8, 18, tzinfo=UTC)
MATCHED = re.compile(r"Checked (\d+) papers against \d+ queries: \d+ matches")


@pytest.fixture(scope="module")
def pulled_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What somebody has who pulled, and matched nothing yet."""
    workspace = Workspace(tmp_path_factory.mktemp("pulled"))
    with Publisher(load_shipped_papers(), day=FRIDAY) as publisher:
        workspace.write(make_config(publisher.url))
        workspace.run("pull", now=EVENING)
    return workspace.folder


@pytest.fixture
def workspace(pulled_folder: Path, tmp_path: Path) -> Workspace:
    return Workspace(shutil.copytree(pulled_folder, tmp_path / "world"))


def test_on_a_terminal_a_bar_tells_how_far_the_matching_is_and_goes_away(workspace: Workspace) -> None:
    with start_on_terminal(workspace, "match", now=EVENING, columns=80) as (process, terminal):
        text = terminal.read_all()

    assert process.wait() == 0
    match = MATCHED.search(text)
    assert match is not None
    assert re.search(rf"Matching papers ━+ {match[1]}/{match[1]} ", click.unstyle(text[: match.start()]))
    assert text.rindex("\x1b[2K") > text.rindex("━")  # its line is wiped in the end


def test_in_a_pipe_matching_prints_its_line_and_no_bar(workspace: Workspace) -> None:
    with start_command(workspace, "match", now=EVENING) as process:
        printed, _ = process.communicate()

    assert process.returncode == 0
    assert MATCHED.fullmatch(printed.strip())


def test_a_document_has_no_bar_around_it_on_a_terminal_either(workspace: Workspace) -> None:
    with start_on_terminal(workspace, "match", "--json", now=EVENING) as (process, terminal):
        text = terminal.read_all()

    assert process.wait() == 0
    assert text.startswith("{")
    assert text.endswith("}\n")
    assert "\x1b" not in text


def test_a_bar_tells_how_much_of_a_large_configuration_is_applied(workspace: Workspace) -> None:
    """Three digests, two of which are too large for one transaction."""
    (workspace.folder / "refs.txt").write_text(
        "".join(f"2601.{number:05}\n" for number in range(1, 4_000)), "utf-8"
    )
    table = '\n[[digest]]\nname = "{0}"\nto = ["files:{0}"]\nschedule = "weekdays 07:30"\ntimezone = "UTC"\n'
    digests = [table.format(name) + 'library = ["refs.txt"]\n' for name in ("first", "second")]
    workspace.write((workspace.folder / "digest.toml").read_text("utf-8") + "".join(digests))

    with start_on_terminal(workspace, "run", now=EVENING, columns=80) as (process, terminal):
        text = click.unstyle(terminal.read_all())

    assert process.wait() == 0
    assert re.search(r"Applying the configuration .*3/3 ", text)

    with start_on_terminal(workspace, "run", now=EVENING, columns=80) as (process, terminal):
        assert "Applying" not in terminal.read_all()
