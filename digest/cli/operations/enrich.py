"""``digest enrich``: query services for more about papers and people."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from digest.cli.terminal.options import (
    config_option,
    json_option,
    now_option,
    open_configured_app,
    print_json,
)

if TYPE_CHECKING:
    from digest.app import App
    from digest.jobs.enrich import EnricherBacklog
    from digest.ports import Enricher


@click.command()
@click.option(
    "--most",
    type=click.IntRange(min=1),
    default=200,
    show_default=True,
    help="The maximum number of requests to each enricher.",
)
@config_option
@now_option
@json_option
def enrich(config: Path | None, now: datetime | None, *, most: int, as_json: bool) -> int:
    """Query the enrichers of the configuration for more about papers and people.

    Covers the papers that editions showed in the last 30 days and the people who are followed: citations,
    affiliations, ids. Each `digest run` sends a few of these requests; this command sends them now, as far as
    the day's quota allows, oldest data first. After Ctrl-C the next run continues.
    """
    from digest.cli.operations.run import show_events
    from digest.cli.terminal.run_summary import RunSummary

    with open_configured_app(config, now) as app, app.open_steps(command="enrich") as steps:
        summary = RunSummary(show_events(steps.enrich(most), quiet=as_json))
        enriched = summary.make_document()["enriched"]
        # In a cycle this is not a failure, because editions do not depend on it.
        failed = summary.error is not None or any(enriched_kind["error"] for enriched_kind in enriched)
        if as_json:
            print_json({"enriched": enriched, "failed": failed, "error": str(summary.error or "")})
        elif not app.enrichers:
            click.echo("Nothing to query: the configuration has no [[enricher]].")
        elif not summary.events and summary.error is None:
            click.echo("Nothing to query: all data is up to date, or the day's quota is used up.")
        return summary.get_exit_status() or int(failed)


def list_enricher_checks(app: App) -> Iterator[tuple[str, Callable[[], str]]]:
    """List the name of each enricher, and a test of it with a well-known paper or person."""
    for enricher in app.enrichers.values():
        yield enricher.title, partial(_try_enricher, app, enricher)


def _try_enricher(app: App, enricher: Enricher) -> str:
    import secrets

    from digest.errors import SourceError
    from digest.jobs.enrich import EnrichmentRunner
    from digest.jobs.http.fetch import Fetcher
    from digest.jobs.workers import register_worker

    token = secrets.randbits(62)
    with (
        register_worker(app.store, token),
        closing(Fetcher(app.settings.site.contact)) as fetcher,
    ):
        inquirer = EnrichmentRunner(
            store=app.store,
            enrichers={enricher.name: enricher},
            fetcher=fetcher,
            token=token,
            clock=app.clock,
            sleep=fetcher.wait,
        )
        outcome = inquirer.try_request(enricher)
    if outcome is None:
        return "not tested: today's quota is used up"
    if outcome.error:
        raise SourceError(outcome.error)
    return "it answered"


def print_backlogs(app: App) -> None:
    """Print the state of the enrichers, if there are any."""
    from digest.cli.terminal.format_events import format_time

    backlogs = _load_backlogs(app)
    if backlogs:
        click.secho("Enrichers", bold=True)
    for backlog in backlogs:
        usage = backlog.request_state
        quota_text = f"{usage.requests:,} of {backlog.quota:,} requests today"
        reached = f"last reached {format_time(usage.answered_at)}" if usage.answered_at else "never reached"
        waiting = f"{backlog.waiting:,} waiting" if backlog.waiting else "none waiting"
        click.echo(f"  {backlog.title}: {quota_text}, {waiting}; {reached}")
        if usage.requests >= backlog.quota:
            used_up = click.style("used up", fg="yellow")
            click.echo(f"    today's quota is {used_up}; the rest follows after midnight UTC")
        if usage.error:
            failed = click.style("last request failed", fg="red")
            at = f" {format_time(usage.error_at)}" if usage.error_at else ""
            click.echo(f"    {failed}{at}: {usage.error}")


def make_backlogs_json(app: App) -> list[dict[str, Any]]:
    """Make the JSON document of the same."""
    from digest.render.delivery.files import format_instant

    return [
        {
            "enricher": backlog.request_state.name,
            "requests": backlog.request_state.requests,
            "quota": backlog.quota,
            "waiting": backlog.waiting,
            "answered_at": format_instant(backlog.request_state.answered_at)
            if backlog.request_state.answered_at
            else None,
            "error": backlog.request_state.error,
        }
        for backlog in _load_backlogs(app)
    ]


def _load_backlogs(app: App) -> tuple[EnricherBacklog, ...]:
    from digest.jobs.enrich import load_backlogs

    return load_backlogs(app.store, app.enrichers, app.clock())
