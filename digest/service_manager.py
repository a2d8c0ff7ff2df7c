"""Messages to the service manager: ready, reloading, stopping, alive.

The protocol is that of systemd (sd_notify(3)): datagrams of ``NAME=value`` lines to the socket in ``$NOTIFY_SOCKET``. Other
supervisors and container runtimes know it, too. Without the variable, nothing is sent.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

_MICROSECONDS = 1_000_000


@dataclass(frozen=True, slots=True)
class ServiceManager:
    """The service manager that started this process, if any.

    A message that cannot be sent is lost: the service does not depend on its manager.

    Attributes:
        address: the address of its socket; "" for no service manager. "@" as the first character stands for the abstract
            namespace.
        watchdog_seconds: the longest time between two messages that this process is alive; 0 if none are expected.
    """

    address: str = ""
    watchdog_seconds: float = 0.0

    def notify_ready(self) -> None:
        """Report that the service has started, or has read its configuration again."""
        self._send("READY=1")

    def notify_reloading(self) -> None:
        """Report that the configuration is being read again; ``notify_ready`` ends this."""
        self._send(f"RELOADING=1\nMONOTONIC_USEC={time.monotonic_ns() // 1000}")

    def notify_stopping(self) -> None:
        """Report that the service is about to end."""
        self._send("STOPPING=1")

    def notify_alive(self) -> None:
        """Report that the service works, if the manager expects it."""
        if self.watchdog_seconds:
            self._send("WATCHDOG=1")

    def _send(self, message: str) -> None:
        if not self.address.startswith(
            ("/", "@")
        ):  # sd_notify(3) also has AF_VSOCK, for whole virtual machines
            return
        address = f"\0{self.address[1:]}" if self.address.startswith("@") else self.address
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as connection:
            connection.connect(address)
            connection.send(message.encode())


def find_service_manager(environ: Mapping[str, str]) -> ServiceManager:
    """Return the service manager that the environment names.

    Args:
        environ: the environment; ``WATCHDOG_PID`` names the process that is watched, if it is a certain one.
    """
    microseconds = environ.get("WATCHDOG_USEC", "")
    is_watched = environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    seconds = int(microseconds) / _MICROSECONDS if is_watched and microseconds.isdecimal() else 0.0
    return ServiceManager(environ.get("NOTIFY_SOCKET", ""), seconds)
