"""A rolling restart of workers while they deliver, as a new release is rolled out."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.support.notify_socket import NotifySocket
from tests.support.processes import start_command
from tests.support.timeouts import PATIENCE
from tests.worker.conftest import GatedServer, Lab, wait_until

pytestmark = pytest.mark.long

WORKERS = 3
STOP_SECONDS = 20
"""What the issue, the units and the manifests give a worker to end."""


@pytest.fixture
def readers() -> Sequence[str]:
    return [f"{number}@example.org" for number in range(400)]


def test_a_rolling_restart_under_load_loses_and_repeats_nothing(
    lab: Lab, server: GatedServer, readers: Sequence[str]
) -> None:
    server.seconds = 0.5  # with four connections, 400 mails take 50 s
    stop_times, shares = [], []
    with ExitStack() as stack:

        def start() -> subprocess.Popen[str]:
            return stack.enter_context(start_command(lab.workspace, "worker"))

        workers = [start() for _ in range(WORKERS)]
        wait_until(lambda: len(lab.status()["workers"]) == WORKERS)
        for index, worker in enumerate(workers):
            count = len(server.received)
            wait_until(lambda count=count: len(server.received) > count + 10)  # type: ignore[misc]
            began_at = time.monotonic()
            worker.send_signal(signal.SIGTERM)
            worker.communicate(timeout=STOP_SECONDS)
            stop_times.append(time.monotonic() - began_at)
            shares.append(len(server.received) / len(readers))
            assert worker.returncode == 0
            workers[index] = start()
        wait_until(lambda: lab.count_states() == {"sent": len(readers)})
        for worker in workers:
            worker.send_signal(signal.SIGTERM)
            worker.communicate(timeout=STOP_SECONDS)
            assert worker.returncode == 0

    assert shares[-1] < 1, f"the last restart came after the last mail: {shares}"
    assert lab.count_mails() == dict.fromkeys(readers, 1)
    assert lab.status()["workers"] == []
    print(f"\nstopped after {stop_times} s, with {shares} of the mails sent")  # noqa: T201 - for -s


def test_a_worker_tells_its_service_manager_what_it_does(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with NotifySocket(tmp_path) as manager:
        monkeypatch.setenv("NOTIFY_SOCKET", manager.address)
        monkeypatch.setenv("WATCHDOG_USEC", "3000000")
        with start_command(lab.workspace, "worker", "--processes", "2") as worker:
            manager.read_until("READY=1", pings=2)
            worker.send_signal(signal.SIGHUP)
            manager.read_until("RELOADING=1").read_until("READY=1", pings=1)
            worker.send_signal(signal.SIGTERM)
            manager.read_until("STOPPING=1")
            assert worker.wait(PATIENCE) == 0

    assert manager.messages == ["READY=1", "RELOADING=1", "READY=1", "STOPPING=1"]
