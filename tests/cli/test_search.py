"""What ``digest search`` says."""

from __future__ import annotations

import shlex
from contextlib import closing
from datetime import UTC, date, datetime, timedelta

import pytest

from digest.cli.backups import database
from digest.demo.publisher import Publisher, load_shipped_papers
from digest.store.database.engine import open_store
from digest.store.matching import search_index
from tests.support.workspace import Workspace, make_config

FRIDAY = date(2026, 5, 8)
EVENING = datetime(2026, 5, 8, 18, tzinfo=UTC)


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """Somebody who pulled on three days."""
    workspace = Workspace(tmp_path_factory.mktemp("searching"))
    with Publisher(load_shipped_papers(), day=FRIDAY) as publisher:
        workspace.write(make_config(publisher.url))
        for before in (2, 1, 0):
            publisher.day = FRIDAY - timedelta(days=before)
            workspace.run("pull", now=EVENING - timedelta(days=before))
    return workspace


def test_papers_are_shown_with_what_fits_in_them_and_how_many_there_are(workspace: Workspace) -> None:
    output = workspace.run("search", '"kv cache"', "--limit", "3").plain_output

    assert output.startswith('Read as: "kv cache"\n')
    document = workspace.run("search", '"kv cache"', "--json").json
    count = document["total"]["papers"]
    assert document["total"]["kind"] == "exact"
    assert f"\n{count} papers.\n" in output
    assert f"Years: 2026 {count}" in output
    assert "Sources: arxiv" in output
    assert output.count("\n    arxiv:") == 3
    assert "title: KV Cache" in output
    assert f"… and {count - 3} more" in output


def test_programs_get_all_of_it(workspace: Workspace) -> None:
    document = workspace.run("search", "learning", "--limit", "1000", "--json").json

    assert len(document["found"]) == document["total"]["papers"] > 100
    assert len({found["paper"] for found in document["found"]}) == document["total"]["papers"]
    scores = [found["score"] for found in document["found"]]
    assert scores == sorted(scores, reverse=True)
    assert {found["band"] for found in document["found"]} == {"surely"}
    assert document["years"] == {"2026": document["total"]["papers"]}
    assert document["sources"] == {"arxiv": document["total"]["papers"]}
    assert (document["missing"], document["since"], document["wider"]) == (0, None, [])


def test_by_date_the_newest_come_first(workspace: Workspace) -> None:
    document = workspace.run("search", "learning", "--order", "date", "--limit", "200", "--json").json

    days = [found["day"] for found in document["found"]]
    assert days == sorted(days, reverse=True)
    assert len(set(days)) == 3


def test_if_nothing_is_found_wider_queries_are_offered_that_work(workspace: Workspace) -> None:
    output = workspace.run("search", '"kv cache" xylophonist').plain_output

    assert "No match.\n" in output
    assert "Without xylophonist it finds " in output
    command = next(line for line in output.splitlines() if line.startswith("  digest search "))
    assert "No match." not in workspace.run(*shlex.split(command)[1:]).output


def test_a_mistake_is_shown_at_its_place(workspace: Workspace) -> None:
    output = workspace.run("search", "serving tittle:graph", status=2).output

    assert "Did you mean title:?" in output
    assert "\n  serving tittle:graph\n          ^" in output


def test_an_upgrade_says_how_long_it_takes_and_then_everything_is_found(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "_PAPERS_PER_MINUTE", 100)
    with closing(open_store(f"sqlite:///{workspace.folder / 'digest.db'}", EVENING)) as store:
        with store.begin_ingest() as tx:
            search_index.clear_index(tx)
        with store.begin_read() as tx:
            missing = search_index.count_missing(tx)

    output = workspace.run("db", "upgrade").plain_output
    assert f"Indexing {missing} papers, which takes about {round(missing / 100)} minutes." in output
    assert f"Indexed {missing} papers." in output
    assert "about" not in workspace.run("db", "upgrade").output
    assert workspace.run("search", "learning", "--json").json["total"]["papers"] > 100
