"""A cycle with broken templates of one's own: everything goes out as it ships, and the operator is told."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from email import message_from_bytes
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from digest.demo.publisher import Publisher, load_shipped_papers
from digest.store.database.engine import open_store
from digest.store.operations import notices
from digest.testing.mail_server import MailServer
from tests.support.workspace import Workspace, make_config

THURSDAY = date(2026, 5, 7)
TEMPLATES = Path(__file__).parents[3] / "templates"
NAMES = sorted(file.relative_to(TEMPLATES).as_posix() for file in TEMPLATES.rglob("*.*"))
SMTP = '\n[smtp]\nhost = "127.0.0.1"\nport = {}\nsecurity = "none"\nfrom = "digest@example.org"\n'
RUNAWAY = "{% for a in range(99999) %}" * 3 + "{% endfor %}" * 3


def morning(day: date = THURSDAY) -> datetime:
    return datetime.combine(day, time(7, 31), ZoneInfo("Europe/Berlin"))


def broken(folder: Path, source: str) -> None:
    """A template of one's own for each that ships, all broken."""
    for name in NAMES:
        file = folder / "own" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(source)


def sent(folder: Path, *, own: bool) -> tuple[Workspace, list[Any], dict[str, bytes]]:
    """What a cycle sends and writes: the parts of its mails, and its files."""
    folder.mkdir(exist_ok=True)
    workspace = Workspace(folder)
    with Publisher(load_shipped_papers(), day=THURSDAY) as publisher, MailServer() as server:
        text = make_config(publisher.url, to='"files:mail", "me@example.org"').replace(
            'folder = "out"', 'folder = "out"\ntemplates = "own"' if own else 'folder = "out"'
        )
        workspace.write(text + SMTP.format(server.port) + '\n[operator]\nnotify = ["files:told"]\n')
        workspace.run("run", now=morning())
        received = [message_from_bytes(mail.content) for mail in server.received]
    parts = [part.get_payload(decode=True) for mail in received for part in mail.walk()]
    files = {
        file.relative_to(workspace.get_output_path("")).as_posix(): file.read_bytes()
        for file in workspace.get_output_path("").rglob("*")
        if file.is_file() and "told" not in file.parts and not file.name.startswith(".")
    }
    return workspace, parts, files


@pytest.fixture(scope="module")
def as_shipped(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Any], dict[str, bytes]]:
    _, parts, files = sent(tmp_path_factory.mktemp("shipped"), own=False)
    assert len(parts) == 3
    return parts, files


@pytest.mark.parametrize("source", ["\n{% if %}", "\n{{ nope }}", "\n" + RUNAWAY])
def test_all_goes_out_as_it_ships_and_the_operator_is_told_once(
    tmp_path: Path, as_shipped: tuple[list[Any], dict[str, bytes]], source: str
) -> None:
    broken(tmp_path, source)

    workspace, mails, fields = sent(tmp_path, own=True)

    parts, files = as_shipped
    assert mails == parts
    assert sorted(fields) == sorted(files)
    assert [name for name in files if fields[name] != files[name] and not name.endswith(".eml")] == []
    store = open_store(f"sqlite:///{workspace.folder}/digest.db", morning())
    with store.begin_read() as tx:
        remaining = {notice.name: notice.text for notice in notices.list_recent(tx, morning() - timedelta(1))}
    store.close()
    for name in (
        "mail/edition.html",
        "mail/edition.txt",
        "feeds/rss.xml",
        "feeds/atom.xml",
        "web/index.html",
    ):
        assert f"{workspace.folder / 'own' / name}, line 2 " in remaining[f"template:{name}"]
        assert "the shipped one is used instead" in remaining[f"template:{name}"]
    (path,) = workspace.get_output_path("told").rglob("*.txt")
    assert "Fix it and test it with `digest check`" in path.read_text("utf-8")


def test_a_mended_template_is_used_from_the_next_run_on(tmp_path: Path) -> None:
    broken(tmp_path, "{% if %}")
    workspace, *_ = sent(tmp_path, own=True)
    broken(tmp_path, "{{ edition.title if edition is defined else 'mine' }}")

    workspace.run("preview", "systems", "--to", "files:test", now=morning())

    (page,) = workspace.get_output_path("test").rglob("*.html")
    assert page.read_text("utf-8") == "[test] systems"
