"""``digest audit``: who changed what."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from digest.cli.terminal.options import config_option, json_option, open_configured_app, print_json

if TYPE_CHECKING:
    from digest.store.operations.audit import AuditEntry


@click.command()
@click.option("--last", default=20, show_default=True, type=click.IntRange(1), help="How many to list.")
@config_option
@json_option
def audit(config: Path | None, *, as_json: bool, last: int) -> int:
    """List the latest changes by operators, newest first: who changed what, and when.

    Changes by commands, on the operator's pages and by API tokens are recorded for a year. Readers and deliveries
    are named by their numbers.
    """
    from digest.render.languages.operator_texts import describe_actor, describe_change
    from digest.store.operations.audit import list_entries

    with open_configured_app(config) as app, app.store.begin_read() as tx:
        entries = list_entries(tx, last)
    if as_json:
        print_json(list(map(_make_json, entries)))
        return 0
    for entry in entries:
        actor = describe_actor(entry.actor.kind.value, entry.address, entry.actor.name)
        change = describe_change(entry.action, entry.subject, entry.amount)
        click.echo(f"{entry.at:%Y-%m-%d %H:%M} UTC  {actor}: {change}")
    if not entries:
        click.echo("No changes are recorded yet.")
    return 0


def _make_json(entry: AuditEntry) -> dict[str, Any]:
    from digest.render.delivery.files import format_instant

    return {
        "id": entry.id,
        "at": format_instant(entry.at),
        "by": entry.actor.kind.value,
        "name": entry.actor.name,
        "subscriber": entry.actor.subscriber,
        "address": entry.address,
        "action": entry.action,
        "subject": entry.subject,
        "amount": entry.amount,
    }
