"""Messages to the service manager, and which ones the commands that run as services send."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from digest.service_manager import ServiceManager, find_service_manager
from tests.support.cases import for_each_case
from tests.support.notify_socket import NotifySocket
from tests.support.processes import start_command
from tests.support.timeouts import PATIENCE
from tests.support.workspace import Workspace

CONFIG = """
[site]
url = "http://127.0.0.1:8080"

[[source]]
use = "arxiv"
categories = ["cs.DC"]
routes = ["rss"]
url = "http://127.0.0.1:9/"

[[digest]]
name = "mine"
to = ["files:mail"]
schedule = "daily 7:00"
keywords = ["model"]
"""


@pytest.fixture(params=["path", "abstract"])
def notify_socket(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[NotifySocket]:
    with NotifySocket(tmp_path if request.param == "path" else None) as notify_socket:
        yield notify_socket


def test_a_service_manager_gets_what_systemd_documents(notify_socket: NotifySocket) -> None:
    manager = find_service_manager({"NOTIFY_SOCKET": notify_socket.address, "WATCHDOG_USEC": "3000000"})

    before = time.monotonic_ns() // 1000
    for notify in (manager.notify_ready, manager.notify_reloading, manager.notify_stopping):
        notify()
    manager.notify_alive()

    assert manager.watchdog_seconds == 3
    assert notify_socket.read() == "READY=1"
    reloading, _, since = notify_socket.read().partition("\nMONOTONIC_USEC=")
    assert reloading == "RELOADING=1"
    assert before <= int(since) <= time.monotonic_ns() // 1000
    assert notify_socket.read() == "STOPPING=1"
    assert notify_socket.read() == "WATCHDOG=1"


@for_each_case("address", ["", "/nowhere/notify", "@digest-nobody", "vsock:2:1234", "nonsense"])
def test_a_service_works_without_a_manager(address: str) -> None:
    manager = ServiceManager(address, watchdog_seconds=1)

    manager.notify_ready()
    manager.notify_alive()


@for_each_case(
    "environ",
    [
        {},
        {"WATCHDOG_USEC": "soon"},
        {"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"},  # meant for another process
    ],
)
def test_there_are_no_pings_where_none_are_expected(environ: dict[str, str], tmp_path: Path) -> None:
    with NotifySocket(tmp_path) as notify_socket:
        manager = find_service_manager({**environ, "NOTIFY_SOCKET": notify_socket.address})
        manager.notify_alive()
        manager.notify_ready()

        assert manager.watchdog_seconds == 0
        assert notify_socket.read() == "READY=1"


def test_a_watchdog_may_name_this_process() -> None:
    environ = {"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": str(os.getpid())}

    assert find_service_manager(environ).watchdog_seconds == 30


@pytest.mark.parametrize("command", ["serve", "web"])
def test_serve_and_web_tell_their_manager_what_they_do(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = Workspace(tmp_path)
    workspace.write(CONFIG)
    workspace.run("apply")
    with NotifySocket(tmp_path) as manager:
        monkeypatch.setenv("NOTIFY_SOCKET", manager.address)
        monkeypatch.setenv("WATCHDOG_USEC", "300000")
        with start_command(workspace, command, "--port", "0") as process:
            manager.read_until("READY=1", pings=3)
            process.send_signal(signal.SIGHUP)
            manager.read_until("RELOADING=1").read_until("READY=1", pings=1)
            workspace.write("nonsense")
            process.send_signal(signal.SIGHUP)  # the old file stays in force
            manager.read_until("RELOADING=1").read_until("READY=1", pings=1)
            process.send_signal(signal.SIGTERM)
            manager.read_until("STOPPING=1")
            assert process.wait(PATIENCE) == 0

        assert manager.messages == ["READY=1", *["RELOADING=1", "READY=1"] * 2, "STOPPING=1"]
