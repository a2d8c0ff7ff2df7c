"""The command that removes what is old."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from digest.cli.terminal.options import (
    config_option,
    json_option,
    now_option,
    on_terminal,
    opened,
    print_json,
)

if TYPE_CHECKING:
    from digest.app import App
    from digest.jobs.operations.pruning import Tidied
    from digest.store.operations.pruning import Removed

_TABLES = ("editions", "deliveries", "runs", "listings")
"""Tables that documents name even where nothing of them is removed."""


@click.command()
@config_option
@now_option
@json_option
@click.option("--dry-run", is_flag=True, help="Only say how many rows there are to remove.")
def tidy(config: Path | None, now: datetime | None, *, as_json: bool, dry_run: bool) -> int:
    """Remove from the database what is older than [store] keep says.

    Editions, deliveries, runs and listings go; papers, follows and what readers said stay, and so does whatever is
    still needed. `digest run` and `digest serve` do the same once a day. Ctrl-C stops it, and nothing is lost.
    """
    with opened(config, now) as app:
        if dry_run:
            from digest.jobs.operations.pruning import count_old

            found = count_old(app.store, app.settings.keep, app.clock())
            _print(app, found, None, as_json=as_json)
        else:
            done = _tidied(app)
            _print(app, done.removed, done.size, as_json=as_json)
    return 0


def _tidied(app: App) -> Tidied:
    from digest.cli.terminal.progress import progress
    from digest.jobs.matching.match import Matching
    from digest.jobs.operations.pruning import TidyStep, tidy_all

    with progress(shown=on_terminal()) as bar:
        for one in tidy_all(app.store, app.settings.keep, app.clock()):
            if not isinstance(one, TidyStep):
                return one
            bar.follow(Matching(what="Tidying", done=one.done, total=one.total))
    raise AssertionError("it ends by saying what was removed")


def _print(app: App, found: Sequence[Removed], size: int | None, *, as_json: bool) -> None:
    from digest.render.languages.english import count

    keep = app.settings.keep
    if as_json:
        rows = dict.fromkeys(_TABLES, 0) | {one.table: one.rows for one in found}
        days = None if keep is None else keep.days
        document: dict[str, Any] = {"keep_days": days, "rows": rows, "bytes": size, "dry_run": size is None}
        print_json(document)
        return
    if not found:
        why = "it is kept for ever" if keep is None else f"nothing that can go is older than {keep.days} days"
        click.echo(f"Nothing to remove: {why}.")
        return
    listed = ", ".join(f"{one.rows:,} {one.table}" for one in found)
    total = count(sum(one.rows for one in found), "row")
    if size is None:
        click.echo(f"Would remove {total}: {listed}.")
    else:
        click.echo(f"Removed {total}: {listed}. That frees {size / 1e6:,.1f} MB for what comes next.")
