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
def world(tmp_path: Path) -> Workspace:
    world = Workspace(tmp_path)
    world.write(CONFIG)
    (tmp_path / "refs.bib").write_text(REFS, encoding="utf-8")
    return world


def refs(world: Workspace) -> str:
    return str(world.folder / "refs.bib")


def text(world: Workspace) -> str:
    return (world.folder / "digest.toml").read_text("utf-8")


def test_it_says_what_the_library_holds_and_what_to_write(world: Workspace) -> None:
    told = world.run("import", refs(world)).plain_output

    assert "refs.bib: BibTeX, 3 papers" in told
    assert "2 can be followed: 1 by arXiv id, 1 by DOI" in told
    assert "again is the same as one: A First Paper" in told
    assert "three: Queues of GPU Clusters" in told
    assert "four is broken in line 5: premature end of file." in told
    assert '  library = ["refs.bib"]\n' in told
    assert text(world) == CONFIG


def test_it_tells_the_same_as_json(world: Workspace) -> None:
    document = world.run("import", refs(world), "--json").json

    assert document == {
        "file": refs(world),
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


def test_a_paper_of_the_store_with_the_same_title_is_proposed_and_not_taken(world: Workspace) -> None:
    store = open_store(f"sqlite:///{world.folder}/digest.db", NOW)
    announce(store, make_new_listing(1, title="Queues of GPU clusters"), make_new_listing(2, title="Another"))
    store.close()

    document = world.run("import", refs(world), "--json").json
    told = world.run("import", refs(world)).plain_output

    assert document["without_id"][0]["perhaps"] == ["arxiv:2606.00001"]
    assert "arxiv:2606.00001 has the same title: if it is this paper, add its id" in told
    assert len(document["papers"]) == 2


def test_a_digest_follows_it_from_then_on(world: Workspace) -> None:
    told = world.run("import", refs(world), "--to", "mine", "--yes").plain_output

    assert '+library = ["refs.bib"]' in told
    line = 'keywords = ["x"]  # for now\n'
    assert text(world) == CONFIG.replace(line, f'{line}library = ["refs.bib"]\n')
    settings = read_settings(world.folder / "digest.toml", {})
    assert [one.text for one in settings.digests[0].follows] == ["x", "A First Paper", "A Second Paper"]

    again = world.run("import", refs(world), "--to", "mine", "--yes", "--json").json
    assert again["changed"] is False


def test_the_rights_of_the_file_stay_and_a_link_stays_one(world: Workspace, tmp_path: Path) -> None:
    real = tmp_path / "elsewhere.toml"
    (tmp_path / "digest.toml").rename(real)
    real.chmod(0o600)
    (tmp_path / "digest.toml").symlink_to(real)

    world.run("import", refs(world), "--to", "mine", "--yes")

    assert (tmp_path / "digest.toml").is_symlink()
    assert real.stat().st_mode & 0o777 == 0o600
    assert 'library = ["refs.bib"]' in real.read_text("utf-8")
    assert not list(tmp_path.glob(".*.new"))


def test_without_a_terminal_nothing_is_written_without_yes(world: Workspace) -> None:
    ran = world.run("import", refs(world), "--to", "mine", status=2)

    assert "use --yes" in ran.errors
    assert text(world) == CONFIG


def test_a_library_elsewhere_is_written_with_its_whole_path(
    world: Workspace, tmp_path_factory: pytest.TempPathFactory
) -> None:
    there = tmp_path_factory.mktemp("papers") / "refs.bib"
    there.write_text(REFS, encoding="utf-8")

    world.run("import", str(there), "--to", "mine", "--yes")

    assert f'library = ["{there}"]' in text(world)


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
    world: Workspace, content: str | None, arguments: list[str], told: str
) -> None:
    path = world.folder / "refs.bib"
    path.unlink()
    if content is not None:
        path.write_text(content, encoding="utf-8")

    assert told in world.run("import", str(path), *arguments, status=2).errors
    assert text(world) == CONFIG


def test_a_configuration_that_would_be_wrong_is_not_written(world: Workspace) -> None:
    wrong = CONFIG.replace("daily 7:00", "dayly 7:00")
    world.write(wrong)

    ran = world.run("import", refs(world), "--to", "mine", "--yes", status=2)

    assert "dayly" in ran.errors
    assert text(world) == wrong


def test_a_configuration_with_a_mistake_does_not_keep_a_library_from_being_read(world: Workspace) -> None:
    world.write(CONFIG.replace('keywords = ["x"]', 'library = ["gone.bib"]'))

    ran = world.run("import", refs(world))

    assert "2 can be followed" in ran.plain_output
    assert "titles could not be looked up" in ran.errors


def test_a_library_can_be_looked_at_without_any_configuration(
    world: Workspace, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path_factory.mktemp("empty"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(world.folder / "none"))
    monkeypatch.delenv("DIGEST_CONFIG", raising=False)

    result = CliRunner().invoke(cli, ["import", refs(world)])

    assert result.exit_code == 0
    assert f'library = ["{refs(world)}"]' in result.stdout


def test_a_long_list_is_cut_for_people_and_whole_as_json(world: Workspace) -> None:
    (world.folder / "refs.bib").write_text(
        "".join(f"@misc{{k{n}, title = {{Title {n} of many}}}}\n" for n in range(50)), encoding="utf-8"
    )

    assert "and 30 more; --json lists all" in world.run("import", refs(world)).plain_output
    assert len(world.run("import", refs(world), "--json").json["without_id"]) == 50


@pytest.mark.usefixtures("no_retries")
def test_a_broken_entry_of_a_followed_library_is_told_once_and_by_check_as_often_as_it_is_asked(
    world: Workspace,
) -> None:
    here = 'categories = ["cs.DC"]\nurl = "http://127.0.0.1:9/"\nroutes = ["rss"]\npace = 0'
    followed = CONFIG.replace('keywords = ["x"]', 'library = ["refs.bib"]')
    world.write(followed.replace('categories = ["cs.DC"]', here))
    path = world.folder / "refs.bib"

    told = [world.run(command).errors for command in ("status", "status", "editions")]
    path.write_text(
        REFS.replace("Never closed", "Still never closed").replace("four", "fourth"), encoding="utf-8"
    )
    told += [world.run(command).errors for command in ("editions", "status")]

    assert ["only be read in part" in errors for errors in told] == [True, False, False, True, False]
    assert f"`digest import {path}` lists all 1" in told[0]
    for _ in range(2):
        assert "library refs.bib: ok: BibTeX, 2 papers; 1 without an id, 1 error" in _checked(world)


def _checked(world: Workspace) -> str:
    return CliRunner().invoke(cli, ["check", "--config", str(world.folder / "digest.toml")]).stdout
