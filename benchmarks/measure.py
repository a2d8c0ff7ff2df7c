"""How the benchmarks measure: CPU time of this process, medians of repeats that take turns."""

from __future__ import annotations

import os
import resource
import statistics
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import process_time

DATA = Path(os.environ.get("DIGEST_TEST_DATA") or Path(__file__).parents[2] / "shared" / "data")
"""The recorded listings; see the README there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A candidate beside its peer.

    Attributes:
        seconds: of CPU, or what ``clock`` says; the median.
        times: the peer's seconds divided by these.
        wanted: the least that ``times`` should be; None for what is only shown.
    """

    work: str
    candidate: str
    seconds: float
    times: float
    wanted: float | None = None
    clock: str = "CPU"

    @property
    def met(self) -> bool:
        """Whether it is as fast as wanted."""
        return self.wanted is None or self.times >= self.wanted


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What a benchmark found; or, with no rows, why it was not run."""

    title: str
    rows: tuple[Row, ...] = ()

    @property
    def met(self) -> bool:
        """Whether all is as wanted."""
        return all(row.met for row in self.rows)

    def table(self) -> str:
        """The result for people."""
        lines = [self.title]
        for row in self.rows:
            judged = f"wanted {row.wanted:.2f}: {'met' if row.met else 'MISSED'}" if row.wanted else ""
            figures = f"{row.seconds * 1000:9.1f} ms {row.clock} {row.times:7.2f}×"
            lines.append(f"  {row.work:<26} {row.candidate:<36} {figures}  {judged}".rstrip())
        return "\n".join(lines)


def cpu_seconds(
    candidates: Mapping[str, Callable[[], object]],
    *,
    repeats: int,
    clock: Callable[[], float] = process_time,
) -> dict[str, float]:
    """The median CPU seconds of each candidate; they take turns, so that a busy moment hits them all.

    Args:
        candidates: what to run, by name.
        repeats: how many turns.
        clock: counts this process's CPU seconds, or with ``children`` those of the processes it waited for.
    """
    taken: dict[str, list[float]] = {name: [] for name in candidates}
    for _ in range(repeats):
        for name, work in candidates.items():
            begun = clock()
            work()
            taken[name].append(clock() - begun)
    return {name: statistics.median(seconds) for name, seconds in taken.items()}


def children() -> float:
    """The CPU seconds, user and system, of the processes that this one has waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def recorded(*paths: str) -> list[bytes] | None:
    """The recorded files, or None where the recordings are not beside the checkout.

    Raises:
        FileNotFoundError: they are not there in CI, where they must be.
    """
    if not DATA.is_dir() and not os.environ.get("CI"):
        return None
    return [(DATA / path).read_bytes() for path in paths]
