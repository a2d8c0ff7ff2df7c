"""``digest bounces``: read the mailbox, and list bounces and complaints."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from digest.cli.terminal.groups import CommandGroup
from digest.cli.terminal.options import (
    config_option,
    json_option,
    now_option,
    open_configured_app,
    print_json,
)


@click.group(cls=CommandGroup, default="list")
def bounces() -> None:
    """List bounces and complaints, or read the mailbox for them now."""


@bounces.command()
@now_option
@config_option
@json_option
def read(config: Path | None, now: datetime | None, *, as_json: bool) -> int:
    """Read unread messages in the mailbox of [bounces] now, and count them.

    `digest run` does the same each time, `digest serve` every few minutes. A bounce that is reported twice
    counts once. Messages that are not about our mails are left alone.
    """
    from digest.cli.terminal import format_events
    from digest.errors import ConfigError
    from digest.jobs.delivery.bounces.bounce_events import CountedReport, MailboxRead
    from digest.jobs.delivery.bounces.receiver import resume_rested
    from digest.jobs.services import make_mailbox

    with open_configured_app(config, now) as app:
        mailbox = make_mailbox(app.settings)
        if mailbox is None:
            raise ConfigError("there is no mailbox to read; write `address` and `mailbox` in [bounces]")
        resume_rested(app.store, app.clock())
        events = list(app.report_receiver.read_mailbox(mailbox))
        (mailbox_read,) = (event for event in events if isinstance(event, MailboxRead))
        if as_json:
            print_json(
                {
                    "messages": mailbox_read.messages,
                    "reports": [
                        format_events.make_counted_report_json(event)
                        for event in events
                        if isinstance(event, CountedReport)
                    ],
                    "left": {
                        reason.name.lower(): number for reason, number in mailbox_read.left_by_reason.items()
                    },
                    "error": mailbox_read.error,
                }
            )
            return int(bool(mailbox_read.error))
        for text in filter(None, map(format_events.describe_bounce_event, events)):
            click.echo(text)
        if not mailbox_read.messages and not mailbox_read.error:
            click.echo("No new bounces.")
    return int(bool(mailbox_read.error))


@bounces.command("list")
@click.option("--address", metavar="ADDRESS", default="", help="Only bounces of this address.")
@click.option("--last", default=20, show_default=True, type=click.IntRange(1), help="How many to list.")
@config_option
@json_option
def list_(config: Path | None, *, as_json: bool, address: str, last: int) -> int:
    """List the latest bounces and complaints, however they arrived."""
    from digest.cli.terminal import format_events
    from digest.render.languages.english import BOUNCE_MEANINGS
    from digest.store.delivery.reports import list_recent

    with open_configured_app(config) as app:
        with app.store.begin_read() as tx:
            reports = list_recent(tx, limit=last, mailbox=address.lower())
        if as_json:
            print_json([format_events.make_report_json(report) for report in reports])
            return 0
        for report in reports:
            forgiven = ", resumed since" if report.forgiven else ""
            click.echo(
                f"{report.at:%Y-%m-%d %H:%M} UTC  {report.mailbox}: {BOUNCE_MEANINGS[report.finding]} "
                f"({format_events.ROAD_NAMES.get(report.road, report.road)}: {report.answer}){forgiven}"
            )
        if not reports:
            click.echo("There are no bounces.")
    return 0
