"""Chats and webhooks at the command line: tried, tested, listed, and never shown with what is secret of them."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from digest.app import open_app
from digest.demo.publisher import Publisher
from digest.jobs.notices import note_trouble
from tests.channels.http_service import CannedAnswer, HttpService
from tests.support.workspace import Workspace, make_config

pytestmark = pytest.mark.usefixtures("unthrottled")

MORNING = datetime(2026, 5, 8, 5, 31, tzinfo=UTC)
SECRET = "canary-of-24-characters-x"
TOPIC = "canary-topic"
PATH = "canary-path"


def world_with(folder: Path, publisher: Publisher, service: HttpService, more: str = "") -> Workspace:
    workspace = Workspace(folder)
    publisher.day = MORNING.date()
    hook = f'{{ webhook = "http://127.0.0.1:{service.port}/{PATH}", secret = "{SECRET}" }}'
    text = make_config(publisher.url, to=f'"ntfy://127.0.0.1:{service.port}/{TOPIC}", {hook}')
    workspace.write(text + more)
    return workspace


def canaries(text: str) -> list[str]:
    return [one for one in (SECRET, TOPIC, PATH) if one in text]


@pytest.fixture
def service() -> HttpService:
    return HttpService(answer=lambda _: CannedAnswer(body=b'{"id":"1"}'))


def test_a_check_tries_each_way_and_says_nothing_there(
    tmp_path: Path, publisher: Publisher, service: HttpService
) -> None:
    with service:
        workspace = world_with(tmp_path, publisher, service, '[operator]\nnotify = ["files:notes"]\n')
        output = workspace.run("check").output

    assert "channel notify: ok: ntfy://…/" in output
    assert f"channel webhook: ok: http://127.0.0.1:{service_port(output)}/…/" in output
    assert "channel files: ok" in output
    assert service.requests == []
    assert canaries(output) == []


def test_a_check_without_apprise_says_so_and_tries_all_else(
    tmp_path: Path, publisher: Publisher, service: HttpService
) -> None:
    with service:
        world_with(tmp_path, publisher, service)
        program = (
            "import sys\n"
            "sys.modules['apprise'] = None\n"  # as if it were not installed
            "from digest.cli import cli\n"
            "cli(['check', '--config', sys.argv[1]])\n"
        )
        arguments = [sys.executable, "-c", program, str(tmp_path / "digest.toml")]
        ended = subprocess.run(arguments, capture_output=True, text=True, check=False)

    assert ended.returncode == 1, ended.stderr
    assert "channel notify: failed: chats and push need Apprise; run pip install apprise" in ended.stdout
    assert "channel webhook: ok" in ended.stdout
    assert "templates: ok" in ended.stdout


def service_port(text: str) -> str:
    return text.partition("http://127.0.0.1:")[2].partition("/")[0]


def test_a_test_goes_to_any_way_as_the_file_or_a_list_has_it(
    tmp_path: Path, publisher: Publisher, service: HttpService
) -> None:
    with service:
        workspace = world_with(tmp_path, publisher, service)
        workspace.run("pull", now=MORNING)
        document = workspace.run("subscribers", "list", "--json").json
        assert document == [], "nothing is applied yet"
        full_text = f"ntfy://127.0.0.1:{service.port}/{TOPIC}"
        first = workspace.run("preview", "systems", "--to", full_text, "--json", now=MORNING)
        webhook = f"http://127.0.0.1:{service.port}/{PATH}"
        second = workspace.run("preview", "systems", "--to", webhook, "--json", now=MORNING)
        third = workspace.run("preview", "systems", "--to", second.json["address"], "--json", now=MORNING)
        workspace.run("preview", "systems", "--to", "files:test", now=MORNING)

    assert (first.json["receipt"], second.json["receipt"], third.json["receipt"]) == ("sent",) * 3
    assert canaries(first.output + second.output + third.output) == []
    documents = [request for request in service.requests if request.path == f"/{PATH}"]
    chats = [request for request in service.requests if request not in documents]
    assert all(request.json["title"].startswith("[test] ") for request in chats)
    assert [request.json["type"] for request in documents] == ["edition.test"] * 2
    assert documents[0].headers["webhook-id"] != documents[1].headers["webhook-id"]
    assert list((tmp_path / "out" / "test").rglob("*.html"))


def test_no_secret_of_an_address_is_kept_in_the_store_or_shown(
    tmp_path: Path, publisher: Publisher, service: HttpService
) -> None:
    with service:
        workspace = world_with(tmp_path, publisher, service)
        outputs = [workspace.run("run", now=MORNING).output]
        commands = (
            ["status"],
            ["status", "--json"],
            ["deliveries", "list", "--json"],
            ["subscribers", "list", "--json"],
            ["run", "--json"],
        )
        outputs += [workspace.run(*command).output for command in commands]
    kept = b"".join(
        path.read_bytes() for path in tmp_path.rglob("*") if path.is_file() and path.name != "digest.toml"
    )

    assert len(service.requests) >= 2
    assert canaries("".join(outputs)) == []
    assert canaries(kept.decode(errors="replace")) == []


def test_notices_that_reach_nobody_are_seen_in_the_status(
    tmp_path: Path, publisher: Publisher, service: HttpService
) -> None:
    with service:
        more = '[operator]\nnotify = ["ntfy://127.0.0.1:9/nobody-there"]\n'
        workspace = world_with(tmp_path, publisher, service, more)
        workspace.run("pull", now=MORNING)
        with open_app(tmp_path / "digest.toml", MORNING, {}) as app:
            with app.store.begin_write() as tx:
                note_trouble(tx, "run:7", "Run 7 is held.", MORNING)
            app.operator_notifier.send_due()
    text, as_json = workspace.run("status").output, workspace.run("status", "--json").json

    assert "Not delivered to all of [operator] notify" in text
    assert "after 1 attempt: 1 notice" in text
    assert [(entry["name"], entry["attempts"]) for entry in as_json["untold"]] == [("run:7", 1)]


def test_what_is_slow_to_import_is_imported_when_something_is_said() -> None:
    program = (
        "import sys\n"
        "from digest import plugins\n"
        "import digest.app, digest.cli\n"
        "plugins.build(plugins.load('channels', 'notify'), {'urls': {'a': 'ntfy://x/y'}})\n"
        "print(sorted({'apprise', 'requests', 'yaml', 'markdown'} & sys.modules.keys()))\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert ended.stdout == "[]\n"
