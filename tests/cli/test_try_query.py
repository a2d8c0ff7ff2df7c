"""What ``digest try`` says, in a pipe and on a terminal."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from digest.cli import cli
from digest.cli.try_query import CHEAT_SHEET
from digest.core.language.parser import parse_with_hints
from digest.core.language.syntax.fields import FIELDS
from digest.demo.publisher import Publisher, load_shipped_papers
from tests.support.cases import for_each_case
from tests.support.processes import kill_at_end, start_on_terminal
from tests.support.workspace import Workspace, make_config

FRIDAY = date(2026, 5, 8)
EVENING = datetime(2026, 5, 8, 18, tzinfo=UTC)


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """Somebody who pulled on three days, and did nothing else yet."""
    workspace = Workspace(tmp_path_factory.mktemp("trying"))
    with Publisher(load_shipped_papers(), day=FRIDAY) as publisher:
        workspace.write(make_config(publisher.url))
        for before in (2, 1, 0):
            publisher.day = FRIDAY - timedelta(days=before)
            workspace.run("pull", now=EVENING - timedelta(days=before))
    return workspace


# --- what it says ---------------------------------------------------------------------------------


def test_a_query_is_told_as_it_was_read_with_its_canonical_form_and_hints(workspace: Workspace) -> None:
    output = workspace.run("try", "serving and (LLM OR MoE)", now=EVENING).plain_output.splitlines()

    assert output[:3] == [
        "Read as: serving AND (LLM OR MoE)",
        "Canonical: (llm OR moe) AND serving",
        'Hint: The lower-case "and" was ignored, because words are joined by AND anyway. To search for it, put it in quotes.',
    ]
    assert "Canonical:" not in workspace.run("try", '"prefix caching"', now=EVENING).output


def test_what_is_found_is_told_day_by_day_with_examples_and_what_fits_in_them(workspace: Workspace) -> None:
    output = workspace.run("try", '"kv cache"', now=EVENING).output

    assert re.search(r"^(\d+) of \d+ papers of 3 announcement days: \d+\.\d per day\.$", output, re.MULTILINE)
    assert re.findall(r"^  (\w+  ?\d+ May)  +\d+$", output, re.MULTILINE) == [
        "Wed  6 May",
        "Thu  7 May",
        "Fri  8 May",
    ]
    text = "  Efficient Serving for Dynamic Agent Workflows with Prediction-based KV-Cache Management\n"
    assert text + "    arxiv:2605.06472, 8 May: title: KV-Cache" in output
    assert "\x1b" not in output
    assert "█" not in output


def test_the_document_holds_all_that_is_told(workspace: Workspace) -> None:
    document = workspace.run("try", 'llm OR author:"Fu"', "--json", now=EVENING).json
    output = workspace.run("try", 'llm OR author:"Fu"', now=EVENING).output

    sure = [entry for entry in document["found"] if entry["band"] != "maybe"]
    maybe = [entry for entry in document["found"] if entry["band"] == "maybe"]
    assert sum(day["sure"] for day in document["days"]) == len(sure) > 0
    assert sum(day["maybe"] for day in document["days"]) == len(maybe) > 0
    assert sum(day["asked"] for day in document["days"]) == document["asked"]
    assert f"{len(sure)} of {document['asked']} papers" in output
    assert f"Possible matches: {len(maybe)} more." in output
    assert re.findall(r"^    (arxiv:[\d.]+), \d+ May: ", output, re.MULTILINE) == document["examples"]
    first, second = output.split("\nMaybe\n")
    assert all(f"    {entry['paper']}, " not in first for entry in maybe)
    assert all(f"    {entry['paper']}, " not in second for entry in sure)


def test_why_a_paper_fits_is_told_of_the_examples_and_of_all_where_that_is_asked_for(
    workspace: Workspace,
) -> None:
    document = workspace.run("try", "llm", "--json", now=EVENING).json
    full = workspace.run("try", "llm", "--json", "--evidence", now=EVENING).json

    assert len(document["found"]) > len(document["examples"])
    assert {entry["paper"] for entry in document["found"] if entry["evidence"]} == set(document["examples"])
    assert all(entry["evidence"] for entry in full["found"])
    assert [{**entry, "evidence": []} for entry in full["found"]] == [
        {**entry, "evidence": []} for entry in document["found"]
    ]


def test_days_look_back_from_now_and_a_store_without_papers_says_what_to_do(workspace: Workspace) -> None:
    document = workspace.run("try", "llm", "--days", "1", "--json", now=EVENING).json
    none = workspace.run("try", "llm", now=EVENING + timedelta(days=33)).output

    assert [day["day"] for day in document["days"]] == ["2026-05-07", "2026-05-08"]
    assert "The database has no papers of the last 30 days; run `digest pull` first." in none


def test_words_need_no_quotes_of_the_shell_and_one_may_be_left_out(workspace: Workspace) -> None:
    together = workspace.run("try", "serving -llm", "--json", now=EVENING).json

    assert workspace.run("try", "serving", "-llm", "--json", now=EVENING).json == together
    assert together["read_as"] == "serving AND NOT llm"


# --- nothing found --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "without"),
    [
        ("federatd learning", "federatd"),
        ("title:serving abstract:teleportation", "abstract:teleportation"),
        ('"prefix caching of elephants"', 'of elephants in "prefix caching of elephants"'),
        ("kv cache NOT cache", "NOT cache"),
    ],
)
def test_where_nothing_is_found_the_least_necessary_part_is_named_and_what_to_type(
    workspace: Workspace, query: str, without: str
) -> None:
    output = workspace.run("try", query, now=EVENING).output

    match = re.search(r"^Without (.*) it finds (\d+) papers?:\n  digest try (.*)$", output, re.MULTILINE)
    assert match is not None
    assert match[1] == without
    (typed,) = shlex.split(match[3])
    assert len(workspace.run("try", typed, "--json", now=EVENING).json["found"]) == int(match[2]) > 0
    document = workspace.run("try", query, "--json", now=EVENING).json
    assert document["wider"][0] == {"without": without, "query": typed, "found": int(match[2])}
    assert all(document["wider"][0]["found"] >= entry["found"] for entry in document["wider"])


def test_a_word_that_no_paper_has_is_named(workspace: Workspace) -> None:
    output = workspace.run("try", "federatd lerning serving", now=EVENING).output

    assert "No match in " in output
    assert "No paper matches federatd and lerning." in output
    assert "Leaving out a single condition does not help." in output


def test_of_a_single_word_that_is_nowhere_nothing_more_is_said(workspace: Workspace) -> None:
    output = workspace.run("try", "teleportation", now=EVENING).output

    assert output.splitlines()[-1].startswith("No match in ")


# --- mistakes -------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", [[], ["--json"]], ids=["for people", "as JSON"])
def test_a_mistake_is_told_with_its_place_and_what_to_write(workspace: Workspace, form: list[str]) -> None:
    ran = workspace.run("try", "serving tittle:graph", *form, now=EVENING, status=2)

    assert ran.plain_output == ""
    assert ran.errors.endswith(
        "Error: There is no field tittle:. Did you mean title:? If the colon is text, put it in quotes.\n"
        "  serving tittle:graph\n"
        "          ^\n"
    )


@pytest.mark.parametrize(
    ("query", "text", "mark"),
    [
        ("机器学习 (a", "机器学习 (a", 9),
        ("e\u0301tude (a", "e\u0301tude (a", 6),
        ("a\tb\n(c", "a b (c", 4),
        (f"{'word ' * 40}(a", f"…{('word ' * 40)[-60:]}(a", 61),
        (f"({'word ' * 40}", f"({('word ' * 40)[:59]}…", 0),
    ],
    ids=[
        "wide signs",
        "accents of their own",
        "lines",
        "a long query, its end",
        "a long query, its beginning",
    ],
)
def test_the_mark_stands_below_the_place(workspace: Workspace, query: str, text: str, mark: int) -> None:
    lines = workspace.run("try", query, now=EVENING, status=2).errors.splitlines()

    assert lines[-2:] == [f"  {text}", f"  {' ' * mark}^"]


def test_of_a_query_without_anything_there_is_nothing_to_mark(workspace: Workspace) -> None:
    errors = workspace.run("try", " ", now=EVENING, status=2).errors

    assert errors.endswith("Error: This query is empty; write a word.\n")


# --- on a terminal --------------------------------------------------------------------------------


def test_on_a_terminal_days_have_bars_and_what_fits_is_in_colour(workspace: Workspace) -> None:
    with start_on_terminal(workspace, "try", 'moe OR author:"Fu"', now=EVENING, columns=60) as (_, terminal):
        text = terminal.read_all()

    lines = [click.unstyle(line) for line in text.splitlines()]
    bars = [line.split()[-1] for line in lines if "May" in line and "█" in line]
    counts = [int(line.split()[3]) for line in lines if "May" in line and "█" in line]
    assert [bar.count("█") for bar in bars] == counts
    assert any("░" in bar for bar in bars)
    assert "\x1b[32mMoE\x1b[39m" in text
    titles = [line for line in lines if line.startswith("  ") and not line.startswith("    ")]
    assert all(len(line) <= 60 for line in titles)


# --- the documentation ----------------------------------------------------------------------------

DOCS = Path(__file__).parents[2] / "docs"


def examples(page: str) -> list[tuple[str, str]]:
    """Each ``digest try`` on a page: its query and what it is said to print, up to an ellipsis."""
    text = (DOCS / page).read_text("utf-8")
    matches = re.findall(r"^\$ digest try (.*)\n((?:(?!\$ |```|…).*\n)*)", text, re.MULTILINE)
    return [(*shlex.split(typed), printed) for typed, printed in matches]


EXAMPLES = [*examples("quickstart.md"), *examples("reference/commands.md")]


@pytest.fixture(scope="module")
def friday(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """Somebody who pulled for the first time."""
    workspace = Workspace(tmp_path_factory.mktemp("friday"))
    with Publisher(load_shipped_papers(), day=FRIDAY) as publisher:
        workspace.write(make_config(publisher.url))
        workspace.run("pull", now=EVENING)
    return workspace


@pytest.mark.parametrize(("query", "printed"), EXAMPLES, ids=[query for query, _ in EXAMPLES])
def test_what_the_pages_show_is_what_is_printed(friday: Workspace, query: str, printed: str) -> None:
    assert len(EXAMPLES) == 4
    status = 2 if printed.startswith("Error") else 0

    ran = friday.run("try", query, now=EVENING, status=status)

    assert (ran.errors if status else ran.plain_output).startswith(printed)


# --- the language at a glance ---------------------------------------------------------------------


@for_each_case("text", [text for text, _ in CHEAT_SHEET])
def test_each_line_of_the_sheet_can_be_typed(text: str) -> None:
    assert str(parse_with_hints(text).query)


def test_the_sheet_names_every_field_and_fits_a_terminal() -> None:
    output = CliRunner().invoke(cli, ["try", "--help"], terminal_width=80).output

    assert all(f"  {text}  " in output and means in output for text, means in CHEAT_SHEET)
    named = set(re.findall(r"(\w+):", output.partition("The language:")[2]))
    assert {FIELDS[name] for name in named & set(FIELDS)} == {*FIELDS.values()} - {""}
    assert all(len(line) <= 80 for line in output.splitlines())


def test_help_says_where_the_language_is() -> None:
    assert "digest try --help" in CliRunner().invoke(cli, ["--help"]).output


def test_who_reads_only_the_first_lines_sees_no_error(workspace: Workspace) -> None:
    command = [sys.executable, "-m", "digest", "try", "kind:new", "--json"]
    command += ["--config", str(workspace.folder / "digest.toml"), "--now", EVENING.isoformat()]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    with kill_at_end(process):
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert "Error" not in process.stderr.read()
