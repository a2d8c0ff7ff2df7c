"""The command line where nothing, or something misspelt, is asked for."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from digest.cli import cli
from digest.store.workers.hints import Queue
from tests.support.cases import for_each_case
from tests.support.workspace import Workspace, make_config

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("words", [[], ["db"], ["papers"]])
def test_without_a_command_it_helps_and_that_is_no_mistake(words: list[str]) -> None:
    result = CliRunner().invoke(cli, words, prog_name="digest")

    assert result.exit_code == 0
    assert result.stdout.startswith(f"Usage: {' '.join(['digest', *words])} [OPTIONS] COMMAND")
    assert result.stderr == ""


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["chek"], "digest check"),
        (["stauts"], "digest status"),
        (["Run"], "digest run"),
        (["people", "fnd", "x"], "digest people find"),
        (["db", "upgarde"], "digest db upgrade"),
        (["deliveries", "rety"], "digest deliveries retry"),
        (["deliverys"], "digest deliveries"),
    ],
)
def test_a_misspelt_command_is_told_with_the_one_that_is_meant(words: list[str], meant: str) -> None:
    result = CliRunner().invoke(cli, words, prog_name="digest")

    assert result.exit_code == 2
    assert f"there is no command {words[len(meant.split()) - 2]!r}; did you mean `{meant}`?" in result.stderr


def test_a_command_that_is_like_none_is_told_without_a_guess() -> None:
    result = CliRunner().invoke(cli, ["xyzzy"], prog_name="digest")

    assert result.exit_code == 2
    assert "there is no command 'xyzzy'.\n" in result.stderr


@pytest.mark.parametrize("words", ["subscribers", "deliveries", "feeds", "bounces"])
def test_groups_that_can_list_do_that_alone(words: str, tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    workspace.write(make_config("http://127.0.0.1:9"))

    for options in ((), ("--json",)):
        assert workspace.run(words, *options).output == workspace.run(words, "list", *options).output


def test_people_alone_lists_whom_the_digests_follow(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    workspace.write(make_config("http://127.0.0.1:9"))

    assert workspace.run("people").output == (
        'Fangcheng Fu (followed)\nNo author called "Fangcheng Fu" is in the database.\n'
        'Yiying Zhang (followed)\nNo author called "Yiying Zhang" is in the database.\n'
    )
    assert [entry["name"] for entry in workspace.run("people", "--json").json] == [
        "Fangcheng Fu",
        "Yiying Zhang",
    ]


# --- help -----------------------------------------------------------------------------------------


def list_commands(group: click.Group = cli, names: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """List the names of all groups and commands."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        yield (*names, name)
        if isinstance(command, click.Group):
            yield from list_commands(command, (*names, name))


def show_help(*names: str) -> str:
    return CliRunner().invoke(cli, [*names, "--help"], prog_name="digest", terminal_width=80).output


@for_each_case("names", [(), *list_commands()])
def test_help_cuts_nothing_off(names: tuple[str, ...]) -> None:
    _, *lines = show_help(*names).splitlines()  # the first one is the usage
    assert [line for line in lines if line.endswith("...")] == []


def test_only_commands_that_send_say_that_mail_goes_out() -> None:
    warned = {
        names for names in list_commands() if "Mail really goes out." in " ".join(show_help(*names).split())
    }

    assert warned == {("run",), ("deliver",)}


def test_the_help_of_a_worker_names_each_queue_and_what_comes_first() -> None:
    output = show_help("worker")
    _, _, listed = output.partition("Queues, the most urgent first:\n")
    names = re.findall(r"^    (\w+) +\w", listed.partition("\n\n")[0], re.MULTILINE)

    assert names == [queue for queue in Queue if queue is not Queue.TICK]
    for text in ("`postgres`", "`digest db upgrade`", "`digest apply`"):
        assert text in output


# --- completion -----------------------------------------------------------------------------------


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script_for_the_shell_that_is_named_or_in_use(shell: str) -> None:
    named, used = (
        CliRunner().invoke(cli, ["completion", *words], env={"SHELL": f"/bin/{shell}"}, prog_name="digest")
        for words in ([shell], [])
    )

    assert named.exit_code == used.exit_code == 0
    assert "_DIGEST_COMPLETE" in named.stdout
    assert named.stdout == used.stdout


def test_completion_for_an_unknown_shell_says_which_there_are() -> None:
    result = CliRunner().invoke(cli, ["completion"], env={"SHELL": "/bin/tcsh"}, prog_name="digest")

    assert result.exit_code == 2
    assert "digest completion bash|zsh|fish" in result.stderr


@pytest.mark.parametrize(
    ("typed", "offered"),
    [("digest sta", "status"), ("digest people m", "merge"), ("digest run --no", "--no-wait")],
)
def test_a_shell_is_offered_what_can_follow(typed: str, offered: str) -> None:
    words = {
        "COMP_WORDS": typed,
        "COMP_CWORD": str(len(typed.split()) - 1),
        "_DIGEST_COMPLETE": "bash_complete",
    }
    process = subprocess.run(
        [sys.executable, "-c", "from digest.cli import main; main()"],
        env=os.environ | words,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert f"plain,{offered}" in process.stdout.splitlines()
