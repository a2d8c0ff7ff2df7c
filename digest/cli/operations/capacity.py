"""``digest capacity``: what a day takes, and which limit comes first."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from digest.cli.terminal.options import config_option, json_option, open_configured_app, print_json

if TYPE_CHECKING:
    from digest.jobs.operations.capacity import Capacity
    from digest.jobs.operations.capacity_estimate import CapacityEstimate, CapacityLimit

_MAX_LIMITS = 5
"""Maximum number of limits that are printed; ``--json`` lists all."""


@click.command()
@config_option
@json_option
@click.option(
    "--subscribers",
    type=click.IntRange(1),
    metavar="N",
    help="Estimate for this number of subscribers instead of those in the database.",
)
def capacity(config: Path | None, subscribers: int | None, *, as_json: bool) -> int:
    """Show what a day takes (rows, bytes, CPU, minutes to deliver), and which limit is reached first.

    Counts what the last seven days brought. With --subscribers it estimates from that what another number of
    subscribers would take. CPU is estimated from benchmarks, and does not include that of a PostgreSQL server.

    \b
    Example:
      digest capacity --subscribers 100000
    """  # noqa: D301 - \b tells click not to wrap the lines that follow
    from digest.jobs.operations.capacity import load_capacity

    with open_configured_app(config) as app:
        result = load_capacity(app.store, app.settings, app.clock(), subscribers)
    if as_json:
        print_json(_make_json(result))
    else:
        _print(result)
    return 0


def _print(result: Capacity) -> None:
    from digest.render.languages.english import format_count

    estimate = result.estimate
    use = estimate.use
    basis = f"average of the last {format_count(use.days, 'day')}"
    if use is not estimate.measured:
        basis = f"estimated from {estimate.measured.subscribers:,}, {basis}"
    click.secho(f"A day with {format_count(use.subscribers, 'subscriber')} ({basis})", bold=True)
    click.echo(
        f"  {format_count(use.digests, 'digest')}, {format_count(use.follows, 'follow')}, "
        f"{format_count(use.queries, 'distinct query', 'distinct queries')}, "
        f"{format_count(round(use.papers), 'new paper')}"
    )
    channels = ", ".join(f"{count:,.0f} by {channel}" for channel, count in use.deliveries.items())
    click.echo(
        f"  {format_count(round(use.editions), 'edition')}; deliveries: {channels or 'none in these days'}"
    )
    _print_tables(estimate)
    _print_times(result)
    _print_limits(estimate)


def _print_tables(estimate: CapacityEstimate) -> None:
    kept = f"after {estimate.keep_days} days"
    click.secho(f"{'Tables':14}{'rows a day':>16}{'bytes a day':>14}{kept:>34}", bold=True)
    for table in estimate.tables:
        kept_rows = f"{table.kept_rows:,} rows"
        click.echo(
            f"  {table.table:12}{table.rows:16,}{_format_size(table.size):>14}"
            f"{kept_rows:>22}{_format_size(table.kept_size):>12}"
        )
    total, kept_total = (
        sum(sizes)
        for sizes in zip(*((table.size, table.kept_size) for table in estimate.tables), strict=True)
    )
    click.echo(f"  {'together':12}{'':16}{_format_size(total):>14}{'':22}{_format_size(kept_total):>12}")


def _print_times(result: Capacity) -> None:
    from digest.render.languages.english import format_count

    estimate, resources = result.estimate, result.resources
    click.secho("Time", bold=True)
    if estimate.configured_minutes is not None:
        click.echo(f"  delivery at the configured rates: {_format_minutes(estimate.configured_minutes)}")
    else:
        click.echo("  delivery: no rate is configured")
    if (speed := estimate.use.speed) is not None and estimate.measured_minutes is not None:
        click.echo(
            f"  delivery at the speed of the run of {speed.period}, {speed.deliveries / speed.seconds:,.1f} a second: "
            f"{_format_minutes(estimate.measured_minutes)}"
        )
    if resources.connections:
        click.echo(f"  {format_count(resources.connections, 'connection')} to mail servers")
    click.echo(
        f"  CPU, estimated from benchmarks: {_format_minutes(estimate.cpu_seconds / 60)} "
        f"for {format_count(resources.processes, 'process', 'processes')}"
    )
    if result.last_cycle:
        click.echo(f"  last cycle: {_format_minutes(result.last_cycle.total_seconds() / 60)}")


def _print_limits(estimate: CapacityEstimate) -> None:
    from digest.render.languages.english import format_count

    click.secho("Limits of a day, the first one to be reached first", bold=True)
    for limit in estimate.limits[:_MAX_LIMITS]:
        click.echo(f"  {limit.name:28}{limit.share:9.1%} used   {_describe_reach(limit)}")
    if (more := len(estimate.limits) - _MAX_LIMITS) > 0:
        click.echo(f"  {format_count(more, 'more limit')}: `--json` lists all")
    click.echo("  Fetching takes the same time for any number of subscribers.")


def _describe_reach(limit: CapacityLimit) -> str:
    if limit.subscribers is None:
        return "not reached by more subscribers"
    if limit.share > 1:
        return click.style(f"exceeded from about {_round(limit.subscribers):,} subscribers", fg="red")
    return f"reached at about {_round(limit.subscribers):,} subscribers"


def _round(number: int) -> int:
    """Round to two digits, because no estimate is better."""
    return round(number, -max(0, len(str(number)) - 2))


def _format_minutes(minutes: float) -> str:
    from digest.render.languages.english import format_count

    if minutes < 1:
        return f"{minutes * 60:.1f} s"
    return format_count(round(minutes), "minute") if minutes < 120 else f"{minutes / 60:,.1f} hours"


def _format_size(size: float) -> str:
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:,.0f} {unit}" if unit == "B" else f"{size:,.1f} {unit}"
        size /= 1000
    return f"{size:,.1f} TB"


def _make_json(result: Capacity) -> dict[str, Any]:
    estimate, resources = result.estimate, result.resources
    use = estimate.use
    speed = use.speed
    return {
        "days": use.days,
        "subscribers": use.subscribers,
        "measured_subscribers": estimate.measured.subscribers,
        "digests": use.digests,
        "follows": use.follows,
        "queries": use.queries,
        "papers": round(use.papers),
        "editions": round(use.editions),
        "deliveries": {channel: round(count) for channel, count in use.deliveries.items()},
        "keep_days": resources.keep_days,
        "tables": [
            {
                "table": table.table,
                "rows": table.rows,
                "bytes": table.size,
                "kept_rows": table.kept_rows,
                "kept_bytes": table.kept_size,
            }
            for table in estimate.tables
        ],
        "configured_minutes": _round_minutes(estimate.configured_minutes),
        "measured_minutes": _round_minutes(estimate.measured_minutes),
        "measured_rate": round(speed.deliveries / speed.seconds, 3) if speed else None,
        "measured_period": speed.period if speed else "",
        "connections": resources.connections,
        "cpu_seconds": round(estimate.cpu_seconds, 3),
        "processes": resources.processes,
        "last_cycle_seconds": round(result.last_cycle.total_seconds(), 3) if result.last_cycle else None,
        "limits": [
            {"limit": limit.name, "share": round(limit.share, 6), "subscribers": limit.subscribers}
            for limit in estimate.limits
        ],
        "first_limit": estimate.first_limit.name if estimate.first_limit else None,
    }


def _round_minutes(minutes: float | None) -> float | None:
    return None if minutes is None else round(minutes, 3)
