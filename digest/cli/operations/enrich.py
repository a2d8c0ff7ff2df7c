"""The command that asks for more of papers and persons."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from digest.cli.terminal.options import config_option, json_option, now_option, opened, print_json

if TYPE_CHECKING:
    from digest.app import App
    from digest.jobs.enrich import Backlog
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
    from digest.cli.operations.run import shown
    from digest.cli.terminal.run_summary import Account

    with opened(config, now) as app, app.steps() as steps:
        account = Account(shown(steps.enrich(most), quiet=as_json))
        enriched = account.document()["enriched"]
        # A cycle has not failed because of it: what readers wait for is there without.
        failed = account.error is not None or any(one["error"] for one in enriched)
        if as_json:
            print_json({"enriched": enriched, "failed": failed, "error": str(account.error or "")})
        elif not app.enrichers:
            click.echo("Nobody to ask: the configuration has no [[enricher]].")
        elif not account.happened and account.error is None:
            click.echo(
                "Nothing to ask: all is known that was asked for lately, or the day's quota is used up."
            )
        return account.exit_status() or int(failed)


def enricher_checks(app: App) -> Iterator[tuple[str, Callable[[], str]]]:
    """For each enricher its name, and how to try it with a paper or a person that everybody knows."""
    for enricher in app.enrichers.values():
        yield enricher.title, partial(_tried, app, enricher)


def _tried(app: App, enricher: Enricher) -> str:
    import secrets

    from digest.errors import SourceError
    from digest.jobs.cycle import worker
    from digest.jobs.enrich import Inquirer
    from digest.jobs.http.fetch import Fetcher

    token = secrets.randbits(62)
    with worker(app.store, token, app.clock()), closing(Fetcher(app.settings.site.contact)) as fetcher:
        asking = Inquirer(
            store=app.store,
            enrichers={enricher.name: enricher},
            fetcher=fetcher,
            token=token,
            clock=app.clock,
            sleep=fetcher.sleep,
        )
        told = asking.try_one(enricher)
    if told is None:
        return "not tried: its share of today is used up"
    if told.error:
        raise SourceError(told.error)
    return "it answers"


def print_backlogs(app: App) -> None:
    """How asking the enrichers goes, for people; nothing where there are none."""
    from digest.cli.terminal.format_events import moment

    found = _backlogs(app)
    if found:
        click.secho("Enrichers", bold=True)
    for one in found:
        asked = one.asked
        left = f"{asked.requests:,} of {one.quota:,} requests today"
        last = moment(asked.answered_at) if asked.answered_at else "never"
        waiting = f"{one.waiting:,} to ask for" if one.waiting else "nobody to ask for"
        click.echo(f"  {one.title}: {left}, {waiting}, answered {last}")
        if asked.requests >= one.quota:
            said = click.style("used up", fg="yellow")
            click.echo(f"    its share of today is {said}; the rest follows after midnight UTC")
        if asked.error:
            failed = click.style("last request failed", fg="red")
            at = f" {moment(asked.error_at)}" if asked.error_at else ""
            click.echo(f"    {failed}{at}: {asked.error}")


def backlogs_json(app: App) -> list[dict[str, Any]]:
    """The same for programs."""
    from digest.render.delivery.files import instant_json

    return [
        {
            "enricher": one.asked.name,
            "requests": one.asked.requests,
            "quota": one.quota,
            "waiting": one.waiting,
            "answered_at": instant_json(one.asked.answered_at) if one.asked.answered_at else None,
            "error": one.asked.error,
        }
        for one in _backlogs(app)
    ]


def _backlogs(app: App) -> tuple[Backlog, ...]:
    from digest.jobs.enrich import backlogs

    return backlogs(app.store, app.enrichers, app.clock())
