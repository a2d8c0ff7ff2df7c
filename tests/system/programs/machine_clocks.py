"""The clocks of simulated machines: they sleep together from one instant to the next, and one of them may be wrong."""

from __future__ import annotations

import mmap
import struct
import subprocess
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.system.programs.installed import require_program

_SOURCE = Path(__file__).with_name("machine_clock.c")
_SIZE = 4096
_NUMBER = struct.Struct("=q")
_NANOSECONDS = 1_000_000_000


class MachineClocks(AbstractContextManager["MachineClocks"]):
    """The clocks of several machines, for programs that are started with the variables of ``get_variables``.

    Between two calls of ``sleep_until`` they go as the real clock does. Sleep is what it would be for machines that are
    suspended: the time of day and the time since the start move, the time by which programs wait does not.
    """

    def __init__(self, folder: Path) -> None:
        """Compile the clock.

        Args:
            folder: one that other users may enter; it has the clock's files.
        """
        self._library = folder / "machine_clock.so"
        compiler = require_program("cc")
        subprocess.run([compiler, "-shared", "-fPIC", "-O2", "-o", self._library, _SOURCE], check=True)
        self._file = folder / "machine_clock"
        self._file.write_bytes(bytes(_SIZE))
        self._file.chmod(0o644)
        with self._file.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), _SIZE)

    def __exit__(self, *_exc: object) -> None:
        self._map.close()

    def get_variables(self, number: int) -> Mapping[str, str]:
        """Return the environment of the programs of a machine."""
        return {
            "LD_PRELOAD": str(self._library),
            "MACHINE_CLOCK_FILE": str(self._file),
            "MACHINE_CLOCK_NUMBER": str(number),
        }

    def get_time(self) -> datetime:
        """Return the time that a right clock shows."""
        return datetime.fromtimestamp(time.time() + self._read(0) / _NANOSECONDS, UTC)

    def sleep_until(self, instant: datetime) -> None:
        """Let all machines sleep until an instant; an earlier one than now is for machines that do not run."""
        self._write(0, round((instant.timestamp() - time.time()) * _NANOSECONDS))

    def set_error(self, number: int, error: timedelta) -> None:
        """Let the clock of a machine be ahead by so much."""
        self._write(1 + number, round(error.total_seconds() * _NANOSECONDS))

    def _read(self, place: int) -> int:
        (value,) = _NUMBER.unpack_from(self._map, place * _NUMBER.size)
        return int(value)

    def _write(self, place: int, value: int) -> None:
        _NUMBER.pack_into(self._map, place * _NUMBER.size, value)
