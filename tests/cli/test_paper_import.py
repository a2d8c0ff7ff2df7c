"""What a user can rely on of `digest import --papers`."""

from __future__ import annotations

import json
import signal
from datetime import UTC, date, datetime
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from digest.cli import cli
from tests.generators.metadata_snapshot import make_lines, make_record, make_records, write_snapshot
from tests.support.processes import start_command
from tests.support.timeouts import PATIENCE
from tests.support.workspace import Workspace

CONFIG = """
    [store]
    url = "sqlite:///digest.db"

    [[source]]
    use = "arxiv"
    categories = ["cs.LG"]
"""
YEAR = datetime.now(UTC).year


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    workspace = Workspace(tmp_path)
    workspace.write(CONFIG)
    return workspace


@pytest.fixture
def file(tmp_path: Path) -> Path:
    records = [
        make_record("2401.00001", title="A", categories=["cs.LG"], submitted=date(2024, 1, 5)),
        make_record("1901.00001", title="B", categories=["math.IT"], submitted=date(2019, 1, 5)),
        make_record("1901.00002", title="C", categories=["math.PR"], submitted=date(2019, 1, 6)),
    ]
    lines = [*map(json.dumps, records), '{"id": "1901.00003", "categories": "cs.LG"}', json.dumps(records[0])]
    return write_snapshot(tmp_path / "arxiv.json", lines)


def test_it_says_what_came_and_what_could_not_be_read(workspace: Workspace, file: Path) -> None:
    output = workspace.run("import", "--papers", str(file)).plain_output

    assert output.startswith("arxiv.json: 4 papers, from 2019-01-05 to 2024-01-06; imported ")
    assert "3 new; 0 known, now with more; 1 known as they are" in output
    assert "1 record could not be read:\n    1901.00003: no title\n" in output
    assert "No digest reports these papers." in output


def test_it_says_of_a_file_that_was_imported_that_nothing_changed(workspace: Workspace, file: Path) -> None:
    workspace.run("import", "--papers", str(file))

    output = workspace.run("import", "--papers", str(file)).plain_output

    assert "The whole file was imported before; nothing changed." in output
    assert "new;" not in output


def test_json_has_all_numbers(workspace: Workspace, file: Path) -> None:
    arguments = (
        "import",
        "--papers",
        str(file),
        "--categories",
        "cs, stat.ML",
        "--since",
        "2020-01-01",
        "--json",
    )
    first, second = (workspace.run(*arguments).json for _ in range(2))

    assert {name: first[name] for name in ("file", "categories", "since", "changed")} == {
        "file": "arxiv.json",
        "categories": ["cs", "stat.ML"],
        "since": "2020-01-01",
        "changed": True,
    }
    numbers = {name: first[name] for name in ("papers", "added", "grown", "known", "unselected", "broken")}
    assert numbers == {"papers": 2, "added": 1, "grown": 0, "known": 1, "unselected": 2, "broken": 1}
    assert first["broken_records"] == ["1901.00003: no title"]
    assert (first["first_day"], first["last_day"]) == ("2024-01-05", "2024-01-06")
    assert first["finished_at"].startswith(f"{YEAR}")
    assert second == first | {"changed": False}


def test_status_tells_which_papers_of_earlier_years_there_are(workspace: Workspace, file: Path) -> None:
    assert "Imported papers" not in workspace.run("status").plain_output
    workspace.run("import", "--papers", str(file), "--categories", "math")

    assert "Imported papers\n  arxiv.json (math): 2 papers, from 2019-01-05 to 2019-01-07; imported" in (
        workspace.run("status").plain_output
    )
    assert [
        (entry["papers"], entry["categories"]) for entry in workspace.run("status", "--json").json["imports"]
    ] == [(2, ["math"])]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--papers", "--to", "mine"), "--papers cannot be combined with --to."),
        (("--papers", "--state"), "--state cannot be combined with --papers."),
        (("--since", "2020-01-01"), "--categories and --since need --papers."),
        (("--papers", "--categories", "cs.ML"), "arXiv has no category 'cs.ML'; did you mean stat.ML?"),
        (("--papers", "--since", "2020"), "'2020' does not match the format '%Y-%m-%d'."),
    ],
)
def test_what_cannot_be_is_said(
    workspace: Workspace, file: Path, arguments: tuple[str, ...], expected: str
) -> None:
    assert expected in workspace.run("import", str(file), *arguments, status=2).output


def test_another_file_is_refused(workspace: Workspace) -> None:
    config = workspace.folder / "digest.toml"

    output = workspace.run("import", "--papers", str(config), status=2).output

    assert "is not arXiv's metadata snapshot, which has one paper in each line" in output


def test_it_needs_a_configuration(tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "none"))

    result = CliRunner().invoke(cli, ["import", "--papers", str(file)], prog_name="digest")

    assert result.exit_code == 2


def test_ctrl_c_keeps_what_came_and_the_same_command_goes_on(workspace: Workspace) -> None:
    records = list(make_records(Random(3), 6_000))
    path = write_snapshot(workspace.folder / "many.json", make_lines(records, Random(3), broken=0))
    with start_command(workspace, "import", "--papers", str(path)) as process:
        while not any(entry["papers"] for entry in workspace.run("status", "--json").json["imports"]):
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=PATIENCE)

    assert process.returncode == 130, output
    assert "papers are imported. The same command continues after them.\nStopped." in output
    (stopped,) = workspace.run("status", "--json").json["imports"]
    assert 0 < stopped["papers"] < len(records)
    assert (
        f"not finished: `digest import --papers {path.name}` continues"
        in workspace.run("status").plain_output
    )
    done = workspace.run("import", "--papers", str(path), "--json").json
    assert done["papers"] == len(records)
    assert done["started_at"] == stopped["started_at"]
