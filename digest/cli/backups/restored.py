"""``digest check --restored``: what a restored database would send a second time, and what was lost."""

from __future__ import annotations

import os
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from digest.cli.terminal.actors import make_shell_actor
from digest.cli.terminal.options import open_configured_app, print_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from digest.jobs.backups.restored_backup import RestoredState
    from digest.store.backups.restored_backup import Repeats


def check_restored(config: Path | None, *, as_json: bool) -> int:
    """Hold the database, and print what it would send a second time."""
    from digest.jobs.backups.restored_backup import check_restored as check

    last_seen = _read_latest_time(config)
    with open_configured_app(config) as app:
        state = check(app.store, make_shell_actor(), last_seen, app.clock())
    if as_json:
        print_json(_make_json(state))
    else:
        for paragraph in _describe(state):
            click.echo(paragraph)
    return 0


def _read_latest_time(config: Path | None) -> datetime | None:
    """Read the latest time that the database has recorded; opening the application records the present one."""
    from digest.config import find_config, read_settings
    from digest.store.database.clock import read_latest_seen
    from digest.store.database.engine import open_store

    settings = read_settings(find_config(config, os.environ), os.environ)
    with closing(open_store(settings.store, datetime.now(UTC))) as store, store.begin_read() as tx:
        return read_latest_seen(tx)


def _describe(state: RestoredState) -> Iterator[str]:
    from digest.render.languages.english import format_count

    since = _format_time(state.backed_up_at)
    yield (
        f"{click.style('Held', fg='red')}: nothing is sent until `digest deliveries release --restored`. "
        f"{format_count(state.held_runs, 'run is', 'runs are')} held, and so are all that become due before that. Mails with links to sign in or to confirm go out."
    )
    yield f"The last entry in the backup is of {since}. What was accepted by the other side since then is not marked as sent."
    if state.live_workers:
        yield (
            f"{click.style('Stop these processes', fg='yellow')}, which may be sending what they claimed before: "
            f"{', '.join(state.live_workers)}."
        )
    yield from _describe_repeats(state.repeats)
    yield (
        f"Lost: whatever readers changed since {since}. The database cannot tell what that was, so bring back at least who left:\n"
        "  - Unsubscribed: if your web server logs requests, repeat each `POST /unsubscribe/…` since then (`curl -X POST URL`). "
        "The output of `digest serve` names addresses of your file that unsubscribed: `digest subscribers stop ADDRESS`. "
        "Others get mail again until they unsubscribe once more.\n"
        "  - Deleted everything: these readers are back, and must be deleted again.\n"
        "  - Bounced: mark the messages since then in the mailbox for bounces as unread, and they are counted again.\n"
        "  - Sign-ups, changes, saved papers: readers have to repeat them.\n"
        "  - Revoked API tokens are valid again: `digest subscribers tokens`."
    )
    yield (
        "Next: start the workers, so that the runs above are made (and held), and run this command again. Drop what surely went out, "
        "for example `digest deliveries drop --due-before TIME`. Then run `digest deliveries release --restored`."
    )


def _describe_repeats(repeats: Repeats) -> Iterator[str]:
    from digest.render.languages.english import format_count

    if not repeats.channels and not repeats.runs:
        yield "Nothing would be sent a second time: nothing that is due is unsent, and no run is due."
    for channel in repeats.channels:
        yield f"By {channel.channel}: {format_count(channel.count, 'delivery', 'deliveries')} may have gone out, with the same Message-IDs:"
        for delivery in channel.first:
            yield f"  {delivery.id:6}  {delivery.period:20}  {delivery.digest} → {delivery.address}"
        if channel.count > len(channel.first):
            yield f"  and {channel.count - len(channel.first):,} more: `digest deliveries list --state ready`"
    for run in repeats.runs:
        editions = "editions of alerts" if run.digests is None else format_count(run.digests, "edition")
        yield f"Run of {run.period}: {editions} will be made again, with the same Message-IDs for the same digests."
    if repeats.later:
        yield f"{format_count(repeats.later, 'delivery is', 'deliveries are')} not due yet, and cannot have gone out."


def _make_json(state: RestoredState) -> dict[str, Any]:
    from digest.render.delivery.files import format_instant

    return {
        "backup": format_instant(state.backed_up_at),
        "held": state.held_runs,
        "live": list(state.live_workers),
        "channels": [
            {
                "channel": channel.channel,
                "deliveries": channel.count,
                "first": [
                    {
                        "id": delivery.id,
                        "digest": delivery.digest,
                        "period": delivery.period,
                        "address": delivery.address,
                        "due_at": format_instant(delivery.due_at),
                    }
                    for delivery in channel.first
                ],
            }
            for channel in state.repeats.channels
        ],
        "runs": [{"period": run.period, "digests": run.digests} for run in state.repeats.runs],
        "later": state.repeats.later,
    }


def describe_hold(backed_up_at: datetime) -> str:
    """Say that a restored database is held, and how to release it."""
    return (
        f"the database was restored from a backup of {_format_time(backed_up_at)}, and nothing is sent; look at `digest check --restored`, "
        "then run `digest deliveries release --restored`"
    )


def _format_time(at: datetime) -> str:
    from digest.cli.terminal.format_events import format_time

    return format_time(at)
