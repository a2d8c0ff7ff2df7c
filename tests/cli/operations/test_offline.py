"""A machine without a network."""

from __future__ import annotations

import json
import socket
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.support.workspace import Workspace, make_config

MORNING = datetime(2026, 5, 6, 6, tzinfo=UTC)


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """A store that never reached anybody, on a machine that can look up no name."""

    def look_up(*_arguments: object, **_more: object) -> None:
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    workspace = Workspace(tmp_path)
    workspace.write(make_config("http://listings.example"))
    return workspace


def test_run_says_once_that_it_may_be_offline(workspace: Workspace) -> None:
    ran = workspace.run("run", "--no-wait", now=MORNING, status=1)

    assert ran.output.count("offline?") == 1
    assert "cannot be reached" not in ran.output


def test_check_says_so_and_looks_at_all_else(workspace: Workspace) -> None:
    checked = workspace.run("check", status=1).plain_output

    assert checked.count("offline?") == 1
    assert "\nnetwork: failed: no host name can be resolved; is this machine offline?\n" in checked
    assert "templates: ok" in checked
    in_json = json.loads(workspace.run("check", "--json", status=1).output)
    assert sum(entry["said"].endswith("offline?") for entry in in_json) == 3


def test_status_of_a_first_run_does_not_say_since_when(workspace: Workspace) -> None:
    workspace.run("run", "--no-wait", now=MORNING, status=1)
    status = workspace.run("status", now=MORNING).plain_output

    assert ": not reached (last attempt " in status
    assert "not reached since" not in status


def find_no_name(*_arguments: object, **_more: object) -> None:
    """As resolvers of macOS and of many networks say it."""
    raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")


FEEDS = "".join(
    f'[[source]]\nuse = "feed"\nurl = "https://feed{number}.example/rss"\n\n' for number in range(3)
)
SMTP = '[smtp]\nhost = "mail.example"\nfrom = "digest@example.org"\n'


def test_where_no_name_is_known_one_line_says_so(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", find_no_name)
    workspace.write(
        make_config("http://listings.example").replace("[[source]]", f"{FEEDS}[[source]]", 1) + SMTP
    )

    ran = workspace.run("run", "--no-wait", now=MORNING, status=1)
    assert ran.output.count("offline?") == 1
    assert "Nothing was fetched: none of 4 host names can be resolved; is this machine offline?" in ran.output

    checked = workspace.run("check", status=1).plain_output
    assert checked.count("offline?") == 1
    assert "\nnetwork: failed: none of 5 host names can be resolved; is this machine offline?\n" in checked
    in_json = json.loads(workspace.run("check", "--json", status=1).output)
    assert sum(entry["said"].endswith("offline?") for entry in in_json) == 7

    assert "cannot be reached" in workspace.run("status", now=MORNING).plain_output


def test_a_host_whose_name_there_is_not_is_told_once_with_its_name(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", find_no_name)
    ran = workspace.run("run", "--no-wait", now=MORNING, status=1)

    assert (
        ran.output.count(
            "failed: the name of its host, listings.example, cannot be resolved; is this machine offline?"
        )
        == 1
    )
