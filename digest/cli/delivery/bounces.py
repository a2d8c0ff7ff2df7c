"""The commands about what comes back: read the mailbox now, list what was told."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from digest.cli.terminal.groups import CommandGroup
from digest.cli.terminal.options import config_option, json_option, now_option, opened, print_json


@click.group(cls=CommandGroup, default="list")
def bounces() -> None:
    """Read the mailbox for bounces now, or list what came back."""


@bounces.command()
@now_option
@config_option
@json_option
def read(config: Path | None, now: datetime | None, *, as_json: bool) -> int:
    """Read what came into the mailbox of [bounces], and count it.

    `digest run` does so each time, and `digest serve` every few minutes. What was read is marked as read only when
    it is kept; what is told twice counts once.
    """
    from digest.app import make_mailbox
    from digest.cli.terminal import format_events
    from digest.errors import ConfigError
    from digest.jobs.delivery.bounces import MailboxRead, Reported, wake

    with opened(config, now) as app:
        mailbox = make_mailbox(app.settings)
        if mailbox is None:
            raise ConfigError("there is no mailbox to read; write `address` and `mailbox` in [bounces]")
        wake(app.store, app.clock())
        told = list(app.hearing.read(mailbox))
        (ended,) = (one for one in told if isinstance(one, MailboxRead))
        if as_json:
            print_json(
                {
                    "messages": ended.messages,
                    "reports": [
                        format_events.reported_json(one) for one in told if isinstance(one, Reported)
                    ],
                    "left": {why.name.lower(): number for why, number in ended.left.items()},
                    "error": ended.error,
                }
            )
            return int(bool(ended.error))
        for text in filter(None, map(format_events.heard, told)):
            click.echo(text)
        if not ended.messages and not ended.error:
            click.echo("Nothing new came back.")
    return int(bool(ended.error))


@bounces.command("list")
@click.option("--address", metavar="ADDRESS", default="", help="Only what is about this address.")
@click.option("--last", default=20, show_default=True, type=click.IntRange(1), help="How many to list.")
@config_option
@json_option
def list_(config: Path | None, *, as_json: bool, address: str, last: int) -> int:
    """List the last bounces and complaints, by whichever road they came."""
    from digest.cli.terminal import format_events
    from digest.render.languages.english import MEANINGS
    from digest.store.delivery.reports import recent

    with opened(config) as app:
        with app.store.reading() as tx:
            found = recent(tx, most=last, mailbox=address.lower())
        if as_json:
            print_json([format_events.report_json(one) for one in found])
            return 0
        for one in found:
            forgiven = ", resumed since" if one.forgiven else ""
            click.echo(
                f"{one.at:%Y-%m-%d %H:%M} UTC  {one.mailbox}: {MEANINGS[one.finding]} "
                f"(by {format_events.ROADS.get(one.road, one.road)}: {one.answer}){forgiven}"
            )
        if not found:
            click.echo("Nothing has come back.")
    return 0
