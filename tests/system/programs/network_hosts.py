"""Simulated machines: each has a network, a name, processes and a small disk of its own, and all are at one switch.

Only root can make them, with iproute2 and util-linux.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from tests.system.programs.installed import require_program


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkHost:
    """A simulated machine.

    Attributes:
        name: its name, which its network namespace and its port at the switch have, too.
        address: its address at the switch.
        disk: a folder on a small file system of its own.
        environment: the variables of its programs.
    """

    name: str
    address: str
    disk: Path
    environment: Mapping[str, str]

    def make_command(self, command: Sequence[str], *, own_processes: bool = True) -> list[str]:
        """Return the command that runs another one on this machine.

        Args:
            command: what is to be run.
            own_processes: whether it sees only processes that it starts; all of these end with it.
        """
        variables = [f"{name}={value}" for name, value in self.environment.items()]
        enter = ["ip", "netns", "exec", self.name]
        if not own_processes:
            return [*enter, "env", *variables, *command]
        namespaces = ["unshare", "--uts", "--pid", "--fork", "--mount-proc", "--kill-child", "--"]
        set_name = ["sh", "-c", 'hostname "$0" && exec env "$@"', self.name]
        return [*enter, *namespaces, *set_name, *variables, *command]

    def start(self, command: Sequence[str], log: IO[Any]) -> subprocess.Popen[bytes]:
        """Start a program that sees only its own processes."""
        return subprocess.Popen(
            self.make_command(command), cwd=self.disk, stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )

    def list_processes(self) -> list[int]:
        """Return the numbers of its processes, the oldest first."""
        return sorted(map(int, _run("ip", "netns", "pids", self.name).split()))

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal to all its processes."""
        for process in self.list_processes():
            with suppress(ProcessLookupError):
                os.kill(process, number)

    def cut_network(self) -> None:
        """Lose all packets from it and to it."""
        _run("ip", "link", "set", self.name, "down")

    def restore_network(self) -> None:
        """Let packets pass again."""
        _run("ip", "link", "set", self.name, "up")

    def fill_disk(self) -> None:
        """Fill its disk; a program may still use what is left of a block."""
        with (self.disk / "full").open("wb") as file:
            size = 1 << 30
            while size >= 1 << 12:
                try:
                    os.posix_fallocate(file.fileno(), file.seek(0, os.SEEK_END), size)
                except OSError:
                    size //= 2

    def free_disk(self) -> None:
        """Free what filled its disk."""
        (self.disk / "full").unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class Network:
    """A switch.

    Attributes:
        name: its name, with which the names of all that belongs to it begin.
        address: the address of this machine at it.
        prefix: what all addresses at it begin with.
        folder: has the disks of hosts.
        stack: takes everything away in the end.
    """

    name: str
    address: str
    prefix: str
    folder: Path
    stack: ExitStack

    def add_host(self, number: int, environment: Mapping[str, str], *, disk_size: str) -> NetworkHost:
        """Add a machine.

        Args:
            number: its number, from 1.
            environment: the variables of its programs.
            disk_size: the size of its disk, as ``mount`` takes it.
        """
        name, address = f"{self.name}-{number}", f"{self.prefix}.{10 + number}"
        disk = self.folder / name
        disk.mkdir()
        _run("mount", "-t", "tmpfs", "-o", f"mode=777,size={disk_size}", "tmpfs", str(disk))
        self.stack.callback(_run, "umount", "--lazy", str(disk))
        _run("ip", "netns", "add", name)
        host = NetworkHost(name=name, address=address, disk=disk, environment=environment)
        self.stack.callback(_remove_host, host)
        _run("ip", "link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", name)
        _run("ip", "link", "set", name, "master", self.name, "up")
        _run("ip", "-n", name, "address", "add", f"{address}/24", "dev", "eth0")
        for device in ("eth0", "lo"):
            _run("ip", "-n", name, "link", "set", device, "up")
        return host


@contextmanager
def make_network(folder: Path) -> Iterator[Network]:
    """Make a switch within the block; its name and addresses are those of this process.

    Args:
        folder: for the disks of hosts.
    """
    for program in ("ip", "unshare", "mount"):
        require_program(program)
    with ExitStack() as stack:
        name, prefix = f"dg{os.getpid()}", f"10.213.{os.getpid() % 250}"
        address = f"{prefix}.1"
        _run("ip", "link", "add", name, "type", "bridge")
        stack.callback(_run, "ip", "link", "delete", name)
        _run("ip", "address", "add", f"{address}/24", "dev", name)
        _run("ip", "link", "set", name, "up")
        yield Network(name, address, prefix, folder, stack)


def _remove_host(host: NetworkHost) -> None:
    host.send_signal(signal.SIGKILL)
    _run("ip", "netns", "delete", host.name)
    with suppress(subprocess.CalledProcessError):  # it may have gone with the namespace
        _run("ip", "link", "delete", host.name)


def _run(*command: str) -> str:
    return subprocess.run(command, check=True, text=True, capture_output=True).stdout
