"""What the process that starts others does when they hang, and tells the service manager."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from digest.worker import supervisor as supervisors
from digest.worker.supervisor import Supervisor
from tests.support.notify_socket import NotifySocket
from tests.support.timeouts import PATIENCE


class NoMemory:
    """An argument with which no process can be started, as without memory; the service manager then stops the worker."""

    def __reduce__(self) -> Any:
        os.kill(os.getpid(), signal.SIGTERM)
        raise OSError("Cannot allocate memory")


@pytest.fixture(autouse=True)
def signal_handlers() -> Iterator[None]:
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)}
    yield
    for number, handler in handlers.items():
        signal.signal(number, handler)


def wait_for_end(_argument: NoMemory, closing: threading.Event) -> None:
    closing.wait()


def note_start(folder: Path, closing: threading.Event) -> None:
    (folder / str(os.getpid())).touch()
    closing.wait()


def wait_for_starts(folder: Path, count: int) -> set[int]:
    deadline = time.monotonic() + PATIENCE
    while len(list(folder.iterdir())) < count:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return {int(file.name) for file in folder.iterdir()}


def test_a_process_that_hangs_is_killed_and_another_one_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(supervisors, "_SIGN_SECONDS", 0.2)
    monkeypatch.setattr(supervisors, "_HANG_SECONDS", 10.0)
    supervisor = Supervisor(run=note_start, arguments=(tmp_path,), process_count=2, is_usable=lambda: True)

    def stop_one() -> tuple[int, set[int]]:
        try:
            hung, other = wait_for_starts(tmp_path, 2)
            os.kill(hung, signal.SIGSTOP)
            started = wait_for_starts(tmp_path, 3) - {hung, other}
            with pytest.raises(ProcessLookupError):
                os.kill(hung, 0)
            os.kill(other, 0)
            return hung, started
        finally:
            os.kill(os.getpid(), signal.SIGTERM)

    with ThreadPoolExecutor(1) as operator:
        stopped = operator.submit(stop_one)
        assert supervisor.run_until_signal()

    hung, others = stopped.result()
    assert len(others) == 1
    assert [record.message for record in caplog.records] == [
        f"Process {hung} of the worker hangs; it is killed and started again."
    ]


def test_a_worker_of_which_no_process_can_be_started_is_not_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with NotifySocket(tmp_path) as notify_socket:
        monkeypatch.setenv("NOTIFY_SOCKET", notify_socket.address)
        supervisor = Supervisor(
            run=wait_for_end, arguments=(NoMemory(),), process_count=1, is_usable=lambda: True
        )

        supervisor.run_until_signal()

        assert notify_socket.read_until("STOPPING=1").messages == ["STOPPING=1"]
