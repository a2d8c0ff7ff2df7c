"""`digest init` on a terminal, as somebody who begins uses it."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from signal import SIGINT

from click.testing import CliRunner

from digest.cli import cli
from digest.config import read_settings
from tests.support.processes import kill_at_end

ROOT = Path(__file__).parents[3]


@contextmanager
def started(folder: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """It and the terminal that it reads from."""
    ours, theirs = pty.openpty()
    try:
        process = subprocess.Popen(
            [sys.executable, "-m", "digest", "init", str(folder)],
            cwd=ROOT,
            stdin=theirs,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        with kill_at_end(process):
            yield process, ours
    finally:
        os.close(ours)
        os.close(theirs)


def init(folder: Path, lines: Sequence[str]) -> str:
    """Answer its questions; gives what it printed."""
    with started(folder) as (process, terminal):
        os.write(terminal, "".join(f"{line}\n" for line in lines).encode())
        printed, _ = process.communicate()
    assert process.returncode == 0, printed
    return str(printed)


def test_enter_alone_makes_a_file_that_works_and_follows_nobody(tmp_path: Path) -> None:
    printed = init(tmp_path, [""] * 8)
    settings = read_settings(tmp_path / "digest.toml", {})
    [digest] = settings.digests

    assert [follow.query for follow in digest.follows] == ["category:cs.LG"]
    assert [destination.channel for destination in digest.destinations] == ["files"]
    assert f"digest check --config {tmp_path}/digest.toml" in printed


def test_the_address_that_was_typed_is_kept_although_there_is_no_server_yet(tmp_path: Path) -> None:
    printed = init(tmp_path, ["", "", "ada@example.org", "", "", "", ""])
    settings = read_settings(tmp_path / "digest.toml", {})

    assert settings.site.contact == "ada@example.org"
    assert '\n# to = ["ada@example.org"]\n' in (tmp_path / "digest.toml").read_text("utf-8")
    assert "editions for ada@example.org are written to files" in printed


def test_an_address_beyond_ascii_stands_in_the_file_as_it_was_typed_and_mail_goes_to_what_dns_has(
    tmp_path: Path,
) -> None:
    init(tmp_path, ["", "", "Foo@exämple.org", "smtp.example.org", "", "", "UTC"])
    text = (tmp_path / "digest.toml").read_text("utf-8")

    assert 'to = ["Foo@exämple.org"]' in text
    assert 'from = "Foo@exämple.org"' in text
    settings = read_settings(tmp_path / "digest.toml", {"DIGEST_SMTP_PASSWORD": "x"})
    assert [to.address for to in settings.digests[0].destinations] == ["Foo@xn--exmple-cua.org"]
    assert settings.smtp is not None
    assert settings.smtp.from_address == "Foo@xn--exmple-cua.org"
    assert 'username = "Foo@xn--exmple-cua.org"' in text, "logins are in ASCII"


def test_what_is_wrong_is_asked_again_and_said_why(tmp_path: Path) -> None:
    answers = [
        *("cs.LGG", "cs.LG, math.CO"),
        *("()", "(foo", "KV cache, kv cache, graph minor"),
        *("ada", "ann@exmaple", "ada@example.org"),
        *("smtp.example.org:587", "smtp.example.org"),
        "",
        *("25:00", "18:15"),
        *("Berlin", "Europe/Berlin"),
    ]
    printed = init(tmp_path, answers)
    settings = read_settings(tmp_path / "digest.toml", {"DIGEST_SMTP_PASSWORD": "pw"})
    [digest] = settings.digests

    assert len(re.findall("^Error: |: Error: ", printed, re.MULTILINE)) == 8
    assert settings.sources[0].options == {"categories": ["cs.LG", "math.CO"]}
    assert [follow.text for follow in digest.follows] == ["KV cache", "graph minor"]
    assert [destination.address for destination in digest.destinations] == ["ada@example.org"]
    assert (digest.schedule.at, digest.options.timezone) == ("18:15", "Europe/Berlin")
    assert settings.smtp is not None
    assert settings.smtp.relays[0].username == "ada@example.org"


def test_ctrl_c_at_a_question_writes_nothing_and_says_so(tmp_path: Path) -> None:
    with started(tmp_path / "new") as (process, _):
        assert process.stdout is not None
        process.stdout.readline()  # "A few questions."
        process.stdout.read(1)  # and the first one
        process.send_signal(SIGINT)
        printed, _ = process.communicate()

    assert process.returncode == 130
    assert printed.endswith("Stopped.\n")
    assert not (tmp_path / "new").exists()


def test_without_a_terminal_it_asks_nothing(tmp_path: Path) -> None:
    result = CliRunner().invoke(cli, ["init", str(tmp_path)])

    assert result.exit_code == 0
    assert read_settings(tmp_path / "digest.toml", {}).digests
