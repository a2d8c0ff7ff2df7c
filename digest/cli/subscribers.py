"""The command about who gets what: list them, and let digests go again to who had unsubscribed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from digest.cli.options import config_option, json_option, opened, print_json

if TYPE_CHECKING:
    from digest.app import App
    from digest.store.subscribers import Subscriber

_MOST_NAMED = 5
_COLOURS = {"active": "green", "unsubscribed": "yellow"}


@click.group()
def subscribers() -> None:
    """List who gets what, and let digests go again to who had unsubscribed."""


@subscribers.command("list")
@config_option
@json_option
@click.option("--stopped", is_flag=True, help="Only who has unsubscribed.")
def list_(config: Path | None, *, as_json: bool, stopped: bool) -> int:
    """List who gets which digest, and who has unsubscribed."""
    from digest.store import subscribers as rows

    with opened(config) as app, app.store.reading() as tx:
        found = rows.stopped(tx) if stopped else rows.subscribers(tx)
        if as_json:
            print_json([_json(one) for one in found])
            return 0
        for one in found:
            state = _state(one)
            click.echo(f"{one.digest} → {one.address}: {click.style(state, fg=_COLOURS.get(state))}")
        if not found:
            click.echo("Nobody has unsubscribed." if stopped else "Nothing goes anywhere yet.")
    return 0


@subscribers.command()
@click.argument("address")
@config_option
@json_option
def resume(address: str, config: Path | None, *, as_json: bool) -> int:
    """Let digests go again to ADDRESS, which unsubscribed, from the next edition on.

    Do it only where its reader asked for it. What the file no longer has does not come back by this.
    """
    from digest.jobs.subscribers import resume_address

    with opened(config) as app:
        found = resume_address(app.store, app.settings, address)
        if as_json:
            print_json([_json(one) for one in found])
            return 0
        for one in found:
            back = "goes there again" if one.active else "has left the file, and does not come back by this"
            click.echo(f"{one.digest} → {one.address}: {back}.")
        if not found:
            click.echo(f"{address} has not unsubscribed from anything.")
    return 0


def name_unsubscribed(app: App) -> None:
    """Name those that the file declares and nothing goes to, so that nobody looks for a fault."""
    from digest.jobs.subscribers import unsubscribed

    found = unsubscribed(app.store, app.settings)
    for digest, address in found[:_MOST_NAMED]:
        _warn(
            f"{address} has unsubscribed, so {digest} does not go there; "
            f"if its reader wants it back: `digest subscribers resume {address}`"
        )
    if len(found) > _MOST_NAMED:
        _warn(f"and so have {len(found) - _MOST_NAMED:,} more: `digest subscribers list --stopped`")


def said_of_unsubscribed(found: Sequence[tuple[str, str]]) -> str:
    """One line about them; "" where there are none."""
    if not found:
        return ""
    named = "; ".join(f"{address} from {digest}" for digest, address in found[:_MOST_NAMED])
    more = f"; and {len(found) - _MOST_NAMED:,} more" if len(found) > _MOST_NAMED else ""
    return f"unsubscribed, so nothing goes there: {named}{more} (`digest subscribers resume ADDRESS` takes it back)"


def _warn(text: str) -> None:
    click.echo(f"{click.style('Warning:', fg='yellow')} {text}", err=True)


def _state(one: Subscriber) -> str:
    if one.stopped:
        return "unsubscribed"
    return "active" if one.active and not one.digest_ended else "ended"


def _json(one: Subscriber) -> dict[str, Any]:
    return {"digest": one.digest, "channel": one.channel, "address": one.address, "state": _state(one)}
