"""What a user can rely on of `digest import`."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from digest.cli import cli
from digest.config import read_settings
from digest.store.database.engine import open_store
from tests.store.factories import NOW, announce, make_new_listing
from tests.support.workspace import Workspace

CONFIG = """\
# of mine
[[source]]
use = "arxiv"
categories = ["cs.DC"]

[[digest]]
name = "mine"
feed = true
schedule = "daily 7:00"
keywords = ["x"]  # for now

# --- where things are ---
[store]
url = "sqlite:///digest.db"
"""
REFS = """\
@misc{one, title = {A {First} Paper}, eprint = {2401.00001}}
@misc{two, title = {A Second Paper}, doi = {10.1145/3600006.3613165}}
@misc{again, title = {A First Paper}, url = {https://arxiv.org/abs/2401.00001}}
@misc{three, title = {Queues of {GPU} Clusters}}
@misc{four, title = {Never closed
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    workspace = Workspace(tmp_path)
    workspace.write(CONFIG)
    (tmp_path / "refs.bib").write_text(REFS, encoding="utf-8")
    return workspace


def refs(workspace: Workspace) -> str:
    return str(workspace.folder / "refs.bib")


def text(workspace: Workspace) -> str:
    return (workspace.folder / "digest.toml").read_text("utf-8")


def test_it_says_what_the_library_holds_and_what_to_write(workspace: Workspace) -> None:
    output = workspace.run("import", refs(workspace)).plain_output

    assert "refs.bib: BibTeX, 3 papers" in output
    assert "2 can be followed: 1 by arXiv id, 1 by DOI" in output
    assert "again is the same as one: A First Paper" in output
    assert "three: Queues of GPU Clusters" in output
    assert "four is broken in line 5: premature end of file." in output
    assert '  library = ["refs.bib"]\n' in output
    assert text(workspace) == CONFIG


def test_it_tells_the_same_as_json(workspace: Workspace) -> None:
    document = workspace.run("import", refs(workspace), "--json").json

    assert document == {
        "file": refs(workspace),
        "form": "BibTeX",
        "papers": [
            {"place": "one", "title": "A First Paper", "key": "arxiv:2401.00001"},
            {"place": "two", "title": "A Second Paper", "key": "doi:10.1145/3600006.3613165"},
        ],
        "repeated": [{"place": "again", "same_as": "one"}],
        "without_id": [{"place": "three", "title": "Queues of GPU Clusters", "perhaps": []}],
        "broken": ["four is broken in line 5: premature end of file."],
        "write": 'library = ["refs.bib"]',
        "changed": False,
    }


def test_a_paper_of_the_store_with_the_same_title_is_proposed_and_not_taken(workspace: Workspace) -> None:
    store = open_store(f"sqlite:///{workspace.folder}/digest.db", NOW)
    announce(store, make_new_listing(1, title="Queues of GPU clusters"), make_new_listing(2, title="Another"))
    store.close()

    document = workspace.run("import", refs(workspace), "--json").json
    output = workspace.run("import", refs(workspace)).plain_output

    assert document["without_id"][0]["perhaps"] == ["arxiv:2606.00001"]
    assert "arxiv:2606.00001 has the same title: if it is this paper, add its id" in output
    assert len(document["papers"]) == 2


def test_a_digest_follows_it_from_then_on(workspace: Workspace) -> None:
    output = workspace.run("import", refs(workspace), "--to", "mine", "--yes").plain_output

    assert '+library = ["refs.bib"]' in output
    line = 'keywords = ["x"]  # for now\n'
    assert text(workspace) == CONFIG.replace(line, f'{line}library = ["refs.bib"]\n')
    settings = read_settings(workspace.folder / "digest.toml", {})
    assert [follow.text for follow in settings.digests[0].follows] == ["x", "A First Paper", "A Second Paper"]

    again = workspace.run("import", refs(workspace), "--to", "mine", "--yes", "--json").json
    assert again["changed"] is False


def test_the_rights_of_the_file_stay_and_a_link_stays_one(workspace: Workspace, tmp_path: Path) -> None:
    real = tmp_path / "elsewhere.toml"
    (tmp_path / "digest.toml").rename(real)
    real.chmod(0o600)
    (tmp_path / "digest.toml").symlink_to(real)

    workspace.run("import", refs(workspace), "--to", "mine", "--yes")

    assert (tmp_path / "digest.toml").is_symlink()
    assert real.stat().st_mode & 0o777 == 0o600
    assert 'library = ["refs.bib"]' in real.read_text("utf-8")
    assert not list(tmp_path.glob(".*.new"))


def test_without_a_terminal_nothing_is_written_without_yes(workspace: Workspace) -> None:
    ran = workspace.run("import", refs(workspace), "--to", "mine", status=2)

    assert "use --yes" in ran.errors
    assert text(workspace) == CONFIG


def test_a_library_elsewhere_is_written_with_its_whole_path(
    workspace: Workspace, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("papers") / "refs.bib"
    path.write_text(REFS, encoding="utf-8")

    workspace.run("import", str(path), "--to", "mine", "--yes")

    assert f'library = ["{path}"]' in text(workspace)


@pytest.mark.parametrize(
    ("content", "arguments", "told"),
    [
        (REFS, ["--to", "other", "--yes"], "there is no digest 'other' in the file; digests: mine"),
        ("@misc{a, title={A}}", ["--to", "mine", "--yes"], "no paper in it has an arXiv id"),
        ("<html>", [], "it is XML or a web page"),
        (None, [], "there is no "),
    ],
)
def test_what_cannot_be_done_is_told_and_the_file_stays(
    workspace: Workspace, content: str | None, arguments: list[str], told: str
) -> None:
    path = workspace.folder / "refs.bib"
    path.unlink()
    if content is not None:
        path.write_text(content, encoding="utf-8")

    assert told in workspace.run("import", str(path), *arguments, status=2).errors
    assert text(workspace) == CONFIG


def test_a_configuration_that_would_be_wrong_is_not_written(workspace: Workspace) -> None:
    wrong = CONFIG.replace("daily 7:00", "dayly 7:00")
    workspace.write(wrong)

    ran = workspace.run("import", refs(workspace), "--to", "mine", "--yes", status=2)

    assert "dayly" in ran.errors
    assert text(workspace) == wrong


def test_a_configuration_with_a_mistake_does_not_keep_a_library_from_being_read(workspace: Workspace) -> None:
    workspace.write(CONFIG.replace('keywords = ["x"]', 'library = ["gone.bib"]'))

    ran = workspace.run("import", refs(workspace))

    assert "2 can be followed" in ran.plain_output
    assert "titles could not be looked up" in ran.errors


def test_a_library_can_be_looked_at_without_any_configuration(
    workspace: Workspace, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path_factory.mktemp("empty"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(workspace.folder / "none"))
    monkeypatch.delenv("DIGEST_CONFIG", raising=False)

    result = CliRunner().invoke(cli, ["import", refs(workspace)])

    assert result.exit_code == 0
    assert f'library = ["{refs(workspace)}"]' in result.stdout


def test_a_long_list_is_cut_for_people_and_whole_as_json(workspace: Workspace) -> None:
    (workspace.folder / "refs.bib").write_text(
        "".join(f"@misc{{k{n}, title = {{Title {n} of many}}}}\n" for n in range(50)), encoding="utf-8"
    )

    assert "and 30 more; --json lists all" in workspace.run("import", refs(workspace)).plain_output
    assert len(workspace.run("import", refs(workspace), "--json").json["without_id"]) == 50


@pytest.mark.usefixtures("no_retries")
def test_a_broken_entry_of_a_followed_library_is_told_once_and_by_check_as_often_as_it_is_asked(
    workspace: Workspace,
) -> None:
    here = 'categories = ["cs.DC"]\nurl = "http://127.0.0.1:9/"\nroutes = ["rss"]\npace = 0'
    followed = CONFIG.replace('keywords = ["x"]', 'library = ["refs.bib"]')
    workspace.write(followed.replace('categories = ["cs.DC"]', here))
    path = workspace.folder / "refs.bib"

    lines = [workspace.run(command).errors for command in ("status", "status", "editions")]
    path.write_text(
        REFS.replace("Never closed", "Still never closed").replace("four", "fourth"), encoding="utf-8"
    )
    lines += [workspace.run(command).errors for command in ("editions", "status")]

    assert ["only be read in part" in errors for errors in lines] == [True, False, False, True, False]
    assert f"`digest import {path}` lists all 1" in lines[0]
    for _ in range(2):
        assert "library refs.bib: ok: BibTeX, 2 papers; 1 without an id, 1 error" in _checked(workspace)


def _checked(workspace: Workspace) -> str:
    return CliRunner().invoke(cli, ["check", "--config", str(workspace.folder / "digest.toml")]).stdout
