"""Lines of the log about runs and their shards."""

from __future__ import annotations

from datetime import datetime

from digest.event_log import LogEvent, log_event
from digest.model import ALERT_PREFIX, Run
from digest.render.languages.english import format_count
from digest.store.editions.runs import NewRun, Shard


def log_fired_run(run: NewRun) -> None:
    """Log that a schedule was due, or that there are alerts."""
    name = "alerts" if run.period.startswith(ALERT_PREFIX) else run.period
    log_event(LogEvent.RUN_FIRED, f"Run {run.id} of {name} has fired.", run=run.id, period=run.period)


def log_closed_run(run: Run, now: datetime) -> None:
    """Log that a run has all that it waited for."""
    seconds = (now - run.fire_at).total_seconds()
    log_event(
        LogEvent.RUN_CLOSED,
        f"Run {run.id} of {run.period} is closed, {seconds:.0f} s after it was due.",
        run=run.id,
        period=run.period,
        seconds=round(seconds, 3),
    )


def log_composed_shard(shard: Shard, edition_count: int, delivery_count: int, seconds: float) -> None:
    """Log that a shard is composed and stored."""
    log_event(
        LogEvent.SHARD_COMPOSED,
        f"Shard {shard.number} of run {shard.run.id} is composed: {format_count(edition_count, 'edition')} with "
        f"{format_count(delivery_count, 'delivery', 'deliveries')} in {seconds:.1f} s.",
        run=shard.run.id,
        shard=shard.number,
        editions=edition_count,
        deliveries=delivery_count,
        seconds=round(seconds, 3),
    )
