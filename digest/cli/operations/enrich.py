"""The command that asks for more of papers and persons."""

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
    "--most", type=click.IntRange(min=1), default=200, show_default=True, help="Requests to each at the most."
)
@config_option
@now_option
@json_option
def enrich(config: Path | None, now: datetime | None, *, most: int, as_json: bool) -> int:
    """Ask the enrichers of the configuration for more of what readers see.

    Papers that editions showed in the last 30 days, and the persons who are followed: how often they were
    cited, affiliations, ids. Each run of `digest run` asks a little of it; this asks at once, as far as the
    day's quota goes. Who was asked for longest ago comes first; Ctrl-C stops it, and nothing is lost.
    """
    from digest.cli.operations.run import show_events
    from digest.cli.terminal.run_summary import RunSummary

    with open_configured_app(config, now) as app, app.open_steps() as steps:
        summary = RunSummary(show_events(steps.enrich(most), quiet=as_json))
        enriched = summary.make_document()["enriched"]
        # A cycle has not failed because of it: what readers wait for is there without.
        failed = summary.error is not None or any(enriched_kind["error"] for enriched_kind in enriched)
        if as_json:
            print_json({"enriched": enriched, "failed": failed, "error": str(summary.error or "")})
        elif not app.enrichers:
            click.echo("Nobody to ask: the configuration has no [[enricher]].")
        elif not summary.events and summary.error is None:
            click.echo(
                "Nothing to ask: all is known that was asked for lately, or the day's quota is used up."
            )
        return summary.get_exit_status() or int(failed)


def list_enricher_checks(app: App) -> Iterator[tuple[str, Callable[[], str]]]:
    """For each enricher its name, and how to try it with a paper or a person that everybody knows."""
    for enricher in app.enrichers.values():
        yield enricher.title, partial(_try_enricher, app, enricher)


def _try_enricher(app: App, enricher: Enricher) -> str:
    import secrets

    from digest.errors import SourceError
    from digest.jobs.cycle import register_worker
    from digest.jobs.enrich import EnrichmentRunner
    from digest.jobs.http.fetch import Fetcher

    token = secrets.randbits(62)
    with (
        register_worker(app.store, token, app.clock()),
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
        return "not tried: its share of today is used up"
    if outcome.error:
        raise SourceError(outcome.error)
    return "it answers"


def print_backlogs(app: App) -> None:
    """How asking the enrichers goes, for people; nothing where there are none."""
    from digest.cli.terminal.format_events import format_time

    backlogs = _load_backlogs(app)
    if backlogs:
        click.secho("Enrichers", bold=True)
    for backlog in backlogs:
        usage = backlog.request_state
        quota_text = f"{usage.requests:,} of {backlog.quota:,} requests today"
        last_answer = format_time(usage.answered_at) if usage.answered_at else "never"
        waiting = f"{backlog.waiting:,} to ask for" if backlog.waiting else "nobody to ask for"
        click.echo(f"  {backlog.title}: {quota_text}, {waiting}, answered {last_answer}")
        if usage.requests >= backlog.quota:
            used_up = click.style("used up", fg="yellow")
            click.echo(f"    its share of today is {used_up}; the rest follows after midnight UTC")
        if usage.error:
            failed = click.style("last request failed", fg="red")
            at = f" {format_time(usage.error_at)}" if usage.error_at else ""
            click.echo(f"    {failed}{at}: {usage.error}")


def make_backlogs_json(app: App) -> list[dict[str, Any]]:
    """The same for programs."""
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
