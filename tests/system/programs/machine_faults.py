"""Machines that work on one database while faults befall them."""

from __future__ import annotations

import heapq
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import count
from pathlib import Path

from tests.simulation.fault_plan import SENDER, Fault, FaultKind
from tests.system.programs.machine_clocks import MachineClocks
from tests.system.programs.network_hosts import NetworkHost
from tests.system.programs.postgres_host import PostgresHost

CLOCK_ERROR = timedelta(minutes=10)
_RESTART_SECONDS = 2.0
"""Seconds until a service manager starts a worker again."""


@dataclass(slots=True)
class WorkerMachine:
    """A machine with a worker.

    Attributes:
        host: the machine.
        command: what its service manager runs.
        log: where its output goes.
        process: what runs; None until it is started.
    """

    host: NetworkHost
    command: Sequence[str]
    log: Path
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the worker."""
        with self.log.open("ab") as log:
            self.process = self.host.start(self.command, log)

    def run(self, *command: str) -> None:
        """Run another command of ours to its end."""
        with self.log.open("ab") as log:
            process = self.host.start([*make_digest_command(self.host), *command], log)
            assert process.wait() == 0, self.log.read_text("utf-8", errors="replace")[-3000:]

    def stop(self) -> None:
        """Tell the worker to stop, and wait until it has."""
        assert self.process is not None
        for number in self.host.list_processes():
            if _is_first_process(number):
                os.kill(number, signal.SIGTERM)
        assert self.process.wait() == 0


def make_digest_command(host: NetworkHost) -> list[str]:
    """Return the beginning of each of our commands on a machine, with the file that it has on its disk."""
    environment = f"DIGEST_CONFIG={host.disk}/digest.toml"
    return ["env", environment, f"TMPDIR={host.disk}", sys.executable, "-m", "digest"]


def _is_first_process(number: int) -> bool:
    """Whether a process is the first one of its namespace."""
    lines = Path(f"/proc/{number}/status").read_text("ascii").splitlines()
    numbers = next(line for line in lines if line.startswith("NSpid:")).split()[1:]
    return len(numbers) > 1 and numbers[-1] == "1"


@dataclass(slots=True, kw_only=True)
class Site(AbstractContextManager["Site"]):
    """All machines: throws faults, and ends them when they are over.

    Attributes:
        workers: the machines with workers.
        server: the database.
        clocks: the clocks of all machines.
        counts: how many faults there were, by kind and machine.
    """

    workers: Sequence[WorkerMachine]
    server: PostgresHost
    clocks: MachineClocks
    counts: Counter[tuple[FaultKind, str]] = field(default_factory=Counter)
    _ends: list[tuple[float, int, Callable[[], None]]] = field(default_factory=list)
    _numbers: count[int] = field(default_factory=count)

    def __exit__(self, *_exc: object) -> None:
        self.end_faults()
        for worker in self.workers:
            worker.host.send_signal(signal.SIGKILL)
            if worker.process is not None:
                worker.process.wait()

    @property
    def has_faults(self) -> bool:
        """Whether some fault is not over yet."""
        return bool(self._ends)

    def tend(self) -> None:
        """End faults that are over, and start workers again that have ended."""
        while self._ends and self._ends[0][0] <= time.monotonic():
            heapq.heappop(self._ends)[2]()
        for worker in self.workers:
            if worker.process is not None and worker.process.poll() is not None:
                worker.process = None
                self._after(_RESTART_SECONDS, worker.start)

    def end_faults(self) -> None:
        """End all faults at once."""
        while self._ends:
            heapq.heappop(self._ends)[2]()

    def throw(self, fault: Fault, sender: str) -> None:
        """Let a fault befall its machine.

        Args:
            fault: the fault.
            sender: the address of the machine that sent the last mail; "" if there is none.
        """
        hosts = [*(worker.host for worker in self.workers), self.server.host]
        addresses = [host.address for host in hosts]
        number = 1 + addresses.index(sender) if fault.machine == SENDER and sender else fault.machine or 1
        host = hosts[number - 1]
        self.counts[fault.kind, host.address] += 1
        match fault.kind:
            case FaultKind.KILL:
                _kill(host, all_processes=fault.choice)
            case FaultKind.STOP:
                host.send_signal(signal.SIGSTOP)
                self._after(fault.seconds, lambda: host.send_signal(signal.SIGCONT))
            case FaultKind.CUT:
                host.cut_network()
                self._after(fault.seconds, host.restore_network)
            case FaultKind.RESTART:
                self.server.restart("immediate" if fault.choice else "fast")
            case FaultKind.DROP:
                self.server.proxy.drop_next_commit(host.address, is_done=fault.choice)
            case FaultKind.CLOCK:
                error = CLOCK_ERROR if fault.choice else -CLOCK_ERROR
                self.clocks.set_error(number, error)
                self._after(fault.seconds, lambda: self.clocks.set_error(number, timedelta(0)))
            case FaultKind.DISK:
                host.fill_disk()
                self._after(
                    fault.seconds, self.server.free_disk if host is self.server.host else host.free_disk
                )

    def _after(self, seconds: float, action: Callable[[], None]) -> None:
        heapq.heappush(self._ends, (time.monotonic() + seconds, next(self._numbers), action))


def _kill(host: NetworkHost, *, all_processes: bool) -> None:
    """Kill all processes of a machine, or the last one that was started: a worker's one that works."""
    numbers = host.list_processes()
    for number in numbers if all_processes else numbers[-1:]:
        with suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)
