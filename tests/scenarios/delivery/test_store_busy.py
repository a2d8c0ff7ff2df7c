"""A database that another process holds for too long postpones what was to be stored, and nothing more."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from sqlalchemy import Engine, event

from digest.jobs import workers
from digest.store.database import dialect
from digest.testing.http_host import CannedResponse, HostRequest, ScriptedHost
from tests.store.factories import lock_database
from tests.support.workspace import Workspace

NAMES = ("first", "second", "third")


def feed(name: str) -> bytes:
    """A feed with one paper."""
    return f"""
        <rss version="2.0"><channel><title>Journal {name}</title><item>
          <title>Paper of {name}</title><link>https://example.org/{name}</link><guid>{name}</guid>
        </item></channel></rss>""".strip().encode()


@pytest.fixture
def host() -> Iterator[ScriptedHost]:
    with ScriptedHost(**{name: CannedResponse(feed(name)) for name in NAMES}) as host:
        yield host


@pytest.fixture
def workspace(tmp_path: Path, host: ScriptedHost, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """Three feeds of one host, which are asked one after another; nobody waits long for another process."""
    monkeypatch.setattr(dialect, "BUSY_TIMEOUT", 0.05)
    workspace = Workspace(tmp_path)
    sources = [
        f'[[source]]\nuse = "feed"\nname = "{name}"\nurl = "{host.url}/{name}"\npace = 0\n' for name in NAMES
    ]
    digest = '[[digest]]\nname = "all"\nto = ["files:mail"]\nschedule = "daily 07:30"\nkeywords = ["paper"]\n'
    workspace.write('[store]\nurl = "sqlite:///digest.db"\n' + "\n".join([*sources, digest]))
    return workspace


@pytest.mark.parametrize("command", ["pull", "run"])
def test_an_answer_that_could_not_be_stored_in_time_is_asked_for_again_and_keeps_no_other_from_coming(
    command: str, workspace: Workspace, host: ScriptedHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ExitStack() as until_the_command_ends:

        def lock(_: HostRequest) -> CannedResponse:
            until_the_command_ends.enter_context(lock_database(workspace.folder / "digest.db"))
            return CannedResponse(feed("first"))

        host.answers["/first"] = lock
        document = workspace.run(command, "--json", status=1).json

    assert [entry["source"] for entry in document["pulled"]] == list(NAMES)
    assert all(
        "postponed to the next pull, because nothing could be stored: the database says" in entry["error"]
        for entry in document["pulled"]
    )
    assert ("another process is writing" in document["error"]) == (command == "run"), "which goes on to match"

    host.answers["/first"] = CannedResponse(feed("first"))
    monkeypatch.setattr(workers, "_PROCESS_NONCE", "later")  # the next command is another process
    document = workspace.run(command, "--json").json
    assert [(entry["source"], entry["added"]) for entry in document["pulled"]] == [
        (name, 1) for name in NAMES
    ]
    assert host.paths() == ["/first", "/first", "/second", "/third"]
    assert document["error"] == ""


HOSTS, FEEDS_A_HOST = 12, 5


@pytest.fixture
def slow_commits() -> Iterator[None]:
    """Each transaction takes a while, as on a machine that has no time: many of them take longer than one may wait."""

    def take_time(_connection: object) -> None:
        time.sleep(0.003)

    event.listen(Engine, "commit", take_time)
    yield
    event.remove(Engine, "commit", take_time)


@pytest.mark.usefixtures("slow_commits")
def test_a_pull_of_many_feeds_is_never_ended_by_the_lock_of_its_own_threads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dialect, "BUSY_TIMEOUT", 0.03)
    workspace = Workspace(tmp_path)
    names = [f"feed{number}" for number in range(FEEDS_A_HOST)]
    with ExitStack() as stack:
        answers = {name: CannedResponse(feed(name)) for name in names}
        hosts = [stack.enter_context(ScriptedHost(**answers)) for _ in range(HOSTS)]
        sources = [
            f'[[source]]\nuse = "feed"\nurl = "{scripted_host.url}/{name}"\npace = 0\n'
            for scripted_host in hosts
            for name in names
        ]
        workspace.write('[store]\nurl = "sqlite:///digest.db"\n' + "\n".join(sources))
        document = workspace.run("pull", "--json").json

    assert [entry["error"] for entry in document["pulled"]] == [""] * HOSTS * FEEDS_A_HOST
    assert document["error"] == ""
