"""``digest notices``: the problems of which operators were notified."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from digest.cli.terminal.options import config_option, json_option, open_configured_app, print_json

if TYPE_CHECKING:
    from digest.store.operations.notices import Notice


@click.command()
@click.option("--last", default=20, show_default=True, type=click.IntRange(1), help="How many to list.")
@config_option
@json_option
def notices(config: Path | None, *, as_json: bool, last: int) -> int:
    """List the latest notices to operators, newest first, and whether they were sent.

    A problem is noted at most once a day, and notices are kept for 90 days. They go to [operator] notify.
    """
    from digest.render.languages.operator_texts import describe_notice_state
    from digest.store.operations.notices import list_newest

    with open_configured_app(config) as app, app.store.begin_read() as tx:
        entries = list_newest(tx, last)
    if as_json:
        print_json(list(map(_make_json, entries)))
        return 0
    for notice in entries:
        state = describe_notice_state(
            is_due=notice.due_at is not None, attempts=notice.attempts, channels=len(notice.delivered_to)
        )
        click.echo(f"{notice.noted_at:%Y-%m-%d %H:%M} UTC, {state}: {notice.text}")
    if not entries:
        click.echo("There are no notices.")
    return 0


def _make_json(notice: Notice) -> dict[str, Any]:
    from digest.render.delivery.files import format_instant

    return {
        "name": notice.name,
        "text": notice.text,
        "at": format_instant(notice.noted_at),
        "due_at": format_instant(notice.due_at) if notice.due_at else None,
        "attempts": notice.attempts,
        "sent_by": sorted(notice.delivered_to),
    }
