"""Hosts that say back what they were given: no secret is stored, printed or sent on."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from digest.testing.http_host import CannedResponse, HostRequest, ScriptedHost
from tests.channels.scripted_smtp_server import ScriptedServer
from tests.support.cases import for_each_case
from tests.support.workspace import Workspace

NOW = datetime(2026, 6, 12, 20, tzinfo=UTC)
TOKEN = "eyJhbGciOiJIUzI1NiJ9.run-time"
FEED = b"""
    <rss version="2.0"><channel><title>Journal</title>
      <item><title>A paper</title><guid>1</guid><pubDate>Fri, 12 Jun 2026 04:00:00 GMT</pubDate></item>
    </channel></rss>""".strip()
DIGEST = """
[store]
url = "sqlite:///digest.db"
[operator]
notify = ["files:notices"]
[[digest]]
name = "all"
to = ["{to}"]
schedule = "daily 07:30"
keywords = ["paper"]
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path)


@pytest.fixture
def host() -> Iterator[ScriptedHost]:
    with ScriptedHost(feed=CannedResponse(FEED)) as host:
        yield host


def everything(workspace: Workspace) -> bytes:
    """All that is stored and made, but the configuration."""
    files = [path for path in workspace.folder.rglob("*") if path.is_file() and path.name != "digest.toml"]
    return b"\n".join(path.read_bytes() for path in files)


def test_a_token_that_a_login_gave_is_nowhere(workspace: Workspace, host: ScriptedHost) -> None:
    def refuse(asked: HostRequest) -> CannedResponse:
        fields = {"message": f"No such token: {asked.headers['authorization'].removeprefix('Bearer ')}"}
        return CannedResponse(json.dumps(fields).encode(), 400)

    host.answers["/login"] = CannedResponse(json.dumps({"token": TOKEN}).encode())
    host.answers["/notes"] = refuse
    source = f"""
[[source]]
use = "openreview"
venues = ["A.cc/2026/Conference"]
username = "me@example.org"
password = "unimportant-1"
url = "{host.url}/"
pace = 0
"""
    workspace.write(f"{DIGEST.format(to='files:mail')}{source}")
    lines = [
        workspace.run("run", "--json", now=NOW, status=1).output,
        workspace.run("status", "--json", now=NOW).output,
    ]
    lines += [workspace.run("status", now=NOW).output]

    assert "/notes" in host.paths()
    assert all("No such token: …" in one for one in lines)
    assert TOKEN not in "".join(lines)
    assert TOKEN.encode() not in everything(workspace)


def test_a_key_that_a_catalogue_repeats_in_its_records_is_nowhere(
    workspace: Workspace, host: ScriptedHost
) -> None:
    key = "Zx81-k3y-of-mine"
    work = {
        "id": "https://openalex.org/W4400000001",
        "title": f"A paper for {key}",
        "publication_date": "2026-06-12",
        "abstract_inverted_index": {"Asked": [0], "with": [1], f"api_key={key}": [2]},
        "authorships": [{"raw_author_name": f"Ann {key}", "author": {"display_name": f"Ann {key}"}}],
        "primary_location": {"landing_page_url": f"https://example.org/1?api_key={key}&page=2"},
    }
    host.answers["/works"] = CannedResponse(json.dumps({"results": [work], "meta": {"count": 1}}).encode())
    source = (
        f'[[source]]\nuse = "openalex"\ntopics = ["T12286"]\nkey = "{key}"\nurl = "{host.url}/"\npace = 0\n'
    )
    workspace.write(f"{DIGEST.format(to='files:mail')}{source}")
    output = workspace.run("run", "--json", now=NOW).output
    (item,) = workspace.read_editions("all")[0]["items"]

    assert key in str(host.requests)
    assert item["paper"]["title"] == "A paper for …"
    assert key not in output
    assert key.encode() not in everything(workspace)


@for_each_case("password", ["s3cret-pass-word", "hunter2", "hunter", 'a"b\\c<d>&'])
def test_a_password_that_a_mail_server_says_back_is_nowhere(password: str, tmp_path: Path) -> None:
    plain = b64encode(f"\0me\0{password}".encode()).decode()
    message = f"535 5.7.8 no {password} ({plain})"
    workspace, script = Workspace(tmp_path), {"EHLO": "250-here\r\n250 AUTH PLAIN", "AUTH": message}
    with ScriptedHost(feed=CannedResponse(FEED)) as host, ScriptedServer(script) as server:
        smtp = f"""
[smtp]
host = "127.0.0.1"
port = {server.port}
security = "none"
username = "me"
password = {json.dumps(password)}
from = "me@example.org"
[[source]]
use = "feed"
url = "{host.url}/feed"
pace = 0
"""
        workspace.write(f"{DIGEST.format(to='reader@example.org')}{smtp}")
        results = [workspace.run("run", "--json", now=NOW, status=1), workspace.run("check", status=1)]
        results += [workspace.run(command, "--json", now=NOW) for command in ("status",)]

    assert any("AUTH" in text for talk in server.commands for text in talk)
    assert "535" in results[0].output
    assert "535" in results[1].output
    for result in results:
        assert f"no {password}" not in result.output
        assert f"no {json.dumps(password)[1:-1]}" not in result.output
        assert plain.rstrip("=") not in result.output
    assert f"no {password}".encode() not in everything(workspace)
    assert plain.rstrip("=").encode() not in everything(workspace)
