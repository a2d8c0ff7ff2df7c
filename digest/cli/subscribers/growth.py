"""``digest subscribers growth``: how many readers come and go."""

from __future__ import annotations

from pathlib import Path

import click

from digest.cli.terminal.options import config_option, json_option, open_configured_app, print_json


@click.command()
@click.option("--last", default=12, show_default=True, type=click.IntRange(1), help="How many weeks to list.")
@config_option
@json_option
def growth(config: Path | None, *, as_json: bool, last: int) -> int:
    """Count readers, and who came and went in each week.

    Readers are the addresses with an account. Weeks begin on Monday, UTC.
    A reader who signs up for two digests is one new reader and two sign-ups.
    """
    from digest.render.languages.english import format_count
    from digest.store.operations.growth import ReaderEvent, count_subscribers, list_weeks

    with open_configured_app(config) as app, app.store.begin_read() as tx:
        total, weeks = count_subscribers(tx), list_weeks(tx, last)
    if as_json:
        week_documents = [
            {"week": week.monday.isoformat()}
            | {event.value.replace("-", "_"): week.counts.get(event, 0) for event in ReaderEvent}
            for week in weeks
        ]
        print_json({"accounts": total, "weeks": week_documents})
        return 0
    click.echo(f"{format_count(total, 'address has', 'addresses have')} an account on the site.")
    for week in weeks:
        new, sign_ups, left, deleted = (week.counts.get(event, 0) for event in ReaderEvent)
        click.echo(
            f"{week.monday}: {format_count(new, 'new reader')}, {format_count(sign_ups, 'sign-up')}, "
            f"{format_count(left, 'unsubscription')}, {format_count(deleted, 'deletion')}"
        )
    return 0
