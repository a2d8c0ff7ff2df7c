"""What the process that starts others tells the service manager."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from digest.worker.supervisor import Supervisor
from tests.support.notify_socket import NotifySocket


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
