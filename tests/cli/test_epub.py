"""Books at the command line: checked, previewed, delivered."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from zipfile import ZipFile

import pytest
from click.testing import CliRunner

from digest.cli import cli
from digest.demo.publisher import Publisher
from digest.testing.mail_server import MailServer
from tests.support.workspace import Workspace, make_config

pytestmark = pytest.mark.usefixtures("unthrottled")

MORNING = datetime(2026, 5, 8, 5, 31, tzinfo=UTC)
BOOKS = '{ address = "files:books", form = "epub" }'
READER = '{ address = "me_123@kindle.com", form = "epub" }'
SMTP = '[smtp]\nhost = "127.0.0.1"\nport = {}\nsecurity = "none"\nfrom = "Digest <digest@example.org>"\n'


@pytest.fixture
def workspace(tmp_path: Path, publisher: Publisher) -> Workspace:
    publisher.day = MORNING.date()
    workspace = Workspace(tmp_path)
    workspace.write(make_config(publisher.url, to=BOOKS))
    return workspace


def test_a_check_says_where_books_go_and_which_sender_a_reader_must_approve(
    tmp_path: Path, publisher: Publisher
) -> None:
    publisher.day = MORNING.date()
    workspace = Workspace(tmp_path)
    with MailServer() as server:
        workspace.write(make_config(publisher.url, to=f"{BOOKS}, {READER}") + SMTP.format(server.port))
        output = workspace.run("check").output

    assert f"digest systems: ok: EPUBs are written to {tmp_path / 'out' / 'books'}" in output
    assert (
        "digest systems: ok: EPUBs are mailed to me_123@kindle.com; if that is an e-reader, approve digest@example.org "
        "as a sender where you manage the e-reader" in output
    )


def test_a_preview_of_a_book_is_the_book_that_goes_out(workspace: Workspace) -> None:
    workspace.run("pull", now=MORNING)
    config = str(workspace.folder / "digest.toml")
    arguments = ["preview", "systems", "--format", "epub", "--config", config, "--now", MORNING.isoformat()]
    preview = CliRunner().invoke(cli, arguments).stdout_bytes

    workspace.run("run", now=MORNING)

    [book] = workspace.get_output_path("books").iterdir()
    assert book.name == "systems-2026-05-08T0731.epub"
    previewed, delivered = (read_papers(content) for content in (preview, book.read_bytes()))
    assert previewed
    assert previewed == delivered


def read_papers(content: bytes) -> dict[str, bytes]:
    with ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist() if "chapter" in name}


def test_a_test_goes_to_a_folder_as_the_file_has_it_in_its_form(workspace: Workspace) -> None:
    workspace.run("pull", now=MORNING)

    workspace.run("preview", "systems", "--to", "files:books", now=MORNING)

    [book] = workspace.get_output_path("books").iterdir()
    assert b"<dc:title>[test] systems 2026-05-08" in book.read_bytes()


def test_books_are_not_taken_for_pages_that_the_overview_links_to(workspace: Workspace) -> None:
    workspace.run("run", now=MORNING)

    assert "books" not in workspace.get_output_path("index.html").read_text("utf-8")


def test_a_terminal_gets_no_book(workspace: Workspace) -> None:
    terminal, stdout = os.openpty()
    command = [sys.executable, "-m", "digest", "preview", "systems", "--format", "epub"]
    config = ["--config", str(workspace.folder / "digest.toml")]
    with os.fdopen(terminal), os.fdopen(stdout, "wb") as output:
        ran = subprocess.run([*command, *config], stdout=output, stderr=subprocess.PIPE, check=False)

    assert ran.returncode == 2
    assert (
        b"an EPUB is not text; write it to a file: digest preview systems --format epub > systems.epub"
        in ran.stderr
    )
