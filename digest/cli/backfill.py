"""The command that asks for past days."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from digest.cli.terminal.options import config_option, json_option, now_option, opened, print_json

_DAY = click.DateTime(formats=["%Y-%m-%d"])


@click.command()
@click.argument("source")
@click.option(
    "--from", "first", type=_DAY, required=True, metavar="DAY", help="The first day, as 2026-06-01."
)
@click.option("--until", "last", type=_DAY, required=True, metavar="DAY", help="The last day.")
@click.option("--section", "only", multiple=True, help="Only this section; can be given several times.")
@config_option
@now_option
@json_option
def backfill(  # noqa: PLR0917 - a command gets what was typed
    source: str,
    first: datetime,
    last: datetime,
    only: tuple[str, ...],
    config: Path | None,
    now: datetime | None,
    *,
    as_json: bool,
) -> int:
    """Ask SOURCE for past days, whatever is known of them.

    Days since the source was first asked are repaired: what was missing of them is told in the next
    edition. Older days fill the store, and are told to nobody. Ctrl-C stops it; asked again it goes on.

    \b
    Example:
      digest backfill arxiv --from 2026-06-01 --until 2026-06-05
    """  # noqa: D301 - click knows the character, and takes the lines after it as they are
    from digest.cli.operations.run import shown
    from digest.cli.terminal.run_summary import Account
    from digest.jobs.backfill import backfilling, left_out, past_asks

    with opened(config, now) as app, app.steps() as steps:
        asks = past_asks(
            app.store,
            app.sources,
            source,
            only=only,
            first=first.date(),
            last=last.date(),
            now=app.clock(),
        )
        missed = left_out(app.sources[source], first.date(), last.date(), app.clock())
        if missed:
            click.echo(f"{click.style('Warning:', fg='yellow')} {missed}", err=True)
        account = Account(shown(backfilling(steps, asks), quiet=as_json))
        if as_json:
            document = account.document()
            kept = {key: document[key] for key in ("pulled", "failed", "error")}
            print_json(kept | {"left_out": missed})
    return account.exit_status()
