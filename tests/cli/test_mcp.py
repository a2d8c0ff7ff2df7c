"""``digest mcp``: a client of the protocol's own library lists and calls every tool."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from digest.app import open_app
from digest.demo.publisher import Publisher, load_shipped_papers
from tests.support.workspace import Workspace, make_config
from tests.web.conftest import THURSDAY, get_morning


def make_calls(paper: str) -> Mapping[str, Mapping[str, object]]:
    """A call of each tool."""
    return {
        "search_papers": {"query": "serving", "limit": 2},
        "read_paper": {"key": paper},
        "find_similar_papers": {"key": paper},
        "find_people": {"name": "Wei Wang"},
        "read_person": {"reference": f"{paper}#1"},
        "read_day": {"day": THURSDAY.isoformat(), "limit": 2},
        "list_sources": {},
        "explain_paper": {"digest": "systems", "paper": paper},
    }


@pytest.fixture(scope="module")
def configuration(tmp_path_factory: pytest.TempPathFactory) -> Path:
    workspace = Workspace(tmp_path_factory.mktemp("mcp"))
    with Publisher(load_shipped_papers(), day=THURSDAY) as publisher:
        workspace.write(make_config(publisher.url))
        with open_app(workspace.folder / "digest.toml", get_morning(THURSDAY), {}) as app:
            app.apply_config()
        workspace.run("pull", now=get_morning(THURSDAY))
    return workspace.folder / "digest.toml"


async def call_tools(configuration: Path, calls: Sequence[tuple[str, Mapping[str, object]]]) -> list[Any]:
    """List the tools, call some, and return the list and the results."""
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "digest", "mcp", "--config", str(configuration)],
        env=dict(os.environ),
    )
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        tools = await session.list_tools()
        return [tools, *[await session.call_tool(name, dict(arguments)) for name, arguments in calls]]


def test_an_assistant_lists_and_calls_every_tool(configuration: Path) -> None:
    day = {"day": THURSDAY.isoformat()}
    _, announced = asyncio.run(call_tools(configuration, [("read_day", day)]))
    paper = announced.structured_content["papers"][0]["key"]
    calls = make_calls(paper)
    listed, *results = asyncio.run(call_tools(configuration, list(calls.items())))

    assert {tool.name for tool in listed.tools} == calls.keys()
    assert all(tool.description for tool in listed.tools)
    answers = dict(zip(calls, results, strict=True))
    assert {name: result.content for name, result in answers.items() if result.is_error} == {}
    documents = {name: result.structured_content for name, result in answers.items()}
    assert len(documents["search_papers"]["papers"]) == 2
    assert documents["read_paper"]["paper"]["key"] == paper
    assert documents["read_day"]["total"] > 2
    assert documents["explain_paper"]["verdict"]


def test_what_cannot_be_answered_is_told_to_the_assistant(configuration: Path) -> None:
    mistakes = [
        ("search_papers", {"query": "serving OR"}),
        ("read_paper", {"key": "nothing"}),
        ("read_person", {"reference": "2605.06472#999"}),
        ("explain_paper", {"digest": "none", "paper": "2605.06472"}),
    ]
    _, *results = asyncio.run(call_tools(configuration, mistakes))

    assert [result.is_error for result in results] == [True] * 4
    assert all(result.content[0].text for result in results)
