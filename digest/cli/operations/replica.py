"""What commands say about the replica."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from digest.app import App


def check_replica(app: App) -> Iterator[tuple[str, bool, str]]:
    """Check the replica, if there is one, as ``digest check`` lists it."""
    from digest.jobs.publishing.replica_watch import describe_trouble, find_trouble

    if app.replica is not None:
        trouble = find_trouble(app.replica)
        yield "replica", not trouble, describe_trouble(trouble) if trouble else ""


def print_replica(app: App) -> None:
    """Print a line about the replica, if there is one."""
    for _, is_usable, message in check_replica(app):
        click.secho("Replica", bold=True)
        click.secho(f"  {message or 'up to date'}", fg=None if is_usable else "yellow")


def make_replica_json(app: App) -> dict[str, Any] | None:
    """Return whether the replica can be used, and why not; None without a replica."""
    return next(
        ({"usable": is_usable, "trouble": message} for _, is_usable, message in check_replica(app)), None
    )
