"""``digest tidy``: remove old rows."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from digest.cli.terminal.options import (
    config_option,
    is_on_terminal,
    json_option,
    now_option,
    open_configured_app,
    print_json,
)

if TYPE_CHECKING:
    from digest.app import App
    from digest.jobs.operations.pruning import PruneResult
    from digest.store.operations.pruning.removed_rows import RemovedRows

_TABLES = ("editions", "deliveries", "runs", "listings", "match_blocks")
"""Tables that the JSON document lists even if none of their rows were removed."""


@click.command()
@config_option
@now_option
@json_option
@click.option("--dry-run", is_flag=True, help="Only say how many rows would be removed.")
def tidy(config: Path | None, now: datetime | None, *, as_json: bool, dry_run: bool) -> int:
    """Remove editions, deliveries, runs and listings that are older than [store] keep allows.

    Papers, follows, feedback of readers and everything that is still needed stay. `digest run` and
    `digest serve` do the same once a day, so you need this only after you have made `keep` shorter. After
    Ctrl-C the next run continues.
    """
    with open_configured_app(config, now) as app:
        if dry_run:
            from digest.jobs.operations.pruning import count_old

            removed = count_old(app.store, app.settings.keep, app.clock())
            _print(app, removed, None, as_json=as_json)
        else:
            outcome = _run_tidy(app)
            _print(app, outcome.removed, outcome.size, as_json=as_json)
    return 0


def _run_tidy(app: App) -> PruneResult:
    from digest.cli.terminal.progress import show_progress
    from digest.jobs.matching.match import MatchProgress
    from digest.jobs.operations.pruning import PruneStep, prune_all

    with show_progress(is_enabled=is_on_terminal()) as bar:
        for step in prune_all(app.store, app.settings.keep, app.clock()):
            if not isinstance(step, PruneStep):
                return step
            bar.update(MatchProgress(activity="Removing", done_count=step.finished_count, total=step.total))
    raise AssertionError("prune_all ends with a PruneResult")


def _print(app: App, removed: Sequence[RemovedRows], size: int | None, *, as_json: bool) -> None:
    from digest.render.languages.english import format_count

    keep = app.settings.keep
    if as_json:
        rows = dict.fromkeys(_TABLES, 0) | {entry.table: entry.rows for entry in removed}
        days = None if keep is None else keep.days
        document: dict[str, Any] = {"keep_days": days, "rows": rows, "bytes": size, "dry_run": size is None}
        print_json(document)
        return
    if not removed:
        reason = (
            '`keep` is "forever"'
            if keep is None
            else f"nothing that may be removed is older than {keep.days} days"
        )
        click.echo(f"Nothing to remove: {reason}.")
        return
    listed = ", ".join(f"{entry.rows:,} {entry.table}" for entry in removed)
    total = format_count(sum(entry.rows for entry in removed), "row")
    if size is None:
        click.echo(f"Would remove {total}: {listed}.")
    else:
        click.echo(f"Removed {total}: {listed}. This frees {size / 1e6:,.1f} MB for new data.")
