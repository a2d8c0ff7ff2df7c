"""`digest serve` as a process of its own, by the real clock."""

from __future__ import annotations

import email.policy
import json
import os
import queue
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import datetime
from email import message_from_bytes
from pathlib import Path
from signal import Signals
from typing import Any, Self

import pytest

from digest.cli.terminal.run_summary import MAX_LINES
from digest.demo.publisher import NEW_YORK, Publisher, load_shipped_papers
from digest.testing.mail_server import MailServer
from tests.support.timeouts import PATIENCE
from tests.support.workspace import Workspace, make_config

ROOT = Path(__file__).parents[3]
SMTP = """
[smtp]
host = "127.0.0.1"
port = {port}
security = "none"
from = "Lab digest <digest@example.org>"
"""


class ServeProcess(AbstractContextManager["ServeProcess"]):
    """A process that serves; killed in the end, if it is still there.

    Attributes:
        lines: what it has said so far.
    """

    def __init__(self, workspace: Workspace, heard: queue.SimpleQueue[str] | None = None, *more: str) -> None:
        """Start it.

        Args:
            world: with its configuration.
            heard: gets every line, too: where several processes are listened to.
            more: options.
        """
        self.lines: list[str] = []
        self._log = heard
        self._coming: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        arguments = ["serve", "--every", "1", "--config", str(workspace.folder / "digest.toml"), *more]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "digest", *arguments],
            cwd=ROOT,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self._process.kill()
        self._process.wait()
        self._reader.join()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._coming.put(line)
            if self._log is not None:
                self._log.put(line)
        self._coming.put(None)

    def read_until(self, text: str) -> str:
        """Wait for a line with a text in it; the lines before it are read, too."""
        while (line := self._coming.get(timeout=PATIENCE)) is not None:
            self.lines.append(line)
            if text in line:
                return line
        raise AssertionError(f"it ended without saying {text!r}: {self.lines}")

    def tell(self, number: Signals) -> None:
        self._process.send_signal(number)

    def end(self, *numbers: Signals) -> int:
        """Ask it to stop; gives its exit status."""
        for number in numbers or [Signals.SIGTERM]:
            self.tell(number)
        return self.wait_for_end()

    def wait_for_end(self) -> int:
        """Wait until it ends by itself; gives its exit status."""
        status = self._process.wait(PATIENCE)
        while (line := self._coming.get(timeout=PATIENCE)) is not None:
            self.lines.append(line)
        return status

    @property
    def output(self) -> str:
        return "".join(self.lines)


@pytest.fixture
def today() -> Iterator[Publisher]:
    """arXiv as it is today, announcing the first day of what ships."""
    papers, day = load_shipped_papers(), datetime.now(NEW_YORK).date()
    first = min(paper.day for paper in papers)
    with Publisher([replace(paper, day=day) for paper in papers if paper.day == first], day=day) as publisher:
        yield publisher


@pytest.fixture
def write(tmp_path: Path, today: Publisher, mail_server: MailServer) -> Callable[..., Workspace]:
    workspace = Workspace(tmp_path)

    def write(*addresses: str, change: Callable[[str], str] = str, **more: Any) -> Workspace:
        to = ", ".join(f'"{address}"' for address in addresses)
        workspace.write(change(make_config(today.url, to=to, **more) + SMTP.format(port=mail_server.port)))
        return workspace

    return write


def recipients(server: MailServer) -> Counter[str]:
    return Counter(address for mail in server.received for address in mail.recipients)


def test_it_delivers_what_is_due_and_stops_cleanly(
    write: Callable[..., Workspace], mail_server: MailServer
) -> None:
    with ServeProcess(write("me@example.org")) as serving:
        serving.read_until("me@example.org: sent")
        status = serving.end(Signals.SIGTERM)

    assert status == 0
    assert "Stopped. Nothing is lost" in serving.output
    assert "Traceback" not in serving.output
    assert recipients(mail_server) == {"me@example.org": 1}
    # It has no address on the web.
    assert "Listening" not in serving.output
    message = message_from_bytes(mail_server.received[0].content, policy=email.policy.default)
    assert "https://" not in str(message["List-Unsubscribe"])


def test_with_sign_ups_its_output_has_no_address(
    write: Callable[..., Workspace], mail_server: MailServer
) -> None:
    def add_signup(text: str) -> str:
        site = 'title = "Lab digest"\nurl = "https://digest.example.org"'
        return text.replace('title = "Lab digest"', site) + '\n[signup]\nwho = "anyone"\n'

    with ServeProcess(write("me@example.org", change=add_signup), None, "--port", "0") as serving:
        serving.read_until("→ delivery 1: sent")
        assert serving.end() == 0

    assert "me@example.org" not in serving.output
    assert recipients(mail_server) == {"me@example.org": 1}


def test_with_a_log_as_json_all_that_it_writes_is_json(
    write: Callable[..., Workspace], mail_server: MailServer
) -> None:
    mail_server.refusals["you@example.org"] = "550 5.1.1 <you@example.org> is unknown"
    workspace = write("me@example.org", "you@example.org")
    with ServeProcess(workspace, None, "--log-format", "json") as serving:
        serving.read_until('"event": "deliveries"')
        workspace.write((workspace.folder / "digest.toml").read_text("utf-8").replace("keywords", "keyword"))
        serving.tell(Signals.SIGHUP)
        serving.read_until('"error"')
        assert serving.end() == 0
    with ServeProcess(workspace, None, "--log-format", "json") as broken:
        assert broken.wait_for_end() == 2

    lines = [json.loads(line) for line in serving.lines]
    assert [lines[0]["event"], lines[-1]["event"]] == ["started", "stopped"]
    assert {"run_fired", "pull", "shard_composed", "delivery", "bounce"} <= {line["event"] for line in lines}
    assert "example.org" not in serving.output
    (error,) = [json.loads(line) for line in broken.lines]
    assert (error["event"], error["kind"]) == ("error", "ConfigError")
    assert "keyword" in error["message"]


def test_a_log_as_json_and_a_document_are_not_combined(write: Callable[..., Workspace]) -> None:
    result = write("me@example.org").run("serve", "--json", "--log-format", "json", status=2)

    assert "cannot be combined" in result.errors


@pytest.mark.parametrize("number", [Signals.SIGINT, Signals.SIGTERM], ids=str)
def test_being_told_to_stop_again_and_again_is_no_trouble(
    write: Callable[..., Workspace], number: Signals
) -> None:
    with ServeProcess(write("me@example.org")) as serving:
        serving.read_until("me@example.org: sent")
        status = serving.end(number, number, Signals.SIGHUP, number)

    assert status == 0, serving.output
    assert "Traceback" not in serving.output


def test_it_takes_over_a_changed_file_when_told_so(
    write: Callable[..., Workspace], mail_server: MailServer
) -> None:
    with ServeProcess(write("me@example.org")) as serving:
        serving.read_until("me@example.org: sent")

        write("you@example.org", change=lambda text: text.replace('"systems"', '"others"'))
        serving.tell(Signals.SIGHUP)

        serving.read_until("Running.")
        serving.read_until("others, ")
        assert serving.end() == 0

    assert recipients(mail_server) == {"me@example.org": 1, "you@example.org": 1}


BROKEN: dict[str, Callable[[str], str]] = {
    "limt": lambda text: text.replace("limit = 25", "limt = 25"),
    "nowhere": lambda text: text.replace("sqlite:///digest.db", "sqlite:////nowhere/at/all/digest.db"),
    "cs.XX": lambda text: text.replace('"cs.DC"', '"cs.XX"'),
}
"""What is wrong with a file, by what is told of it: an option, the store, a source."""


def test_a_file_that_cannot_be_used_is_told_and_the_old_one_stays(
    write: Callable[..., Workspace], mail_server: MailServer
) -> None:
    with ServeProcess(write("me@example.org")) as serving:
        serving.read_until("me@example.org: sent")

        for text, change in BROKEN.items():
            write("you@example.org", change=change)
            serving.tell(Signals.SIGHUP)
            serving.read_until(text)
            assert recipients(mail_server) == {"me@example.org": 1}

        write("you@example.org", change=lambda text: text.replace('"systems"', '"others"'))
        serving.tell(Signals.SIGHUP)
        serving.read_until("you@example.org: sent")
        assert serving.end() == 0


def test_two_at_once_send_nothing_twice(write: Callable[..., Workspace], mail_server: MailServer) -> None:
    addresses = [f"{number}@example.org" for number in range(MAX_LINES)]
    workspace = write(*addresses)

    heard: queue.SimpleQueue[str] = queue.SimpleQueue()
    with ServeProcess(workspace, heard) as serve_process, ServeProcess(workspace, heard) as other:
        sent = serving = 0
        while sent < len(addresses) or serving < 2:
            line = heard.get(timeout=PATIENCE)
            sent += ": sent" in line
            serving += "Running." in line
        statuses = [serve_process.end(), other.end()]

    assert statuses == [0, 0], serve_process.output + other.output
    assert recipients(mail_server) == Counter(addresses)
    assert len({message_from_bytes(mail.content)["Message-ID"] for mail in mail_server.received}) == MAX_LINES
    assert "Error" not in serve_process.output + other.output
