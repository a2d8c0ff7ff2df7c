"""The command that tries a query: ``digest try``."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from digest.cli.options import config_option, json_option, now_option, opened, print_json

if TYPE_CHECKING:
    from digest.jobs.trying import Tried

_SHOWN = 10


@click.command("try")
@click.argument("query")
@click.option(
    "--days", default=30, show_default=True, type=click.IntRange(1, 3650), help="How far back to look."
)
@config_option
@now_option
@json_option
def try_(query: str, days: int, config: Path | None, now: datetime | None, *, as_json: bool) -> int:
    """What QUERY finds: how it is read, what it finds in the last days, how many a day.

    \b
    Examples:
      digest try '"mixture of experts" serving'
      digest try 'author:"Wencong Xiao"'
      digest try 'category:cs.DC (inference OR serving) NOT survey'
    """  # noqa: D301 - click knows the character, and takes the lines after it as they are
    from digest.jobs.trying import try_query

    with opened(config, now) as app:
        tried = try_query(app.store, query, days, app.clock())
    if as_json:
        print_json(_tried_json(tried))
    else:
        _print_tried(tried, days)
    return 0


def _print_tried(tried: Tried, days: int) -> None:
    from digest.cli.telling import evidence
    from digest.core.tex import tex_to_unicode

    click.echo(f"Read as: {click.style(tried.reading.shown, bold=True)}")
    for hint in tried.reading.hints:
        click.echo(f"{click.style('Hint:', fg='yellow')} {hint}")
    if not tried.asked:
        click.echo(f"The store has no papers of the last {days} days: run `digest pull` first.")
        return
    count, on = len(tried.found), len(tried.days)
    days_told = "1 announcement day" if on == 1 else f"{on} announcement days"
    click.echo(f"{count:,} of {tried.asked:,} papers of {days_told}: {count / on:.1f} a day.")
    for event, fit in tried.found[:_SHOWN]:
        maybe = " (maybe)" if fit.band == 1 else ""
        click.echo(f"\n  {click.style(tex_to_unicode(event.paper.title), bold=True)}{maybe}")
        click.echo(f"  {event.paper.key}, {event.day:%d %b %Y}: {evidence(fit)}")
    if count > _SHOWN:
        click.echo(f"\n  … and {count - _SHOWN:,} more")


def _tried_json(tried: Tried) -> dict[str, Any]:
    from digest.cli.telling import fit_json

    return {
        "query": str(tried.reading.query),
        "read_as": tried.reading.shown,
        "hints": list(tried.reading.hints),
        "asked": tried.asked,
        "days": {day.isoformat(): count for day, count in tried.days},
        "found": [
            {
                "paper": event.paper.key,
                "title": event.paper.title,
                "day": event.day.isoformat(),
                **fit_json(fit),
            }
            for event, fit in tried.found
        ],
    }
