"""``digest backfill``: fetch past days."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from digest.cli.terminal.options import (
    config_option,
    json_option,
    now_option,
    open_configured_app,
    print_json,
)

_DAY = click.DateTime(formats=["%Y-%m-%d"])


@click.command()
@click.argument("source")
@click.option(
    "--from", "first", type=_DAY, required=True, metavar="DAY", help="The first day, such as 2026-06-01."
)
@click.option("--until", "last", type=_DAY, required=True, metavar="DAY", help="The last day.")
@click.option("--section", "only", multiple=True, help="Only this section; can be given several times.")
@config_option
@now_option
@json_option
def backfill(  # noqa: PLR0917 - one parameter for each option
    source: str,
    first: datetime,
    last: datetime,
    only: tuple[str, ...],
    config: Path | None,
    now: datetime | None,
    *,
    as_json: bool,
) -> int:
    """Fetch past days from SOURCE, whatever is already in the database.

    Papers that were missing since the source was first queried are in the next edition. Older days only fill
    the database and are not reported. After Ctrl-C, run the command again to continue.

    \b
    Example:
      digest backfill arxiv --from 2026-06-01 --until 2026-06-05
    """  # noqa: D301 - \b tells click not to wrap the lines that follow
    from digest.cli.operations.run import show_events
    from digest.cli.terminal.run_summary import RunSummary
    from digest.jobs.backfill import describe_unreachable, list_past_asks, run_backfill

    with open_configured_app(config, now) as app, app.open_steps(command="backfill") as steps:
        asks = list_past_asks(
            app.store,
            app.sources,
            source,
            section_names=only,
            first=first.date(),
            last=last.date(),
            now=app.clock(),
        )
        warning = describe_unreachable(app.sources[source], first.date(), last.date(), app.clock())
        if warning:
            click.echo(f"{click.style('Warning:', fg='yellow')} {warning}", err=True)
        summary = RunSummary(show_events(run_backfill(steps, asks), quiet=as_json))
        if as_json:
            document = summary.make_document()
            cycle_fields = {key: document[key] for key in ("pulled", "failed", "error")}
            print_json(cycle_fields | {"left_out": warning})
    return summary.get_exit_status()
