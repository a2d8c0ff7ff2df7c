"""The clock of a command: that of the machine, or one that stands still."""

from __future__ import annotations

from datetime import UTC, datetime

from digest.errors import ConfigError
from digest.jobs.http.fetch import Clock
from digest.store.database import clock as clocks
from digest.store.database.engine import Store
from digest.store.operations import clock_repair

_MAX_CLOCK_OFFSET = 24 * 3600
"""Maximum offset of ``--now`` from the machine's clock, in seconds, in a store that was created without ``--now``."""


def make_clock(store: Store, now: datetime | None) -> tuple[Clock, tuple[str, ...]]:
    """Make the clock of a command, and warnings about the time.

    Real and simulated time do not mix in a store: in one that was created with ``--now``, a command without it acts at
    the time of the last command.

    Raises:
        ConfigError: ``--now`` is far from the machine's clock in a store that was not created with it.
    """
    machine_time = datetime.now(UTC)
    is_far = now is not None and abs((now - machine_time).total_seconds()) > _MAX_CLOCK_OFFSET
    with store.begin_write() as tx:
        is_simulated = clocks.check_started_with_now(tx, has_now_option=now is not None)
        if is_far and not is_simulated:
            raise ConfigError(
                "--now is more than a day from the clock, but this database was created without it; use a separate database for experiments ([store] url)"
            )
        last_seen = clocks.read_latest_seen(tx)
        current_time = now or (last_seen if is_simulated and last_seen else machine_time)
        warnings: tuple[str, ...] = ()
        if last_seen is not None and clocks.is_set_back(current_time, last_seen):
            warnings = (
                clock_repair.describe_time_jump(
                    current_time, last_seen, is_behind=clock_repair.is_behind(tx, current_time)
                ),
            )
        elif now is None or is_simulated:  # --now must not become the latest time of a store with real time
            clocks.record_time(tx, current_time)
    is_fixed = now is not None or is_simulated
    return (lambda: current_time) if is_fixed else read_machine_clock, warnings


def read_machine_clock() -> datetime:
    """Return the time of this machine, UTC."""
    return datetime.now(UTC)
