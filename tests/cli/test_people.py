"""What ``digest people`` says, and what it answers to mistakes."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from click.testing import CliRunner

from digest.cli import cli
from digest.model import Author
from digest.store.database.engine import open_store
from tests.store.factories import harvest, make_paper
from tests.support.workspace import Workspace, make_config

NOW = datetime(2026, 6, 12, 5, 30, tzinfo=UTC)
GPUS = ("Shiru Ren", "Yong Li", "Wei Lin")
ORCID = "0000-0002-1825-0097"


@pytest.fixture
def workspace(tmp_path: object) -> Workspace:
    """Three papers of one Wencong Xiao, and one of another."""
    workspace = Workspace(tmp_path)  # type: ignore[arg-type]
    workspace.write(make_config("http://127.0.0.1:9"))
    at = Author("Wencong Xiao", ("Alibaba Group",))
    signed = [(at, *map(Author, GPUS)), (Author("W. Xiao"), *map(Author, GPUS)), (at, *map(Author, GPUS))]
    store = open_store(f"sqlite:///{workspace.folder / 'digest.db'}", NOW)
    harvest(
        store,
        *(replace(make_paper(number), authors=authors) for number, authors in enumerate(signed, start=1)),
        replace(make_paper(4, categories=("cs.RO",)), authors=(Author("Rui Gong"), Author("Wencong Xiao"))),
    )
    store.close()
    return workspace


def test_persons_are_listed_with_what_tells_them_apart(workspace: Workspace) -> None:
    assert workspace.run("people", "find", "Xiao, Wencong").plain_output == (
        "Wencong Xiao  arxiv:2606.00001#1\n"
        "  papers   3 papers, 2026\n"
        "  in       cs.LG\n"
        "  with     Shiru Ren, Wei Lin, Yong Li\n"
        "  at       Alibaba Group\n"
        "  also as  W. Xiao\n"
        "Wencong Xiao  arxiv:2606.00004#2\n"
        "  papers   1 paper, 2026\n"
        "  in       cs.RO\n"
        "  with     Rui Gong\n"
        "If two of these are one person: digest people merge PERSON PERSON\n"
    )
    cut = workspace.run("people", "find", "Wencong Xiao", "--limit", "1").plain_output
    assert cut.endswith("… and 1 more with fewer papers; use --limit to list them.\n")


def test_a_name_that_nobody_has_is_answered_with_those_like_it(workspace: Workspace) -> None:
    assert workspace.run("people", "find", "Wencog Xaio", status=1).plain_output == (
        "No author called \"Wencog Xaio\" is in the database.\nDid you mean 'Wencong Xiao'?\n"
    )
    nobody = workspace.run("people", "find", "Zzyzx Qwert", status=1).plain_output
    assert nobody == 'No author called "Zzyzx Qwert" is in the database.\n'


def test_a_person_is_shown_with_papers_and_with_who_said_what(workspace: Workspace) -> None:
    workspace.run("people", "merge", "2606.00001#1", "2606.00004#2")
    workspace.run("people", "merge", "2606.00001#1", "2606.00004#2", "--undo")
    workspace.run("people", "confirm", "2606.00002#1", "--orcid", f"https://orcid.org/{ORCID}")

    output = workspace.run("people", "show", "2606.00003#1").plain_output
    text, _, message = output.partition("Statements\n")

    assert text.splitlines()[-5:] == [
        f"  ids      orcid:{ORCID} (stated by operator)",
        "Papers",
        "  arxiv:2606.00001#1  Paper 1 (2026)",
        "  arxiv:2606.00002#1  Paper 2 (2026), as W. Xiao",
        "  arxiv:2606.00003#1  Paper 3 (2026)",
    ]
    first, second = message.splitlines()
    assert "operator: arxiv:2606.00001#1 and arxiv:2606.00004#2 are one person; taken back 20" in first
    assert second.endswith(f"operator: arxiv:2606.00002#1 is orcid:{ORCID}")


def test_what_is_said_is_told_with_who_the_person_is_then(workspace: Workspace) -> None:
    merged = ("people", "merge", "2606.00001#1", "2606.00004#2")
    assert workspace.run(*merged).plain_output.startswith(
        "Noted: 2606.00001#1 and 2606.00004#2 are one person.\n"
        "Wencong Xiao  arxiv:2606.00001#1\n"
        "  papers   4 papers, 2026\n"
    )
    assert workspace.run(*merged).plain_output.startswith("Already stated: 2606.00001#1 and")
    assert workspace.run(*merged, "--undo").plain_output.startswith("Taken back: 2606.00001#1 and")
    assert workspace.run(*merged, "--undo", status=1).plain_output == (
        "There is no statement that 2606.00001#1 and 2606.00004#2 are one person; "
        "`digest people show 2606.00001#1` lists the statements.\n"
    )


def test_what_a_command_takes_back_and_its_undoing_brings_back_is_told(workspace: Workspace) -> None:
    workspace.run("people", "split", "2606.00001#1", "2606.00002")
    merged = ("people", "merge", "2606.00001#1", "2606.00002#1")
    text = "operator: arxiv:2606.00002#1 and arxiv:2606.00001#1 are different persons"

    assert f"Taken back, because it contradicts this: {text}" in workspace.run(*merged).plain_output
    assert f"Restored: {text}" in workspace.run(*merged, "--undo").plain_output


def test_programs_are_told_whether_anything_changed(workspace: Workspace) -> None:
    split = ("people", "split", "2606.00001#1", "2606.00002", "--json")
    first, again = workspace.run(*split).json, workspace.run(*split).json

    assert (first["changed"], again["changed"]) == (True, False)
    assert first["person"] == again["person"]
    assert (first["person"]["person"], first["person"]["papers"]) == ("arxiv:2606.00001#1", 2)
    assert workspace.run(*split, "--undo").json["person"]["papers"] == 3
    assert workspace.run(*split, "--undo", status=1).json["changed"] is False


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "Wencong Xiao"], "a person as PAPER#POSITION, such as 2401.00001#3"),
        (["show", "2606.00004"], "the authors of arxiv:2606.00004 are #1 Rui Gong, #2 Wencong Xiao"),
        (["confirm", "2606.00001#1"], "say what to confirm: an id (--orcid, --openalex, …) for everybody"),
        (["confirm", "2606.00001#1", "--not"], "say what to confirm"),
        (["confirm", "2606.00001#1", "--s2", "1741101", "--not"], "--not records an answer of a reader"),
        (["confirm", "2606.00001#1", "--s2", "1741101", "--digest", "x"], "say what to confirm"),
        (
            ["confirm", "2606.00001#1", "--orcid", "0000-0002-1825-0098"],
            "its last character is a check digit and does not match",
        ),
        (
            ["confirm", "2606.00001#1", "--dblp", "Wang"],
            "'Wang' is not a valid DBLP pid; write it as 65/9612",
        ),
        (["confirm", "2606.00001#1", "--digest", "x"], "there is no digest 'x'"),
        (["split", "2606.00001#1"], "Missing argument 'PAPER...'"),
        (["split", "2606.00001#1", "2606.00004"], "2606.00004 is not a paper of 2606.00001#1"),
        (["merge", "2606.00001#1", "2606.00001#1"], "are the same byline"),
    ],
)
def test_a_mistake_is_told_with_what_to_write(
    workspace: Workspace, arguments: list[str], message: str
) -> None:
    assert message in workspace.run("people", *arguments, status=2).errors


def test_the_help_shows_how_each_command_is_used() -> None:
    output = CliRunner().invoke(cli, ["people", "--help"]).output
    for command in ("find", "show", "merge", "split", "confirm"):
        assert f"digest people {command} " in output
